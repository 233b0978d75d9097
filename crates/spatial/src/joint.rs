//! Joints, and their rows at a pose: exact gradients of the equations that they stand for.
//!
//! Points and axes are fixed in the bodies. At a pose they are turned into the world and put on the grid; equation and
//! gradient are then those of the vectors on the grid, exactly. With a = the arm from the centre of mass to
//! the joint's point, d = x1 + a1 - x2 - a2, and unit vectors e of the first and b of the second body:
//!
//! | equation | its rate | rows |
//! |---|---|---|
//! | d = 0 | v1 + w1 x a1 - v2 - w2 x a2 | ball, hinge, universal, fixed |
//! | b'd = 0 | b'(v1 + w1 x a1) - b'(v2 + w2 x (a2 + d)) | slider, twice |
//! | e'b = 0 | (w1 - w2)'(e x b) | hinge twice, universal once, fixed and slider three times |

use etalon_rigid::{Vector, Vector3};
use rug::Rational;

/// A joint between two bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// The name, unique among joints.
    pub name: String,
    /// The number of one body.
    pub first: usize,
    /// The number of the other.
    pub second: usize,
    /// Where it is at the start, in the world, m.
    pub point: Vector3<Rational>,
    /// What it allows.
    pub kind: JointFreedom,
}

/// What a joint allows.
#[derive(Debug, Clone, PartialEq)]
pub enum JointFreedom {
    /// All rotations about the point: 3 rows.
    Ball,
    /// Rotation about an axis through the point: 5 rows.
    Hinge {
        /// At the start, in the world; of any length but zero.
        axis: Vector3<Rational>,
    },
    /// Rotation about an axis of either body, which stay at a right angle: 4 rows.
    Universal {
        /// Of the first body, at the start, in the world.
        axis: Vector3<Rational>,
        /// Of the second, at a right angle to the first.
        second_axis: Vector3<Rational>,
    },
    /// Shifts along an axis: 5 rows.
    Slider {
        /// At the start, in the world; of any length but zero.
        axis: Vector3<Rational>,
    },
    /// Nothing: 6 rows.
    Fixed,
}

impl JointFreedom {
    /// The word of it in scenes.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Ball => "ball",
            Self::Hinge { .. } => "hinge",
            Self::Universal { .. } => "universal",
            Self::Slider { .. } => "slider",
            Self::Fixed => "fixed",
        }
    }
}

/// An equation of a joint, with vectors in body coordinates.
#[derive(Debug, Clone, PartialEq)]
pub enum Equation {
    /// u'd = 0 for a direction u of the world.
    Together {
        /// The axis of the world.
        axis: usize,
    },
    /// b'd = 0.
    Along {
        /// b, of the second body.
        second: Vector3<Rational>,
    },
    /// e'b = 0.
    Square {
        /// e, of the first body.
        first: Vector3<Rational>,
        /// b, of the second.
        second: Vector3<Rational>,
    },
}

/// A joint as it is fixed in its bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct Fixture {
    /// The joint's point from the first body's centre, in its coordinates.
    pub first_arm: Vector3<Rational>,
    /// The same of the second body.
    pub second_arm: Vector3<Rational>,
    /// One a row.
    pub equations: Vec<Equation>,
}

/// The vectors of an equation at a pose, on the grid, in the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// a1.
    pub first_arm: Vector3<Rational>,
    /// a2.
    pub second_arm: Vector3<Rational>,
    /// d.
    pub apart: Vector3<Rational>,
    /// The equation with its vectors in the world.
    pub equation: Equation,
}

/// A row of a joint: forces and torques on both bodies of a unit multiplier, and the equation's left side.
#[derive(Debug, Clone, PartialEq)]
pub struct JointGradient {
    /// Force and torque on the first body.
    pub first: [Vector3<Rational>; 2],
    /// On the second.
    pub second: [Vector3<Rational>; 2],
    /// f, m or 1.
    pub gap: Rational,
}

impl Placed {
    /// The exact gradient.
    pub fn row(&self) -> JointGradient {
        let pulled = |u: &Vector3<Rational>, second_arm: &Vector3<Rational>| JointGradient {
            first: [u.clone(), self.first_arm.cross(u)],
            second: [-u, -&second_arm.cross(u)],
            gap: u.dot(&self.apart),
        };
        match &self.equation {
            Equation::Together { axis } => pulled(&Vector::axis(*axis), &self.second_arm),
            Equation::Along { second } => pulled(second, &(&self.second_arm + &self.apart)),
            Equation::Square { first, second } => {
                let torque = first.cross(second);
                JointGradient {
                    second: [Vector::zero(), -&torque],
                    first: [Vector::zero(), torque],
                    gap: first.dot(second),
                }
            }
        }
    }
}

/// The equations of a kind of joint, for vectors of the world at the start; `Err` with what is wrong.
pub(crate) fn equations(kind: &JointFreedom) -> Result<Vec<Equation>, String> {
    let together = || (0..3).map(|axis| Equation::Together { axis });
    let square = |first: &Vector3<Rational>, second: &Vector3<Rational>| Equation::Square {
        first: first.clone(),
        second: second.clone(),
    };
    Ok(match kind {
        JointFreedom::Ball => together().collect(),
        JointFreedom::Hinge { axis } => {
            let [axis, one, other] = frame(axis)?;
            let held = [square(&axis, &one), square(&axis, &other)];
            together().chain(held).collect()
        }
        JointFreedom::Universal { axis, second_axis } => {
            let [first, ..] = frame(axis)?;
            let [second, ..] = frame(second_axis)?;
            if first.dot(&second).to_f64().abs() > 1e-9 {
                return Err("its axes are not at a right angle; turn one of them".to_owned());
            }
            together().chain([square(&first, &second)]).collect()
        }
        JointFreedom::Slider { axis } => {
            let [axis, one, other] = frame(axis)?;
            let along = [&one, &other].map(|second| Equation::Along {
                second: second.clone(),
            });
            along
                .into_iter()
                .chain(locked(&[axis, one, other]))
                .collect()
        }
        JointFreedom::Fixed => {
            let axes = std::array::from_fn(Vector::axis);
            together().chain(locked(&axes)).collect()
        }
    })
}

/// Three equations that let nothing turn.
fn locked(frame: &[Vector3<Rational>; 3]) -> [Equation; 3] {
    [(0, 1), (1, 2), (2, 0)].map(|(i, j)| Equation::Square {
        first: frame[i].clone(),
        second: frame[j].clone(),
    })
}

/// Orthonormal vectors up to rounding, the first along an axis.
pub(crate) fn frame(axis: &Vector3<Rational>) -> Result<[Vector3<Rational>; 3], String> {
    let values = crate::grid::to_f64s(axis);
    let frame = crate::contact::frame(values)
        .ok_or_else(|| "its axis is zero; give it a direction".to_owned())?;
    Ok(frame.map(|vector| crate::grid::kept(&vector)))
}
