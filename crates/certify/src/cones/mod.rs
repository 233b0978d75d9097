//! How far a candidate is from exact where there are friction cones (`docs/cones.md`).
//!
//! Every plain row and every cone sets an error of its own, and the largest counts: rows and mu's enter
//! one each. A cone's is the least eps for which the kernel finds its law obeyed within eps, in sizes
//! row by row (the componentwise backward error) or block by block (the block error).

mod blocks;
mod carried;
mod certain;
mod contacts;
mod enclosure;
mod energy;
mod far;
mod grade;
mod joints;
mod means;
mod natural;
mod negativity;
mod order;
mod overlay;
mod parts;
mod reading;
mod residual;
mod solved;
#[cfg(test)]
// A test fails by panicking; the lints are for the library.
#[allow(clippy::unwrap_used)]
mod tests;
mod worst;

use etalon_lcp::{Cone, Law, Measures, Problem};
use rug::Rational;

use crate::CertificateError;
use crate::bounds::{Bounds, Vector};
use crate::budget::Budget;
use crate::evaluate::Evaluation;
use crate::tolerance::Tolerance;

use blocks::Blocks;
use contacts::Errors;
pub use enclosure::{root_above, root_below};
pub use energy::{energy_error, inverse_form};
pub use far::FarMoves;
pub(crate) use grade::at_largest_sizes;
use means::Means;
use natural::Natural;
use overlay::Overlay;
pub use parts::on_threads;
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

/// Whether the problem has a residual: products of discs under the convex law have none.
pub(crate) fn has_residual(problem: &Problem) -> bool {
    let is_defined = |cone: &Cone| residual::is_defined(cone.law == Law::Convex, cone.discs.len());
    problem.cones().iter().all(is_defined)
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
    let mut readings = contacts.readings(z, (None, &tolerance.snap), &means)?;
    let mut natural = None;
    if readings.outside > tolerance.tol {
        let sizes = contacts.natural(z, &readings.all[0].x, &means)?;
        readings = contacts.readings(z, (Some(&sizes), &tolerance.snap), &means)?;
        natural = Some(sizes);
    }
    let (residual, errors) = contacts.measured(z, &readings.all, &means)?;
    let mut measures = Measures {
        residual,
        negativity: contacts.negativity(z, &readings.all[readings.moved].x),
        outside: Some(readings.outside),
        negative_row: readings.negative_row,
        ..Measures::default()
    };
    let mut all: Vec<_> = (readings.all.into_iter().zip(errors))
        .map(|(reading, errors)| (reading, errors, By::Both))
        .collect();
    let is_right = |own: &Errors| own.iter().all(|error| error.high <= tolerance.tol);
    if !all.iter().any(|(_, errors, _)| is_right(errors)) {
        let sizes = match natural {
            Some(sizes) => sizes,
            None => contacts.natural(z, &all[0].0.x, &means)?,
        };
        contacts.take_near(z, (&mut all, &sizes), tolerance, &means)?;
    }
    // What is outside of its cone is rejected whatever the rest is.
    let is_inside = *measures.violation() <= tolerance.tol;
    let unsolved = is_inside && contacts.take_solved(z, &mut all, &means)?;
    let x = take_least(&mut measures, all, &tolerance.tol);
    let mut far = None;
    if let Some(x) = &x
        && measures.error <= tolerance.tol
    {
        far = contacts.moves_far(z, x, &means)?;
    }
    measures.moves_far = far.is_some();
    let reading = x.filter(|_| measures.moves_far);
    Ok(Evaluation {
        measures,
        reading: reading.map(|x| (0..z.len()).map(|i| x.at(i).clone()).collect()),
        far,
        unsolved,
        of_cones: !problem.is_lcp(),
        ..Evaluation::default()
    })
}

/// Which errors a reading sets.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Both,
    /// The block error, in which what moved counts.
    Blocks,
}

/// A reading with its errors.
type Judged<'z> = (Reading<'z>, Errors, By);

impl Contacts<'_> {
    /// Takes the readings with entries moved that are near to a bound or the boundary of a cone: within `snap`, and within
    /// the tolerance.
    fn take_near<'z>(
        &self,
        z: &'z [Rational],
        (all, natural): (&mut Vec<Judged<'z>>, &Natural),
        tolerance: &Tolerance,
        means: &Means,
    ) -> Found<()> {
        let Some((last, ..)) = all.last() else {
            return Ok(());
        };
        let limits = [(&tolerance.snap, By::Both), (&tolerance.tol, By::Blocks)];
        let mut found = Vec::new();
        for (limit, by) in limits {
            let near = self.near(last, limit, natural, &means.of_all())?;
            if let Some(reading) = near {
                let (_, mut errors) = self.measured(z, std::slice::from_ref(&reading), means)?;
                found.extend(errors.pop().map(|errors| (reading, errors, by)));
            }
        }
        all.append(&mut found);
        Ok(())
    }

    /// Where no reading is right by blocks, the first that is so with the free rows of bodies solved takes that error. Whether
    /// the budget ran out before that was known.
    fn take_solved(&self, z: &[Rational], all: &mut [Judged<'_>], means: &Means) -> Found<bool> {
        let moves = |(reading, _, by): &Judged<'_>| match by {
            By::Both => Rational::new(),
            By::Blocks => reading.moves.furthest.clone(),
        };
        let near = |judged: &Judged<'_>| moves(judged) <= *self.tol;
        if (all.iter()).any(|judged| near(judged) && judged.1[1].high <= *self.tol) {
            return Ok(false);
        }
        let (mut unsolved, budget) = (false, means.of_all());
        for judged in all.iter_mut().filter(|judged| near(judged)) {
            match self.solved(z, &judged.0.x, (means, &budget)) {
                Ok(Some(worst)) => {
                    judged.1[1] = worst;
                    return Ok(false);
                }
                Ok(None) => {}
                Err(error) if error.is_over_budget() => unsolved = true,
                Err(error) => return Err(error),
            }
        }
        Ok(unsolved)
    }
}

/// Every reading is an upper bound of the errors that it sets, so the least of each counts. Returns the point of the one that
/// has the block error, where something is moved there.
fn take_least<'z>(
    measures: &mut Measures,
    readings: Vec<Judged<'z>>,
    tol: &Rational,
) -> Option<Overlay<'z>> {
    let mut least: Option<Errors> = None;
    let mut point = None;
    for (reading, [componentwise, mut block], by) in readings {
        let Some([by_rows, by_blocks]) = &mut least else {
            least = Some([componentwise, block]);
            point = Some(reading.x);
            continue;
        };
        if by == By::Both && componentwise.high < by_rows.high {
            *by_rows = componentwise;
            measures.snapped.clone_from(&reading.moves);
        }
        if by == By::Blocks && block.high < reading.moves.furthest {
            block.high.clone_from(&reading.moves.furthest);
        }
        // Moves within the tolerance acquit, or count for nothing.
        if block.high < by_blocks.high && (by == By::Both || block.high <= *tol) {
            *by_blocks = block;
            measures.moved.clone_from(&reading.moves);
            point = Some(reading.x);
        }
    }
    if let Some([componentwise, block]) = least {
        measures.backward_error = componentwise.high;
        measures.worst_row = block.row;
        measures.error.clone_from(&block.high);
        measures.block_error = Some(block.high);
    }
    point.filter(|x| x.changed().next().is_some())
}

/// What the check of a candidate may take.
pub(crate) fn budget(problem: &Problem) -> Budget {
    Means::new(problem).of_all()
}
