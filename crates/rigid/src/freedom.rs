//! What joints allow, and the equations that hold the rest: one place for scenes at rest and in motion.
//!
//! With d = x1 - x2 between the joint's points of both bodies, e a vector of the first body and b one of the second:
//!
//! | joint | equations |
//! |---|---|
//! | ball | d = 0 along each axis of the world |
//! | hinge | the same, and e'b = 0 for e along the axis and two b across it |
//! | universal | the same, and e'b = 0 for its two axes |
//! | slider | b'd = 0 for two b across the axis, and e'b = 0 three times, so that nothing turns |
//! | fixed | d = 0 and the same three |

use crate::vector::Vector;

/// What a joint allows.
#[derive(Debug, Clone, PartialEq)]
pub enum Freedom<S, const D: usize> {
    /// All rotations about the point: 3 rows.
    Ball,
    /// Rotation about an axis through the point: 5 rows.
    Hinge {
        /// At the start, in the world; of any length but zero.
        axis: Vector<S, D>,
    },
    /// Rotation about an axis of either body, which stay at a right angle: 4 rows.
    Universal {
        /// Of the first body, at the start, in the world.
        axis: Vector<S, D>,
        /// Of the second, at a right angle to the first.
        second_axis: Vector<S, D>,
    },
    /// Shifts along an axis: 5 rows.
    Slider {
        /// At the start, in the world; of any length but zero.
        axis: Vector<S, D>,
    },
    /// Nothing: 6 rows.
    Fixed,
}

/// An equation of a joint.
#[derive(Debug, Clone, PartialEq)]
pub enum JointEquation<S, const D: usize> {
    /// u'd = 0 for a direction u of the world.
    Together {
        /// The axis of the world.
        axis: usize,
    },
    /// b'd = 0.
    Along {
        /// b, of the second body.
        second: Vector<S, D>,
    },
    /// e'b = 0.
    Square {
        /// e, of the first body.
        first: Vector<S, D>,
        /// b, of the second.
        second: Vector<S, D>,
    },
}

impl<S: Clone, const D: usize> Freedom<S, D> {
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

    /// The same with its axes in other coordinates.
    pub(crate) fn with_axes(&self, to: impl Fn(&Vector<S, D>) -> Vector<S, D>) -> Self {
        match self {
            Self::Ball => Self::Ball,
            Self::Hinge { axis } => Self::Hinge { axis: to(axis) },
            Self::Universal { axis, second_axis } => Self::Universal {
                axis: to(axis),
                second_axis: to(second_axis),
            },
            Self::Slider { axis } => Self::Slider { axis: to(axis) },
            Self::Fixed => Self::Fixed,
        }
    }

    /// Its equations. `frame` makes of an axis three vectors at right angles, the first along it; `fixed` is any frame; and
    /// `is_square` says whether the two axes of a universal joint are at a right angle.
    ///
    /// # Errors
    /// What `frame` and `is_square` say.
    pub fn equations<E>(
        &self,
        fixed: &[Vector<S, D>; 3],
        frame: impl Fn(&Vector<S, D>) -> Result<[Vector<S, D>; 3], E>,
        is_square: impl Fn([&Vector<S, D>; 2]) -> Result<(), E>,
    ) -> Result<Vec<JointEquation<S, D>>, E> {
        let together = || (0..3).map(|axis| JointEquation::Together { axis });
        let square = |first: &Vector<S, D>, second: &Vector<S, D>| JointEquation::Square {
            first: first.clone(),
            second: second.clone(),
        };
        // Three equations that let nothing turn.
        let locked = |own: &[Vector<S, D>; 3]| {
            [(0, 1), (1, 2), (2, 0)].map(|(i, j)| square(&own[i], &own[j]))
        };
        Ok(match self {
            Self::Ball => together().collect(),
            Self::Hinge { axis } => {
                let [axis, one, other] = frame(axis)?;
                let held = [square(&axis, &one), square(&axis, &other)];
                together().chain(held).collect()
            }
            Self::Universal { axis, second_axis } => {
                let [first, ..] = frame(axis)?;
                let [second, ..] = frame(second_axis)?;
                is_square([&first, &second])?;
                together().chain([square(&first, &second)]).collect()
            }
            Self::Slider { axis } => {
                let own = frame(axis)?;
                let along = [&own[1], &own[2]].map(|second| JointEquation::Along {
                    second: second.clone(),
                });
                along.into_iter().chain(locked(&own)).collect()
            }
            Self::Fixed => together().chain(locked(fixed)).collect(),
        })
    }
}
