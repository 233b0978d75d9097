//! Contacts and joints as a scene states them.

use crate::error::SceneError;
use crate::freedom::{Freedom, JointEquation};
use crate::scalar::Scalar;
use crate::vector::Vector;

/// One of the two bodies of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The body that the force +f n acts on.
    First,
    /// The body that the force -f n acts on.
    Second,
}

/// How the surfaces are shaped at the contact, which says how the normal turns.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry<S> {
    /// A flat face of one body against a corner (radius 0) or a round surface of the other. The
    /// normal is fixed in the body of the face.
    Face {
        /// The body of the face.
        of: Side,
        /// The other body's radius of curvature, m.
        radius: S,
    },
    /// Two discs or balls. The normal points from centre to centre.
    Round {
        /// The first body's radius, m.
        first: S,
        /// The second body's radius, m.
        second: S,
    },
}

/// A contact point between two bodies.
///
/// The normal points from the second body to the first: +f n acts on the first, -f n on the
/// second, and n'(v1 - v2) > 0 separates them (Baraff 1994, section 3).
#[derive(Debug, Clone, PartialEq)]
pub struct Contact<S, const D: usize> {
    /// The name, unique among contacts and joints.
    pub name: String,
    /// The body on the side that the normal points to.
    pub first: String,
    /// The other body.
    pub second: String,
    /// Where they touch, in the world.
    pub point: Vector<S, D>,
    /// The unit normal.
    pub normal: Vector<S, D>,
    /// D - 1 tangents, orthonormal; with the normal last they are right-handed unless given.
    pub tangents: Vec<Vector<S, D>>,
    /// The coefficient of friction, static and dynamic.
    pub mu: S,
    /// The surfaces.
    pub geometry: Geometry<S>,
    /// mu v/|v| of the sliding velocity v, for exact arithmetic where |v| is irrational. It takes
    /// the place of mu, which need not be rational then.
    pub slip: Option<Vector<S, D>>,
}

impl<S: Scalar, const D: usize> Contact<S, D> {
    /// A frictionless contact of a corner of `first` with a face of `second`.
    pub fn new(
        name: impl Into<String>,
        first: impl Into<String>,
        second: impl Into<String>,
        point: Vector<S, D>,
        normal: Vector<S, D>,
    ) -> Self {
        Self {
            name: name.into(),
            first: first.into(),
            second: second.into(),
            tangents: tangents(&normal),
            point,
            normal,
            mu: S::zero(),
            geometry: Geometry::Face {
                of: Side::Second,
                radius: S::zero(),
            },
            slip: None,
        }
    }

    /// The same contact with friction.
    pub fn with_friction(mut self, mu: S) -> Self {
        self.mu = mu;
        self
    }

    /// The same contact with other surfaces.
    pub fn with_geometry(mut self, geometry: Geometry<S>) -> Self {
        self.geometry = geometry;
        self
    }

    /// The same contact with other tangents.
    pub fn with_tangents(mut self, tangents: Vec<Vector<S, D>>) -> Self {
        self.tangents = tangents;
        self
    }

    /// The same contact with mu v/|v| given.
    pub fn with_slip(mut self, slip: Vector<S, D>) -> Self {
        self.slip = Some(slip);
        self
    }

    /// Checks normal, tangents, friction and radii.
    ///
    /// # Errors
    /// [`SceneError`] with the contact's name.
    pub fn check(&self) -> Result<(), SceneError> {
        self.check_finite()?;
        let contact = || self.name.clone();
        if !self.normal.norm_squared().is_one() {
            return Err(SceneError::NormalLength {
                contact: contact(),
                squared: self.normal.norm_squared().to_string(),
            });
        }
        if !self.tangents_are_orthonormal() {
            return Err(SceneError::Tangents { contact: contact() });
        }
        if self.mu.signum() < 0 {
            return Err(SceneError::Friction {
                contact: contact(),
                mu: self.mu.to_string(),
            });
        }
        if !self.slip_fits() {
            return Err(SceneError::Slip { contact: contact() });
        }
        let radii_fit = match &self.geometry {
            Geometry::Face { radius, .. } => radius.signum() >= 0,
            Geometry::Round { first, second } => {
                first.signum() >= 0 && second.signum() >= 0 && first.signum() + second.signum() > 0
            }
        };
        if !radii_fit {
            return Err(SceneError::Radius { contact: contact() });
        }
        Ok(())
    }

    fn check_finite(&self) -> Result<(), SceneError> {
        let radii = match &self.geometry {
            Geometry::Face { radius, .. } => radius.is_finite(),
            Geometry::Round { first, second } => first.is_finite() && second.is_finite(),
        };
        let facts = [
            (self.point.is_finite(), "point"),
            (self.normal.is_finite(), "normal"),
            (self.tangents.iter().all(Vector::is_finite), "tangent"),
            (self.mu.is_finite(), "coefficient of friction"),
            (radii, "radius"),
            (self.slip.iter().all(Vector::is_finite), "slip vector"),
        ];
        match facts.into_iter().find(|(finite, _)| !finite) {
            Some((_, quantity)) => Err(SceneError::NotFinite {
                owner: format!("contact {:?}", self.name),
                quantity,
            }),
            None => Ok(()),
        }
    }

    /// mu v/|v| is along the face, and 0 only without friction.
    fn slip_fits(&self) -> bool {
        let Some(slip) = &self.slip else {
            return true;
        };
        let squared = slip.norm_squared();
        let across = slip.dot(&self.normal);
        across.is_negligible(&(squared.clone() + S::one()))
            && squared.is_zero() == self.mu.is_zero()
    }

    fn tangents_are_orthonormal(&self) -> bool {
        let frame = || self.tangents.iter().chain([&self.normal]);
        let orthonormal = frame().enumerate().all(|(i, a)| {
            let mut before = frame().take(i);
            a.norm_squared().is_one() && before.all(|b| a.dot(b).is_negligible(&S::one()))
        });
        self.tangents.len() + 1 == D && orthonormal
    }
}

/// D - 1 orthonormal tangents, rational for a rational unit normal: the columns of the
/// Householder reflection that takes the last axis to the normal or its opposite, whichever is
/// further from the axis. For the upward normal they are the first axes.
fn tangents<S: Scalar, const D: usize>(normal: &Vector<S, D>) -> Vec<Vector<S, D>> {
    let last = D - 1;
    let axis = Vector::<S, D>::axis(last);
    let up = normal[last].signum() >= 0;
    let u = if up { normal + &axis } else { normal - &axis };
    let norm = u.norm_squared();
    if norm.is_zero() {
        return Vec::new();
    }
    let mut columns: Vec<_> = (0..last)
        .map(|j| {
            let factor = S::integer(2) * &u[j] / &norm;
            &Vector::axis(j) - &u.times(&factor)
        })
        .collect();
    // A reflection onto the normal itself turns the frame over.
    if let (false, Some(first)) = (up, columns.first_mut()) {
        *first = -&*first;
    }
    columns
}

/// A bilateral constraint between two bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint<S, const D: usize> {
    /// The name, unique among contacts and joints.
    pub name: String,
    /// One body.
    pub first: String,
    /// The other.
    pub second: String,
    /// Where they are joined, in the world.
    pub point: Vector<S, D>,
    /// The kind of the joint.
    pub kind: JointKind<S, D>,
    /// Of a joint with one travel: how far it may go from where it is, rad or m. One of the two is 0 where it stands at a limit.
    pub limits: Option<[S; 2]>,
    /// Of a joint with one travel.
    pub drive: Option<JointDrive<S>>,
}

/// A drive: it pushes until a speed is reached, by no more than a force. At that speed it holds it by as much.
#[derive(Debug, Clone, PartialEq)]
pub struct JointDrive<S> {
    /// Of the first body against the second, rad/s or m/s.
    pub speed: S,
    /// The largest torque or force, N m or N.
    pub bound: S,
}

/// What the travel of a joint measures, of the first body against the second.
pub(crate) enum Travel<S, const D: usize> {
    /// The angle from one vector across the axis to the other, rad.
    Turn { across: [Vector<S, D>; 2] },
    /// The distance along a unit vector of the second body, m.
    Shift { axis: Vector<S, D> },
}

/// The kinds of joints.
#[derive(Debug, Clone, PartialEq)]
pub enum JointKind<S, const D: usize> {
    /// The material points stay together: D rows, a hinge in the plane, a ball joint in space.
    Pin,
    /// The first body's point stays in a line (plane) of the second: one row along this unit
    /// normal, which is fixed in the second body.
    Slider(Vector<S, D>),
    /// A joint of space with axes, one row an equation.
    Free(Freedom<S, D>),
}

impl<S: Scalar, const D: usize> Joint<S, D> {
    /// A hinge or ball joint.
    pub fn pin(
        name: impl Into<String>,
        first: impl Into<String>,
        second: impl Into<String>,
        point: Vector<S, D>,
    ) -> Self {
        Self {
            name: name.into(),
            first: first.into(),
            second: second.into(),
            point,
            kind: JointKind::Pin,
            limits: None,
            drive: None,
        }
    }

    /// The same joint with these limits of its travel.
    pub fn with_limits(mut self, limits: [S; 2]) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Whether the joint stands at its lower and at its upper limit: its travel is 0 where it stands.
    pub fn at_limits(&self) -> [bool; 2] {
        let ends = self.limits.as_ref();
        ends.map_or([false; 2], |ends| ends.each_ref().map(S::is_zero))
    }

    /// The same joint with a drive.
    pub fn with_drive(mut self, speed: S, bound: S) -> Self {
        self.drive = Some(JointDrive { speed, bound });
        self
    }

    /// Checks that all numbers are finite and the slider's normal is a unit vector.
    ///
    /// # Errors
    /// [`SceneError`] with the joint's name.
    pub fn check(&self) -> Result<(), SceneError> {
        self.check_travel()?;
        let quantity = match &self.kind {
            _ if !self.point.is_finite() => "point",
            JointKind::Slider(normal) if !normal.is_finite() => "normal",
            JointKind::Free(freedom) => return self.equations(freedom).map(drop),
            JointKind::Slider(normal) if !normal.norm_squared().is_one() => {
                return Err(SceneError::SliderLength {
                    joint: self.name.clone(),
                    squared: normal.norm_squared().to_string(),
                });
            }
            _ => return Ok(()),
        };
        Err(SceneError::NotFinite {
            owner: format!("joint {:?}", self.name),
            quantity,
        })
    }

    /// Checks the limits and the drive by themselves.
    fn check_travel(&self) -> Result<(), SceneError> {
        let joint = || self.name.clone();
        let numbers = self.limits.iter().flatten();
        let drive = self.drive.iter().flat_map(|own| [&own.speed, &own.bound]);
        if !numbers.chain(drive).all(S::is_finite) {
            return Err(SceneError::NotFinite {
                owner: format!("joint {:?}", self.name),
                quantity: "limit or drive",
            });
        }
        if let Some([low, high]) = &self.limits
            && (low.signum() > 0 || high.signum() < 0)
        {
            return Err(SceneError::PastTravel {
                joint: joint(),
                low: low.to_string(),
                high: high.to_string(),
            });
        }
        match self.drive.as_ref().filter(|own| own.bound.signum() < 0) {
            Some(drive) => Err(SceneError::DriveBound {
                joint: joint(),
                bound: drive.bound.to_string(),
            }),
            None => Ok(()),
        }
    }

    /// What the travel of the joint is, where it has limits or a drive.
    ///
    /// # Errors
    /// [`SceneError::JointAxis`] for a joint whose travel is no single number.
    pub(crate) fn travel(&self) -> Result<Option<Travel<S, D>>, SceneError> {
        if self.limits.is_none() && self.drive.is_none() {
            return Ok(None);
        }
        let wrong = |why: &'static str| SceneError::JointAxis {
            joint: self.name.clone(),
            why,
        };
        let unit = |axis: &Vector<S, D>| {
            // That it is no axis at all, its equations say.
            let own = <[_; 3]>::try_from(framed(axis)).ok();
            own.filter(|[axis, ..]| axis.norm_squared().is_one() || !S::EXACT)
                .ok_or_else(|| {
                    wrong("has limits or a drive, and an axis whose length is no fraction, so that its travel has no unit; give an axis such as [0, 0, 1] or [3, 4, 0]")
                })
        };
        match &self.kind {
            JointKind::Pin if D == 2 => Ok(Some(Travel::Turn {
                across: [Vector::axis(0), Vector::axis(1)],
            })),
            JointKind::Free(Freedom::Hinge { axis }) => {
                let [_, one, other] = unit(axis)?;
                Ok(Some(Travel::Turn {
                    across: [one, other],
                }))
            }
            JointKind::Free(Freedom::Slider { axis }) => {
                let [axis, ..] = unit(axis)?;
                Ok(Some(Travel::Shift { axis }))
            }
            _ if D == 2 => Err(wrong(
                "has limits or a drive, but one row along a normal leaves a body two ways to go; leave \"slider\" out for a hinge, or take a mechanism with a prismatic joint",
            )),
            _ => Err(wrong(
                "has limits or a drive, but its travel is no single number; take a hinge or a slider",
            )),
        }
    }

    /// The equations of a joint with axes, exactly. Across an axis whose length is a number the vectors are of length 1. Where it is
    /// irrational they are of other lengths, and so are the units of what the rows bear.
    ///
    /// # Errors
    /// [`SceneError::JointAxis`].
    pub(crate) fn equations(
        &self,
        freedom: &Freedom<S, D>,
    ) -> Result<Vec<JointEquation<S, D>>, SceneError> {
        let wrong = |why: &'static str| SceneError::JointAxis {
            joint: self.name.clone(),
            why,
        };
        if D != 3 {
            return Err(wrong("is of a kind that only joints of space have"));
        }
        let frame = |axis: &Vector<S, D>| {
            let all = match axis {
                _ if !axis.is_finite() => return Err(wrong("has an axis that is not finite")),
                _ if axis.is_zero() => {
                    return Err(wrong("has an axis that is zero; give it a direction"));
                }
                _ => framed(axis),
            };
            <[_; 3]>::try_from(all).map_err(|_| wrong("has an axis without a frame"))
        };
        let is_square = |[first, second]: [&Vector<S, D>; 2]| {
            let size = first.norm_squared() + second.norm_squared();
            match first.dot(second).is_negligible(&size) {
                true => Ok(()),
                false => Err(wrong(
                    "has axes that are not at a right angle; turn one of them",
                )),
            }
        };
        freedom.equations(&std::array::from_fn(Vector::axis), frame, is_square)
    }
}

/// Vectors at right angles to an axis, which comes first; of length 1 where that of the axis is a number.
fn framed<S: Scalar, const D: usize>(axis: &Vector<S, D>) -> Vec<Vector<S, D>> {
    let length = axis.norm_squared().sqrt().filter(|own| !own.is_zero());
    if let Some(length) = length {
        let unit = axis.map(|own| own.clone() / &length);
        let across = tangents(&unit);
        return [unit].into_iter().chain(across).collect();
    }
    // a = (.., a_m, ..) with a_m not 0 is at a right angle to a_m u_k - a_k u_m. Two of these are not at one to each other, which
    // no equation of a joint asks: they have to be independent.
    let m = (0..D)
        .rev()
        .find(|k| !axis[*k].is_zero())
        .unwrap_or_default();
    let across = (0..D).filter(|k| *k != m).map(|k| {
        let kept = Vector::axis(k).times(&axis[m]);
        &kept - &Vector::axis(m).times(&axis[k])
    });
    [axis.clone()].into_iter().chain(across).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::{Vector2, Vector3};
    use rug::Rational;

    #[test]
    fn a_slip_vector_is_along_the_face_and_agrees_that_there_is_friction() {
        let contact = |mu: i64, slip: [i64; 3]| {
            let contact =
                Contact::<Rational, 3>::new("c", "a", "b", Vector::zero(), Vector::axis(2));
            contact
                .with_friction(mu.into())
                .with_slip(Vector::integers(slip))
                .check()
        };
        assert_eq!(contact(1, [-1, 2, 0]), Ok(()));
        assert_eq!(contact(0, [0, 0, 0]), Ok(()));
        for (mu, slip) in [(1, [1, 0, 1]), (1, [0, 0, 0]), (0, [1, 0, 0])] {
            let name = "c".to_owned();
            assert_eq!(
                contact(mu, slip),
                Err(SceneError::Slip { contact: name }),
                "{slip:?}"
            );
        }
    }

    #[test]
    fn default_frames_are_rational_orthonormal_and_right_handed() {
        for normal in [
            [(0, 1), (0, 1), (1, 1)],
            [(0, 1), (0, 1), (-1, 1)],
            [(2, 3), (-1, 3), (2, 3)],
            [(2, 7), (3, 7), (-6, 7)],
        ] {
            let normal = Vector3::<Rational>::ratios(normal);
            let contact = Contact::new("c", "a", "b", Vector::zero(), normal.clone());
            contact.check().unwrap();
            assert_eq!(contact.tangents[0].cross(&contact.tangents[1]), normal);
        }
        for normal in [
            [(0, 1), (1, 1)],
            [(0, 1), (-1, 1)],
            [(1, 1), (0, 1)],
            [(-3, 5), (-4, 5)],
        ] {
            let normal = Vector2::<Rational>::ratios(normal);
            let contact = Contact::new("c", "a", "b", Vector::zero(), normal.clone());
            assert_eq!(contact.tangents[0], -&normal.quarter_turn());
        }
    }
}
