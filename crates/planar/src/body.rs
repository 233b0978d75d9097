//! Bodies while they move.

use crate::geometry::{Pose, Shape, Vec2, turn};

/// A velocity or acceleration of a body: linear (m/s, m/s^2) and angular (rad/s, rad/s^2).
pub(crate) type Rate = (Vec2, f64);

/// A body of the running world.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub shape: Shape,
    /// 1/m, 0 for a fixed body.
    pub inverse_mass: f64,
    /// 1/I about the centre of mass, 0 for a fixed body.
    pub inverse_inertia: f64,
    pub elasticity: f64,
    /// Its coefficient of friction.
    pub friction: f64,
    /// The centre of mass in body coordinates.
    pub cm: Vec2,
    pub position: Vec2,
    pub velocity: Vec2,
    pub angle: f64,
    pub spin: f64,
    pub pose: Pose,
    /// Where it was when the step began, while one is under way.
    pub old: Option<Pose>,
}

impl Body {
    pub fn is_fixed(&self) -> bool {
        self.inverse_mass == 0.0
    }

    /// Moves to a state x, vx, y, vy, angle, angular velocity.
    pub fn set(&mut self, state: &[f64; 6]) {
        let [x, vx, y, vy, angle, spin] = *state;
        self.position = Vec2::new(x, y);
        self.velocity = Vec2::new(vx, vy);
        self.angle = angle;
        self.spin = spin;
        self.pose = Pose::new(self.cm, self.position, angle);
    }

    pub fn state(&self) -> [f64; 6] {
        let (p, v) = (self.position, self.velocity);
        [p.x, v.x, p.y, v.y, self.angle, self.spin]
    }

    /// The velocity of the body's point at r from its centre of mass.
    pub fn velocity_at(&self, r: Vec2) -> Vec2 {
        self.velocity + turn(self.spin, r)
    }

    /// The velocity after an impulse at r from the centre of mass.
    pub fn push(&mut self, impulse: Vec2, r: Vec2) {
        self.velocity += impulse * self.inverse_mass;
        self.spin += r.perp(&impulse) * self.inverse_inertia;
    }

    /// m v^2/2 + I w^2/2, J.
    pub fn kinetic_energy(&self) -> f64 {
        if self.is_fixed() {
            return 0.0;
        }
        let turning = if self.inverse_inertia > 0.0 {
            self.spin * self.spin / self.inverse_inertia
        } else {
            0.0
        };
        (self.velocity.norm_squared() / self.inverse_mass + turning) / 2.0
    }

    /// The centre of the circle around the body, in the world.
    pub fn center(&self) -> Vec2 {
        self.pose.to_world(self.shape.center)
    }

    /// How far a point of the body can be from where it was when the step began.
    pub fn travelled(&self) -> f64 {
        self.old.map_or(0.0, |old| {
            let moved = (self.center() - old.to_world(self.shape.center)).norm();
            // 2 R bounds what turning about the centre adds.
            let direction = self.pose.rotate(Vec2::x()) - old.rotate(Vec2::x());
            moved + direction.norm() * self.shape.radius
        })
    }
}
