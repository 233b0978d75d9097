//! Where bodies are, and how points and directions of theirs are in the world.

use etalon_rigid::{Scalar, dot};

use super::Solids;
use crate::arithmetic::Arithmetic;
use crate::error::StepError;
use crate::implicit::pose::{quaternion_product, rotation};

/// The centre of a body, and the rows of the rotation from its coordinates to the world's.
#[derive(Debug, Clone, PartialEq)]
pub struct Pose<S> {
    pub centre: Vec<S>,
    pub rotation: Vec<Vec<S>>,
}

impl<S: Scalar> Pose<S> {
    /// At the origin.
    pub fn unturned(dimension: usize) -> Self {
        let one = |i: usize, j: usize| if i == j { S::one() } else { S::zero() };
        let row = |i: usize| (0..dimension).map(|j| one(i, j)).collect();
        Self {
            centre: vec![S::zero(); dimension],
            rotation: (0..dimension).map(row).collect(),
        }
    }

    /// A direction, or the arm of a point, in the world.
    pub fn outwards(&self, own: &[S]) -> Vec<S> {
        self.rotation.iter().map(|row| dot(row, own)).collect()
    }

    /// A direction of the world in body coordinates.
    pub fn inwards(&self, own: &[S]) -> Vec<S> {
        let column = |j: usize| {
            let terms = self.rotation.iter().zip(own);
            terms.fold(S::zero(), |sum, (row, x)| sum + row[j].clone() * x)
        };
        (0..own.len()).map(column).collect()
    }
}

impl<S: Scalar> Solids<S> {
    /// The poses of all bodies at those coordinates.
    pub(super) fn poses(
        &self,
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<Vec<Pose<S>>, StepError> {
        let pose = |own: &super::Body<S>| {
            if let Some(fixed) = &own.fixed {
                return Ok(fixed.clone());
            }
            let at = own.at[0];
            let rotation = match self.dimension {
                2 => {
                    let (sin, cos) = arithmetic.sin_cos(&q[at + 2])?;
                    vec![vec![cos.clone(), -sin.clone()], vec![sin, cos]]
                }
                _ => {
                    let quaternion = &q[at + 3..at + 7];
                    self.check_turn(&own.name, quaternion)?;
                    rotation(S::one(), quaternion)
                }
            };
            Ok(Pose {
                centre: q[at..at + self.dimension].to_vec(),
                rotation,
            })
        };
        self.bodies.iter().map(pose).collect()
    }

    /// The coordinates after a time h with those velocities, rounded: an angle goes on by h omega, and a quaternion e becomes
    /// (2, h omega) e of length 1, Cayley's map.
    pub(super) fn moved(
        &self,
        q: &[S],
        v: &[S],
        h: &S,
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<Vec<S>, StepError> {
        let mut after = Vec::with_capacity(q.len());
        for own in self.moving() {
            let [at, rate] = own.at;
            let straight = 0..if self.dimension == 2 {
                3
            } else {
                self.dimension
            };
            after.extend(straight.map(|i| {
                let way = v[rate + i].clone() * h;
                arithmetic.round(q[at + i].clone() + &way)
            }));
            if self.dimension == 2 {
                continue;
            }
            let mut turn = vec![S::integer(2)];
            turn.extend((3..6).map(|i| v[rate + i].clone() * h));
            let turn = quaternion_product(&turn, &q[at + 3..at + 7]);
            self.check_turn(&own.name, &turn)?;
            let length = arithmetic.sqrt(&dot(&turn, &turn))?;
            after.extend(turn.into_iter().map(|e| arithmetic.round(e / &length)));
        }
        Ok(after)
    }
}

impl<S: Scalar> Solids<S> {
    /// A quaternion of no length is no rotation.
    fn check_turn(&self, name: &str, own: &[S]) -> Result<(), StepError> {
        let square = dot(own, own);
        match square.is_zero() || !square.is_finite() {
            true => Err(StepError::Problem(format!(
                "the quaternion of body {name:?} is zero or not finite"
            ))),
            false => Ok(()),
        }
    }
}

/// The generalised force of a unit force along a direction, at an arm from the centre of mass.
pub(super) fn wrench<S: Scalar>(arm: &[S], direction: &[S]) -> Vec<S> {
    let part = |i: usize, j: usize| arm[i].clone() * &direction[j] - arm[j].clone() * &direction[i];
    let mut own = direction.to_vec();
    match arm.len() {
        2 => own.push(part(0, 1)),
        _ => own.extend([part(1, 2), part(2, 0), part(0, 1)]),
    }
    own
}

/// a - b.
pub(super) fn minus<S: Scalar>(a: &[S], b: &[S]) -> Vec<S> {
    a.iter().zip(b).map(|(a, b)| a.clone() - b).collect()
}

/// a x b.
pub(super) fn cross<S: Scalar>(a: &[S], b: &[S]) -> Vec<S> {
    let part = |i: usize, j: usize| a[i].clone() * &b[j] - a[j].clone() * &b[i];
    vec![part(1, 2), part(2, 0), part(0, 1)]
}

/// The sum of the sizes of the entries.
pub(super) fn size<S: Scalar>(own: &[S]) -> S {
    own.iter().fold(S::zero(), |sum, x| sum + x.abs())
}
