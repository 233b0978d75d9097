//! Theorems, for random bodies on a floor and against each other.

use etalon_rigid::{Vector, Vector3};
use etalon_spatial::{
    Body, Cone, Energy, ImpactLaw, Quaternion, Settings, Shape, SpaceMethod, SpaceOracle,
    SpaceState, SpaceStepper, SpaceWorld, Surface, Surfaces,
};
use proptest::prelude::*;
use rug::Rational;

use crate::common::{body, floor, q, run, settings, solver, surfaces, world};

/// A sphere, box or capsule above the floor, in any attitude and motion.
fn any_body() -> impl Strategy<Value = Body> {
    let attitude = prop::array::uniform4(-8i64..=8);
    let motion = prop::array::uniform6(-6i64..=6);
    (0..3u8, attitude, motion, 0..6i64).prop_map(|(kind, attitude, motion, height)| {
        let shape = match kind {
            0 => Shape::Sphere { radius: q(1, 4) },
            1 => Shape::Box {
                half_sizes: [q(1, 4), q(1, 5), q(1, 8)],
            },
            _ => Shape::Capsule {
                radius: q(1, 8),
                half_length: q(1, 4),
            },
        };
        let mut own = body("own", q(1, 1), shape);
        let [w, x, y, z] = attitude.map(Rational::from);
        own.attitude = Quaternion([w.abs() + 1u32, x, y, z]);
        // No point of these shapes is further from its centre than 3/8.
        own.position = Vector::new([q(0, 1), q(0, 1), q(3, 8) + q(height, 50)]);
        let [a, b, c, d, e, f] = motion.map(|value| q(value, 4));
        own.velocity = Vector::new([a, b, c]);
        own.angular_velocity = Vector::new([d, e, f]);
        own
    })
}

/// Momentum, and angular momentum about the origin.
fn total(world: &SpaceWorld, state: &SpaceState) -> [Vector3<Rational>; 2] {
    let mut sum = [Vector::zero(), Vector::zero()];
    for i in world.moving() {
        let own = &state.bodies[i];
        let linear = own.velocity.times(&world.bodies()[i].mass);
        sum[1] = &(&sum[1] + &own.momentum) + &own.position.cross(&linear);
        sum[0] = &sum[0] + &linear;
    }
    sum
}

const CONES: [Cone; 3] = [Cone::Pyramid(4), Cone::Pyramid(8), Cone::Circular];

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// The oracle has nothing to say against any step, and energy goes where the ledger says: contacts and the
    /// scheme never give any, but for the work of closing an overlap.
    #[test]
    fn a_body_on_the_floor_obeys_all_laws(
        own in any_body(), mu in 0..5i64, method in 0..2usize, cone in 0..3usize,
    ) {
        let world = world(vec![floor(), own], Vec::new(), q(mu, 4), q(0, 1));
        let settings = settings(q(1, 50), SpaceMethod::SECOND_ORDER[method], CONES[cone]);
        let (_, steps) = run(&world, &settings, 8);
        for step in &steps {
            let before = Energy::of(&world, &step.before).total();
            let ledger = &step.ledger;
            prop_assert_eq!(before - step.energy.total(), ledger.dissipated());
            prop_assert!(ledger.numerical >= 0 && ledger.friction_total().to_f64() > -1e-9);
        }
    }

    /// Newton's third law: whatever two bodies do to each other, momentum and angular momentum about the origin
    /// change by rounding and by moving while a force acts alone.
    #[test]
    fn two_bodies_that_meet_keep_their_momentum(
        a in any_body(), b in any_body(), mu in 0..5i64, method in 0..2usize,
    ) {
        let mut b = Body { name: "other".to_owned(), ..b };
        b.position = &b.position + &Vector::ratios([(1, 8), (1, 16), (7, 10)]);
        b.velocity = &b.velocity - &Vector::integers([0, 0, 8]);
        let surfaces = surfaces(q(mu, 4), q(1, 2));
        let world = SpaceWorld::new(Vector::zero(), vec![a, b], Vec::new(), surfaces);
        // Bodies that overlap at the start are refused.
        prop_assume!(world.is_ok());
        let world = world.unwrap();
        let settings = settings(q(1, 50), SpaceMethod::SECOND_ORDER[method], Cone::Pyramid(8));
        let (state, _) = run(&world, &settings, 6);
        let (before, after) = (total(&world, &world.start()), total(&world, &state));
        for (old, new) in before.iter().zip(&after) {
            // Twelve numbers rounded in each of six steps, times lengths of some metres.
            prop_assert!((new - old).norm_squared().to_f64().sqrt() < 1e-9);
        }
    }

    /// By Poisson's law and without friction no impact gains energy, whatever the coefficients of its contacts are.
    #[test]
    fn impacts_by_poissons_law_gain_nothing(
        a in any_body(), b in any_body(), e in prop::array::uniform2(0..=4i64), method in 0..2usize,
    ) {
        let mut b = Body { name: "other".to_owned(), ..b };
        b.position = &b.position + &Vector::ratios([(1, 8), (1, 16), (7, 10)]);
        let fall = Vector::integers([0, 0, -8]);
        let surface = |e: i64| Surface { restitution: q(e, 4), ..Surface::default() };
        let bodies = [a, b].map(|own| Body { velocity: &own.velocity + &fall, ..own });
        let surfaces = Surfaces {
            default: surface(e[0]),
            pairs: vec![("own".to_owned(), "other".to_owned(), surface(e[1]))],
        };
        let gravity = Vector::integers([0, 0, -10]);
        let bodies = std::iter::once(floor()).chain(bodies).collect();
        let world = SpaceWorld::new(gravity, bodies, Vec::new(), surfaces);
        prop_assume!(world.is_ok());
        let settings = Settings {
            impact: ImpactLaw::Poisson,
            ..settings(q(1, 50), SpaceMethod::SECOND_ORDER[method], Cone::Pyramid(4))
        };
        let world = world.unwrap();
        let solver = solver(settings.cone);
        let stepper = SpaceStepper::new(&world, settings.clone(), &*solver).unwrap();
        let mut state = world.start();
        for k in 1..=4 {
            // What is flung into another body within the step is refused, by either law.
            let Ok(step) = stepper.step(&state) else { break };
            prop_assert_eq!(SpaceOracle::new(&world, &settings).examine(k, &step), vec![]);
            let ledger = &step.ledger;
            prop_assert!(step.compression.is_none() || ledger.position_total() + &ledger.numerical >= 0);
            state = step.after;
        }
    }
}
