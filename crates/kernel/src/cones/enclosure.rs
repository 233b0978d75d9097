//! An enclosed solution: a box of which it is proved that it holds one, which fractions need not state.
//!
//! Modes of contacts and rows make equations of the law, linear ones and products of two (`modes.rs`),
//! which have one zero in the box (`krawczyk.rs`). (`docs/certificates-cones.md`, "A solution is near".)

use std::cell::RefCell;

use super::{boxes::*, krawczyk::*, read::*};
use crate::{Checked, Refusal, budget::*, cone::*, ensure, rows::*};

/// Checks that the box holds a solution.
///
/// # Errors
/// What does not hold; the budget.
pub(crate) fn check_enclosure(
    problem: &impl Problem, own: Enclosure<'_>, budget: &Budget,
) -> Checked {
    let (n, mut held) = (problem.n(), budget.hold(0, 0)?);
    let (cones, is_plain) = cones_of(problem, &mut held)?;
    let plain: Vec<_> = (0..n).filter(|&i| is_plain[i]).collect();
    ensure(
        own.modes.len() == cones.len() + plain.len(),
        "there is not a mode for each row and contact",
    )?;
    ensure(own.center.len() == n && own.radius.len() == n, "center or radius has not n entries")?;
    ensure(own.radius.iter().all(|d| *d >= 0), "a radius is negative")?;
    let (mut next, mut unknown) = (0.., Vec::new());
    unknown.extend(own.radius.iter().map(|d| if *d > 0 { next.next() } else { None }));
    let rows = Row::all(problem, &mut held)?;
    let (paid, of_rows) = (Paid::of(budget), RefCell::new(budget.hold(0, 0)?));
    let looked = Looked { own, rows, unknown, paid, held: of_rows };
    let mut equations = Vec::new();
    equations.resize_with(n, || None);
    let (of_cones, of_rows) = own.modes.split_at(cones.len());
    for (cone, mode) in cones.iter().zip(of_cones) {
        let found = looked.contact(cone, mode, &mut equations);
        found.map_err(|no| Refusal { row: no.row.or(Some(cone.normal)), ..no })?;
    }
    for (&i, mode) in plain.iter().zip(of_rows) {
        let found = looked.plain(i, mode).map_err(|no| no.at_row(i));
        equations[i] = found?;
    }
    looked.paid.found(())?;
    let d: Vec<_> = own.radius.iter().filter(|d| **d > 0).cloned().collect();
    for (k, by) in own.implied {
        looked.leave_out(*k, by, d.len(), &mut equations).map_err(|no| no.at_row(*k))?;
    }
    // Row i has an equation where z_i is unknown, and none otherwise, unless some were left out: then as many
    // unknowns are fixed as there are such equations, at these rows or at others.
    let differs = |i: &usize| equations[*i].is_some() != looked.unknown[*i].is_some();
    let row = (0..n).find(differs);
    let why = "its radius is 0 where z is unknown, or it is not where z is known";
    ensure(equations.iter().flatten().count() == d.len(), why)
        .map_err(|no| Refusal { row, ..no })?;
    check_zero(equations.into_iter().flatten().collect(), d, own.inverse, &looked.paid, &mut held)
        .map_err(|no| {
            let row = no.row.and_then(|x| looked.unknown.iter().position(|own| *own == Some(x)));
            Refusal { row, ..no }
        })
}
