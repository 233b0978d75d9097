#![doc = include_str!("manual.md")]

mod bounce;
mod branch;
mod candidates;
mod friction;
mod interval;
mod jet;
mod josephy;
mod krawczyk;
mod linear;
mod number;
pub(crate) mod pose;
mod problem;
mod record;
mod recorded;
mod separation;
mod shape;
mod start;
mod stepper;
mod system;
mod touch;

pub use branch::{Branch, Condition, Mode, Unpacked};
pub use interval::Interval;
pub use jet::Jet;
pub use krawczyk::{Enclosure, Unproved, newton, preconditioner, prove, refine};
pub use number::Number;
pub use pose::Pose;
pub use problem::{Bounce, PairUnknowns, PairValues, StepProblem, Values};
pub use record::{ImplicitDissipation, ImplicitStep, PairRecord, Verified};
pub use recorded::PairFrame;
pub use shape::{MAX_EXPONENT, Shape};
pub use stepper::ImplicitStepper;
pub use system::{Body, ConstantLoad, Mobility, Pair, System};
pub use touch::PairTouch;
