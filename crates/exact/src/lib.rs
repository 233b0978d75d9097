//! Exact reference solvers for linear complementarity problems.

mod budget;
mod enumerate;
mod scaling;
mod tableau;

pub use budget::{Budget, Exhausted};
pub use enumerate::{Face, Found, SolutionSet, enumerate, farkas, find_one};
pub use tableau::Variable;
