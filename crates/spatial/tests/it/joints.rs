//! Joints.

use etalon_rigid::{Dense, Vector, Vector3};
use etalon_spatial::{
    Body, Cone, Joint, JointFreedom, JointGradient, Placed, Quaternion, Settings, Shape,
    SpaceMethod, SpaceState, SpaceStep, SpaceStepper, SpaceWorld, SpatialError,
};
use rug::Rational;

use crate::common::{ball, body, floor, q, run, settings, solver, world};

fn rod(name: &str, at: Vector3<Rational>) -> Body {
    Body {
        inertia: Dense::from_fn(3, 3, |i, j| q(if i == j { i as i64 + 1 } else { 0 }, 12)),
        shape: None,
        position: at,
        ..body(name, q(1, 1), Shape::Sphere { radius: q(1, 1) })
    }
}

fn base() -> Body {
    Body {
        fixed: true,
        ..rod("base", Vector::zero())
    }
}

fn joint(name: &str, kind: JointFreedom) -> Joint {
    Joint {
        name: name.to_owned(),
        first: 1,
        second: 0,
        point: Vector::zero(),
        kind,
        limits: None,
        drive: None,
    }
}

fn kinds() -> Vec<JointFreedom> {
    let (axis, second_axis) = (Vector::axis(0), Vector::axis(1));
    vec![
        JointFreedom::Ball,
        JointFreedom::Hinge {
            axis: Vector::integers([1, 2, 2]),
        },
        JointFreedom::Universal { axis, second_axis },
        JointFreedom::Slider {
            axis: Vector::integers([2, 1, -2]),
        },
        JointFreedom::Fixed,
    ]
}

fn plain(h: i64) -> Settings {
    settings(q(1, h), SpaceMethod::StewartTrinkle, Cone::Pyramid(4))
}

fn rows(world: &SpaceWorld, state: &SpaceState) -> Vec<JointGradient> {
    world
        .placed(state)
        .iter()
        .flatten()
        .map(Placed::row)
        .collect()
}

/// With half the step a joint drifts by a quarter of it.
#[test]
fn every_kind_of_joint_holds_and_drifts_by_the_square_of_the_step() {
    for kind in kinds() {
        let mut own = rod("own", Vector::ratios([(1, 2), (1, 4), (1, 8)]));
        own.torque = Vector::ratios([(3, 1), (-2, 1), (1, 1)]);
        let joints = vec![joint("joint", kind.clone())];
        let world = world(vec![base(), own], joints, q(0, 1), q(0, 1));
        let drift = |h: i64| {
            let (_, steps) = run(&world, &plain(h), (h / 4) as u64);
            let each = steps.iter().flat_map(|step| rows(&world, &step.after));
            each.map(|row| row.gap.to_f64().abs()).fold(0.0, f64::max)
        };
        let (coarse, fine) = (drift(32), drift(64));
        assert!(coarse < 0.05, "{kind:?}: {coarse}");
        assert!(fine < 0.4 * coarse + 1e-10, "{kind:?}: {coarse} {fine}");
    }
}

/// A small motion of either body changes an equation by the row times it.
#[test]
fn rows_are_gradients_of_their_equations() {
    let d = q(1, 1 << 20);
    for kind in kinds() {
        let mut own = rod("own", Vector::ratios([(1, 2), (1, 4), (1, 8)]));
        own.attitude = Quaternion([5, 1, -2, 3].map(Rational::from));
        let joints = vec![joint("joint", kind.clone())];
        let other = rod("other", Vector::ratios([(1, 5), (-1, 3), (0, 1)]));
        let world = world(vec![other, own], joints, q(0, 1), q(0, 1));
        // Away from the start, so that the joint is open.
        let mut start = world.start();
        start.bodies[1].position[2] += q(1, 7);
        let before = rows(&world, &start);
        for (body, axis) in (0..12).map(|k| (k / 6, k % 6)) {
            let mut moved = start.clone();
            let unit = Vector::<Rational, 3>::axis(axis % 3).times(&d);
            let own = &mut moved.bodies[body];
            if axis < 3 {
                own.position = &own.position + &unit;
            } else {
                let half = |k: usize| Rational::from(&unit[k] / 2u32);
                let turn = Quaternion([Rational::from(1), half(0), half(1), half(2)]);
                own.attitude = turn.after(&own.attitude);
            }
            for (old, new) in before.iter().zip(rows(&world, &moved)) {
                let rate = (new.gap - &old.gap).to_f64() / d.to_f64();
                let [force, torque] = if body == 1 { &old.first } else { &old.second };
                let row = if axis < 3 {
                    &force[axis]
                } else {
                    &torque[axis - 3]
                };
                let off = (rate - row.to_f64()).abs();
                assert!(off < 1e-5, "{kind:?} {body} {axis}: {rate} {row}");
            }
        }
    }
}

/// A pendulum that is let go at a right angle passes the lowest point at v^2 = 2 g l, to first order.
#[test]
fn a_pendulum_swings_down_at_the_speed_of_its_fall() {
    let mut own = rod("own", Vector::integers([1, 0, 0]));
    own.inertia = Dense::from_fn(3, 3, |i, j| q(i64::from(i == j), 1 << 20));
    let joints = vec![joint("joint", JointFreedom::Ball)];
    let world = world(vec![base(), own], joints, q(0, 1), q(0, 1));
    // A quarter of the period of 1.18 sqrt(l/g) 2 pi is 0.586 s.
    let (_, steps) = run(&world, &plain(256), 160);
    let speeds = steps
        .iter()
        .map(|step| step.after.bodies[1].velocity.norm_squared().to_f64());
    let fastest = speeds.fold(0.0, f64::max);
    assert!((fastest - 20.0).abs() < 0.5, "{fastest}");
}

/// The joints' rows that depend on others, in a step.
fn redundant(step: &SpaceStep) -> usize {
    step.posed.formulation.bilateral.dependent().len()
}

/// A door on two hinges moves as it does on one: of the second all rows depend on the first, and its impulses are 0.
#[test]
fn a_second_hinge_on_one_axis_changes_no_motion() {
    let mut own = rod("own", Vector::ratios([(1, 2), (1, 4), (1, 8)]));
    own.torque = Vector::ratios([(3, 1), (-2, 1), (1, 1)]);
    let hinge = |name: &str, point: Vector3<Rational>| {
        let axis = Vector::integers([1, 2, 2]);
        Joint {
            point,
            ..joint(name, JointFreedom::Hinge { axis })
        }
    };
    let lower = hinge("lower", Vector::zero());
    let upper = hinge("upper", Vector::ratios([(1, 3), (2, 3), (2, 3)]));
    let steps = |joints: Vec<Joint>| {
        let world = world(vec![base(), own.clone()], joints, q(0, 1), q(0, 1));
        run(&world, &plain(32), 24).1
    };
    let (one, two) = (steps(vec![lower.clone()]), steps(vec![lower, upper]));
    for (one, two) in one.iter().zip(&two) {
        assert_eq!((redundant(one), redundant(two)), (0, 5));
        assert_eq!(one.velocity, two.velocity);
        assert_eq!(one.joint_impulses, two.joint_impulses[..5]);
        assert!(two.joint_impulses[5..].iter().all(|own| *own == 0));
    }
}

/// Four equal bars with parallel hinges, 20 equations on 18 velocities: three of them depend, and it moves as a parallelogram.
#[test]
fn four_bars_with_parallel_hinges_move() {
    let along = Vector::ratios([(1, 3), (2, 3), (2, 3)]);
    let across = Vector::ratios([(2, 3), (1, 3), (-2, 3)]);
    let at =
        |a: (i64, i64), b: (i64, i64)| &along.times(&q(a.0, a.1)) + &across.times(&q(b.0, b.1));
    let bodies = vec![
        base(),
        rod("crank", at((1, 2), (0, 1))),
        rod("coupler", at((1, 1), (1, 2))),
        rod("rocker", at((1, 2), (1, 1))),
    ];
    let hinge = |name: &str, first: usize, second: usize, point| Joint {
        first,
        second,
        point,
        ..joint(
            name,
            JointFreedom::Hinge {
                axis: Vector::integers([2, -2, 1]),
            },
        )
    };
    let joints = vec![
        hinge("crank", 1, 0, at((0, 1), (0, 1))),
        hinge("head of the crank", 2, 1, at((1, 1), (0, 1))),
        hinge("head of the rocker", 3, 2, at((1, 1), (1, 1))),
        hinge("rocker", 3, 0, at((0, 1), (1, 1))),
    ];
    let world = world(bodies, joints, q(0, 1), q(0, 1));
    let (end, steps) = run(&world, &plain(64), 24);
    let counts: Vec<usize> = steps.iter().map(redundant).collect();
    assert_eq!(counts, [3; 24]);
    let [crank, coupler, rocker] =
        [1, 2, 3].map(|k| end.bodies[k].attitude.0.each_ref().map(Rational::to_f64));
    let apart = |a: &[f64; 4], b: &[f64; 4]| {
        a.iter()
            .zip(b)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max)
    };
    assert!(apart(&crank, &rocker) < 1e-4, "{crank:?} {rocker:?}");
    assert!(apart(&coupler, &[1.0, 0.0, 0.0, 0.0]) < 1e-4, "{coupler:?}");
    assert!(crank[0] < 0.99, "{crank:?}");
}

#[test]
fn a_joint_that_holds_elsewhere_what_others_hold_is_refused_by_name() {
    let bodies = vec![base(), rod("own", Vector::integers([1, 0, 0]))];
    let again = Joint {
        point: Vector::integers([2, 0, 0]),
        ..joint("again", JointFreedom::Ball)
    };
    let joints = vec![joint("first", JointFreedom::Fixed), again];
    let world = world(bodies, joints, q(0, 1), q(0, 1));
    let solver = solver(Cone::Pyramid(4));
    let stepper = SpaceStepper::new(&world, plain(64), &*solver).unwrap();
    assert_eq!(redundant(&stepper.step(&world.start()).unwrap()), 3);
    // Turned by 0.2 rad: of the ends of both, 2 m away, the places that the rows close differ by 0.04 m.
    let mut turned = world.start();
    turned.bodies[1].attitude = Quaternion([q(399, 401), q(0, 1), q(0, 1), q(40, 401)]);
    let refused = stepper.step(&turned).unwrap_err();
    assert!(
        matches!(&refused, SpatialError::RedundantJoint { joint, .. } if joint == "again"),
        "{refused}"
    );
    let told = "take a shorter step, or give it a kind with fewer rows";
    assert!(refused.to_string().contains(told), "{refused}");
}

/// Bodies that a joint holds together do not touch each other; both touch the floor.
#[test]
fn joined_bodies_touch_the_floor_and_not_each_other() {
    let at = |x: i64| Vector::ratios([(x, 2), (0, 1), (1, 2)]);
    let weld = Joint {
        first: 1,
        second: 2,
        point: at(1),
        ..joint("weld", JointFreedom::Fixed)
    };
    let bodies = vec![floor(), ball("a", at(0)), ball("b", at(1))];
    let world = world(bodies, vec![weld], q(1, 2), q(0, 1));
    let (_, steps) = run(&world, &plain(64), 2);
    assert_eq!(steps[0].contacts().len(), 2);
}
