//! The record of a step.

use etalon_rigid::MassMatrix;

use crate::corner::{CornerStep, Corners, Face};
use crate::step::{Energy, State};

/// One step of bodies that turn.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidStep<S> {
    /// The state after, rounded as the arithmetic says.
    pub after: State<S>,
    /// The obstacles that take part, in the displacement h v since the start of the step.
    pub corners: Corners<S>,
    /// The faces of `corners`, in order: those of one obstacle have one pair, and one point or one number of the whole pair.
    pub touched: Vec<TouchedFace>,
    /// The step among them: its velocities are those of the solution, not rounded.
    pub step: CornerStep<S>,
    /// T and V after the step, J.
    pub energy: Energy<S>,
    /// What turning and rounding take, J.
    pub dissipation: SolidDissipation<S>,
}

/// What the step of a body that turns takes besides friction, impacts and gaps.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidDissipation<S> {
    /// What the explicit impulse of inertia, and the turning of M, take: of bodies in space that are no spheres.
    pub inertial: S,
    /// What rounding of the state takes.
    pub rounding: S,
}

pub(super) type Losses<S> = SolidDissipation<S>;

/// A face of an obstacle: what of two bodies may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TouchedFace {
    /// The pair, by its number.
    pub pair: usize,
    /// What touches.
    pub touch: Touch,
    /// Which obstacle of the whole pair it belongs to, from 1; `None` where the point is the obstacle.
    pub whole: Option<usize>,
}

/// The same with its gap.
pub(super) type Touching<S> = (TouchedFace, Face<S>);

/// What of the bodies of a pair may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
    /// A point of the first body and a side of the second one.
    Point {
        /// By its number in its body.
        point: usize,
        /// By its number in its body.
        face: usize,
    },
    /// An edge of the first body and one of the second one, by their numbers.
    Edges([usize; 2]),
}

/// What the laws of a step are made of, at its start.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidLaws<S> {
    /// M.
    pub mass: MassMatrix<S>,
    /// k, with what turns bodies in space, N and N m.
    pub force: Vec<S>,
    /// All points as obstacles, each with all of its faces, in the displacement h v since the start of the step.
    pub obstacles: Vec<Vec<Face<S>>>,
    /// Their faces, in order.
    pub touched: Vec<TouchedFace>,
    /// All pairs of bodies that both have points and sides.
    pub wholes: Vec<SolidWhole<S>>,
    /// How large the numbers are that gaps are made of: places of bodies, arms and sides, m.
    pub reach: S,
}

/// What keeps the two bodies of a pair apart as a whole: one of these directions has to be open.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidWhole<S> {
    /// The pairs of its points and sides, both ways.
    pub pairs: [usize; 2],
    /// The directions.
    pub directions: Vec<ApartDirection<S>>,
    /// Gaps of all points of one body and a side of the other one, as the positions of their faces among those of all points.
    pub sides: Vec<Vec<(usize, usize)>>,
}

/// A direction that may keep two bodies apart: it is open where all of its gaps are.
#[derive(Debug, Clone, PartialEq)]
pub struct ApartDirection<S> {
    /// What touches, with the gap in the displacement h v since the start of the step. The names are those of the faces of no obstacle yet.
    pub faces: Vec<(TouchedFace, Face<S>)>,
}
