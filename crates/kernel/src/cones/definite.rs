//! Definite parts of M, looked at in each set of rows that entries connect: contacts of bodies far from
//! each other meet in no entry, so the parts are small where the problem is large.

use std::collections::{BTreeMap, BTreeSet};

use rug::Rational;

use super::read::*;
use crate::{Checked, budget::*, classes::*, rows::*};

/// Checks of the block B of these entries on some rows that x'Bx > 0 for all x != 0; or, not strictly,
/// that B is symmetric and x'Bx >= 0.
///
/// # Errors
/// The first row of a set where it is not so, the budget.
pub(crate) fn check_definite(
    entries: &Entries, rows: &[usize], strictly: bool, budget: &Budget,
) -> Checked {
    // The entries, once, and for each set of rows its part of them.
    budget.multiply(entries.len() as u64 * SHORT, 1, 1)?;
    let _held = budget.hold(4 * (entries.len() + rows.len()) as u64, 0)?;
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (i, j) in entries.keys() {
        next.entry(*i).or_default().push(*j);
        next.entry(*j).or_default().push(*i);
    }
    let mut waiting: BTreeSet<_> = rows.iter().copied().collect();
    while let Some(first) = waiting.pop_first() {
        let (mut part, mut stack) = (vec![first], vec![first]);
        while let Some(i) = stack.pop() {
            let met = next.remove(&i).unwrap_or_default();
            let new: Vec<_> = met.into_iter().filter(|j| waiting.remove(j)).collect();
            part.extend(&new);
            stack.extend(new);
        }
        part.sort_unstable();
        let part = Part { part, entries };
        check_quadratic(&part, strictly, budget).map_err(|no| no.at_row(first))?;
    }
    Ok(())
}

/// A matrix on some rows, as a problem of free unknowns.
struct Part<'a> {
    part: Vec<usize>,
    entries: &'a Entries,
}

impl Problem for Part<'_> {
    fn n(&self) -> usize {
        self.part.len()
    }

    fn row(&self, i: usize) -> impl Iterator<Item = (usize, Rational)> {
        let of_row = self.entries.range((self.part[i], 0)..=(self.part[i], usize::MAX));
        of_row.filter_map(|((_, j), value)| Some((self.part.binary_search(j).ok()?, value.clone())))
    }

    fn bounds(&self, _: usize) -> Bounds {
        [None, None]
    }
}
