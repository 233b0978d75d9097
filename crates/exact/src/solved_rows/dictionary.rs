//! A part of the loose rows as an exact dictionary.

use std::collections::BTreeMap;

use rug::{Integer, Rational};

use super::cell::{Cell, Part};
use crate::budget::{Exhausted, Meter};
use crate::tableau::{Tableau, Variable};

/// k^3 products of numbers of as many 64-bit words as all rows have together, a product of v words
/// counted as v^1.5: 64 rows of 100 bits each. Longer rows are left as they are.
const MAX_WORK: u128 = 1 << 28;

/// A part of the loose rows solved for its unknowns.
pub(super) struct Dictionary {
    pub tableau: Tableau,
    /// The plain sizes of the rows, times what made them integral.
    pub sizes: BTreeMap<usize, Rational>,
}

impl Cell<'_> {
    /// The part's rows solved for its unknowns; the rows of moved unknowns come last, and stay.
    pub(super) fn dictionary(&self, part: &Part, meter: &Meter) -> Result<Dictionary, Exhausted> {
        let mut sizes = BTreeMap::new();
        let members = || part.rows.iter().chain(&part.moved).copied();
        let rows = members().map(|i| {
            let (entries, constant, size) = self.row(i, self.at);
            let column = |j: usize| entries.get(&j).cloned().unwrap_or_default();
            let values: Vec<Rational> = members().map(column).chain([constant]).collect();
            let mut unit = Integer::from(1);
            for value in &values {
                unit.lcm_mut(value.denom());
            }
            let integer = |value: &Rational| Integer::from(value.numer() * &unit) / value.denom();
            let row: Vec<Integer> = values.iter().map(integer).collect();
            let size = size * &unit;
            sizes.insert(i, size);
            row
        });
        let rows: Vec<_> = rows.collect();
        check_work(&rows, meter)?;
        let basic = members().map(Variable::W).collect();
        let unknowns = members().map(Variable::Z).collect();
        let mut tableau = Tableau::new(basic, unknowns, rows);
        let count = part.rows.len();
        for r in 0..count {
            let free = |c: &usize| {
                matches!(tableau.nonbasic()[*c], Variable::Z(_)) && *tableau.entry(r, *c) != 0
            };
            // A row that depends on those before it stays.
            if let Some(c) = Some(r).filter(free).or_else(|| (0..count).find(free)) {
                meter.uncounted(
                    u64::from(tableau.entry(r, c).significant_bits()),
                    tableau.size(),
                )?;
                tableau.pivot(r, c);
            }
        }
        Ok(Dictionary { tableau, sizes })
    }
}

/// Whether the dictionary of these rows is worth its work.
fn check_work(rows: &[Vec<Integer>], meter: &Meter) -> Result<(), Exhausted> {
    let longest = |row: &Vec<Integer>| row.iter().map(Integer::significant_bits).max();
    let bits: u64 = rows.iter().filter_map(longest).map(u64::from).sum();
    meter.uncounted(bits, 0)?;
    let (k, words) = (rows.len() as u128, u128::from(bits / 64 + 1));
    // k^3 words^1.5 against the limit, both squared.
    let work = k.pow(6).saturating_mul(words.saturating_pow(3));
    if work > MAX_WORK.pow(2) {
        return Err(Exhausted::Bits(bits));
    }
    Ok(())
}
