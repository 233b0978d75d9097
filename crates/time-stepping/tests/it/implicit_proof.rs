//! The proof of implicit steps: derivatives, what Krawczyk's test accepts, and what it rejects.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{exact, q};
use etalon_time_stepping::implicit::{
    Body, Branch, ImplicitStepper, Interval, Jet, Mobility, Mode, Number, Pair, PairUnknowns,
    Shape, StepProblem, System, Unproved, Verified, newton, preconditioner, prove, refine,
};
use etalon_time_stepping::{Fractions, Grid, Settings, State, StepError};
use proptest::prelude::*;
use rug::{Float, Rational};

fn body(name: &str, shape: Shape, mobility: Mobility) -> Body {
    Body {
        name: name.to_owned(),
        mass: q(1, 1),
        shape,
        mobility,
    }
}

fn axes(half_axes: &[(i64, i64)]) -> Shape {
    Shape::Ellipsoid {
        half_axes: half_axes.iter().map(|(n, d)| q(*n, *d)).collect(),
    }
}

/// Two ellipses, the first turned, that fly at each other with friction.
fn two_ellipses() -> System {
    let rigid = || Mobility::Rigid {
        inertia: vec![q(5, 4)],
    };
    let bodies = vec![
        body("first", axes(&[(2, 1), (1, 1)]), rigid()),
        body("second", axes(&[(1, 1), (3, 2)]), rigid()),
    ];
    let pair = Pair {
        first: 0,
        second: 1,
        mu: q(1, 4),
        torsion: q(0, 1),
    };
    System::new(vec![q(0, 1), q(0, 1)], bodies, vec![pair]).unwrap()
}

const H: (i64, i64) = (1, 10);

fn meeting() -> (Vec<Rational>, Vec<Rational>) {
    let at = [(0, 1), (13, 5), (1, 3), (1, 4), (0, 1), (1, 5)];
    let velocity = [(1, 2), (-3, 1), (1, 1), (0, 1), (1, 1), (-1, 2)];
    let fractions = |values: [(i64, i64); 6]| values.map(|(n, d)| q(n, d)).to_vec();
    (fractions(at), fractions(velocity))
}

/// The step of the two ellipses, its branch and the solution found by the stepper.
fn with_branch(check: impl FnOnce(&Branch<'_>, Vec<f64>, Vec<Float>)) {
    let system = two_ellipses();
    let grid = Grid::new(60).unwrap();
    let (q0, v0) = meeting();
    let round = |values: Vec<Rational>| -> Vec<Rational> {
        let grid = &grid;
        values
            .into_iter()
            .map(|v| etalon_time_stepping::Arithmetic::round(grid, v))
            .collect()
    };
    let (q0, v0) = (round(q0), round(v0));
    let h = q(H.0, H.1);
    let solver = exact();
    let stepper = ImplicitStepper::new(&system, &grid, &*solver, &Settings::new(h.clone()));
    let step = stepper
        .unwrap()
        .step(&State::new(q0.clone(), v0.clone()))
        .unwrap();
    assert!(step.verified.is_proved(), "{:?}", step.verified);
    let record = &step.pairs[0];
    assert_ne!(record.mode, Mode::Separated);
    assert!(record.normal > 1.0);
    let problem = StepProblem::new(&system, &q0, &v0, &h);
    let branch = Branch {
        problem: &problem,
        modes: vec![record.mode],
    };
    // From the recorded velocity, with closest points about between the centres.
    let v: Vec<f64> = step.after.v.iter().map(Rational::to_f64).collect();
    let middle = |i: usize| {
        let a = q0[i].to_f64() + 0.1 * v[i];
        let b = q0[3 + i].to_f64() + 0.1 * v[3 + i];
        (a + b) / 2.0
    };
    let geometry = vec![middle(0), middle(1), middle(0), middle(1), 0.0, 1.0];
    let own = PairUnknowns {
        pair: 0,
        geometry,
        impulse: Some((record.normal, record.friction.clone())),
    };
    let start = newton(&branch, branch.pack(&v, &[own], &[0.5]));
    let inverse = preconditioner(&branch, &start).unwrap();
    let at = refine(&branch, &start, &inverse, 200);
    check(&branch, start, at);
}

#[test]
fn a_box_around_the_solution_encloses_it_to_many_more_digits() {
    with_branch(|branch, start, at| {
        let inverse = preconditioner(branch, &start).unwrap();
        let enclosure = prove(branch, &at, &inverse).unwrap();
        // The same solution to 600 bits is in the box that 200 bits have proved.
        let fine = refine(branch, &start, &inverse, 600);
        for (interval, value) in enclosure.unknowns.iter().zip(&fine) {
            assert!(interval.holds(&value.to_rational().unwrap()));
            let width = Float::with_val(200, interval.high() - interval.low());
            assert!(width < 1e-50);
        }
        // A candidate that is some 1e-30 off is proved as well, in a wider box, with the solution.
        let mut off = at.clone();
        off[0] += Float::with_val(200, 1) >> 100;
        let enclosure = prove(branch, &off, &inverse).unwrap();
        for (interval, value) in enclosure.unknowns.iter().zip(&fine) {
            assert!(interval.holds(&value.to_rational().unwrap()));
        }
    });
}

#[test]
fn a_wrong_candidate_is_rejected() {
    with_branch(|branch, start, at| {
        let inverse = preconditioner(branch, &start).unwrap();
        for i in 0..at.len() {
            let mut wrong = at.clone();
            wrong[i] += 10;
            assert_eq!(
                prove(branch, &wrong, &inverse),
                Err(Unproved::NotContracting),
                "{i}"
            );
        }
        // The same equations solved with a wrong sign: friction on the other side of the cone.
        let other = Branch {
            problem: branch.problem,
            modes: vec![Mode::Separated],
        };
        let unknowns = branch.unpack(&start);
        let apart = other.pack(&unknowns.v, &unknowns.pairs, &[0.0]);
        let free = newton(&other, apart);
        let inverse = preconditioner(&other, &free).unwrap();
        let at = refine(&other, &free, &inverse, 200);
        let refused = prove(&other, &at, &inverse);
        assert!(
            matches!(refused, Err(Unproved::Undecided { pair: 0, .. })),
            "{refused:?}"
        );
    });
}

#[test]
fn impulses_between_bodies_cancel_and_rotation_is_driven_by_the_levers() {
    let system = two_ellipses();
    let grid = Grid::new(80).unwrap();
    let (q0, v0) = meeting();
    let solver = exact();
    let stepper = ImplicitStepper::new(&system, &grid, &*solver, &Settings::new(q(1, 10)));
    let step = stepper.unwrap().step(&State::new(q0, v0.clone())).unwrap();
    let v = &step.after.v;
    for i in 0..2 {
        let change = Rational::from(&v[i] + &v[3 + i]) - &v0[i] - &v0[3 + i];
        assert!(change.to_f64().abs() < 1e-22);
    }
    // Angular momentum about the origin, with the bodies where they are after the step.
    let at = &step.after.q;
    let spin = |v: &[Rational]| {
        let of = |k: usize| {
            let orbit = Rational::from(&at[k] * &v[k + 1]) - Rational::from(&at[k + 1] * &v[k]);
            orbit + Rational::from(&v[k + 2] * &q(5, 4))
        };
        of(0) + of(3)
    };
    assert!((spin(v) - spin(&v0)).to_f64().abs() < 1e-21);
    assert_eq!(step.examine(1, 1e-20), []);
    assert!(step.dissipation.friction >= 0.0 && step.dissipation.numerical > 0.0);
}

/// A rough ellipsoid that slides on a plane in space.
fn on_plane() -> System {
    let bodies = vec![
        body(
            "ellipsoid",
            axes(&[(1, 1), (3, 4), (1, 2)]),
            Mobility::Rigid {
                inertia: vec![q(13, 80), q(1, 4), q(5, 16)],
            },
        ),
        body(
            "floor",
            Shape::HalfSpace {
                normal: vec![q(0, 1), q(0, 1), q(1, 1)],
                offset: q(0, 1),
            },
            Mobility::Fixed((0..7).map(|i| q(i64::from(i == 3), 1)).collect()),
        ),
    ];
    let pair = Pair {
        first: 0,
        second: 1,
        mu: q(1, 10),
        torsion: q(0, 1),
    };
    System::new(vec![q(0, 1), q(0, 1), q(-10, 1)], bodies, vec![pair]).unwrap()
}

#[test]
fn friction_of_a_sliding_ellipsoid_is_on_the_circular_cone_against_its_motion() {
    let system = on_plane();
    let grid = Grid::new(60).unwrap();
    let at = [(0, 1), (0, 1), (1, 2), (1, 1), (0, 1), (0, 1), (0, 1)];
    let velocity = [(3, 1), (4, 1), (0, 1), (0, 1), (0, 1), (0, 1)];
    let mut state = State::new(
        at.map(|(n, d)| q(n, d)).to_vec(),
        velocity.map(|(n, d)| q(n, d)).to_vec(),
    );
    let solver = exact();
    let stepper =
        ImplicitStepper::new(&system, &grid, &*solver, &Settings::new(q(1, 100))).unwrap();
    for k in 1..=10 {
        let step = stepper.step(&state).unwrap();
        assert!(step.verified.is_proved(), "{k} {:?}", step.verified);
        let pair = &step.pairs[0];
        assert_eq!(pair.mode, Mode::Slide);
        let size = pair.friction.iter().map(|p| p * p).sum::<f64>().sqrt();
        assert!((size - pair.normal / 10.0).abs() < 1e-15);
        assert!(step.dissipation.friction > 0.0);
        let broken = step.examine(k, 1e-15);
        let others = broken
            .iter()
            .filter(|v| v.term != etalon_time_stepping::Term::PositionLoss);
        assert_eq!(others.count(), 0, "{broken:?}");
        // Its quaternion keeps its length.
        let square = step.after.q[3..]
            .iter()
            .fold(q(0, 1), |s, e| s + e.clone().square());
        assert!((square.to_f64() - 1.0).abs() < 1e-15);
        state = step.after;
    }
    // In the first step it does not turn enough to matter: friction is along (3, 4).
    let first = stepper
        .step(&State::new(
            at.map(|(n, d)| q(n, d)).to_vec(),
            velocity.map(|(n, d)| q(n, d)).to_vec(),
        ))
        .unwrap();
    let lost = [3.0, 4.0]
        .map(|v: f64| v)
        .iter()
        .zip(&first.after.v)
        .map(|(a, b)| a - b.to_f64())
        .collect::<Vec<_>>();
    assert!((lost[0] / lost[1] - 0.75).abs() < 0.05, "{lost:?}");
}

#[test]
fn a_state_that_cannot_be_stepped_is_an_error() {
    let system = on_plane();
    let grid = Grid::new(60).unwrap();
    let solver = exact();
    let settings = Settings::new(q(1, 100));
    let stepper = ImplicitStepper::new(&system, &grid, &*solver, &settings).unwrap();
    let short = State::new(vec![q(0, 1)], vec![q(0, 1); 6]);
    assert!(matches!(
        stepper.step(&short),
        Err(StepError::Length { .. })
    ));
    let no_rotation = State::new(vec![q(0, 1); 7], vec![q(0, 1); 6]);
    assert!(matches!(
        stepper.step(&no_rotation),
        Err(StepError::Domain { .. })
    ));
    assert!(ImplicitStepper::new(&system, &Fractions, &*solver, &settings).is_err());
    // The centre of the ellipsoid in the floor: no step in this h brings it out again without
    // pressing; it is pushed out, or there is an error, but no panic.
    let mut at = vec![q(0, 1), q(0, 1), q(-1, 4)];
    at.extend([1, 0, 0, 0].map(|e| q(e, 1)));
    if let Ok(step) = stepper.step(&State::new(at, vec![q(0, 1); 6])) {
        assert!(step.after.q[2].to_f64() > 0.4 || !step.verified.is_proved());
    }
    let bad = |half_axes: Vec<Rational>| {
        let only = vec![body(
            "x",
            Shape::Ellipsoid { half_axes },
            Mobility::Particle,
        )];
        System::new(vec![q(0, 1), q(0, 1)], only, vec![])
    };
    assert!(bad(vec![q(1, 1), q(0, 1)]).is_err());
    assert!(bad(vec![q(1, 1)]).is_err());
    assert!(bad(vec![q(1, 1), q(1, 1)]).is_ok());
    assert!(System::new(vec![q(0, 1)], vec![], vec![]).is_err());
}

#[test]
fn a_line_of_touching_discs_is_proved_with_all_contacts() {
    let rigid = || Mobility::Rigid {
        inertia: vec![q(1, 2)],
    };
    let bodies = (0..3).map(|i| body(&format!("disc {i}"), Shape::ball(2, q(1, 1)), rigid()));
    let pair = |i| Pair {
        first: i + 1,
        second: i,
        mu: q(1, 5),
        torsion: q(0, 1),
    };
    let system = System::new(
        vec![q(0, 1), q(0, 1)],
        bodies.collect(),
        (0..2).map(pair).collect(),
    );
    let system = system.unwrap();
    let at = [0, 0, 0, 2, 0, 0, 4, 0, 0].map(|x| q(x, 1)).to_vec();
    let velocity = [3, 0, 0, 0, 0, 0, 0, 0, 0].map(|x| q(x, 1)).to_vec();
    let grid = Grid::new(60).unwrap();
    let solver = exact();
    let stepper = ImplicitStepper::new(&system, &grid, &*solver, &Settings::new(q(1, 100)));
    let step = stepper.unwrap().step(&State::new(at, velocity)).unwrap();
    assert!(matches!(step.verified, Verified::Proved { radius } if radius < 1e-30));
    // Inelastic: they move on together.
    for disc in 0..3 {
        assert_eq!(step.after.v[3 * disc], 1);
    }
    assert!((step.pairs[0].normal - 2.0).abs() < 1e-15);
    assert!((step.pairs[1].normal - 1.0).abs() < 1e-15);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// The derivative of every equation lies where difference quotients do: by the mean value
    /// theorem (F(b) - F(a))/(b - a) is a value of the derivative between a and b.
    #[test]
    fn derivatives_hold_the_difference_quotients(
        shift in proptest::collection::vec(-100i32..100, 15),
        column in 0usize..15,
        sliding in any::<bool>(),
    ) {
        let system = two_ellipses();
        let (q0, v0) = meeting();
        let h = q(H.0, H.1);
        let problem = StepProblem::new(&system, &q0, &v0, &h);
        let mode = if sliding { Mode::Slide } else { Mode::Stick };
        let branch = Branch { problem: &problem, modes: vec![mode] };
        let n = if sliding { 15 } else { 14 };
        let column = column % n;
        let base = [0.5, -1.0, 1.0, 0.2, -1.0, -0.5, 0.3, 1.4, 0.3, 1.4, 0.05, 1.0, 2.0, 0.3, 0.7];
        let point: Vec<Float> = base[..n].iter().zip(&shift)
            .map(|(x, s)| Float::with_val(120, *x) + Float::with_val(120, *s) / 500u32)
            .collect();
        let thin: Vec<Interval> = point.iter().map(Interval::point).collect();
        let step = Float::with_val(120, 1) >> 20;
        let mut there = point.clone();
        there[column] += &step;
        let mut between = thin.clone();
        between[column] = Interval::new(point[column].clone(), there[column].clone());
        let there: Vec<Interval> = there.iter().map(Interval::point).collect();
        let slopes = branch.equations(&Jet::unknowns(&between));
        let (a, b) = (branch.equations(&thin), branch.equations(&there));
        prop_assert_eq!(a.len(), n);
        for (slope, (a, b)) in slopes.iter().zip(a.iter().zip(&b)) {
            let quotient = (b.clone() - a.clone()) / Interval::point(&step);
            let slope = &slope.row(n)[column];
            prop_assert!(slope.low() <= quotient.high() && quotient.low() <= slope.high());
            // And it is not merely wide.
            prop_assert!(Float::with_val(120, slope.high() - slope.low()) < 1e-2);
        }
    }

    /// The gradient of a shape is the derivative of f, and the derivative of that the Hessian, exactly.
    #[test]
    fn gradients_and_hessians_are_derivatives(x in -40i32..40, y in -40i32..40, cavity in any::<bool>()) {
        let half_axes = vec![q(2, 1), q(1, 4)];
        let shape = if cavity { Shape::Cavity { half_axes } } else { Shape::Ellipsoid { half_axes } };
        let point = [x, y].map(|x| Interval::point(&(Float::with_val(100, x) / 8u32)));
        let unknowns = Jet::unknowns(&point);
        let value = shape.value(&unknowns[0], &unknowns);
        let gradient = shape.gradient(&unknowns[0], &unknowns);
        let hessian = shape.hessian(2);
        for (i, (slope, entry)) in value.row(2).iter().zip(&gradient).enumerate() {
            prop_assert_eq!(slope, entry.value());
            for (second, exact) in entry.row(2).iter().zip(&hessian[i]) {
                prop_assert_eq!(second, &point[0].lift(exact));
            }
        }
    }
}

#[test]
fn a_disc_between_planes_that_are_too_close_ends_without_convergence() {
    let plane = |name: &str, up: i64, offset: i64| {
        let shape = Shape::HalfSpace {
            normal: vec![q(0, 1), q(up, 1)],
            offset: q(offset, 1),
        };
        body(name, shape, Mobility::Fixed(vec![q(0, 1); 3]))
    };
    let rigid = Mobility::Rigid {
        inertia: vec![q(1, 2)],
    };
    let bodies = vec![
        body("disc", Shape::ball(2, q(1, 1)), rigid),
        plane("floor", 1, 0),
        plane("ceiling", -1, -1),
    ];
    let pair = |second| Pair {
        first: 0,
        second,
        mu: q(1, 2),
        torsion: q(0, 1),
    };
    let system = System::new(vec![q(0, 1), q(-10, 1)], bodies, vec![pair(1), pair(2)]).unwrap();
    let grid = Grid::new(60).unwrap();
    let solver = exact();
    let stepper =
        ImplicitStepper::new(&system, &grid, &*solver, &Settings::new(q(1, 100))).unwrap();
    let state = State::new(vec![q(0, 1), q(1, 2), q(0, 1)], vec![q(0, 1); 3]);
    let refused = stepper.step(&state);
    assert!(
        matches!(refused, Err(StepError::NotConverged { .. })),
        "{refused:?}"
    );
}
