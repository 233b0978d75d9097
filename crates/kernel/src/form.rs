//! The linear form of a certificate's vector y: the identity
//!
//! > sum over i of v_i w_i + a_i (z_i - L_i) + b_i (U_i - z_i) = C,
//!
//! which holds for all z with w = Mz + q, because its multipliers leave no z_j. Where every term
//! is known to be at least 0, C < 0 says that nobody is there, and C = 0 that every term is 0.
//! (Farkas 1902; Cottle, Pang, Stone, section 2.7; `docs/certificates.md`, "The form".)

use rug::{Integer, Rational};

use crate::{Refusal, budget::*, ensure, exact::*, rows::*};

/// The multipliers and the constant C, each times a positive factor: their signs are asked for.
pub(crate) struct Form<'b> {
    /// v_i, a_i and b_i.
    pub multipliers: Vec<[Integer; 3]>,
    pub constant: Integer,
    _held: [Held<'b>; 2],
}

impl<'b> Form<'b> {
    /// The form of y: entry i < n multiplies w_i, and -w_i on a row with an upper bound only; the
    /// entries from n on are the b_i of the rows with two bounds. The multipliers that are left
    /// are those that cancel z_i: a_i where there is a lower bound, b_i where only an upper one is.
    ///
    /// # Errors
    /// A z_i that nothing cancels, another length of y, the budget.
    pub fn new(system: &System<'b>, y: impl Iterator<Item = Rational>) -> Result<Self, Refusal> {
        let (n, budget) = (system.terms.len(), system.budget);
        // The expression of each entry of y.
        let places = (0..n).map(|i| (i, 0)).chain(system.doubles.iter().map(|&i| (i, 2)));
        let rows = places.filter_map(|(i, k)| Some((system.terms[i].rows[k].as_ref()?, (i, k))));
        let rows: Vec<_> = rows.collect();
        let (mut y, mut longer) = read(y, budget)?;
        ensure(y.len() == rows.len(), "y has another length than rows and double bounds")?;
        for (y, (row, (i, _))) in y.iter_mut().zip(&rows) {
            // In integers it is so many times itself.
            longer.more(0, bits(&row.denominator))?;
            budget.reduce(1, fraction_bits(y), bits(&row.denominator))?;
            *y /= &row.denominator;
            *y *= if matches!(system.terms[*i].rows, [_, None, Some(_)]) { -1 } else { 1 };
        }
        let Exact { numerators: y, held, .. } = Exact::new(&y, 1, budget)?;
        let used = || rows.iter().zip(&y).filter(|(_, y)| !y.is_zero());
        let used = || used().map(|((row, place), y)| (*row, y, *place));
        let mut longest = 0;
        for (row, y, _) in used() {
            budget.multiply(row.entries.len() as u64, row.longest(), bits(y))?;
            longest = longest.max(row.longest() + bits(y));
        }
        // A sum of n terms has at most the bits of n more, and grows twice by what cancels z.
        let (numbers, size) = (5 * n as u64 + 1, longest + 64 + 2 * system.reach);
        let sums = budget.hold(numbers, numbers.saturating_mul(size))?;
        budget.multiply(2 * numbers, size, system.reach)?;
        let (mut c, mut multipliers) = (vec![Integer::new(); n + 1], Vec::new());
        multipliers.resize_with(n, <[Integer; 3]>::default);
        let add = |c: &mut [Integer], row: &Row<'_>, multiplier: &Integer| {
            row.entries.iter().for_each(|(j, value)| c[*j] += value * multiplier);
        };
        for (row, y, (i, k)) in used() {
            add(&mut c, row, y);
            multipliers[i][k].clone_from(y);
        }
        // First the rows whose bounds contain another z_j: they change its coefficient. Times D
        // the form stays integral.
        for moving in [true, false] {
            let own = (0..n).filter(|&i| system.terms[i].moves == moving).filter_map(|i| {
                let (k, row) = system.terms[i].own()?;
                let factor = Integer::from(system.scale.div_exact_ref(&row.denominator));
                Some((i, k, row, if k == 1 { -factor } else { factor } * &c[i]))
            });
            let own: Vec<_> = own.collect();
            c.iter_mut().for_each(|c| *c *= &system.scale);
            for (i, k, row, multiplier) in own {
                add(&mut c, row, &multiplier);
                multipliers[i][k] = multiplier;
            }
        }
        let constant = c.pop().unwrap_or_default();
        // Whatever was done above: with this the identity holds.
        let left = c.iter().position(|c| *c != 0);
        let no = Refusal::new("z has no bound, and a coefficient that is not 0");
        left.map_or(Ok(()), |i| Err(no.at_row(i)))?;
        Ok(Self { multipliers, constant, _held: [held, sums] })
    }

    /// Checks that every term is at least 0 wherever these facts hold.
    ///
    /// # Errors
    /// The first row with a term that may be negative.
    pub fn check_signs(&self, known: &[Facts]) -> Result<(), Refusal> {
        for (i, (known, [v, a, b])) in known.iter().zip(&self.multipliers).enumerate() {
            let lacks = |fact| known & fact == 0;
            let of_w = *v > 0 && lacks(GE) || *v < 0 && lacks(LE);
            ensure(!of_w, "the term of w may be negative").map_err(|no| no.at_row(i))?;
            let of_z = *a < 0 && lacks(LO) || *b < 0 && lacks(UP);
            ensure(!of_z, "the term of a bound of z may be negative").map_err(|no| no.at_row(i))?;
        }
        Ok(())
    }
}
