//! Random problems of every kind, from a seed.
#![allow(dead_code)]

use etalon_lcp::{Bound, Matrix, Number, Problem};
use nalgebra::{DMatrix, DVector};

/// A generator good enough for test data (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [-1, 1).
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// 0, 1, ..., bound - 1.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() >> 33) as usize % bound
    }

    /// -bound, ..., bound.
    pub fn integer(&mut self, bound: usize) -> f64 {
        self.below(2 * bound + 1) as f64 - bound as f64
    }
}

pub struct Case {
    pub m: DMatrix<f64>,
    pub q: DVector<f64>,
    pub lower: Option<DVector<f64>>,
    pub upper: Option<DVector<f64>>,
}

impl Case {
    fn pure(m: DMatrix<f64>, q: DVector<f64>) -> Self {
        Self {
            m,
            q,
            lower: None,
            upper: None,
        }
    }

    pub fn problem(&self, name: &str) -> Problem {
        let bound = |value: &f64| match *value {
            f64::NEG_INFINITY => Bound::NegativeInfinity,
            f64::INFINITY => Bound::Infinity,
            value => Bound::Finite(Number::from_f64(value).unwrap()),
        };
        let bounds = |given: &Option<DVector<f64>>| {
            let given = given.as_ref();
            given.map(|bounds| bounds.iter().map(bound).collect())
        };
        let m = Matrix::from_binary64(&self.m).unwrap();
        let q = self.q.iter().map(|q| Number::from_f64(*q).unwrap());
        let problem = Problem::new(name, m, q.collect()).unwrap();
        problem
            .with_bounds(bounds(&self.lower), bounds(&self.upper))
            .unwrap()
    }
}

fn symmetric(m: DMatrix<f64>) -> DMatrix<f64> {
    DMatrix::from_fn(m.nrows(), m.ncols(), |i, j| m[(i.max(j), i.min(j))])
}

fn matrix(r: &mut Random, rows: usize, columns: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |_, _| r.signed())
}

fn vector(r: &mut Random, n: usize) -> DVector<f64> {
    DVector::from_fn(n, |_, _| r.signed())
}

pub fn pd(r: &mut Random, n: usize) -> Case {
    let a = matrix(r, n, n);
    let m = &a * a.transpose() + DMatrix::identity(n, n) * 0.1;
    let q = vector(r, n);
    Case::pure(symmetric(m), q)
}

/// Frictionless contacts of a few bodies: J W J' of rank far below n, q = J a.
pub fn contact(r: &mut Random, n: usize) -> Case {
    let freedoms = 1 + n / 3;
    let mut j = matrix(r, n, freedoms);
    for row in 0..n {
        // Contacts come twice, as on the faces of boxes.
        if row > 0 && r.below(3) == 0 {
            let other = j.row(r.below(row)).into_owned();
            j.set_row(row, &other);
        }
    }
    let w = DVector::from_fn(freedoms, |_, _| 0.25 + r.unit());
    let m = &j * DMatrix::from_diagonal(&w) * j.transpose();
    let q = &j * vector(r, freedoms);
    Case::pure(symmetric(m), q)
}

/// The same on integers, so that rank and ties are exact.
pub fn integer_contact(r: &mut Random, n: usize) -> Case {
    let freedoms = 1 + n / 2;
    let j = DMatrix::from_fn(n, freedoms, |_, _| r.integer(2));
    let a = DVector::from_fn(freedoms, |_, _| r.integer(2));
    Case::pure(&j * j.transpose(), &j * a)
}

/// Stewart and Trinkle's problem with the directions given.
pub fn friction(r: &mut Random, contacts: usize, directions: usize) -> Case {
    let freedoms = (6 * contacts).div_ceil(3).max(3);
    let half = directions / 2;
    let (k, d) = (contacts, contacts * directions);
    let mut j = DMatrix::zeros(d + k, freedoms);
    for contact in 0..k {
        for t in 0..half {
            let row = matrix(r, 1, freedoms);
            j.set_row(contact * directions + t, &row.row(0));
            j.set_row(contact * directions + half + t, &(-row.row(0)));
        }
        let row = matrix(r, 1, freedoms);
        j.set_row(d + contact, &row.row(0));
    }
    let n = d + 2 * k;
    let mut m = DMatrix::zeros(n, n);
    let block = symmetric(&j * j.transpose());
    m.view_mut((0, 0), (d + k, d + k)).copy_from(&block);
    for contact in 0..k {
        for t in 0..directions {
            m[(contact * directions + t, d + k + contact)] = 1.0;
            m[(d + k + contact, contact * directions + t)] = -1.0;
        }
        m[(d + k + contact, d + contact)] = r.unit();
    }
    let v = j * vector(r, freedoms);
    let q = DVector::from_fn(n, |i, _| v.get(i).copied().unwrap_or(0.0));
    Case::pure(m, q)
}

/// Positive definite with a skew part: a P-matrix.
pub fn nonsymmetric(r: &mut Random, n: usize) -> Case {
    let a = matrix(r, n, n);
    let skew = matrix(r, n, n);
    let m = &a * a.transpose() + DMatrix::identity(n, n) * 0.1 + &skew - skew.transpose();
    Case::pure(m, vector(r, n))
}

pub fn ties(r: &mut Random, n: usize) -> Case {
    let a = DMatrix::from_fn(n, n, |_, _| r.integer(1));
    let m = &a * a.transpose() + DMatrix::identity(n, n);
    Case::pure(m, DVector::from_fn(n, |_, _| r.integer(1)))
}

pub fn badly_scaled(r: &mut Random, n: usize) -> Case {
    let Case { m, q, .. } = if r.below(2) == 0 {
        pd(r, n)
    } else {
        contact(r, n)
    };
    let reach = [5, 20, 100, 200][r.below(4)];
    let d = DVector::from_fn(n, |_, _| r.integer(reach).exp2());
    let m = DMatrix::from_fn(n, n, |i, j| d[i] * m[(i, j)] * d[j]);
    let q = q.component_mul(&d) * r.integer(reach).exp2();
    Case::pure(m, q)
}

pub fn tiny_q(r: &mut Random, n: usize) -> Case {
    let mut case = match r.below(3) {
        0 => friction(r, n.div_ceil(6), 4),
        1 => contact(r, n),
        _ => nonsymmetric(r, n),
    };
    for q in case.q.iter_mut() {
        if r.below(2) == 0 {
            *q *= 1e-17;
        }
    }
    case
}

pub fn boxed(r: &mut Random, n: usize) -> Case {
    let mut case = match r.below(4) {
        0 => contact(r, n),
        1 => nonsymmetric(r, n),
        2 => ties(r, n),
        _ => pd(r, n),
    };
    let dyadic = r.below(2) == 0;
    let draw = |r: &mut Random| if dyadic { r.integer(2) } else { r.signed() };
    let bounds: Vec<(f64, f64)> = (0..n)
        .map(|_| {
            let (a, b) = (draw(r), draw(r));
            (a.min(b), a.max(b))
        })
        .collect();
    case.lower = Some(DVector::from_fn(n, |i, _| bounds[i].0));
    case.upper = Some(DVector::from_fn(n, |i, _| bounds[i].1));
    case
}

pub fn bilateral(r: &mut Random, n: usize) -> Case {
    let mut case = if r.below(2) == 0 {
        pd(r, n)
    } else {
        nonsymmetric(r, n)
    };
    let kind: Vec<usize> = (0..n).map(|_| r.below(4)).collect();
    let lower = |i: usize, _| match kind[i] {
        0 | 3 => f64::NEG_INFINITY,
        1 => 0.0,
        _ => -0.5,
    };
    let upper = |i: usize, _| match kind[i] {
        0 | 1 => f64::INFINITY,
        2 => 0.25,
        _ => 0.0,
    };
    case.lower = Some(DVector::from_fn(n, lower));
    case.upper = Some(DVector::from_fn(n, upper));
    case
}

/// Anything at all: most have no solution.
pub fn wild(r: &mut Random, n: usize) -> Case {
    let integers = r.below(2) == 0;
    let draw = |r: &mut Random| if integers { r.integer(2) } else { r.signed() };
    let m = DMatrix::from_fn(n, n, |_, _| draw(r));
    let m = if r.below(2) == 0 { symmetric(m) } else { m };
    let q = DVector::from_fn(n, |_, _| draw(r));
    Case::pure(m, q)
}

/// An equilibrium of two players, with ties among their costs.
pub fn game(r: &mut Random, n: usize) -> Case {
    let first = n.div_ceil(2);
    let m = DMatrix::from_fn(n, n, |i, j| {
        if (i < first) == (j < first) {
            0.0
        } else {
            1.0 + r.below(30) as f64
        }
    });
    Case::pure(m, DVector::from_element(n, -1.0))
}

pub type Family = fn(&mut Random, usize) -> Case;

/// All families by name.
pub const ALL: [(&str, Family); 14] = [
    ("wall", wall),
    ("pd", pd),
    ("contact", contact),
    ("integer-contact", integer_contact),
    ("friction4", |r, n| friction(r, n.div_ceil(6), 4)),
    ("friction8", |r, n| friction(r, n.div_ceil(10), 8)),
    ("nonsymmetric", nonsymmetric),
    ("ties", ties),
    ("game", game),
    ("badly-scaled", badly_scaled),
    ("tiny-q", tiny_q),
    ("boxed", boxed),
    ("bilateral", bilateral),
    ("wild", wild),
];

/// The nonzero blocks of a row of J: (box, derivative by its x, y and angle).
type JacobianRow = Vec<(usize, [f64; 3])>;

/// The rows of J of a wall of boxes without friction, each resting on two below it (the lowest
/// course on the ground) with two points on each: (box, (0, 1, arm)) for the upper box, the
/// negative for the lower. At least `contacts` rows.
pub fn wall_rows(contacts: usize) -> (usize, Vec<JacobianRow>) {
    let across = ((contacts as f64 / 4.0).sqrt().ceil() as usize).max(1);
    let mut rows = Vec::new();
    let mut boxes = 0;
    let mut below: Vec<(usize, f64)> = Vec::new();
    for course in 0.. {
        if rows.len() >= contacts {
            break;
        }
        let shift = 0.5 * (course % 2) as f64;
        let mut here = Vec::new();
        for column in 0..across {
            let centre = column as f64 + shift;
            let own = boxes;
            boxes += 1;
            here.push((own, centre));
            if course == 0 {
                rows.push(vec![(own, [0.0, 1.0, -0.5])]);
                rows.push(vec![(own, [0.0, 1.0, 0.5])]);
            }
            for &(other, c) in &below {
                let (left, right) = (f64::max(centre, c) - 0.5, f64::min(centre, c) + 0.5);
                if left >= right {
                    continue;
                }
                for x in [left, right] {
                    rows.push(vec![
                        (own, [0.0, 1.0, x - centre]),
                        (other, [0.0, -1.0, c - x]),
                    ]);
                }
            }
        }
        below = here;
    }
    (boxes, rows)
}

/// M and q of a wall as (row, column, value) and values: masses differ, every box is pushed a
/// little.
pub fn wall_sparse(r: &mut Random, contacts: usize) -> (Vec<(usize, usize, f64)>, Vec<f64>) {
    let (boxes, rows) = wall_rows(contacts);
    let mass: Vec<f64> = (0..boxes).map(|_| 1.0 + r.below(4) as f64 / 4.0).collect();
    let a: Vec<[f64; 3]> = (0..boxes)
        .map(|_| [0.0, -9.8125 + 0.5 * r.signed(), 0.5 * r.signed()])
        .collect();
    let mut of_box: Vec<Vec<usize>> = vec![Vec::new(); boxes];
    for (i, row) in rows.iter().enumerate() {
        for &(b, _) in row {
            of_box[b].push(i);
        }
    }
    let mut m = Vec::new();
    let mut q = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let mut entries = std::collections::BTreeMap::new();
        let mut value = 0.0;
        for &(b, v) in row {
            value += v[1] * a[b][1] + v[2] * a[b][2];
            for &k in &of_box[b] {
                for &(other, u) in &rows[k] {
                    if other == b {
                        // Inertia of a unit square: mass / 6.
                        let product = (v[1] * u[1] + 6.0 * v[2] * u[2]) / mass[b];
                        *entries.entry(k).or_insert(0.0) += product;
                    }
                }
            }
        }
        m.extend(entries.into_iter().map(|(k, value)| (i, k, value)));
        q.push(value);
    }
    (m, q)
}

pub fn wall(r: &mut Random, contacts: usize) -> Case {
    let (entries, q) = wall_sparse(r, contacts);
    let n = q.len();
    let mut m = DMatrix::zeros(n, n);
    for (i, k, value) in entries {
        m[(i, k)] = value;
    }
    Case::pure(symmetric(m), DVector::from_vec(q))
}
