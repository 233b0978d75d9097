//! Answers to contact problems: a proposal in binary64, with what can be proved of it.

use std::time::Instant;

use etalon_certify::Truth;
use etalon_lcp::{Certificate, Claim, ClaimedAnswer, Law, Number, Problem, Solver};
use rug::Rational;

use super::{enclose, refutation};
use crate::budget::Budget;

/// How far inside of the dual cones a point is looked for, in parts of the largest q of the contacts.
const MARGINS: [f64; 3] = [0.1, 1e-3, 1e-6];

/// The most work of the search for a proof that there is no solution: some seconds of a processor of 2025. Chosen: ten
/// times what the proof takes where two of 18 contacts force a body apart and M is dense. A proposal that is only not
/// enclosed most likely has a solution near it. Then there is nothing to find, and a linear programme for 54 rows in
/// binary64 was seen to take minutes. The work is counted and not timed, so that answers do not depend on the machine.
const REFUTATION_WORK: u64 = 30_000_000_000;

/// The proposer's answer, enclosed: z is the middle of a box with a solution, and the certificate is the proof.
/// Where no box is found, z is the proposal, and the certificate proves only that there is a solution, if that;
/// the claim's message says which. A proof that there is none replaces a proposal without such proofs: block errors
/// of almost 0 are reached without a solution, too, where forces may grow.
pub(crate) fn answer(problem: &Problem, proposer: &dyn Solver, budget: &Budget) -> Claim {
    let start = Instant::now();
    let mut claim = proposer.solve(problem);
    let ClaimedAnswer::Solved { z } = &claim.answer else {
        refute(problem, &mut claim, &budget.left_since(start));
        return claim;
    };
    let float: Vec<_> = z.iter().map(Number::to_f64).collect();
    let weaker = "z is not enclosed (contacts are almost redundant, or one grazes)";
    match enclose(problem, &float) {
        Some(Certificate::Enclosure(own)) => {
            claim.message = Some("a solution is within the certificate's radius of z".to_owned());
            claim.answer = ClaimedAnswer::Solved {
                z: own.center.clone(),
            };
            claim.certificate = Some(Certificate::Enclosure(own));
        }
        _ => match existence(problem, proposer) {
            Some(proof) => {
                claim.message = Some(format!("{weaker}; there is a solution"));
                claim.certificate = Some(proof);
            }
            None => {
                claim.message = Some(format!("{weaker}; its block error is what is known"));
                refute(problem, &mut claim, &budget.left_since(start));
            }
        },
    }
    claim
}

/// Claims that there is no solution, where that is proved within the budget. The claim's message says so where the budget
/// ran out.
fn refute(problem: &Problem, claim: &mut Claim, budget: &Budget) {
    let proof = match refutation(problem, &of_refutation(budget)) {
        Ok(Some(proof)) => proof,
        Ok(None) => return,
        Err(exhausted) => {
            let before = claim.message.take();
            let before = before.map_or_else(String::new, |before| format!("{before}; "));
            claim.message = Some(format!(
                "{before}no proof was found that there is no solution: {exhausted}"
            ));
            return;
        }
    };
    if Truth::default().add_certificate(problem, &proof).is_ok() {
        claim.answer = ClaimedAnswer::Unsolvable;
        claim.certificate = Some(proof);
        claim.message = Some("there is no solution".to_owned());
    }
}

/// What is left of a budget for a refutation.
fn of_refutation(budget: &Budget) -> Budget {
    Budget {
        work: budget.work.min(REFUTATION_WORK),
        ..budget.clone()
    }
}

/// A proof that there is a solution: the velocities of the convex problem with q - margin e_N on its contacts, if that
/// has an answer, are inside the dual cones by the margin.
pub(crate) fn existence(problem: &Problem, proposer: &dyn Solver) -> Option<Certificate> {
    let of_contacts = problem.cones().iter().flat_map(|cone| cone.rows());
    let sizes = of_contacts.map(|i| problem.q()[i].to_f64().abs());
    let largest = sizes.fold(0.0, f64::max);
    let size = if largest > 0.0 { largest } else { 1.0 };
    MARGINS.into_iter().find_map(|margin| {
        // By the convex law the answer's w is inside the dual cones of the shifted problem, so by
        // the margin inside those of this one, whatever its law. The largest margin first: it
        // leaves most room for rounding.
        let shifted = shifted(problem, Rational::from_f64(margin * size)?)?;
        let ClaimedAnswer::Solved { z } = proposer.solve(&shifted).answer else {
            return None;
        };
        let proof = Certificate::ConeFeasible { z };
        let holds = Truth::default().add_certificate(problem, &proof).is_ok();
        holds.then_some(proof)
    })
}

/// The convex problem whose contacts have to part by so much, and plain rows with bounds too.
fn shifted(problem: &Problem, by: Rational) -> Option<Problem> {
    let mut cones = problem.cones().to_vec();
    let mut q = problem.q().to_vec();
    for cone in &mut cones {
        cone.law = Law::Convex;
        q[cone.normal] = Number::from(q[cone.normal].to_rational() - &by);
    }
    let rows = problem.rows();
    for (i, row) in rows.iter().enumerate() {
        if matches!(row, etalon_lcp::Row::Nonnegative) {
            q[i] = Number::from(q[i].to_rational() - &by);
        }
    }
    let shifted = Problem::new(problem.name(), problem.m().clone(), q).ok()?;
    let bounds = (problem.lower(), problem.upper());
    let shifted = match bounds {
        (None, None) => shifted,
        (lower, upper) => shifted
            .with_bounds(lower.map(<[_]>::to_vec), upper.map(<[_]>::to_vec))
            .ok()?,
    };
    shifted.with_cones(cones).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refutation_has_a_limit_of_work_where_the_budget_has_none() {
        let none = of_refutation(&Budget::default());
        assert_eq!(none.work, REFUTATION_WORK);
        let little = Budget {
            work: 1,
            pivots: 2,
            ..Budget::default()
        };
        assert_eq!(of_refutation(&little), little);
    }

    /// With M = 1 the convex problem with q = -m e_N, m > 0, has the answer m e_N.
    struct Unit;

    impl Solver for Unit {
        fn name(&self) -> &str {
            "unit"
        }

        fn solve(&self, problem: &Problem) -> Claim {
            let zero = |q: &Number| Number::from(-q.to_rational());
            let z = problem.q().iter().map(zero).collect();
            Claim::new("unit", ClaimedAnswer::Solved { z })
        }
    }

    /// A contact that nothing moves has velocities inside of its cone too, by a margin that is no part of q = 0.
    #[test]
    fn contacts_at_rest_have_a_solution() {
        for q in ["[0, 0, 0]", "[-1e-6, 0, 0]", "[-1000, 0, 0]"] {
            let text = format!(
                r#"{{"name": "rest", "M": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": {q},
                    "cones": [{{"rows": [0, 1, 2], "mu": 1, "law": "coulomb"}}]}}"#
            );
            let problem = etalon_lcp::record::read_problem(&text).unwrap().record;
            assert!(existence(&problem, &Unit).is_some(), "{q}");
        }
    }
}
