//! Exact reference solvers for linear complementarity problems.

mod bilateral;
mod budget;
mod classify;
mod decide;
mod enumerate;
mod lemke;
mod lemke_path;
mod lexicographic;
mod scaling;
mod solver;
mod tableau;
mod trace;

pub use budget::{Budget, Exhausted};
pub use decide::{Decision, decide};
pub use enumerate::{Face, Found, SolutionSet, enumerate, farkas, find_one};
pub use lemke::{Augmented, CoverError, Lemke, LemkeOutcome, LemkeRun, Ray, Ties};
pub use solver::{Method, UnknownMethod};
pub use tableau::Variable;
pub use trace::{Progress, Step, Trace};
