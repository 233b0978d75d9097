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
