//! Free flight.

use etalon_rigid::{Dense, Vector};
use etalon_spatial::{Body, Cone, Energy, Shape, SpaceMethod};
use rug::Rational;

use crate::common::{body, q, run, settings, world};

fn spinning(moments: [i64; 3], rate: [(i64, i64); 3]) -> Body {
    Body {
        inertia: Dense::from_fn(3, 3, |i, j| q(if i == j { moments[i] } else { 0 }, 1)),
        angular_velocity: Vector::ratios(rate),
        shape: None,
        ..body("body", q(1, 1), Shape::Sphere { radius: q(1, 1) })
    }
}

/// The middle axis is unstable: the body flips over, and neither momentum nor energy takes notice.
#[test]
fn dzhanibekovs_body_flips_and_keeps_momentum_to_the_digit_and_energy_to_rounding() {
    let own = spinning([1, 2, 3], [(1, 100), (5, 1), (0, 1)]);
    let world = world(vec![own], Vec::new(), q(0, 1), q(0, 1));
    let settings = settings(q(1, 100), SpaceMethod::StewartTrinkle, Cone::Pyramid(4));
    let (_, steps) = run(&world, &settings, 600);
    let momentum = &steps[0].before.bodies[0].momentum;
    let first = Energy::of(&world, &steps[0].before).kinetic;
    let mut lowest = f64::INFINITY;
    for (k, step) in steps.iter().enumerate() {
        let own = &step.after.bodies[0];
        assert_eq!(own.momentum, *momentum);
        // The middle axis of the body against the momentum: 1, and -1 when it is upside down.
        let axis = own.attitude.rotation().apply(&Vector::axis(1));
        lowest = lowest.min(axis[1].to_f64());
        // Gravity moves the centre of mass alone.
        let falling = own.velocity.norm_squared() / 2u32;
        let off = (step.energy.kinetic.clone() - falling - &first).to_f64();
        // Quaternions are rounded by 2^-53 an entry, at random: some 1e-14 of 25 J in 600 steps.
        assert!(off.abs() < 1e-12, "step {k}: {off}");
    }
    assert!(lowest < -0.99, "it never flips: {lowest}");
}

#[test]
fn a_body_that_falls_keeps_its_spin_and_follows_the_parabola_of_the_scheme() {
    let mut own = spinning([3, 3, 3], [(1, 1), (2, 1), (3, 1)]);
    own.velocity = Vector::integers([1, 0, 4]);
    let world = world(vec![own], Vec::new(), q(0, 1), q(0, 1));
    let settings = settings(q(1, 8), SpaceMethod::MoreauJean, Cone::Pyramid(4));
    let (state, _) = run(&world, &settings, 8);
    // z = v t - g t (t + h)/2, exactly, as h is on the grid.
    let z = q(4, 1) - q(10, 1) * q(9, 8) / 2u32;
    assert_eq!(state.bodies[0].position, Vector::new([q(1, 1), q(0, 1), z]));
    let rate = world.angular_velocity(0, &state.bodies[0]);
    let off: Rational = (&rate - &Vector::integers([1, 2, 3])).norm_squared();
    assert!(off.to_f64() < 1e-20);
}
