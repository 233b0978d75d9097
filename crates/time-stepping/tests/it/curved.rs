//! Curved and polygonal boundaries: the ellipse that linearisation blows up, rimless wheels, the
//! disc that rolls for ever.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::{exact, fast, q, run};
use etalon_rigid::Scalar;
use etalon_time_stepping::models::{BodyDisc, Ellipse, Line, Planar, PlanarBody, Touch};
use etalon_time_stepping::{
    Activation, Arithmetic, Binary64, Fractions, Grid, Model, Oracle, Scheme, Settings, State,
    Step, Term,
};
use rug::Rational;

fn ellipse<S: Scalar>() -> (Ellipse<S>, State<S>) {
    let model = Ellipse::new(S::one(), [S::integer(30), S::one()]).unwrap();
    let start = vec![S::zero(), S::integer(-1)];
    (
        model,
        State::new(start, vec![S::ratio(57, 10), S::ratio(57, 40)]),
    )
}

fn unit_steps<S: Scalar>(scheme: Scheme) -> Settings<S> {
    Settings::new(S::one())
        .with_scheme(scheme)
        .with_activation(Activation::All)
}

fn energies<S: Scalar>(run: &[Step<S>]) -> Vec<f64> {
    run.iter().map(|s| s.energy.total().to_f64()).collect()
}

fn wheel<S: Scalar>(arithmetic: &dyn Arithmetic<S>, sides: u32) -> (Planar<S>, State<S>) {
    let vertex = |i: u32| {
        let turns = Rational::from((i, sides)) - q(1, 4);
        let (cos, sin) = arithmetic.direction(&turns).unwrap();
        BodyDisc {
            name: format!("vertex {i}"),
            centre: [cos, sin],
            radius: S::zero(),
        }
    };
    wheel_of(if sides == 0 {
        vec![BodyDisc {
            name: String::new(),
            centre: [S::zero(), S::zero()],
            radius: S::one(),
        }]
    } else {
        (0..sides).map(vertex).collect()
    })
}

fn wheel_of<S: Scalar>(discs: Vec<BodyDisc<S>>) -> (Planar<S>, State<S>) {
    let count = discs.len();
    let wheel = PlanarBody {
        name: "wheel".to_owned(),
        mass: S::one(),
        inertia: S::ratio(1, 2),
        discs,
    };
    let floor = Line {
        name: "floor".to_owned(),
        normal: [S::zero(), S::one()],
        offset: S::zero(),
    };
    let gravity = [S::zero(), S::ratio(-981, 100)];
    let mut model = Planar::new(vec![wheel], vec![floor], gravity).unwrap();
    for i in 0..count {
        let disc = (0, i);
        let touch = Touch::Line { disc, line: 0 };
        model = model.touch(touch, S::ratio(1, 2)).unwrap();
    }
    let start = vec![S::zero(), S::one(), S::zero()];
    (
        model,
        State::new(start, vec![S::one(), S::zero(), -S::one()]),
    )
}

/// Energies of the linearised particle at half axis 30, to 120 digits, rounded.
const LINEAR: [f64; 24] = [
    17.2603125,
    16.545091274857608,
    16.18824454664727,
    16.18824454664727,
    16.18824454664727,
    16.08212301879862,
    15.582318683863729,
    15.01079125234218,
    14.13607341183605,
    14.729647922901812,
    11.525664355875653,
    13.313030880147299,
    10.796649932133908,
    260.5190545737958,
    167.0868202181327,
    167.0868202181327,
    167.0868202181327,
    143.35819474553148,
    143.35819474553148,
    143.35819474553148,
    134.66521732030097,
    134.66521732030097,
    134.66521732030097,
    118.57680259790278,
];

/// Energies of the implicit particle.
const IMPLICIT: [f64; 12] = [
    17.2603125,
    16.298064775803393,
    16.09934048422618,
    16.093732982460576,
    16.045576165155058,
    1.353214859697294,
    2.135078010979789e-5,
    2.0035310818903154e-5,
    1.9160450355964648e-5,
    1.8608413732483473e-5,
    1.8261481158946037e-5,
    1.8038987769729928e-5,
];

#[test]
fn the_linearised_ellipse_blows_up_digit_for_digit() {
    let (model, start) = ellipse::<Rational>();
    let grid = Grid::new(256).unwrap();
    let run = run(
        &model,
        &grid,
        &*exact(),
        unit_steps(Scheme::Linear),
        start,
        24,
    );
    for (energy, expected) in energies(&run).iter().zip(LINEAR) {
        assert!(
            (energy - expected).abs() < 1e-11 * expected,
            "{energy} {expected}"
        );
    }
    assert!((energies(&run)[13] / energies(&run)[0] - 15.093530582009787).abs() < 1e-12);
    // The identity holds all the same, and the oracle finds the term that has the wrong sign.
    let oracle = Oracle::new(&model, &grid, q(0, 1));
    let mut found = Vec::new();
    for (k, step) in run.iter().enumerate() {
        found.extend(oracle.examine(k as u64 + 1, step).unwrap());
    }
    assert!(
        found.iter().all(|v| v.term == Term::PositionLoss),
        "{found:?}"
    );
    assert!(found.iter().any(|v| v.step == 14));
}

#[test]
fn an_active_linearised_step_changes_the_energy_as_the_formula_says() {
    let (model, start) = ellipse::<Rational>();
    let run = run(
        &model,
        &Fractions,
        &*exact(),
        unit_steps(Scheme::Linear),
        start,
        7,
    );
    let fractions: Vec<_> = run.iter().map(|s| s.energy.total()).collect();
    assert_eq!(fractions[1], crate::common::r("68869342161/4162524160"));
    for step in run.iter().filter(|s| s.contacts[0].normal > 0) {
        let contact = &step.formulation.contacts[0];
        let n = &contact.frame.normal;
        let rate = n.times(&step.before.v);
        let change = contact.old_gap.clone().square() - rate.square();
        let expected = change / (n.dot(n) * 2u32);
        let before = step.formulation.mass.kinetic_energy(&step.before.v);
        assert_eq!(step.energy.total() - before, expected);
    }
}

#[test]
fn the_implicit_ellipse_is_dissipative_and_newton_finds_it() {
    let (model, start) = ellipse::<Rational>();
    let grid = Grid::new(80).unwrap();
    let mut settings = unit_steps(Scheme::Newton);
    settings.tolerance = q(1, 1_000_000_000_000_000);
    let run = run(&model, &grid, &*exact(), settings, start, 24);
    let found = energies(&run);
    for (energy, expected) in found.iter().zip(IMPLICIT) {
        assert!(
            (energy - expected).abs() < 1e-11 * expected,
            "{energy} {expected}"
        );
    }
    assert!(found.windows(2).all(|e| e[1] <= e[0]));
    let oracle = Oracle::new(&model, &grid, q(0, 1));
    for (k, step) in run.iter().enumerate() {
        assert_eq!(oracle.examine(k as u64 + 1, step).unwrap(), []);
        assert!(step.convergence.converged && step.convergence.iterations <= 10);
        assert_eq!(step.convergence.dampings, 0);
    }
}

#[test]
fn the_plain_fixed_point_says_where_it_does_not_converge() {
    let (model, start) = ellipse::<Rational>();
    let grid = Grid::new(80).unwrap();
    let settings = unit_steps(Scheme::FixedPoint);
    let coarse = run(&model, &grid, &*exact(), settings, start.clone(), 8);
    let failed: Vec<_> = (0..8)
        .filter(|&k| !coarse[k].convergence.converged)
        .collect();
    assert_eq!(failed[..2], [5, 6]);
    assert!(coarse[5].convergence.dampings > 0 && coarse[5].convergence.change > q(1, 1000));
    let mut settings = unit_steps(Scheme::FixedPoint);
    settings.h = q(1, 64);
    let fine = run(&model, &grid, &*exact(), settings, start, 128);
    assert!(
        fine.iter()
            .all(|s| s.convergence.converged && s.convergence.iterations <= 6)
    );
}

#[test]
fn a_disc_rolls_for_ever_exactly() {
    let (model, start) = wheel(&Fractions, 0);
    let settings = || Settings::new(q(1, 100));
    let run = run(&model, &Fractions, &*exact(), settings(), start, 1000);
    for step in &run {
        assert_eq!(step.after.v, [1, 0, -1]);
        assert_eq!(step.contacts[0].normal, q(981, 10000));
        assert_eq!(step.contacts[0].friction, [0]);
    }
    assert_eq!(run[999].after.q[0], 10);
}

#[test]
fn rimless_wheels_stop_after_a_few_edges() {
    // Sides, steps a second, seconds, where it stops, energy gained in the first step.
    for (sides, rate, seconds, stop, gain) in [
        (10, 100, 12, 2.1630, 4.53e-4),
        (10, 400, 12, 2.1631, 2.83e-5),
        (20, 100, 30, 8.604, 4.53e-4),
        (20, 400, 40, 8.917, 2.83e-5),
    ] {
        let (model, start) = wheel(&Binary64, sides);
        let settings = Settings::new(1.0 / f64::from(rate));
        let steps = (rate * seconds) as usize;
        let run = run(&model, &Binary64, &*fast(), settings, start, steps);
        let end = &run[steps - 1].after;
        assert!(
            (end.q[0] - stop).abs() < 5e-4,
            "{sides} {rate}: {}",
            end.q[0]
        );
        assert!(end.v.iter().all(|v| v.abs() < 1e-6));
        // The gap of a vertex is not concave: O(h^2) is gained at first.
        let gained = run[0].energy.total() - (9.81 + 0.5 + 0.25);
        assert!((gained / gain - 1.0).abs() < 0.01, "{gained}");
        assert!(run.iter().all(|s| s.convergence.converged));
    }
}

#[test]
fn a_wheel_of_fifty_sides_still_rolls_after_thirty_seconds() {
    let (model, start) = wheel(&Binary64, 50);
    let run = run(
        &model,
        &Binary64,
        &*fast(),
        Settings::new(0.01),
        start,
        3000,
    );
    let v = run[2999].after.v[0];
    assert!((0.40..0.45).contains(&v), "{v}");
}

#[test]
fn problems_have_the_published_sizes_for_a_window_of_vertices() {
    // Vertices within 0.45 of the floor, a vertex down or an edge down; 123 stands in print where
    // 31 contacts make 127.
    for (sides, edge_down, size) in [
        (10, false, 15),
        (50, true, 67),
        (100, true, 131),
        (100, false, 127),
        (1000, false, 1263),
    ] {
        let (model, start) = wheel(&Binary64, sides);
        let turn = if edge_down {
            std::f64::consts::PI / f64::from(sides)
        } else {
            0.0
        };
        let q = [start.q[0], start.q[1], turn];
        let gap = |i: usize| model.gap(i, &q, &Binary64).unwrap();
        let near = (0..sides as usize).filter(|&i| gap(i) < 0.45).count();
        // 3 n + nc (nd + 2) with n = 1 and nd = 2.
        assert_eq!(3 + 4 * near, size, "{sides}");
    }
    let (model, mut start) = wheel(&Binary64, 10);
    start.pressing = vec![9, 0, 1];
    let settings = Settings::new(0.01).with_scheme(Scheme::Linear);
    let step = run(&model, &Binary64, &*fast(), settings, start, 1).remove(0);
    assert_eq!(step.formulation.mixed().unwrap().n(), 15);
}
