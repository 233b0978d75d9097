//! Superquadrics: f and its gradient, distances, and what is proved of bodies that are apart.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{exact, q};
use etalon_time_stepping::implicit::{
    Body, Branch, ImplicitStepper, Interval, Jet, Mobility, Mode, Pair, Shape, StepProblem, System,
    Unproved, newton, preconditioner, prove, refine,
};
use etalon_time_stepping::{Grid, Settings, State, StepError};
use proptest::prelude::*;
use rug::{Float, Rational};

fn superquadric(half_axes: &[(i64, i64)], exponent: u32) -> Shape {
    Shape::Superquadric {
        half_axes: half_axes.iter().map(|(n, d)| q(*n, *d)).collect(),
        exponents: [exponent; 2],
    }
}

/// Two of them in free space, of half axes 1, 1, 1/2.
fn two(exponent: u32) -> Result<System, StepError> {
    let body = |name: &str| Body {
        name: name.to_owned(),
        mass: q(1, 1),
        shape: superquadric(&[(1, 1), (1, 1), (1, 2)], exponent),
        mobility: Mobility::Rigid {
            inertia: vec![q(1, 2); 3],
        },
    };
    let pair = Pair {
        first: 0,
        second: 1,
        mu: q(1, 4),
        torsion: q(0, 1),
    };
    System::new(vec![q(0, 1); 3], vec![body("a"), body("b")], vec![pair])
}

/// The first at that place, and the second at the origin.
fn apart(place: [(i64, i64); 3]) -> Vec<Rational> {
    let turned = [q(1, 1), q(0, 1), q(0, 1), q(0, 1)];
    let first = place.map(|(n, d)| q(n, d));
    let origin = [(); 3].map(|()| q(0, 1));
    [&first[..], &turned, &origin, &turned].concat()
}

proptest! {
    #[test]
    fn the_gradient_is_the_derivative_of_f(
        x in -40i32..40, y in -40i32..40, half in 1u32..=8,
    ) {
        let shape = superquadric(&[(2, 1), (1, 4)], 2 * half);
        let point = [x, y].map(|x| Interval::point(&(Float::with_val(800, x) / 8u32)));
        let unknowns = Jet::unknowns(&point);
        let value = shape.value(&unknowns[0], &unknowns);
        let gradient = shape.gradient(&point[0], &point);
        let (x, y) = (q(i64::from(x), 16), q(i64::from(y), 2));
        let powers = [x, y].map(|own| (0..2 * half).fold(q(1, 1), |p, _| p * &own));
        prop_assert!(value.value().holds(&(Rational::from(&powers[0] + &powers[1]) - 1u32)));
        prop_assert_eq!(value.row(2), gradient);
    }
}

/// Along an axis the distance is what is between the ends. Along a diagonal d of two axes each reaches
/// (|d_x|^r + |d_y|^r)^(1/r) with r = p/(p - 1).
#[test]
fn distances_are_those_of_the_support_function() {
    for exponent in [2, 4, 8] {
        let system = two(exponent).unwrap();
        let along_x = system.distances(&apart([(3, 1), (0, 1), (0, 1)]))[0];
        let along_z = system.distances(&apart([(0, 1), (0, 1), (-5, 4)]))[0];
        assert!((along_x - 1.0).abs() < 1e-12 && (along_z - 0.25).abs() < 1e-12);
        let r = f64::from(exponent) / f64::from(exponent - 1);
        let reach = (2.0 * 0.5_f64.sqrt().powf(r)).powf(1.0 / r);
        let diagonal = system.distances(&apart([(2, 1), (2, 1), (0, 1)]))[0];
        let expected = 8.0_f64.sqrt() - 2.0 * reach;
        assert!((diagonal - expected).abs() < 1e-9, "{diagonal} {expected}");
    }
}

/// A sphere whose centre is off a point of the surface along its normal d is as far from it as its centre, less the radius. With
/// x_i = a_i t_i/(t_1^p + ...)^(1/p) and t_i^(p-1) = a_i d_i the gradient of f is along d.
#[test]
fn the_distance_of_a_sphere_is_that_along_the_normal() {
    let half_axes = [1.0, 1.0, 0.5];
    for exponent in [4_u32, 8, 16] {
        for d in [
            [1.0, 0.1, 0.05],
            [1.0, 1.0, 1.0],
            [0.3, 1.0, 0.01],
            [0.02, 0.01, 1.0],
        ] {
            let p = f64::from(exponent);
            let t = [0, 1, 2].map(|i| f64::powf(half_axes[i] * d[i], 1.0 / (p - 1.0)));
            let length = t.iter().map(|t| t.powf(p)).sum::<f64>().powf(1.0 / p);
            let norm = d.iter().map(|d| d * d).sum::<f64>().sqrt();
            // Of radius 1/2, and 1/8 apart.
            let at = |i: usize| half_axes[i] * t[i] / length + 0.625 * d[i] / norm;
            let centre = [0, 1, 2].map(|i| Rational::from_f64(at(i)).unwrap());
            let turned = [1, 0, 0, 0].map(Rational::from);
            let q = [
                &[(); 3].map(|()| Rational::new())[..],
                &turned,
                &centre,
                &turned,
            ]
            .concat();
            let mut bodies = two(exponent).unwrap().bodies().to_vec();
            bodies[1].shape = Shape::ball(3, Rational::from((1, 2)));
            let pairs = two(exponent).unwrap().pairs().to_vec();
            let system = System::new(vec![Rational::new(); 3], bodies, pairs).unwrap();
            let found = system.distances(&q)[0];
            assert!((found - 0.125).abs() < 1e-9, "{exponent} {d:?}: {found}");
        }
    }
}

/// A sphere that lies on one, from a run whose step is proved to end there. The search alone ends 2.6 mm inside.
#[test]
fn the_distance_of_bodies_that_touch_is_nothing_where_curvature_changes_fast() {
    let values = |own: &[i64]| own.iter().map(|own| q(*own, 1_000_000)).collect::<Vec<_>>();
    let system = two(8).unwrap();
    let mut bodies = system.bodies().to_vec();
    bodies[0].shape = superquadric(&[(577, 1000), (568, 1000), (361, 1000)], 8);
    bodies[1].shape = Shape::ball(3, q(3, 8));
    let system = System::new(vec![q(0, 1); 3], bodies, system.pairs().to_vec()).unwrap();
    let first = [
        811_605, 980_149, 1_028_277, 614_151, -618_323, 257_504, 417_356,
    ];
    let second = [155_392, 641_412, 375_000, 1_000_000, 0, 0, 0];
    let found = system.distances(&values(&[first, second].concat()))[0];
    assert!(found.abs() < 3e-6, "{found}");
}

/// A plane proves that they are apart where they are, and nothing where they overlap. Along the diagonal each reaches 2^(1/4), so that
/// they touch 2 2^(1/4)/2^(1/2) = 1.6818 from each other in x and y.
#[test]
fn bodies_that_overlap_are_not_proved_to_be_apart() {
    let system = two(4).unwrap();
    let (v, h) = (vec![q(0, 1); 12], q(1, 100));
    for (place, holds) in [((2, 1), true), ((169, 100), true), ((167, 100), false)] {
        let at = apart([place, place, (0, 1)]);
        let problem = StepProblem::new(&system, &at, &v, &h);
        let branch = Branch {
            problem: &problem,
            modes: vec![Mode::Separated],
        };
        let start = newton(&branch, vec![0.0; 12]);
        let inverse = preconditioner(&branch, &start).unwrap();
        let middle = refine(&branch, &start, &inverse, 200);
        let proved = prove(&branch, &middle, &inverse);
        let refused = matches!(proved, Err(Unproved::Undecided { pair: 0, .. }));
        assert_eq!(
            (proved.is_ok(), refused),
            (holds, !holds),
            "{place:?} {proved:?}"
        );
    }
}

#[test]
fn an_exponent_is_even_and_not_too_large() {
    for exponent in [0, 1, 3, 18] {
        let refused = two(exponent).unwrap_err().to_string();
        let says = format!(
            "the exponent of a superquadric is {exponent}, but must be an even number from 2 to 16"
        );
        assert_eq!(refused, says);
    }
}

/// Flat ends that meet have no curvature, and the place where they push is found from the torque: the bodies stop each other.
#[test]
fn flat_ends_meet_and_the_step_is_proved() {
    let system = two(6).unwrap();
    let grid = Grid::new(40).unwrap();
    let solver = exact();
    let settings = Settings::new(q(1, 8));
    let stepper = ImplicitStepper::new(&system, &grid, &*solver, &settings).unwrap();
    let mut v = vec![q(0, 1); 12];
    v[2] = q(-2, 1);
    let step = stepper
        .step(&State::new(apart([(0, 1), (0, 1), (9, 8)]), v))
        .unwrap();
    assert!(step.verified.is_proved(), "{:?}", step.verified);
    assert_eq!(step.pairs[0].mode, Mode::Stick);
    // The gap of 1/8 m leaves 1 m/s between them, and momentum is shared.
    assert_eq!(step.after.v[2], q(-3, 2));
    assert_eq!(step.after.v[8], q(-1, 2));
    assert_eq!(step.examine(1, 1e-10), []);
}
