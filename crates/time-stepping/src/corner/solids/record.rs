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
    /// The faces of `corners`, in order: those of one obstacle have one pair and one point.
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

/// A side of a body that a point of another one may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TouchedFace {
    /// The pair, by its number.
    pub pair: usize,
    /// The point, by its number in its body.
    pub point: usize,
    /// The side, by its number in its body.
    pub face: usize,
}

/// What the laws of a step are made of, at its start.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidLaws<S> {
    /// M.
    pub mass: MassMatrix<S>,
    /// k, with what turns bodies in space, N and N m.
    pub force: Vec<S>,
    /// All obstacles, each with all of its faces, in the displacement h v since the start of the step.
    pub obstacles: Vec<Vec<Face<S>>>,
    /// Their faces, in order.
    pub touched: Vec<TouchedFace>,
    /// How large the numbers are that gaps are made of: places of bodies, arms and sides, m.
    pub reach: S,
}
