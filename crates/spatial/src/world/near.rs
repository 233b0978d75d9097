//! Which bodies may meet within a step, in binary64. A margin too wide costs rows, not truth.

use etalon_rigid::Vector3;
use rug::Rational;

use super::SpaceWorld;
use crate::grid::to_f64s;
use crate::shape::Shape;
use crate::state::SpaceState;

/// Where bodies are and how far their points can go.
pub(super) struct Nearness {
    places: Vec<[f64; 3]>,
    /// None of half-spaces, and of bodies without shape.
    radii: Vec<Option<f64>>,
    /// How fast a point may be, m/s.
    speeds: Vec<f64>,
    /// How far it goes in a step, m.
    ways: Vec<f64>,
}

impl Nearness {
    pub(super) fn of(world: &SpaceWorld, state: &SpaceState, h: f64) -> Self {
        let falling = length(&world.gravity) * h;
        let radius = |body: &super::Body| body.shape.as_ref().and_then(Shape::radius);
        let radii: Vec<Option<f64>> = world.bodies.iter().map(radius).collect();
        let speed = |(i, own): (usize, &crate::state::Motion)| {
            if world.bodies[i].fixed {
                return 0.0;
            }
            // A piece goes as fast as its body at the point of it that is furthest from the centre.
            let carrier = world.carrier(i);
            let body = &state.bodies[carrier];
            let arm = length(&(&own.position - &body.position));
            let reach = arm + radii[i].unwrap_or(0.0);
            if world.is_first_order() {
                return pushed(world, (carrier, body), reach);
            }
            let turning = length(&world.angular_velocity(carrier, body));
            length(&body.velocity) + turning * reach + falling
        };
        let own = || state.bodies.iter();
        let speeds: Vec<f64> = own().enumerate().map(speed).collect();
        Self {
            places: own().map(|own| to_f64s(&own.position)).collect(),
            ways: speeds.iter().map(|speed| h * speed).collect(),
            speeds,
            radii,
        }
    }

    /// Whether a body is where binary64 can tell.
    pub(super) fn is_in_range(&self, body: usize) -> bool {
        self.places[body].iter().all(|x| x.is_finite())
    }

    /// How fast a body is whose way in a step is beyond binary64, m/s.
    pub(super) fn too_fast(&self, body: usize) -> Option<f64> {
        (!self.ways[body].is_finite()).then_some(self.speeds[body])
    }

    /// How near two bodies must be to meet: twice the way that their points can go towards each other, and a
    /// thousandth of the smaller one, so that what touches is found in spite of rounding. None where they are
    /// further apart than that.
    pub(super) fn margin(&self, (i, j): (usize, usize)) -> Option<f64> {
        let radii = [self.radii[i], self.radii[j]];
        let smaller = radii.into_iter().flatten().reduce(f64::min);
        let within = 2.0 * (self.ways[i] + self.ways[j]) + smaller.unwrap_or(0.0) / 1000.0;
        if let [Some(a), Some(b)] = radii {
            let (p, r) = (&self.places[i], &self.places[j]);
            let apart = (0..3).map(|k| (p[k] - r[k]).powi(2)).sum::<f64>().sqrt();
            // Spheres about the bodies; a part in 2^40 is for the rounding of these lengths.
            if apart * (1.0 - 1e-12) > a + b + within {
                return None;
            }
        }
        Some(within)
    }
}

/// How fast forces alone drive a point of a body whose velocity follows from them.
fn pushed(world: &SpaceWorld, (i, own): (usize, &crate::state::Motion), reach: f64) -> f64 {
    let h = world.first_order.clone().unwrap_or_default();
    let body = &world.bodies[i];
    let speed = world.force(i).times(&(Rational::from(&h / &body.mass)));
    let turned = crate::state::Motion {
        momentum: body.torque.times(&h),
        ..own.clone()
    };
    length(&speed) + length(&world.angular_velocity(i, &turned)) * reach
}

fn length(vector: &Vector3<Rational>) -> f64 {
    crate::binary::length(&to_f64s(vector))
}
