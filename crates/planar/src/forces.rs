//! Forces that do not come from contact, and their energies.

use crate::body::{Bodies, Body, Rate};
use crate::geometry::Vec2;
use crate::scene::{Course, Frame};

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
        damping: f64,
        compress_only: bool,
    },
    Push {
        at: Anchor,
        force: Vec2,
        frame: Frame,
        course: Option<Course>,
    },
    /// A spring of no length from a point of a body to a point of the world.
    Hand {
        at: Anchor,
        to: Vec2,
        stiffness: f64,
    },
}

/// All forces that do not come from contact.
#[derive(Debug, Default)]
pub(crate) struct Forces {
    /// Those of the scene, which are always on.
    pub laws: Vec<Law>,
    /// The spring of the hand that holds a body.
    pub hand: Option<Law>,
    /// The forces of the thrusters that are firing.
    pub thrusts: Vec<Law>,
}

impl Forces {
    pub fn of(laws: Vec<Law>) -> Self {
        Self {
            laws,
            ..Self::default()
        }
    }

    pub fn all(&self) -> impl Iterator<Item = &Law> {
        self.laws.iter().chain(&self.hand).chain(&self.thrusts)
    }

    /// The accelerations of the bodies by all of these forces at a time, s.
    pub fn rates(&self, bodies: Bodies<'_>, time: f64) -> Vec<Rate> {
        let mut rates = vec![(Vec2::zeros(), 0.0); bodies.len()];
        for law in self.all() {
            law.accelerate(bodies, time, &mut rates);
        }
        rates
    }

    /// The sum of [`Law::power`], W.
    pub fn power(&self, bodies: Bodies<'_>, time: f64) -> f64 {
        self.all().map(|law| law.power(bodies, time)).sum()
    }

    /// The sum of [`Law::damped`], W.
    pub fn damped(&self, bodies: Bodies<'_>) -> f64 {
        self.all().map(|law| law.damped(bodies)).sum()
    }

    /// The sum of [`Law::energy`], J.
    pub fn energy(&self, bodies: Bodies<'_>) -> f64 {
        self.all().map(|law| law.energy(bodies)).sum()
    }
}

/// Adds a force (N) at a point of the world to the accelerations (m/s^2, rad/s^2).
pub(crate) fn apply(rates: &mut [Rate], bodies: Bodies<'_>, body: usize, force: Vec2, at: Vec2) {
    let own = bodies.at(body);
    rates[body].0 += force * own.solid.inverse_mass;
    rates[body].1 += (at - own.motion.position).perp(&force) * own.solid.inverse_inertia;
}

/// The force of a push in world coordinates at a time, s.
fn pushed(body: Body<'_>, force: Vec2, frame: Frame, course: Option<Course>, time: f64) -> Vec2 {
    let force = force * course.map_or(1.0, |course| course.factor(time));
    match frame {
        Frame::World => force,
        Frame::Body => body.motion.pose.rotate(force),
    }
}

impl Law {
    /// Adds what the law does to the accelerations at a time, s.
    pub fn accelerate(&self, bodies: Bodies<'_>, time: f64, rates: &mut [Rate]) {
        match *self {
            Self::Gravity { g } => bodies.moving().for_each(|(i, _)| rates[i].0.y -= g),
            Self::InverseSquare { g } => {
                // Pairs of moving bodies only: no inverse mass is 0.
                for_pairs(bodies, |i, j, apart, distance| {
                    let (mi, mj) = (
                        1.0 / bodies.at(i).solid.inverse_mass,
                        1.0 / bodies.at(j).solid.inverse_mass,
                    );
                    let pull = apart * (g * mi * mj / distance.powi(3));
                    rates[i].0 -= pull * bodies.at(i).solid.inverse_mass;
                    rates[j].0 += pull * bodies.at(j).solid.inverse_mass;
                });
            }
            Self::Damping {
                damping,
                rotate_ratio,
            } => {
                for (i, body) in bodies.moving() {
                    rates[i].0 -= body.motion.velocity * (damping * body.solid.inverse_mass);
                    rates[i].1 -=
                        damping * rotate_ratio * body.motion.spin * body.solid.inverse_inertia;
                }
            }
            Self::Spring {
                one,
                other,
                stiffness,
                damping,
                ..
            } => {
                if let Some(Stretch { along, by, rate }) = self.stretch(bodies) {
                    let force = along * (stiffness * by + damping * rate);
                    apply(rates, bodies, one.body, force, one.place(bodies));
                    apply(rates, bodies, other.body, -force, other.place(bodies));
                }
            }
            Self::Push {
                at,
                force,
                frame,
                course,
            } => {
                let force = pushed(bodies.at(at.body), force, frame, course, time);
                apply(rates, bodies, at.body, force, at.place(bodies));
            }
            Self::Hand { at, to, stiffness } => {
                let place = at.place(bodies);
                apply(rates, bodies, at.body, (to - place) * stiffness, place);
            }
        }
    }

    /// How a spring that acts is stretched; none of other laws.
    fn stretch(&self, bodies: Bodies<'_>) -> Option<Stretch> {
        let Self::Spring {
            one,
            other,
            length,
            compress_only,
            ..
        } = *self
        else {
            return None;
        };
        let apart = other.place(bodies) - one.place(bodies);
        let distance = apart.norm();
        // Ends at one place have no direction to pull or push in.
        if distance == 0.0 || (compress_only && distance >= length) {
            return None;
        }
        let along = apart / distance;
        Some(Stretch {
            along,
            by: distance - length,
            rate: (other.velocity(bodies) - one.velocity(bodies)).dot(&along),
        })
    }

    pub fn is_push(&self) -> bool {
        matches!(self, Self::Push { .. })
    }

    /// The power of a push at the present velocities, W; 0 for all other laws, which have an energy or only take some.
    pub fn power(&self, bodies: Bodies<'_>, time: f64) -> f64 {
        let Self::Push {
            at,
            force,
            frame,
            course,
        } = *self
        else {
            return 0.0;
        };
        let body = bodies.at(at.body);
        let force = pushed(body, force, frame, course, time);
        let arm = at.place(bodies) - body.motion.position;
        body.motion.velocity.dot(&force) + body.motion.spin * arm.perp(&force)
    }

    /// The power that damping takes at the present velocities, W; 0 for laws without damping.
    pub fn damped(&self, bodies: Bodies<'_>) -> f64 {
        if let Self::Spring { damping, .. } = *self {
            let taken = |own: Stretch| damping * own.rate * own.rate;
            return self.stretch(bodies).map_or(0.0, taken);
        }
        let Self::Damping {
            damping,
            rotate_ratio,
        } = *self
        else {
            return 0.0;
        };
        let of = |(_, body): (usize, Body<'_>)| {
            // The torque does no work on a body that cannot turn.
            let turning = if body.solid.inverse_inertia > 0.0 {
                rotate_ratio * body.motion.spin * body.motion.spin
            } else {
                0.0
            };
            damping * (body.motion.velocity.norm_squared() + turning)
        };
        bodies.moving().map(of).sum()
    }

    /// The potential energy, J; none for damping and pushes.
    pub fn energy(&self, bodies: Bodies<'_>) -> f64 {
        match *self {
            Self::Gravity { g } => {
                let moving = bodies.moving();
                moving
                    .map(|(_, body)| g * body.motion.position.y / body.solid.inverse_mass)
                    .sum()
            }
            Self::InverseSquare { g } => {
                let mut energy = 0.0;
                for_pairs(bodies, |i, j, _, distance| {
                    energy -= g
                        / (bodies.at(i).solid.inverse_mass
                            * bodies.at(j).solid.inverse_mass
                            * distance);
                });
                energy
            }
            Self::Spring {
                one,
                other,
                length,
                stiffness,
                compress_only,
                ..
            } => {
                let stretch = (other.place(bodies) - one.place(bodies)).norm() - length;
                // One that only pushes has no energy where it is longer than at rest.
                let stretch = if compress_only {
                    stretch.min(0.0)
                } else {
                    stretch
                };
                stiffness * stretch * stretch / 2.0
            }
            Self::Hand { at, to, stiffness } => {
                stiffness * (to - at.place(bodies)).norm_squared() / 2.0
            }
            Self::Damping { .. } | Self::Push { .. } => 0.0,
        }
    }
}

/// How a spring is stretched.
struct Stretch {
    /// The unit vector from its first end to the other.
    along: Vec2,
    /// By how much it is longer than at rest, m.
    by: f64,
    /// The rate of its length, m/s.
    rate: f64,
}

impl Anchor {
    fn velocity(&self, bodies: Bodies<'_>) -> Vec2 {
        let motion = bodies.at(self.body).motion;
        let arm = self.place(bodies) - motion.position;
        motion.velocity + Vec2::new(-arm.y, arm.x) * motion.spin
    }

    fn place(&self, bodies: Bodies<'_>) -> Vec2 {
        bodies.at(self.body).motion.pose.to_world(self.at)
    }
}

/// Calls `with` for each two moving bodies at different places: i, j, the way from j to i, and its length.
fn for_pairs(bodies: Bodies<'_>, mut with: impl FnMut(usize, usize, Vec2, f64)) {
    for (i, one) in bodies.moving() {
        for (j, other) in bodies.moving().filter(|(j, _)| *j > i) {
            let apart = one.motion.position - other.motion.position;
            let distance = apart.norm();
            if distance > 0.0 {
                with(i, j, apart, distance);
            }
        }
    }
}
