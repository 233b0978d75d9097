//! `solve`: a claim about a problem, by a method of one's choice.

use std::cell::RefCell;
use std::time::Instant;

use etalon::fast::{self, LcpRef, Place, Start, Workspace};
use etalon::lcp::{self, Basis, ClaimedAnswer, Number};
use etalon::methods::Method;
use pyo3::prelude::*;

use crate::array::{as_double_vector, as_doubles};
use crate::claim::Claim;
use crate::error::Class;
use crate::problem::Data;
use crate::run::{budget, interruptible, unlocked};

/// Up to this many rows work is done in place: a thread for it would cost more than it.
const SHORT: usize = 12;

/// The same for methods in binary64.
const SHORT_FAST: usize = 300;

thread_local! {
    /// Memory that one problem leaves to the next.
    static WORKSPACE: RefCell<Workspace> = RefCell::new(Workspace::new());
}

/// Solve a linear complementarity problem.
///
/// Find z with w = M z + q, z >= 0, w >= 0, z'w = 0, or with bounds as `Problem` describes them.
///
/// Parameters
/// ----------
/// M : array_like of shape (n, n), or a Problem (then nothing else describes the problem)
/// q : array_like, shape (n,)
/// lower, upper, friction
///     As for `Problem`.
/// method : str
///     "certified" (default: a fast answer proved or repaired exactly, else exact pivoting, else a
///     proof that there is none), "exact-lemke", "exact-dantzig", "exact-least-index",
///     "enumerate", or in binary64 "fast-auto", "fast-dantzig", "fast-lemke", "fast-block".
/// exact : bool
///     Whether `z` of the claim is an array of Fractions; by default it is float64, each entry
///     rounded to nearest.
/// pivots, bits : int, optional
///     Budget of exact methods (1,000,000 pivots; 4,000,000 bits a number).
/// time_limit : float, optional
///     Budget in seconds; without it results do not depend on the machine.
///
/// Returns
/// -------
/// Claim
///     status "solved", "unsolvable" (with a proof in `certificate`) or "failed".
///
/// Raises
/// ------
/// InputError, DtypeError
///     For data that are no problem.
/// KeyboardInterrupt
///     At Ctrl-C; other threads run meanwhile.
///
/// Examples
/// --------
/// >>> import etalon
/// >>> etalon.solve([[2, 1], [1, 2]], [-5, -6]).z
/// array([1.33333333, 2.33333333])
/// >>> etalon.solve([[2, 1], [1, 2]], [-5, -6], exact=True).z
/// array([Fraction(4, 3), Fraction(7, 3)], dtype=object)
#[pyfunction]
#[pyo3(signature = (M, q=None, lower=None, upper=None, friction=None, *, method="certified",
    exact=false, name=None, pivots=None, bits=None, time_limit=None))]
#[allow(non_snake_case, clippy::too_many_arguments)]
pub fn solve(
    py: Python<'_>,
    M: &Bound<'_, PyAny>,
    q: Option<&Bound<'_, PyAny>>,
    lower: Option<&Bound<'_, PyAny>>,
    upper: Option<&Bound<'_, PyAny>>,
    friction: Option<&Bound<'_, PyAny>>,
    method: &str,
    exact: bool,
    name: Option<&str>,
    pivots: Option<u64>,
    bits: Option<u64>,
    time_limit: Option<f64>,
) -> PyResult<Claim> {
    let method: Method = method
        .parse()
        .map_err(|error| Class::Argument.error(error))?;
    let data = Data {
        m: M,
        q,
        lower,
        upper,
        friction,
        name,
    };
    if let Method::Fast(method) = method
        && let Some(claim) = solve_doubles(py, &data, method)?
    {
        return Ok(Claim::of(claim, exact));
    }
    let problem = data.problem()?.inner;
    let budget = budget(pivots, bits, time_limit)?;
    let short = if method.is_exact() { SHORT } else { SHORT_FAST };
    let is_short = problem.n() <= short;
    let solver = method.solver(&budget);
    let work = move || solver.solve(&problem);
    let claim = if is_short {
        unlocked(py, work)?
    } else {
        interruptible(py, &budget.stop, work)?
    };
    Ok(Claim::of(claim, exact))
}

/// Arrays of doubles go to the binary64 solvers as they are; `None` where something else is given.
fn solve_doubles(
    py: Python<'_>,
    data: &Data<'_, '_>,
    method: fast::FastMethod,
) -> PyResult<Option<lcp::Claim>> {
    let (Some(m), Some(q)) = (as_doubles(data.m), data.q.and_then(as_double_vector)) else {
        return Ok(None);
    };
    let (Ok(m), Ok(q)) = (m.as_slice(), q.as_slice()) else {
        return Ok(None);
    };
    let finite = || m.iter().chain(q).all(|value| value.is_finite());
    // What is wrong is told where exact data are read, and long work is stopped there.
    if !data.is_pure() || q.len() > SHORT_FAST || m.len() != q.len() * q.len() || !finite() {
        return Ok(None);
    }
    // Another thread may write to the arrays once Python's lock is open.
    let (m, q) = (m.to_vec(), q.to_vec());
    let name = data.name.unwrap_or("problem");
    unlocked(py, || solve_slices(name, &m, &q, method)).map(Some)
}

fn solve_slices(name: &str, m: &[f64], q: &[f64], method: fast::FastMethod) -> lcp::Claim {
    let start = Instant::now();
    let lcp = match LcpRef::new(m, q) {
        Ok(lcp) => lcp,
        Err(error) => return lcp::Claim::failed(name, error.to_string()),
    };
    let mut claim = WORKSPACE.with_borrow_mut(|workspace| {
        let solution = match workspace.solve(lcp, method, Start::Cold) {
            Ok(solution) => solution,
            Err(failure) => return lcp::Claim::failed(name, failure.to_string()),
        };
        let z: Option<Vec<_>> = solution.z.iter().copied().map(Number::from_f64).collect();
        let Some(z) = z else {
            return lcp::Claim::failed(name, "the answer is not finite");
        };
        let mut claim = lcp::Claim::new(name, ClaimedAnswer::Solved { z });
        let basic = solution.places.iter().map(|place| *place == Place::Between);
        claim.basis = Some(Basis::new(basic.collect()));
        claim.pivots = Some(solution.pivots);
        claim
    });
    claim.method = Some(method.name().to_owned());
    claim.seconds = Some(start.elapsed().as_secs_f64());
    claim
}

/// The methods of `solve`, a list of (name, what it does).
#[pyfunction]
pub fn methods() -> Vec<(&'static str, &'static str)> {
    Method::all()
        .map(|method| (method.name(), method.about()))
        .collect()
}
