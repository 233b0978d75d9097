//! Implicit surfaces: closed forms, proofs of steps, and what is not proved.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{exact, q};
use etalon_rigid::Scalar;
use etalon_time_stepping::implicit::{
    Body, ImplicitStep, ImplicitStepper, Mobility, Mode, Pair, Shape, System, Verified,
};
use etalon_time_stepping::{Arithmetic, Grid, Settings, State, Term};
use rug::Rational;

fn body(name: &str, shape: Shape, mobility: Mobility) -> Body {
    Body {
        name: name.to_owned(),
        mass: q(1, 1),
        shape,
        mobility,
    }
}

/// A half-plane or half-space that is fixed, with its outer normal.
fn ground(normal: &[i64]) -> Body {
    let shape = Shape::HalfSpace {
        normal: normal.iter().map(|n| q(*n, 1)).collect(),
        offset: q(0, 1),
    };
    let place = match normal.len() {
        2 => vec![q(0, 1); 3],
        _ => (0..7).map(|i| q(i64::from(i == 3), 1)).collect(),
    };
    body("floor", shape, Mobility::Fixed(place))
}

fn pair(first: usize, second: usize, mu: Rational) -> Pair {
    Pair {
        first,
        second,
        mu,
        torsion: Rational::new(),
    }
}

fn run<S: Scalar>(
    system: &System,
    arithmetic: &dyn Arithmetic<S>,
    h: S,
    start: State<S>,
    steps: usize,
) -> Vec<ImplicitStep<S>> {
    let solver = exact();
    let settings = Settings::new(h);
    let stepper = ImplicitStepper::new(system, arithmetic, &*solver, &settings).unwrap();
    let mut state = start;
    let mut all = Vec::new();
    for _ in 0..steps {
        let step = stepper.step(&state).unwrap();
        state = step.after.clone();
        all.push(step);
    }
    all
}

fn proved<S>(step: &ImplicitStep<S>) -> f64 {
    match &step.verified {
        Verified::Proved { radius } => *radius,
        Verified::Unproved { reason } => panic!("{reason}"),
    }
}

/// A disc of radius 1 and inertia 1/2 on a floor.
fn disc(mu: Rational) -> System {
    let rigid = Mobility::Rigid {
        inertia: vec![q(1, 2)],
    };
    let bodies = vec![
        body("disc", Shape::ball(2, q(1, 1)), rigid),
        ground(&[0, 1]),
    ];
    System::new(vec![q(0, 1), q(-981, 100)], bodies, vec![pair(0, 1, mu)]).unwrap()
}

#[test]
fn the_disc_rolls_for_ever() {
    let grid = Grid::new(40).unwrap();
    let start = State::new(
        [0, 1, 0].map(|x| q(x, 1)).to_vec(),
        [1, 0, -1].map(|x| q(x, 1)).to_vec(),
    );
    let steps = run(&disc(q(1, 2)), &grid, q(1, 100), start, 100);
    for step in &steps {
        assert!(proved(step) < 1e-40, "{step:?}");
        assert_eq!(step.after.v, [1, 0, -1]);
        assert_eq!(step.after.q[1], 1);
        assert_eq!(step.pairs[0].mode, Mode::Stick);
        assert_eq!(step.pairs[0].friction, [0.0]);
        assert!((step.pairs[0].normal - 0.0981).abs() < 1e-15);
        assert_eq!(step.examine(1, 1e-11), []);
    }
}

#[test]
fn a_sliding_disc_ends_rolling_at_two_thirds_of_its_speed() {
    let grid = Grid::new(60).unwrap();
    let start = State::new(
        [0, 1, 0].map(|x| q(x, 1)).to_vec(),
        [1, 0, 0].map(|x| q(x, 1)).to_vec(),
    );
    let steps = run(&disc(q(1, 10)), &grid, q(1, 100), start, 60);
    for (k, step) in steps.iter().enumerate() {
        proved(step);
        assert_eq!(step.examine(1, 1e-17), []);
        let v = step.after.v[0].to_f64();
        let sliding = 1.0 - 0.00981 * (k + 1) as f64;
        let expected = if sliding > 2.0 / 3.0 {
            sliding
        } else {
            2.0 / 3.0
        };
        assert!((v - expected).abs() < 1e-14, "{k} {v} {expected}");
        let slides = step.pairs[0].mode == Mode::Slide;
        assert_eq!(slides, sliding > 2.0 / 3.0, "{k}");
    }
}

/// A particle in the ellipse of half axes A and 1, from (0, -1).
fn in_ellipse(a: Rational) -> System {
    let particle = body("particle", Shape::Point, Mobility::Particle);
    let cavity = Shape::Cavity {
        half_axes: vec![a, q(1, 1)],
    };
    let cavity = body("ellipse", cavity, Mobility::Fixed(vec![q(0, 1); 3]));
    System::new(
        vec![q(0, 1), q(0, 1)],
        vec![particle, cavity],
        vec![pair(0, 1, q(0, 1))],
    )
    .unwrap()
}

/// A, v^0, h, the number of steps, (q, v) and the energy after them.
type Case = (i64, [Rational; 2], Rational, usize, [f64; 4], f64);

/// The implicit step projects the free point onto the ellipse; these states and energies are from
/// bisection on the projection's multiplier, to 50 digits.
#[test]
fn the_particle_in_an_ellipse_is_projected_onto_it() {
    let cases: [Case; 4] = [
        (
            30,
            [q(57, 10), q(57, 40)],
            q(1, 1),
            12,
            [
                29.984019603699437,
                -0.03263550222564182,
                -0.004049771608463639,
                -0.004435913148248709,
            ],
            1.8038987769761973e-05,
        ),
        (
            12,
            [q(3, 1), q(2, 1)],
            q(1, 2),
            12,
            [
                11.929088870950684,
                -0.10855230142912375,
                -0.06102838390024628,
                -0.05313521395917733,
            ],
            0.003273907301981696,
        ),
        (
            3,
            [q(-2, 1), q(7, 10)],
            q(1, 4),
            20,
            [
                -2.664772075168838,
                0.4593461279544077,
                0.1271668395228104,
                0.08439658479611552,
            ],
            0.011647094299734068,
        ),
        (
            100,
            [q(40, 1), q(9, 1)],
            q(1, 1),
            10,
            [
                99.99957974792657,
                -0.002899141908798138,
                -0.0001137164687315145,
                -0.00042311632381476625,
            ],
            9.597942936964382e-08,
        ),
    ];
    for (a, v, h, count, expected, energy) in cases {
        // Velocities shrink by up to 1e5.
        let grid = Grid::new(256).unwrap();
        let start = State::new(vec![q(0, 1), q(-1, 1)], v.map(|v| grid.round(v)).to_vec());
        let steps = run(&in_ellipse(q(a, 1)), &grid, h, start, count);
        let mut before = f64::INFINITY;
        for step in &steps {
            assert!(proved(step) < 1e-70);
            assert_eq!(step.examine(1, 1e-75), []);
            let after = step.energy.kinetic.to_f64();
            assert!(after <= before);
            before = after;
        }
        let last = &steps[count - 1].after;
        for (found, expected) in last.q.iter().chain(&last.v).zip(expected) {
            assert!(
                (found.to_f64() - expected).abs() < 1e-15 * (1.0 + expected.abs()),
                "{a}"
            );
        }
        assert!((before / energy - 1.0).abs() < 1e-12, "{a} {before}");
    }
}

/// A rocking ellipse with half axes 2 and 1, released at 30 degrees, that rolls: states after 1, 10,
/// 50 and 100 steps from the support function and the equations of sticking, solved to 40 digits.
#[test]
fn an_ellipse_rolls_as_its_support_function_says() {
    let expected = [
        (
            1,
            [
                0.0003214319778227807,
                1.3226370230892726,
                0.5233557520232655,
            ],
            -0.02430235750334696,
        ),
        (
            10,
            [0.017637450076896096, 1.3097478847647184, 0.5101910521563022],
            -0.244386661993436,
        ),
        (
            50,
            [0.3906105495243772, 1.052248053592112, 0.1902002297720784],
            -1.3927083986931197,
        ),
        (
            100,
            [1.0450030387862779, 1.2291260643741122, -0.4253218487177273],
            -0.5793688486665324,
        ),
    ];
    let grid = Grid::new(80).unwrap();
    let shape = Shape::Ellipsoid {
        half_axes: vec![q(2, 1), q(1, 1)],
    };
    let rigid = Mobility::Rigid {
        inertia: vec![q(5, 4)],
    };
    let bodies = vec![body("ellipse", shape, rigid), ground(&[0, 1])];
    let system = System::new(
        vec![q(0, 1), q(-981, 100)],
        bodies,
        vec![pair(0, 1, q(1, 2))],
    )
    .unwrap();
    let theta = grid.angle(&q(1, 12)).unwrap();
    let (sin, cos) = grid.sin_cos(&theta).unwrap();
    let height = grid.sqrt(&(sin.square() * 4u32 + cos.square())).unwrap();
    let start = State::new(vec![q(0, 1), height, theta], vec![q(0, 1); 3]);
    let steps = run(&system, &grid, q(1, 100), start, 100);
    for (k, at, omega) in expected {
        let after = &steps[k - 1].after;
        for (found, expected) in after.q.iter().zip(at) {
            assert!((found.to_f64() - expected).abs() < 1e-14, "{k} {found}");
        }
        assert!((after.v[2].to_f64() - omega).abs() < 1e-13, "{k}");
    }
    for step in &steps {
        assert!(proved(step) < 1e-23);
        assert_eq!(step.pairs[0].mode, Mode::Stick);
        let signs = step.examine(1, 1e-20);
        assert!(
            signs.iter().all(|v| v.term == Term::PositionLoss),
            "{signs:?}"
        );
    }
}

/// A sphere of radius 1 on a plane of slope s; its speed along the slope after every step.
fn sphere(slope: Rational, mu: Rational, steps: usize) -> Vec<(f64, Mode)> {
    let grid = Grid::new(60).unwrap();
    let rigid = Mobility::Rigid {
        inertia: vec![q(2, 5); 3],
    };
    let mut plane = ground(&[0, 0, 1]);
    plane.shape = Shape::HalfSpace {
        normal: vec![slope.clone(), q(0, 1), q(1, 1)],
        offset: q(0, 1),
    };
    let bodies = vec![body("sphere", Shape::ball(3, q(1, 1)), rigid), plane];
    let gravity = vec![q(0, 1), q(0, 1), q(-10, 1)];
    let system = System::new(gravity, bodies, vec![pair(0, 1, mu)]).unwrap();
    let length = grid.sqrt(&(slope.clone().square() + 1u32)).unwrap();
    let mut position = vec![
        grid.round(slope / &length),
        q(0, 1),
        grid.round(q(1, 1) / length),
    ];
    position.extend([1, 0, 0, 0].map(|e| q(e, 1)));
    let start = State::new(position, vec![q(0, 1); 6]);
    let steps = run(&system, &grid, q(1, 100), start, steps);
    let of = |step: &ImplicitStep<Rational>| {
        proved(step);
        assert_eq!(step.examine(1, 1e-16), []);
        let v: Vec<f64> = step.after.v.iter().map(Scalar::to_f64).collect();
        assert!(v[1].abs() < 1e-15 && v[3].abs() < 1e-15 && v[5].abs() < 1e-15);
        ((v[0] * v[0] + v[2] * v[2]).sqrt(), step.pairs[0].mode)
    };
    steps.iter().map(of).collect()
}

#[test]
fn a_sphere_rolls_down_at_five_sevenths_and_slides_on_a_smooth_slope() {
    // Slope 3/4: sin 3/5, cos 4/5. It rolls where mu >= (2/7)(3/4).
    for (k, (speed, mode)) in sphere(q(3, 4), q(1, 2), 30).into_iter().enumerate() {
        let expected = 5.0 / 7.0 * 6.0 * (k + 1) as f64 / 100.0;
        assert!(
            (speed - expected).abs() < 1e-12 && mode == Mode::Stick,
            "{k} {speed}"
        );
    }
    for (k, (speed, mode)) in sphere(q(3, 4), q(1, 10), 30).into_iter().enumerate() {
        let expected = (6.0 - 0.8) * (k + 1) as f64 / 100.0;
        assert!(
            (speed - expected).abs() < 1e-12 && mode == Mode::Slide,
            "{k} {speed}"
        );
    }
}

#[test]
fn a_drop_that_just_reaches_the_ground_is_not_proved_and_says_why() {
    // Heights 1 + 1/8 of a ball of radius 1, free fall by h v = 1/8 in the first step: touching,
    // with no impulse.
    let rigid = Mobility::Rigid {
        inertia: vec![q(1, 2)],
    };
    let bodies = vec![
        body("disc", Shape::ball(2, q(1, 1)), rigid),
        ground(&[0, 1]),
    ];
    let system = System::new(vec![q(0, 1), q(0, 1)], bodies, vec![pair(0, 1, q(1, 2))]).unwrap();
    let start = State::new(
        vec![q(0, 1), q(9, 8), q(0, 1)],
        vec![q(0, 1), q(-1, 1), q(0, 1)],
    );
    let grid = Grid::new(40).unwrap();
    let steps = run(&system, &grid, q(1, 8), start, 1);
    assert_eq!(steps[0].after.q[1], 1);
    match &steps[0].verified {
        Verified::Unproved { reason } => {
            assert!(reason.contains("not certainly positive"), "{reason}")
        }
        Verified::Proved { .. } => panic!("a gap of 0 was proved to be positive"),
    }
}
