//! Steps of whole physics engines, held against exact truth.
//!
//! People run engines, not solvers. An [`EngineStep`] is one step of an engine as data (`etalon-step/1`), and [`judge_step`]
//! asks of it what its data let one ask (`docs/engines.md`):
//!
//! * **A**, the problem: is the answer the solution of the problem that the engine itself states? The distance from the
//!   only solution is proved to be in an interval.
//! * **B**, the impulses: do momentum, friction cone, direction of friction, declared targets and energy fit?
//! * **C**, the states alone: could any admissible impulse have done it? The answer is an impulse, or a test motion
//!   that separates, as proof that there is none.
//!
//! Every number is computed exactly, or in binary64 with a proved bound on its rounding. A verdict always names the
//! law that was judged: the exact solver of a soft model is right, whatever Coulomb says.
//!
//! **Untrusted input.** [`read_step`] checks its text against limits before memory is taken, and every error names
//! record, field and index. No function of this crate panics on any record.

mod assembly;
mod exact;
mod explain;
mod findings;
mod json;
mod judge;
mod laws;
pub mod motion;
mod problem;
mod settings;
pub mod step;
mod verdict;

pub use explain::StatesQuestion;
pub use findings::{
    Admissible, By, Distance, Explanation, Interval, Laws, Measured, MovedContact, Separation,
};
pub use judge::judge_step;
pub use problem::{FilterBound, RowSet, StepView, ViewError, filter_bound, filter_bound_of_pair};
pub use settings::StepJudge;
pub use step::{EngineStep, STEP_FORMAT, read_step, write_step};
pub use verdict::{Flag, Level, LevelFinding, StepVerdict, Word};

/// The JSON Schema (draft 2020-12) of step records.
pub const STEP_SCHEMA: &str = include_str!("schema/step.schema.json");
