//! Carried sizes with their proof, from a transversal and paths that someone proposes.
//!
//! Along the path of an unknown its size is that of an exact product, so its carried size is no less. Where no entry
//! carries a larger one into any unknown, no path has more, and no exchange of rows makes the transversal heavier.

use std::collections::BTreeSet;

use rug::Rational;

use super::near::Near;
use super::{Block, Work};
use crate::budget::fraction_bits;

/// A block by its columns, with rows for unknowns.
pub(super) struct Pairing<'a> {
    block: &'a Block<'a>,
    /// The row of each unknown of the block, and back.
    pub row_of: Vec<Option<usize>>,
    pub unknown_of: Vec<Option<usize>>,
    /// The rows of the block in which an unknown is, ascending, with its entries there.
    pub rows_with: Vec<Vec<(usize, Near)>>,
    labels: Vec<Label>,
}

/// What is known of an unknown: the largest size so far, |M_p(j)j|, and their product.
#[derive(Clone, Default)]
struct Label {
    size: Rational,
    pivot: Rational,
    near: Near,
    reach: Near,
}

/// The unknowns of the square part of a part.
pub(super) struct Square(pub Vec<usize>);

/// Carried sizes, by unknown.
pub(super) struct Proved(pub Vec<(usize, Rational)>);

impl<'a> Pairing<'a> {
    /// With rows for the unknowns that have theirs on the diagonal; `None` where the work is used up.
    pub fn new(block: &'a Block<'a>, work: &mut Work) -> Option<Self> {
        let n = block.members.len();
        let mut pairing = Self {
            block,
            row_of: vec![None; n],
            unknown_of: vec![None; n],
            rows_with: vec![Vec::new(); n],
            labels: vec![Label::default(); n],
        };
        for i in (0..n).filter(|&i| block.members[i]) {
            for j in block.row(i) {
                let rows = &mut pairing.rows_with[j];
                if rows.last().is_some_and(|(row, _)| *row == i) {
                    continue;
                }
                let entry = Near::of(&block.entry(i, j, work)?);
                // What slides may cancel the entry that it is added to. An unknown's own row counts too: it may
                // have to take it back.
                if entry != Near::ZERO {
                    rows.push((i, entry));
                    if i == j {
                        pairing.pair(i, j);
                    }
                }
            }
        }
        Some(pairing)
    }

    pub fn pair(&mut self, row: usize, unknown: usize) {
        self.row_of[unknown] = Some(row);
        self.unknown_of[row] = Some(unknown);
    }

    /// The unknowns of a part that every largest transversal covers, and by rows that every one covers (A. L.
    /// Dulmage and N. S. Mendelsohn, *Coverings of bipartite graphs*, Canad. J. Math. 10, 1958). The other
    /// rows and unknowns, too many for each other, lose theirs. `None` where this transversal is not a largest one.
    pub fn square(&mut self, part: Vec<usize>, work: &mut Work) -> Option<Square> {
        let mut out: BTreeSet<usize> = BTreeSet::new();
        // Unknowns that alternating paths reach from one without a row.
        let mut next: Vec<usize> = part.clone();
        next.retain(|&j| self.row_of[j].is_none());
        while let Some(j) = next.pop() {
            if out.insert(j) {
                work.look(64 * self.rows_with[j].len() as u64)?;
                for (row, _) in &self.rows_with[j] {
                    next.push(self.unknown_of[*row]?);
                }
            }
        }
        // Rows that they reach from a row without an unknown, with the unknowns of these rows.
        let mut next: Vec<usize> = part.clone();
        next.retain(|&row| self.unknown_of[row].is_none());
        while let Some(row) = next.pop() {
            for j in self.block.row(row) {
                work.look(0)?;
                let found = self.rows_with[j].binary_search_by_key(&row, |(row, _)| *row);
                if found.is_ok() && out.insert(j) {
                    next.extend(self.row_of[j]);
                }
            }
        }
        for &j in &out {
            if let Some(row) = self.row_of[j].take() {
                self.unknown_of[row] = None;
            }
        }
        let unknowns = part.into_iter().filter(|j| !out.contains(j));
        Some(Square(unknowns.collect()))
    }

    /// The carried sizes, by the paths along these sources; nothing inside where an entry carries more. `None` where
    /// the work is used up.
    pub fn prove(
        &mut self,
        square: &Square,
        source: &mut [Option<usize>],
        s: &[Rational],
        work: &mut Work,
    ) -> Option<Option<Proved>> {
        for &j in &square.0 {
            (self.labels[j].size, self.labels[j].pivot) = Default::default();
        }
        for &start in &square.0 {
            let mut path = Vec::new();
            let mut at = Some(start);
            while let Some(j) = at.filter(|&j| self.labels[j].pivot.is_zero()) {
                let row = self.row_of[j].filter(|&row| self.unknown_of[row] == Some(j))?;
                let pivot = self.block.entry(row, j, work)?.abs();
                work.look(fraction_bits(&pivot))?;
                if pivot.is_zero() {
                    return None;
                }
                self.labels[j].pivot = pivot;
                path.push((j, row));
                at = source[j];
            }
            // A path that comes back to itself begins where that is: the size there is still 0.
            for (j, row) in path.into_iter().rev() {
                self.set(j, Rational::from(&s[row] / &self.labels[j].pivot));
                if let Some(k) = source[j]
                    && !self.carry(k, j, work)?
                {
                    source[j] = None;
                }
            }
        }
        for &k in &square.0 {
            for at in 0..self.rows_with[k].len() {
                let (row, entry) = self.rows_with[k][at];
                if let Some(j) = self.unknown_of[row]
                    && self.grows((k, j), entry, work)?
                {
                    source[j] = Some(k);
                    return Some(None);
                }
            }
        }
        let size = |&j: &usize| (j, std::mem::take(&mut self.labels[j].size));
        Some(Some(Proved(square.0.iter().map(size).collect())))
    }

    fn set(&mut self, j: usize, size: Rational) {
        let label = &mut self.labels[j];
        label.near = Near::of(&size);
        label.reach = label.near.times(Near::of(&label.pivot));
        label.size = size;
    }

    /// Takes over what unknown k carries into unknown j by the entry in its row; whether that is more.
    pub fn grows(&mut self, (k, j): (usize, usize), entry: Near, work: &mut Work) -> Option<bool> {
        work.look(0)?;
        let reach = entry.times(self.labels[k].near);
        let may = k != j && reach.exceeds(self.labels[j].reach, Near::PROVED) != Some(false);
        Some(may && self.carry(k, j, work)?)
    }

    fn carry(&mut self, k: usize, j: usize, work: &mut Work) -> Option<bool> {
        let entry = self.block.entry(self.row_of[j]?, k, work)?;
        let size = work.product(entry, &self.labels[k].size)? / &self.labels[j].pivot;
        let is_more = size > self.labels[j].size;
        if is_more {
            self.set(j, size);
        }
        Some(is_more)
    }
}
