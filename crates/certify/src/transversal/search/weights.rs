//! A heavy transversal, to 64 bits.
//!
//! Shortest augmenting paths, with products for sums (I. S. Duff and J. Koster, *On algorithms for permuting large
//! entries to the diagonal of a sparse matrix*, SIAM J. Matrix Anal. Appl. 22, 2001): rows and unknowns are
//! scaled so that no entry exceeds 1, and those of the transversal are 1.

use std::collections::BinaryHeap;

use rug::Rational;

use super::Search;
use crate::transversal::near::Near;
use crate::transversal::proof::Pairing;

/// The scales of rows and unknowns (0 for rows of other parts), and the largest product by which a row is reached.
pub(super) struct Scales {
    rows: Vec<Near>,
    unknowns: Vec<Near>,
    reached: Vec<Near>,
    /// Whether no other path to a row counts any more.
    is_settled: Vec<bool>,
    one: Near,
}

impl Scales {
    pub fn new(n: usize) -> Self {
        let zeros = || vec![Near::ZERO; n];
        let (rows, unknowns, reached) = (zeros(), zeros(), zeros());
        Self {
            rows,
            unknowns,
            reached,
            is_settled: vec![false; n],
            one: Near::of(&Rational::from(1)),
        }
    }
}

impl Search {
    /// Gives the unknowns, which all have rows, these rows anew; leaves them as they are where the steps are used up.
    pub(super) fn reassign(&mut self, pairing: &mut Pairing<'_>, unknowns: &[usize]) -> bool {
        let before: Vec<_> = unknowns.iter().map(|&j| pairing.row_of[j]).collect();
        let assigned = self.assign(pairing, unknowns).is_some();
        if !assigned {
            for (&j, row) in unknowns.iter().zip(before) {
                if let Some(row) = row {
                    pairing.pair(row, j);
                }
            }
        }
        assigned
    }

    fn assign(&mut self, pairing: &mut Pairing<'_>, unknowns: &[usize]) -> Option<()> {
        for &j in unknowns {
            let row = pairing.row_of[j].take()?;
            (pairing.unknown_of[row], self.scales.rows[row]) = (None, self.scales.one);
        }
        let one = self.scales.one;
        let scales = &mut self.scales;
        let mut largest = Vec::new();
        for &j in unknowns {
            self.steps.pay(pairing.rows_with[j].len())?;
            let own = pairing.rows_with[j]
                .iter()
                .filter(|(row, _)| scales.rows[*row] != Near::ZERO);
            let most = own.clone().map(|(_, entry)| *entry).max()?;
            scales.unknowns[j] = one.over(most);
            for &(row, entry) in own {
                let size = entry.times(scales.unknowns[j]);
                if size > scales.reached[row] {
                    scales.reached[row] = size;
                    largest.push(row);
                }
            }
        }
        for row in largest {
            let size = std::mem::replace(&mut scales.reached[row], Near::ZERO);
            if size != Near::ZERO {
                scales.rows[row] = one.over(size);
            }
        }
        let mut unknowns = unknowns.iter();
        unknowns.try_for_each(|&j| self.reach_a_row(pairing, j))
    }

    /// Gives unknown j the row that the heaviest path reaches, others moving on to rows of their own.
    fn reach_a_row(&mut self, pairing: &mut Pairing<'_>, j: usize) -> Option<()> {
        let mut heap = BinaryHeap::new();
        let mut touched = Vec::new();
        let mut left = vec![(None, j, self.scales.one)];
        let free = loop {
            let &(_, unknown, product) = left.last()?;
            self.steps.pay(pairing.rows_with[unknown].len())?;
            let product = product.times(self.scales.unknowns[unknown]);
            for &(row, entry) in &pairing.rows_with[unknown] {
                // 0 for rows of other parts.
                let size = product.times(entry).times(self.scales.rows[row]);
                if size > self.scales.reached[row] && !self.scales.is_settled[row] {
                    self.scales.reached[row] = size;
                    self.from[row] = Some((j, unknown));
                    touched.push(row);
                    heap.push((size, row));
                }
            }
            let (size, row) = loop {
                let (size, row) = heap.pop()?;
                if !std::mem::replace(&mut self.scales.is_settled[row], true) {
                    break (size, row);
                }
            };
            let Some(next) = pairing.unknown_of[row] else {
                break (size, row);
            };
            left.push((Some(row), next, size));
        };
        for (row, unknown, size) in left {
            let share = size.over(free.0);
            let scales = &mut self.scales;
            scales.unknowns[unknown] = scales.unknowns[unknown].times(share);
            if let Some(row) = row {
                scales.rows[row] = scales.rows[row].over(share);
            }
        }
        for row in touched {
            (self.scales.reached[row], self.scales.is_settled[row]) = (Near::ZERO, false);
        }
        self.move_along(pairing, free.1);
        Some(())
    }
}
