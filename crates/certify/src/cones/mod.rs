//! How far a candidate is from exact where there are friction cones (`docs/cones.md`).
//!
//! Every plain row and every cone sets an error of its own, and the largest counts: rows and mu's enter
//! one each. A cone's is the least eps for which the kernel finds its law obeyed within eps, in sizes
//! row by row (the componentwise backward error) or block by block (the block error).

mod blocks;
mod certain;
mod contacts;
mod enclosure;
mod energy;
mod means;
mod order;
mod overlay;
mod parts;
mod reading;
mod residual;
#[cfg(test)]
// A test fails by panicking; the lints are for the library.
#[allow(clippy::unwrap_used)]
mod tests;
mod worst;

use etalon_lcp::{Cone, Measures, Problem};
use rug::Rational;

use crate::CertificateError;
use crate::bounds::Bounds;
use crate::budget::Budget;
use crate::evaluate::Evaluation;
use crate::tolerance::Tolerance;

use blocks::Blocks;
use contacts::Errors;
pub use enclosure::{root_above, root_below};
pub use energy::{energy_error, inverse_form};
use means::Means;
use reading::Reading;

/// What is found within the budget.
type Found<T> = Result<T, CertificateError>;

/// What is evaluated.
struct Contacts<'a> {
    problem: &'a Problem,
    bounds: &'a Bounds,
    blocks: &'a Blocks,
    cones: &'a [Cone],
    tol: &'a Rational,
}

/// Evaluates a candidate z of length n that does not solve the problem exactly.
///
/// # Errors
/// Numbers over the budget, which grows with the number of rows.
pub(crate) fn evaluate(
    problem: &Problem,
    z: &[Rational],
    tolerance: &Tolerance,
) -> Result<Evaluation, CertificateError> {
    let (bounds, blocks) = (Bounds::new(problem), Blocks::new(problem));
    let means = Means::new(problem);
    let contacts = Contacts {
        problem,
        bounds: &bounds,
        blocks: &blocks,
        cones: problem.cones(),
        tol: &tolerance.tol,
    };
    let readings = contacts.readings(z, &tolerance.snap, &means)?;
    let (residual, errors) = contacts.measured(z, &readings.all, &means)?;
    let mut measures = Measures {
        residual,
        negativity: readings.negativity,
        negative_row: readings.negative_row,
        ..Measures::default()
    };
    take_least(&mut measures, &readings.all, errors);
    Ok(Evaluation {
        measures,
        of_cones: !problem.is_lcp(),
        ..Evaluation::default()
    })
}

/// Every reading is an upper bound of both errors, so the least of each counts.
fn take_least(measures: &mut Measures, readings: &[Reading<'_>], errors: Vec<Errors>) {
    let mut least: Option<Errors> = None;
    for (reading, [componentwise, block]) in readings.iter().zip(errors) {
        let Some([by_rows, by_blocks]) = &mut least else {
            least = Some([componentwise, block]);
            continue;
        };
        if componentwise.high < by_rows.high {
            *by_rows = componentwise;
            measures.snapped.clone_from(&reading.moves);
        }
        if block.high < by_blocks.high {
            *by_blocks = block;
            measures.moved.clone_from(&reading.moves);
        }
    }
    if let Some([componentwise, block]) = least {
        measures.backward_error = componentwise.high;
        measures.worst_row = block.row;
        measures.error.clone_from(&block.high);
        measures.block_error = Some(block.high);
    }
}

/// What the check of a candidate may take.
pub(crate) fn budget(problem: &Problem) -> Budget {
    Means::new(problem).of_all()
}
