//! Bodies at rest, and what they weigh.

use etalon_rigid::Vector;
use etalon_spatial::{Cone, Shape, SpaceMethod};
use rug::Rational;

use crate::common::{ball, body, flat, floor, q, run, settings, ways, world};

/// Each interface of a stack carries the weight above it, whatever corners share it.
#[test]
fn every_interface_of_a_stack_carries_the_weight_above_it() {
    let mut upper = flat("upper");
    upper.position = Vector::ratios([(0, 1), (0, 1), (3, 20)]);
    let bodies = vec![floor(), flat("lower"), upper];
    let world = world(bodies, Vec::new(), q(1, 2), q(0, 1));
    for settings in ways(&q(1, 64)) {
        let (state, steps) = run(&world, &settings, 2);
        for step in &steps {
            for (first, weight) in [(1, 20), (2, 10)] {
                let own = step.contacts().iter().zip(&step.impulses);
                let own = own.filter(|(contact, _)| contact.first == first);
                let sum = own.fold(Rational::new(), |sum, (_, impulse)| sum + &impulse.normal);
                let off = (sum * 64u32).to_f64() - f64::from(weight);
                // A gap that is off by a step of its grid, 2^-40 m, is closed by m gap/h^2.
                assert!(off.abs() < 2e-8, "{settings:?}: {off}");
            }
        }
        let fallen = (q(3, 20) - &state.bodies[2].position[2]).to_f64();
        assert!(fallen.abs() < 1e-9, "{settings:?}: {fallen}");
    }
}

#[test]
fn every_shape_rests_on_the_floor_with_its_weight() {
    let quarter = || q(1, 4);
    let corners = (0..8).map(|k| {
        Vector::new([0, 1, 2].map(|bit| if k >> bit & 1 == 0 { q(-1, 4) } else { q(1, 4) }))
    });
    let (radius, half_length) = (quarter(), quarter());
    let vertices = corners.collect();
    let shapes = [
        (Shape::Sphere { radius: quarter() }, 1),
        (Shape::Polyhedron { vertices }, 1),
        (
            Shape::Cylinder {
                radius: quarter(),
                half_length: quarter(),
            },
            1,
        ),
        (
            Shape::Capsule {
                radius,
                half_length,
            },
            2,
        ),
        (
            Shape::Box {
                half_sizes: [quarter(), quarter(), quarter()],
            },
            1,
        ),
    ];
    for (shape, quarters) in shapes {
        let mut own = body("own", q(2, 1), shape.clone());
        own.position = Vector::ratios([(0, 1), (0, 1), (quarters, 4)]);
        let world = world(vec![floor(), own], Vec::new(), q(1, 2), q(0, 1));
        let settings = settings(q(1, 64), SpaceMethod::StewartTrinkle, Cone::Pyramid(4));
        let (_, steps) = run(&world, &settings, 1);
        let normals = steps[0].impulses.iter().map(|own| own.normal.to_f64());
        let weight = normals.sum::<f64>() * 64.0;
        assert!((weight - 20.0).abs() < 1e-6, "{shape:?}: {weight}");
    }
}

/// Without friction each of three balls carries a third of the weight of a ball on top, along a normal whose upward
/// part is sqrt(2/3).
#[test]
fn a_ball_on_three_is_carried_by_thirds() {
    let at = |values: [f64; 3]| Vector::new(values.map(|value| Rational::from_f64(value).unwrap()));
    let third = 3f64.sqrt() / 3.0;
    let up = (2f64 / 3.0).sqrt();
    let places = [[third, 0.0], [-third / 2.0, 0.5], [-third / 2.0, -0.5]];
    let mut bodies = Vec::new();
    for (k, [x, y]) in places.into_iter().enumerate() {
        let mut own = ball(&format!("ball {k}"), at([x, y, 0.5]));
        own.fixed = true;
        bodies.push(own);
    }
    bodies.push(ball("top", at([0.0, 0.0, 0.5 + up])));
    let world = world(bodies, Vec::new(), q(0, 1), q(0, 1));
    let settings = settings(q(1, 64), SpaceMethod::StewartTrinkle, Cone::Pyramid(4));
    let (_, steps) = run(&world, &settings, 1);
    assert_eq!(steps[0].impulses.len(), 3);
    for impulse in &steps[0].impulses {
        let share = impulse.normal.to_f64() * 64.0;
        assert!((share - 10.0 / 3.0 / up).abs() < 1e-6, "{share}");
    }
}
