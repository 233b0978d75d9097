//! Contacts of a problem at a point.

use rug::Rational;

use crate::{Refusal, budget::*, cone::*, ensure, exact::*, rows::*};

/// An expression at z, with `last` in column n.
pub(crate) fn value(
    own: &Exact, z: &[Rational], last: u32, budget: &Budget,
) -> Result<Rational, Refusal> {
    let (sum, factor) = own.at(z, last, budget)?;
    budget.reduce(2, bits(&sum), bits(&factor) + bits(&own.denominator))?;
    Ok(Rational::from((sum, factor * &own.denominator)))
}

/// w_i at z.
pub(crate) fn velocity(
    problem: &impl Problem, i: usize, z: &[Rational], budget: &Budget,
) -> Result<Rational, Refusal> {
    let mut held = budget.hold(0, 0)?;
    let row = Row::of(problem, i, &mut held)?;
    row.terms[0].as_ref().map_or(Ok(Rational::new()), |w| value(w, z, 1, budget))
}

/// Checks that a contact obeys its law at z exactly.
pub(crate) fn check_contact(
    problem: &impl Problem, cone: &Cone, z: &[Rational], budget: &Budget,
) -> Result<(), Refusal> {
    let mut rows = Vec::new();
    for i in cone.rows() {
        let (r, w) = (z[i].clone(), velocity(problem, i, z, budget)?);
        rows.push(At { r, w, s: Rational::new() });
    }
    let obeys = obeys(cone, &rows, &Rational::new(), budget)?;
    ensure(obeys, "it does not obey its cone's law").map_err(|no| no.at_row(cone.normal))
}
