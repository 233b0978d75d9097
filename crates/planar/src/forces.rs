//! Forces that do not come from contact, and their energies.

use crate::body::{Body, Rate};
use crate::geometry::Vec2;
use crate::scene::Frame;

/// A point of a body, by index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Anchor {
    pub body: usize,
    pub at: Vec2,
}

/// A force law between bodies given by index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Law {
    Gravity {
        g: f64,
    },
    InverseSquare {
        g: f64,
    },
    Damping {
        damping: f64,
        rotate_ratio: f64,
    },
    Spring {
        one: Anchor,
        other: Anchor,
        length: f64,
        stiffness: f64,
    },
    Push {
        at: Anchor,
        force: Vec2,
        frame: Frame,
    },
    /// A spring of no length from a point of a body to a point of the world.
    Hand {
        at: Anchor,
        to: Vec2,
        stiffness: f64,
    },
}

/// Adds a force (N) at a point of the world to the accelerations (m/s^2, rad/s^2).
pub(crate) fn apply(rates: &mut [Rate], bodies: &[Body], body: usize, force: Vec2, at: Vec2) {
    let own = &bodies[body];
    rates[body].0 += force * own.inverse_mass;
    rates[body].1 += (at - own.position).perp(&force) * own.inverse_inertia;
}

/// The force of a push in the world.
fn turned(body: &Body, force: Vec2, frame: Frame) -> Vec2 {
    match frame {
        Frame::World => force,
        Frame::Body => body.pose.rotate(force),
    }
}

impl Law {
    /// Adds what the law does to the accelerations.
    pub fn accelerate(&self, bodies: &[Body], rates: &mut [Rate]) {
        let moving = || {
            bodies
                .iter()
                .enumerate()
                .filter(|(_, body)| !body.is_fixed())
        };
        match *self {
            Self::Gravity { g } => moving().for_each(|(i, _)| rates[i].0.y -= g),
            Self::InverseSquare { g } => {
                for_pairs(bodies, |i, j, apart, distance| {
                    let (mi, mj) = (1.0 / bodies[i].inverse_mass, 1.0 / bodies[j].inverse_mass);
                    let pull = apart * (g * mi * mj / distance.powi(3));
                    rates[i].0 -= pull * bodies[i].inverse_mass;
                    rates[j].0 += pull * bodies[j].inverse_mass;
                });
            }
            Self::Damping {
                damping,
                rotate_ratio,
            } => {
                for (i, body) in moving() {
                    rates[i].0 -= body.velocity * (damping * body.inverse_mass);
                    rates[i].1 -= damping * rotate_ratio * body.spin * body.inverse_inertia;
                }
            }
            Self::Spring {
                one,
                other,
                length,
                stiffness,
            } => {
                let (a, b) = (one.place(bodies), other.place(bodies));
                let apart = b - a;
                let distance = apart.norm();
                if distance > 0.0 {
                    let force = apart * (stiffness * (distance - length) / distance);
                    apply(rates, bodies, one.body, force, a);
                    apply(rates, bodies, other.body, -force, b);
                }
            }
            Self::Push { at, force, frame } => {
                let force = turned(&bodies[at.body], force, frame);
                apply(rates, bodies, at.body, force, at.place(bodies));
            }
            Self::Hand { at, to, stiffness } => {
                let place = at.place(bodies);
                apply(rates, bodies, at.body, (to - place) * stiffness, place);
            }
        }
    }

    /// What pushes do to the bodies now, W. All other laws have an energy, or only take some.
    pub fn power(&self, bodies: &[Body]) -> f64 {
        let Self::Push { at, force, frame } = *self else {
            return 0.0;
        };
        let body = &bodies[at.body];
        let force = turned(body, force, frame);
        let arm = at.place(bodies) - body.position;
        body.velocity.dot(&force) + body.spin * arm.perp(&force)
    }

    /// The potential energy, J; none for damping and pushes.
    pub fn energy(&self, bodies: &[Body]) -> f64 {
        match *self {
            Self::Gravity { g } => {
                let moving = bodies.iter().filter(|body| !body.is_fixed());
                moving
                    .map(|body| g * body.position.y / body.inverse_mass)
                    .sum()
            }
            Self::InverseSquare { g } => {
                let mut energy = 0.0;
                for_pairs(bodies, |i, j, _, distance| {
                    energy -= g / (bodies[i].inverse_mass * bodies[j].inverse_mass * distance);
                });
                energy
            }
            Self::Spring {
                one,
                other,
                length,
                stiffness,
            } => {
                let stretch = (other.place(bodies) - one.place(bodies)).norm() - length;
                stiffness * stretch * stretch / 2.0
            }
            Self::Hand { at, to, stiffness } => {
                stiffness * (to - at.place(bodies)).norm_squared() / 2.0
            }
            Self::Damping { .. } | Self::Push { .. } => 0.0,
        }
    }
}

impl Anchor {
    fn place(&self, bodies: &[Body]) -> Vec2 {
        bodies[self.body].pose.to_world(self.at)
    }
}

/// Calls with each two moving bodies at different places.
fn for_pairs(bodies: &[Body], mut with: impl FnMut(usize, usize, Vec2, f64)) {
    for (i, one) in bodies
        .iter()
        .enumerate()
        .filter(|(_, body)| !body.is_fixed())
    {
        for (j, other) in bodies
            .iter()
            .enumerate()
            .skip(i + 1)
            .filter(|(_, body)| !body.is_fixed())
        {
            let apart = one.position - other.position;
            let distance = apart.norm();
            if distance > 0.0 {
                with(i, j, apart, distance);
            }
        }
    }
}
