//! binary64 solvers for linear complementarity problems that check their own answers.
mod block;
mod dantzig;
mod dense;
mod failure;
mod lemke;
mod method;
mod place;
mod point;
mod problem;
mod range;
mod reduce;
mod scale;
mod simd;
mod solver;
mod workspace;

pub use failure::Failure;
pub use method::{Method, UnknownMethod};
pub use place::{Place, Start};
pub use problem::{DataError, FrictionRow, Lcp, LcpRef};
pub use workspace::{Solution, Workspace};
