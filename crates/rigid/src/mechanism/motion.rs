//! How links move: from the ground outwards, link by link.

use super::frame::{Frame, Segment};
use super::{GROUND, Mechanism, TreeLink};
use crate::covector::Covector;
use crate::error::SceneError;
use crate::scalar::Scalar;
use crate::vector::Vector;

/// The motion of one link in the world. Its acceleration is that at which no rate changes.
#[derive(Debug, Clone)]
pub(super) struct Motion<S, F, const D: usize> {
    /// Its origin.
    pub origin: Vector<S, D>,
    /// From its coordinates to the world's.
    pub frame: F,
    /// For each generalised velocity that moves it: which, the velocity of its origin, and its angular velocity.
    columns: Vec<(usize, Vector<S, D>, Vec<S>)>,
    velocity: Vector<S, D>,
    angular_velocity: Vec<S>,
    acceleration: Vector<S, D>,
    angular_acceleration: Vec<S>,
}

fn add<S: Scalar>(a: &[S], b: &[S]) -> Vec<S> {
    a.iter().zip(b).map(|(a, b)| a.clone() + b).collect()
}

impl<S: Scalar, F: Frame<S, D>, const D: usize> Motion<S, F, D> {
    /// What stays.
    fn ground() -> Self {
        Self {
            origin: Vector::zero(),
            frame: F::identity(),
            columns: Vec::new(),
            velocity: Vector::zero(),
            angular_velocity: vec![S::zero(); F::AXES],
            acceleration: Vector::zero(),
            angular_acceleration: vec![S::zero(); F::AXES],
        }
    }

    /// Coordinates of the link as a place in the world.
    pub fn place(&self, local: &Vector<S, D>) -> Vector<S, D> {
        &self.origin + &self.frame.apply(local)
    }

    fn at(&self, place: &Vector<S, D>, linear: &Vector<S, D>, angular: &[S]) -> Vector<S, D> {
        linear + &F::spin(angular, &(place - &self.origin))
    }

    /// The velocity of the material point at a place, and the angular velocity.
    pub fn velocity_at(&self, place: &Vector<S, D>) -> Vec<S> {
        let velocity = self.at(place, &self.velocity, &self.angular_velocity);
        join(&velocity, &self.angular_velocity)
    }

    /// Its acceleration, and the angular acceleration: alpha x r + omega x (omega x r) more than at the origin.
    pub fn acceleration_at(&self, place: &Vector<S, D>) -> Vec<S> {
        join(&self.point_acceleration(place), &self.angular_acceleration)
    }

    fn point_acceleration(&self, place: &Vector<S, D>) -> Vector<S, D> {
        let spin = |vector: &Vector<S, D>| F::spin(&self.angular_velocity, vector);
        let centripetal = spin(&spin(&(place - &self.origin)));
        let turned = self.at(place, &self.acceleration, &self.angular_acceleration);
        &turned + &centripetal
    }

    /// The rows of G for the velocity of the material point at a place, and for the angular velocity.
    pub fn rows_at(&self, place: &Vector<S, D>, count: usize) -> Vec<Covector<S>> {
        let mut rows = vec![Vec::new(); count];
        for (dof, linear, angular) in &self.columns {
            let column = join(&self.at(place, linear, angular), angular);
            for (row, value) in rows.iter_mut().zip(column) {
                row.push((*dof, value));
            }
        }
        rows.into_iter().map(Covector::new).collect()
    }
}

fn join<S: Scalar, const D: usize>(linear: &Vector<S, D>, angular: &[S]) -> Vec<S> {
    let all = linear.coordinates().iter().chain(angular);
    all.cloned().collect()
}

impl<S: Scalar, B: Segment<S, D>, const D: usize> Mechanism<S, B, D> {
    /// The motion of each link, in their order.
    pub(super) fn motions(&self) -> Result<Vec<Motion<S, B::Frame, D>>, SceneError> {
        let starts = self.starts();
        let mut motions: Vec<Option<Motion<S, B::Frame, D>>> = vec![None; self.links.len()];
        let ground = Motion::ground();
        for (k, parent) in self.outwards()? {
            let parent = parent.and_then(|parent| motions[parent].as_ref());
            let own = step(parent.unwrap_or(&ground), &self.links[k], starts[k]);
            motions[k] = Some(own);
        }
        Ok(motions.into_iter().flatten().collect())
    }

    /// The links with their parents, no parent after its links.
    pub(super) fn outwards(&self) -> Result<Vec<(usize, Option<usize>)>, SceneError> {
        let parents = self.parents()?;
        let mut order = Vec::new();
        let mut placed = vec![false; parents.len()];
        for first in 0..parents.len() {
            let mut branch = Vec::new();
            let mut next = Some(first);
            while let Some(k) = next.filter(|k| !placed[*k]) {
                if branch.contains(&k) {
                    return Err(self.circle(&branch, k));
                }
                branch.push(k);
                next = parents[k];
            }
            for k in branch.into_iter().rev() {
                placed[k] = true;
                order.push((k, parents[k]));
            }
        }
        Ok(order)
    }

    fn circle(&self, branch: &[usize], back: usize) -> SceneError {
        let start = branch.iter().position(|k| *k == back).unwrap_or(0);
        let names = branch[start..].iter().chain([&back]);
        let names: Vec<&str> = names.map(|k| self.links[*k].body.name()).collect();
        SceneError::Circle {
            links: names.join(" -> "),
        }
    }

    /// Which link each one hangs on.
    fn parents(&self) -> Result<Vec<Option<usize>>, SceneError> {
        let names = self.links.iter().map(|link| link.body.name()).zip(0..);
        let names: std::collections::HashMap<&str, usize> = names.collect();
        let parent = |link: &TreeLink<S, B, D>| {
            if link.parent == GROUND {
                return Ok(None);
            }
            match names.get(link.parent.as_str()) {
                Some(k) => Ok(Some(*k)),
                None => Err(SceneError::Parent {
                    link: link.body.name().to_owned(),
                    parent: link.parent.clone(),
                }),
            }
        };
        self.links.iter().map(parent).collect()
    }
}

/// From the motion of the parent to that of the link.
///
/// The velocity v' and angular velocity w' against the parent are of vectors that are fixed in it. So the origin of the link
/// accelerates by 2 omega x v' more than the parent's point there, and its angular acceleration is omega x w' more.
fn step<S: Scalar, B: Segment<S, D>, const D: usize>(
    parent: &Motion<S, B::Frame, D>,
    link: &TreeLink<S, B, D>,
    start: usize,
) -> Motion<S, B::Frame, D> {
    let (joint, freedom) = (&link.joint, &link.joint.freedom);
    let frame = parent.frame.after(&joint.frame);
    let origin = &parent.place(&joint.point) + &frame.apply(&freedom.origin());
    let inherited = parent
        .columns
        .iter()
        .map(|(dof, linear, angular)| (*dof, parent.at(&origin, linear, angular), angular.clone()));
    let mut columns: Vec<_> = inherited.collect();
    let (mut linear, mut angular) = (Vector::zero(), vec![S::zero(); B::Frame::AXES]);
    for (k, (own, turn)) in freedom.columns().into_iter().enumerate() {
        let (own, turn) = (frame.apply(&own), frame.apply_angular(&turn));
        let rate = &joint.rates[k];
        let turned: Vec<S> = turn.iter().map(|value| value.clone() * rate).collect();
        linear = &linear + &own.times(rate);
        angular = add(&angular, &turned);
        columns.push((start + k, own, turn));
    }
    let omega = &parent.angular_velocity;
    let coriolis = B::Frame::spin(omega, &linear).times(&S::integer(2));
    let carried = parent.at(&origin, &parent.velocity, omega);
    Motion {
        velocity: &carried + &linear,
        angular_velocity: add(omega, &angular),
        acceleration: &parent.point_acceleration(&origin) + &coriolis,
        angular_acceleration: add(
            &parent.angular_acceleration,
            &B::Frame::spin_angular(omega, &angular),
        ),
        frame: frame.after(&freedom.orientation()),
        origin,
        columns,
    }
}
