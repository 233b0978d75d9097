//! Rank modulo a prime: enough to show that equations have one solution at most.

use rug::Integer;

/// 2^61 - 1. Integer columns that are independent modulo a prime have a minor that is no multiple
/// of it, so not 0. (The converse fails: a certificate may be refused, nothing false is believed.)
const PRIME: u64 = (1 << 61) - 1;

/// The residue of an integer, from 0 to 2^61 - 2.
pub(crate) fn residue(value: &Integer) -> u64 {
    Integer::from(value.modulo_ref(&Integer::from(PRIME))).to_u64().unwrap_or(0)
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
        let Some(pivot) = rows.iter().position(|row| row[column] != 0) else { return false };
        let pivot = rows.remove(pivot);
        for row in rows.iter_mut().filter(|row| row[column] != 0) {
            let (own, other) = (pivot[column], PRIME - row[column]);
            for (value, above) in row.iter_mut().zip(&pivot) {
                *value = (times(*value, own) + times(*above, other)) % PRIME;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[[i64; 3]], columns: usize) -> bool {
        let rows = rows.iter().map(|row| row.iter().map(|v| residue(&Integer::from(*v))).collect());
        is_full(rows.collect(), columns)
    }

    #[test]
    fn columns_are_independent_where_a_minor_is_no_multiple_of_the_prime() {
        assert!(of(&[[2, 3, 5], [7, 11, 13], [9, 14, 19]], 3));
        assert!(!of(&[[2, 3, 5], [7, 11, 13], [9, 14, 18]], 3));
        assert!(of(&[[0, 2, 1], [3, 0, 1], [1, 1, 1], [0, 0, 0]], 3));
        assert!(!of(&[[0, 2, 1], [3, 0, 1], [3, -2, 0]], 3) && of(&[[0, 2, 1], [3, 0, 1]], 2));
        assert!(of(&[], 0) && !of(&[], 1) && !of(&[[1, 0, 0]], 2));
        let prime = PRIME as i64;
        assert!(
            !of(&[[prime, 0, 0]], 1) && of(&[[prime - 1, 0, 0]], 1) && of(&[[prime + 1, 0, 0]], 1)
        );
        // Entries near the prime, whose products take all bits: a difference of one decides.
        let large = [[prime - 2, prime - 3, 0], [prime - 4, prime - 6, 0]];
        assert!(!of(&large, 2) && of(&[large[0], [prime - 4, prime - 5, 0]], 2));
    }

    #[test]
    fn residues_are_not_negative() {
        assert_eq!(residue(&Integer::from(-1)), PRIME - 1);
        assert_eq!(residue(&(Integer::from(PRIME) * 5 + 7)), 7);
    }
}
