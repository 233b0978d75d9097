//! What can be proved of problems with friction cones: proposals for the kernel, which checks them.

mod answer;
mod enclose;
mod modes;
mod system;
mod weak_friction;

use etalon_lcp::{Certificate, Law, PMatrixProof, Problem, Unique};

use crate::classify::{MAX_ELIMINATION, unique_w};
use crate::decide::Decision;

pub(crate) use answer::answer;
pub use enclose::enclose;

/// Adds what can be found out about uniqueness: of the convex law from the class of M, of Coulomb's
/// where friction is weak.
pub(crate) fn decide(problem: &Problem, decision: &mut Decision) {
    let is_known = decision.truth.status().unique == Some(Unique::Z);
    let is_convex = problem.cones().iter().all(|cone| cone.law == Law::Convex);
    let proposed = if is_known {
        None
    } else if is_convex {
        let definite = Certificate::PMatrix(PMatrixProof::PositiveDefinite);
        let small = problem.friction().is_empty() && problem.n() <= MAX_ELIMINATION;
        let definite = small.then_some(definite);
        definite
            .filter(|own| decision.truth.clone().add_certificate(problem, own).is_ok())
            .or_else(|| unique_w(problem))
    } else {
        weak_friction::contraction(problem)
    };
    if let Some(proof) = proposed {
        // A certificate that does not hold is dropped: uniqueness is then simply not known.
        let _ = decision.prove(problem, proof);
    }
    if decision.truth.status().solvable.is_none() {
        decision.gave_up = Some(NOTHING.to_owned());
    }
}

/// Why nothing is known of a problem with friction cones.
const NOTHING: &str =
    "whether a problem with friction cones has a solution is found out from an answer to it";
