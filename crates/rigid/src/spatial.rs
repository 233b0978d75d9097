//! Bodies of space.

use crate::body::{Body, check_mass, not_finite};
use crate::dense::Dense;
use crate::error::SceneError;
use crate::rotation::Rotation3;
use crate::scalar::Scalar;
use crate::scene::Scene;
use crate::vector::{Vector, Vector3};

/// A rigid body of space.
#[derive(Debug, Clone, PartialEq)]
pub struct Body3<S> {
    /// The name, unique in its scene.
    pub name: String,
    /// Mass, kg.
    pub mass: S,
    /// Inertia about the centre of mass in body coordinates, kg m^2: 3 by 3, symmetric positive
    /// definite.
    pub inertia: Dense<S>,
    /// The centre of mass, m.
    pub position: Vector3<S>,
    /// From body to world coordinates.
    pub orientation: Rotation3<S>,
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vector3<S>,
    /// Angular velocity in the world frame, 1/s.
    pub angular_velocity: Vector3<S>,
    /// Force at the centre of mass beside the weight, N.
    pub force: Vector3<S>,
    /// Torque in the world frame, N m.
    pub torque: Vector3<S>,
    /// Whether the body moves with its given velocity, whatever the forces are.
    pub fixed: bool,
}

/// A scene of space.
pub type Scene3<S> = Scene<S, Body3<S>, 3>;

impl<S: Scalar> Body3<S> {
    /// A free body at rest, not rotated, with principal moments of inertia along the axes.
    pub fn new(
        name: impl Into<String>,
        mass: S,
        principal_moments: [S; 3],
        position: Vector3<S>,
    ) -> Self {
        let inertia = Dense::from_fn(3, 3, |i, j| {
            if i == j {
                principal_moments[i].clone()
            } else {
                S::zero()
            }
        });
        Self {
            name: name.into(),
            mass,
            inertia,
            position,
            orientation: Rotation3::identity(),
            velocity: Vector::zero(),
            angular_velocity: Vector::zero(),
            force: Vector::zero(),
            torque: Vector::zero(),
            fixed: false,
        }
    }

    /// A body that no force moves, at the origin.
    pub fn fixed(name: impl Into<String>) -> Self {
        let one = || S::one();
        Self {
            fixed: true,
            ..Self::new(name, one(), [one(), one(), one()], Vector::zero())
        }
    }

    /// The same body with another velocity.
    pub fn moving(mut self, velocity: Vector3<S>, angular_velocity: Vector3<S>) -> Self {
        self.velocity = velocity;
        self.angular_velocity = angular_velocity;
        self
    }

    /// Body coordinates as a place in the world.
    pub fn place(&self, local: &Vector3<S>) -> Vector3<S> {
        &self.position + &self.orientation.apply(local)
    }

    /// The inertia in the world frame, R I R'.
    pub fn world_inertia(&self) -> Dense<S> {
        let rotation = self.orientation.matrix();
        rotation
            .product(&self.inertia)
            .product(&rotation.transposed())
    }

    fn arm(&self, place: &Vector3<S>) -> Vector3<S> {
        place - &self.position
    }

    fn check_finite(&self) -> Result<(), SceneError> {
        let vectors = [
            (&self.position, "position"),
            (&self.velocity, "velocity"),
            (&self.angular_velocity, "angular velocity"),
            (&self.force, "force"),
            (&self.torque, "torque"),
        ];
        match vectors.into_iter().find(|(vector, _)| !vector.is_finite()) {
            Some((_, what)) => Err(not_finite(&self.name, what)),
            None => Ok(()),
        }
    }
}

impl<S: Scalar> Body<S, 3> for Body3<S> {
    const DOFS: usize = 6;

    fn name(&self) -> &str {
        &self.name
    }

    fn is_fixed(&self) -> bool {
        self.fixed
    }

    fn check(&self) -> Result<(), SceneError> {
        check_mass(&self.name, &self.mass)?;
        self.check_finite()?;
        let body = || self.name.clone();
        let square = self.inertia.rows() == 3 && self.inertia.columns() == 3;
        if !square || !self.inertia.is_symmetric() || !self.inertia.has_positive_pivots() {
            return Err(SceneError::Inertia { body: body() });
        }
        if !self.orientation.is_valid() {
            return Err(SceneError::Orientation { body: body() });
        }
        Ok(())
    }

    fn mass_matrix(&self) -> Dense<S> {
        let inertia = self.world_inertia();
        Dense::from_fn(6, 6, |i, j| match (i.checked_sub(3), j.checked_sub(3)) {
            (Some(i), Some(j)) => inertia[(i, j)].clone(),
            (None, None) if i == j => self.mass.clone(),
            _ => S::zero(),
        })
    }

    fn velocity(&self) -> Vec<S> {
        let linear = self.velocity.coordinates().iter();
        linear
            .chain(self.angular_velocity.coordinates())
            .cloned()
            .collect()
    }

    fn set_velocity(&mut self, velocity: &[S]) {
        if let [vx, vy, vz, x, y, z] = velocity {
            self.velocity = Vector::new([vx.clone(), vy.clone(), vz.clone()]);
            self.angular_velocity = Vector::new([x.clone(), y.clone(), z.clone()]);
        }
    }

    fn applied(&self, gravity: &Vector3<S>) -> Vec<S> {
        let force = &self.force + &gravity.times(&self.mass);
        let all = force.coordinates().iter().chain(self.torque.coordinates());
        all.cloned().collect()
    }

    fn gyroscopic(&self) -> Vec<S> {
        let momentum = self
            .world_inertia()
            .times(self.angular_velocity.coordinates());
        let momentum = Vector::new(std::array::from_fn(|i| momentum[i].clone()));
        let torque = self.angular_velocity.cross(&momentum);
        let zeros = std::iter::repeat_n(S::zero(), 3);
        zeros.chain(torque.coordinates().iter().cloned()).collect()
    }

    fn velocity_at(&self, place: &Vector3<S>) -> Vector3<S> {
        &self.velocity + &self.spin(&self.arm(place))
    }

    fn centripetal_at(&self, place: &Vector3<S>) -> Vector3<S> {
        self.spin(&self.spin(&self.arm(place)))
    }

    fn spin(&self, vector: &Vector3<S>) -> Vector3<S> {
        self.angular_velocity.cross(vector)
    }

    fn wrench(&self, force: &Vector3<S>, place: &Vector3<S>) -> Vec<S> {
        let torque = self.arm(place).cross(force);
        let all = force.coordinates().iter().chain(torque.coordinates());
        all.cloned().collect()
    }
}
