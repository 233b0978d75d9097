//! `check`: a verdict on an answer.

use std::ffi::CString;

use etalon::certify::{Measure, Tolerance};
use etalon::judge::Judge;
use etalon::lcp::{self, ClaimedAnswer, Number, parse_rational};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use rug::Rational;

use crate::claim::claim_of;
use crate::error::Class;
use crate::number::number;
use crate::problem::Data;
use crate::run::{budget, interruptible, of_proofs, unlocked};
use crate::verdict::Verdict;

/// Judge an answer: hold z against M and q, exactly.
///
/// `check(M, q, z)`, or `check(problem, z)`. No float decides anything: the answer is taken as the
/// exact numbers it is, and its errors are computed in integers.
///
/// Parameters
/// ----------
/// M : array_like of shape (n, n), or a Problem (then z comes next)
/// q : array_like, shape (n,)
/// z : array_like of shape (n,), None, "unsolvable", or a Claim
///     The answer. None (it gave up), NaN, or a vector of another length is "failed".
/// lower, upper, friction
///     As for `Problem`.
/// tol : number or str
///     Largest error of an accepted answer, taken exactly; "1e-9".
/// measure : "natural", "componentwise" or "block"
///     Which error: the natural-scale error, or the componentwise backward error and the
///     negativity.
/// snap : number or str
///     For the backward error, entries within this of a bound in natural size may count as on it;
///     "1e-12", 0 for none.
/// prove : bool
///     Whether to find out the truth of the problem too (solvable or not, unique or not), and the
///     right solution; claims of "unsolvable" are always proved or refuted.
/// accept_perturbed : bool
///     Whether to accept an answer to a neighbour of an unsolvable problem.
/// exact : bool
///     Whether measures and solution of the verdict are Fractions instead of floats.
/// pivots, bits, time_limit
///     Budget of proofs, as for `solve`.
///
/// Returns
/// -------
/// Verdict
///     True where the answer is accepted.
///
/// Examples
/// --------
/// >>> import etalon
/// >>> etalon.check([[1.5859375, 1], [1, 1]], [-0.75, -0.75], [0, 0], prove=True)
/// <Verdict rejected: row 1: w = -3/4 must not be negative where z is at its lower bound; error 203/534; right is z = (0, 3/4)>
#[pyfunction]
#[pyo3(signature = (M, q=None, z=None, lower=None, upper=None, friction=None, *, tol=None,
    measure=None, snap=None, prove=false, accept_perturbed=false, exact=false, name=None, pivots=None, bits=None,
    time_limit=None))]
#[allow(non_snake_case, clippy::too_many_arguments)]
pub fn check(
    py: Python<'_>,
    M: &Bound<'_, PyAny>,
    q: Option<&Bound<'_, PyAny>>,
    z: Option<&Bound<'_, PyAny>>,
    lower: Option<&Bound<'_, PyAny>>,
    upper: Option<&Bound<'_, PyAny>>,
    friction: Option<&Bound<'_, PyAny>>,
    tol: Option<&Bound<'_, PyAny>>,
    measure: Option<&str>,
    snap: Option<&Bound<'_, PyAny>>,
    prove: bool,
    accept_perturbed: bool,
    exact: bool,
    name: Option<&str>,
    pivots: Option<u64>,
    bits: Option<u64>,
    time_limit: Option<f64>,
) -> PyResult<Verdict> {
    let given = M.cast::<crate::problem::Problem>().is_ok();
    let (q, z) = match (given, q, z) {
        (true, z, None) | (true, None, z) => (None, z),
        (true, Some(_), Some(_)) => {
            return Err(Class::Argument.error("a Problem has its q already: check(problem, z)"));
        }
        (false, q, z) => (q, z),
    };
    let data = Data {
        m: M,
        q,
        lower,
        upper,
        friction,
        name,
    };
    let problem = data.problem()?.inner;
    let claim = claim_of(z, &problem)?;
    let limits = (pivots, bits, time_limit);
    let judge = judge((tol, measure, snap), (prove, accept_perturbed), limits)?;
    let is_short = !prove && matches!(claim.answer, ClaimedAnswer::Solved { .. });
    let stop = judge.budget.stop.clone();
    let work = move || judge.verdict(&problem, &claim);
    let judgement = if is_short {
        unlocked(py, work)?
    } else {
        interruptible(py, &stop, work)?
    };
    if let Some(error) = &judgement.false_expect {
        let text = CString::new(format!("the problem's own record is false: {error}"))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
    }
    Ok(Verdict::of(judgement, exact))
}

/// A number or a string that may be given.
type Given<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// The judge: the tolerance, the measure and the snap; whether to prove, and to accept `perturbed`; the
/// limits on pivots, bits and time.
pub fn judge(
    (tol, measure, snap): (Given<'_, '_>, Option<&str>, Given<'_, '_>),
    (prove, accept_perturbed): (bool, bool),
    (pivots, bits, time_limit): (Option<u64>, Option<u64>, Option<f64>),
) -> PyResult<Judge> {
    Ok(Judge {
        tolerance: tolerance(tol, measure, snap)?,
        prove,
        accept_perturbed,
        budget: of_proofs(budget(pivots, bits, time_limit)?),
    })
}

/// Tolerances: numbers, or strings taken exactly.
pub fn tolerance(
    tol: Option<&Bound<'_, PyAny>>,
    measure: Option<&str>,
    snap: Option<&Bound<'_, PyAny>>,
) -> PyResult<Tolerance> {
    let default = Tolerance::default();
    Ok(Tolerance {
        tol: relative("tol", tol, default.tol)?,
        snap: relative("snap", snap, default.snap)?,
        measure: match measure {
            None => Measure::default(),
            Some(word) => (word.parse())
                .map_err(|error| Class::Argument.error(format_args!("measure: {error}")))?,
        },
    })
}

pub fn relative(
    name: &str,
    given: Option<&Bound<'_, PyAny>>,
    default: Rational,
) -> PyResult<Rational> {
    let Some(given) = given else {
        return Ok(default);
    };
    // A float is written as people read it: 1e-9 means one billionth.
    let value = match given.extract::<f64>() {
        Ok(value) if value.is_finite() => parse_rational(&lcp::format_f64(value)).ok(),
        _ => None,
    };
    let value = match value {
        Some(value) => value,
        None => Number::into_rational(number(given, &|| name.to_owned())?),
    };
    // Every z within its bounds has an error of at most 1, so 1 would accept everything.
    if !(0..1).contains(&value) {
        return Err(Class::Argument.error(format_args!("{name} is at least 0 and below 1")));
    }
    Ok(value)
}
