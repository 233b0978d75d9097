//! Many bodies in mixed form: the problems of the same bodies with their velocities.

use etalon_lcp::{Bound, PureForm, Reduction};

use super::*;
use crate::generate::mixed_families;

/// How many of the first rows are free; all others are not.
fn free(problem: &Problem) -> usize {
    let lower = problem.lower().unwrap();
    let is_free = |bound: &&Bound| **bound == Bound::NegativeInfinity;
    let count = lower.iter().take_while(is_free).count();
    assert_eq!(lower.iter().filter(is_free).count(), count);
    count
}

#[test]
fn all_sizes_are_bodies_and_contacts_that_act_and_react() {
    for family in mixed_families() {
        let coordinates = if family.name.contains("pile") { 6 } else { 3 };
        for n in sizes(family, family.sizes.min + 40) {
            let problem = &problems(family.name, n, 1)[0];
            let (m, free) = (problem.m(), free(problem));
            assert!(m.is_sparse() && problem.n() == n && free < n, "{n}");
            assert_eq!(free % coordinates, 0);
            for i in 0..n {
                for (j, value) in m.row(i) {
                    let mirrored = m.get(j, i).map(etalon_lcp::Number::to_f64);
                    match (i < free, j < free) {
                        (true, true) => assert!(i == j && value.to_f64() > 0.0),
                        (true, false) | (false, true) => {
                            assert_eq!(mirrored, Some(-value.to_f64()));
                        }
                        // The multipliers of friction pyramids.
                        (false, false) => assert!(family.name.contains("friction")),
                    }
                }
            }
        }
    }
}

#[test]
fn bodies_fall() {
    for (name, coordinates, down) in [("mixed-wall", 3, 1), ("mixed-pile-3d", 6, 2)] {
        let problem = &problems(name, 100, 1)[0];
        for i in (down..free(problem)).step_by(coordinates) {
            // A v = -q without contacts.
            let mass = problem.m().get(i, i).unwrap().to_f64();
            let acceleration = problem.q()[i].to_f64() / mass;
            assert!((9.5..=10.5).contains(&acceleration), "{acceleration}");
        }
    }
}

/// The problem of the forces alone.
fn forces(problem: &Problem) -> (Vec<Vec<Rational>>, Vec<Rational>) {
    let pure = PureForm::eliminate(Reduction::new(problem).mixed()).unwrap();
    let lcp = pure.lcp();
    let n = lcp.n();
    let entry = |i, j| {
        let value = lcp.m().get(i, j);
        value.map_or_else(Rational::new, etalon_lcp::Number::to_rational)
    };
    let m = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect());
    let q = lcp.q().iter().map(etalon_lcp::Number::to_rational);
    (m.collect(), q.collect())
}

#[test]
fn without_velocities_bodies_leave_what_the_families_of_forces_are() {
    for name in ["mixed-stack", "mixed-wall", "mixed-column", "mixed-pile-3d"] {
        for problem in problems(name, 45, 2) {
            let (m, _) = forces(&problem);
            assert!((0..m.len()).all(|i| (0..i).all(|j| m[i][j] == m[j][i])));
            assert!(classes::semidefinite_rank(m).is_some(), "{name}");
        }
    }
    for (name, n, directions) in [
        ("mixed-friction-wall", 50, 2),
        ("mixed-friction-column", 50, 2),
        ("mixed-friction-pile-3d", 48, 4),
        ("mixed-friction-pile-eight", 66, 8),
    ] {
        for problem in problems(name, n, 2) {
            let (m, q) = forces(&problem);
            let count = m.len() / (directions + 2);
            classes::check_pyramids(&m, &q, count, directions);
        }
    }
}
