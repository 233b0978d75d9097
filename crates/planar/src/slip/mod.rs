//! Sliding: how fast two bodies move along each other at a contact, and how that changes.
//!
//! The tangent t is the normal turned to the left by a right angle. The gap depends on the centre of a curve only. Sliding
//! depends on the material points that touch, and those change where the contact moves over a body.

use crate::body::{Bodies, Rate};
use crate::contact::{Arm, Contact};
use crate::geometry::{Vec2, turn};

/// t, a unit vector.
pub(crate) fn tangent(contact: &Contact) -> Vec2 {
    turn(1.0, contact.normal)
}

/// The levers of both bodies to the point where they touch. Friction acts on both at this one point, so that together the
/// two forces have no torque.
pub(crate) fn arms(contact: &Contact, bodies: Bodies<'_>) -> [Arm; 2] {
    let arm = |body: usize, sign: f64| Arm {
        body,
        sign,
        lever: contact.point - bodies.at(body).motion.position,
    };
    [arm(contact.first, 1.0), arm(contact.second, -1.0)]
}

/// The velocity of the first body's material against the second's where they touch.
fn relative_velocity(contact: &Contact, bodies: Bodies<'_>) -> Vec2 {
    arms(contact, bodies)
        .iter()
        .map(|arm| bodies.at(arm.body).velocity_at(arm.lever) * arm.sign)
        .sum()
}

/// v_t, m/s: positive where the first body moves along t.
pub(crate) fn velocity(contact: &Contact, bodies: Bodies<'_>) -> f64 {
    tangent(contact).dot(&relative_velocity(contact, bodies))
}

/// dv_t/dt, m/s^2, for accelerations (m/s^2, rad/s^2) of the bodies that include every other force.
///
/// Let p be the point where they touch. Then v_t = t.(v_1(p) - v_2(p)) and v_i(p) = V_i + w_i x (p - x_i). The
/// derivative has three parts: the accelerations of the bodies, the motion of p with the vertex or curve that touches,
/// and the turning of t.
pub(crate) fn acceleration(contact: &Contact, bodies: Bodies<'_>, free: &[Rate]) -> f64 {
    let turning = normal_rate(contact, bodies);
    let lever = contact.first_lever(bodies);
    let first = bodies.at(contact.first);
    let radius = contact
        .normal
        .dot(&(first.motion.position + lever - contact.point));
    let moving = first.velocity_at(lever) - turning * radius;
    let of = |arm: &Arm| {
        let (linear, angular) = free[arm.body];
        let body = bodies.at(arm.body);
        let over = turn(body.motion.spin, moving - body.motion.velocity);
        (linear + turn(angular, arm.lever) + over) * arm.sign
    };
    let material: Vec2 = arms(contact, bodies).iter().map(of).sum();
    // The derivative of t, which turns as n does.
    let turned = turn(1.0, turning).dot(&relative_velocity(contact, bodies));
    tangent(contact).dot(&material) + turned
}

/// dn/dt: the normal turns with the second body's edge, or points along the line of two centres.
fn normal_rate(contact: &Contact, bodies: Bodies<'_>) -> Vec2 {
    let Some(radius) = contact.round_normal else {
        return turn(bodies.at(contact.second).motion.spin, contact.normal);
    };
    let velocity = contact.relative_velocity(bodies);
    let across = velocity - contact.normal * contact.normal.dot(&velocity);
    across / (radius + contact.round.unwrap_or(0.0))
}

#[cfg(test)]
mod tests;
