//! The linear complementarity problem of the pyramids.

use std::collections::BTreeMap;

use etalon_lcp::{Bound, Cone, Disc, Friction, Law, Matrix, Number, Problem};
use rug::Rational;

use super::{PyramidError, Sides};

/// A vector on rows of the problem of cones.
type Vector = Vec<(usize, Rational)>;

/// The problem in unknowns x with z = P x, and the columns of P.
pub(super) struct Formulation {
    n: usize,
    problem: Problem,
    columns: Vec<Vector>,
}

/// What is collected: the columns of P, how rows are bounded, and the rows that tie sums of x to others.
#[derive(Default)]
struct Parts {
    columns: Vec<Vector>,
    /// Of each column that is a plain row of the problem: which.
    plain: BTreeMap<usize, usize>,
    /// Entries beside P'MP.
    ties: BTreeMap<(usize, usize), Rational>,
    friction: Vec<Friction>,
}

impl Formulation {
    /// The formulation with these polygons.
    ///
    /// # Errors
    /// [`PyramidError`].
    pub(super) fn new(problem: &Problem, sides: Sides) -> Result<Self, PyramidError> {
        let mut parts = Parts::default();
        parts.plain_rows(problem);
        for cone in problem.cones() {
            match (cone.law, sides) {
                (Law::Convex, _) => parts.convex(cone, sides)?,
                (Law::Coulomb, Sides::Box) => parts.boxed(cone),
                (Law::Coulomb, Sides::Inscribed(k)) => parts.directed(cone, k)?,
            }
        }
        let lcp = parts.problem(problem)?;
        Ok(Self {
            n: problem.n(),
            problem: lcp,
            columns: parts.columns,
        })
    }

    /// The problem of the pyramids.
    pub(super) fn problem(&self) -> &Problem {
        &self.problem
    }

    /// z = P x.
    pub(super) fn forces(&self, x: &[Number]) -> Vec<Number> {
        let mut z = vec![Rational::new(); self.n];
        for (column, x) in self.columns.iter().zip(x).filter(|(_, x)| !x.is_zero()) {
            let x = x.to_rational();
            for (row, factor) in column {
                z[*row] += Rational::from(factor * &x);
            }
        }
        z.into_iter().map(Number::from).collect()
    }
}

impl Parts {
    /// Adds an unknown; its index.
    fn unknown(&mut self, column: Vector) -> usize {
        self.columns.push(column);
        self.columns.len() - 1
    }

    /// Adds an unknown that is one of the problem.
    fn row(&mut self, row: usize) -> usize {
        self.unknown(vec![(row, Rational::from(1))])
    }

    fn tie(&mut self, i: usize, j: usize, value: i32) {
        self.ties.insert((i, j), Rational::from(value));
    }

    /// Rows of no cone stay as they are.
    fn plain_rows(&mut self, problem: &Problem) {
        let mut in_cone = vec![false; problem.n()];
        for row in problem.cones().iter().flat_map(Cone::rows) {
            in_cone[row] = true;
        }
        let mut index = BTreeMap::new();
        for row in (0..problem.n()).filter(|row| !in_cone[*row]) {
            let unknown = self.row(row);
            self.plain.insert(unknown, row);
            index.insert(row, unknown);
        }
        self.friction = (problem.friction().iter())
            .map(|friction| Friction {
                row: index[&friction.row],
                normal: index[&friction.normal],
                mu: friction.mu.clone(),
            })
            .collect();
    }

    /// Coulomb's law with |r_k| <= mu_k r_N.
    fn boxed(&mut self, cone: &Cone) {
        let normal = self.row(cone.normal);
        for disc in &cone.discs {
            for (row, mu) in used(disc) {
                let row = self.row(row);
                let mu = Number::from(mu);
                self.friction.push(Friction { row, normal, mu });
            }
        }
    }

    /// Coulomb's law with friction in the hull of directions.
    fn directed(&mut self, cone: &Cone, k: u32) -> Result<(), PyramidError> {
        let normal = self.row(cone.normal);
        for disc in &cone.discs {
            let directions = polygon(disc, k)?;
            if directions.is_empty() {
                continue;
            }
            let slip = self.unknown(Vector::new());
            self.tie(slip, normal, 1);
            for direction in directions {
                let unknown = self.unknown(direction);
                self.tie(unknown, slip, 1);
                self.tie(slip, unknown, -1);
            }
        }
        Ok(())
    }

    /// The convex law with r in the cone that a polygon spans.
    fn convex(&mut self, cone: &Cone, sides: Sides) -> Result<(), PyramidError> {
        let corners = match (&*cone.discs, sides) {
            ([], _) => Vec::new(),
            ([disc], Sides::Box) => corners(disc),
            ([disc], Sides::Inscribed(k)) => polygon(disc, k)?,
            _ => return Err(PyramidError::Discs),
        };
        let corners = match corners.is_empty() {
            true => vec![Vector::new()],
            false => corners,
        };
        for mut corner in corners {
            corner.push((cone.normal, Rational::from(1)));
            self.unknown(corner);
        }
        Ok(())
    }

    /// M~ = P'MP and the ties, q~ = P'q.
    fn problem(&self, problem: &Problem) -> Result<Problem, PyramidError> {
        let mut of_row = vec![Vec::new(); problem.n()];
        for (unknown, column) in self.columns.iter().enumerate() {
            for (row, factor) in column {
                of_row[*row].push((unknown, factor));
            }
        }
        let mut entries = self.ties.clone();
        for (row, ours) in of_row
            .iter()
            .enumerate()
            .filter(|(_, ours)| !ours.is_empty())
        {
            for (column, value) in problem.m().stored_row(row) {
                let value = value.to_rational();
                for (j, right) in &of_row[column] {
                    let product = Rational::from(&value * *right);
                    for (i, left) in ours {
                        *entries.entry((*i, *j)).or_default() += Rational::from(&product * *left);
                    }
                }
            }
        }
        let size = self.columns.len() as u64;
        let entries = entries.into_iter();
        let entries = entries.map(|((i, j), value)| (i as u64, j as u64, Number::from(value)));
        let m = Matrix::from_entries((size, size), entries.collect())?;
        let q = self.columns.iter().map(|column| {
            let terms = column.iter();
            let terms = terms.map(|(row, factor)| factor * problem.q()[*row].to_rational());
            Number::from(terms.sum::<Rational>())
        });
        let lcp = Problem::new(problem.name(), m, q.collect())?;
        let lcp = lcp.with_bounds(
            self.bounds(problem.lower(), &Bound::Finite(Number::from(0))),
            self.bounds(problem.upper(), &Bound::Infinity),
        )?;
        Ok(lcp.with_friction(self.friction.clone())?)
    }

    fn bounds(&self, given: Option<&[Bound]>, default: &Bound) -> Option<Vec<Bound>> {
        let given = given?;
        let unknowns = 0..self.columns.len();
        let bounds = unknowns.map(|unknown| match self.plain.get(&unknown) {
            Some(row) => given[*row].clone(),
            None => default.clone(),
        });
        Some(bounds.collect())
    }
}

/// The rows that friction acts along, with their coefficients.
fn used(disc: &Disc) -> Vec<(usize, Rational)> {
    let rows = disc.rows.iter().enumerate();
    let rows = rows.map(|(k, row)| (*row, disc.mu.of(k).to_rational()));
    rows.filter(|(_, mu)| !mu.is_zero()).collect()
}

/// Points of the ellipse, as many as k for a disc of two rows.
fn polygon(disc: &Disc, k: u32) -> Result<Vec<Vector>, PyramidError> {
    if k < 4 || !k.is_multiple_of(4) {
        return Err(PyramidError::Directions(k));
    }
    match &*used(disc) {
        [] => Ok(Vec::new()),
        [(row, mu)] => Ok(vec![vec![(*row, mu.clone())], vec![(*row, -mu.clone())]]),
        [first, second] => {
            let point = |(cos, sin): (Rational, Rational)| {
                vec![(first.0, cos * &first.1), (second.0, sin * &second.1)]
            };
            Ok(circle(k).into_iter().map(point).collect())
        }
        more => Err(PyramidError::Rows(more.len())),
    }
}

/// k points of the circle, k a multiple of 4, rounded to binary64 but for those on the axes: one quarter, turned.
fn circle(k: u32) -> Vec<(Rational, Rational)> {
    let quarter = (0..k / 4).map(|i| {
        let angle = f64::from(i) / f64::from(k) * std::f64::consts::TAU;
        let exact = |value: f64| Rational::from_f64(value).unwrap_or_default();
        (exact(angle.cos()), exact(angle.sin()))
    });
    let mut points: Vec<_> = quarter.collect();
    for _ in 0..3 {
        let last = points.len() - (k / 4) as usize;
        let turned = points[last..].iter();
        let turned: Vec<_> = turned.map(|(x, y)| (-y.clone(), x.clone())).collect();
        points.extend(turned);
    }
    points
}

/// The corners of the box about the disc.
fn corners(disc: &Disc) -> Vec<Vector> {
    let mut corners = vec![Vector::new()];
    for (row, mu) in used(disc) {
        let both = [mu.clone(), -mu];
        let longer = both.iter().flat_map(|mu| {
            corners.iter().map(move |corner| {
                let mut corner: Vector = corner.clone();
                corner.push((row, mu.clone()));
                corner
            })
        });
        corners = longer.collect();
    }
    corners
}
