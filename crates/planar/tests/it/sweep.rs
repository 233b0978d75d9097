//! Random worlds: no error, no wrong verdict, nobody through a wall, no energy from nowhere.

#![allow(clippy::unwrap_used)]

use crate::common::{Allowed, Draw, HANDLINGS, goes_wrong, walls};
use etalon_planar::{
    BodySpec, Connector, ExtraAcceleration, ForceLaw, FrictionModel, Path, Settings, WorldSpec,
};

/// A step may gain this part of the kinetic energy and 1 J per kg; where rods and ropes hold bodies against each other,
/// forces of many weights begin and end within a step.
const GAIN: f64 = 0.03;
const GAIN_HELD: f64 = 0.2;
/// What a sweep draws from.
#[derive(Debug)]
struct Kind {
    contact_forces: bool,
    connectors: bool,
    /// The heaviest body beside the lightest.
    masses: f64,
}

fn settings(draw: &mut Draw, kind: &Kind) -> Settings {
    use ExtraAcceleration::{
        None, Velocity, VelocityAndDistance, VelocityAndDistanceJoints, VelocityJoints,
    };
    Settings {
        time_step: draw.one_of(&[0.025, 0.01]),
        collision_handling: draw.one_of(&HANDLINGS),
        // With others, what collisions leave in rods is never taken out.
        extra_acceleration: if kind.connectors {
            draw.one_of(&[VelocityJoints, VelocityAndDistanceJoints])
        } else {
            draw.one_of(&[None, Velocity, VelocityJoints, VelocityAndDistance])
        },
        friction: draw.one_of(&[
            FrictionModel::None,
            FrictionModel::Coulomb,
            FrictionModel::Box,
        ]),
        contact_forces: kind.contact_forces,
        seed: (draw.unit() * 1e6) as u32,
        ..Settings::default()
    }
}

fn body(draw: &mut Draw, kind: &Kind, name: String, cell: [f64; 2]) -> BodySpec {
    let mass = kind.masses.powf(draw.unit());
    let (path, per_mass) = match draw.one_of(&[0, 1, 2]) {
        0 => (Path::ball(0.5), 0.125),
        1 => (Path::rectangle(1.2, 0.6), 0.15),
        _ => (
            Path::polygon(&[[0.7, 0.0], [0.0, 0.6], [-0.6, 0.0], [0.0, -0.7]]),
            0.07,
        ),
    };
    let at = cell.map(|middle| middle + draw.within(-0.15, 0.15));
    BodySpec::moving(name, path, mass, mass * per_mass)
        .at(at[0], at[1], draw.within(-3.0, 3.0))
        .with_velocity(
            draw.within(-3.0, 3.0),
            draw.within(-3.0, 3.0),
            draw.within(-5.0, 5.0),
        )
}

fn scene(seed: u64, kind: &Kind) -> WorldSpec {
    let mut draw = Draw(seed);
    let settings = settings(&mut draw, kind);
    let mut bodies = walls();
    let count = draw.one_of(&[2, 3, 4, 6, 9]);
    for k in 0..count {
        let cell = [(k % 4) as f64 * 1.9 - 2.85, (k / 4) as f64 * 1.9 - 2.85];
        bodies.push(body(&mut draw, kind, format!("body{k}"), cell));
    }
    let (elasticity, friction) = (
        draw.one_of(&[0.0, 0.3, 0.8, 1.0]),
        draw.one_of(&[0.0, 0.2, 0.5, 1.0]),
    );
    for body in &mut bodies {
        body.elasticity = elasticity;
        body.friction = friction;
    }
    let mut connectors = Vec::new();
    if kind.connectors {
        for k in 1..count {
            connectors.extend(connector(&mut draw, &bodies, 3 + k, 4 + k));
        }
    }
    WorldSpec {
        bodies,
        connectors,
        forces: vec![ForceLaw::Gravity {
            g: draw.one_of(&[0.0, 3.0, 9.81]),
        }],
        settings,
        ..WorldSpec::default()
    }
}

/// A rope or rod between the middles of two bodies, or none; some are taut.
fn connector(draw: &mut Draw, bodies: &[BodySpec], one: usize, other: usize) -> Option<Connector> {
    let rod = match draw.one_of(&[0, 1, 2, 3]) {
        0 => true,
        1 | 2 => false,
        _ => return None,
    };
    let [a, b] = [one, other].map(|body| bodies[body].position);
    let apart = (a[0] - b[0]).hypot(a[1] - b[1]);
    let slack = if rod {
        0.0
    } else {
        draw.one_of(&[0.0, 0.0, 0.3])
    };
    Some(Connector::Rope {
        body: bodies[one].name.clone(),
        at: [0.0; 2],
        other: bodies[other].name.clone(),
        other_at: [0.0; 2],
        length: apart + slack,
        rod,
    })
}

/// What went wrong in a world, if anything.
fn run(seed: u64, kind: &Kind, seconds: f64) -> Result<(), String> {
    let scene = scene(seed, kind);
    let told = format!("seed {seed}, {kind:?}, {:?}", scene.settings);
    let allowed = Allowed {
        gain: if kind.connectors { GAIN_HELD } else { GAIN },
        // Rods that are thrown against each other open in the first step.
        apart: f64::INFINITY,
    };
    goes_wrong(scene, seconds, &allowed).map_err(|error| format!("{told}: {error}"))
}

/// All kinds of worlds: how many went wrong is said for each.
fn sweep(seeds: std::ops::Range<u64>, seconds: f64) {
    let mut faults = Vec::new();
    for contact_forces in [true, false] {
        for connectors in [false, true] {
            for masses in [2.0, 1000.0] {
                let kind = Kind {
                    contact_forces,
                    connectors,
                    masses,
                };
                faults.extend(
                    seeds
                        .clone()
                        .filter_map(|seed| run(seed, &kind, seconds).err()),
                );
            }
        }
    }
    let count = faults.len();
    assert!(
        faults.is_empty(),
        "{count} worlds went wrong:\n{}",
        faults.join("\n")
    );
}

#[test]
fn random_worlds_go_on() {
    sweep(0..12, 4.0);
}

/// Of the long sweep: they stopped, gained energy or had wrong answers before what holds them was built.
#[test]
fn worlds_that_once_went_wrong_go_on() {
    let worlds = [
        (1050, false, 2.0),
        (1121, false, 1000.0),
        (1076, false, 1000.0),
        (1199, false, 2.0),
        (1158, true, 2.0),
        (1066, true, 2.0),
        (1128, true, 2.0),
        (1145, true, 1000.0),
    ];
    for (seed, contact_forces, masses) in worlds {
        let kind = Kind {
            contact_forces,
            connectors: true,
            masses,
        };
        assert_eq!(run(seed, &kind, 10.0), Ok(()));
    }
}

/// `cargo test --release -p etalon-planar --test it sweep -- --ignored`: a quarter of an hour.
#[test]
#[ignore = "a quarter of an hour: 1600 worlds for ten seconds each, every LCP judged"]
fn many_random_worlds_go_on() {
    sweep(1000..1200, 10.0);
}
