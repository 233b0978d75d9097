//! The decision of a problem: solvable or not, unique or not, each with its certificate.

use std::time::Instant;

use etalon_certify::{CertificateError, Truth, check_farkas};
use etalon_lcp::{Certificate, MixedLcp, Number, Problem, Reduction, Unique};
use rug::Rational;

use crate::budget::{Budget, Exhausted};
use crate::classify::{unique_w, unique_z};
use crate::contacts;
use crate::enumerate::{Found, enumerate, find_one, prove_unique};
use crate::lemke::{Lemke, LemkeOutcome};

/// Up to this many rows of the mixed form, all solutions are searched. Chosen: the tree has at most 2^12 leaves.
const MAX_ENUMERATED: usize = 12;

/// A proof that z is *not* unique is kept up to this many nodes of its cover. Chosen: no verdict needs that proof.
const MAX_CARRIED_NODES: usize = 64;

/// Up to this many rows of the mixed form, a second solution is searched, with at most so many pivots
/// of n^2 products each. Chosen, so that the search takes a part of a second.
const MAX_UNIQUE_ROWS: usize = 64;
const MAX_UNIQUE_PIVOTS: u64 = 1000;

/// A decision about a problem. `etalon-certify` has checked everything in `truth`.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The facts.
    pub truth: Truth,
    /// The proof of unsolvability, or of what is unique.
    pub certificate: Option<Certificate>,
    /// Why nothing is known, where the budget ran out.
    pub gave_up: Option<String>,
    /// What was found and the checker refused: a mistake of this crate, or of what was known before.
    pub refused: Option<CertificateError>,
}

/// What is said of a problem with friction cones.
pub(crate) const NO_CONES: &str =
    "it has friction cones, and the exact methods solve linear complementarity problems";

/// Why nothing is known of a problem with friction cones.
const NO_ANSWER: &str =
    "whether a problem with friction cones has a solution is found out from an answer to it";

/// Decides a problem within a budget.
///
/// Lexicographic Lemke finds a solution of most problems. Where it ends in a secondary ray
/// (w_h, z_h, z0_h), y = z_h is a Farkas vector if M is copositive-plus (CPS section 4.4), so
/// that is tried; otherwise the ray is no proof, and the search over complementary choices
/// decides.
pub fn decide(problem: &Problem, budget: &Budget) -> Decision {
    decide_knowing(problem, Truth::default(), budget)
}

/// As [`decide`], adding to what is proved of the problem already.
pub fn decide_knowing(problem: &Problem, known: Truth, budget: &Budget) -> Decision {
    let start = Instant::now();
    let mut decision = Decision {
        truth: known,
        certificate: None,
        gave_up: None,
        refused: None,
    };
    if !problem.is_lcp() {
        if let Some(proof) = contacts::uniqueness(problem, &decision.truth) {
            // A certificate that does not hold is dropped: uniqueness is then simply not known.
            let _ = decision.prove(problem, proof);
        }
        decision.settle_contacts(problem, &budget.left_since(start));
        return decision;
    }
    let reduction = Reduction::new(problem);
    match answer(reduction.mixed(), budget) {
        Ok(Answer::Solution(z)) => {
            if let Err(error) = decision.truth.add_solution(problem, reduction.lift(&z)) {
                // Never seen; but the checker has the last word.
                decision.gave_up = Some(format!("the solution found does not hold: {error}"));
                decision.refused = Some(error);
                return decision;
            }
            let budget = budget.left_since(start);
            decision.settle_uniqueness(problem, reduction.mixed(), &budget);
        }
        Ok(Answer::None(certificate)) => {
            if let Err(error) = decision.prove(problem, certificate) {
                decision.gave_up = Some(format!("the proof found does not hold: {error}"));
                decision.refused = Some(error);
            }
        }
        Err(exhausted) => decision.gave_up = Some(exhausted.to_string()),
    }
    decision
}

/// A solution of a mixed LCP, or the proof that there is none.
pub(crate) enum Answer {
    Solution(Vec<Rational>),
    None(Certificate),
}

fn answer(lcp: &MixedLcp, budget: &Budget) -> Result<Answer, Exhausted> {
    let start = Instant::now();
    let lemke = Lemke {
        // The other half is for the search, which decides where the path ends in a ray.
        budget: budget.half_since(start),
        ..Lemke::default()
    };
    let run = lemke.solve(lcp);
    let budget = &budget.left_since(start);
    match run.map(|run| run.outcome) {
        Ok(LemkeOutcome::Solved { z, .. }) => Ok(Answer::Solution(z)),
        // A ray proves nothing in general (`docs/lemke.md`). The checker says whether its direction does.
        Ok(LemkeOutcome::Ray(ray)) => after_ray(lcp, &ray.direction.z, budget),
        // Out of budget: the search has one of its own, and may need less.
        _ => search(lcp, budget),
    }
}

/// Decides after Lemke's method has ended in a ray with the direction `dz` of z.
fn after_ray(lcp: &MixedLcp, dz: &[Rational], budget: &Budget) -> Result<Answer, Exhausted> {
    match farkas_from_ray(lcp, dz) {
        Some(proof) => Ok(Answer::None(proof)),
        None => search(lcp, budget),
    }
}

/// The direction of a ray as a Farkas vector, where it is one.
pub(crate) fn farkas_from_ray(lcp: &MixedLcp, dz: &[Rational]) -> Option<Certificate> {
    let y: Vec<Number> = dz.iter().cloned().map(Number::from).collect();
    let holds = check_farkas(lcp, &y).is_ok();
    holds.then_some(Certificate::Farkas { y })
}

/// A solution or a proof from the search over complementary choices.
pub(crate) fn search(lcp: &MixedLcp, budget: &Budget) -> Result<Answer, Exhausted> {
    Ok(match find_one(lcp, budget)? {
        Found::Solution(z) => Answer::Solution(z),
        Found::None(cover) => Answer::None(Certificate::of_empty_cover(cover)),
    })
}

impl Decision {
    pub(crate) fn prove(
        &mut self,
        problem: &Problem,
        proof: Certificate,
    ) -> Result<(), CertificateError> {
        self.truth.add_certificate(problem, &proof)?;
        self.certificate = Some(proof);
        Ok(())
    }

    /// Finds out whether a contact problem has a solution, without an answer to it.
    fn settle_contacts(&mut self, problem: &Problem, budget: &Budget) {
        let start = Instant::now();
        // The cheaper one first: a point is one linear programme or three, a refutation may be a
        // tree of them.
        let searches = [contacts::existence, contacts::refutation];
        for (search, is_decided) in searches.into_iter().zip([false, true]) {
            if self.truth.status().solvable.is_some() {
                return;
            }
            let proof = match search(problem, &budget.half_since(start)) {
                Ok(Some(proof)) => proof,
                Ok(None) => continue,
                Err(exhausted) => {
                    self.gave_up = Some(exhausted.to_string());
                    continue;
                }
            };
            // A point may be of a problem outside of its theorem's class, which the kernel knows; a refutation is whole.
            if let (Err(error), true) = (self.prove(problem, proof), is_decided) {
                self.gave_up = Some(format!("the proof found does not hold: {error}"));
                self.refused = Some(error);
            }
        }
        if self.truth.status().solvable.is_some() {
            self.gave_up = None;
        } else {
            self.gave_up.get_or_insert_with(|| NO_ANSWER.to_owned());
        }
    }

    fn settle_uniqueness(&mut self, problem: &Problem, mixed: &MixedLcp, budget: &Budget) {
        // A certificate that does not hold is dropped: uniqueness is then simply not known.
        // The class of M first: its proof is short, and holds for every q.
        if let Some(proof) = unique_z(problem) {
            let _ = self.prove(problem, proof);
            return;
        }
        let start = Instant::now();
        if mixed.n() <= MAX_ENUMERATED
            && let Ok(set) = enumerate(mixed, budget)
        {
            let nodes = set.cover.nodes.len();
            let proof = Certificate::Enumeration(set.cover);
            let proved = self.prove(problem, proof).is_ok();
            let unique = self.truth.status().unique == Some(Unique::Z);
            if proved && unique {
                return;
            }
            if nodes > MAX_CARRIED_NODES {
                self.certificate = None;
            }
        }
        // Where all that was enumerated is one z, multipliers of bounds may be what differs.
        if self.truth.solutions().len() == 1 && mixed.n() <= MAX_UNIQUE_ROWS {
            let budget = Budget {
                pivots: budget.pivots.min(MAX_UNIQUE_PIVOTS),
                ..budget.left_since(start)
            };
            if let Ok(Some(cover)) = prove_unique(mixed, problem.n(), &budget) {
                let proof = Certificate::Enumeration(cover);
                if self.prove(problem, proof).is_ok() {
                    return;
                }
            }
        }
        if let Some(proof) = unique_w(problem) {
            let _ = self.prove(problem, proof);
        }
    }
}
