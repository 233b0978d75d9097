//! The methods behind the shared [`Solver`] trait.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use etalon_lcp::{Basis, Bound, Claim, ClaimedAnswer, Number, Problem, Row, Solver};

use crate::cone::{ConeProblem, solve_cones_until};
use crate::failure::Failure;
use crate::meter::Until;
use crate::method::FastMethod;
use crate::place::{Place, Start};
use crate::problem::{DataError, FrictionRow, Lcp};
use crate::round::{rounded, rounded_bound, rounded_q};
use crate::solution::Solution;
use crate::sparse::{SparseLcp, solve_sparse_until};
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

struct FastSolver {
    method: FastMethod,
    time: Option<Duration>,
}

/// When a run that begins now has to end. A time beyond the clock is none.
fn until(time: Option<Duration>) -> Until {
    Until(time.and_then(|time| Instant::now().checked_add(time)))
}

impl FastMethod {
    /// The method as a solver of records. Each call takes its own memory; loops that solve many
    /// problems keep a [`Workspace`].
    pub fn solver(self) -> Box<dyn Solver + Send + Sync> {
        self.solver_within(None)
    }

    /// The same, that gives up once a problem has taken so long: `failed`, before the next pivot or factor.
    pub fn solver_within(self, time: Option<Duration>) -> Box<dyn Solver + Send + Sync> {
        let method = self;
        Box::new(FastSolver { method, time })
    }
}

impl Solver for FastSolver {
    fn name(&self) -> &str {
        self.method.name()
    }

    fn solve(&self, problem: &Problem) -> Claim {
        self.answer(Cow::Borrowed(problem))
    }

    fn solve_owned(&self, problem: Problem) -> Claim {
        self.answer(Cow::Owned(problem))
    }
}

impl FastSolver {
    fn answer(&self, problem: Cow<'_, Problem>) -> Claim {
        let start = Instant::now();
        let mut claim = solve(problem, self.method, until(self.time));
        claim.method = Some(self.method.name().to_owned());
        claim.seconds = Some(start.elapsed().as_secs_f64());
        claim
    }
}

/// Dense solvers take n * n doubles; a sparse record above this many rows stays sparse or fails: bounds go to the method for friction cones.
/// At the limit these are 200 MB.
const MAX_DENSE: usize = 5000;

/// The method for friction cones as a solver of records, which takes problems without cones too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConeSolver;

/// As [`ConeSolver`], for so long a problem.
struct ConeSolverWithin(Option<Duration>);

impl ConeSolver {
    /// Its name on the command line.
    pub const NAME: &'static str = "fast-cone";

    /// One that gives up once a problem has taken so long; `None` for no such end.
    pub fn within(time: Option<Duration>) -> Box<dyn Solver + Send + Sync> {
        Box::new(ConeSolverWithin(time))
    }
}

impl Solver for ConeSolver {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn solve(&self, problem: &Problem) -> Claim {
        ConeSolverWithin(None).solve(problem)
    }
}

impl Solver for ConeSolverWithin {
    fn name(&self) -> &str {
        ConeSolver::NAME
    }

    fn solve(&self, problem: &Problem) -> Claim {
        let start = Instant::now();
        let mut claim = cones(problem, until(self.0));
        claim.method = Some(ConeSolver::NAME.to_owned());
        claim.seconds = Some(start.elapsed().as_secs_f64());
        claim
    }
}

fn cones(problem: &Problem, until: Until) -> Claim {
    let cones = match ConeProblem::from_problem(problem) {
        Ok(cones) => cones,
        Err(error) => return Claim::failed(problem.name(), error.to_string()),
    };
    match solve_cones_until(&cones, None, until) {
        Ok(solution) => {
            let z = solution.z.iter().copied().map(Number::from_f64);
            match z.collect() {
                Some(z) => Claim::new(problem.name(), ClaimedAnswer::Solved { z }),
                None => Claim::failed(problem.name(), "the answer is not finite"),
            }
        }
        Err(failure) => Claim::failed(problem.name(), failure.to_string()),
    }
}

fn solve(problem: Cow<'_, Problem>, method: FastMethod, until: Until) -> Claim {
    if !problem.is_lcp() && method == FastMethod::Auto {
        return cones(&problem, until);
    }
    let Some(lcp) = sparse_form(&problem, method) else {
        return otherwise(&problem, method, until);
    };
    if has_other_way(&problem, method) {
        let claim = sparse(problem.name(), lcp, until);
        return claim.unwrap_or_else(|| otherwise(&problem, method, until));
    }
    // An owned record goes here: a million rows of a wall take 310 MB in it, beside 170 MB of entries and 830 MB of a factor.
    let (name, n) = (problem.name().to_owned(), problem.n());
    drop(problem);
    sparse(&name, lcp, until).unwrap_or_else(|| too_large(&name, n))
}

/// Whether a method takes the problem where the sparse one has no answer.
fn has_other_way(problem: &Problem, method: FastMethod) -> bool {
    problem.n() <= MAX_DENSE || goes_to_cones(problem, method)
}

/// Whether the method for friction cones takes a problem too large for the dense ones. Friction rows may take it very long.
fn goes_to_cones(problem: &Problem, method: FastMethod) -> bool {
    method == FastMethod::Auto && !problem.is_pure() && problem.friction().is_empty()
}

fn too_large(name: &str, n: usize) -> Claim {
    let why = format!(
        "a sparse problem of {n} rows that the sparse method did not solve, over the limit of {MAX_DENSE} for dense ones"
    );
    Claim::failed(name, why)
}

/// The answer of the methods that are not the sparse one.
fn otherwise(problem: &Problem, method: FastMethod, until: Until) -> Claim {
    if problem.n() > MAX_DENSE && problem.m().is_sparse() {
        if goes_to_cones(problem, method) {
            return cones(problem, until);
        }
        return too_large(problem.name(), problem.n());
    }
    let lcp = match Lcp::from_problem(problem) {
        Ok(lcp) => lcp,
        Err(error) => return Claim::failed(problem.name(), error.to_string()),
    };
    let mut workspace = Workspace::new();
    workspace.until(until.0);
    match workspace.solve(lcp.view(), method, Start::Cold) {
        Ok(solution) => solved(problem.name(), &lcp, solution),
        Err(failure) => Claim::failed(problem.name(), failure.to_string()),
    }
}

/// Smaller problems whose M is not symmetric are walked by Lemke's method sooner than interior points come near. Free rows go the sparse way at
/// all sizes: the dense methods have no zeros for bodies at rest.
const GENERAL_FROM: usize = 200;

/// Which rows are free, where all others are z_i >= 0.
fn free_rows(problem: &Problem) -> Option<Vec<bool>> {
    let is_free = |row: Row<'_>| match row {
        Row::Nonnegative => Some(false),
        Row::Free => Some(true),
        _ => None,
    };
    problem.rows().into_iter().map(is_free).collect()
}

/// The problem as the sparse method takes it, if it does.
fn sparse_form(problem: &Problem, method: FastMethod) -> Option<SparseLcp> {
    let takes_sparse = matches!(method, FastMethod::Auto | FastMethod::Block);
    if !problem.m().is_sparse() || !takes_sparse {
        return None;
    }
    let free = free_rows(problem)?;
    // What fails here is left to the dense methods and their message.
    let q = rounded_q(problem).ok()?;
    let lcp = SparseLcp::of_rows(q, &free, problem.m().stored(), |i, row| {
        for (j, value) in problem.m().row(i) {
            row.push((i, j, rounded("M", value).ok()?));
        }
        Some(())
    })?;
    // Without symmetry the sparse method is no block pivoting from nothing.
    let is_long = problem.n() >= GENERAL_FROM || free.contains(&true);
    let takes_general = method == FastMethod::Auto && is_long;
    (lcp.is_symmetric || takes_general).then_some(lcp)
}

/// The sparse method's answer, where it has one.
fn sparse(name: &str, lcp: SparseLcp, until: Until) -> Option<Claim> {
    let solution = match solve_sparse_until(&lcp, Start::Cold, until) {
        Ok(solution) => solution,
        Err(Failure::Time) => return Some(Claim::failed(name, Failure::Time.to_string())),
        Err(_) => return None,
    };
    let z: Option<Vec<Number>> = solution.z.iter().copied().map(Number::from_f64).collect();
    let mut claim = Claim::new(name, ClaimedAnswer::Solved { z: z? });
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
