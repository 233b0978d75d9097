//! All solutions of a problem, from the complementary cones that hold q.

use super::linear::{Inverse, kernel, one_sign, primitive, rank};
use super::{Matrix, Vector};

/// A solution, or the direction of a ray of solutions: z - w, times a positive number. As z'w = 0, z is its
/// positive part and w its negative part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The numerators.
    pub v: Vector,
    /// The denominator, positive.
    pub over: i64,
}

impl Point {
    fn is(&self, other: &Self) -> bool {
        (0..3).all(|i| self.v[i] * other.over == other.v[i] * self.over)
    }

    /// Whether w_i = 0 in alpha and z_i = 0 outside.
    fn belongs_to(&self, alpha: usize, n: usize) -> bool {
        (0..n).all(|i| {
            if alpha >> i & 1 == 1 {
                self.v[i] >= 0
            } else {
                self.v[i] <= 0
            }
        })
    }
}

/// The solutions whose complementary cone is alpha, more than one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Face {
    /// A set of bits.
    pub alpha: usize,
    /// Its vertices, at least one.
    pub vertices: Vec<Point>,
    /// The extreme directions, primitive, over 1.
    pub rays: Vec<Point>,
}

impl Face {
    fn is_within(&self, other: &Self, n: usize) -> bool {
        let mut all = self.vertices.iter().chain(&self.rays);
        all.all(|point| point.belongs_to(other.alpha, n))
    }
}

/// All solutions of one problem.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Solutions {
    /// Solutions on no face.
    pub isolated: Vec<Point>,
    /// The faces that are not within another.
    pub faces: Vec<Face>,
}

impl Solutions {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.isolated.is_empty() && self.faces.is_empty()
    }
}

/// A complementary cone whose columns are dependent.
#[derive(Debug, Clone)]
struct Flat {
    alpha: usize,
    columns: Vec<Vector>,
    bases: Vec<Basis>,
    rays: Vec<Point>,
}

/// A largest set of independent columns of a flat cone, solved for on rows on which it is regular.
#[derive(Debug, Clone)]
struct Basis {
    chosen: Vec<usize>,
    rows: Vec<usize>,
    inverse: Inverse,
}

/// The complementary cones of a matrix, prepared for many q.
#[derive(Debug, Clone)]
pub struct Cones {
    n: usize,
    regular: Vec<(usize, Inverse)>,
    flat: Vec<Flat>,
}

impl Cones {
    /// Prepares the 2^n cones of M.
    pub fn new(m: &Matrix) -> Self {
        let (mut regular, mut flat) = (Vec::new(), Vec::new());
        for alpha in 0..1 << m.n {
            let columns = m.cone(alpha);
            let inverse = Inverse::new(&columns);
            if inverse.size == 0 {
                flat.push(Flat::new(m.n, alpha, columns));
            } else {
                regular.push((alpha, inverse));
            }
        }
        Self {
            n: m.n,
            regular,
            flat,
        }
    }

    /// Whether the problem with q = 0 has another solution than 0.
    pub fn has_rays(&self) -> bool {
        self.flat.iter().any(|cone| !cone.rays.is_empty())
    }

    /// The sets alpha of the regular cones that hold q, each with the sign of det M of alpha.
    pub fn holding<'a>(&'a self, q: &'a Vector) -> impl Iterator<Item = i64> + 'a {
        let holds = |inverse: &Inverse| inverse.times(q).iter().all(|value| *value >= 0);
        let regular = self.regular.iter().filter(move |(_, own)| holds(own));
        // The cone's columns in alpha are those of -M.
        regular.map(|(alpha, own)| {
            let turned = if alpha.count_ones() % 2 == 1 { -1 } else { 1 };
            turned * own.determinant.signum()
        })
    }

    /// All solutions for this q, into `found`.
    pub fn solve(&self, q: &Vector, found: &mut Solutions) {
        found.isolated.clear();
        found.faces.clear();
        for (alpha, inverse) in &self.regular {
            let x = inverse.times(q);
            if x.iter().all(|value| *value >= 0) {
                push(&mut found.isolated, point(self.n, *alpha, x, inverse.size));
            }
        }
        for cone in &self.flat {
            let vertices = cone.vertices(self.n, q);
            match vertices.as_slice() {
                [] => {}
                [only] if cone.rays.is_empty() => push(&mut found.isolated, *only),
                _ => self.push_face(cone, vertices, found),
            }
        }
        let faces = &found.faces;
        let on_face = |own: &Point| faces.iter().any(|face| own.belongs_to(face.alpha, self.n));
        found.isolated.retain(|own| !on_face(own));
    }

    fn push_face(&self, cone: &Flat, vertices: Vec<Point>, found: &mut Solutions) {
        let face = Face {
            alpha: cone.alpha,
            vertices,
            rays: cone.rays.clone(),
        };
        if found.faces.iter().any(|own| face.is_within(own, self.n)) {
            return;
        }
        found.faces.retain(|own| !own.is_within(&face, self.n));
        found.faces.push(face);
    }
}

fn push(points: &mut Vec<Point>, own: Point) {
    if !points.iter().any(|known| known.is(&own)) {
        points.push(own);
    }
}

/// From the weights of the cone's columns.
fn point(n: usize, alpha: usize, x: Vector, over: i64) -> Point {
    let mut v = x;
    for (i, value) in v.iter_mut().enumerate().take(n) {
        if alpha >> i & 1 == 0 {
            *value = -*value;
        }
    }
    Point { v, over }
}

impl Flat {
    fn new(n: usize, alpha: usize, columns: Vec<Vector>) -> Self {
        let rank = rank(&columns);
        let sets =
            |size: usize| (0_usize..1 << n).filter(move |set| set.count_ones() as usize == size);
        let members = |set: usize| (0..n).filter(|i| set >> i & 1 == 1).collect::<Vec<_>>();
        let bases = sets(rank).filter_map(|set| {
            let chosen = members(set);
            sets(rank).find_map(|rows| Basis::new(&columns, &chosen, members(rows)))
        });
        let bases = bases.collect();
        let rays = (1_usize..1 << n).filter_map(|set| {
            let chosen = members(set);
            let own: Vec<Vector> = chosen.iter().map(|&j| columns[j]).collect();
            let weights = kernel(&own)?;
            let sign = one_sign(chosen.len(), &weights)?;
            let mut x = [0; 3];
            for (&j, weight) in chosen.iter().zip(weights) {
                x[j] = sign * weight;
            }
            Some(point(n, alpha, primitive(x), 1))
        });
        let rays = rays.collect();
        Self {
            alpha,
            columns,
            bases,
            rays,
        }
    }

    /// The points of the cone's polyhedron {x >= 0: sum x_j c_j = q} that have no others around them on a
    /// line: those whose columns are independent.
    fn vertices(&self, n: usize, q: &Vector) -> Vec<Point> {
        let mut vertices = Vec::new();
        for basis in &self.bases {
            if let Some(x) = basis.solve(&self.columns, q) {
                push(&mut vertices, point(n, self.alpha, x, basis.inverse.size));
            }
        }
        vertices
    }
}

impl Basis {
    fn new(columns: &[Vector], chosen: &[usize], rows: Vec<usize>) -> Option<Self> {
        let block = chosen.iter().map(|&j| {
            let mut column = [0; 3];
            for (entry, &i) in column.iter_mut().zip(&rows) {
                *entry = columns[j][i];
            }
            column
        });
        let inverse = Inverse::new(&block.collect::<Vec<_>>());
        let chosen = chosen.to_vec();
        (inverse.size != 0).then_some(Self {
            chosen,
            rows,
            inverse,
        })
    }

    /// The weights of all columns times `inverse.size`, if they are not negative and make q on all rows.
    fn solve(&self, columns: &[Vector], q: &Vector) -> Option<Vector> {
        let mut right = [0; 3];
        for (entry, &i) in right.iter_mut().zip(&self.rows) {
            *entry = q[i];
        }
        let weights = self.inverse.times(&right);
        if weights.iter().any(|value| *value < 0) {
            return None;
        }
        let mut x = [0; 3];
        for (&j, weight) in self.chosen.iter().zip(weights) {
            x[j] = weight;
        }
        let makes = |i: usize| -> i64 { columns.iter().zip(x).map(|(c, x)| c[i] * x).sum() };
        (0..3)
            .all(|i| makes(i) == self.inverse.size * q[i])
            .then_some(x)
    }
}
