//! Rank modulo a prime: enough to show that equations have one solution at most.

use rug::Integer;

/// 2^61 - 1. Integer columns that are independent modulo a prime have a minor that is no multiple
/// of it, so not 0. (The converse fails: a certificate may be refused, nothing false is believed.)
const PRIME: u64 = (1 << 61) - 1;

/// The residue of an integer, from 0 to 2^61 - 2.
pub(crate) fn residue(value: &Integer) -> u64 {
    let rest = Integer::from(value.modulo_ref(&Integer::from(PRIME)));
    rest.to_u64().unwrap_or(0)
}

/// Whether the rows, of residues, have independent columns: no d != 0 makes all of them vanish.
/// Takes at most rows times columns squared steps.
pub(crate) fn is_full(mut rows: Vec<Vec<u64>>, columns: usize) -> bool {
    // 2^61 is 1, so the upper and the lower bits of a product may be added.
    let times = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        (product >> 61) as u64 + (product as u64 & PRIME)
    };
    for column in 0..columns {
        let Some(pivot) = rows.iter().position(|row| row[column] != 0) else {
            return false;
        };
        let pivot = rows.swap_remove(pivot);
        for row in rows.iter_mut().filter(|row| row[column] != 0) {
            let (own, other) = (pivot[column], PRIME - row[column]);
            for (value, above) in row.iter_mut().zip(&pivot) {
                *value = (times(*value, own) + times(*above, other)) % PRIME;
            }
        }
    }
    true
}
