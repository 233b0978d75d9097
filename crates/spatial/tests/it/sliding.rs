//! Sliding, rolling and bouncing against closed forms.

use etalon_rigid::Vector;
use etalon_spatial::{Cone, SpaceMethod};

use crate::common::{ball, flat, floor, q, run, settings, ways, world};

/// A box that slides diagonally stops after v^2/(2 mu g), to first order in the step, and does not turn, where the
/// cone can hold friction against its way.
#[test]
fn a_box_slides_straight_and_stops_where_the_closed_form_says() {
    let mut own = flat("box");
    // 2 m/s along (20, 21)/29, a direction of the pyramid of 8.
    own.velocity = Vector::ratios([(40, 29), (42, 29), (0, 1)]);
    let world = world(vec![floor(), own], Vec::new(), q(1, 2), q(0, 1));
    let h = 1.0 / 64.0;
    for method in SpaceMethod::SECOND_ORDER {
        for cone in [Cone::Pyramid(8), Cone::Circular] {
            let settings = settings(q(1, 64), method, cone);
            let (state, _) = run(&world, &settings, 28);
            let own = &state.bodies[1];
            let [x, y, _] = own.position.coordinates().each_ref().map(|c| c.to_f64());
            // v^2/(2 mu g) = 0.4 m. The position moves with the velocity at the end: short by v h/2, up to the part
            // of a step in which it stops.
            let way = x.hypot(y);
            let exact = 0.4 - 2.0 * h / 2.0;
            assert!((way - exact).abs() < 5.0 * h * h, "{settings:?}: {way}");
            assert!((y / x - 1.05).abs() < 1e-7, "{settings:?}: {}", y / x);
            assert!(own.momentum.norm_squared().to_f64() < 1e-20, "{settings:?}");
            assert!(own.velocity.norm_squared().to_f64() < 1e-20, "{settings:?}");
        }
    }
}

/// A ball that is pushed rolls at 5/7 of its speed in the end: its inertia is 2/5 m r^2.
#[test]
fn a_ball_that_is_pushed_rolls_at_five_sevenths() {
    let mut own = ball("ball", Vector::ratios([(0, 1), (0, 1), (1, 2)]));
    own.velocity = Vector::integers([2, 0, 0]);
    let world = world(vec![floor(), own], Vec::new(), q(1, 2), q(0, 1));
    for settings in ways(&q(1, 100)) {
        // Rolling begins at 2 v/(7 mu g) = 0.114 s.
        let (state, _) = run(&world, &settings, 14);
        let v = state.bodies[1].velocity[0].to_f64();
        assert!((v - 10.0 / 7.0).abs() < 1e-9, "{settings:?}: {v}");
        let w = world.angular_velocity(1, &state.bodies[1])[1].to_f64();
        assert!((w - v / 0.5).abs() < 1e-8, "{settings:?}: {w}");
    }
}

/// Newton's law: a ball leaves the floor at e times the speed of its approach.
#[test]
fn bodies_part_at_e_times_the_speed_of_their_approach() {
    let mut own = ball("ball", Vector::ratios([(0, 1), (0, 1), (1, 2)]));
    own.velocity = Vector::integers([0, 0, -3]);
    let world = world(vec![floor(), own], Vec::new(), q(1, 2), q(1, 2));
    for settings in ways(&q(1, 128)) {
        let (state, _) = run(&world, &settings, 1);
        let v = state.bodies[1].velocity[2].to_f64();
        assert!((v - 1.5).abs() < 1e-9, "{settings:?}: {v}");
    }
}

/// An overlap that the start allows is closed by Stewart and Trinkle's step, and stays with Moreau and Jean's.
#[test]
fn gaps_enter_the_one_method_and_not_the_other() {
    let mut own = ball("ball", Vector::ratios([(0, 1), (0, 1), (1, 2)]));
    own.position[2] -= q(1, 4_000_000);
    let world = world(vec![floor(), own], Vec::new(), q(0, 1), q(0, 1));
    for (method, left) in [
        (SpaceMethod::StewartTrinkle, 0.0),
        (SpaceMethod::MoreauJean, -2.5e-7),
    ] {
        let settings = settings(q(1, 128), method, Cone::Pyramid(4));
        let (state, _) = run(&world, &settings, 2);
        let gap = state.bodies[1].position[2].to_f64() - 0.5;
        assert!((gap - left).abs() < 1e-11, "{method}: {gap}");
    }
}
