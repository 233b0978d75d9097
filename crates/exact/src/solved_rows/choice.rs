//! The rows of a singular block that are solved, and the unknowns that they are solved for.

use std::collections::{BTreeMap, BTreeSet};

use etalon_modular::Prime;

use crate::budget::{Exhausted, Meter};
use crate::lifting::PRODUCTS;

/// A row that is solved: what the rows before it leave of it, without the entry of its unknown.
struct Kept {
    unknown: usize,
    inverse: u64,
    rest: Vec<(usize, u64)>,
}

/// Solves each row in turn for its own unknown, or for the first one that it can be solved for. Rows that depend
/// on those before them stay. The choice looks at zeros modulo p. What is chosen is regular, and who uses
/// it sees whether the rows that stay depend on it exactly.
pub(super) fn choose(
    rows: &[Vec<(usize, u64)>],
    prime: Prime,
    meter: &Meter,
) -> Result<(Vec<usize>, Vec<usize>), Exhausted> {
    let mut kept: Vec<Kept> = Vec::new();
    let mut solved_by = vec![None; rows.len()];
    let mut chosen = Vec::new();
    for (r, row) in rows.iter().enumerate() {
        let mut values: BTreeMap<usize, u64> = row.iter().copied().collect();
        let known = values.keys().filter_map(|j| solved_by[*j]);
        let mut pending: BTreeSet<usize> = known.collect();
        // What a row before it brings in belongs to rows after that one.
        while let Some(step) = pending.pop_first() {
            let Kept {
                unknown,
                inverse,
                rest,
            } = &kept[step];
            meter.uncounted(0, rest.len() / PRODUCTS + 1)?;
            let Some(value) = values.remove(unknown) else {
                continue;
            };
            let factor = prime.negate(prime.multiply(value, *inverse));
            for (j, entry) in rest {
                let value = values.entry(*j).or_default();
                *value = prime.residue(*value + prime.multiply(factor, *entry));
                if *value == 0 {
                    values.remove(j);
                } else {
                    pending.extend(solved_by[*j]);
                }
            }
        }
        // Its own unknown first, as in a principal pivot: for a symmetric block rows and unknowns are then
        // one set as far as zeros allow.
        let own = values.contains_key(&r).then_some(r);
        let Some(unknown) = own.or_else(|| values.keys().next().copied()) else {
            continue;
        };
        let pivot = values.remove(&unknown).unwrap_or_default();
        solved_by[unknown] = Some(kept.len());
        chosen.push(r);
        kept.push(Kept {
            unknown,
            inverse: prime.invert(pivot),
            rest: values.into_iter().collect(),
        });
    }
    let mut unknowns: Vec<usize> = kept.into_iter().map(|kept| kept.unknown).collect();
    unknowns.sort_unstable();
    Ok((chosen, unknowns))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rug::Rational;

    use super::*;
    use crate::budget::Budget;

    /// The rank by elimination on fractions.
    fn rank(rows: &[Vec<i64>]) -> usize {
        let mut rows: Vec<Vec<Rational>> = rows
            .iter()
            .map(|row| row.iter().map(|v| Rational::from(*v)).collect())
            .collect();
        let mut rank = 0;
        for column in 0..rows.first().map_or(0, Vec::len) {
            let Some(pivot) = (rank..rows.len()).find(|&r| rows[r][column] != 0) else {
                continue;
            };
            rows.swap(rank, pivot);
            let own = rows[rank].clone();
            for row in &mut rows[rank + 1..] {
                let factor = Rational::from(&row[column] / &own[column]);
                for (value, own) in row.iter_mut().zip(&own) {
                    *value -= Rational::from(&factor * own);
                }
            }
            rank += 1;
        }
        rank
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        /// As many rows are chosen as are independent, and the block that they make with their unknowns is regular.
        #[test]
        fn a_regular_block_of_full_rank_is_chosen(
            left in prop::collection::vec(prop::collection::vec(-2i64..=2, 4), 7),
            right in prop::collection::vec(prop::collection::vec(-2i64..=2, 7), 4),
        ) {
            let product = |i: usize, j: usize| (0..4).map(|k| left[i][k] * right[k][j]).sum();
            let matrix: Vec<Vec<i64>> = (0..7).map(|i| (0..7).map(|j| product(i, j)).collect()).collect();
            let prime = Prime::nth(0).unwrap();
            let residues: Vec<Vec<(usize, u64)>> = matrix
                .iter()
                .map(|row| {
                    let stored = row.iter().enumerate().filter(|(_, value)| **value != 0);
                    stored.map(|(j, value)| (j, prime.residue_of_wide(i128::from(*value)))).collect()
                })
                .collect();
            let (rows, unknowns) = choose(&residues, prime, &Meter::new(&Budget::default())).unwrap();
            let of = |i: &usize| unknowns.iter().map(|&j| matrix[*i][j]).collect();
            let block: Vec<Vec<i64>> = rows.iter().map(of).collect();
            prop_assert_eq!(rows.len(), rank(&matrix));
            prop_assert_eq!(rank(&block), rows.len());
        }
    }
}
