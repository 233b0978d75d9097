//! Contacts of a problem at a point.

use rug::Rational;

use crate::{Checked, budget::*, cone::*, ensure, exact::*, rows::*};

/// An expression at z, with `last` in column n.
pub(crate) fn value(own: &Exact, z: &[Rational], last: u8, budget: &Budget) -> Checked<Rational> {
    let [sum, factor] = own.at((z, &last.into()), budget)?;
    budget.reduce(2, bits(&sum), bits(&factor) + bits(&own.denominator))?;
    Ok(Rational::from((sum, factor * &own.denominator)))
}

/// Checks that a contact obeys its law at z exactly.
pub(crate) fn check_contact(
    problem: &impl Problem, cone: &Cone, z: &[Rational], budget: &Budget,
) -> Checked {
    let mut rows = Vec::new();
    for i in cone.rows() {
        let mut held = budget.hold(0, 0)?;
        let [Some(w), ..] = Row::of(problem, i, &mut held)?.terms else { continue };
        rows.push(At { r: z[i].clone(), w: value(&w, z, 1, budget)?, ..At::default() });
    }
    let obeys = obeys(cone, &rows, &Rational::new(), budget)?;
    ensure(obeys, "it does not obey its cone's law").map_err(|no| no.at_row(cone.normal))
}
