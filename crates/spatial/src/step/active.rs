//! Contacts that take part when they are violated (Stewart and Trinkle 1996, section 4).
//!
//! Geometry proposes contacts anew in each step, so that a contact of the last step has no other name than its gap: those that pressed are closed
//! now. At first those take part that are closed, or violated at q^l + h v^l, or that bounce by Newton's law. Then, until there are none, those that the
//! answer violates at q^(l+1). None is taken out again, so that each problem has more of them than the one before. A contact that is left out has
//! no impulse and is open at the end: so the step solves the problem of all contacts, too. Gaps are those of rows, to first order. Bodies
//! that meet all the same, without a contact, are the error that they are where all take part.

use rug::Rational;

use super::problem::{Given, Met, meeting};
use super::{Phases, SpaceStepper};
use crate::contact::Contact;
use crate::error::SpatialError;
use crate::grid::BITS;

/// How far a gap may be below 0 and count as open. Places are rounded by half a step of the grid, 2^-41 m, in three coordinates of two bodies: that
/// closes a gap by less than 6 of these, and 2^-38 m is 8. Counted as overlaps they would add contacts in each round.
fn slack() -> Rational {
    Rational::from(1) >> (BITS - 2)
}

impl SpaceStepper<'_> {
    /// The problem of the contacts that take part, solved.
    pub(super) fn when_violated(
        &self,
        given: Given<'_>,
        near: Vec<Contact>,
    ) -> Result<Phases, SpatialError> {
        let (alone, met) = meeting(given, near)?;
        let h = &given.settings.h;
        let begins = |own: &Met| {
            let ahead = Rational::from(&own.approach * h) + &own.gap;
            own.gap <= 0 || ahead < 0 || own.bounces(given.settings)
        };
        let mut active: Vec<bool> = met.iter().map(begins).collect();
        let mut problems = 0;
        loop {
            let mut posed = alone.clone();
            let taking_part = met.iter().zip(&active).filter(|(_, active)| **active);
            posed.take_part(given, taking_part.map(|(own, _)| own), false);
            let answered = self.answer(&posed, "step")?;
            problems += 1;
            let whole = posed.whole(&answered.0.z);
            let velocity = posed.formulation.velocity_after(&whole);
            if !activate(&met, &mut active, (h, &velocity)) {
                return Ok(Phases {
                    posed,
                    compression: None,
                    answered: Some(answered),
                    problems,
                });
            }
        }
    }
}

/// Takes in what an answer violates; says whether there is any.
fn activate(met: &[Met], active: &mut [bool], (h, velocity): (&Rational, &[Rational])) -> bool {
    let slack = -slack();
    let mut found = false;
    for (own, active) in met.iter().zip(active) {
        if !*active && own.normal.times(velocity) * h + &own.gap < slack {
            (*active, found) = (true, true);
        }
    }
    found
}
