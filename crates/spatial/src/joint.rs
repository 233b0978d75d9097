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
//!
//! Limits are the same with an inequality, and a multiplier that is not negative. With unit vectors a, u and w of the first
//! body, a along the hinge and at right angles to each other, and b of the second where u comes to be at the angle t, w'b =
//! sin(t - angle). So limits low and high are w'b >= 0 for t = high, and -w'b >= 0 for t = low, each within a
//! quarter turn of its limit, where u'b > 0. The travel of a slider is b'd with b along it.

use etalon_rigid::{Freedom, JointEquation, Vector, Vector3};
use etalon_time_stepping::{Arithmetic, Grid};
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
    /// Of a hinge or slider: the least and the largest travel from the start, rad or m.
    pub limits: Option<[Rational; 2]>,
    /// Of a hinge or slider.
    pub drive: Option<Drive>,
}

/// A drive: it pushes until a speed is reached, by no more than a force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drive {
    /// Of the first body against the second, rad/s or m/s.
    pub speed: Rational,
    /// The largest force or torque, N or N m.
    pub bound: Rational,
}

/// What a joint allows.
pub type JointFreedom = Freedom<Rational, 3>;

/// An equation of a joint, with vectors in body coordinates.
pub type Equation = JointEquation<Rational, 3>;

/// A joint as it is fixed in its bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct Fixture {
    /// The joint's point from the first body's centre, in its coordinates.
    pub first_arm: Vector3<Rational>,
    /// The same of the second body.
    pub second_arm: Vector3<Rational>,
    /// One a row.
    pub equations: Vec<Equation>,
    /// Of a hinge or slider.
    pub travel: Option<Travel>,
}

/// How far a hinge is turned, or a slider shifted, with vectors in body coordinates.
#[derive(Debug, Clone, PartialEq)]
pub enum Travel {
    /// By an angle.
    Turn {
        /// The hinge's axis, of the second body.
        axis: Vector3<Rational>,
        /// u and w, of the first.
        first: [Vector3<Rational>; 2],
        /// b of the lower and of the upper limit, of the second.
        limits: Option<Box<[Vector3<Rational>; 2]>>,
    },
    /// By a length.
    Shift {
        /// The slider's axis, of the second body.
        axis: Vector3<Rational>,
        /// m.
        limits: Option<[Rational; 2]>,
    },
}

/// A limit of a joint at a pose.
#[derive(Debug, Clone, PartialEq)]
pub struct StopRow {
    /// The number of the joint.
    pub joint: usize,
    /// Whether it is the upper one.
    pub upper: bool,
    /// Its gradient; `gap` is how far it is, m, or the sine of the angle.
    pub row: JointGradient,
}

/// A drive at a pose.
#[derive(Debug, Clone, PartialEq)]
pub struct DriveRow {
    /// The number of the joint.
    pub joint: usize,
    /// The gradient of its travel.
    pub row: JointGradient,
    /// What it strives for.
    pub drive: Drive,
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

impl JointGradient {
    /// That of minus the equation.
    pub(crate) fn negated(self) -> Self {
        Self {
            first: self.first.map(|own| -&own),
            second: self.second.map(|own| -&own),
            gap: -self.gap,
        }
    }
}

/// The travel of a kind of joint, for vectors of the world at the start; `Err` with what is wrong.
pub(crate) fn travel(joint: &Joint) -> Result<Option<Travel>, String> {
    let limits = joint.limits.as_ref();
    if let Some([low, high]) = limits.filter(|[low, high]| *low > 0 || *high < 0) {
        return Err(format!(
            "its limits are {low} and {high}, but its travel is 0 at the start; give limits with 0 between them"
        ));
    }
    if let Some(drive) = joint.drive.as_ref().filter(|own| own.bound < 0) {
        let bound = &drive.bound;
        return Err(format!(
            "the bound of its drive is {bound}, but must be at least 0"
        ));
    }
    match &joint.kind {
        JointFreedom::Hinge { axis } => {
            let [axis, u, w] = frame(axis)?;
            let limits = limits
                .map(|limits| turned_limits(limits, [&u, &w]))
                .transpose()?
                .map(Box::new);
            Ok(Some(Travel::Turn {
                axis,
                first: [u, w],
                limits,
            }))
        }
        JointFreedom::Slider { axis } => Ok(Some(Travel::Shift {
            axis: frame(axis)?[0].clone(),
            limits: limits.cloned(),
        })),
        kind if limits.is_some() || joint.drive.is_some() => Err(format!(
            "a {} joint has no limits and no drive: its travel is no single number; take a hinge or a slider",
            kind.word()
        )),
        _ => Ok(None),
    }
}

/// cos t u + sin t w of both limits, to 2^-60.
fn turned_limits(
    limits: &[Rational; 2],
    [u, w]: [&Vector3<Rational>; 2],
) -> Result<[Vector3<Rational>; 2], String> {
    // 3.14 is below half a turn, beyond which an angle is another one. As a JSON number it is the nearest binary64, which is larger by 1e-16.
    let most = Rational::from((157, 50)) + Rational::from((1, 1u64 << 50));
    if let Some(wide) = limits.iter().find(|own| own.cmp_abs(&most).is_gt()) {
        return Err(format!(
            "a limit is {wide} rad, but angles from a half turn on are others, too; keep it within 3.14"
        ));
    }
    // A limit counts within a quarter turn of it. At one limit the other one, seen from behind, is as near where both are 3/2 pi =
    // 4.71 rad apart. The 0.2 rad to spare are for what a step goes beyond a limit.
    let [low, high] = limits;
    let span = Rational::from(high - low);
    if span > Rational::from((9, 2)) {
        return Err(format!(
            "the limits are {span} rad apart, and from three quarters of a turn on the limit behind cannot be told from the one ahead; keep them within 4.5 rad of each other"
        ));
    }
    let one = |angle: &Rational| {
        let both = Grid::new(60).and_then(|grid| grid.sin_cos(angle));
        let (sin, cos) = both.map_err(|error| error.to_string())?;
        Ok::<_, String>(&u.times(&cos) + &w.times(&sin))
    };
    Ok([one(low)?, one(high)?])
}

/// The equations of a kind of joint, for vectors of the world at the start; `Err` with what is wrong.
pub(crate) fn equations(kind: &JointFreedom) -> Result<Vec<Equation>, String> {
    let is_square = |[first, second]: [&Vector3<Rational>; 2]| {
        // Frames are on a grid, and so are their products.
        match first.dot(second).to_f64().abs() > 1e-9 {
            true => Err("its axes are not at a right angle; turn one of them".to_owned()),
            false => Ok(()),
        }
    };
    kind.equations(&std::array::from_fn(Vector::axis), frame, is_square)
}

/// Orthonormal vectors up to rounding, the first along an axis.
pub(crate) fn frame(axis: &Vector3<Rational>) -> Result<[Vector3<Rational>; 3], String> {
    let values = crate::grid::to_f64s(axis);
    let frame = crate::contact::frame(values)
        .ok_or_else(|| "its axis is zero; give it a direction".to_owned())?;
    Ok(frame.map(|vector| crate::grid::kept(&vector)))
}
