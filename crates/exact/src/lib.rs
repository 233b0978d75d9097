//! Exact reference solvers for linear complementarity problems.

mod budget;
mod scaling;
mod tableau;

pub use budget::{Budget, Exhausted};
pub use tableau::Variable;
