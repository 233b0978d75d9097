//! Contacts and collisions: where bodies touch, and how they move there.

mod connection;
mod detect;
mod edges;
mod list;
mod overlap;
mod passes;
mod place;
mod subset;

pub(crate) use connection::{Connection, ConnectionLaw};
pub(crate) use detect::find;
pub(crate) use overlap::{depth, overlap, overstretched};
pub(crate) use passes::Passes;
pub(crate) use place::Locator;
pub(crate) use subset::{by_joints, groups};

use crate::body::{Bodies, Rate};
use crate::geometry::{Vec2, turn};
use crate::tolerances::{SAME_VELOCITY, Tolerances};

/// Which parts of the two bodies touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feature {
    /// A vertex of the first body and an edge of the second.
    Corner { vertex: usize, edge: usize },
    /// A vertex of each.
    Corners { vertex: usize, other: usize },
    /// An edge of each, not both straight.
    Edges { edge: usize, other: usize },
    /// A joint, rope, rod or track.
    Connector { index: usize },
}

/// A place where two bodies touch or collide, or where a connector holds them. The second body sets the normal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contact {
    /// The first body, whose corner or curve it is.
    pub first: usize,
    /// The second body, whose edge gives the normal.
    pub second: usize,
    pub feature: Feature,
    /// Whether the gap is to stay 0, as at joints and rods: forces may pull.
    pub joint: bool,
    /// Whether the normal is fixed in the world: it neither turns with the second body nor follows a curve.
    pub normal_stays: bool,
    /// The radius of the first body's curve, with the gap, where it touches with a curve, m.
    pub round: Option<f64>,
    /// The radius of the second body's curve, with the gap, where it touches with a curve, m.
    pub round_normal: Option<f64>,
    /// The curvature of the second body's track that holds the point, 1/m, positive where its centre lies behind the
    /// normal; 0 where the normal only turns.
    pub bend: f64,
    /// The smaller radius of curvature of the first body's edges here.
    pub curvature: f64,
    /// The point of contact in the world; at a connector that of the first body.
    pub point: Vec2,
    /// The point of the second body, where it is another one.
    pub other_point: Option<Vec2>,
    /// Unit vector out of the second body.
    pub normal: Vec2,
    /// Gap along the normal, negative in penetration, m.
    pub distance: f64,
    /// Velocity of the gap, negative in approach, m/s.
    pub velocity: f64,
    pub elasticity: f64,
    /// mu, 0 for a connector.
    pub friction: f64,
    pub tolerances: Tolerances,
    /// The time of the state in which it was found, s.
    pub detected: f64,
    detected_velocity: f64,
    /// The time at which the gap will be half the distance tolerance, s.
    pub estimate: Option<f64>,
    /// Whether it made the world go back in time.
    pub must_handle: bool,
}

/// One of the two bodies of a contact with its lever: the way from its centre of mass to the point, or to the centre of the
/// circle, that the gap depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Arm {
    pub body: usize,
    /// +1 for the first body, -1 for the second.
    pub sign: f64,
    pub lever: Vec2,
}

impl Contact {
    /// The gap that bodies are brought to before a collision is handled, m.
    fn target(&self) -> f64 {
        if self.joint {
            0.0
        } else {
            self.tolerances.distance / 2.0
        }
    }

    fn accuracy(&self) -> f64 {
        self.tolerances.accuracy * self.tolerances.distance / 2.0
    }

    /// How far the gap is from half the distance tolerance, m.
    pub fn beyond_target(&self) -> f64 {
        self.distance - self.target()
    }

    /// The part of [`Contact::beyond_target`] that a step of h seconds takes out, m. A gap that is too small opens slowly,
    /// since no force would stop the bodies at the half gap. A joint that has come apart closes slowly, too.
    pub fn excess(&self, h: f64) -> f64 {
        let most = self.tolerances.opening() * h;
        let excess = self.beyond_target().max(-most);
        if self.joint { excess.min(most) } else { excess }
    }

    /// Whether the bodies rest on each other here, so that a contact force acts.
    pub fn rests(&self) -> bool {
        self.rests_at(self.velocity)
    }

    fn rests_at(&self, velocity: f64) -> bool {
        let slow = velocity.abs() < self.tolerances.velocity;
        // Forces act on slow contacts only. A fast one is a collision, which takes an impulse.
        self.joint || slow && !self.penetrates() && self.distance < self.tolerances.distance
    }

    /// Whether the bodies rest on each other here, now or in the mean over the last h seconds. `own` is the acceleration of
    /// the gap, which one impulse for each h seconds makes up for: between two impulses the velocity swings about 0.
    pub fn rests_over(&self, h: f64, own: f64) -> bool {
        self.rests() || self.rests_at(self.velocity - self.swing(h, own))
    }

    /// How far the velocity of the gap swings to either side, m/s. Downwards it is bounded by the velocity tolerance: where
    /// bodies turn so fast that it would be more, the acceleration now says nothing about the end of the step.
    pub fn swing(&self, h: f64, own: f64) -> f64 {
        let swing = own * h / 2.0;
        if self.joint {
            swing
        } else {
            swing.max(-self.tolerances.velocity)
        }
    }

    /// Whether the bodies are near enough for an impulse.
    pub fn touches(&self) -> bool {
        self.joint || self.distance < self.tolerances.distance
    }

    /// Whether the bodies overlap.
    pub fn penetrates(&self) -> bool {
        !self.joint && self.distance < -self.tolerances.rounding()
    }

    /// Whether the world must not go on: the bodies overlap, or are too near and approach fast.
    pub fn collides(&self) -> bool {
        let fast = self.velocity < -self.tolerances.velocity;
        let close = self.distance < self.target() - self.accuracy();
        !self.joint && (self.penetrates() || fast && close)
    }

    /// Whether the gap is near enough to half the distance tolerance for impulses. Where the world cannot go back any
    /// further, a smaller gap has to do.
    pub fn close_enough(&self, cannot_go_back: bool) -> bool {
        let low = if cannot_go_back {
            // Bodies may touch from the start.
            -self.tolerances.rounding()
        } else {
            self.target() - self.accuracy()
        };
        self.rests() || (low..self.target() + self.accuracy()).contains(&self.distance)
    }

    /// Whether the gap closes, and the bodies do not just rest on each other.
    pub fn is_imminent(&self) -> bool {
        (self.must_handle || !self.rests()) && self.velocity < 0.0
    }

    /// The levers of the bodies that can move.
    pub fn arms(&self, bodies: Bodies<'_>) -> impl Iterator<Item = Arm> {
        let first = Arm {
            body: self.first,
            sign: 1.0,
            lever: self.first_lever(bodies),
        };
        let second = Arm {
            body: self.second,
            sign: -1.0,
            lever: self.second_lever(bodies),
        };
        let fixed = [
            bodies.at(self.first).is_fixed(),
            bodies.at(self.second).is_fixed(),
        ];
        let arms = [first, second].into_iter().zip(fixed);
        arms.filter(|(_, fixed)| !fixed).map(|(arm, _)| arm)
    }

    /// From the first body's centre of mass to the point, or to the centre of its curve.
    pub fn first_lever(&self, bodies: Bodies<'_>) -> Vec2 {
        let body = bodies.at(self.first);
        let center = match self.feature {
            Feature::Edges { edge, .. } => body.solid.shape.edges[edge].arc().map(|arc| arc.center),
            _ => None,
        };
        let at = center.map_or(self.point, |center| body.motion.pose.to_world(center));
        at - body.motion.position
    }

    /// From the second body's centre of mass to the point, or to the centre of its curve.
    pub fn second_lever(&self, bodies: Bodies<'_>) -> Vec2 {
        let body = bodies.at(self.second);
        let center = match self.feature {
            Feature::Edges { other: edge, .. } | Feature::Corner { edge, .. } => {
                body.solid.shape.edges[edge].arc().map(|arc| arc.center)
            }
            _ => None,
        };
        let at = center.map_or(self.second_point(), |center| {
            body.motion.pose.to_world(center)
        });
        at - body.motion.position
    }

    /// Where the second body is touched.
    pub fn second_point(&self) -> Vec2 {
        self.other_point.unwrap_or(self.point)
    }

    /// The velocity of the first body's point (or centre of its curve) against the second's.
    pub fn relative_velocity(&self, bodies: Bodies<'_>) -> Vec2 {
        self.arms(bodies)
            .map(|arm| bodies.at(arm.body).velocity_at(arm.lever) * arm.sign)
            .sum()
    }

    /// The acceleration of that point against the other without contact forces: for each body dV/dt + dw/dt x r - w^2
    /// r, from the accelerations `free` of the bodies.
    pub fn relative_acceleration(&self, bodies: Bodies<'_>, free: &[Rate]) -> Vec2 {
        let of = |arm: Arm| {
            let (linear, angular) = free[arm.body];
            let spin = bodies.at(arm.body).motion.spin;
            (linear + turn(angular, arm.lever) - arm.lever * (spin * spin)) * arm.sign
        };
        self.arms(bodies).map(of).sum()
    }

    pub fn refresh_velocity(&mut self, bodies: Bodies<'_>) {
        self.velocity = self.normal.dot(&self.relative_velocity(bodies));
    }

    /// Notes when the contact was found, and estimates from the velocity alone when the bodies meet.
    pub fn detect(&mut self, bodies: Bodies<'_>, time: f64) {
        self.refresh_velocity(bodies);
        self.detected = time;
        self.detected_velocity = self.velocity;
        self.estimate = None;
        if !self.joint && self.velocity < -self.tolerances.approaches() {
            self.estimate = Some(time + (self.target() - self.distance) / self.velocity);
        }
    }

    /// Takes over positions and velocities after the world went back to `time`.
    pub fn update(&mut self, bodies: Bodies<'_>, locator: &Locator<'_>, time: f64) {
        if !locator.update(self, bodies) {
            return;
        }
        self.refresh_velocity(bodies);
        if self.is_imminent() {
            // The estimate of `detect` takes the velocity to be constant. It stays where two velocities
            // give no better one.
            self.estimate = self.better_estimate(time).or(self.estimate);
        } else {
            self.estimate = None;
        }
    }

    /// When the gap is half the distance tolerance, s, under the constant acceleration that explains both velocities:
    /// now, and when it was found.
    fn better_estimate(&self, time: f64) -> Option<f64> {
        let ahead = self.detected - time;
        if ahead <= self.tolerances.no_lapse() {
            return None;
        }
        let (v, excess) = (self.velocity, self.beyond_target());
        let change = self.detected_velocity - v;
        if change.abs() <= SAME_VELOCITY * v.abs().max(self.detected_velocity.abs()) {
            return None;
        }
        let a = change / ahead;
        // excess + v t + a t^2/2 = 0.
        // Where the gap never gets there the root is NaN, which no comparison below lets pass.
        let root = (v * v - 2.0 * a * excess).sqrt();
        // The gap closes, v < 0, so that nothing cancels in this sum; in -v - root all digits would where the velocity
        // changes little. The product of both times is 2 excess / a.
        let sum = -v + root;
        let times = [sum / a, 2.0 * excess / sum];
        let within = times
            .into_iter()
            .map(|t| time + t)
            .filter(|t| *t > time && *t < self.detected);
        // Under constant acceleration the gap can pass the target twice. The bodies meet the first time.
        within.min_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use crate::geometry::Path;
    use crate::{BodySpec, WorldSpec};

    #[test]
    fn an_estimate_loses_no_digits_where_the_velocity_changes_little() {
        let scene = WorldSpec {
            bodies: vec![
                BodySpec::moving("disc", Path::ball(1.0), 1.0, 0.5),
                BodySpec::fixed("floor", Path::rectangle(4.0, 1.0)).at(0.0, -1.5, 0.0),
            ],
            ..WorldSpec::default()
        };
        let (model, state, _) = crate::model::Model::of(scene).unwrap();
        let mut contacts = Vec::new();
        model.find(&state, &mut contacts, state.time);
        let contact = &mut contacts[0];
        // 1 mm to go at 1 m/s; 2 ms ahead the velocity is the same but for 45 units in its last place, 5e-12 m/s^2.
        contact.distance = contact.target() + 1e-3;
        (contact.velocity, contact.detected_velocity) = (-1.0, -1.0 - 45.0 * f64::EPSILON);
        contact.detected = 2e-3;
        let estimate = contact.better_estimate(0.0).unwrap();
        assert!((estimate - 1e-3).abs() < 1e-14, "{estimate}");
        // At -2 m/s ahead, a = -500 m/s^2: 0.001 - t - 250 t^2 = 0.
        contact.detected_velocity = -2.0;
        let estimate = contact.better_estimate(0.0).unwrap();
        assert!(
            (estimate - (2_f64.sqrt() - 1.0) / 500.0).abs() < 1e-15,
            "{estimate}"
        );
        // At 0 m/s ahead, a = 500 m/s^2, the gap stays above 0.
        contact.detected_velocity = 0.0;
        let estimate = contact.better_estimate(0.0);
        assert_eq!(estimate, None);
        // With half the way to go it passes the target twice, at (2 -+ sqrt(2)) ms. The first time counts.
        contact.distance = contact.target() + 0.5e-3;
        let estimate = contact.better_estimate(0.0).unwrap();
        assert!(
            (estimate - (2.0 - 2_f64.sqrt()) * 1e-3).abs() < 1e-15,
            "{estimate}"
        );
    }
}
