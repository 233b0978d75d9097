//! The methods behind the shared [`Solver`] trait.

use std::time::Instant;

use etalon_lcp::{Basis, Bound, Claim, ClaimedAnswer, Number, Problem, Solver};

use crate::method::Method;
use crate::place::{Place, Start};
use crate::problem::{DataError, FrictionRow, Lcp};
use crate::solution::Solution;
use crate::sparse::{SparseLcp, solve_sparse};
use crate::workspace::Workspace;

impl Lcp {
    /// The problem with its data rounded to the nearest binary64. Where the data are no doubles
    /// this is another problem, whose answer is nearly one of the problem itself.
    ///
    /// # Errors
    /// [`DataError::Range`] where rounding moves a number by more than 2^-53 of it,
    /// [`DataError::Bounds`], [`DataError::Friction`] where it spoils a bound.
    pub fn from_problem(problem: &Problem) -> Result<Self, DataError> {
        if !problem.is_lcp() {
            return Err(DataError::Cones);
        }
        let n = problem.n();
        let mut m = vec![0.0; n * n];
        for (i, out) in m.chunks_exact_mut(n.max(1)).enumerate() {
            for (j, value) in problem.m().row(i) {
                out[j] = rounded("M", value)?;
            }
        }
        let bounds = |field, given: Option<&[Bound]>, default: f64| match given {
            None => Ok(vec![default; n]),
            Some(bounds) => bounds.iter().map(|b| rounded_bound(field, b)).collect(),
        };
        let mut lcp = Self {
            m,
            q: rounded_q(problem)?,
            ..Self::default()
        };
        if problem.lower().is_some() || problem.upper().is_some() {
            lcp.lower = bounds("lower", problem.lower(), 0.0)?;
            lcp.upper = bounds("upper", problem.upper(), f64::INFINITY)?;
        }
        let friction = problem.friction().iter().map(|f| {
            let mu = rounded("mu", &f.mu)?;
            Ok(FrictionRow {
                row: f.row,
                normal: f.normal,
                mu,
            })
        });
        lcp.friction = friction.collect::<Result<_, _>>()?;
        lcp.checked()
    }
}

/// The nearest binary64, which is within 2^-53 of the number itself. Below the normal doubles it
/// need not be: 1e-400 would become 0, and 3e-324 the double of half as much again.
fn rounded(field: &'static str, value: &Number) -> Result<f64, DataError> {
    let nearest = value.to_f64();
    let same = || Number::from_f64(nearest).is_some_and(|n| n.to_rational() == value.to_rational());
    if value.as_binary64().is_some() || nearest.is_normal() || same() {
        return Ok(nearest);
    }
    Err(DataError::Range { field })
}

fn rounded_q(problem: &Problem) -> Result<Vec<f64>, DataError> {
    problem
        .q()
        .iter()
        .map(|value| rounded("q", value))
        .collect()
}

fn rounded_bound(field: &'static str, bound: &Bound) -> Result<f64, DataError> {
    match bound {
        Bound::NegativeInfinity => Ok(f64::NEG_INFINITY),
        Bound::Finite(value) => rounded(field, value),
        Bound::Infinity => Ok(f64::INFINITY),
    }
}

struct FastSolver(Method);

impl Method {
    /// The method as a solver of records. Each call takes its own memory; loops that solve many
    /// problems keep a [`Workspace`].
    pub fn solver(self) -> Box<dyn Solver + Send + Sync> {
        Box::new(FastSolver(self))
    }
}

impl Solver for FastSolver {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn solve(&self, problem: &Problem) -> Claim {
        let start = Instant::now();
        let mut claim = solve(problem, self.0);
        claim.method = Some(self.0.name().to_owned());
        claim.seconds = Some(start.elapsed().as_secs_f64());
        claim
    }
}

/// Dense solvers take n * n doubles; a sparse record above this many rows stays sparse or fails.
const MAX_DENSE: usize = 5000;

fn solve(problem: &Problem, method: Method) -> Claim {
    let takes_sparse = matches!(method, Method::Auto | Method::Block);
    if problem.m().is_sparse()
        && problem.is_pure()
        && takes_sparse
        && let Some(claim) = sparse(problem)
    {
        return claim;
    }
    if problem.n() > MAX_DENSE && problem.m().is_sparse() {
        let why = format!(
            "a sparse problem of {} rows that the sparse method did not solve, over the limit of {MAX_DENSE} for dense ones",
            problem.n()
        );
        return Claim::failed(problem.name(), why);
    }
    let lcp = match Lcp::from_problem(problem) {
        Ok(lcp) => lcp,
        Err(error) => return Claim::failed(problem.name(), error.to_string()),
    };
    let mut workspace = Workspace::new();
    match workspace.solve(lcp.view(), method, Start::Cold) {
        Ok(solution) => solved(problem.name(), &lcp, solution),
        Err(failure) => Claim::failed(problem.name(), failure.to_string()),
    }
}

/// The sparse method's answer, where it has one.
fn sparse(problem: &Problem) -> Option<Claim> {
    let mut entries = Vec::with_capacity(problem.m().stored());
    for i in 0..problem.n() {
        for (j, value) in problem.m().row(i) {
            entries.push((i, j, rounded("M", value).ok()?));
        }
    }
    let q = rounded_q(problem).ok()?;
    let lcp = SparseLcp::new(&entries, &q).ok()?;
    let solution = solve_sparse(&lcp, Start::Cold).ok()?;
    let z: Option<Vec<Number>> = solution.z.iter().copied().map(Number::from_f64).collect();
    let mut claim = Claim::new(problem.name(), ClaimedAnswer::Solved { z: z? });
    let bits = solution.places.iter().map(|place| *place == Place::Between);
    claim.basis = Some(Basis::new(bits.collect()));
    claim.pivots = Some(solution.pivots);
    Some(claim)
}

fn solved(name: &str, lcp: &Lcp, solution: Solution<'_>) -> Claim {
    let z: Option<Vec<Number>> = solution.z.iter().copied().map(Number::from_f64).collect();
    let Some(z) = z else {
        return Claim::failed(name, "the answer is not finite");
    };
    let mut claim = Claim::new(name, ClaimedAnswer::Solved { z });
    claim.basis = Some(mixed_basis(lcp, solution.places));
    claim.pivots = Some(solution.pivots);
    claim
}

/// The basis on the rows of the mixed form: the n rows, then the multiplier of each row bounded
/// on both sides.
fn mixed_basis(lcp: &Lcp, places: &[Place]) -> Basis {
    let view = lcp.view();
    let friction = |i: usize| lcp.friction.iter().any(|f| f.row == i);
    let finite = |i: usize| {
        let (lower, upper) = view.bounds(i);
        (lower.is_finite(), upper.is_finite())
    };
    let double = |i: usize| friction(i) || finite(i) == (true, true);
    let own = places.iter().enumerate().map(|(i, place)| match place {
        Place::Lower => false,
        // The distance from the lower bound is positive; from the upper alone it is 0.
        Place::Upper => double(i),
        Place::Between => true,
    });
    let doubles = (0..places.len()).filter(|&i| double(i));
    let multipliers = doubles.map(|i| places[i] == Place::Upper);
    Basis::new(own.chain(multipliers).collect())
}
