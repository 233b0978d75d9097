//! The pose of a body: where it is, and how far it is turned.

use super::Vec2;

/// Position and angle of a body, to convert between body coordinates and those of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pose {
    /// The centre of mass in body coordinates.
    pub cm: Vec2,
    /// The centre of mass in the world.
    pub at: Vec2,
    sin: f64,
    cos: f64,
}

impl Pose {
    pub fn new(cm: Vec2, at: Vec2, angle: f64) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self { cm, at, sin, cos }
    }

    /// A point of the body in the world.
    pub fn to_world(self, point: Vec2) -> Vec2 {
        self.at + self.rotate(point - self.cm)
    }

    /// A point of the world in body coordinates.
    pub fn to_body(self, point: Vec2) -> Vec2 {
        self.cm + self.rotate_back(point - self.at)
    }

    /// A direction of the world in body coordinates.
    pub fn rotate_back(self, direction: Vec2) -> Vec2 {
        Vec2::new(
            self.cos * direction.x + self.sin * direction.y,
            -self.sin * direction.x + self.cos * direction.y,
        )
    }

    /// A direction of the body in the world.
    pub fn rotate(self, direction: Vec2) -> Vec2 {
        Vec2::new(
            self.cos * direction.x - self.sin * direction.y,
            self.sin * direction.x + self.cos * direction.y,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn to_body_undoes_to_world() {
        let pose = Pose::new(Vec2::new(0.25, -1.0), Vec2::new(3.0, 4.0), 0.7);
        let point = Vec2::new(-1.5, 2.0);
        assert!((pose.to_body(pose.to_world(point)) - point).norm() < 1e-15);
        assert_eq!(pose.to_world(pose.cm), pose.at);
    }
}
