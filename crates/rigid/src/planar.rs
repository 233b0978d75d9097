//! Bodies of the plane.

use crate::body::{Body, check_mass, not_finite};
use crate::dense::Dense;
use crate::error::SceneError;
use crate::rotation::Rotation2;
use crate::scalar::Scalar;
use crate::scene::Scene;
use crate::vector::{Vector, Vector2};

/// A rigid body of the plane.
#[derive(Debug, Clone, PartialEq)]
pub struct Body2<S> {
    /// The name, unique in its scene.
    pub name: String,
    /// Mass, kg.
    pub mass: S,
    /// Moment of inertia about the centre of mass, kg m^2.
    pub inertia: S,
    /// The centre of mass, m.
    pub position: Vector2<S>,
    /// From body to world coordinates.
    pub orientation: Rotation2<S>,
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vector2<S>,
    /// Angular velocity, counterclockwise, 1/s.
    pub angular_velocity: S,
    /// Force at the centre of mass beside the weight, N.
    pub force: Vector2<S>,
    /// Torque, counterclockwise, N m.
    pub torque: S,
    /// Whether the body moves with its given velocity, whatever the forces are.
    pub fixed: bool,
}

/// A scene of the plane.
pub type Scene2<S> = Scene<S, Body2<S>, 2>;

impl<S: Scalar> Body2<S> {
    /// A free body at rest, not rotated.
    pub fn new(name: impl Into<String>, mass: S, inertia: S, position: Vector2<S>) -> Self {
        Self {
            name: name.into(),
            mass,
            inertia,
            position,
            orientation: Rotation2::identity(),
            velocity: Vector::zero(),
            angular_velocity: S::zero(),
            force: Vector::zero(),
            torque: S::zero(),
            fixed: false,
        }
    }

    /// A body that no force moves, at the origin.
    pub fn fixed(name: impl Into<String>) -> Self {
        Self {
            fixed: true,
            ..Self::new(name, S::one(), S::one(), Vector::zero())
        }
    }

    /// The same body with another velocity.
    pub fn moving(mut self, velocity: Vector2<S>, angular_velocity: S) -> Self {
        self.velocity = velocity;
        self.angular_velocity = angular_velocity;
        self
    }

    /// Body coordinates as a place in the world.
    pub fn place(&self, local: &Vector2<S>) -> Vector2<S> {
        &self.position + &self.orientation.apply(local)
    }

    fn arm(&self, place: &Vector2<S>) -> Vector2<S> {
        place - &self.position
    }
}

impl<S: Scalar> Body<S, 2> for Body2<S> {
    const DOFS: usize = 3;

    fn name(&self) -> &str {
        &self.name
    }

    fn is_fixed(&self) -> bool {
        self.fixed
    }

    fn check(&self) -> Result<(), SceneError> {
        check_mass(&self.name, &self.mass)?;
        let vectors = [
            (&self.position, "position"),
            (&self.velocity, "velocity"),
            (&self.force, "force"),
        ];
        let numbers = [
            (&self.inertia, "inertia"),
            (&self.angular_velocity, "angular velocity"),
            (&self.torque, "torque"),
        ];
        let vectors = vectors.map(|(vector, what)| (vector.is_finite(), what));
        let numbers = numbers.map(|(number, what)| (number.is_finite(), what));
        if let Some((_, what)) = vectors.iter().chain(&numbers).find(|(ok, _)| !ok) {
            return Err(not_finite(&self.name, what));
        }
        let body = || self.name.clone();
        if self.inertia.signum() <= 0 {
            return Err(SceneError::Inertia { body: body() });
        }
        if !self.orientation.is_valid() {
            return Err(SceneError::Orientation { body: body() });
        }
        Ok(())
    }

    fn mass_matrix(&self) -> Dense<S> {
        let diagonal = [&self.mass, &self.mass, &self.inertia];
        Dense::from_fn(3, 3, |i, j| {
            if i == j {
                diagonal[i].clone()
            } else {
                S::zero()
            }
        })
    }

    fn velocity(&self) -> Vec<S> {
        let mut velocity = self.velocity.coordinates().to_vec();
        velocity.push(self.angular_velocity.clone());
        velocity
    }

    fn set_velocity(&mut self, velocity: &[S]) {
        if let [x, y, omega] = velocity {
            self.velocity = Vector::new([x.clone(), y.clone()]);
            self.angular_velocity = omega.clone();
        }
    }

    fn applied(&self, gravity: &Vector2<S>) -> Vec<S> {
        let force = &self.force + &gravity.times(&self.mass);
        let mut applied = force.coordinates().to_vec();
        applied.push(self.torque.clone());
        applied
    }

    fn gyroscopic(&self) -> Vec<S> {
        vec![S::zero(); 3]
    }

    fn velocity_at(&self, place: &Vector2<S>) -> Vector2<S> {
        &self.velocity + &self.spin(&self.arm(place))
    }

    fn centripetal_at(&self, place: &Vector2<S>) -> Vector2<S> {
        self.spin(&self.spin(&self.arm(place)))
    }

    fn spin(&self, vector: &Vector2<S>) -> Vector2<S> {
        vector.quarter_turn().times(&self.angular_velocity)
    }

    fn wrench(&self, force: &Vector2<S>, place: &Vector2<S>) -> Vec<S> {
        let mut wrench = force.coordinates().to_vec();
        wrench.push(self.arm(place).cross(force));
        wrench
    }
}
