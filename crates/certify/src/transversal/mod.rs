//! The heaviest transversal of the loose block, and what elimination carries from row to row.
//!
//! A transversal gives each unknown of a block a row of its own. The heaviest is the one with the
//! largest product of entries; scaling rows and columns changes all products alike. With it,
//! the *carried size* of unknown j is
//!
//! zeta_j = max over rows i of s_i W(i, j) / W, W the product of the heaviest transversal and
//! W(i, j) that of the block without row i and column j: Cramer's rule, with the largest
//! product for the determinant.
//!
//! It is found as a longest path: through its row p(j) an unknown has the size s_p(j) / |M_p(j)j|,
//! and takes |M_p(j)k| zeta_k / |M_p(j)j| from each other unknown k in that row. A path that comes
//! back to itself with more than it began is a heavier transversal: its members exchange rows.

mod near;
mod proof;
mod search;
#[cfg(test)]
// A test fails by panicking; the lints are for the library.
#[allow(clippy::unwrap_used)]
mod tests;

use std::collections::BTreeMap;

use etalon_lcp::Problem;
use rug::Rational;

use crate::budget::fraction_bits;
pub(crate) use near::Near;
use proof::Pairing;
use search::Search;

/// Each entry of up to 64 bits may be looked at this many times in the search for sizes, a longer one
/// less often, and small problems may do more. Beyond that no unknown has a carried size, and rows keep their plain ones.
const MAX_LOOKS: u64 = 32;
const FREE_LOOKS: u64 = 1 << 22;

/// Bits of a size that is carried on, at most; with a longer one the work of its part counts as used up.
/// A hundred steps over binary64 entries stay below. All sizes together take no more than [`ALL_BITS`].
const MAX_BITS: u64 = 1 << 14;
const ALL_BITS: u64 = 1 << 27;

/// The work left for the search for sizes, and the bits that one may have.
pub(crate) struct Work {
    looks: u64,
    bits: u64,
}

impl Work {
    pub fn new(problem: &Problem) -> Self {
        Self {
            looks: FREE_LOOKS + MAX_LOOKS * problem.m().stored() as u64,
            bits: MAX_BITS.min(ALL_BITS / problem.n().max(1) as u64),
        }
    }

    /// Bits that a size may have.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// Pays for a product with a number of so many bits: sizes stay below [`MAX_BITS`].
    pub fn look(&mut self, bits: u64) -> Option<()> {
        self.looks = self.looks.checked_sub(1 + bits / 64)?;
        Some(())
    }

    /// |entry| size; `None` where the work is used up.
    pub fn product(&mut self, entry: Rational, size: &Rational) -> Option<Rational> {
        self.look(fraction_bits(&entry))?;
        let product = entry.abs() * size;
        (fraction_bits(&product) <= self.bits).then_some(product)
    }
}

/// A square block of a problem, with the friction that slides there: x_f = mu x_n or -mu x_n goes along
/// with x_n, so the column of f, times mu or -mu, counts to that of n.
pub(crate) struct Block<'a> {
    problem: &'a Problem,
    /// Whether the row and its unknown are in the block.
    members: Vec<bool>,
    /// The unknown of the block that a sliding friction row goes along with.
    normal: BTreeMap<usize, usize>,
    /// The friction rows that go along with an unknown of the block, with mu or -mu.
    slides: BTreeMap<usize, Vec<(usize, Rational)>>,
}

impl<'a> Block<'a> {
    /// Of the rows and unknowns that are members.
    pub fn new(problem: &'a Problem, members: Vec<bool>) -> Self {
        Self {
            problem,
            members,
            normal: BTreeMap::new(),
            slides: BTreeMap::new(),
        }
    }

    /// Lets friction row f, which is no member, slide: x_f = mu x_n, n its normal row, mu with its sign.
    pub fn slide(&mut self, f: usize, n: usize, mu: Rational) {
        if self.members[n] && !mu.is_zero() {
            self.normal.insert(f, n);
            self.slides.entry(n).or_default().push((f, mu));
        }
    }

    /// The unknowns of the block in row i, each at least once.
    fn row(&self, i: usize) -> impl Iterator<Item = usize> {
        let columns = self.problem.m().row(i);
        columns.filter_map(|(j, _)| match self.members[j] {
            true => Some(j),
            false => self.normal.get(&j).copied(),
        })
    }

    /// The entry in row i and the column of unknown j; `None` where the work is used up.
    fn entry(&self, i: usize, j: usize, work: &mut Work) -> Option<Rational> {
        let stored = |j| {
            let value = self.problem.m().get(i, j);
            value.map_or_else(Rational::new, |value| value.to_rational())
        };
        let mut entry = stored(j);
        for (f, mu) in self.slides.get(&j).into_iter().flatten() {
            let share = stored(*f);
            work.look(fraction_bits(&share) + fraction_bits(mu) + fraction_bits(&entry))?;
            entry += share * mu;
            if fraction_bits(&entry) > work.bits {
                return None;
            }
        }
        Some(entry)
    }

    /// The carried sizes zeta, by unknown, with the plain sizes s of the rows; none outside of the
    /// block, outside of the square part of parts that have no transversal, and where the work is used up.
    /// Parts come in the order of their size, so that a large one takes nothing from small ones.
    pub fn carried(&self, s: &[Rational], work: &mut Work) -> Vec<Option<Rational>> {
        let mut carried = vec![None; s.len()];
        let Some(mut pairing) = Pairing::new(self, work) else {
            return carried;
        };
        let mut search = Search::new(s.len(), work.looks);
        let parts = search::parts(&pairing, &self.members);
        let mut part_of = vec![0; s.len()];
        for (number, part) in parts.iter().enumerate() {
            part.iter().for_each(|&j| part_of[j] = number);
        }
        let is_of =
            |part: usize, rows: &[(usize, Near)]| rows.iter().all(|at| part_of[at.0] == part);
        // No entry is in the rows of one part and the unknowns of another.
        if !(0..s.len()).all(|j| is_of(part_of[j], &pairing.rows_with[j])) {
            return carried;
        }
        for part in parts {
            let proved = search.sizes(&mut pairing, part, s, work);
            for (j, size) in proved.into_iter().flat_map(|proved| proved.0) {
                carried[j] = Some(size);
            }
        }
        carried
    }
}
