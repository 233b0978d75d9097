//! The Schur complement of the free rows, and the way back.

use crate::dense::Lu;
use crate::sparse::{MOST_INDICES, SparseLcp};
use crate::unions::Unions;

/// A block of more free rows that hang together is not eliminated: the rows of all that meets it would be full.
const MOST: usize = 32;

/// Entries of the complement that differ from their mirror images by this part of the root of the product of their diagonals, or less, are
/// the same number: a sum of some hundred products has lost no more. What that does to the answer, the check of the problem itself sees.
const SAME: f64 = 1e-13;

/// No place in the complement, or among the free rows.
const NONE: usize = usize::MAX;

/// The problem of the rows that are not free.
#[derive(Debug)]
pub(super) struct Schur {
    pub(super) lcp: SparseLcp,
    /// These rows, ascending.
    pub(super) kept: Vec<usize>,
    blocks: Blocks,
}

/// The blocks of the free rows, with the inverses of their matrices by rows.
#[derive(Debug)]
struct Blocks {
    /// Block b has the rows `rows[starts[b]..starts[b + 1]]`, ascending.
    starts: Vec<usize>,
    rows: Vec<usize>,
    /// Where the inverse of each begins.
    places: Vec<usize>,
    inverse: Vec<f64>,
}

impl Schur {
    /// None where a block is large, singular or out of range.
    pub(super) fn new(lcp: &SparseLcp) -> Option<Self> {
        let blocks = Blocks::new(lcp)?;
        let kept: Vec<usize> = (0..lcp.n()).filter(|&i| !lcp.is_free(i)).collect();
        let own = Complement::new(lcp, &blocks, &kept).build()?;
        let all = own.values.iter().chain(&own.q);
        let is_finite = all.copied().all(f64::is_finite);
        is_finite.then_some(Self {
            lcp: own,
            kept,
            blocks,
        })
    }

    /// The free unknowns from the others.
    pub(super) fn complete(&self, lcp: &SparseLcp, z: &mut [f64]) {
        self.respond(lcp, &lcp.q, z);
    }

    /// The changes of the free unknowns from those of the others.
    pub(super) fn follow(&self, lcp: &SparseLcp, change: &mut [f64]) {
        self.respond(lcp, &[], change);
    }

    /// z_B = -M_BB^-1 (q_B + M_BK z_K), q being 0 where it is empty.
    fn respond(&self, lcp: &SparseLcp, q: &[f64], z: &mut [f64]) {
        let mut right = Vec::new();
        for (rows, inverse) in self.blocks.iter() {
            right.clear();
            right.extend(rows.iter().map(|&i| {
                let others = lcp.row(i).filter(|(j, _)| !lcp.is_free(*j));
                let sum: f64 = others.map(|(j, value)| value * z[j]).sum();
                sum + q.get(i).copied().unwrap_or(0.0)
            }));
            for (&i, row) in rows.iter().zip(inverse.chunks_exact(rows.len())) {
                z[i] = -row.iter().zip(&right).map(|(a, b)| a * b).sum::<f64>();
            }
        }
    }

    /// Of each unknown the largest that still is rounding in every row that has it, over u, for these sizes of the free rows. Free
    /// unknowns are counted with what elimination leaves in them: the inverse of their block times the sizes of its rows.
    pub(super) fn sizes(&self, lcp: &SparseLcp, of_rows: &[f64], z: &[f64]) -> Vec<f64> {
        let mut sizes = vec![f64::INFINITY; lcp.n()];
        for (rows, inverse) in self.blocks.iter() {
            for (&i, row) in rows.iter().zip(inverse.chunks_exact(rows.len())) {
                let terms = row.iter().zip(rows);
                sizes[i] = terms.map(|(a, &k)| a.abs() * of_rows[k]).sum();
            }
        }
        for (i, of_row) in of_rows.iter().enumerate() {
            let own = |(j, value): (usize, f64)| {
                let is_free = lcp.is_free(j);
                value.abs() * if is_free { sizes[j] } else { z[j].abs() }
            };
            let size = if lcp.is_free(i) {
                *of_row
            } else {
                lcp.q[i].abs() + lcp.row(i).map(own).sum::<f64>()
            };
            for (j, value) in lcp.row(i) {
                if value != 0.0 && !lcp.is_free(j) {
                    sizes[j] = sizes[j].min(size / value.abs());
                }
            }
        }
        sizes
    }
}

impl Blocks {
    fn new(lcp: &SparseLcp) -> Option<Self> {
        let free: Vec<usize> = (0..lcp.n()).filter(|&i| lcp.is_free(i)).collect();
        let mut unions = Unions::new(lcp.n());
        for &i in &free {
            let beside = lcp
                .row(i)
                .filter(|(j, value)| *value != 0.0 && lcp.is_free(*j));
            beside.for_each(|(j, _)| unions.join(i, j));
        }
        let mut rows: Vec<(usize, usize)> = free.iter().map(|&i| (unions.least(i), i)).collect();
        rows.sort_unstable();
        let mut blocks = Self {
            starts: vec![0],
            rows: rows.iter().map(|(_, i)| *i).collect(),
            places: vec![0],
            inverse: Vec::new(),
        };
        let mut lu = Lu::default();
        lu.reserve(MOST);
        for block in rows.chunk_by(|a, b| a.0 == b.0) {
            blocks.invert(lcp, block.len(), &mut lu)?;
        }
        Some(blocks)
    }

    /// Adds the inverse of the next so many rows.
    fn invert(&mut self, lcp: &SparseLcp, k: usize, lu: &mut Lu) -> Option<()> {
        let start = self.starts.last().copied()?;
        let rows = &self.rows[start..start + k];
        if k > MOST {
            return None;
        }
        if let [i] = rows {
            let inverse = 1.0 / lcp.diagonal(*i);
            self.inverse.push(inverse.is_finite().then_some(inverse)?);
        } else {
            lu.rows[..k * k].fill(0.0);
            for (a, &i) in rows.iter().enumerate() {
                for (j, value) in lcp.row(i) {
                    if let Ok(c) = rows.binary_search(&j) {
                        lu.rows[a * k + c] = value;
                    }
                }
            }
            if !lu.factor(k) {
                return None;
            }
            let first = self.inverse.len();
            self.inverse.resize(first + k * k, 0.0);
            let mut column = vec![0.0; k];
            for c in 0..k {
                column.fill(0.0);
                column[c] = 1.0;
                lu.solve(&mut column);
                for (a, value) in column.iter().enumerate() {
                    self.inverse[first + a * k + c] = *value;
                }
            }
        }
        self.starts.push(start + k);
        self.places.push(self.inverse.len());
        Some(())
    }

    /// The rows of each block, with its inverse.
    fn iter(&self) -> impl Iterator<Item = (&[usize], &[f64])> {
        let ranges = self.starts.windows(2).zip(self.places.windows(2));
        ranges.map(|(rows, places)| {
            let inverse = &self.inverse[places[0]..places[1]];
            (&self.rows[rows[0]..rows[1]], inverse)
        })
    }
}

/// The complement under construction.
struct Complement<'a> {
    lcp: &'a SparseLcp,
    kept: &'a [usize],
    /// Of each row its place among those kept, or [`NONE`].
    slot: Vec<usize>,
    /// Of each free row its place in the blocks, or [`NONE`].
    place: Vec<usize>,
    /// -M_BB^-1 M_BK by rows, in the order of the blocks.
    starts: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    /// -M_BB^-1 q_B.
    constant: Vec<f64>,
}

impl<'a> Complement<'a> {
    fn new(lcp: &'a SparseLcp, blocks: &Blocks, kept: &'a [usize]) -> Self {
        let n = lcp.n();
        let (mut slot, mut place) = (vec![NONE; n], vec![NONE; n]);
        for (k, &i) in kept.iter().enumerate() {
            slot[i] = k;
        }
        for (k, &i) in blocks.rows.iter().enumerate() {
            place[i] = k;
        }
        let mut own = Self {
            lcp,
            kept,
            slot,
            place,
            starts: vec![0],
            columns: Vec::new(),
            values: Vec::new(),
            constant: Vec::with_capacity(blocks.rows.len()),
        };
        let mut sums = Sums::new(kept.len());
        for (rows, inverse) in blocks.iter() {
            for row in inverse.chunks_exact(rows.len()) {
                let terms = row.iter().zip(rows).filter(|(a, _)| **a != 0.0);
                let mut constant = 0.0;
                for (a, &i) in terms {
                    constant -= a * lcp.q[i];
                    for (j, value) in lcp.row(i).filter(|(j, _)| !lcp.is_free(*j)) {
                        sums.add(own.slot[j], -(a * value));
                    }
                }
                own.constant.push(constant);
                sums.drain(|j, value| {
                    own.columns.push(j);
                    own.values.push(value);
                });
                own.starts.push(own.columns.len());
            }
        }
        own
    }

    /// None where it would be too large.
    fn build(self) -> Option<SparseLcp> {
        let size = self.kept.len();
        let mut out = SparseLcp::empty(size);
        let mut sums = Sums::new(size);
        for (k, &i) in self.kept.iter().enumerate() {
            let mut q = self.lcp.q[i];
            sums.add(k, 0.0);
            for (j, value) in self.lcp.row(i) {
                if self.slot[j] != NONE {
                    sums.add(self.slot[j], value);
                    continue;
                }
                let at = self.place[j];
                q += value * self.constant[at];
                for t in self.starts[at]..self.starts[at + 1] {
                    sums.add(self.columns[t], value * self.values[t]);
                }
            }
            out.q.push(q);
            sums.drain(|j, value| {
                out.push(j, value);
            });
            if out.columns.len() > MOST_INDICES - size {
                return None;
            }
            out.end_row();
        }
        mirror(&mut out);
        out.without_zeros();
        Some(out)
    }
}

/// Gives entries that are the same number but for rounding the same value.
fn mirror(lcp: &mut SparseLcp) {
    let diagonal: Vec<f64> = (0..lcp.n()).map(|i| lcp.diagonal(i)).collect();
    for i in 0..lcp.n() {
        for at in lcp.range(i) {
            let j = lcp.columns[at] as usize;
            if j >= i {
                break;
            }
            let Some(mirrored) = lcp.place(j, i) else {
                continue;
            };
            let apart = (lcp.values[at] - lcp.values[mirrored]).abs();
            if apart <= SAME * (diagonal[i] * diagonal[j]).sqrt() {
                lcp.values[mirrored] = lcp.values[at];
            }
        }
    }
}

/// A sum of sparse rows.
struct Sums {
    values: Vec<f64>,
    is_in: Vec<bool>,
    touched: Vec<usize>,
}

impl Sums {
    fn new(n: usize) -> Self {
        Self {
            values: vec![0.0; n],
            is_in: vec![false; n],
            touched: Vec::new(),
        }
    }

    fn add(&mut self, j: usize, value: f64) {
        if !std::mem::replace(&mut self.is_in[j], true) {
            self.touched.push(j);
        }
        self.values[j] += value;
    }

    /// Hands the sums over, columns ascending, and begins anew.
    fn drain(&mut self, mut take: impl FnMut(usize, f64)) {
        self.touched.sort_unstable();
        for &j in &self.touched {
            take(j, std::mem::take(&mut self.values[j]));
            self.is_in[j] = false;
        }
        self.touched.clear();
    }
}

#[cfg(test)]
mod tests {
    use etalon_lcp::{Bound, Matrix, Number, Problem, PureForm, Reduction};

    use super::*;

    /// Parts of eight from -2 to 2.
    fn draw(state: &mut u64) -> f64 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (*state >> 33) as f64 % 33.0 / 8.0 - 2.0
    }

    /// Blocks of free rows of these sizes, between other rows that meet some of them.
    fn entries(sizes: &[usize], others: usize) -> (Vec<(usize, usize, f64)>, Vec<bool>) {
        let mut state = 7;
        let free = sizes.iter().sum::<usize>();
        let n = free + others;
        let (mut entries, mut start) = (Vec::new(), 0);
        for size in sizes {
            for (i, j) in (0..*size).flat_map(|i| (0..*size).map(move |j| (i, j))) {
                let own = if i == j { 7.0 } else { draw(&mut state) };
                entries.push((start + i, start + j, own));
            }
            start += size;
        }
        for i in free..n {
            for j in 0..n {
                if j >= free || (i + j) % 3 == 0 {
                    entries.push((i, j, draw(&mut state)));
                    if j < free {
                        entries.push((j, i, draw(&mut state)));
                    }
                }
            }
        }
        (entries, (0..n).map(|i| i < free).collect())
    }

    #[test]
    fn the_complement_is_that_of_exact_elimination() {
        let (entries, free) = entries(&[1, 3, 2, 1], 5);
        let q: Vec<f64> = (0..free.len()).map(|i| i as f64 - 5.5).collect();
        let lcp = SparseLcp::mixed(&entries, &q, &free).unwrap();
        let schur = Schur::new(&lcp).unwrap();
        let number = |value: f64| Number::from_f64(value).unwrap();
        let all = entries
            .iter()
            .map(|(i, j, v)| (*i as u64, *j as u64, number(*v)));
        let shape = (q.len() as u64, q.len() as u64);
        let m = Matrix::from_entries(shape, all.collect()).unwrap();
        let problem = Problem::new("mixed", m, q.iter().copied().map(number).collect()).unwrap();
        let lower = free.iter().map(|free| match free {
            true => Bound::NegativeInfinity,
            false => Bound::Finite(0.into()),
        });
        let problem = problem.with_bounds(Some(lower.collect()), None).unwrap();
        let pure = PureForm::eliminate(Reduction::new(&problem).mixed()).unwrap();
        for i in 0..5 {
            assert!((schur.lcp.q[i] - pure.lcp().q()[i].to_f64()).abs() < 1e-13);
            for j in 0..5 {
                let exact = pure.lcp().m().get(i, j).map_or(0.0, Number::to_f64);
                assert!((schur.lcp.get(i, j).unwrap_or(0.0) - exact).abs() < 1e-13);
            }
        }
        // The free unknowns of the exact answer for the others.
        let mut z = vec![0.0; q.len()];
        z[7..].copy_from_slice(&[1.0, 0.5, 2.0, 0.0, 3.0]);
        let others: Vec<_> = z[7..].iter().map(|z| number(*z).to_rational()).collect();
        schur.complete(&lcp, &mut z);
        for (own, exact) in z.iter().zip(pure.lift(&others)) {
            assert!((own - exact.to_f64()).abs() < 1e-13);
        }
    }

    #[test]
    fn bodies_leave_a_matrix_that_is_symmetric_to_the_bit() {
        // Blocks of three whose inverses are rounded, in rows that act as they react.
        let (entries, free) = entries(&[3, 3, 1], 6);
        let own = entries.iter().filter(|(i, j, _)| *i < 7 && j <= i);
        let beside = entries.iter().filter(|(i, j, _)| *i >= 7 && *j < 7);
        let mut all: Vec<_> = own.flat_map(|&(i, j, v)| [(i, j, v), (j, i, v)]).collect();
        all.extend(beside.flat_map(|&(i, j, v)| [(i, j, v), (j, i, -v)]));
        all.sort_unstable_by_key(|(i, j, _)| (*i, *j));
        all.dedup_by_key(|(i, j, _)| (*i, *j));
        let lcp = SparseLcp::mixed(&all, &vec![1.0; free.len()], &free).unwrap();
        let schur = Schur::new(&lcp).unwrap();
        assert!(schur.lcp.is_symmetric && !lcp.is_symmetric);
        assert!(schur.lcp.values.len() > 6);
    }

    #[test]
    fn rows_that_cannot_be_eliminated_are_left() {
        let diagonal = |value: f64| {
            let free = [true, false];
            SparseLcp::mixed(&[(0, 0, value), (1, 1, 1.0)], &[1.0; 2], &free).unwrap()
        };
        assert!(Schur::new(&diagonal(2.0)).is_some());
        assert!(Schur::new(&diagonal(0.0)).is_none());
        for (size, works) in [(MOST, true), (MOST + 1, false)] {
            let (entries, free) = entries(&[size], 2);
            let lcp = SparseLcp::mixed(&entries, &vec![1.0; size + 2], &free).unwrap();
            assert_eq!(Schur::new(&lcp).is_some(), works);
        }
    }
}
