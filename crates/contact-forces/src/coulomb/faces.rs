//! The state of each contact, and its equations.

use etalon_rigid::{Dense, Scalar};
use rug::Rational;

use crate::formulation::{Formulation, RowKind};

/// The state of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Face {
    /// No force; the normal acceleration is not negative.
    Open,
    /// Closed, and no tangential acceleration (a contact without friction rows is closed).
    Stick,
    /// Closed, and friction is at its limit, against the acceleration.
    Slip,
}

/// The rows of one contact.
#[derive(Debug, Clone)]
pub(super) struct Cone {
    pub normal: usize,
    /// None where there is no static friction, one in the plane, two in space.
    pub tangents: Vec<usize>,
    pub mu: Rational,
}

impl Cone {
    /// Whether friction is at its limit, or hardly below it.
    pub fn is_at_limit(&self, f: &[f64]) -> bool {
        let length = self
            .tangents
            .iter()
            .fold(0.0, |sum: f64, &t| sum.hypot(f[t]));
        length >= self.mu.to_f64() * f[self.normal] * (1.0 - SMALL)
    }
}

/// A contact force problem with the face of each contact.
#[derive(Debug, Clone)]
pub(super) struct Faces<'a> {
    pub formulation: &'a Formulation<Rational>,
    pub cones: Vec<Cone>,
    pub joints: Vec<usize>,
    pub face: Vec<Face>,
}

/// One equation on the forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Equation {
    /// a_i = 0.
    Still(usize),
    /// |f_F|^2 = mu^2 f_N^2 at a cone.
    Limit(usize),
    /// f_F x a_F = 0 at a cone.
    Against(usize),
}

/// The relative size below which binary64 forces leave the face of a contact open: of a force beside
/// the largest one, of an acceleration beside the largest of b, and of the distance of friction from its limit.
/// Chosen: it only decides which faces are tried first.
const SMALL: f64 = 1e-9;

/// At most so many ways of reading the faces are tried.
const READINGS: usize = 6;

impl<'a> Faces<'a> {
    fn new(formulation: &'a Formulation<Rational>) -> Self {
        let rows = || formulation.rows().iter().enumerate();
        let cone = |(row, kind): (usize, &RowKind)| {
            let RowKind::Normal(contact) = *kind else {
                return None;
            };
            let own = |kind: &RowKind| matches!(kind, RowKind::Tangent { contact: other, .. } if *other == contact);
            let tangents = rows().filter(|(_, kind)| own(kind)).map(|(i, _)| i);
            Some(Cone {
                normal: row,
                tangents: tangents.collect(),
                mu: formulation.system().contacts[contact].mu.clone(),
            })
        };
        let joint = |(_, kind): &(usize, &RowKind)| matches!(kind, RowKind::Joint(_));
        let cones: Vec<Cone> = rows().filter_map(cone).collect();
        Self {
            formulation,
            face: vec![Face::Open; cones.len()],
            cones,
            joints: rows().filter(joint).map(|(i, _)| i).collect(),
        }
    }

    /// The faces that forces near these may have, the likeliest first.
    pub fn guess(formulation: &'a Formulation<Rational>, near: &[Rational]) -> Vec<Self> {
        let mut faces = Self::new(formulation);
        let a = faces.accelerations(near);
        let (f, a): (Vec<f64>, Vec<f64>) = (floats(near), floats(&a));
        let largest = |values: &[f64]| values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let (force, acceleration) = (largest(&f), largest(&floats(formulation.b())));
        let length = |values: &[f64], rows: &[usize]| {
            rows.iter().fold(0.0, |sum: f64, &t| sum.hypot(values[t]))
        };
        let mut doubts = Vec::new();
        for (k, cone) in faces.cones.iter().enumerate() {
            if f[cone.normal] <= SMALL * force {
                let grazes = a[cone.normal].abs() <= SMALL * acceleration;
                // A tiny force with a tiny acceleration may be either face: both are tried.
                if grazes && f[cone.normal] > 0.0 {
                    doubts.push((k, Face::Stick));
                }
                continue;
            }
            let at_limit = cone.is_at_limit(&f);
            let moves = length(&a, &cone.tangents) > SMALL * acceleration;
            faces.face[k] = match (cone.tangents.is_empty(), at_limit, moves) {
                (true, _, _) | (_, false, _) => Face::Stick,
                (_, true, true) => Face::Slip,
                // Held at the limit: on the boundary of both.
                (_, true, false) => {
                    doubts.push((k, Face::Slip));
                    Face::Stick
                }
            };
        }
        let mut readings = vec![faces.clone()];
        if doubts.len() > 1 {
            let mut all = faces.clone();
            doubts.iter().for_each(|(k, face)| all.face[*k] = *face);
            readings.push(all);
        }
        for (k, face) in doubts {
            let mut other = faces.clone();
            other.face[k] = face;
            readings.push(other);
        }
        // Each reading costs eliminations in fractions, and all combinations would be 2^doubts.
        readings.truncate(READINGS);
        readings
    }

    /// Closes a contact with that normal force, and friction at its limit where it slides.
    pub fn press(&mut self, k: usize, force: &Rational, near: &mut [Rational]) {
        let a = floats(&self.accelerations(near));
        let b = floats(self.formulation.b());
        let scale = b.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let cone = &self.cones[k];
        near[cone.normal] = force.clone();
        let speed = cone
            .tangents
            .iter()
            .fold(0.0, |sum: f64, &t| sum.hypot(a[t]));
        if speed <= SMALL * scale {
            self.face[k] = Face::Stick;
            return;
        }
        self.face[k] = Face::Slip;
        for &t in &cone.tangents {
            let share = Rational::from_f64(-a[t] / speed).unwrap_or_default();
            near[t] = share * &cone.mu * force;
        }
    }

    /// A f + b.
    pub fn accelerations(&self, f: &[Rational]) -> Vec<Rational> {
        let gained = self.formulation.a().times(f);
        gained
            .into_iter()
            .zip(self.formulation.b())
            .map(|(a, b)| a + b)
            .collect()
    }

    /// The cones with that face.
    pub fn with(&self, face: Face) -> impl Iterator<Item = usize> + '_ {
        (0..self.cones.len()).filter(move |&k| self.face[k] == face)
    }

    /// The variables that need not be zero.
    pub fn variables(&self) -> Vec<usize> {
        let mut variables = self.joints.clone();
        for (cone, face) in self.cones.iter().zip(&self.face) {
            if *face != Face::Open {
                variables.push(cone.normal);
                variables.extend(&cone.tangents);
            }
        }
        variables.sort_unstable();
        variables
    }

    /// The rows whose acceleration is zero.
    fn still(&self) -> Vec<usize> {
        let mut still = self.joints.clone();
        for (cone, face) in self.cones.iter().zip(&self.face) {
            match face {
                Face::Open => {}
                Face::Stick => {
                    still.push(cone.normal);
                    still.extend(&cone.tangents);
                }
                Face::Slip => still.push(cone.normal),
            }
        }
        still
    }

    /// The rows of `still` that do not depend on the others, with what decides dependence: `None`
    /// where rows that depend on each other contradict each other, so that no forces have these faces.
    pub fn independent(&self) -> Option<Independent> {
        let mut independent = Independent::default();
        for row in self.still() {
            match independent.reduce(self.line(row)) {
                Reduced::Independent(line) => independent.push(row, line),
                Reduced::Implied => {}
                Reduced::Contradiction => return None,
            }
        }
        Some(independent)
    }

    /// Whether a_i is zero wherever the accelerations of the independent rows are.
    pub fn is_implied(&self, independent: &Independent, row: usize) -> bool {
        matches!(independent.reduce(self.line(row)), Reduced::Implied)
    }

    /// Row i of (A b).
    fn line(&self, row: usize) -> Vec<Rational> {
        let mut line = self.formulation.a().row(row).to_vec();
        line.push(self.formulation.b()[row].clone());
        line
    }
}

/// Rows of (A b) of full rank, in echelon form.
#[derive(Debug, Default)]
pub(super) struct Independent {
    /// The rows as numbered in the problem.
    pub rows: Vec<usize>,
    /// Their echelon form: pivot column and line, whose entry there is 1.
    lines: Vec<(usize, Vec<Rational>)>,
}

enum Reduced {
    Independent(Vec<Rational>),
    Implied,
    Contradiction,
}

impl Independent {
    fn reduce(&self, mut line: Vec<Rational>) -> Reduced {
        // One pass in the order of the lines is enough: each has 0 at the pivots of those before
        // it.
        for (pivot, own) in &self.lines {
            let factor = line[*pivot].clone();
            if factor != 0 {
                for (entry, own) in line.iter_mut().zip(own) {
                    if *own != 0 {
                        *entry -= Rational::from(&factor * own);
                    }
                }
            }
        }
        let (constant, entries) = match line.split_last() {
            Some((constant, entries)) => (*constant != 0, entries),
            None => (false, &line[..]),
        };
        if entries.iter().any(|entry| *entry != 0) {
            return Reduced::Independent(line);
        }
        if constant {
            Reduced::Contradiction
        } else {
            Reduced::Implied
        }
    }

    fn push(&mut self, row: usize, mut line: Vec<Rational>) {
        let Some(pivot) = line.iter().position(|entry| *entry != 0) else {
            return;
        };
        let unit = line[pivot].clone();
        line.iter_mut().for_each(|entry| *entry /= &unit);
        self.rows.push(row);
        self.lines.push((pivot, line));
    }
}

/// As many columns as there are rows, well conditioned among themselves: by elimination with complete
/// pivoting on rows scaled to 1. `None` where the rows are dependent up to rounding. Which columns are
/// taken changes what is tried, never what is proved.
pub(super) fn pivot_columns(matrix: &Dense<f64>) -> Option<Vec<usize>> {
    let (m, n) = (matrix.rows(), matrix.columns());
    let mut rows: Vec<Vec<f64>> = (0..m)
        .map(|i| {
            let row = matrix.row(i);
            let size = row.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
            row.iter().map(|v| v / size).collect()
        })
        .collect();
    if !rows.iter().flatten().all(|v: &f64| v.is_finite()) {
        return None;
    }
    let mut columns = Vec::new();
    for k in 0..m {
        let places = (k..m).flat_map(|i| (0..n).map(move |j| (i, j)));
        let free = places.filter(|(_, j)| !columns.contains(j));
        let size = |&(i, j): &(usize, usize)| rows[i][j].abs();
        let (i, j) = free.max_by(|a, b| size(a).total_cmp(&size(b)))?;
        // Entries began at 1, so that this is 5 digits above rounding. Chosen: it decides what is
        // tried.
        if rows[i][j].abs() < 1e-11 {
            return None;
        }
        rows.swap(i, k);
        columns.push(j);
        let (above, below) = rows.split_at_mut(k + 1);
        let pivot = &above[k];
        for row in below {
            let factor = row[j] / pivot[j];
            for (own, other) in row.iter_mut().zip(pivot) {
                *own -= factor * other;
            }
        }
    }
    columns.sort_unstable();
    Some(columns)
}

pub(super) fn floats(values: &[Rational]) -> Vec<f64> {
    values.iter().map(Scalar::to_f64).collect()
}
