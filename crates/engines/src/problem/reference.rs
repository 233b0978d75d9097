//! A reference solution: exact where there are no cones, near otherwise, with its own bound.

use etalon_exact::{Budget, Certified};
use etalon_fast::{ConeProblem, Method, solve_cones};
use etalon_lcp::{ClaimedAnswer, Number, Solver};
use rug::Rational;

use super::certificate::{certify, lawful};
use super::exact::ExactData;
use super::norm::DualNorm;

/// A point near the solution.
pub(super) struct Reference {
    pub a: Vec<Rational>,
    /// At least |a - a*|_M; 0 of an exact solution.
    pub off: Rational,
}

/// Solves the problem.
///
/// # Errors
/// Why there is no reference solution.
pub(super) fn solve(
    data: &ExactData,
    norm: &DualNorm,
    start: &[Rational],
) -> Result<Reference, String> {
    let problem = data.problem().ok_or("the problem cannot be put together")?;
    let nv = data.nv();
    if !data.has_cones() {
        let solver = Certified::new(Method::Auto.solver(), Budget::default());
        let claim = solver.solve(&problem);
        let ClaimedAnswer::Solved { z } = claim.answer else {
            let why = claim.message.unwrap_or_default();
            return Err(format!("no exact solution was found: {why}"));
        };
        let a = z[..nv].iter().map(Number::to_rational).collect();
        let off = Rational::new();
        return Ok(Reference { a, off });
    }
    let problem = ConeProblem::from_problem(&problem).map_err(|error| error.to_string())?;
    let start: Vec<_> = start.iter().map(Rational::to_f64).collect();
    let found = solve_cones(&problem, None).or_else(|_| solve_cones(&problem, Some(&start)));
    let found = found.map_err(|error| format!("no reference solution was found: {error}"))?;
    let z: Option<Vec<_>> = found.z.iter().map(|own| Rational::from_f64(*own)).collect();
    let z = z.ok_or("the reference solution is not finite")?;
    let (a, f) = z.split_at(nv);
    best(data, norm, a.to_vec(), f)
}

/// The reference with the better bound of its own forces and those that the law gives.
fn best(
    data: &ExactData,
    norm: &DualNorm,
    a: Vec<Rational>,
    f: &[Rational],
) -> Result<Reference, String> {
    let own = certify(data, norm, &a, f)?.motion;
    let other = certify(data, norm, &a, &lawful(data, &a))?.motion;
    Ok(Reference {
        a,
        off: own.min(other),
    })
}
