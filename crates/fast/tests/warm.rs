//! A warm start changes the way, not the answer.
#![allow(clippy::unwrap_used, clippy::panic)]

mod families;

use etalon_fast::{Lcp, Method, Place, SparseLcp, Start, Workspace, solve_sparse};
use etalon_lcp::Basis;
use families::Random;

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
        let family = families::ALL
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
            for method in Method::ALL {
                warm(name, &lcp, method, &mut random);
            }
        }
    }
}

fn warm(name: &str, lcp: &Lcp, method: Method, random: &mut Random) {
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
        Start::Places(&spoilt),
    ] {
        let warm = workspace.solve(lcp.view(), method, start);
        if method == Method::Block && warm.is_err() {
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

#[test]
fn a_wall_of_boxes_stands_sparse_and_dense_alike() {
    for contacts in [4, 30, 120, 400] {
        let mut random = Random::new(contacts as u64);
        let (entries, q) = families::wall_sparse(&mut random, contacts);
        let sparse = SparseLcp::new(&entries, &q).unwrap();
        let cold = solve_sparse(&sparse, Start::Cold).unwrap();
        let warm = solve_sparse(&sparse, Start::Places(&cold.places)).unwrap();
        assert_eq!(warm.pivots, 0);
        let mut random = Random::new(contacts as u64);
        let case = families::wall(&mut random, contacts);
        let lcp = Lcp::new(&case.m, &case.q).unwrap();
        let mut workspace = Workspace::new();
        let dense = workspace
            .solve(lcp.view(), Method::Block, Start::Cold)
            .unwrap();
        // w is unique where M is symmetric positive semidefinite; z is not.
        for (a, b) in cold.w.iter().zip(dense.w) {
            assert!((a - b).abs() < 1e-8);
        }
    }
}
