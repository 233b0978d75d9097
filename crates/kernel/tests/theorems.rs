//! What the kernel proves is true: held against the definition, on problems that can be listed.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use etalon_kernel::{Budget, Class, Node, check_solution};
use rug::Rational;

/// All z of a grid of halves from -3 to 3.
fn grid(n: usize) -> impl Iterator<Item = Vec<Rational>> {
    let entry = |k: usize| Rational::from((k as i64 % 13 - 6, 2));
    (0..13usize.pow(n as u32))
        .map(move |code| (0..n).map(|j| entry(code / 13usize.pow(j as u32))).collect())
}

#[test]
fn a_solution_is_what_the_definition_says() {
    let (mut draw, mut counts) = (Draw(1), [0; 2]);
    for _ in 0..300 {
        let data = draw.problem(2);
        for z in grid(2) {
            let holds = solves(&data, &z);
            assert_eq!(
                check_solution(&data, &z, &Budget::default()).is_ok(),
                holds,
                "{data:?} {z:?}"
            );
            counts[usize::from(holds)] += 1;
        }
    }
    assert!(counts[1] > 300, "{counts:?}");
}

#[test]
fn nothing_solves_what_a_form_proves_empty() {
    let (mut draw, mut proved) = (Draw(2), 0);
    for _ in 0..20_000 {
        let data = draw.problem(2);
        let doubles =
            data.bounds.iter().filter(|bounds| bounds.iter().all(Option::is_some)).count();
        let y: Vec<_> = (0..2 + doubles).map(|_| draw.integer(2)).collect();
        if cover(&data, &[Node::Empty(Entries(y.clone()))]).is_ok() {
            proved += 1;
            assert!(!grid(2).any(|z| solves(&data, &z)), "{data:?} {y:?}");
        }
    }
    assert!(proved > 100, "{proved}");
}

/// Random trees whose leaves are all solutions of the grid as points, or empty by random vectors.
#[test]
fn all_solutions_are_in_what_a_cover_leaves() {
    let (mut draw, mut proved, mut unique) = (Draw(3), 0, 0);
    for _ in 0..60_000 {
        let data = draw.problem(1);
        let double = data.bounds[0].iter().all(Option::is_some);
        let length = 1 + usize::from(double);
        let mut leaf = || {
            let mut vector = || Entries((0..length).map(|_| draw.integer(2)).collect());
            let (y, z) = (vector(), vector());
            match draw.below(3) {
                0 => Node::Empty(y),
                1 => Node::Point(y, z),
                _ => Node::Face(vec![z], vec![]),
            }
        };
        let nodes = vec![Node::Branch(0, [1, 2]), leaf(), leaf()];
        let Ok(truth) = cover(&data, &nodes) else { continue };
        proved += 1;
        let found: Vec<_> = grid(1).filter(|z| solves(&data, z)).collect();
        if truth.has_all_solutions {
            assert!(found.iter().all(|z| truth.solutions.contains(z)), "{data:?} {nodes:?}");
        }
        if truth.unique.is_some() {
            unique += 1;
            assert!(found.len() <= 1, "{data:?} {nodes:?}");
        }
        assert_eq!(truth.solvable, Some(!truth.solutions.is_empty()));
        assert!(truth.solutions.iter().all(|z| solves(&data, z)), "{data:?} {nodes:?}");
    }
    assert!(proved > 300 && unique > 30, "{proved} {unique}");
}

#[test]
fn classes_leave_one_w_or_one_z() {
    let (mut draw, mut counts) = (Draw(4), [0; 4]);
    for _ in 0..4_000 {
        let data = draw.problem(2);
        let found: Vec<_> = grid(2).filter(|z| solves(&data, z)).collect();
        let weights = vec![Rational::from(1 + draw.below(2)), Rational::from(1 + draw.below(2))];
        let of_z =
            [Class::PositiveDefinite, Class::PrincipalMinors, Class::DiagonallyDominant(weights)];
        for (k, of_z) in of_z.into_iter().enumerate() {
            if class(&data, &of_z).is_ok() {
                counts[k] += 1;
                assert!(found.len() <= 1, "{data:?}");
            }
        }
        if class(&data, &Class::SymmetricPsd).is_ok() {
            counts[3] += 1;
            let all_w = |z: &Vec<Rational>| [w(&data, 0, z), w(&data, 1, z)];
            assert!(found.windows(2).all(|pair| all_w(&pair[0]) == all_w(&pair[1])), "{data:?}");
        }
    }
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}

/// z / d solves a problem with q / d and bounds over d where z solves it with q and bounds. Long numbers over one
/// denominator are brought over it at once, others row by row.
#[test]
fn a_long_point_is_judged_as_a_short_one() {
    let d = (rug::Integer::from(1) << 4_095u32) + 1u32;
    let over = |value: &Rational| value.clone() / &d;
    let problems = [
        ("2 1 0 -3; 1 2 1 -4; 0 1 2 -3", "0.. 0.. 0.."),
        ("2/3 1/5 0 -2; 1 2 1/7 3; 0 1 2 -3/2", "..1 -1..2 0..2"),
        ("1 0 0 -2; 0 0 0 1; 1 1 -1 0", "0.. 1/2*0 1*1"),
        ("0 0 0 0; 1 0 0 -1; 0 0 1 0", ".. 1..1 .."),
    ];
    let (mut yes, mut long) = (0, 0);
    for (rows, bounds) in problems {
        let short = problem(rows, bounds);
        let mut scaled = short.clone();
        for row in &mut scaled.rows {
            let q = row.last_mut().unwrap();
            *q = over(q);
        }
        for bound in scaled.bounds.iter_mut().flatten().flatten() {
            bound.constant = over(&bound.constant);
        }
        for k in 0..64 {
            let z = [k % 4 - 1, k / 4 % 4 - 1, k / 16 - 1].map(Rational::from);
            let own = check_solution(&short, &z, &Budget::default());
            let far = z.each_ref().map(over);
            assert_eq!(check_solution(&scaled, &far, &Budget::default()), own, "{rows} {z:?}");
            yes += usize::from(own.is_ok());
            long += usize::from(own.is_ok() && z.iter().filter(|z| **z != 0).count() > 1);
        }
    }
    // 1 1 1, and others.
    assert!(yes >= 4 && long >= 3, "{yes} {long}");
}
