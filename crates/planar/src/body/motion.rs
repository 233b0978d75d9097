//! What a step changes of a body.

use crate::geometry::{Pose, Vec2};

use super::Solid;

/// A velocity or acceleration of a body: linear (m/s, m/s^2) and angular (rad/s, rad/s^2).
pub(crate) type Rate = (Vec2, f64);

/// Where a body is, and how it moves.
#[derive(Debug, Clone)]
pub(crate) struct Motion {
    /// The centre of mass in the world, m.
    pub position: Vec2,
    /// m/s.
    pub velocity: Vec2,
    /// rad.
    pub angle: f64,
    /// rad/s.
    pub spin: f64,
    /// Position and angle with the angle's sine and cosine, which are computed once.
    pub pose: Pose,
    /// The pose when the present try began. A corner that has passed an edge since then collides with it.
    pub old: Option<Pose>,
}

impl Motion {
    /// The motion of a body whose centre of mass is `cm`, with the values x, vx, y, vy, angle, spin.
    pub fn new(cm: Vec2, values: &[f64; 6]) -> Self {
        let mut motion = Self {
            position: Vec2::zeros(),
            velocity: Vec2::zeros(),
            angle: 0.0,
            spin: 0.0,
            pose: Pose::new(cm, Vec2::zeros(), 0.0),
            old: None,
        };
        motion.set(values);
        motion
    }

    /// Takes over x, vx, y, vy, angle, spin.
    pub fn set(&mut self, values: &[f64; 6]) {
        let [x, vx, y, vy, angle, spin] = *values;
        self.position = Vec2::new(x, y);
        self.velocity = Vec2::new(vx, vy);
        self.angle = angle;
        self.spin = spin;
        self.pose = Pose::new(self.pose.cm, self.position, angle);
    }

    /// x, vx, y, vy, angle, spin.
    pub fn values(&self) -> [f64; 6] {
        let (p, v) = (self.position, self.velocity);
        [p.x, v.x, p.y, v.y, self.angle, self.spin]
    }

    /// Changes the velocity by an impulse (N s) at r from the centre of mass of the body.
    pub fn push(&mut self, solid: &Solid, impulse: Vec2, r: Vec2) {
        self.velocity += impulse * solid.inverse_mass;
        self.spin += r.perp(&impulse) * solid.inverse_inertia;
    }
}
