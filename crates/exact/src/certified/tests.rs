use std::path::Path;

use etalon_certify::{Tolerance, Truth, judge};
use etalon_lcp::{VerdictKind, record};
use proptest::prelude::*;

use super::*;
use crate::solver::Method;
use crate::testing::{any_matrix, gram, p_matrix, problem, psd_matrix, vector};

fn verdict(problem: &Problem, claim: &Claim) -> VerdictKind {
    judge(problem, claim, &Truth::default(), &Tolerance::default()).kind
}

fn flipped(basis: &Basis, rows: impl IntoIterator<Item = usize>) -> Basis {
    let mut bits: Vec<bool> = (0..basis.n()).map(|i| basis.z_is_basic(i)).collect();
    rows.into_iter().for_each(|i| bits[i] = !bits[i]);
    Basis::new(bits)
}

/// Proposals for a problem of n mixed rows: none of them, all, mixed, and nearly right ones.
fn proposals(n: usize, truth: Option<&Basis>, seed: u64) -> Vec<Basis> {
    let bit = |i: usize| {
        seed.rotate_left(i as u32 * 7)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            >> 63
    };
    let mut all = vec![
        Basis::new(vec![false; n]),
        Basis::new(vec![true; n]),
        Basis::new((0..n).map(|i| bit(i) == 1).collect()),
    ];
    if let Some(truth) = truth
        && n > 0
    {
        all.push(truth.clone());
        all.push(flipped(truth, [seed as usize % n]));
        all.push(flipped(truth, (0..n).filter(|i| i % 3 == 0)));
    }
    all
}

/// Whatever is proposed, the claim is exact or proved whenever the reference route's is.
fn check(problem: &Problem, budget: &Budget, seed: u64) {
    let reference = Method::Certified.solver(budget).solve(problem);
    let expected = verdict(problem, &reference);
    let n = Reduction::new(problem).mixed().n();
    for basis in proposals(n, reference.basis.as_ref(), seed) {
        let claim = certified(problem, Some(&basis), budget);
        let found = verdict(problem, &claim);
        match expected {
            VerdictKind::Exact | VerdictKind::Proved => {
                assert_eq!(found, expected, "{} from {basis}", problem.name());
            }
            _ => assert!(
                matches!(found, VerdictKind::Exact | VerdictKind::Failed),
                "{} from {basis}: {found:?}",
                problem.name()
            ),
        }
    }
    // A claim that holds carries a basis that holds.
    if let (VerdictKind::Exact, Some(basis)) = (expected, &reference.basis)
        && let claim = certified(problem, Some(basis), budget)
        && let Some(own) = claim.basis
    {
        let again = certified(problem, Some(&own), budget);
        assert_eq!(verdict(problem, &again), VerdictKind::Exact);
    }
}

proptest! {
    #[test]
    fn any_proposal_ends_in_an_exact_answer_for_p_matrices(
        (m, q) in (1_usize..8).prop_flat_map(|n| (p_matrix(n), vector(n))), seed: u64,
    ) {
        check(&problem(&m, &q), &Budget::default(), seed);
    }

    #[test]
    fn any_proposal_ends_in_an_exact_answer_for_psd_matrices(
        (m, q) in (1_usize..8, 0_usize..6).prop_flat_map(|(n, k)| (psd_matrix(n, k), vector(n))),
        seed: u64,
    ) {
        check(&problem(&m, &q), &Budget::default(), seed);
    }

    #[test]
    fn any_proposal_ends_in_an_exact_answer_for_any_matrix(
        (m, q) in (1_usize..6).prop_flat_map(|n| (any_matrix(n), vector(n))), seed: u64,
    ) {
        check(&problem(&m, &q), &Budget::default(), seed);
    }
}

#[test]
fn redundant_contacts_are_dropped_from_a_singular_basis() {
    // Rank 2: every basis of three or more rows is singular.
    let m = gram(&[vec![1, 1, 2, 1], vec![0, 1, 1, -1]], 4);
    let problem = problem(&m, &[-3, -4, -7, -2]);
    let claim = certified(&problem, Some(&"1111".parse().unwrap()), &Budget::default());
    assert_eq!(verdict(&problem, &claim), VerdictKind::Exact);
    let message = claim.message.unwrap();
    assert!(
        message.contains("repaired") || message.contains("holds"),
        "{message}"
    );
}

#[test]
fn a_proposal_of_another_size_is_ignored() {
    let problem = problem(&[vec![2]], &[-1]);
    for bits in ["", "10"] {
        let claim = certified(&problem, Some(&bits.parse().unwrap()), &Budget::default());
        assert_eq!(verdict(&problem, &claim), VerdictKind::Exact);
        assert_eq!(claim.message, None);
    }
}

#[test]
fn a_claim_without_a_basis_proposes_its_positive_entries() {
    let problem = problem(&[vec![2, 1], vec![1, 2]], &[-5, 6]);
    let z = [2.5, 0.0].map(|v| Number::from_f64(v).unwrap()).to_vec();
    let claim = Claim::new("test", ClaimedAnswer::Solved { z });
    assert_eq!(
        proposed_basis(&problem, &claim),
        Some("10".parse().unwrap())
    );
    let failed = Claim::failed("test", "no idea");
    assert_eq!(proposed_basis(&problem, &failed), None);
}

fn goldens(folder: &Path, found: &mut Vec<Problem>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            goldens(&path, found);
        } else if path.extension().is_some_and(|e| e == "json")
            && let Ok(text) = std::fs::read_to_string(&path)
            && let Ok(read) = record::read_problem(&text)
        {
            found.push(read.record);
        }
    }
}

#[test]
fn goldens_are_certified_from_any_proposal() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/problems");
    let mut problems = Vec::new();
    goldens(Path::new(root), &mut problems);
    assert!(problems.len() > 100);
    let budget = Budget {
        pivots: 2_000,
        bits: 100_000,
        ..Budget::default()
    };
    // Every golden small enough for the search that some of them need.
    for (seed, problem) in problems.iter().filter(|p| p.n() <= 12).enumerate() {
        check(
            problem,
            &budget,
            (seed as u64).wrapping_mul(0x1234_5678_9abc_def1),
        );
    }
}

/// Where repairing leads from a basis: the exchanges to a solution, or none.
fn repaired(problem: &Problem, start: Basis) -> Option<u64> {
    let reduction = Reduction::new(problem);
    match repair::repair(reduction.mixed(), &start, &Budget::default()) {
        repair::Repair::Solved { exchanges, .. } => Some(exchanges),
        _ => None,
    }
}

#[test]
fn exchanges_are_counted() {
    let problem = problem(&[vec![1, 0], vec![0, 1]], &[-1, -2]);
    for (start, exchanges) in [("00", 1), ("10", 1), ("11", 0)] {
        assert_eq!(repaired(&problem, start.parse().unwrap()), Some(exchanges));
    }
}

#[test]
fn single_exchanges_end_what_exchanging_all_rows_does_not() {
    // A P-matrix on which exchanging all wrong rows circles from some bases.
    let problem = problem(
        &[vec![1, 2, 0], vec![0, 1, 2], vec![2, 0, 1]],
        &[-4, -4, -4],
    );
    for (start, exchanges) in [("111", 0), ("000", 1), ("100", 5), ("001", 7), ("011", 10)] {
        let found = repaired(&problem, start.parse().unwrap());
        assert_eq!(found, Some(exchanges), "{start}");
    }
}
