//! Points: whether one solves the problem.

use rug::Rational;

use crate::{Refusal, budget::*, contact::*, ensure, rows::*};

impl Row {
    /// Checks that the row is solved at z, and that these facts hold there; or along a direction,
    /// where `last` is 0.
    ///
    /// # Errors
    /// z_i is outside its bounds, w_i has the wrong sign, another fact.
    pub(crate) fn check(
        &self, z: &[Rational], last: u32, known: Facts, budget: &Budget,
    ) -> Result<(), Refusal> {
        // Of each expression what a sign below 0, the sign 0 and a sign above 0 say.
        let (mut facts, signs) = (0, [[LE, LE | GE, GE], [0, LO, 0], [0, UP, 0]]);
        for (term, [below, at, above]) in self.terms.iter().zip(signs) {
            let Some(term) = term else { continue };
            let sign = term.at(z, last, budget)?.0.cmp0();
            ensure(sign.is_ge() || below != 0, "z is outside its bounds")?;
            facts |= if sign.is_eq() { at } else { [below, above][usize::from(sign.is_gt())] };
        }
        ensure(decides(&facts), "w has the wrong sign, or z is off the bound that allows it")?;
        ensure(known & !facts == 0, "z is not in this node")
    }
}

/// Checks that z, of n entries, solves the problem exactly: the definition, row by row.
///
/// # Errors
/// The first row that z breaks, another length, or the budget.
pub fn check_solution(
    problem: &impl Problem, z: &[Rational], budget: &Budget,
) -> Result<(), Refusal> {
    ensure(z.len() == problem.n(), "z has not n entries")?;
    let mut is_plain = vec![true; z.len()];
    for cone in problem.cones() {
        cone.take_rows(&mut is_plain)?;
        check_contact(problem, &cone, z, budget)?;
    }
    for i in (0..z.len()).filter(|&i| is_plain[i]) {
        let mut held = budget.hold(0, 0)?;
        let row = Row::of(problem, i, &mut held);
        row.and_then(|row| row.check(z, 1, 0, budget)).map_err(|no| no.at_row(i))?;
    }
    Ok(())
}
