//! The linear system of a Newton step: J = dPhi/dx + dPhi/dy (D M D + E), E a diagonal.

use std::ops::Range;

use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};

use super::condensed::{NONE, Parts};
use super::groups::{Group, Kind, Local};
use super::scaled::Scaled;
use super::sparse::Sparse;
use crate::dense::Lu;
use crate::sparse::MOST_INDICES;

/// Systems of up to so many rows are factored dense.
const DENSE: usize = 120;

/// Above it, those with more than one nonzero among so many entries, up to [`LARGEST_DENSE`] rows.
const DENSE_PART: usize = 8;

/// A dense factor takes n * n doubles.
const LARGEST_DENSE: usize = 3000;

/// J by compressed rows, less the groups that are eliminated, and its factor.
pub(super) struct System {
    parts: Parts,
    /// The rows that are left, and the place of each among them.
    kept: Vec<usize>,
    slot: Vec<usize>,
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    right: Vec<f64>,
    factor: Factor,
    /// Whether an eliminated group was singular.
    is_singular: bool,
}

enum Factor {
    Dense(Lu),
    Sparse(Box<Sparse>),
}

impl System {
    pub fn new(scaled: &Scaled<'_>) -> Self {
        let n = scaled.problem.n();
        let none = Parts::none(scaled.groups.len());
        let mut system = Self::of(scaled, none);
        let entries = system.columns.len();
        if n <= DENSE || (n <= LARGEST_DENSE && entries * DENSE_PART > n * n) {
            let mut lu = Lu::default();
            lu.reserve(n);
            system.factor = Factor::Dense(lu);
            return system;
        }
        let parts = Parts::new(scaled);
        // Asked of the data once: Cholesky's method costs half of LU's and keeps one ordering, as
        // it needs no pivots.
        let is_symmetric = parts.are_symmetric(scaled) && is_symmetric(scaled);
        if !parts.all.is_empty() {
            system = Self::of(scaled, parts);
        }
        system.factor = Factor::Sparse(Box::new(Sparse::new(is_symmetric)));
        system
    }

    /// The pattern of the rows that are left.
    fn of(scaled: &Scaled<'_>, parts: Parts) -> Self {
        let n = scaled.problem.n();
        let mut slot = vec![0; n];
        for part in &parts.all {
            for &i in &part.rows {
                slot[i] = NONE;
            }
        }
        let kept: Vec<usize> = (0..n).filter(|&i| slot[i] != NONE).collect();
        for (place, &i) in kept.iter().enumerate() {
            slot[i] = place;
        }
        let mut own: Vec<Vec<usize>> = vec![Vec::new(); kept.len()];
        let groups = scaled.groups.iter().zip(&parts.of);
        for (group, _) in groups.filter(|(_, part)| **part == NONE) {
            let mut union: Vec<usize> = group.columns().collect();
            if group.kind != Kind::Zero {
                for &i in &group.rows {
                    union.extend(scaled.problem.row(i).map(|(j, _)| j));
                }
            }
            union.retain(|&j| slot[j] != NONE);
            for &i in &group.rows {
                own[slot[i]].extend(union.iter().map(|&j| slot[j]));
            }
        }
        for part in &parts.all {
            for &i in &part.meets {
                own[slot[i]].extend(part.meets.iter().map(|&j| slot[j]));
            }
        }
        let (mut starts, mut columns) = (vec![0], Vec::new());
        for mut row in own {
            row.sort_unstable();
            row.dedup();
            columns.extend(row.into_iter().map(|j| j as u32));
            // What has more entries than that is never factored.
            starts.push(u32::try_from(columns.len()).unwrap_or(u32::MAX));
        }
        let mut system = Self {
            values: vec![0.0; columns.len()],
            right: vec![0.0; kept.len()],
            factor: Factor::Sparse(Box::new(Sparse::new(false))),
            is_singular: false,
            parts: Parts::default(),
            kept,
            slot,
            starts,
            columns,
        };
        system.parts = parts;
        system.find_places();
        system
    }

    /// Where the entries of each eliminated group go.
    fn find_places(&mut self) {
        let mut all = std::mem::take(&mut self.parts.all);
        for part in &mut all {
            let meets = &part.meets;
            let pairs = meets
                .iter()
                .flat_map(|&i| meets.iter().map(move |&j| (i, j)));
            let places = pairs.filter_map(|(i, j)| self.place(self.slot[i], self.slot[j]));
            part.places = places.collect();
        }
        self.parts.all = all;
    }

    /// Where the entries of row i of J are.
    fn range(&self, i: usize) -> Range<usize> {
        self.starts[i] as usize..self.starts[i + 1] as usize
    }

    fn place(&self, i: usize, j: usize) -> Option<usize> {
        let range = self.range(i);
        let place = self.columns[range.clone()].binary_search(&u32::try_from(j).ok()?);
        Some(range.start + place.ok()?)
    }

    fn add(&mut self, i: usize, j: usize, value: f64) {
        if let Some(place) = self.place(self.slot[i], self.slot[j]) {
            self.values[place] += value;
        }
    }

    /// Forgets the last matrix.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
        self.is_singular = false;
    }

    /// Adds the rows of group number `g`; `shift` is E.
    pub fn add_group(&mut self, scaled: &Scaled<'_>, g: usize, local: &Local, shift: &[f64]) {
        let group: &Group = &scaled.groups[g];
        let part = self.parts.of[g];
        if part != NONE {
            if self.parts.eliminate(part, local, shift) {
                self.parts.all[part].take_out(&mut self.values);
            } else {
                self.is_singular = true;
            }
            return;
        }
        let k = group.rows.len();
        for (a, &i) in group.rows.iter().enumerate() {
            for (c, j) in group.columns().enumerate() {
                let value = local.by_x[a * local.width + c];
                if value != 0.0 {
                    self.add(i, j, value);
                }
            }
            for (c, &row) in group.rows.iter().enumerate() {
                let value = local.by_y[a * k + c];
                if value != 0.0 {
                    self.add_row(scaled, i, row, value);
                    self.add(i, row, value * shift[row]);
                }
            }
        }
    }

    /// Adds a multiple of row `row` of D M D to row i.
    fn add_row(&mut self, scaled: &Scaled<'_>, i: usize, row: usize, value: f64) {
        let Range {
            start: mut place,
            end,
        } = self.range(self.slot[i]);
        let factor = value * scaled.d[row];
        for (j, m) in scaled.problem.row(row) {
            let column = self.slot[j];
            if column == NONE {
                continue;
            }
            // Both lists ascend.
            while place < end && (self.columns[place] as usize) < column {
                place += 1;
            }
            // The pattern has every column of this row, so the search ends at it.
            self.values[place] += factor * m * scaled.d[j];
        }
    }

    /// Factors the matrix; `false` where it is singular.
    pub fn factor(&mut self) -> bool {
        let n = self.kept.len();
        if self.is_singular {
            return false;
        }
        match &mut self.factor {
            Factor::Dense(lu) => {
                lu.rows[..n * n].fill(0.0);
                for i in 0..n {
                    let end = self.starts[i + 1] as usize;
                    for place in self.starts[i] as usize..end {
                        lu.rows[i * n + self.columns[place] as usize] = self.values[place];
                    }
                }
                lu.factor(n)
            }
            Factor::Sparse(_) if self.columns.len() > MOST_INDICES - n => false,
            Factor::Sparse(sparse) => {
                let pattern =
                    SymbolicSparseColMatRef::new_checked(n, n, &self.starts, None, &self.columns);
                sparse.factor(SparseColMatRef::new(pattern, &self.values))
            }
        }
    }

    /// Solves J x = b in place.
    pub fn solve(&mut self, x: &mut [f64]) {
        for part in &self.parts.all {
            part.forward(x);
        }
        for (own, &i) in self.right.iter_mut().zip(&self.kept) {
            *own = x[i];
        }
        match &mut self.factor {
            Factor::Dense(lu) => lu.solve(&mut self.right),
            Factor::Sparse(sparse) => sparse.solve(&mut self.right),
        }
        for (own, &i) in self.right.iter().zip(&self.kept) {
            x[i] = *own;
        }
        for part in &self.parts.all {
            part.back(x);
        }
    }
}

/// Whether M is symmetric on the free rows.
fn is_symmetric(scaled: &Scaled<'_>) -> bool {
    let free = |i: usize| !scaled.bound[i];
    (0..scaled.problem.n()).filter(|&i| free(i)).all(|i| {
        let mut row = scaled.problem.row(i).filter(|(j, _)| free(*j));
        row.all(|(j, value)| scaled.problem.entry(j, i) == value)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use etalon_lcp::{Bound, Cone, Disc, Law, Matrix, Mu, Number, Problem};

    use super::super::groups::{At, Map};
    use super::*;
    use crate::ConeProblem;

    const BODIES: usize = 12;

    /// Numbers in [-1, 1).
    fn noise(k: usize) -> f64 {
        (k as f64 * 0.618_033_988_75).fract() * 2.0 - 1.0
    }

    /// Two contacts between each body and the next one, in mixed form.
    fn chain(law: Law) -> Problem {
        let (free, contacts) = (6 * BODIES, 2 * (BODIES - 1));
        let n = free + 3 * contacts;
        let number = |value: f64| Number::from_f64(value).unwrap();
        let (mut entries, mut cones) = (Vec::new(), Vec::new());
        for i in 0..free {
            entries.push((i as u64, i as u64, number(1.0 + (i % 3) as f64)));
        }
        for c in 0..contacts {
            let first = free + 3 * c;
            for (a, k) in (0..3).flat_map(|a| (0..12).map(move |k| (a, k))) {
                let (i, j) = ((first + a) as u64, (6 * (c / 2) + k) as u64);
                let h = noise(36 * c + 12 * a + k + 1);
                entries.extend([(i, j, number(h)), (j, i, number(-h))]);
            }
            let (rows, mu) = (vec![first + 1, first + 2], Mu::One(number(0.5)));
            let discs = vec![Disc { rows, mu }];
            let normal = first;
            cones.push(Cone { normal, discs, law });
        }
        let lower = (0..n).map(|i| match i < free {
            true => Bound::NegativeInfinity,
            false => Bound::Finite(0.into()),
        });
        let m = Matrix::from_entries((n as u64, n as u64), entries).unwrap();
        let q = (0..n).map(|i| number(noise(7 * i))).collect();
        let problem = Problem::new("chain", m, q).unwrap();
        let problem = problem.with_bounds(Some(lower.collect()), None).unwrap();
        problem.with_cones(cones).unwrap()
    }

    /// The step of a system at a point, for a right side.
    fn step(scaled: &Scaled<'_>, system: &mut System, x: &[f64], y: &[f64]) -> Vec<f64> {
        let (mut local, shift) = (Local::default(), vec![1e-2; x.len()]);
        let (rho, map, modes) = (&scaled.rho, Map::AlartCurnier, None);
        system.clear();
        for (g, group) in scaled.groups.iter().enumerate() {
            let at = At {
                x,
                y,
                rho,
                map,
                modes,
            };
            group.evaluate(at, &mut local);
            system.add_group(scaled, g, &local, &shift);
        }
        assert!(system.factor());
        let mut answer: Vec<f64> = (0..x.len()).map(|i| noise(5 * i + 2)).collect();
        system.solve(&mut answer);
        answer
    }

    #[test]
    fn contacts_that_are_eliminated_get_the_same_step() {
        for law in Law::ALL {
            let problem = ConeProblem::from_problem(&chain(law)).unwrap();
            let scaled = Scaled::new(&problem);
            let x: Vec<f64> = (0..problem.n()).map(|i| noise(3 * i + 1)).collect();
            let y: Vec<f64> = (0..problem.n()).map(|i| noise(11 * i + 4)).collect();
            let mut all = System::of(&scaled, Parts::none(scaled.groups.len()));
            let mut bodies = System::new(&scaled);
            assert_eq!((all.kept.len(), bodies.kept.len()), (138, 72));
            let one = step(&scaled, &mut all, &x, &y);
            let other = step(&scaled, &mut bodies, &x, &y);
            let largest = one.iter().fold(0.0f64, |most, own| most.max(own.abs()));
            let apart = one.iter().zip(&other).map(|(a, b)| (a - b).abs());
            let apart = apart.fold(0.0, f64::max);
            assert!(apart <= 1e-9 * largest, "{apart} of {largest}");
            let is_cholesky = matches!(&bodies.factor, Factor::Sparse(own) if own.is_cholesky());
            assert_eq!(is_cholesky, law == Law::Convex);
        }
    }
}
