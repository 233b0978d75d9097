//! Float proposes, exact disposes: a proposed basis proved, or repaired, or replaced.
//!
//! 1. The [point of the basis](crate::basis_solution) is computed exactly; if all its signs
//!    fit, it is the answer.
//! 2. Otherwise the basis is repaired: where it is singular it is [thinned](purify) beside the proposed point, or the
//!    [face](face) of that point gives an exact solution without a basis. Else rows are [exchanged](repair) with an exact
//!    solution after each.
//! 3. Then lexicographic Lemke starts from the best basis so far ([`Lemke::solve_from`]).
//! 4. Where that does not end in a solution, the reference route decides
//!    ([`ExactMethod::Certified`](crate::ExactMethod::Certified)), certificates included.
//!
//! Of problems with friction cones the proposal is enclosed (`contacts/answer.rs`).
//!
//! Steps 2 and 3 cannot go wrong, only in vain: an answer comes from exact signs alone.

mod elimination;
mod face;
mod nearby;
mod purify;
mod repair;
#[cfg(test)]
mod tests;

use std::time::Instant;

use etalon_lcp::{Basis, Claim, ClaimedAnswer, Number, Problem, Reduction, Solver};
use rug::Rational;

use crate::basis::BasisSolution;
use crate::budget::Budget;
use crate::contacts::answer;
use crate::lemke::{Lemke, LemkeOutcome};
use crate::solver::reference;
pub use nearby::nearby_solutions;
use repair::{Repair, repair};

/// The method's name in claims.
const NAME: &str = "certified";

/// A solver that lets another one propose.
///
/// ```
/// use etalon_exact::{Budget, Certified, ExactMethod};
/// use etalon_lcp::{ClaimedAnswer, Solver, record};
///
/// let problem = record::read_problem(
///     r#"{"name": "tie", "M": [[1.5859375, 1], [1, 1]], "q": [-0.75, -0.75]}"#,
/// )?.record;
/// // Any solver will do; one that is fast and sometimes wrong is the use of it.
/// let proposer = ExactMethod::Lemke.solver(&Budget::default());
/// let claim = Certified::new(proposer, Budget::default()).solve(&problem);
/// assert!(matches!(claim.answer, ClaimedAnswer::Solved { .. }));
/// assert_eq!(claim.message.as_deref(), Some("the proposed basis holds"));
/// # Ok::<(), etalon_lcp::record::RecordError>(())
/// ```
pub struct Certified {
    proposer: Box<dyn Solver + Send + Sync>,
    budget: Budget,
}

impl Certified {
    /// With a proposer, and a budget for what comes after.
    pub fn new(proposer: Box<dyn Solver + Send + Sync>, budget: Budget) -> Self {
        Self { proposer, budget }
    }
}

impl Solver for Certified {
    fn name(&self) -> &str {
        NAME
    }

    fn solve(&self, problem: &Problem) -> Claim {
        let start = Instant::now();
        if !problem.is_lcp() {
            let mut claim = answer(problem, self.proposer.as_ref(), &self.budget);
            claim.method = Some(NAME.to_owned());
            claim.seconds = Some(start.elapsed().as_secs_f64());
            return claim;
        }
        let proposal = self.proposer.solve(problem);
        let mut claim = certified(
            problem,
            Proposal::of(problem, &proposal).as_ref(),
            &self.budget.left_since(start),
        );
        claim.seconds = Some(start.elapsed().as_secs_f64());
        claim
    }
}

/// What an exact answer starts from.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// A basis of the problem's [mixed form](Reduction).
    pub basis: Basis,
    /// An approximate z, n values: where the basis is singular, it tells which part of it has a point without
    /// negative entries. It is not used where bounds other than 0 have unknowns of their own in the mixed form.
    pub z: Option<Vec<f64>>,
}

impl From<Basis> for Proposal {
    fn from(basis: Basis) -> Self {
        Self { basis, z: None }
    }
}

impl Proposal {
    /// The basis that a claim carries; that of its positive entries where it carries none and the
    /// problem has no bounds but zero.
    pub fn of(problem: &Problem, claim: &Claim) -> Option<Self> {
        let z = match &claim.answer {
            ClaimedAnswer::Solved { z } if z.len() == problem.n() => Some(z),
            _ => None,
        };
        let positive = || {
            let z = z.filter(|_| problem.is_pure())?;
            Some(Basis::new(z.iter().map(|v| v.signum() > 0).collect()))
        };
        let basis = claim.basis.clone().or_else(positive)?;
        let z = z.map(|z| z.iter().map(Number::to_f64).collect());
        Some(Self { basis, z })
    }
}

/// Answers a problem exactly, on the grounds of a basis of its [mixed form](Reduction) if there
/// is a good one. The claim's message tells which step found the answer; a proposal of another
/// size is ignored. The budget's pivots and bits count for each step, its time for all.
///
/// One p-adic solution of the basis system where the proposal holds: about n^3 / 10 operations
/// of 50 bits for each of the numbers' 50 bits.
pub fn certified(problem: &Problem, proposal: Option<&Proposal>, budget: &Budget) -> Claim {
    let start = Instant::now();
    let reduction = Reduction::new(problem);
    let fits = |own: &&Proposal| problem.is_lcp() && own.basis.n() == reduction.mixed().n();
    let proposal = proposal.filter(fits);
    let found = proposal.and_then(|proposal| from_proposal(&reduction, proposal, budget));
    let mut claim = match found {
        Some(found) => found.claim(problem),
        None => {
            let mut claim = reference(problem, &budget.left_since(start));
            if claim.message.is_none() && proposal.is_some() {
                claim.message = Some("the proposed basis was of no use".to_owned());
            }
            claim
        }
    };
    claim.method = Some(NAME.to_owned());
    claim.seconds = Some(start.elapsed().as_secs_f64());
    claim
}

/// A solution of the problem, with the basis of its mixed form where it is the point of one.
struct Found {
    z: Vec<Number>,
    basis: Option<Basis>,
    pivots: u64,
    message: String,
}

impl Found {
    fn claim(self, problem: &Problem) -> Claim {
        let answer = ClaimedAnswer::Solved { z: self.z };
        let mut claim = Claim::new(problem.name(), answer);
        claim.basis = self.basis;
        claim.pivots = Some(self.pivots);
        claim.message = Some(self.message);
        claim
    }
}

fn lifted(reduction: &Reduction, z: &[Rational]) -> Vec<Number> {
    let lifted = reduction.lift(z);
    lifted.into_iter().map(Number::from).collect()
}

/// The problem's z, over its common denominator where nothing is to be reckoned with it.
fn lifted_point(reduction: &Reduction, solution: BasisSolution) -> Option<Vec<Number>> {
    if reduction.is_identity() {
        return Number::over(solution.numerators, solution.denominator);
    }
    Some(lifted(reduction, &solution.z()))
}

fn from_proposal(reduction: &Reduction, proposal: &Proposal, budget: &Budget) -> Option<Found> {
    let start = Instant::now();
    let lcp = reduction.mixed();
    let near = proposal.z.as_deref().filter(|_| reduction.is_identity());
    let best = match repair(lcp, (&proposal.basis, near), budget) {
        Repair::Solved {
            solution,
            basis,
            exchanges,
        } => {
            let message = match exchanges {
                0 => "the proposed basis holds".to_owned(),
                _ => format!("the proposed basis was repaired in {exchanges} exchanges"),
            };
            return Some(Found {
                z: lifted_point(reduction, *solution)?,
                basis: Some(basis),
                pivots: exchanges,
                message,
            });
        }
        // `near` is given where the mixed form is the problem itself.
        Repair::Point(z) => {
            return Some(Found {
                z,
                basis: None,
                pivots: 0,
                message: "an exact solution next to the proposed one holds".to_owned(),
            });
        }
        Repair::Best(basis) => basis,
        Repair::Exhausted => return None,
    };
    let lemke = Lemke {
        budget: budget.left_since(start),
        ..Lemke::default()
    };
    // From the best basis rather than from the last: z_0 covers the rows that are wrong there, and
    // each takes about a pivot.
    let run = lemke.solve_from(lcp, &best)?;
    let LemkeOutcome::Solved { z, basis } = run.outcome else {
        return None;
    };
    Some(Found {
        z: lifted(reduction, &z),
        basis: Some(basis),
        pivots: run.pivots,
        message: "the proposed basis was repaired by Lemke's method".to_owned(),
    })
}
