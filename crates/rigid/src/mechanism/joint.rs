//! The joint that a link hangs by: how it may move against its parent.

use std::cmp::Ordering;

use super::frame::Frame;
use crate::rotation::Rotation2;
use crate::scalar::Scalar;
use crate::vector::Vector;

/// How a link moves against its parent, and where it is. Axes and positions are in coordinates of the joint, whose origin and
/// orientation are fixed in the parent.
#[derive(Debug, Clone, PartialEq)]
pub enum LinkFreedom<S, F, const D: usize> {
    /// Not at all.
    Fixed,
    /// It turns about an axis. Its rate is that of the angle, 1/s, its effort a torque, N m.
    Revolute {
        /// The axis, of unit length: three coordinates in space; in the plane one, 1 for counterclockwise.
        axis: Vec<S>,
        /// Cosine and sine of the angle, which is in (-pi, pi].
        position: Rotation2<S>,
        /// The lower and the upper limit of the angle.
        limits: Option<[Rotation2<S>; 2]>,
    },
    /// It moves along an axis. Its rate is in m/s, its effort a force, N.
    Prismatic {
        /// The axis, of unit length.
        axis: Vector<S, D>,
        /// The distance along it, m.
        position: S,
        /// The lower and the upper limit of the distance.
        limits: Option<[S; 2]>,
    },
    /// It turns about a point, in space. Its rates are the angular velocity against the parent, its efforts a torque.
    Ball {
        /// The orientation against the joint.
        orientation: F,
    },
    /// It moves freely. Its rates are the velocity of its origin and its angular velocity, both against the parent; its
    /// efforts are a force there and a torque.
    Floating {
        /// Where its origin is.
        position: Vector<S, D>,
        /// The orientation against the joint.
        orientation: F,
    },
}

/// A joint between a link and its parent.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkJoint<S, F, const D: usize> {
    /// Its origin, in coordinates of the parent, m.
    pub point: Vector<S, D>,
    /// Its orientation against the parent.
    pub frame: F,
    /// How the link may move.
    pub freedom: LinkFreedom<S, F, D>,
    /// The generalised velocities.
    pub rates: Vec<S>,
    /// The torques and forces of motors, which act on the link, and the other way round on its parent.
    pub efforts: Vec<S>,
}

impl<S: Scalar, F: Frame<S, D>, const D: usize> LinkJoint<S, F, D> {
    /// A joint at rest at a point of the parent, without a motor.
    pub fn new(point: Vector<S, D>, freedom: LinkFreedom<S, F, D>) -> Self {
        let zeros = vec![S::zero(); freedom.dofs()];
        Self {
            point,
            frame: F::identity(),
            freedom,
            rates: zeros.clone(),
            efforts: zeros,
        }
    }

    /// The same joint with these rates.
    pub fn moving(mut self, rates: Vec<S>) -> Self {
        self.rates = rates;
        self
    }

    /// The same joint with these torques or forces of a motor.
    pub fn driven(mut self, efforts: Vec<S>) -> Self {
        self.efforts = efforts;
        self
    }

    /// The same joint with another orientation against the parent.
    pub fn turned(mut self, frame: F) -> Self {
        self.frame = frame;
        self
    }
}

impl<S: Scalar, F: Frame<S, D>, const D: usize> LinkFreedom<S, F, D> {
    /// The number of generalised velocities.
    pub fn dofs(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute { .. } | Self::Prismatic { .. } => 1,
            Self::Ball { .. } => F::AXES,
            Self::Floating { .. } => D + F::AXES,
        }
    }

    /// Which of the generalised velocities turn, in rad/s; the others are in m/s.
    pub fn turning(&self) -> Vec<bool> {
        let turns = |k: usize| match self {
            Self::Prismatic { .. } => false,
            Self::Floating { .. } => k >= D,
            _ => true,
        };
        (0..self.dofs()).map(turns).collect()
    }

    /// Where the origin of the link is, in coordinates of the joint.
    pub(super) fn origin(&self) -> Vector<S, D> {
        match self {
            Self::Prismatic { axis, position, .. } => axis.times(position),
            Self::Floating { position, .. } => position.clone(),
            Self::Fixed | Self::Revolute { .. } | Self::Ball { .. } => Vector::zero(),
        }
    }

    /// The orientation of the link against the joint.
    pub(super) fn orientation(&self) -> F {
        match self {
            Self::Fixed | Self::Prismatic { .. } => F::identity(),
            Self::Revolute { axis, position, .. } => F::about(axis, position),
            Self::Ball { orientation } | Self::Floating { orientation, .. } => orientation.clone(),
        }
    }

    /// The motions of a unit of each rate, as the velocity of the link's origin and the angular velocity, in coordinates of
    /// the joint. They stay as they are while the link moves.
    pub(super) fn columns(&self) -> Vec<(Vector<S, D>, Vec<S>)> {
        let still = || vec![S::zero(); F::AXES];
        let turns = || {
            (0..F::AXES).map(|k| {
                let mut axis = still();
                axis[k] = S::one();
                (Vector::zero(), axis)
            })
        };
        match self {
            Self::Fixed => Vec::new(),
            Self::Revolute { axis, .. } => vec![(Vector::zero(), axis.clone())],
            Self::Prismatic { axis, .. } => vec![(axis.clone(), still())],
            Self::Ball { .. } => turns().collect(),
            Self::Floating { .. } => {
                let moves = (0..D).map(|k| (Vector::axis(k), still()));
                moves.chain(turns()).collect()
            }
        }
    }

    /// Whether the joint stands at its lower, and at its upper limit.
    pub(super) fn at_limits(&self) -> [bool; 2] {
        self.against_limits()
            .map(|order| order == Some(Ordering::Equal))
    }

    /// How the position compares with both limits; `None` where it has none.
    pub(super) fn against_limits(&self) -> [Option<Ordering>; 2] {
        match self {
            Self::Revolute {
                position,
                limits: Some(limits),
                ..
            } => limits.each_ref().map(|own| Some(angles(position, own))),
            Self::Prismatic {
                position,
                limits: Some(limits),
                ..
            } => limits.each_ref().map(|own| Some(numbers(position, own))),
            _ => [None, None],
        }
    }

    /// How the lower limit compares with the upper one.
    pub(super) fn limits_order(&self) -> Option<Ordering> {
        match self {
            Self::Revolute {
                limits: Some([lower, upper]),
                ..
            } => Some(angles(lower, upper)),
            Self::Prismatic {
                limits: Some([lower, upper]),
                ..
            } => Some(numbers(lower, upper)),
            _ => None,
        }
    }
}

/// The order of two numbers, equal up to rounding where arithmetic rounds.
fn numbers<S: Scalar>(a: &S, b: &S) -> Ordering {
    let difference = a.clone() - b;
    if difference.is_negligible(&(a.abs() + b.abs())) {
        return Ordering::Equal;
    }
    difference.signum().cmp(&0)
}

/// The order of two angles in (-pi, pi]: that of tan(angle/2) = sin/(1 + cos), which grows with the angle and is infinite at
/// pi.
fn angles<S: Scalar>(a: &Rotation2<S>, b: &Rotation2<S>) -> Ordering {
    let apart = |own: &Rotation2<S>| own.cos().clone() + S::one();
    let [left, right] = [a, b].map(apart);
    let is_pi = |own: &S| own.is_negligible(&S::one());
    match (is_pi(&left), is_pi(&right)) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => numbers(&(a.sin().clone() / &left), &(b.sin().clone() / &right)),
    }
}
