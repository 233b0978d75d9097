//! Problems to measure on, each with a second one 1% away.

use etalon_fast::{Lcp, SparseLcp};
use etalon_lcp::{Number, Problem, Row};
use nalgebra::{DMatrix, DVector};

use crate::splitmix::Splitmix;

/// Dense matrices are made up to here; beyond, LU is out of reach too.
const MAX_DENSE: usize = 5_000;

/// A family of problems as it is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Family {
    /// The generator's name for it.
    pub name: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// Rows a contact, where one of them is the multiplier of a friction cone.
    pub cone: Option<usize>,
    /// The largest n that is measured.
    pub largest: usize,
}

const fn family(name: &'static str, label: &'static str) -> Family {
    Family {
        name,
        label,
        cone: None,
        largest: 1000,
    }
}

const fn friction(name: &'static str, label: &'static str, rows: usize) -> Family {
    Family {
        cone: Some(rows),
        ..family(name, label)
    }
}

/// What is measured. Lemke's 2^n pivots make the exponential families pointless beyond n = 30.
pub const FAMILIES: [Family; 16] = [
    family("pd", "PD dense"),
    family("psd", "PSD contact, redundant"),
    family("stack", "2D stacks, sparse"),
    family("wall", "2D walls, sparse"),
    family("pile-3d", "3D piles, sparse"),
    family("column", "columns of grains, sparse"),
    friction("friction-four", "friction, 4 directions", 6),
    friction("friction-eight", "friction, 8 directions", 10),
    friction("friction-wall", "friction, 2D walls", 4),
    friction("friction-pile-3d", "friction, 3D piles", 6),
    friction(
        "friction-pile-eight",
        "friction, 3D piles, 8 directions",
        10,
    ),
    friction("friction-column", "friction, columns", 4),
    family("p", "P, nonsymmetric"),
    family("p-hidden", "P, hidden"),
    Family {
        largest: 30,
        ..family("murty", "Murty, exponential")
    },
    Family {
        largest: 30,
        ..family("fathi", "Fathi, exponential")
    },
];

/// What is measured at sizes of which dense methods are out of reach, and nowhere else.
pub const AT_SIZE: [Family; 11] = [
    family("mixed-stack", "2D stacks, mixed form"),
    family("mixed-wall", "2D walls, mixed form"),
    family("mixed-column", "columns of grains, mixed form"),
    family("mixed-pile-3d", "3D piles, mixed form"),
    family("mixed-friction-wall", "friction, 2D walls, mixed form"),
    family("mixed-friction-column", "friction, columns, mixed form"),
    family("mixed-friction-pile-3d", "friction, 3D piles, mixed form"),
    family(
        "mixed-friction-pile-eight",
        "friction, 3D piles, 8 directions, mixed form",
    ),
    family("cone-wall", "friction cones, 2D walls"),
    family("cone-column", "friction cones, columns"),
    family("cone-pile-3d", "friction cones, 3D piles"),
];

/// The family of that generator.
pub fn find(name: &str) -> Option<&'static Family> {
    let mut all = FAMILIES.iter().chain(&AT_SIZE);
    all.find(|family| family.name == name)
}

/// A problem in binary64: the nonzeros of M, q, and which rows are free.
#[derive(Debug, Clone, PartialEq)]
pub struct Data {
    /// (row, column, value), by rows.
    pub entries: Vec<(usize, usize, f64)>,
    /// q.
    pub q: Vec<f64>,
    /// Whether z_i is free.
    pub free: Vec<bool>,
}

impl Data {
    /// Of a record.
    pub fn new(problem: &Problem) -> Self {
        let rows = (0..problem.n()).flat_map(|i| {
            let row = problem.m().row(i);
            row.map(move |(j, value)| (i, j, value.to_f64()))
        });
        Self {
            entries: rows.filter(|(_, _, value)| *value != 0.0).collect(),
            q: problem.q().iter().map(Number::to_f64).collect(),
            free: problem.rows().iter().map(|row| *row == Row::Free).collect(),
        }
    }

    /// n.
    pub fn n(&self) -> usize {
        self.q.len()
    }

    /// M as a dense matrix.
    pub fn matrix(&self) -> DMatrix<f64> {
        let mut m = DMatrix::zeros(self.n(), self.n());
        for &(i, j, value) in &self.entries {
            m[(i, j)] = value;
        }
        m
    }

    /// For the dense solvers; `None` where it would not fit.
    pub fn dense(&self) -> Option<Lcp> {
        if self.n() > MAX_DENSE {
            return None;
        }
        Lcp::new(&self.matrix(), &DVector::from_column_slice(&self.q)).ok()
    }

    /// For the sparse solver; `None` where M is not symmetric.
    pub fn sparse(&self) -> Option<SparseLcp> {
        SparseLcp::new(&self.entries, &self.q).ok()
    }

    /// A problem nearby: D M D and D (q + M v) with D within 1% of the identity and M v of 1% of q,
    /// v of the first `moved` rows only. Positive semidefinite matrices stay what they are, q stays
    /// in their range, and friction stays friction; the solution is another.
    pub fn nearby(&self, moved: usize) -> Self {
        let mut draw = Splitmix(self.n() as u64);
        let d: Vec<f64> = self
            .q
            .iter()
            .map(|_| 1.0 + part(&mut draw) / 128.0)
            .collect();
        let v: Vec<f64> = self.q.iter().map(|_| part(&mut draw)).collect();
        let mut push = vec![0.0; self.n()];
        for &(i, j, value) in &self.entries {
            if i < moved && j < moved {
                push[i] += value * v[j];
            }
        }
        let largest = |values: &[f64]| values.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        // A power of two keeps data on their grid.
        let unit = (0.01 * largest(&self.q) / largest(&push))
            .log2()
            .floor()
            .exp2();
        let unit = if unit.is_finite() { unit } else { 0.0 };
        let q = self.q.iter().zip(&push).zip(&d);
        Self {
            entries: self
                .entries
                .iter()
                .map(|&(i, j, value)| (i, j, value * (d[i] * d[j])))
                .collect(),
            q: q.map(|((q, push), d)| d * (q + unit * push)).collect(),
            free: self.free.clone(),
        }
    }
}

/// Parts of sixteen from -1 to 1.
fn part(draw: &mut Splitmix) -> f64 {
    draw.below(33) as f64 / 16.0 - 1.0
}

/// A problem of a family.
#[derive(Debug, Clone)]
pub struct Case {
    /// The family.
    pub family: &'static Family,
    /// The size asked for; the family's next has it.
    pub nominal: usize,
    /// The record.
    pub problem: Problem,
    /// The same in binary64.
    pub data: Data,
    /// The problem 1% away.
    pub changed: Data,
}

impl Case {
    /// Problem k of a family at its next size from n on, of seed 1; `None` where it has none.
    pub fn new(family: &'static Family, nominal: usize, k: u64) -> Option<Self> {
        Self::seeded(family, nominal, k, 1)
    }

    /// The same of any seed.
    pub fn seeded(family: &'static Family, nominal: usize, k: u64, seed: u64) -> Option<Self> {
        let sizes = etalon_conformance::all_families()
            .find(|known| known.name == family.name)?
            .sizes;
        let n = (nominal..=sizes.max).find(|&n| sizes.contains(n))?;
        let problem = etalon_conformance::generate(family.name, n, k + 1, seed).ok()?;
        let problem = problem.last()?;
        let data = Data::new(&problem);
        let multipliers = family.cone.map_or(0, |rows| n / rows);
        let changed = data.nearby(n - multipliers);
        Some(Self {
            family,
            nominal,
            problem,
            data,
            changed,
        })
    }

    /// Cases of every family at that size, so many of each, of seed 1.
    pub fn all(nominal: usize, count: u64) -> impl Iterator<Item = Self> {
        Self::all_seeded(nominal, count, 1)
    }

    /// The same of any seed.
    pub fn all_seeded(nominal: usize, count: u64, seed: u64) -> impl Iterator<Item = Self> {
        let families = FAMILIES.iter().filter(move |f| nominal <= f.largest);
        families.flat_map(move |family| {
            (0..count).filter_map(move |k| Self::seeded(family, nominal, k, seed))
        })
    }
}

#[cfg(test)]
mod tests {
    use etalon_fast::{FastMethod, Start, Workspace};

    use super::*;

    #[test]
    fn every_family_is_generated_and_solved_before_and_after_the_change() {
        for case in Case::all(30, 2) {
            for data in [&case.data, &case.changed] {
                let lcp = data.dense().unwrap();
                let mut workspace = Workspace::new();
                let solved = workspace.solve(lcp.view(), FastMethod::Auto, Start::Cold);
                assert!(solved.is_ok(), "{}", case.problem.name());
            }
        }
    }

    #[test]
    fn the_change_is_one_percent_and_the_same_every_time() {
        for case in Case::all(10, 1) {
            assert_eq!(case.changed, Case::new(case.family, 10, 0).unwrap().changed);
            assert_ne!(case.changed, case.data);
            let pairs = case.data.entries.iter().zip(&case.changed.entries);
            for (before, after) in pairs {
                assert!((after.2 / before.2 - 1.0).abs() < 0.02);
            }
            let size = case.data.q.iter().fold(0.0f64, |most, q| most.max(q.abs()));
            for (before, after) in case.data.q.iter().zip(&case.changed.q) {
                assert!((after - before).abs() <= 0.02 * size);
            }
        }
    }

    #[test]
    fn symmetric_problems_stay_symmetric() {
        for name in ["pd", "psd", "wall"] {
            let case = Case::new(find(name).unwrap(), 30, 0).unwrap();
            assert!(case.changed.sparse().is_some(), "{name}");
        }
    }
}
