//! What proofs about friction cones read of a problem.

use std::collections::BTreeMap;

use rug::Rational;

use crate::{Checked, budget::*, cone::*, contact::*, ensure, rows::*};

/// The cones of a problem, and whether each row is in none of them.
///
/// # Errors
/// What is no cone, a row that is not there or in two, the budget.
pub(crate) fn cones_of(
    problem: &impl Problem, held: &mut Held<'_>,
) -> Checked<(Vec<Cone>, Vec<bool>)> {
    let (mut cones, mut is_plain) = (Vec::new(), vec![true; problem.n()]);
    for cone in problem.cones() {
        ensure(cone.is_valid(), "no cone with so many rows")?;
        let mus = cone.discs.iter().flat_map(|disc| &disc.mu);
        held.more(mus.clone().count() as u64 + 2, mus.map(fraction_bits).sum())?;
        cone.take_rows(&mut is_plain)?;
        cones.push(cone);
    }
    Ok((cones, is_plain))
}

/// w_i at z.
pub(crate) fn velocity(
    problem: &impl Problem, i: usize, z: &[Rational], budget: &Budget,
) -> Checked<Rational> {
    let mut held = budget.hold(0, 0)?;
    let row = Row::of(problem, i, &mut held)?;
    row.terms[0].as_ref().map_or(Ok(Rational::new()), |w| value(w, z, 1, budget))
}

/// Entries of a matrix by row and column.
pub(crate) type Entries = BTreeMap<(usize, usize), Rational>;

/// The nonzeros of M.
///
/// # Errors
/// A row that names a column twice, the budget.
pub(crate) fn entries_of(problem: &impl Problem, held: &mut Held<'_>) -> Checked<Entries> {
    let (n, mut entries) = (problem.n(), Entries::new());
    for i in 0..n {
        for (j, value) in problem.row(i).filter(|(j, value)| *j < n && *value != 0) {
            held.more(4, fraction_bits(&value))?;
            ensure(entries.insert((i, j), value).is_none(), "a row names a column twice")?;
        }
    }
    Ok(entries)
}
