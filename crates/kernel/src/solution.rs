//! Points: whether one solves the problem.

use rug::Rational;

use crate::{Checked, budget::*, contact::*, ensure, exact::*, rows::*};

/// Checks that z, of n entries, solves the problem exactly: the definition, row by row.
///
/// # Errors
/// The first row that z breaks, another length, or the budget.
pub fn check_solution(problem: &impl Problem, z: &[Rational], budget: &Budget) -> Checked {
    ensure(z.len() == problem.n(), "z has not n entries")?;
    let mut is_plain = vec![true; z.len()];
    for cone in problem.cones() {
        cone.take_rows(&mut is_plain)?;
        check_contact(problem, &cone, z, budget)?;
    }
    // Dense rows meet all of z: over one denominator, each entry meets half of the digits, and no division.
    let (whole, one) = (whole(z).ok(), Rational::from(1));
    let z = whole.as_ref().map_or((z, &one), |(y, d)| (&y[..], d));
    for i in (0..is_plain.len()).filter(|&i| is_plain[i]) {
        let mut held = budget.hold(0, 0)?;
        let row = Row::of(problem, i, &mut held);
        row.and_then(|row| row.check(z, 0, budget)).map_err(|no| no.at_row(i))?;
    }
    Ok(())
}
