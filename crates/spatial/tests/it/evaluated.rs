//! Where a step takes masses, contacts and joints, and which contacts take part in it.

use etalon_rigid::{Dense, Vector};
use etalon_spatial::{
    Body, Cone, ImpactLaw, Joint, JointFreedom, Quaternion, Settings, Shape, SpaceMethod,
    SpaceOracle, SpaceState, SpaceStep, SpaceStepper, SpaceWorld, SpatialError,
};
use etalon_time_stepping::{Activation, Scheme, StepError, Term};
use rug::Rational;

use crate::common::{ball, body, flat, floor, q, run, settings, solver, ways, world};

const SCHEMES: [Scheme; 3] = [Scheme::Linear, Scheme::Midpoint, Scheme::Predicted];

fn plain(h: i64) -> Settings {
    settings(q(1, h), SpaceMethod::StewartTrinkle, Cone::Pyramid(4))
}

fn by(scheme: Scheme, own: &Settings) -> Settings {
    Settings {
        scheme,
        ..own.clone()
    }
}

fn when_violated(own: &Settings) -> Settings {
    Settings {
        activation: Activation::WhenViolated,
        ..own.clone()
    }
}

/// A body of three moments without a shape that turns about all axes.
fn tumbling() -> Body {
    Body {
        inertia: Dense::from_fn(3, 3, |i, j| q(if i == j { i as i64 + 1 } else { 0 }, 12)),
        shape: None,
        velocity: Vector::ratios([(1, 2), (0, 1), (3, 1)]),
        angular_velocity: Vector::integers([1, 3, 2]),
        ..body("tumbling", q(1, 1), Shape::Sphere { radius: q(1, 1) })
    }
}

/// A cube that spins and falls onto a corner.
fn cube() -> Body {
    let half_sizes = [q(1, 4), q(1, 4), q(1, 4)];
    Body {
        position: Vector::ratios([(0, 1), (0, 1), (9, 20)]),
        attitude: Quaternion([9, 2, 3, 1].map(Rational::from)),
        angular_velocity: Vector::integers([1, -2, 4]),
        velocity: Vector::ratios([(1, 2), (0, 1), (-1, 2)]),
        ..body("cube", q(1, 1), Shape::Box { half_sizes })
    }
}

#[test]
fn free_flight_is_the_same_wherever_it_is_evaluated() {
    let own = world(vec![tumbling()], Vec::new(), q(0, 1), q(0, 1));
    let ends = SCHEMES.map(|scheme| run(&own, &by(scheme, &plain(50)), 10).0);
    assert_eq!(ends[0], ends[1]);
    assert_eq!(ends[0], ends[2]);
}

/// Gaps of bodies that do not turn are linear: there is one law for all points of evaluation.
#[test]
fn where_gaps_are_linear_the_point_does_not_matter() {
    let mut block = flat("block");
    block.position = Vector::ratios([(0, 1), (0, 1), (1, 8)]);
    block.velocity = Vector::ratios([(1, 1), (0, 1), (-1, 1)]);
    let own = world(vec![floor(), block], Vec::new(), q(1, 4), q(0, 1));
    let ends = SCHEMES.map(|scheme| run(&own, &by(scheme, &plain(64)), 12).0);
    assert!(ends[0].bodies[1].velocity[0] < 1, "it slides on the floor");
    for other in &ends[1..] {
        for k in 0..3 {
            let off = Rational::from(&ends[0].bodies[1].position[k] - &other.bodies[1].position[k]);
            // Rounding of the point of evaluation, in each step.
            assert!(off.abs() < q(1, 1 << 34));
        }
    }
}

/// A pendulum of 1/2 m on a ball joint, for a quarter of a second in steps of 1/h s.
fn pendulum(scheme: Scheme, h: i64) -> (SpaceWorld, Vec<SpaceStep>) {
    let base = Body {
        fixed: true,
        shape: None,
        ..flat("base")
    };
    let bob = Body {
        position: Vector::ratios([(1, 2), (0, 1), (0, 1)]),
        velocity: Vector::ratios([(0, 1), (1, 1), (0, 1)]),
        angular_velocity: Vector::integers([0, 0, 2]),
        ..tumbling()
    };
    let joint = Joint {
        name: "pivot".to_owned(),
        first: 1,
        second: 0,
        point: Vector::zero(),
        kind: JointFreedom::Ball,
        limits: None,
        drive: None,
    };
    let own = world(vec![base, bob], vec![joint], q(0, 1), q(0, 1));
    let (_, steps) = run(&own, &by(scheme, &plain(h)), (h / 4) as u64);
    (own, steps)
}

/// What it has opened by at most, m.
fn opened(scheme: Scheme, h: i64) -> f64 {
    let (own, steps) = pendulum(scheme, h);
    let gaps = steps.iter().flat_map(|step| {
        let rows = own.placed(&step.after).into_iter().flatten();
        rows.map(|row| row.row().gap.to_f64().abs())
    });
    gaps.fold(0.0, f64::max)
}

/// Where rows are taken does not make the motion one of second order: positions move by h v'.
#[test]
fn the_energy_of_a_pendulum_is_off_by_the_order_of_the_step_by_each_scheme() {
    for scheme in SCHEMES {
        let off = |h: i64| {
            let (own, steps) = pendulum(scheme, h);
            let start = etalon_spatial::Energy::of(&own, &own.start()).total();
            (steps.last().unwrap().energy.total() - start).to_f64()
        };
        let [wide, narrow] = [40, 80].map(off);
        let order = (wide / narrow).log2();
        assert!((order - 1.0).abs() < 0.25, "{scheme}: {order}");
    }
}

/// A gap to first order about q^m is off by n(q' - q^m)^2/2: at the start of a step by a way of h v, halfway by half of it, and ahead by what the
/// velocity changes alone, h (v' - v).
#[test]
fn a_joint_opens_by_a_quarter_at_the_midpoint_and_by_the_square_of_the_square_ahead() {
    let orders = SCHEMES.map(|scheme| {
        let [wide, narrow] = [40, 80].map(|h| opened(scheme, h));
        ((wide / narrow).log2(), narrow)
    });
    let [(linear, least), (midpoint, halfway), (predicted, ahead)] = orders;
    assert!((linear - 2.0).abs() < 0.1, "{linear}");
    assert!((midpoint - 2.0).abs() < 0.1, "{midpoint}");
    assert!(predicted > 3.5, "{predicted}");
    assert!((least / halfway - 4.0).abs() < 0.4, "{least} {halfway}");
    assert!(ahead < halfway / 10.0, "{ahead}");
}

/// Impulses are opposite, wherever they are taken; and no step gains energy by impacts.
#[test]
fn balls_that_meet_keep_their_momentum_and_gain_no_energy() {
    let mut left = ball("left", Vector::ratios([(-11, 20), (0, 1), (1, 8)]));
    let right = ball("right", Vector::ratios([(11, 20), (0, 1), (0, 1)]));
    left.velocity = Vector::integers([4, 0, 0]);
    left.angular_velocity = Vector::integers([0, 5, 1]);
    let none = Vector::zero();
    let surfaces = crate::common::surfaces(q(1, 2), q(0, 1));
    let own = SpaceWorld::new(none, vec![left, right], Vec::new(), surfaces).unwrap();
    for settings in ways(&q(1, 50)) {
        for scheme in SCHEMES {
            let (_, steps) = run(&own, &by(scheme, &settings), 8);
            assert!(
                steps
                    .iter()
                    .any(|step| step.impulses.iter().any(|own| own.normal > 0))
            );
            let mut energy = None;
            for step in &steps {
                let sum = |k: usize| Rational::from(&step.velocity[k] + &step.velocity[6 + k]);
                let momentum = [sum(0), sum(1), sum(2)];
                let before = |k: usize| {
                    let own = &step.before.bodies;
                    Rational::from(&own[0].velocity[k] + &own[1].velocity[k])
                };
                assert_eq!(momentum, [before(0), before(1), before(2)]);
                let total = step.energy.total();
                let most: Rational = energy.unwrap_or_else(|| total.clone());
                assert!(total <= most + q(1, 1 << 30), "{settings:?} {scheme}");
                energy = Some(total);
            }
        }
    }
}

/// Cubes, boxes, rough and smooth, by both methods and in both cones: the oracle finds nothing in any step.
#[test]
fn steps_by_each_scheme_obey_the_laws() {
    for settings in ways(&q(1, 100)) {
        for scheme in [Scheme::Midpoint, Scheme::Predicted] {
            let own = world(vec![floor(), cube()], Vec::new(), q(1, 2), q(1, 4));
            let (_, steps) = run(&own, &by(scheme, &settings), 12);
            assert!(
                steps
                    .iter()
                    .any(|step| step.impulses.iter().any(|own| own.normal > 0))
            );
        }
    }
}

fn first_that_pushes(steps: &[SpaceStep]) -> &SpaceStep {
    let mut all = steps.iter();
    let pushes = |step: &&SpaceStep| step.impulses.iter().any(|own| own.normal > 0);
    all.find(pushes).unwrap()
}

fn told(world: &SpaceWorld, settings: &Settings, step: &SpaceStep) -> Vec<Term> {
    let found = SpaceOracle::new(world, settings).examine(1, step);
    found.into_iter().map(|own| own.term).collect()
}

/// The oracle asks by the scheme of the settings: a step by another one breaks its laws, and so does one of another pose.
#[test]
fn a_step_by_another_scheme_is_named() {
    let own = world(vec![floor(), cube()], Vec::new(), q(1, 2), q(0, 1));
    let settings = by(Scheme::Midpoint, &plain(100));
    let (_, steps) = run(&own, &settings, 12);
    let step = first_that_pushes(&steps);
    let as_linear = told(&own, &by(Scheme::Linear, &settings), step);
    assert!(as_linear.contains(&Term::State), "{as_linear:?}");
    let moved = SpaceStep {
        at: step.before.clone(),
        ..step.clone()
    };
    let terms = told(&own, &settings, &moved);
    assert!(terms.contains(&Term::State), "{terms:?}");
    let mut nearer = step.clone();
    nearer.posed.contacts[0].gap += q(1, 1000);
    let terms = told(&own, &settings, &nearer);
    assert!(terms.contains(&Term::Geometry), "{terms:?}");
}

/// The same motion, of fewer contacts: what is left out is open, and asked.
#[test]
fn contacts_that_are_left_out_until_violated_change_no_velocity() {
    let mut other = flat("other");
    other.position = Vector::ratios([(1, 10), (0, 1), (4, 25)]);
    other.angular_velocity = Vector::ratios([(1, 2), (1, 1), (0, 1)]);
    for (bodies, taken) in [
        (vec![floor(), cube()], 14),
        (vec![floor(), flat("lower"), other], 4),
    ] {
        let own = world(bodies, Vec::new(), q(1, 2), q(0, 1));
        for scheme in [Scheme::Linear, Scheme::Midpoint] {
            let all = by(scheme, &plain(100));
            let (end, steps) = run(&own, &all, taken);
            let (same, fewer) = run(&own, &when_violated(&all), taken);
            assert_eq!(near(&end), near(&same));
            let count = |steps: &[SpaceStep]| -> usize {
                steps.iter().map(|own| own.contacts().len()).sum()
            };
            assert!(count(&fewer) < count(&steps), "{scheme}");
        }
    }
}

/// Let go near the floor, a box violates its corners only with the velocity that its weight gives it.
#[test]
fn what_the_answer_violates_takes_part_in_a_second_problem() {
    let mut block = flat("block");
    block.position = Vector::ratios([(0, 1), (0, 1), (51, 1000)]);
    let own = world(vec![floor(), block], Vec::new(), q(0, 1), q(0, 1));
    let (_, steps) = run(&own, &when_violated(&plain(50)), 2);
    let problems = steps
        .iter()
        .map(|step| (step.problems, step.contacts().len()));
    assert_eq!(problems.collect::<Vec<_>>(), [(2, 4), (1, 4)]);
    let (_, steps) = run(&own, &plain(50), 1);
    assert_eq!(steps[0].problems, 1);
}

/// The lower side of a box that turns goes up, and the higher one comes down: the nearest corners take no part, and nobody misses them.
#[test]
fn the_nearest_corners_may_be_left_out() {
    let mut block = flat("block");
    block.position = Vector::ratios([(0, 1), (0, 1), (525, 10_000)]);
    block.attitude = Quaternion([400, 0, 1, 0].map(Rational::from));
    block.angular_velocity = Vector::integers([0, -2, 0]);
    let own = world(vec![floor(), block], Vec::new(), q(0, 1), q(0, 1));
    let (all, steps) = run(&own, &plain(50), 1);
    let (same, fewer) = run(&own, &when_violated(&plain(50)), 1);
    assert_eq!(all, same);
    let least = |step: &SpaceStep| step.contacts().iter().map(|own| own.gap.clone()).min();
    assert_eq!(fewer[0].contacts().len(), 2);
    assert!(least(&steps[0]) < least(&fewer[0]));
}

/// A box lands on a floor that stops it, before a lower one that would throw it back if it came there: by its speed before the step it does not, by its
/// weight it would. So its contacts there bounce by Newton's law, and take part from the first.
#[test]
fn contacts_that_bounce_take_part_from_the_first() {
    let mut block = flat("block");
    block.velocity = Vector::integers([0, 0, -1]);
    let lower = Body {
        position: Vector::ratios([(0, 1), (0, 1), (-22, 1000)]),
        name: "lower".to_owned(),
        ..floor()
    };
    let mut surfaces = crate::common::surfaces(q(0, 1), q(0, 1));
    let elastic = crate::common::surfaces(q(0, 1), q(1, 1)).default;
    let pair = ("block".to_owned(), "lower".to_owned(), elastic);
    surfaces.pairs.push(pair);
    let gravity = Vector::integers([0, 0, -10]);
    let own = SpaceWorld::new(gravity, vec![floor(), lower, block], Vec::new(), surfaces).unwrap();
    let (all, _) = run(&own, &plain(50), 1);
    let (same, steps) = run(&own, &when_violated(&plain(50)), 1);
    assert_eq!(all.bodies[2].velocity, Vector::integers([0, 0, 1]));
    assert_eq!(all, same);
    assert_eq!(steps[0].problems, 1);
}

/// Places to 2^-30.
fn near(state: &SpaceState) -> Vec<Rational> {
    let places = state
        .bodies
        .iter()
        .flat_map(|own| own.position.coordinates());
    places.map(|own| (own.clone() << 30u32).round()).collect()
}

/// What no contact keeps out is named, if it should have been activated.
#[test]
fn a_contact_that_is_not_activated_is_missed() {
    let own = world(vec![floor(), flat("box")], Vec::new(), q(1, 2), q(0, 1));
    let settings = when_violated(&plain(100));
    let (_, steps) = run(&own, &settings, 1);
    assert_eq!(steps[0].contacts().len(), 4);
    // It falls freely where the whole pair is left out.
    let free = world(vec![flat("box")], Vec::new(), q(1, 2), q(0, 1));
    let (_, falling) = run(&free, &settings, 1);
    let mut wrong = steps[0].clone();
    wrong.posed.contacts.clear();
    wrong.posed.formulation.contacts.clear();
    wrong.impulses.clear();
    wrong.velocity.clone_from(&falling[0].velocity);
    wrong.after.bodies[1] = falling[0].after.bodies[0].clone();
    let terms = told(&own, &settings, &wrong);
    assert!(terms.contains(&Term::Missing), "{terms:?}");
}

#[test]
fn what_does_not_go_together_is_refused_by_its_name() {
    let own = world(vec![floor(), flat("box")], Vec::new(), q(1, 2), q(0, 1));
    let poisson = |own: Settings| Settings {
        impact: ImpactLaw::Poisson,
        ..own
    };
    let moreau_jean = settings(q(1, 100), SpaceMethod::MoreauJean, Cone::Pyramid(4));
    for (wrong, name) in [
        (by(Scheme::FixedPoint, &plain(100)), "scheme"),
        (poisson(by(Scheme::Midpoint, &plain(100))), "scheme"),
        (poisson(when_violated(&plain(100))), "activation"),
        (when_violated(&moreau_jean), "activation"),
        (
            when_violated(&Settings {
                cone: Cone::Circular,
                ..plain(100)
            }),
            "activation",
        ),
        (
            by(
                Scheme::Predicted,
                &Settings::new(q(1, 100), SpaceMethod::FirstOrder),
            ),
            "scheme",
        ),
    ] {
        let solver = solver(wrong.cone);
        let error = SpaceStepper::new(&own, wrong, &*solver).err();
        let Some(SpatialError::Step(StepError::Setting { setting, .. })) = error else {
            panic!("{error:?}");
        };
        assert_eq!(setting, name);
    }
}
