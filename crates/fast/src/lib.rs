//! binary64 solvers for linear complementarity problems that check their own answers.
//!
//! > w = M z + q,  and row by row w_i >= 0 where z_i is at its lower bound, w_i <= 0 where it is at
//! > its upper bound, w_i = 0 between; bounds 0 and infinity unless given: z, w >= 0, z'w = 0.
//!
//! ```
//! use etalon_fast::{LcpRef, FastMethod, Start, Workspace};
//!
//! let m = [2.0, 1.0, 1.0, 2.0];
//! let q = [-5.0, -6.0];
//! let mut workspace = Workspace::new(); // kept from frame to frame
//! let solution = workspace.solve(LcpRef::new(&m, &q)?, FastMethod::Auto, Start::Cold)?;
//! assert!((solution.z[0] - 4.0 / 3.0).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | method | for | cost |
//! |---|---|---|
//! | block principal pivoting | symmetric positive semidefinite M, redundant contacts included; P-matrices | a Cholesky (LU) of the active rows a round, few rounds |
//! | Dantzig (Baraff 1994) | symmetric positive semidefinite M, boxes, bilateral rows | O(n k) a pivot, k active rows |
//! | Lemke | any M; friction rows | O(n^2) a pivot, applied several at a time |
//! | [`solve_sparse`] | sparse symmetric positive semidefinite M; sparse M with friction; the same beside the velocities of bodies | a sparse Cholesky a round; ten to twenty sparse LU |
//! | auto | chooses by size, symmetry, diagonal, zeros; pure problems of up to 37 rows are walked on a dictionary of fixed size | O(n^2) a pivot there |
//!
//! **Promised.** An answer is returned as [`Solution`] only when its componentwise backward error,
//! rounding of the check itself included, is at most (4 n + 16) 2^-53. Then z exactly solves a problem
//! of which every number differs by no more than that part of itself. Everything else is a
//! [`Failure`]. Any finite input is answered, without panic and within a budget of pivots. Data
//! beyond 2^+-300 are equilibrated by powers of two. Bounds of 1e15 or more may stand for none; they
//! are left out where only that leads to an answer, and the answer keeps them. A workspace that has
//! the size of a problem takes no memory for pivoting.
//!
//! **Not promised.** A failure proves nothing, not even a ray; proofs are the exact solvers' work.
//! Results may differ in the last bits between machines with and without fused multiply-add.

mod block;
mod cone;
mod core;
mod dantzig;
mod dense;
mod failure;
mod far;
mod interior;
mod kept;
mod lemke;
mod meter;
mod method;
mod place;
mod point;
mod problem;
mod proof;
mod range;
mod reduce;
mod round;
mod scale;
mod simd;
mod small;
mod solution;
mod solver;
mod sparse;
mod sweep;
mod tiny;
mod tolerances;
mod unions;
mod workspace;

pub use cone::{ConeProblem, ConeSolution, solve_cones};
pub use failure::Failure;
pub use method::{FastMethod, UnknownFastMethod};
pub use place::{Place, Start};
pub use problem::{DataError, FrictionRow, Lcp, LcpRef};
pub use simd::instruction_set;
pub use solution::Solution;
pub use solver::ConeSolver;
pub use sparse::{SparseError, SparseLcp, SparseSolution, solve_sparse};
pub use workspace::Workspace;
