//! Exact reference solvers for linear complementarity problems.

mod bilateral;
mod budget;
mod classify;
mod dantzig;
mod dantzig_boxes;
mod dantzig_drive;
mod decide;
mod enumerate;
mod least_index;
mod lemke;
mod lemke_path;
mod lexicographic;
mod scaling;
mod solver;
mod tableau;
mod trace;

pub use budget::{Budget, Exhausted};
pub use dantzig::{Dantzig, DantzigError, DantzigOutcome, DantzigRun, Next};
pub use decide::{Decision, decide};
pub use enumerate::{Face, Found, SolutionSet, enumerate, farkas, find_one};
pub use least_index::{LeastIndex, LeastIndexOutcome, LeastIndexRun};
pub use lemke::{Augmented, CoverError, Lemke, LemkeOutcome, LemkeRun, Ray, Ties};
pub use solver::{Method, UnknownMethod};
pub use tableau::Variable;
pub use trace::{Progress, Step, Trace};
