//! Blocks: rows that are components of one vector in one unit, and the sizes that are measured by
//! blocks (`docs/cones.md`, "The block error").

use etalon_lcp::{Cone, Problem};
use rug::{Integer, Rational};

use super::means::Means;
use super::overlay::Overlay;
use super::parts::in_parts;
use crate::bounds::Vector;
use crate::budget::{Budget, OverBudget, bits, fraction_bits};
use crate::integers::{ExactVector, IntegerRow, Sums, integers};

/// The blocks of a problem.
pub(super) struct Blocks {
    /// The block of each row.
    of: Vec<u32>,
    /// The rows of all blocks, one block after the other.
    rows: Vec<u32>,
    /// Where each block begins in `rows`, and the end of the last.
    starts: Vec<usize>,
}

/// A row that no block has taken yet.
const NONE: u32 = u32::MAX;

impl Blocks {
    /// Those of the record; else of a cone the normal with the first two rows of its first disc, a third
    /// row of it alone (torsion), its further rows together (rolling), every further disc; else the
    /// row alone.
    pub fn new(problem: &Problem) -> Self {
        let n = problem.n();
        let mut blocks = Self {
            of: vec![NONE; n],
            rows: Vec::with_capacity(n),
            starts: vec![0],
        };
        for block in problem.blocks() {
            blocks.take(block.iter().copied());
        }
        for Cone { normal, discs, .. } in problem.cones() {
            let (first, others) = match discs.split_first() {
                Some((first, others)) => (&first.rows[..], others),
                None => (&[][..], &[][..]),
            };
            let (plane, more) = first.split_at(first.len().min(2));
            let (torsion, rolling) = more.split_at(more.len().min(1));
            blocks.take([*normal].into_iter().chain(plane.iter().copied()));
            blocks.take(torsion.iter().copied());
            blocks.take(rolling.iter().copied());
            for disc in others {
                blocks.take(disc.rows.iter().copied());
            }
        }
        for row in 0..n {
            blocks.take([row]);
        }
        blocks
    }

    /// Makes a block of those of the rows that are in none.
    fn take(&mut self, rows: impl IntoIterator<Item = usize>) {
        // The number of rows is far below 2^32.
        let block = (self.starts.len() - 1) as u32;
        let before = self.rows.len();
        for row in rows {
            if self.of[row] == NONE {
                self.of[row] = block;
                self.rows.push(row as u32);
            }
        }
        if self.rows.len() > before {
            self.starts.push(self.rows.len());
        }
    }

    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    fn rows(&self, block: usize) -> impl Iterator<Item = usize> {
        let range = self.starts[block]..self.starts[block + 1];
        self.rows[range].iter().map(|row| *row as usize)
    }

    /// The block of a row.
    pub fn of(&self, row: usize) -> usize {
        self.of[row] as usize
    }

    /// Of each block the sum of |z_j| in it.
    pub fn norms(&self, z: &[Rational], budget: &Means) -> Result<Vec<Rational>, OverBudget> {
        let parts = in_parts(self.count(), budget.part, |blocks| {
            let budget = budget.of_part(blocks.len());
            let norms = blocks.map(|block| self.norm(block, z, &budget));
            norms.collect::<Result<Vec<_>, _>>()
        });
        joined(parts)
    }

    fn norm(
        &self,
        block: usize,
        z: &(impl Vector + ?Sized),
        budget: &Budget,
    ) -> Result<Rational, OverBudget> {
        let mut norm = Rational::new();
        for j in self.rows(block) {
            add(&mut norm, &z.at(j).clone().abs(), budget)?;
        }
        Ok(norm)
    }

    /// Of each block c the sum over blocks d of max |M_cd| (sum of |z_j| in d), and max f in c: the size of
    /// what w is the sum of on each of its rows.
    pub fn sizes(
        &self,
        problem: &Problem,
        norms: &[Rational],
        budget: &Means,
    ) -> Result<Vec<Rational>, OverBudget> {
        let parts = in_parts(self.count(), budget.part, |blocks| {
            let budget = budget.of_part(blocks.len());
            let sizes = blocks.map(|block| self.size(problem, block, norms, &budget));
            sizes.collect::<Result<Vec<_>, _>>()
        });
        joined(parts)
    }

    /// The sizes at a point beside the one whose norms and sizes are known.
    pub fn sizes_beside<'s>(
        &self,
        problem: &Problem,
        (norms, sizes): (&[Rational], &'s [Rational]),
        x: &Overlay<'_>,
        budget: &Means,
    ) -> Result<Overlay<'s>, OverBudget> {
        let budget = budget.of_all();
        let mut beside = Overlay::new(norms);
        for block in x.changed().map(|i| self.of(i)) {
            if !beside.changes(block) {
                beside.set(block, self.norm(block, x, &budget)?);
            }
        }
        let mut found = Overlay::new(sizes);
        if x.changed().next().is_none() {
            return Ok(found);
        }
        for block in 0..self.count() {
            let mut entries = self.rows(block).flat_map(|i| problem.m().row(i));
            if entries.any(|(j, _)| beside.changes(self.of(j))) {
                found.set(block, self.size(problem, block, &beside, &budget)?);
            }
        }
        Ok(found)
    }

    fn size(
        &self,
        problem: &Problem,
        block: usize,
        norms: &(impl Vector + ?Sized),
        budget: &Budget,
    ) -> Result<Rational, OverBudget> {
        let entries = || self.rows(block).flat_map(|i| problem.m().row(i));
        let scales = self
            .rows(block)
            .filter_map(|i| problem.scale().map(|scale| &scale[i]));
        let data = self.rows(block).map(|i| &problem.q()[i]).chain(scales);
        let numbers: Vec<_> = entries().map(|(_, value)| value).chain(data).collect();
        let (over, _held) = integers(&numbers, budget)?;
        let (mut values, denominator) = (over.values, over.denominator);
        let count = entries().count();
        let largest = |values: Vec<Integer>| values.into_iter().map(Integer::abs).max();
        let data = largest(values.split_off(count)).unwrap_or_default();
        // The largest entry of each block of columns.
        let of_columns = entries().map(|(j, _)| self.of(j));
        let mut by_column: Vec<_> = of_columns
            .zip(values.into_iter().map(Integer::abs))
            .collect();
        by_column.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
        by_column.dedup_by_key(|(column, _)| *column);
        let row = IntegerRow::of(by_column, data, denominator, budget)?;
        let Sums { s, denominator, .. } = ExactVector::over(norms, None).sums(&row, budget)?;
        budget.reduce(1, bits(&s), bits(&denominator))?;
        Ok(Rational::from((s, denominator)))
    }
}

/// What all parts found, or the first error.
fn joined(parts: Vec<Result<Vec<Rational>, OverBudget>>) -> Result<Vec<Rational>, OverBudget> {
    let mut all = Vec::with_capacity(parts.iter().flatten().map(Vec::len).sum());
    for part in parts {
        all.append(&mut part?);
    }
    Ok(all)
}

/// f_i = max(|q_i|, scale_i).
pub(super) fn data_size(problem: &Problem, i: usize) -> Rational {
    let q = problem.q()[i].to_rational().abs();
    match problem.scale() {
        Some(scale) => q.max(scale[i].to_rational()),
        None => q,
    }
}

/// Adds a term, paid for.
pub(super) fn add(sum: &mut Rational, term: &Rational, budget: &Budget) -> Result<(), OverBudget> {
    budget.reduce(1, fraction_bits(sum), fraction_bits(term))?;
    *sum += term;
    Ok(())
}
