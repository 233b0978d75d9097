//! First-order worlds: f = m v in place of f = m a.

use etalon_rigid::Vector;
use etalon_spatial::{
    Body, Cone, Joint, JointFreedom, Settings, SpaceMethod, SpaceOracle, SpaceStepper, SpaceWorld,
    SpatialError,
};
use rug::Rational;

use crate::common::{ball, flat, floor, q, run, settings, solver, world};

fn ways() -> [Settings; 2] {
    [Cone::Pyramid(8), Cone::Circular].map(|cone| settings(q(1, 16), SpaceMethod::FirstOrder, cone))
}

/// Under gravity of 10, which makes m g.
fn quasi_static(bodies: Vec<Body>, joints: Vec<Joint>, mu: Rational) -> SpaceWorld {
    let own = world(bodies, joints, mu, Rational::new());
    own.in_first_order(&q(1, 16)).unwrap()
}

fn pushed(force: [i64; 3]) -> Body {
    let mut own = flat("box");
    own.mass = q(2, 1);
    own.force = Vector::integers(force);
    own
}

#[test]
fn a_body_that_nothing_holds_moves_by_force_over_mass_and_keeps_no_speed() {
    let mut own = pushed([6, 0, 20]);
    own.position = Vector::integers([0, 0, 5]);
    for settings in ways() {
        let world = quasi_static(vec![floor(), own.clone()], Vec::new(), Rational::new());
        let (state, _) = run(&world, &settings, 8);
        // 6 N over 2 kg/s for 1/2 s, in each step the same.
        let expected = Vector::ratios([(3, 2), (0, 1), (5, 1)]);
        assert_eq!(state.bodies[1].position, expected);
        assert_eq!(state.bodies[1].velocity, Vector::integers([3, 0, 0]));
    }
}

#[test]
fn a_body_turns_by_torque_over_inertia() {
    let mut own = ball("ball", Vector::integers([0, 0, 5]));
    own.force = Vector::integers([0, 0, 10]);
    // J = 2/5 r^2 = 1/10 kg m^2/s, so that 1/20 N m turn by 1/2 1/s.
    own.torque = Vector::ratios([(0, 1), (0, 1), (1, 20)]);
    let world = quasi_static(vec![own], Vec::new(), Rational::new());
    let (state, steps) = run(&world, &ways()[0], 4);
    let spin = world.angular_velocity(0, &state.bodies[0])[2].to_f64();
    assert!((spin - 0.5).abs() < 1e-12, "{spin}");
    // Torques do work, and the drag takes all of it: tau w h.
    let ledger = &steps[3].ledger;
    assert!((ledger.work.to_f64() - 0.05 * 0.5 / 16.0).abs() < 1e-12);
    assert!((ledger.numerical.to_f64() - ledger.work.to_f64()).abs() < 1e-12);
}

#[test]
fn friction_holds_up_to_mu_times_the_weight_and_takes_that_much_beyond() {
    for settings in ways() {
        // mu m g = 10 N.
        for (force, speed) in [(9, 0), (10, 0), (16, 3)] {
            let bodies = vec![floor(), pushed([force, 0, 0])];
            let world = quasi_static(bodies, Vec::new(), q(1, 2));
            let (state, steps) = run(&world, &settings, 4);
            let v = state.bodies[1].velocity[0].to_f64();
            assert!((v - f64::from(speed)).abs() < 1e-9, "{force} N: {v}");
            let last = &steps[3];
            let friction = last.ledger.friction_total().to_f64();
            // 10 N at 3 m/s for h, and 2 kg/s (3 m/s)^2 for h.
            let [rubbed, dragged] =
                [10 * speed, 2 * speed * speed].map(|own| f64::from(own) / 16.0);
            assert!((friction - rubbed).abs() < 1e-9);
            assert!((last.ledger.numerical.to_f64() - dragged).abs() < 1e-9);
            assert_eq!(last.energy.kinetic, 0);
        }
    }
}

#[test]
fn a_body_sinks_onto_what_is_below_and_stays() {
    let mut own = pushed([0, 0, 0]);
    own.position = Vector::integers([0, 0, 3]);
    for settings in ways() {
        let world = quasi_static(vec![floor(), own.clone()], Vec::new(), q(1, 2));
        let (state, steps) = run(&world, &settings, 8);
        // At the speed of g: 10/16 m a step, and in the fifth what is left to the floor.
        assert_eq!(steps[3].after.bodies[1].position[2], q(1, 2));
        assert!((state.bodies[1].position[2].to_f64() - 0.05).abs() < 1e-9);
        let normal = steps[7].impulses.iter().map(|own| own.normal.to_f64());
        // The weight of 20 N for h.
        assert!((normal.sum::<f64>() - 20.0 / 16.0).abs() < 1e-9);
    }
}

#[test]
fn a_contact_that_forces_alone_bring_about_is_found() {
    let mut own = ball("ball", Vector::ratios([(-3, 1), (0, 1), (1, 2)]));
    own.force = Vector::integers([32, 0, 0]);
    let mut wall = ball("wall", Vector::ratios([(0, 1), (0, 1), (1, 2)]));
    wall.fixed = true;
    for settings in ways() {
        let bodies = vec![floor(), wall.clone(), own.clone()];
        let world = quasi_static(bodies, Vec::new(), Rational::new());
        let (state, _) = run(&world, &settings, 4);
        // 2 m a step, to where the balls touch.
        assert!((state.bodies[2].position[0].to_f64() + 1.0).abs() < 1e-9);
    }
}

#[test]
fn joints_hold_and_a_pendulum_sinks_without_swinging() {
    let mut bob = ball("bob", Vector::integers([1, 0, 5]));
    bob.mass = q(3, 1);
    let mut frame = ball("frame", Vector::integers([0, 0, 5]));
    frame.fixed = true;
    frame.shape = None;
    let hinge = Joint {
        name: "hinge".to_owned(),
        first: 1,
        second: 0,
        point: Vector::integers([0, 0, 5]),
        kind: JointFreedom::Hinge {
            axis: Vector::integers([0, 1, 0]),
        },
        limits: None,
        drive: None,
    };
    let world = quasi_static(vec![frame, bob], vec![hinge], Rational::new());
    let (_, steps) = run(&world, &ways()[0], 40);
    let sides = steps
        .iter()
        .map(|own| own.after.bodies[1].position[0].to_f64());
    let sides: Vec<f64> = sides.collect();
    // It has no momentum, so it never goes to the other side.
    assert!(
        sides
            .windows(2)
            .all(|two| two[1] <= two[0] + 1e-9 && two[1] >= -1e-9),
        "{sides:?}"
    );
    assert!(sides[39] < 1e-6, "{}", sides[39]);
    assert!(steps.iter().all(|own| own.ledger.numerical >= 0));
}

#[test]
fn what_a_first_order_world_does_not_have_is_refused() {
    let h = q(1, 16);
    let refused = |bodies: Vec<Body>, e: Rational| {
        let own = world(bodies, Vec::new(), Rational::new(), e).in_first_order(&h);
        own.err().map(|why| why.to_string()).unwrap_or_default()
    };
    let mut moving = flat("box");
    moving.velocity = Vector::integers([1, 0, 0]);
    let why = refused(vec![floor(), moving], Rational::new());
    assert!(why.contains("\"box\"") && why.contains("velocity"), "{why}");
    let why = refused(vec![floor(), flat("box")], q(1, 2));
    assert!(why.contains("restitution"), "{why}");
    let own = || {
        world(
            vec![floor(), flat("box")],
            Vec::new(),
            q(1, 2),
            Rational::new(),
        )
    };
    assert!(matches!(
        own().in_first_order(&Rational::new()),
        Err(SpatialError::Step(_))
    ));
    // Settings of another order, or another step, are told.
    let solver = solver(Cone::Circular);
    let [settings, _] = ways();
    assert!(SpaceStepper::new(&own(), settings.clone(), &*solver).is_err());
    let own = own().in_first_order(&q(1, 8)).unwrap();
    assert!(SpaceStepper::new(&own, settings, &*solver).is_err());
}

#[test]
fn the_oracle_refuses_a_step_that_keeps_a_speed() {
    let world = quasi_static(vec![floor(), pushed([16, 0, 0])], Vec::new(), q(1, 2));
    let settings = ways()[0].clone();
    let (_, steps) = run(&world, &settings, 2);
    let mut step = steps[1].clone();
    step.before = steps[0].after.clone();
    let oracle = SpaceOracle::new(&world, &settings);
    assert!(!oracle.examine(2, &step).is_empty());
    // Nor one whose drag is half of what it is, as the loss of a step of second order.
    let mut step = steps[1].clone();
    step.ledger.numerical /= 2u32;
    assert!(!oracle.examine(2, &step).is_empty());
}
