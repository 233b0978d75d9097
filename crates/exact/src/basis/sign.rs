//! Signs of sums of long products, from their leading bits where these decide.

use std::cmp::Ordering;

use rug::Integer;

use crate::basis::coefficient::Coefficient;
use crate::basis::row::Row;
use crate::lifting::Fractions;

/// Bits of the leading part of a long numerator, which is from -2^52 to 2^52 - 1. With a coefficient's from -2^54 to 2^54 - 1 a
/// product is at most 2^106 and the sum of a million at most 2^126, which fits 128 bits with its sign.
const BITS: u32 = 52;

/// The leading parts of a solution: numerator_k = lead_k 2^shift + less than 2^shift.
pub(crate) struct Leading {
    numerators: Vec<i64>,
    denominator: i64,
    shift: u32,
}

impl Leading {
    pub fn new(solution: &Fractions) -> Self {
        let all = solution.numerators.iter().chain([&solution.denominator]);
        let bits = all.map(Integer::significant_bits).max().unwrap_or(0);
        let shift = bits.saturating_sub(BITS);
        // Rounded down, as the bound on the error below has it.
        let lead = |value: &Integer| Integer::from(value >> shift).to_i64_wrapping();
        Self {
            numerators: solution.numerators.iter().map(lead).collect(),
            denominator: lead(&solution.denominator),
            shift,
        }
    }

    /// The sign of row * numerators + q * denominator.
    pub fn sign(&self, row: &Row, solution: &Fractions) -> Ordering {
        self.leading_sign(row)
            .unwrap_or_else(|| exact_sign(row, solution))
    }

    /// The sign where the leading bits decide it.
    ///
    /// A coefficient is a = (m + f) 2^s and a numerator (t + g) 2^shift with 0 <= f, g < 1. Take
    /// 2^(largest s + shift) as the unit. Then a product a t differs from the integer part of
    /// m t 2^(s - largest s) by less than (|m| + |t|) 2^(s - largest s) + 3.
    fn leading_sign(&self, row: &Row) -> Option<Ordering> {
        let terms = || {
            let entries = row.entries.iter();
            let entries = entries.map(|(k, value)| (value, self.numerators[*k]));
            entries.chain([(&row.q, self.denominator)])
        };
        let nonzero = |(a, _): &(&Coefficient, i64)| !a.is_zero();
        let largest = terms().filter(nonzero).map(|(a, _)| a.shift).max()?;
        let (mut sum, mut error) = (0_i128, 0_i128);
        for (a, t) in terms().filter(nonzero) {
            // An i128 has no longer shift; one by 127 leaves only the sign.
            let down = (largest - a.shift).min(127);
            sum += (i128::from(a.lead) * i128::from(t)) >> down;
            let mut off = 0;
            if self.shift > 0 {
                off += i128::from(a.lead.unsigned_abs());
            }
            if a.full.is_some() {
                off += i128::from(t.unsigned_abs()) + 1;
            }
            error += (off >> down) + 3;
        }
        (sum.abs() > error).then(|| sum.cmp(&0))
    }
}

fn exact_sign(row: &Row, solution: &Fractions) -> Ordering {
    let mut sum = row.q.integer() * &solution.denominator;
    for (k, value) in &row.entries {
        sum += value.integer() * &solution.numerators[*k];
    }
    sum.cmp0()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 3^k and 2^k are far apart: the leading bits decide, and zeros of the row have no say in the unit.
    #[test]
    fn leading_bits_decide_where_the_sum_is_large() {
        let power = |base: u32, exponent: u32| Integer::from(Integer::u_pow_u(base, exponent));
        let of = |value: i64| Coefficient::of_integer(Integer::from(value));
        let solution = Fractions {
            numerators: vec![power(3, 200), power(2, 200)],
            denominator: power(2, 201),
        };
        let leading = Leading::new(&solution);
        for (entries, q, sign) in [
            ([1, -1], 0, Ordering::Greater),
            ([-1, 5], 7, Ordering::Less),
            ([1, 0], 0, Ordering::Greater),
        ] {
            let row = Row {
                entries: entries.map(of).into_iter().enumerate().collect(),
                q: of(q),
            };
            assert_eq!(leading.leading_sign(&row), Some(sign));
            assert_eq!(exact_sign(&row, &solution), sign);
        }
        // 2 2^200 = 2^201, which no leading bits tell from nearly so.
        let tie = Row {
            entries: vec![(1, of(2))],
            q: of(-1),
        };
        assert_eq!(leading.leading_sign(&tie), None);
        assert_eq!(leading.sign(&tie, &solution), Ordering::Equal);
    }
}
