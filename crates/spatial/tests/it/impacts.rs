//! Poisson's law of restitution against closed forms, and against Newton's.

use etalon_fast::ConeSolver;
use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem, Solver};
use etalon_rigid::Vector;
use etalon_spatial::{
    Body, Cone, Drive, Energy, ImpactLaw, Joint, JointFreedom, Quaternion, Settings, Shape,
    SpaceStep, SpaceStepper, SpaceWorld, Surface, Surfaces,
};
use rug::Rational;

use crate::common::{ball, body, flat, floor, q, run, surfaces, ways, world};

/// Every way of taking steps, by Poisson's law.
fn poisson(h: &Rational) -> Vec<Settings> {
    let all = ways(h).into_iter();
    let own = all.map(|own| Settings {
        impact: ImpactLaw::Poisson,
        ..own
    });
    own.collect()
}

fn near(value: &Rational, expected: f64, settings: &Settings) {
    let value = value.to_f64();
    assert!((value - expected).abs() < 1e-9, "{settings:?}: {value}");
}

/// Without gravity.
fn floating(bodies: Vec<Body>, surfaces: Surfaces) -> SpaceWorld {
    SpaceWorld::new(Vector::zero(), bodies, Vec::new(), surfaces).unwrap()
}

/// Balls of radius 1/2 that touch each other in a row, the first with 1 m/s.
fn row(count: i64) -> Vec<Body> {
    let place = |k: i64| Vector::integers([k, 0, 0]);
    let mut balls: Vec<Body> = (0..count)
        .map(|k| ball(&format!("ball {k}"), place(k)))
        .collect();
    balls[0].velocity = Vector::axis(0);
    balls
}

fn speeds(world: &SpaceWorld, settings: &Settings) -> Vec<Rational> {
    let (state, steps) = run(world, settings, 1);
    assert!(steps[0].compression.is_some(), "{settings:?}");
    let own = state.bodies.iter();
    own.map(|own| own.velocity[0].clone()).collect()
}

/// c = -m v, and e c more: as by Newton's law. Weight acts in the decompression, and takes g h of it.
#[test]
fn a_ball_parts_as_by_newtons_law_but_for_its_weight() {
    let falling = || {
        let mut own = ball("ball", Vector::ratios([(0, 1), (0, 1), (1, 2)]));
        own.velocity = Vector::integers([0, 0, -3]);
        vec![floor(), own]
    };
    let light = floating(falling(), surfaces(q(1, 2), q(1, 2)));
    let heavy = world(falling(), Vec::new(), q(1, 2), q(1, 2));
    for settings in poisson(&q(1, 128)) {
        let (state, _) = run(&light, &settings, 1);
        near(&state.bodies[1].velocity[2], 1.5, &settings);
        let newton = Settings {
            impact: ImpactLaw::Newton,
            ..settings.clone()
        };
        assert_eq!(
            state.bodies[1].velocity,
            run(&light, &newton, 1).0.bodies[1].velocity
        );
        let (state, steps) = run(&heavy, &settings, 1);
        near(&state.bodies[1].velocity[2], 1.5 - 10.0 / 128.0, &settings);
        let [first, second] = [
            &steps[0].compression.as_ref().unwrap().impulses,
            &steps[0].impulses,
        ];
        // The mass is 1 kg.
        near(&first[0].normal, 3.0, &settings);
        near(&second[0].normal, 1.5, &settings);
    }
}

/// Where the weight alone is more than e times the compression, that is what is pressed.
#[test]
fn a_ball_that_hardly_bounces_is_held_by_its_weight() {
    let mut own = ball("ball", Vector::ratios([(0, 1), (0, 1), (1, 2)]));
    own.velocity = Vector::ratios([(0, 1), (0, 1), (-1, 16)]);
    let world = world(vec![floor(), own], Vec::new(), q(1, 2), q(1, 2));
    for settings in poisson(&q(1, 16)) {
        let (state, steps) = run(&world, &settings, 2);
        near(&state.bodies[1].velocity[2], 0.0, &settings);
        near(&steps[0].impulses[0].normal, 10.0 / 16.0, &settings);
        assert!(steps[1].compression.is_none(), "it rests");
    }
}

/// Of a row of equal balls that touch, the compression makes one of all.
#[test]
fn rows_of_balls_share_the_impact_as_the_closed_forms_say() {
    for settings in poisson(&q(1, 64)) {
        let pair = floating(row(2), surfaces(q(0, 1), q(1, 1)));
        for (own, expected) in speeds(&pair, &settings).iter().zip([0.0, 1.0]) {
            near(own, expected, &settings);
        }
        let three = floating(row(3), surfaces(q(0, 1), q(1, 1)));
        let expected = [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0];
        for (own, expected) in speeds(&three, &settings).iter().zip(expected) {
            near(own, expected, &settings);
        }
        let half = floating(row(3), surfaces(q(0, 1), q(1, 2)));
        for (own, expected) in speeds(&half, &settings).iter().zip([0.0, 0.5, 0.5]) {
            near(own, expected, &settings);
        }
    }
}

/// A ball meets one that touches a wall, inelastically, and the wall is elastic. Newton's law, which asks of speeds alone, leaves both
/// at rest. By Poisson's law the wall gives back what it was pressed with, and both move away with half the speed.
#[test]
fn a_wall_gives_back_what_reaches_it_through_a_ball() {
    let wall = || {
        let mut balls = row(3);
        balls[2].fixed = true;
        balls
    };
    let elastic = Surface {
        restitution: q(1, 1),
        ..Surface::default()
    };
    let named = |restitution: Rational| Surfaces {
        default: Surface {
            restitution,
            ..Surface::default()
        },
        pairs: vec![("ball 1".to_owned(), "ball 2".to_owned(), elastic.clone())],
    };
    // A contact without restitution makes no impact of two phases; so small a one does.
    let tiny = Rational::from(1) >> 36;
    let world = floating(wall(), named(tiny));
    for settings in poisson(&q(1, 64)) {
        for (own, expected) in speeds(&world, &settings).iter().zip([-0.5, -0.5, 0.0]) {
            near(own, expected, &settings);
        }
        let newton = Settings {
            impact: ImpactLaw::Newton,
            ..settings
        };
        let (state, _) = run(&world, &newton, 1);
        near(&state.bodies[0].velocity[0], 0.0, &newton);
    }
}

/// A thin rod that leans by 45 degrees falls on one end.
fn leaning(e: Rational) -> SpaceWorld {
    let shape = Shape::Capsule {
        radius: q(1, 50),
        half_length: q(1, 1),
    };
    let mut own = body("rod", q(1, 1), shape);
    // A turn about y whose tangent of half the angle is 5/12: the axis (cos, sin) is (119, 120)/169.
    own.attitude = Quaternion([q(12, 1), q(0, 1), q(5, 1), q(0, 1)]);
    own.position = Vector::new([q(0, 1), q(0, 1), q(119, 169) + q(1, 50)]);
    own.velocity = Vector::ratios([(3, 5), (0, 1), (-1, 1)]);
    floating(vec![floor(), own], surfaces(q(1, 2), e))
}

fn gain(world: &SpaceWorld, step: &SpaceStep) -> f64 {
    let before = Energy::of(world, &step.before).total();
    (step.energy.total() - before).to_f64()
}

/// Kane and Levinson 1985: with friction Newton's law gains energy where slip stops. Poisson's law does not.
#[test]
fn a_rod_that_lands_on_its_end_gains_energy_by_newtons_law_alone() {
    let world = leaning(q(1, 1));
    for settings in poisson(&q(1, 100)) {
        let newton = Settings {
            impact: ImpactLaw::Newton,
            ..settings.clone()
        };
        let (_, steps) = run(&world, &newton, 1);
        assert!(gain(&world, &steps[0]) > 0.1, "{newton:?}");
        let (_, steps) = run(&world, &settings, 1);
        assert!(gain(&world, &steps[0]) < -0.05, "{settings:?}");
    }
}

/// All corners of a box that falls flat share the impact, in whatever way: it does not turn.
#[test]
fn a_box_that_falls_flat_parts_flat() {
    let mut own = flat("box");
    own.velocity = Vector::integers([0, 0, -2]);
    let world = floating(vec![floor(), own], surfaces(q(1, 2), q(3, 4)));
    for settings in poisson(&q(1, 64)) {
        let (state, steps) = run(&world, &settings, 1);
        near(&state.bodies[1].velocity[2], 1.5, &settings);
        assert!(
            state.bodies[1].momentum.norm_squared().to_f64() < 1e-20,
            "{settings:?}"
        );
        let pressed = steps[0].impulses.iter().map(|own| own.normal.to_f64());
        assert!((pressed.sum::<f64>() - 1.5).abs() < 1e-9, "{settings:?}");
    }
}

/// A box that falls on a corner with a ball hinged to it, within limits and driven: all that an impact may have. It is that
/// high above the floor, and turns about x as one body.
pub fn assembly(height: Rational, spin: Rational) -> SpaceWorld {
    let mut own = flat("box");
    own.attitude = Quaternion([q(9, 1), q(2, 1), q(1, 1), q(0, 1)]);
    own.position[2] = q(17, 100) + &height;
    own.velocity = Vector::integers([2, 0, -3]);
    own.angular_velocity[0].clone_from(&spin);
    let mut turning = ball("ball", Vector::new([q(0, 1), q(1, 1), q(3, 4) + &height]));
    let apart = &turning.position - &own.position;
    turning.velocity = &own.velocity + &own.angular_velocity.cross(&apart);
    turning.angular_velocity.clone_from(&own.angular_velocity);
    let hinge = Joint {
        name: "hinge".to_owned(),
        first: 2,
        second: 1,
        point: Vector::new([q(0, 1), q(1, 4), q(1, 2) + &height]),
        kind: JointFreedom::Hinge {
            axis: Vector::axis(0),
        },
        limits: Some([q(-1, 2), q(0, 1)]),
        drive: Some(Drive {
            speed: q(1, 1),
            bound: q(2, 1),
        }),
    };
    let surface = Surface {
        mu: q(1, 2),
        restitution: q(2, 3),
        torsion: q(1, 100),
        rolling: q(1, 200),
        grain: None,
    };
    let surfaces = Surfaces {
        default: surface,
        pairs: Vec::new(),
    };
    let gravity = Vector::integers([0, 0, -10]);
    SpaceWorld::new(gravity, vec![floor(), own, turning], vec![hinge], surfaces).unwrap()
}

/// The oracle has nothing to say, in each way of taking steps.
#[test]
fn joints_limits_drives_and_friction_against_turning_take_part_in_impacts() {
    let world = assembly(q(0, 1), q(0, 1));
    for settings in poisson(&q(1, 100)) {
        let (_, steps) = run(&world, &settings, 2);
        let struck = steps[0].compression.as_ref().unwrap();
        assert!(
            struck.stop_impulses.iter().any(|own| *own > 0),
            "{settings:?}"
        );
    }
    // The joint has opened by what turning curves before the impact; it closes in the second phase alone.
    let world = assembly(q(4, 100), q(1, 2));
    let all = poisson(&q(1, 100)).into_iter();
    for settings in all.filter(|own| own.cone != Cone::Pyramid(8)) {
        let (_, steps) = run(&world, &settings, 3);
        let struck = steps.iter().find(|own| own.compression.is_some()).unwrap();
        let open = struck.posed.joints.iter().flatten();
        let open = open.map(|own| own.row().gap.to_f64().abs());
        assert!(open.fold(0.0, f64::max) > 1e-6, "{settings:?}");
    }
}

/// `fast-cone`, with what bounds friction off by the last digit, and a normal impulse at its bound rounded.
struct LastDigit;

impl Solver for LastDigit {
    fn name(&self) -> &'static str {
        "last-digit"
    }

    fn solve(&self, problem: &Problem) -> Claim {
        let mut claim = ConeSolver.solve(problem);
        if let (ClaimedAnswer::Solved { z }, true) = (&mut claim.answer, problem.name() == "step") {
            for own in z.iter_mut() {
                *own = Number::from_f64(own.to_f64()).unwrap();
            }
            let last = z.last_mut().unwrap();
            *last = Number::from_f64(last.to_f64() * (1.0 + f64::EPSILON)).unwrap();
        }
        claim
    }
}

/// A file states the normal impulse alone: what a solver is off in the unknowns that repeat it is gone.
#[test]
fn what_repeats_a_normal_impulse_in_the_circular_cone_is_that_impulse() {
    let world = leaning(q(1, 3));
    let all = poisson(&q(1, 100)).into_iter();
    for settings in all.filter(|own| own.cone == Cone::Circular) {
        let (_, steps) = run(&world, &settings, 1);
        let stepper = SpaceStepper::new(&world, settings.clone(), &LastDigit).unwrap();
        let own = stepper.step(&world.start()).unwrap();
        assert_eq!(own.z, steps[0].z);
        let least = own.posed.least[0].as_ref().unwrap();
        assert_eq!(own.impulses[0].normal, *least, "{settings:?}");
    }
}

/// Without restitution nothing has two phases.
#[test]
fn without_restitution_a_step_has_one_problem() {
    let mut own = ball("ball", Vector::ratios([(0, 1), (0, 1), (1, 2)]));
    own.velocity = Vector::integers([0, 0, -3]);
    let world = world(vec![floor(), own], Vec::new(), q(1, 2), q(0, 1));
    for settings in poisson(&q(1, 128)) {
        let (_, steps) = run(&world, &settings, 1);
        assert!(steps[0].compression.is_none(), "{settings:?}");
    }
}
