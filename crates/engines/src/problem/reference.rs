//! A reference solution: exact where there are no cones, near otherwise, with its own bound.

use std::time::Duration;

use etalon_exact::{Budget, Certified};
use etalon_fast::{ConeProblem, FastMethod, solve_cones};
use etalon_lcp::{ClaimedAnswer, Number, Solver};
use rug::Rational;

use super::certificate::{certify, lawful};
use super::exact::ExactData;
use super::newton::minimise;
use super::norm::DualNorm;

/// A point near the solution.
pub(super) struct Reference {
    pub a: Vec<Rational>,
    /// Forces that its bound was found with.
    pub f: Vec<Rational>,
    /// At least |a - a*|_M; 0 of an exact solution.
    pub off: Rational,
}

/// The time of an exact solution: a step is undecided, rather than waited for.
pub(crate) fn budget() -> Budget {
    Budget {
        time: Some(Duration::from_secs(30)),
        ..Budget::default()
    }
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
    let nv = data.nv();
    if !data.is_round() {
        let problem = data.problem().ok_or("the problem cannot be put together")?;
        let solver = Certified::new(FastMethod::Auto.solver(), budget());
        let claim = solver.solve(&problem);
        let ClaimedAnswer::Solved { z } = claim.answer else {
            let why = claim.message.unwrap_or_default();
            return Err(format!("no exact solution was found: {why}"));
        };
        let (a, f) = z.split_at(nv);
        let fractions = |own: &[Number]| own.iter().map(Number::to_rational).collect();
        let off = Rational::new();
        return Ok(Reference {
            a: fractions(a),
            f: fractions(f),
            off,
        });
    }
    let problem = data.problem().ok_or("discs are no cones".to_owned());
    let of_cones = problem.and_then(|problem| {
        let problem = ConeProblem::from_problem(&problem).map_err(|error| error.to_string())?;
        let found = solve_cones(&problem, None).map_err(|error| error.to_string())?;
        let z = exact(&found.z).ok_or("the reference solution is not finite")?;
        let (a, f) = z.split_at(nv);
        best(data, norm, a, f.to_vec())
    });
    let start: Vec<_> = start[..nv].iter().map(Rational::to_f64).collect();
    let by_newton = minimise(data, &start).and_then(|(a, f)| {
        let (a, f) = (exact(&a)?, exact(&f)?);
        best(data, norm, &a, f).ok()
    });
    match (of_cones, by_newton) {
        // Two ways to one solution, each with a bound of its own: the nearer one is taken, whatever
        // proposed it.
        (Ok(own), Some(other)) if own.off <= other.off => Ok(own),
        (_, Some(other)) => Ok(other),
        (Ok(own), None) => Ok(own),
        (Err(why), None) => Err(format!("no reference solution was found: {why}")),
    }
}

fn exact(own: &[f64]) -> Option<Vec<Rational>> {
    own.iter().map(|own| Rational::from_f64(*own)).collect()
}

/// The reference with the better bound of its own forces and those that the law gives.
fn best(
    data: &ExactData,
    norm: &DualNorm,
    a: &[Rational],
    f: Vec<Rational>,
) -> Result<Reference, String> {
    let law = lawful(data, a);
    let own = certify(data, norm, a, &f)?.motion;
    let other = certify(data, norm, a, &law)?.motion;
    let (f, off) = if own <= other { (f, own) } else { (law, other) };
    Ok(Reference {
        a: a.to_vec(),
        f,
        off,
    })
}
