//! Limits and drives of hinges and sliders.

use etalon_rigid::{Dense, Vector};
use etalon_spatial::{
    Body, Cone, Drive, Joint, JointFreedom, Settings, Shape, SpaceMethod, SpaceOracle, SpaceStep,
    SpaceWorld, SpatialError, Surface, Surfaces,
};
use etalon_time_stepping::Term;
use rug::Rational;

use crate::common::{body, q, run, settings, ways, world};

fn bare(name: &str, at: [i64; 3]) -> Body {
    Body {
        inertia: Dense::from_fn(3, 3, |i, j| q(i64::from(i == j), 4)),
        shape: None,
        position: Vector::integers(at),
        ..body(name, q(2, 1), Shape::Sphere { radius: q(1, 1) })
    }
}

fn base() -> Body {
    Body {
        fixed: true,
        ..bare("base", [0, 0, 0])
    }
}

fn joint(kind: JointFreedom) -> Joint {
    Joint {
        name: "joint".to_owned(),
        first: 1,
        second: 0,
        point: Vector::zero(),
        kind,
        limits: None,
        drive: None,
    }
}

fn hinge() -> Joint {
    joint(JointFreedom::Hinge {
        axis: Vector::axis(2),
    })
}

/// A door of 2 kg whose centre is a metre from its hinge about z: 2 + 1/4 kg m^2 about that.
fn door(rate: i64, joint: Joint) -> SpaceWorld {
    let mut own = bare("door", [1, 0, 0]);
    own.angular_velocity = Vector::integers([0, 0, rate]);
    own.velocity = Vector::integers([0, rate, 0]);
    world(vec![base(), own], vec![joint], q(0, 1), q(0, 1))
}

const INERTIA: f64 = 2.25;

fn angle(step: &SpaceStep) -> f64 {
    let [w, _, _, z] = step.after.bodies[1]
        .attitude
        .0
        .each_ref()
        .map(Rational::to_f64);
    2.0 * z.atan2(w)
}

fn rate(world: &SpaceWorld, step: &SpaceStep) -> f64 {
    world.angular_velocity(1, &step.after.bodies[1])[2].to_f64()
}

/// A door that turns at 2 rad/s against its stop at 1/2 rad, either way, is stopped by I w in all.
#[test]
fn a_door_stops_at_its_limit_by_its_momentum() {
    for sign in [1, -1] {
        for settings in ways(&q(1, 100)) {
            let limits = Some([q(-1, 2), q(1, 2)]);
            let world = door(2 * sign, Joint { limits, ..hinge() });
            let (_, steps) = run(&world, &settings, 40);
            let impulses = steps.iter().flat_map(|step| &step.stop_impulses);
            let all: f64 = impulses.map(Rational::to_f64).sum();
            // The hinge takes some (h w)^2 of it in turning the velocity.
            assert!(
                (all - INERTIA * 2.0).abs() < 4e-4 * INERTIA * 2.0,
                "{settings:?}: {all}"
            );
            let last = steps.last().unwrap();
            // A limit that is open lets what the hinge takes back turn the door, some (h w)^2 of w.
            let still = match settings.method {
                SpaceMethod::StewartTrinkle | SpaceMethod::FirstOrder => 1e-9,
                SpaceMethod::MoreauJean => 8e-4,
            };
            assert!(rate(&world, last).abs() < still, "{settings:?}");
            // Moreau and Jean stop it in the step in which it would close, up to a step's way before.
            let short = 0.5 - angle(last) * sign as f64;
            let most = match settings.method {
                SpaceMethod::StewartTrinkle | SpaceMethod::FirstOrder => 1e-5,
                SpaceMethod::MoreauJean => 2.0 * 0.01,
            };
            assert!(short > -1e-5 && short < most, "{settings:?}: {short}");
            // What it had is gone with the impact, a part of it by closing the gap.
            let lost = steps.iter().map(|step| {
                let own = &step.ledger;
                own.numerical.to_f64() + own.joint_totals()[0].to_f64()
            });
            let lost: f64 = lost.sum();
            // To turn the velocity takes m (h w^2 r)^2/2 = 1.6 mJ in each of 25 steps before.
            assert!((lost - INERTIA * 2.0).abs() < 0.05, "{settings:?}: {lost}");
        }
    }
}

/// 3 N m on 2.25 kg m^2 reach 1 rad/s after 3/4 s, and hold it by nothing.
#[test]
fn a_driven_hinge_saturates_until_its_speed_is_reached() {
    for sign in [1, -1] {
        for settings in ways(&q(1, 100)) {
            let drive = Some(Drive {
                speed: q(sign, 1),
                bound: q(3, 1),
            });
            let world = door(0, Joint { drive, ..hinge() });
            let (_, steps) = run(&world, &settings, 80);
            for (k, step) in steps.iter().enumerate() {
                let w = rate(&world, step) * sign as f64;
                let exact = (0.03 * (k + 1) as f64 / INERTIA).min(1.0);
                assert!((w - exact).abs() < 1e-4, "{settings:?} {k}: {w} {exact}");
                let impulse = step.drive_impulses[0].to_f64() * sign as f64;
                let exact = if k < 74 { 0.03 } else { 0.0 };
                // It is reached within step 75; then it makes up for what turning takes, some (h w)^2 of I w.
                assert!(
                    k == 74 || (impulse - exact).abs() < 3e-4,
                    "{settings:?} {k}: {impulse}"
                );
            }
            // It gave what the door has, I w^2/2, and what the scheme took.
            let given: f64 = steps
                .iter()
                .map(|own| -own.ledger.joint_totals()[1].to_f64())
                .sum();
            assert!(
                given > INERTIA / 2.0 && given < INERTIA / 2.0 + 0.02,
                "{given}"
            );
        }
    }
}

/// A block on an upright slider falls by 1/10 m onto its limit, which then carries it.
#[test]
fn a_slider_falls_to_its_limit_and_is_carried() {
    for settings in ways(&q(1, 100)) {
        let slider = joint(JointFreedom::Slider {
            axis: Vector::axis(2),
        });
        let limits = Some([q(-1, 10), q(1, 1)]);
        let own = bare("block", [0, 0, 1]);
        let joints = vec![Joint { limits, ..slider }];
        let world = world(vec![base(), own], joints, q(0, 1), q(0, 1));
        let (state, steps) = run(&world, &settings, 30);
        let fallen = 1.0 - state.bodies[1].position[2].to_f64();
        // Up to the way of a step, at 1.4 m/s.
        assert!(
            fallen < 0.1 + 1e-9 && fallen > 0.1 - 0.015,
            "{settings:?}: {fallen}"
        );
        let lower = &steps.last().unwrap().stop_impulses[0];
        assert!((lower.to_f64() - 0.2).abs() < 1e-8, "{settings:?}: {lower}");
    }
}

#[test]
fn limits_and_drives_that_cannot_be_are_refused_by_name() {
    let error = |joint: Joint| {
        let surfaces = Surfaces {
            default: Surface::default(),
            pairs: Vec::new(),
        };
        let bodies = vec![base(), bare("door", [1, 0, 0])];
        let world = SpaceWorld::new(Vector::zero(), bodies, vec![joint], surfaces);
        match world {
            Err(SpatialError::Joint { joint, why }) => format!("{joint}: {why}"),
            other => panic!("{other:?}"),
        }
    };
    let limits = |low: Rational, high: Rational| Some([low, high]);
    let own = Joint {
        limits: limits(q(1, 2), q(1, 1)),
        ..hinge()
    };
    assert!(error(own).contains("0 between them"));
    let own = Joint {
        limits: limits(q(-4, 1), q(1, 1)),
        ..hinge()
    };
    assert!(error(own).contains("within 3.14"));
    // At one of them the other would count, too, from behind.
    let own = Joint {
        limits: limits(q(-3, 1), q(3, 1)),
        ..hinge()
    };
    assert!(error(own).contains("within 4.5 rad"));
    let own = Joint {
        limits: limits(q(-1, 1), q(1, 1)),
        ..joint(JointFreedom::Ball)
    };
    assert!(error(own).contains("take a hinge or a slider"));
    let drive = Some(Drive {
        speed: q(1, 1),
        bound: q(-1, 1),
    });
    assert!(error(Joint { drive, ..hinge() }).contains("at least 0"));
}

type Fault = (&'static str, fn(&mut SpaceStep), Term);

const FAULTS: &[Fault] = &[
    (
        "a limit that is passed",
        |step| step.velocity[5] -= q(1, 1000),
        Term::Limit,
    ),
    (
        "a limit that pulls",
        |step| step.stop_impulses[0] *= -1,
        Term::Complementarity,
    ),
    (
        "a limit that pushes from afar",
        |step| step.stop_impulses[1] += q(1, 1000),
        Term::Complementarity,
    ),
    (
        "a limit that is lost and passed",
        |step| {
            step.posed.stops.remove(0);
            step.stop_impulses.remove(0);
            step.ledger.stops.remove(0);
            step.velocity[5] -= 1;
        },
        Term::Missing,
    ),
    (
        "a limit at another place",
        |step| step.posed.stops[0].row.gap += q(1, 1000),
        Term::Data,
    ),
    (
        "a lost impulse of a limit",
        |step| step.stop_impulses[0] = Rational::new(),
        Term::Momentum,
    ),
    (
        "a drive beyond its bound",
        |step| step.drive_impulses[0] *= 2,
        Term::Drive,
    ),
    (
        "a drive that rests before its speed is reached",
        |step| step.drive_impulses[0] = Rational::new(),
        Term::Drive,
    ),
    (
        "another drive",
        |step| step.posed.driven[0].drive.speed += 1,
        Term::Data,
    ),
    (
        "a limit that is not counted",
        |step| step.ledger.stops[0] += q(1, 1000),
        Term::EnergyIdentity,
    ),
    (
        "a drive that is not counted",
        |step| step.ledger.drives[0] = Rational::new(),
        Term::EnergyIdentity,
    ),
];

/// A door that turns into its lower limit, against a drive that would have it turn the other way.
fn driven() -> (SpaceWorld, Settings, SpaceStep) {
    let drive = Some(Drive {
        speed: q(1, 1),
        bound: q(3, 1),
    });
    let limits = Some([q(-1, 500), q(1, 2)]);
    let own = Joint {
        limits,
        drive,
        ..hinge()
    };
    let world = door(-2, own);
    let settings = settings(q(1, 100), SpaceMethod::StewartTrinkle, Cone::Pyramid(4));
    let (_, steps) = run(&world, &settings, 1);
    let step = steps.into_iter().next().unwrap();
    assert!(step.stop_impulses[0] > 0 && step.drive_impulses[0] == q(3, 100));
    (world, settings, step)
}

#[test]
fn each_fault_of_limits_and_drives_is_named_by_its_law() {
    let (world, settings, sound) = driven();
    let oracle = SpaceOracle::new(&world, &settings);
    for (name, fault, law) in FAULTS {
        let mut step = sound.clone();
        fault(&mut step);
        let found = oracle.examine(1, &step);
        assert!(
            found.iter().any(|own| own.term == *law),
            "{name}: {found:?}"
        );
    }
}
