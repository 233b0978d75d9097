//! What the explicit impulse of inertia and the turning of M add to the energy of bodies in space.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{exact, q};
use etalon_time_stepping::implicit::{
    Body, ImplicitStep, ImplicitStepper, Mobility, Pair, Shape, System,
};
use etalon_time_stepping::{Grid, Settings, State};
use rug::Rational;

/// An ellipsoid of half axes 1, 3/4, 1/2 and 1 kg above a rough floor.
fn ellipsoid(inertia: [Rational; 3]) -> System {
    let half_axes = [q(1, 1), q(3, 4), q(1, 2)];
    let body = Body {
        name: "ellipsoid".to_owned(),
        mass: q(1, 1),
        shape: Shape::Ellipsoid {
            half_axes: half_axes.to_vec(),
        },
        mobility: Mobility::Rigid {
            inertia: inertia.to_vec(),
        },
    };
    let floor = Body {
        name: "floor".to_owned(),
        mass: q(1, 1),
        shape: Shape::HalfSpace {
            normal: vec![q(0, 1), q(0, 1), q(1, 1)],
            offset: q(0, 1),
        },
        mobility: Mobility::Fixed((0..7).map(|i| q(i64::from(i == 3), 1)).collect()),
    };
    let gravity = vec![q(0, 1), q(0, 1), q(-981, 100)];
    let pair = Pair {
        first: 0,
        second: 1,
        mu: q(1, 2),
        torsion: q(0, 1),
    };
    System::new(gravity, vec![body, floor], vec![pair]).unwrap()
}

/// (b^2 + c^2)/5 and so on.
fn solid() -> [Rational; 3] {
    [q(13, 80), q(1, 4), q(5, 16)]
}

fn run(
    system: &System,
    height: Rational,
    omega: [i64; 3],
    steps: usize,
) -> Vec<ImplicitStep<Rational>> {
    let grid = Grid::new(40).unwrap();
    let solver = exact();
    let settings = Settings::new(q(1, 100));
    let stepper = ImplicitStepper::new(system, &grid, &*solver, &settings).unwrap();
    let mut place = vec![q(0, 1), q(0, 1), height, q(1, 1)];
    place.extend(vec![q(0, 1); 3]);
    let mut velocity = vec![q(0, 1); 3];
    velocity.extend(omega.map(|w| q(w, 1)));
    let mut state = State::new(place, velocity);
    let mut all = Vec::with_capacity(steps);
    for _ in 0..steps {
        let step = stepper.step(&state).unwrap();
        state = step.after.clone();
        all.push(step);
    }
    all
}

/// The energy of turning: kinetic energy less that of the centre.
fn turning(system: &System, state: &State<Rational>) -> Rational {
    let mut still = state.v.clone();
    for v in still.iter_mut().take(3) {
        *v = Rational::new();
    }
    system.kinetic(&state.q, &still)
}

/// In flight the energy of turning would stay; what it gains is `flight_gain`, but for rounding of the state.
#[test]
fn the_gain_of_a_free_flight_is_told_to_the_last_digit() {
    let system = ellipsoid(solid());
    let steps = run(&system, q(200, 1), [1, 10, 1], 60);
    let start = turning(&system, &steps[0].before);
    let mut told = Rational::new();
    for (k, step) in (1..).zip(&steps) {
        assert!(
            step.examine(k, 1e-10).is_empty(),
            "{:?}",
            step.examine(k, 1e-10)
        );
        let gain = step.flight_gain.clone().unwrap();
        let own = turning(&system, &step.after) - turning(&system, &step.before);
        let difference = (own - &gain).to_f64().abs();
        // Velocities are kept to 2^-41, and are of size 10.
        assert!(difference < 1e-11, "step {k}: {difference:e}");
        told += gain;
    }
    // The scheme gains, ever faster: 0.04 % in 0.6 s, 7 % in 3 s.
    let share = (told / start).to_f64();
    assert!((3e-4..4e-4).contains(&share), "{share}");
}

/// On the floor, too, the energy grows by no more than what is told.
#[test]
fn in_contact_the_energy_grows_by_no_more_than_the_gain() {
    let system = ellipsoid(solid());
    let steps = run(&system, q(1, 2), [0, 3, 2], 60);
    let pressing = |step: &&ImplicitStep<Rational>| step.pairs[0].normal > 0.0;
    assert!(steps.iter().filter(pressing).count() > 20);
    for (k, step) in (1..).zip(&steps) {
        assert!(
            step.examine(k, 1e-10).is_empty(),
            "{:?}",
            step.examine(k, 1e-10)
        );
        let before =
            system.kinetic(&step.before.q, &step.before.v) + system.potential(&step.before.q);
        let growth = (step.energy.total() - before).to_f64();
        let gain = step.flight_gain.as_ref().unwrap().to_f64();
        let lost = step.dissipation.friction + step.dissipation.position;
        assert!(growth <= gain - lost + 1e-10, "step {k}: {growth:e} J");
    }
}

#[test]
fn without_an_impulse_of_inertia_there_is_no_gain_to_tell() {
    let round = ellipsoid([q(1, 4), q(1, 4), q(1, 4)]);
    assert!(!round.is_gyroscopic());
    for step in run(&round, q(200, 1), [1, 10, 1], 5) {
        assert_eq!(step.flight_gain, None);
        assert!(step.examine(1, 1e-10).is_empty());
    }
    assert!(ellipsoid(solid()).is_gyroscopic());
}
