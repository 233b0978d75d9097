//! The rows of contact problems: A and b of a = A f + b.
//!
//! Contact i is between a point p1 of body 1 and a point p2 of body 2, whose edge has the unit normal n
//! out of body 2. The gap is d = n.(p1 - p2). The force +f n acts on body 1 and -f n on body 2, and
//!
//! > d_i'' = sum_j a_ij f_j + b_i.
//!
//! The numbers are those of the formulas on myPhysicsLab's page on contact, with their signs set right
//! (`docs/contact-forces.md`):
//!
//! - (9) is a_ij: the sum over the bodies in both contacts of what a unit force at j does to the gap at i.
//! - (10) is the part of b_i that comes from the turning of the normal.
//! - (11) is the rest of b_i: n.(p1 - p2)'', from the accelerations of the bodies.

use crate::body::{Bodies, Body, Rate};
use crate::contact::{Arm, Contact};
use crate::geometry::{Vec2, turn};
use crate::settings::{CurveTerm, ExtraAcceleration};
use crate::slip;
use crate::tolerances::RIGHT_ANGLE;

/// Equation (9): what a unit force along `nj` at one lever does to the acceleration along `ni` at
/// another one of the same body, n_i.(n_j/m + (r_j x n_j) x r_i/I).
fn influence(body: Body<'_>, ni: Vec2, ri: Vec2, nj: Vec2, rj: Vec2) -> f64 {
    ni.dot(&nj) * body.solid.inverse_mass + ri.perp(&ni) * rj.perp(&nj) * body.solid.inverse_inertia
}

/// A row of J: a direction, and where it acts on the bodies that can move.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub direction: Vec2,
    pub arms: Vec<Arm>,
}

impl Row {
    /// Along the normal of a contact.
    pub fn normal(contact: &Contact, bodies: Bodies<'_>) -> Self {
        Self {
            direction: contact.normal,
            arms: contact.arms(bodies).collect(),
        }
    }

    /// Along its tangent.
    pub fn tangent(contact: &Contact, bodies: Bodies<'_>) -> Self {
        let moving = |arm: &Arm| !bodies.at(arm.body).is_fixed();
        Self {
            direction: slip::tangent(contact),
            arms: slip::arms(contact, bodies)
                .into_iter()
                .filter(moving)
                .collect(),
        }
    }

    /// The row times rates of the bodies: of velocities in m/s, of accelerations in m/s^2.
    pub fn rate(&self, rates: &[Rate]) -> f64 {
        let of = |arm: &Arm| {
            let (linear, angular) = rates[arm.body];
            self.direction.dot(&(linear + turn(angular, arm.lever))) * arm.sign
        };
        self.arms.iter().map(of).sum()
    }
}

/// The matrix A = J M^-1 J', row by row; the same for forces and impulses.
pub(crate) fn matrix(rows: &[Row], bodies: Bodies<'_>) -> Vec<f64> {
    let n = rows.len();
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let mut sum = 0.0;
            for of_i in &rows[i].arms {
                for of_j in rows[j].arms.iter().filter(|of_j| of_j.body == of_i.body) {
                    let body = bodies.at(of_i.body);
                    let (ni, nj) = (rows[i].direction, rows[j].direction);
                    let own = influence(body, ni, of_i.lever, nj, of_j.lever);
                    sum += of_i.sign * of_j.sign * own;
                }
            }
            // One sum for both places: the solver takes A for symmetric only where it is so to the
            // last bit.
            a[i * n + j] = sum;
            a[j * n + i] = sum;
        }
    }
    for i in 0..n {
        for j in 0..i {
            let beside = (a[i * n + i] * a[j * n + j]).sqrt();
            if a[i * n + j].abs() < RIGHT_ANGLE * beside {
                a[i * n + j] = 0.0;
                a[j * n + i] = 0.0;
            }
        }
    }
    a
}

/// b_i: the acceleration of the gap without contact forces, by (10) and (11), for accelerations
/// (m/s^2, rad/s^2) of the bodies that include every other force.
pub(crate) fn gap_acceleration(
    contact: &Contact,
    bodies: Bodies<'_>,
    free: &[Rate],
    term: CurveTerm,
) -> f64 {
    let own = contact
        .normal
        .dot(&contact.relative_acceleration(bodies, free));
    own + turning_normal(contact, bodies, term)
}

/// The part of b_i that comes from the motion of the normal: (10), and its like at curves.
fn turning_normal(contact: &Contact, bodies: Bodies<'_>, term: CurveTerm) -> f64 {
    if contact.normal_stays {
        return 0.0;
    }
    let velocity = contact.relative_velocity(bodies);
    let along = contact.normal.dot(&velocity);
    let across = velocity.norm_squared() - along * along;
    if let Some(radius) = contact.round_normal {
        // The gap is a distance of points less a constant: |p|'' has the term |p'_t|^2/|p|, and
        // the second of two radii belongs to the first body's curve.
        // Two circles that touch keep their centres at the sum of their radii, a hollow's being negative.
        let radius = radius + contact.round.unwrap_or(0.0);
        return match term {
            CurveTerm::Exact => across / radius,
            CurveTerm::WholeVelocity => velocity.norm_squared() / radius,
        };
    }
    let spin = bodies.at(contact.second).motion.spin;
    let turning = turn(spin, contact.normal);
    // The lever ends in the centre of the first body's curve. The radius from there to the edge turns with the edge.
    let lever = contact.round.map_or(0.0, |radius| radius * spin * spin);
    // Seen from the second body, the normal of a track turns as the point moves along it. A point off the track moves on a
    // curve beside it, whose radius is larger by the gap; the engine of myPhysicsLab takes that of the track.
    let bend = match term {
        CurveTerm::Exact => contact.bend / (1.0 + contact.bend * contact.distance),
        CurveTerm::WholeVelocity => contact.bend,
    };
    2.0 * turning.dot(&velocity) - lever + bend * across
}

impl Contact {
    /// What is added to b so that velocity and distance vanish in about a step of h seconds: the acceleration that does it,
    /// with its sign turned.
    pub(crate) fn extra_acceleration(&self, kind: ExtraAcceleration, h: f64) -> f64 {
        use ExtraAcceleration::{
            None, Velocity, VelocityAndDistance, VelocityAndDistanceJoints, VelocityJoints,
        };
        match kind {
            None => 0.0,
            Velocity | VelocityAndDistance if self.joint => 0.0,
            Velocity | VelocityJoints => self.velocity / h,
            VelocityAndDistance | VelocityAndDistanceJoints => {
                // Critically damped, d'' + 2 d'/h + d/h^2 = 0: the fastest way to 0 that does not
                // swing past it.
                (2.0 * self.velocity * h + self.excess(h)) / (h * h)
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
