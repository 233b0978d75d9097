//! How far a candidate is from exact where there are friction cones (`docs/cones.md`).
//!
//! Every plain row and every cone sets an error of its own, and the largest counts: rows and mu's enter
//! one each. A cone's is the least eps for which the kernel finds its law obeyed within eps, in sizes
//! row by row (the componentwise backward error) or block by block (the block error).

mod blocks;
mod enclosure;
mod reading;
mod residual;
mod worst;

use etalon_kernel::{At, Cone, Problem as _};
use etalon_lcp::{Measures, Problem, Row};
use rug::Rational;

use crate::CertificateError;
use crate::bounds::Bounds;
use crate::budget::{Budget, OverBudget, fraction_bits};
use crate::evaluate::{Evaluation, Place, Worst as PlainWorst, natural_residual};
use crate::integers::{ExactVector, IntegerRow};
use crate::own::Own;
use crate::tolerance::Tolerance;

use blocks::{Blocks, add, data_size};
use enclosure::Enclosure;
use reading::Reading;
use residual::residual;
use worst::Worst;

/// The errors of a reading.
struct Errors {
    /// In sizes row by row.
    componentwise: Worst,
    /// In sizes block by block.
    block: Worst,
}

/// From so many contacts on the readings are evaluated at once, each with means of its own: what is found does not
/// depend on that.
const CONES_FOR_THREADS: usize = 10_000;

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
    let cones: Vec<_> = Own::new(problem).cones().collect();
    let contacts = Contacts {
        problem,
        bounds: &bounds,
        blocks: &blocks,
        cones: &cones,
        tol: &tolerance.tol,
    };
    let readings = contacts.readings(z, &tolerance.snap, &budget(problem))?;
    let (residual, errors) = contacts.measured(z, &readings.all);
    let mut measures = Measures {
        residual: residual?,
        negativity: readings.negativity,
        negative_row: readings.negative_row,
        ..Measures::default()
    };
    take_least(&mut measures, &readings.all, errors)?;
    Ok(Evaluation {
        measures,
        of_cones: !problem.is_lcp(),
        ..Evaluation::default()
    })
}

/// Every reading is an upper bound of both errors, so the least of each counts.
fn take_least(
    measures: &mut Measures,
    readings: &[Reading],
    errors: Vec<Found<Errors>>,
) -> Result<(), CertificateError> {
    let mut least: Option<Errors> = None;
    for (reading, errors) in readings.iter().zip(errors) {
        let errors = errors?;
        let Some(best) = &mut least else {
            least = Some(errors);
            continue;
        };
        if errors.componentwise.high < best.componentwise.high {
            best.componentwise = errors.componentwise;
            measures.snapped.clone_from(&reading.moves);
        }
        if errors.block.high < best.block.high {
            best.block = errors.block;
            measures.moved.clone_from(&reading.moves);
        }
    }
    if let Some(least) = least {
        measures.backward_error = least.componentwise.high;
        measures.worst_row = least.block.row;
        measures.error.clone_from(&least.block.high);
        measures.block_error = Some(least.block.high);
    }
    Ok(())
}

/// What an evaluation may take: the budget of a check, and for each row of the problem what its own
/// numbers and decisions take, so that a million contacts are judged in one pass.
pub(crate) fn budget(problem: &Problem) -> Budget {
    let (bits, work) = Budget::default().left();
    let n = problem.n() as u64;
    Budget::new(bits.saturating_add(n << 13), work.saturating_add(n << 18))
}

impl Contacts<'_> {
    /// The residual of a candidate, and the errors of its readings.
    fn measured(
        &self,
        z: &[Rational],
        readings: &[Reading],
    ) -> (Found<Option<Rational>>, Vec<Found<Errors>>) {
        let residual = || self.residual(z, &budget(self.problem));
        let errors = |reading: &Reading| self.errors(&reading.x, &budget(self.problem));
        if self.cones.len() < CONES_FOR_THREADS {
            return (residual(), readings.iter().map(errors).collect());
        }
        std::thread::scope(|scope| {
            let errors = &errors;
            let threads = readings.iter().map(|one| scope.spawn(move || errors(one)));
            let threads: Vec<_> = threads.collect();
            let residual = residual();
            let joined = threads.into_iter().map(|thread| {
                let why = "a thread of the evaluation ended without a result";
                let found = thread.join();
                found.unwrap_or_else(|_| Err(CertificateError::new(why)))
            });
            (residual, joined.collect())
        })
    }

    /// The errors of a point within the bounds and without a force that no change of data explains.
    fn errors(&self, x: &[Rational], budget: &Budget) -> Result<Errors, CertificateError> {
        let sizes = self.blocks.sizes(self.problem, x, budget)?;
        let vector = ExactVector::new(x, budget)?;
        let place = Place::new(self.problem, self.bounds, self.tol, budget);
        let mut plain = <[PlainWorst; 2]>::default();
        let rows = self.problem.rows();
        for i in (0..x.len()).filter(|&i| rows[i] != Row::Cone) {
            let (w, s) = self.row(&vector, i, budget)?;
            for (worst, size) in plain.iter_mut().zip([&s, &sizes[self.blocks.of(i)]]) {
                place.take(worst, i, (&w, size), x, x)?;
            }
        }
        let mut errors = plain.map(|worst| Worst {
            row: worst.row(),
            high: worst.error,
        });
        for cone in in_mixed_order(self.cones) {
            let mut contact = self.contact(cone, &vector, x, budget)?;
            errors[0].take_cone(cone, &contact, self.tol, budget)?;
            for (at, i) in contact.iter_mut().zip(cone.rows()) {
                at.s.clone_from(&sizes[self.blocks.of(i)]);
            }
            errors[1].take_cone(cone, &contact, self.tol, budget)?;
        }
        let [componentwise, block] = errors;
        Ok(Errors {
            componentwise,
            block,
        })
    }

    /// w and s of a row.
    fn row(
        &self,
        vector: &ExactVector<'_>,
        i: usize,
        budget: &Budget,
    ) -> Result<(Rational, Rational), OverBudget> {
        let row = IntegerRow::new(self.problem.m().row(i), &self.problem.q()[i], budget)?;
        let (w, mut s) = vector.sums(&row, budget)?.reduced(budget)?;
        let q = self.problem.q()[i].to_rational().abs();
        add(&mut s, &(data_size(self.problem, i) - q), budget)?;
        Ok((w, s))
    }

    /// The rows of a contact.
    fn contact(
        &self,
        cone: &Cone,
        vector: &ExactVector<'_>,
        x: &[Rational],
        budget: &Budget,
    ) -> Result<Vec<At>, OverBudget> {
        let row = |i: usize| {
            let (w, s) = self.row(vector, i, budget)?;
            Ok(At {
                r: x[i].clone(),
                w,
                s,
            })
        };
        cone.rows().map(row).collect()
    }

    /// The residual of the candidate as it stands; none where a contact has none.
    fn residual(
        &self,
        z: &[Rational],
        budget: &Budget,
    ) -> Result<Option<Rational>, CertificateError> {
        let vector = ExactVector::new(z, budget)?;
        let mut sum = Enclosure::default();
        let rows = self.problem.rows();
        for i in (0..z.len()).filter(|&i| rows[i] != Row::Cone) {
            let (w, _) = self.row(&vector, i, budget)?;
            budget.reduce(2, fraction_bits(&z[i]), fraction_bits(&w))?;
            let own = natural_residual(&z[i], &w, self.bounds.of(i, z));
            sum = sum.plus(&Enclosure::from(own).square());
        }
        for cone in self.cones {
            let contact = self.contact(cone, &vector, z, budget)?;
            let bits = contact
                .iter()
                .map(|at| fraction_bits(&at.r) + fraction_bits(&at.w))
                .sum();
            // Ends of some 500 bits, a hundred operations a row.
            budget.reduce(100 * contact.len() as u64, 512, 512)?;
            budget.reduce(16, bits, bits)?;
            let Some(own) = residual(cone, &contact) else {
                return Ok(None);
            };
            sum = sum.plus(&own);
        }
        Ok(Some(sum.root().high))
    }
}

/// All cones in an order that has nothing to do with their errors, so that few are larger than all before:
/// those at multiples of a number without a common divisor with theirs.
fn in_mixed_order(cones: &[Cone]) -> impl Iterator<Item = &Cone> {
    let count = cones.len();
    // Near the golden section of them, where multiples are spread evenly.
    let near = (count as u128 * 618 / 1000) as usize;
    let step = (near.max(1)..)
        .find(|step| gcd(*step, count) == 1)
        .unwrap_or(1);
    (0..count).map(move |k| &cones[(k as u128 * step as u128 % count as u128) as usize])
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
