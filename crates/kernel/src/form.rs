//! The linear form of a certificate's vector y: the identity
//!
//! > sum over i of v_i w_i + a_i (z_i - L_i) + b_i (U_i - z_i) = C,
//!
//! which holds for all z with w = Mz + q, because its multipliers leave no z_j. Where every term
//! is known to be at least 0, C < 0 says that there is no solution, and C = 0 that every term is 0.
//! (Farkas 1902; Cottle, Pang, Stone, section 2.7; `docs/certificates.md`, "The form".)

use rug::{Integer, Rational};

use crate::{Checked, Refusal, budget::*, ensure, rows::*};

/// A vector of a certificate. The code that turns it into what the kernel asks for is not trusted:
/// its results are checked, and a mistake in it can only cause a refusal.
pub trait Vector {
    /// The multipliers v_i, a_i and b_i of the terms of all rows, times one positive factor; 0 of
    /// a bound that is not there.
    ///
    /// # Errors
    /// A vector from which none can be made, the budget.
    fn multipliers(&self, rows: &[Row], held: &mut Held<'_>) -> Checked<Vec<[Integer; 3]>>;

    /// The n entries of z; or of a direction, where `last` is 0 and not 1.
    ///
    /// # Errors
    /// A vector from which none can be made, the budget.
    fn point(&self, rows: &[Row], last: u8, held: &mut Held<'_>) -> Checked<Vec<Rational>>;
}

/// The multipliers v_i, a_i and b_i of the rows in integers, and C, times a positive factor, of a
/// form that has no term below 0 where these facts hold.
///
/// # Errors
/// A term that may be negative, a coefficient that is left, the budget.
pub(crate) fn form(
    rows: &[Row], y: &impl Vector, known: &[Facts], held: &mut Held<'_>,
) -> Checked<(Vec<[Integer; 3]>, Integer)> {
    let all = y.multipliers(rows, held)?;
    ensure(all.len() == rows.len(), "there are not multipliers for each row")?;
    let (mut terms, mut longest) = (Vec::new(), 0);
    // Of v, a and b the facts that a multiplier below 0 needs, and one above.
    let of_z = "the term of a bound of z may be negative";
    let needs = [(LE, GE, "the term of w may be negative"), (LO, 0, of_z), (UP, 0, of_z)];
    for (i, (multipliers, known)) in all.iter().zip(known).enumerate() {
        for ((term, own), (below, above, why)) in rows[i].terms.iter().zip(multipliers).zip(needs) {
            let Some(term) = term.as_ref().filter(|_| !own.is_zero()) else { continue };
            let needed = if *own < 0 { below } else { above };
            ensure(needed & !known == 0, why).map_err(|no| no.at_row(i))?;
            let count = term.entries.len() as u64;
            held.budget.multiply(count * SHORT, 1, 1)?;
            held.budget.multiply(count, term.longest, bits(own))?;
            longest = longest.max(term.longest + bits(own));
            terms.push((term, own));
        }
    }
    // A sum of n terms has at most the bits of n more.
    let numbers = rows.len() as u64 + 1;
    held.more(numbers, numbers.saturating_mul(longest + 64))?;
    let mut sums = vec![Integer::new(); rows.len() + 1];
    for (term, multiplier) in terms {
        term.entries.iter().for_each(|(j, value)| sums[*j] += value * multiplier);
    }
    let constant = sums.pop().unwrap_or_default();
    // Whatever was said above: with this the identity holds.
    let left = sums.iter().position(|sum| *sum != 0);
    let no = Refusal::new("z has no bound, and a coefficient that is not 0");
    left.map_or(Ok((all, constant)), |i| Err(no.at_row(i)))
}
