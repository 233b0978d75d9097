use std::path::Path;

use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_lcp::{VerdictKind, record};
use proptest::prelude::*;

use super::*;
use crate::solver::ExactMethod;
use crate::testing::{any_matrix, gram, p_matrix, problem, psd_matrix, vector};

fn verdict(problem: &Problem, claim: &Claim) -> VerdictKind {
    check_claim(problem, claim, &Truth::default(), &Tolerance::default()).kind
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
    let reference = ExactMethod::Certified.solver(budget).solve(problem);
    let expected = verdict(problem, &reference);
    let n = Reduction::new(problem).mixed().n();
    for basis in proposals(n, reference.basis.as_ref(), seed) {
        let claim = certified(problem, Some(&basis.clone().into()), budget);
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
        && let claim = certified(problem, Some(&basis.clone().into()), budget)
        && let Some(own) = claim.basis
    {
        let again = certified(problem, Some(&own.into()), budget);
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
    let claim = certified(&problem, Some(&proposal("1111")), &Budget::default());
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
        let claim = certified(&problem, Some(&proposal(bits)), &Budget::default());
        assert_eq!(verdict(&problem, &claim), VerdictKind::Exact);
        assert_eq!(claim.message, None);
    }
}

#[test]
fn a_claim_without_a_basis_proposes_its_positive_entries() {
    let problem = problem(&[vec![2, 1], vec![1, 2]], &[-5, 6]);
    let z = [2.5, 0.0].map(|v| Number::from_f64(v).unwrap()).to_vec();
    let claim = Claim::new("test", ClaimedAnswer::Solved { z });
    let own = Proposal {
        z: Some(vec![2.5, 0.0]),
        ..proposal("10")
    };
    assert_eq!(Proposal::of(&problem, &claim), Some(own));
    let failed = Claim::failed("test", "no idea");
    assert_eq!(Proposal::of(&problem, &failed), None);
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
    match repair::repair(reduction.mixed(), (&start, None), &Budget::default()) {
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

/// A basis alone.
fn proposal(bits: &str) -> Proposal {
    let basis: Basis = bits.parse().unwrap();
    basis.into()
}

/// A wall of bricks in running bond, with forces that hold it up by more contacts than it takes.
fn wall(rows: usize, across: usize) -> (Problem, Vec<f64>) {
    // Bricks of width 4; brick (r, c) has its middle at 4 c + 2 (r % 2), and four contacts below it.
    let middle = |r: usize, c: usize| 4 * c as i64 + 2 * (r % 2) as i64;
    let brick = |r: usize, c: usize| r * across + c;
    let mut contacts: Vec<Vec<i64>> = Vec::new();
    for r in 0..rows {
        for c in 0..across {
            for side in [-2, -1, 1, 2] {
                // Velocities: up, and around the middle.
                let mut row = vec![0; 2 * rows * across];
                let place = middle(r, c) + side;
                row[2 * brick(r, c)] = 1;
                row[2 * brick(r, c) + 1] = side;
                let below = (0..across).filter(|d| r > 0 && (middle(r - 1, *d) - place).abs() <= 2);
                for d in below {
                    let mut own = row.clone();
                    own[2 * brick(r - 1, d)] = -1;
                    own[2 * brick(r - 1, d) + 1] = -(place - middle(r - 1, d));
                    contacts.push(own);
                }
                if r == 0 {
                    contacts.push(row);
                }
            }
        }
    }
    let columns: Vec<Vec<i64>> = (0..2 * rows * across)
        .map(|i| contacts.iter().map(|row| row[i]).collect())
        .collect();
    let m = gram(&columns, contacts.len());
    // Forces that hold it up, all of them above 0.
    let forces: Vec<i64> = (0..m.len() as i64).map(|k| 1 + 31 * k * k % 97).collect();
    let push = |row: &Vec<i64>| -row.iter().zip(&forces).map(|(m, f)| m * f).sum::<i64>();
    let q: Vec<i64> = m.iter().map(push).collect();
    let forces = forces.into_iter().map(|own| own as f64);
    (problem(&m, &q), forces.collect())
}

#[test]
fn a_singular_basis_beside_a_solution_is_thinned_without_pivots() {
    let mut pivots = 0;
    for (rows, across) in [(3, 4), (5, 6), (8, 5), (6, 12)] {
        let (problem, z) = wall(rows, across);
        let n = z.len();
        let mut own = Proposal::from(Basis::new(vec![true; n]));
        let alone = certified(&problem, Some(&own), &Budget::default());
        assert_eq!(verdict(&problem, &alone), VerdictKind::Exact);
        pivots += alone.pivots.unwrap();
        let rounded = z
            .iter()
            .map(|own| f64::from((*own / 3.0) as f32) * 3.0)
            .collect();
        for near in [z, rounded] {
            own.z = Some(near);
            let claim = certified(&problem, Some(&own), &Budget::default());
            assert_eq!(verdict(&problem, &claim), VerdictKind::Exact);
            assert_eq!(claim.message.as_deref(), Some("the proposed basis holds"));
        }
    }
    // Without the forces the columns are taken in their order, and some have forces below 0.
    assert!(pivots > 0);
}

#[test]
fn points_that_are_no_use_do_no_harm() {
    let (problem, z) = wall(3, 4);
    let n = z.len();
    let mut own = Proposal::from(Basis::new(vec![true; n]));
    let points = [
        vec![0.0; n],
        vec![f64::NAN; n],
        vec![f64::INFINITY; n],
        vec![-1.0; n],
        vec![1e300; n],
        vec![1.0; 3],
        (0..n)
            .map(|k| if k % 2 == 0 { 1e-300 } else { 1e300 })
            .collect(),
    ];
    for near in points {
        own.z = Some(near);
        let claim = certified(&problem, Some(&own), &Budget::default());
        assert_eq!(verdict(&problem, &claim), VerdictKind::Exact, "{:?}", own.z);
    }
}

/// One body on two contacts that share its weight; the first has friction, as in Stewart and Trinkle's form with two directions.
/// Order: beta+, beta-, c_1, c_2, lambda.
fn shared_weight() -> Problem {
    let m = [
        vec![1, -1, 0, 0, 1],
        vec![-1, 1, 0, 0, 1],
        vec![0, 0, 2, 2, 0],
        vec![0, 0, 2, 2, 0],
        vec![-1, -1, 1, 0, 0],
    ];
    problem(&m, &[2, -2, -16, -16, 0])
}

#[test]
fn a_point_inside_a_face_is_solved_for_where_no_thinned_basis_is_right() {
    // Without c_1, the smaller of the two weights, nothing holds the friction: lambda's row has w = c_1 - beta+ - beta-.
    let problem = shared_weight();
    let z = vec![0.25 + 1e-15, 2.25, 3.0, 5.0 - 1e-15, 0.0];
    let mut own = proposal("11110");
    let alone = certified(&problem, Some(&own), &Budget::default());
    assert_eq!(verdict(&problem, &alone), VerdictKind::Exact);
    own.z = Some(z.clone());
    let claim = certified(&problem, Some(&own), &Budget::default());
    assert_eq!(verdict(&problem, &claim), VerdictKind::Exact);
    let message = claim.message.as_deref();
    assert_eq!(
        message,
        Some("an exact solution next to the proposed one holds")
    );
    assert_eq!((claim.basis, claim.pivots), (None, Some(0)));
    let ClaimedAnswer::Solved { z: exact } = claim.answer else {
        panic!("not solved")
    };
    for (given, exact) in z.iter().zip(&exact) {
        assert!((given - exact.to_f64()).abs() < 1e-14, "{given} {exact}");
    }
}

#[test]
fn a_point_off_every_face_is_no_solution() {
    let problem = shared_weight();
    let reduction = Reduction::new(&problem);
    let face = |bits: &str, z: [f64; 5]| {
        let basis = bits.parse().unwrap();
        face::face_point(reduction.mixed(), (&basis, &z), &Budget::default())
    };
    assert!(face("11110", [0.25, 2.25, 3.0, 5.0, 0.0]).is_some());
    // The friction that is kept is more than its contact bears.
    assert!(face("11110", [4.0, 2.0, 1.0, 7.0, 0.0]).is_none());
    // Equations that contradict each other: the weight is held by nobody.
    assert!(face("11000", [0.25, 2.25, 0.0, 0.0, 0.0]).is_none());
    assert!(face("11110", [f64::NAN, 2.25, 3.0, 5.0, 0.0]).is_none());
}

#[test]
fn an_elimination_ends_where_the_work_is_stopped() {
    let problem = shared_weight();
    let reduction = Reduction::new(&problem);
    let system = || {
        let rows = (0..4).collect::<Vec<_>>();
        elimination::Elimination::new(reduction.mixed(), rows.clone(), rows, &[1.0; 5]).unwrap()
    };
    let budget = Budget::default();
    assert!(system().eliminate(&budget).is_some());
    budget.stop.stop();
    assert_eq!(system().eliminate(&budget), None);
    let basis = "11110".parse().unwrap();
    assert_eq!(
        purify::purified(reduction.mixed(), (&basis, &[1.0; 5]), &budget),
        None
    );
}

#[test]
fn equations_that_rounding_hides_are_held_exactly() {
    // Both rows count as equations, and have one column; the one that is left out has w = 1 or -1.
    let big = 1_i64 << 50;
    let (m, basis) = ([vec![big, big], vec![big, big]], "11".parse().unwrap());
    for more in [[0, 1], [1, 0], [0, 0]] {
        let problem = problem(&m, &more.map(|more| more - 2 * big));
        let reduction = Reduction::new(&problem);
        let own = (&basis, &[1.0, 1.0][..]);
        let found = face::face_point(reduction.mixed(), own, &Budget::default());
        assert_eq!(found.is_some(), more == [0, 0], "{more:?}");
    }
}

proptest! {
    /// A monotone problem with a face of solutions, proposed from inside of it, rounded.
    #[test]
    fn faces_of_monotone_problems_are_met_without_pivots(
        rows in prop::collection::vec(prop::collection::vec(-2_i64..3, 9), 1..4),
        skew in prop::collection::vec(prop::sample::select(vec![0_i64, 0, 0, 1, -1]), 36),
        kinds in prop::collection::vec((0_u8..5, 1_i64..9), 9),
    ) {
        let n = 9;
        let mut m = gram(&rows, n);
        let below = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
        for ((i, j), own) in below.zip(skew) {
            m[i][j] += own;
            m[j][i] -= own;
        }
        // Three of five unknowns are positive, one has w > 0, and of one both are 0.
        let z: Vec<i64> = kinds.iter().map(|(kind, size)| if *kind < 3 { *size } else { 0 }).collect();
        let w = |i: usize| if kinds[i].0 == 3 { kinds[i].1 } else { 0 };
        let product = |i: usize| m[i].iter().zip(&z).map(|(m, z)| m * z).sum::<i64>();
        let q: Vec<i64> = (0..n).map(|i| w(i) - product(i)).collect();
        let problem = problem(&m, &q);
        let near = z.iter().map(|z| *z as f64 * (1.0 + 2.0 * f64::EPSILON)).collect();
        let basis = Basis::new(z.iter().map(|z| *z > 0).collect());
        let own = Proposal { basis, z: Some(near) };
        let claim = certified(&problem, Some(&own), &Budget::default());
        prop_assert_eq!(verdict(&problem, &claim), VerdictKind::Exact);
        prop_assert_eq!(claim.pivots, Some(0), "{:?}", claim.message);
    }
}
