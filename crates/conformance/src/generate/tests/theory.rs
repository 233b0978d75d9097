//! The theory of a family, against the enumeration of all solutions.

use etalon_certify::{check_cover, check_farkas, solves};
use etalon_exact::{Budget, Found, enumerate, farkas, find_one};
use etalon_lcp::{Reduction, Unique};

use super::*;

#[test]
fn solvable_families_are_and_unsolvable_ones_are_not() {
    for family in families().iter().chain(&mixed_families()[..4]) {
        for n in sizes(family, 8) {
            for problem in problems(family.name, n, 4) {
                check_solvable(family, &problem);
            }
        }
    }
}

fn check_solvable(family: &Family, problem: &Problem) {
    let (name, reduction) = (problem.name(), Reduction::new(problem));
    let lcp = reduction.mixed();
    let solvable = match find_one(lcp, &Budget::default()).unwrap() {
        Found::Solution(z) => {
            assert!(solves(problem, &reduction.lift(&z)).unwrap(), "{name}");
            true
        }
        Found::None(cover) => {
            assert!(check_cover(lcp, &cover).unwrap().is_empty(), "{name}");
            false
        }
    };
    if let Some(known) = family.theory.solvable() {
        assert_eq!(solvable, known, "{name}");
    }
    if !solvable {
        let empty = match farkas(lcp, &Budget::default()).unwrap() {
            Some(y) => check_farkas(lcp, &y).is_ok(),
            None => false,
        };
        match family.theory {
            Theory::Infeasible => assert!(empty, "{name}"),
            Theory::NoSolution => assert!(!empty, "{name}"),
            _ => {}
        }
    }
}

#[test]
fn what_is_unique_is() {
    for family in families().iter().chain(&mixed_families()[..3]) {
        let Some(unique) = family.theory.unique() else {
            continue;
        };
        for n in sizes(family, family.sizes.min.max(5)) {
            for problem in problems(family.name, n, 3) {
                check_unique(unique, &problem);
            }
        }
    }
}

fn check_unique(unique: Unique, problem: &Problem) {
    let name = problem.name();
    let reduction = Reduction::new(problem);
    let set = enumerate(reduction.mixed(), &Budget::default()).unwrap();
    let faces = set.faces.iter().flat_map(|face| &face.vertices);
    let solutions: Vec<_> = set
        .isolated
        .iter()
        .chain(faces)
        .map(|z| reduction.lift(z))
        .collect();
    assert!(!solutions.is_empty(), "{name}");
    let shared: Vec<_> = solutions
        .iter()
        .map(|z| match unique {
            Unique::Z => z.clone(),
            Unique::W => w(problem, z),
        })
        .collect();
    assert!(shared.iter().all(|one| *one == shared[0]), "{name}");
}

fn w(problem: &Problem, z: &[Rational]) -> Vec<Rational> {
    let product = |i: usize| {
        let terms = problem
            .m()
            .row(i)
            .map(|(j, value)| value.to_rational() * &z[j]);
        terms.fold(problem.q()[i].to_rational(), |sum, term| sum + term)
    };
    (0..problem.n()).map(product).collect()
}

#[test]
fn the_published_problems_have_their_known_solutions() {
    let single = |n: usize, at: usize, value: Rational| {
        let mut z = vec![Rational::new(); n];
        z[at] = value;
        z
    };
    for n in 1..=30 {
        let first = single(n, 0, Rational::from(1));
        assert!(solves(&problems("murty", n, 1)[0], &first).unwrap());
        assert!(solves(&problems("fathi", n, 1)[0], &first).unwrap());
        let last = single(n, n - 1, Rational::from(1) << n as u32);
        assert!(solves(&problems("birge-gana", n, 1)[0], &last).unwrap());
    }
    for n in (3..30).step_by(2) {
        let thirds = vec![Rational::from((1, 3)); n];
        assert!(solves(&problems("kostreva", n, 1)[0], &thirds).unwrap());
    }
}

#[test]
fn integers_of_no_class_have_no_one_and_several_solutions() {
    let mut counts = [0; 3];
    for problem in problems("integer", 3, 60) {
        let set = enumerate(Reduction::new(&problem).mixed(), &Budget::default()).unwrap();
        counts[(set.isolated.len() + 2 * set.faces.len()).min(2)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 3), "{counts:?}");
}

#[test]
fn about_half_of_the_forces_of_definite_problems_are_positive() {
    let mut positive = 0;
    for problem in problems("pd", 8, 25) {
        let Found::Solution(z) =
            find_one(Reduction::new(&problem).mixed(), &Budget::default()).unwrap()
        else {
            panic!("{} has a solution", problem.name());
        };
        positive += z.iter().filter(|value| **value > 0).count();
    }
    assert!((60..140).contains(&positive), "{positive} of 200");
}
