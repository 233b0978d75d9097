//! A problem with friction cones as the solver takes it: compressed rows of doubles.

use etalon_lcp::{Bound, Law, Problem};

use crate::problem::{DataError, FrictionRow};
use crate::round::{rounded, rounded_bound, rounded_q};

/// w = Mz + q with friction cones, plain rows and friction rows, M by compressed rows. Memory grows with the
/// number of stored entries.
#[derive(Debug, Clone, PartialEq)]
pub struct ConeProblem {
    pub(super) starts: Vec<usize>,
    pub(super) columns: Vec<usize>,
    pub(super) values: Vec<f64>,
    pub(super) q: Vec<f64>,
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
    pub(super) friction: Vec<FrictionRow>,
    pub(super) cones: Vec<Cone>,
    /// The blocks that the record gives.
    pub(super) blocks: Vec<Vec<usize>>,
    /// Sizes f_i = max(|q_i|, scale_i).
    pub(super) sizes: Vec<f64>,
}

/// A contact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cone {
    pub normal: usize,
    pub discs: Vec<Disc>,
    pub law: Law,
}

/// Tangential rows that r_N bounds together, with mu of each.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Disc {
    pub rows: Vec<usize>,
    pub mu: Vec<f64>,
}

impl Cone {
    /// Its rows: the normal, then those of the discs in order.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        let tangential = self.discs.iter().flat_map(|disc| &disc.rows);
        std::iter::once(self.normal).chain(tangential.copied())
    }
}

impl ConeProblem {
    /// The problem with its data rounded to the nearest binary64, which moves none of them by more than 2^-53
    /// of it. A problem without cones is taken too.
    ///
    /// # Errors
    /// [`DataError::Range`] where rounding would move a number by more; [`DataError::Bounds`] where it leaves
    /// no value between two bounds.
    pub fn from_problem(problem: &Problem) -> Result<Self, DataError> {
        let n = problem.n();
        let mut starts = vec![0];
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        for i in 0..n {
            for (j, value) in problem.m().row(i) {
                let value = rounded("M", value)?;
                if value != 0.0 {
                    columns.push(j);
                    values.push(value);
                }
            }
            starts.push(columns.len());
        }
        let q = rounded_q(problem)?;
        let mut sizes: Vec<f64> = q.iter().map(|q| q.abs()).collect();
        for (size, scale) in sizes.iter_mut().zip(problem.scale().unwrap_or_default()) {
            *size = size.max(rounded("scale", scale)?);
        }
        let (lower, upper) = bounds(problem)?;
        let friction = problem.friction().iter().map(|f| {
            let mu = rounded("mu", &f.mu)?;
            let (row, normal) = (f.row, f.normal);
            Ok(FrictionRow { row, normal, mu })
        });
        Ok(Self {
            starts,
            columns,
            values,
            q,
            lower,
            upper,
            friction: friction.collect::<Result<_, _>>()?,
            cones: cones(problem)?,
            blocks: problem.blocks().to_vec(),
            sizes,
        })
    }

    /// The number of rows.
    pub fn n(&self) -> usize {
        self.q.len()
    }

    /// The stored entries of row i.
    pub(super) fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
        let range = self.starts[i]..self.starts[i + 1];
        let columns = self.columns[range.clone()].iter().copied();
        columns.zip(self.values[range].iter().copied())
    }

    /// M_ij, 0 where nothing is stored.
    pub(super) fn entry(&self, i: usize, j: usize) -> f64 {
        let range = self.starts[i]..self.starts[i + 1];
        let place = self.columns[range.clone()].binary_search(&j);
        place.map_or(0.0, |place| self.values[range.start + place])
    }
}

/// Bounds of all rows, infinite where there is none.
fn bounds(problem: &Problem) -> Result<(Vec<f64>, Vec<f64>), DataError> {
    let n = problem.n();
    let of = |field, given: Option<&[Bound]>, default: f64| match given {
        None => Ok(vec![default; n]),
        Some(bounds) => bounds.iter().map(|b| rounded_bound(field, b)).collect(),
    };
    let lower: Vec<f64> = of("lower", problem.lower(), 0.0)?;
    let upper: Vec<f64> = of("upper", problem.upper(), f64::INFINITY)?;
    let possible = |(l, u): (&f64, &f64)| l <= u && *l < f64::INFINITY && *u > f64::NEG_INFINITY;
    match lower.iter().zip(&upper).position(|pair| !possible(pair)) {
        Some(row) => Err(DataError::Bounds { row }),
        None => Ok((lower, upper)),
    }
}

fn cones(problem: &Problem) -> Result<Vec<Cone>, DataError> {
    let disc = |disc: &etalon_lcp::Disc| {
        let mu = (0..disc.rows.len()).map(|k| rounded("mu", disc.mu.of(k)));
        let (rows, mu) = (disc.rows.clone(), mu.collect::<Result<_, _>>()?);
        Ok(Disc { rows, mu })
    };
    let cones = problem.cones().iter().map(|cone| {
        let discs = cone.discs.iter().map(disc);
        Ok(Cone {
            normal: cone.normal,
            discs: discs.collect::<Result<_, _>>()?,
            law: cone.law,
        })
    });
    cones.collect()
}
