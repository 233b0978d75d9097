//! A warm start changes the way, not the answer.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::families::Random;
use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_exact::{Budget, Signs, basis_solution};
use etalon_fast::{FastMethod, Lcp, Place, Solution, SparseLcp, Start, Workspace, solve_sparse};
use etalon_lcp::{Basis, Claim, ClaimedAnswer, Number, Problem, Reduction, VerdictKind};
use nalgebra::{DMatrix, DVector};

#[test]
fn warm_and_cold_answers_are_equally_good() {
    for name in [
        "pd",
        "contact",
        "friction4",
        "nonsymmetric",
        "boxed",
        "bilateral",
    ] {
        let family = crate::families::ALL
            .iter()
            .find(|(own, _)| *own == name)
            .unwrap()
            .1;
        for seed in 0..60 {
            let mut random = Random::new(1000 + seed);
            let n = 1 + random.below(30);
            let case = family(&mut random, n);
            let mut lcp = Lcp::new(&case.m, &case.q).unwrap();
            if let (Some(lower), Some(upper)) = (&case.lower, &case.upper) {
                lcp = lcp.with_bounds(lower, upper).unwrap();
            }
            for method in FastMethod::ALL {
                warm(name, &lcp, method, &mut random);
            }
        }
    }
}

fn warm(name: &str, lcp: &Lcp, method: FastMethod, random: &mut Random) {
    let mut workspace = Workspace::new();
    let Ok(cold) = workspace.solve(lcp.view(), method, Start::Cold) else {
        return;
    };
    let (z, w) = (cold.z.to_vec(), cold.w.to_vec());
    let places = cold.places.to_vec();
    let basis = Basis::new(places.iter().map(|p| *p == Place::Between).collect());
    let spoilt: Vec<Place> = places
        .iter()
        .map(|p| {
            if random.below(10) == 0 {
                Place::Between
            } else {
                *p
            }
        })
        .collect();
    for start in [
        Start::Places(&places),
        Start::Basis(&basis),
        Start::Point(&z),
        Start::Solution {
            places: &places,
            z: &z,
        },
        Start::Places(&spoilt),
    ] {
        let warm = workspace.solve(lcp.view(), method, start);
        if method == FastMethod::Block && warm.is_err() {
            // It promises nothing for matrices that are not symmetric.
            continue;
        }
        let warm = warm.unwrap_or_else(|failure| panic!("{name} {method}: {failure}"));
        if name == "pd" {
            // Unique and well-conditioned: the same z and w.
            let near = |a: &[f64], b: &[f64]| {
                let size = b.iter().fold(0.0f64, |most, v| most.max(v.abs()));
                a.iter()
                    .zip(b)
                    .all(|(a, b)| (a - b).abs() <= 1e-9 * (1.0 + size))
            };
            assert!(near(warm.z, &z) && near(warm.w, &w), "{name} {method}");
        }
    }
}

/// The factor that a workspace keeps serves the next problem only as far as its answers are right.
#[test]
fn what_a_workspace_keeps_changes_the_way_not_the_answer() {
    let mut random = Random::new(5);
    let first = crate::families::pd(&mut random, 120);
    let scale = DMatrix::from_diagonal(&DVector::from_fn(120, |_, _| 1.0 + 0.01 * random.signed()));
    let scaled = &scale * &first.m * &scale;
    let mut shaken = first.m.clone();
    for i in 0..120 {
        for j in 0..=i {
            let value = first.m[(i, j)] * (1.0 + 1e-3 * random.signed());
            (shaken[(i, j)], shaken[(j, i)]) = (value, value);
        }
    }
    let other = crate::families::pd(&mut random, 120).m;
    let mut scaled_exactly = scaled.clone();
    scaled_exactly.fill_lower_triangle_with_upper_triangle();
    let mut workspace = Workspace::new();
    for m in [&scaled_exactly, &shaken, &other, &first.m, &scaled_exactly] {
        let before = Lcp::new(&first.m, &first.q).unwrap();
        let solution = workspace.solve(before.view(), FastMethod::Block, Start::Cold);
        let places = solution.unwrap().places.to_vec();
        let after = Lcp::new(m, &first.q).unwrap();
        let mut fresh = Workspace::new();
        let cold = fresh
            .solve(after.view(), FastMethod::Block, Start::Cold)
            .unwrap();
        let start = Start::Places(&places);
        let warm = workspace
            .solve(after.view(), FastMethod::Block, start)
            .unwrap();
        assert_eq!(warm.places, cold.places);
        let limit = (4 * 120 + 16) as f64 * f64::EPSILON / 2.0;
        assert!(warm.backward_error <= limit);
        let size = cold.z.iter().fold(0.0f64, |most, z| most.max(z.abs()));
        for (a, b) in warm.z.iter().zip(cold.z) {
            assert!((a - b).abs() <= 1e-9 * size);
        }
    }
}

#[test]
fn a_wall_of_boxes_stands_sparse_and_dense_alike() {
    for contacts in [4, 30, 120, 400] {
        let mut random = Random::new(contacts as u64);
        let (entries, q) = crate::families::wall_sparse(&mut random, contacts);
        let sparse = SparseLcp::new(&entries, &q).unwrap();
        let cold = solve_sparse(&sparse, Start::Cold).unwrap();
        let warm = solve_sparse(&sparse, Start::Places(&cold.places)).unwrap();
        assert_eq!(warm.pivots, 0);
        let mut random = Random::new(contacts as u64);
        let case = crate::families::wall(&mut random, contacts);
        let lcp = Lcp::new(&case.m, &case.q).unwrap();
        let mut workspace = Workspace::new();
        let dense = workspace
            .solve(lcp.view(), FastMethod::Block, Start::Cold)
            .unwrap();
        // w is unique where M is symmetric positive semidefinite; z is not.
        for (a, b) in cold.w.iter().zip(dense.w) {
            assert!((a - b).abs() < 1e-8);
        }
    }
}

/// Bodies under loads, contacts on one of them or between two, and a pair of rows as of friction: mixed, and not symmetric.
fn mixed(random: &mut Random) -> SparseLcp {
    let (bodies, contacts) = (1 + random.below(6), 2 + random.below(9));
    let n = bodies + contacts + 2;
    let mut entries: Vec<_> = (0..bodies).map(|i| (i, i, 0.1 + random.unit())).collect();
    let mut q: Vec<_> = (0..n).map(|_| 2.0 * random.unit() - 1.0).collect();
    q[bodies..].fill(0.0);
    let mut couple = |i: usize, j: usize, value: f64| {
        entries.extend([(i, j, value), (j, i, -value)]);
    };
    for k in bodies..bodies + contacts {
        let (own, other) = (random.below(bodies), random.below(bodies));
        let side = if random.below(2) == 0 { 1.0 } else { -1.0 };
        couple(k, own, side);
        if other != own {
            couple(k, other, -side);
        }
    }
    let (bound, push) = (n - 2, n - 1);
    couple(push, bound, 1.0);
    couple(push, 0, random.unit() - 0.5);
    entries.push((bound, bodies, 0.5));
    entries.sort_by_key(|(i, j, _)| (*i, *j));
    let free: Vec<_> = (0..n).map(|i| i < bodies).collect();
    SparseLcp::mixed(&entries, &q, &free).unwrap()
}

/// Near a z that is far off the exchange settles, and rounding of that z fails the self-check.
#[test]
fn what_is_solved_cold_is_solved_from_any_point() {
    let mut random = Random::new(109);
    let mut solved = 0;
    for _ in 0..1_000 {
        let lcp = mixed(&mut random);
        let Ok(cold) = solve_sparse(&lcp, Start::Cold) else {
            continue;
        };
        solved += 1;
        for far in [30.0, 1e12, 1e16] {
            let z: Vec<_> = cold.z.iter().map(|z| z + far).collect();
            for places in [&cold.places[..], &vec![Place::Between; z.len()]] {
                let warm = solve_sparse(&lcp, Start::Solution { places, z: &z });
                assert!(warm.is_ok(), "{warm:?}");
            }
        }
    }
    assert!(solved > 500, "{solved}");
}

/// Places, bases and points that have nothing to do with the problem, in a workspace that others have used.
#[test]
fn no_start_makes_a_wrong_answer() {
    let mut workspace = Workspace::new();
    for (name, family) in crate::families::ALL {
        for seed in 0..25 {
            let mut random = Random::new(77 + seed);
            let n = 1 + random.below(if seed < 20 { 12 } else { 60 });
            let case = family(&mut random, n);
            let mut lcp = Lcp::new(&case.m, &case.q).unwrap();
            if let (Some(lower), Some(upper)) = (&case.lower, &case.upper) {
                lcp = lcp.with_bounds(lower, upper).unwrap();
            }
            let n = case.q.len();
            let problem = case.problem("garbage");
            let all = [Place::Lower, Place::Upper, Place::Between];
            let places: Vec<_> = (0..n + random.below(2))
                .map(|_| all[random.below(3)])
                .collect();
            let bits = (0..3 * n).map(|_| random.below(2) == 0).collect();
            let basis = Basis::new(bits);
            let odd = [f64::NAN, f64::INFINITY, -1e308, 5e-324, 0.0, 1.0, 1e300];
            let point: Vec<_> = (0..n).map(|_| odd[random.below(odd.len())]).collect();
            for start in [
                Start::Places(&places),
                Start::Basis(&basis),
                Start::Point(&point),
                Start::Solution {
                    places: &places,
                    z: &point,
                },
            ] {
                for method in FastMethod::ALL {
                    let Ok(solution) = workspace.solve_proving(lcp.view(), method, start) else {
                        continue;
                    };
                    judged(&problem, solution, name);
                    let _ = workspace.solve(lcp.view(), method, start);
                }
            }
        }
    }
}

/// Held against the problem by the exact checker, and its places by exact arithmetic where it says that they
/// are proved.
fn judged(problem: &Problem, solution: Solution<'_>, name: &str) {
    let z = solution.z.iter().map(|z| Number::from_f64(*z).unwrap());
    let claim = Claim::new(problem.name(), ClaimedAnswer::Solved { z: z.collect() });
    let verdict = check_claim(problem, &claim, &Truth::default(), &Tolerance::default());
    let fine = matches!(verdict.kind, VerdictKind::Exact | VerdictKind::Accepted);
    assert!(fine, "{name}: {verdict:?}");
    if solution.proved {
        let bits = solution.places.iter().map(|p| *p == Place::Between);
        let basis = Basis::new(bits.collect());
        let reduction = Reduction::new(problem);
        let exact = basis_solution(reduction.mixed(), &basis, &Budget::default()).unwrap();
        assert_eq!(exact.signs, Signs::Feasible, "{name}");
    }
}
