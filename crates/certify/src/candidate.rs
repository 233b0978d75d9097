//! A candidate's evaluation: exact, or by the measures of its kind of problem.

use etalon_lcp::{Measures, Problem};
use rug::Rational;

use crate::CertificateError;
use crate::budget::of_answer;
use crate::cones;
use crate::evaluate::{Evaluation, evaluate_lcp, solves_within};
use crate::tolerance::{Measure, Tolerance};

/// Evaluates a candidate z of length n. Rows that are right within `tolerance.tol` as they stand
/// are left as they are; elsewhere entries may move onto a bound ([`Measures::moved`]).
///
/// # Errors
/// Another length than the problem has rows, or numbers over the budget.
pub fn evaluate(
    problem: &Problem,
    z: &[Rational],
    tolerance: &Tolerance,
) -> Result<Evaluation, CertificateError> {
    let budget = match problem.is_lcp() {
        true => of_answer(problem, z),
        false => cones::budget(problem),
    };
    // Answers in binary64 are seldom exact, and their reading tells: its residual is 0 of solutions alone. The kernel is
    // asked only there, from a budget of its own. Fractions are asked at once, as their readings are long.
    let is_dyadic = z.iter().all(|z_i| z_i.denom().is_power_of_two());
    let is_read_first = is_dyadic && problem.is_lcp() && z.len() == problem.n();
    let read = || evaluate_lcp(problem, z, tolerance, &of_answer(problem, z)).ok();
    let read_first = is_read_first.then(read).flatten();
    let read_first = read_first.filter(|read| read.measures.residual != Some(Rational::new()));
    if read_first.is_none() && solves_within(problem, z, &budget)? {
        let by_blocks = !problem.is_lcp() || tolerance.measure == Measure::Block;
        return Ok(Evaluation {
            exact: true,
            measures: Measures {
                block_error: by_blocks.then(Rational::new),
                outside: (!problem.is_lcp()).then(Rational::new),
                residual: cones::has_residual(problem).then(Rational::new),
                ..Measures::default()
            },
            ..Evaluation::default()
        });
    }
    if !problem.is_lcp() {
        return cones::evaluate(problem, z, tolerance);
    }
    let read = || evaluate_lcp(problem, z, tolerance, &budget);
    let mut evaluation = read_first.map_or_else(read, Ok)?;
    if tolerance.measure == Measure::Block {
        let by_blocks = cones::evaluate(problem, z, tolerance)?;
        evaluation.measures.block_error = by_blocks.measures.block_error;
    }
    Ok(evaluation)
}
