//! Why a world cannot be, or a step not be taken.

use etalon_rigid::SceneError;
use etalon_time_stepping::StepError;

/// Why a world in space cannot move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpatialError {
    /// A body of impossible mass, inertia or attitude, or a name that comes twice.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A setting out of its range, or a solver that gave up.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A shape without an inside.
    #[error("body {body:?}: the shape is degenerate: {why}")]
    Shape {
        /// The body.
        body: String,
        /// What is wrong, with the remedy.
        why: String,
    },
    /// A body whose pieces cannot be.
    #[error("body {body:?}: the field \"pieces\": {why}")]
    Pieces {
        /// The body.
        body: String,
        /// What is wrong, with the remedy.
        why: String,
    },
    /// A fixed body that is to move.
    #[error(
        "body {body:?} is fixed and has a velocity: in motion a fixed body stands still; leave the velocity out, or give it a mass and hold it by a joint"
    )]
    Kinematic {
        /// The body.
        body: String,
    },
    /// A half-space that could move.
    #[error("body {body:?} is a half-space, which has no centre of mass: make it \"fixed\"")]
    MovingHalfSpace {
        /// The body.
        body: String,
    },
    /// Bodies that share room before the first step.
    #[error(
        "bodies {first:?} and {second:?} overlap by {depth} m at the start: move one of them along {normal}, or leave the shape of one out"
    )]
    Overlap {
        /// One body.
        first: String,
        /// The other.
        second: String,
        /// How deep, m.
        depth: String,
        /// From the second to the first.
        normal: String,
    },
    /// Bodies between which geometry finds no contact that holds.
    #[error(
        "bodies {first:?} and {second:?}: geometry in binary64 finds no contact that holds in exact arithmetic; take a shorter step h, so that they overlap less, or give the thinner of them more thickness"
    )]
    Unfound {
        /// One body.
        first: String,
        /// The other.
        second: String,
    },
    /// Two pairs of bodies whose contacts would have the same names.
    #[error(
        "contacts of bodies {first:?} and {second:?} have the name {contact:?}, and contacts of {third:?} and {fourth:?} may, too; rename a body: a name without \"/\" that does not end in a blank and a number is always clear"
    )]
    PairNames {
        /// The name.
        contact: String,
        /// The later body of one pair.
        first: String,
        /// The earlier.
        second: String,
        /// The later body of the other pair.
        third: String,
        /// The earlier.
        fourth: String,
    },
    /// Bodies that meet within a step without a contact.
    #[error(
        "bodies {first:?} and {second:?} would overlap by {depth} m at the end of the step where they have no contact: something drives one of them further than its speed before the step let expect; take a shorter step h"
    )]
    Meeting {
        /// One body.
        first: String,
        /// The other.
        second: String,
        /// m.
        depth: String,
    },
    /// A part that names a body which is not there.
    #[error("{owner} names body {body:?}, but the bodies are {known}")]
    UnknownBody {
        /// The joint or surface.
        owner: String,
        /// The name.
        body: String,
        /// All names.
        known: String,
    },
    /// A joint of impossible data.
    #[error("joint {joint:?}: {why}")]
    Joint {
        /// The joint.
        joint: String,
        /// What is wrong, with the remedy.
        why: String,
    },
    /// Velocities that tear a joint apart before the first step.
    #[error(
        "joint {joint:?} does not hold at the start: its parts move at {rate} along a row that allows no motion; give its bodies velocities that agree there"
    )]
    JointVelocity {
        /// The joint.
        joint: String,
        /// m/s or 1/s.
        rate: String,
    },
    /// A contact of a record that cannot be one of the scene.
    #[error("contact {contact:?}: {why}")]
    Recorded {
        /// Its name.
        contact: String,
        /// What is wrong.
        why: String,
    },
    /// A joint that holds what others hold already, but elsewhere.
    #[error(
        "joint {joint:?} holds what the joints before it hold already, and {apart} (m, or the sine of an angle) from where they do: take a shorter step, or give it a kind with fewer rows (a ball joint in place of a hinge)"
    )]
    RedundantJoint {
        /// The joint.
        joint: String,
        /// How far apart.
        apart: String,
    },
    /// A surface of impossible friction or restitution.
    #[error("{owner}: {quantity} is {value}, but must be {range}")]
    Surface {
        /// The pair, or the default.
        owner: String,
        /// Which number.
        quantity: &'static str,
        /// Its value.
        value: String,
        /// The permitted values.
        range: &'static str,
    },
    /// A grain of friction that stands on the surface.
    #[error(
        "contact {contact:?}: the direction \"along\" of its friction is along its normal, so that none is left in the surface; give another direction"
    )]
    Grain {
        /// The contact.
        contact: String,
    },
    /// A rotation that is too fast for the step.
    #[error(
        "body {body:?} turns by {angle} rad in a step, more than the 2 rad that the midpoint rule follows: take a shorter step h"
    )]
    Spin {
        /// The body.
        body: String,
        /// The angle.
        angle: String,
    },
    /// A place beyond what geometry can take.
    #[error(
        "body {body:?} is at {value}, too far for binary64 geometry: move the scene to the origin"
    )]
    Range {
        /// The body.
        body: String,
        /// Its place.
        value: String,
    },
    /// What a world of first order does not have.
    #[error("the method first-order is of f = m v: {0}")]
    FirstOrder(String),
    /// A motion beyond what geometry can take.
    #[error(
        "body {body:?} moves {speed} in the step, too fast for binary64 geometry: take smaller velocities, lengths or gravity, or a shorter step h"
    )]
    Speed {
        /// The body.
        body: String,
        /// How fast.
        speed: String,
    },
    /// The surface of a pair that is none, or that is named before.
    #[error("the surface of {first:?} and {second:?}: {why}")]
    Pair {
        /// The one body.
        first: String,
        /// The other.
        second: String,
        /// What is wrong.
        why: &'static str,
    },
    /// An inertia that no body has, or none that can be stepped.
    #[error("body {body:?}: the field \"inertia\": {why}")]
    Inertia {
        /// The body.
        body: String,
        /// What is wrong, with the remedy.
        why: String,
    },
    /// The circular cone's solver, which works in binary64, found no answer.
    #[error(
        "{solver} gave up on the step's problem in the circular cone: {message}. It works in binary64{steep}; take a cone \"pyramid:K\", whose steps are solved exactly, or a shorter step h"
    )]
    Circular {
        /// The solver.
        solver: String,
        /// What it says.
        message: String,
        /// Where friction is so large that its digits are lost: that.
        steep: String,
    },
}
