//! What can be proved of problems with friction cones: proposals for the kernel, which checks them.

mod answer;
mod enclose;
mod facts;
mod implied;
mod modes;
mod search;
mod system;
mod weak_friction;

use etalon_certify::Truth;
use etalon_lcp::{Certificate, Law, PMatrixProof, Problem, Unique};

use crate::classify::{MAX_ELIMINATION, unique_w};

pub(crate) use answer::answer;
pub use enclose::enclose;
pub(crate) use search::{existence, refutation};

/// What can be found out about uniqueness beyond what is known: of the convex law from the class of M, of
/// Coulomb's where friction is weak.
pub(crate) fn uniqueness(problem: &Problem, known: &Truth) -> Option<Certificate> {
    if known.status().unique == Some(Unique::Z) {
        return None;
    }
    if problem.cones().iter().any(|cone| cone.law != Law::Convex) {
        return weak_friction::contraction(problem);
    }
    let definite = Certificate::PMatrix(PMatrixProof::PositiveDefinite);
    let is_small = problem.friction().is_empty() && problem.n() <= MAX_ELIMINATION;
    let holds = |own: &Certificate| known.clone().add_certificate(problem, own).is_ok();
    let definite = is_small.then_some(definite).filter(holds);
    definite.or_else(|| unique_w(problem))
}
