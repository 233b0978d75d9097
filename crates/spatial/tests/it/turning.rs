//! Friction against spinning and rolling.

use etalon_rigid::{Vector, Vector3};
use etalon_spatial::{
    Cone, Settings, SpaceMethod, SpaceOracle, SpaceStep, SpaceWorld, Surface, Surfaces,
};
use etalon_time_stepping::Term;
use rug::Rational;

use crate::common::{ball, floor, q, run, settings, ways};

/// A ball of 1 kg and radius 1/2 m on the floor: J = 1/10 kg m^2.
fn ball_on_floor(
    gravity: Vector3<Rational>,
    [v, w]: [[i64; 3]; 2],
    [torsion, rolling]: [Rational; 2],
) -> SpaceWorld {
    let mut own = ball("ball", Vector::ratios([(0, 1), (0, 1), (1, 2)]));
    own.velocity = Vector::integers(v);
    own.angular_velocity = Vector::integers(w);
    let default = Surface {
        mu: q(1, 1),
        torsion,
        rolling,
        ..Surface::default()
    };
    let surfaces = Surfaces {
        default,
        pairs: Vec::new(),
    };
    SpaceWorld::new(gravity, vec![floor(), own], Vec::new(), surfaces).unwrap()
}

fn on_floor(v: [i64; 3], w: [i64; 3], torsion: Rational, rolling: Rational) -> SpaceWorld {
    let gravity = Vector::integers([0, 0, -10]);
    ball_on_floor(gravity, [v, w], [torsion, rolling])
}

fn spin(world: &SpaceWorld, step: &SpaceStep, axis: usize) -> f64 {
    world.angular_velocity(1, &step.after.bodies[1])[axis].to_f64()
}

/// A torque of 1/50 m times 10 N slows 1/10 kg m^2 by 2 rad/s^2: from 1 rad/s to rest in 1/2 s.
#[test]
fn a_ball_that_spins_is_stopped_by_torsion_in_the_time_of_its_closed_form() {
    let world = on_floor([0, 0, 0], [0, 0, 1], q(1, 50), q(0, 1));
    for settings in ways(&q(1, 64)) {
        let (state, steps) = run(&world, &settings, 36);
        for (k, step) in steps.iter().enumerate() {
            let exact = (1.0 - (k + 1) as f64 / 32.0).max(0.0);
            let own = spin(&world, step, 2);
            assert!(
                (own - exact).abs() < 1e-8,
                "{settings:?} {k}: {own} {exact}"
            );
        }
        let moved = state.bodies[1].velocity.norm_squared().to_f64();
        assert!(moved < 1e-18, "{settings:?}: {moved}");
        // All of J w^2/2 = 1/20 J is gone, by friction and the scheme.
        let friction: f64 = steps
            .iter()
            .map(|own| own.ledger.friction_total().to_f64())
            .sum();
        let numerical: f64 = steps.iter().map(|own| own.ledger.numerical.to_f64()).sum();
        assert!((friction + numerical - 0.05).abs() < 1e-8, "{settings:?}");
    }
}

/// A torque of 1/50 m times 10 N against rolling slows it by 1/50 m g/(r + J/(m r)) = 2/7 m/s^2.
#[test]
fn a_ball_that_rolls_is_slowed_as_the_closed_form_says() {
    let world = on_floor([1, 0, 0], [0, 2, 0], q(0, 1), q(1, 50));
    for settings in ways(&q(1, 64)) {
        let (_, steps) = run(&world, &settings, 20);
        for (k, step) in steps.iter().enumerate() {
            let exact = 1.0 - 2.0 / 7.0 * (k + 1) as f64 / 64.0;
            let v = step.after.bodies[1].velocity[0].to_f64();
            let w = spin(&world, step, 1);
            assert!((v - exact).abs() < 1e-7, "{settings:?} {k}: {v} {exact}");
            assert!((w - 2.0 * v).abs() < 1e-7, "{settings:?} {k}: {w}");
        }
    }
}

/// On a slope a ball stays where tan <= rolling/r, and rolls where the slope is steeper.
#[test]
fn a_ball_stays_on_a_slope_that_rolling_friction_holds() {
    let moved = |rolling: Rational| {
        // 1 in 10 along x.
        let gravity = Vector::integers([1, 0, -10]);
        let world = ball_on_floor(gravity, [[0; 3]; 2], [q(0, 1), rolling]);
        let settings = settings(q(1, 64), SpaceMethod::StewartTrinkle, Cone::Pyramid(8));
        let (state, _) = run(&world, &settings, 4);
        state.bodies[1].position[0].to_f64()
    };
    assert!(moved(q(51, 1000)).abs() < 1e-9);
    assert!(moved(q(49, 1000)) > 1e-5);
}

type Fault = (&'static str, fn(&mut SpaceStep), Term);

const FAULTS: &[Fault] = &[
    (
        "a torque beyond its bound",
        |step| step.impulses[0].torsion *= 2,
        Term::FrictionBound,
    ),
    (
        "a torque that drives",
        |step| step.impulses[0].torsion *= -1,
        Term::MaximalDissipation,
    ),
    (
        "a torque that is lost",
        |step| step.impulses[0].torsion = Rational::new(),
        Term::Momentum,
    ),
    (
        "rolling without friction",
        |step| step.impulses[0].rolling = [Rational::new(), Rational::new()],
        Term::MaximalDissipation,
    ),
    (
        "rolling beyond its bound",
        |step| step.impulses[0].rolling[1] *= 3,
        Term::FrictionBound,
    ),
    (
        "rolling across",
        |step| step.impulses[0].rolling.swap(0, 1),
        Term::MaximalDissipation,
    ),
    (
        "another torsion",
        |step| step.posed.contacts[0].torsion = q(1, 10),
        Term::Frame,
    ),
    (
        "a friction against turning that is not told",
        |step| step.posed.turning.truncate(1),
        Term::Data,
    ),
    (
        "torques that are not counted",
        |step| step.ledger.friction[0] = Rational::new(),
        Term::EnergyIdentity,
    ),
];

#[test]
fn each_fault_of_torques_is_named_by_its_law() {
    let world = on_floor([1, 0, 0], [0, 2, 3], q(1, 50), q(1, 40));
    let named = |settings: &Settings, faults: &[Fault]| {
        let (_, steps) = run(&world, settings, 1);
        let sound = &steps[0];
        assert!(sound.impulses[0].torsion < 0 && sound.impulses[0].rolling[1] < 0);
        let oracle = SpaceOracle::new(&world, settings);
        for (name, fault, law) in faults {
            let mut step = sound.clone();
            fault(&mut step);
            let found = oracle.examine(1, &step);
            assert!(
                found.iter().any(|own| own.term == *law),
                "{name}: {found:?}"
            );
        }
    };
    for settings in [
        settings(q(1, 64), SpaceMethod::StewartTrinkle, Cone::Pyramid(8)),
        settings(q(1, 64), SpaceMethod::MoreauJean, Cone::Circular),
    ] {
        named(&settings, FAULTS);
    }
}
