//! Blocks: rows that are components of one vector in one unit, and the sizes that are measured by
//! blocks (`docs/cones.md`, "The block error").

use std::collections::BTreeMap;

use etalon_lcp::{Cone, Problem};
use rug::Rational;

use crate::budget::{Budget, OverBudget, fraction_bits};

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

    /// Of each block c the sum over blocks d of max |M_cd| (sum of |x_j| in d), and max f in c: the size of
    /// what w is the sum of on each of its rows.
    pub fn sizes(
        &self,
        problem: &Problem,
        x: &[Rational],
        budget: &Budget,
    ) -> Result<Vec<Rational>, OverBudget> {
        let mut norms = Vec::with_capacity(self.count());
        for block in 0..self.count() {
            let mut norm = Rational::new();
            for j in self.rows(block) {
                add(&mut norm, &x[j].clone().abs(), budget)?;
            }
            norms.push(norm);
        }
        let mut sizes = Vec::with_capacity(self.count());
        for block in 0..self.count() {
            let mut size = Rational::new();
            let mut largest: BTreeMap<usize, Rational> = BTreeMap::new();
            for i in self.rows(block) {
                let own = data_size(problem, i);
                if own > size {
                    size = own;
                }
                for (j, value) in problem.m().row(i) {
                    let value = value.to_rational().abs();
                    let entry = largest.entry(self.of(j)).or_default();
                    if value > *entry {
                        *entry = value;
                    }
                }
            }
            for (other, value) in largest {
                if norms[other].is_zero() {
                    continue;
                }
                budget.reduce(1, fraction_bits(&value), fraction_bits(&norms[other]))?;
                add(&mut size, &(value * &norms[other]), budget)?;
            }
            sizes.push(size);
        }
        Ok(sizes)
    }
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
