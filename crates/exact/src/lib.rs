//! Exact reference solvers for linear complementarity problems.
//!
//! Find z with w = Mz + q, z >= 0, w >= 0, z'w = 0, in exact arithmetic: no tolerance, no
//! rounding, no cycling, and an answer also where there is no solution. The solvers are not built for
//! speed: each follows its textbook, so that its path can be checked against the theory
//! ([`Trace`]).
//!
//! | method | for | ends in | cost of a pivot |
//! |---|---|---|---|
//! | [`Lemke`], lexicographic | all M; decides copositive-plus ones | a solution or a secondary ray | n^2 products |
//! | [`Dantzig`] (Baraff's drive to zero) | symmetric PSD and P-matrices, boxes, bilateral rows | a solution or an unbounded drive | n^2 products |
//! | [`LeastIndex`] (Murty) | P-matrices | a solution | n^2 products |
//! | [`enumerate()`] | all M, small n | all solutions with the proof that these are all | exponentially many |
//! | [`decide`] | all | solvable or not, unique or not, with certificates | the above |
//!
//! When a basis is known, an exact answer is cheap. A proposed basis is proved, repaired or
//! replaced, so a fast solver with rounding errors can propose it.
//!
//! | step | answers | cost for a basis of k rows |
//! |---|---|---|
//! | [`basis_solution`] | the point of a basis, exactly, and all its signs | p-adic lifting: some k^3 / 10 machine operations for each 50 bits of an entry |
//! | [`certified()`], [`Certified`] | the problem, from a proposal of any quality | the above, or an exact method where the proposal is of no use |
//! | [`sign_certificate`] | whether a basis solves the problem, where no sign is near zero | one more factorisation in binary64, with rigorous error bounds |
//!
//! All work on integers over one common denominator, one exact division an entry, no greatest
//! common divisors (Edmonds 1967, Bareiss 1968); binary64 data become integers by powers of two.
//! Numbers grow to about n times the bits of the data.
//!
//! ```
//! use etalon_exact::{Budget, decide};
//! use etalon_lcp::{Unique, record};
//!
//! let problem = record::read_problem(
//!     r#"{"name": "tie", "M": [[1.5859375, 1], [1, 1]], "q": [-0.75, -0.75]}"#,
//! )?.record;
//! let decision = decide(&problem, &Budget::default());
//! assert_eq!(decision.truth.status().unique, Some(Unique::Z));
//! assert_eq!(decision.truth.solutions()[0], [0.0, 0.75]);
//! # Ok::<(), etalon_lcp::record::RecordError>(())
//! ```
//!
//! **Promises.** Every run ends, by its theory or with its [`Budget`], which is an outcome of its own. This crate
//! is not trusted: [`decide`] returns only facts that `etalon-certify` has checked, and every claim
//! carries its proof. No function panics on any problem; memory is bounded by the
//! budget of bits, and that of a tableau by 1 GiB.

mod basis;
mod budget;
mod certified;
mod classify;
mod contacts;
mod cores;
mod dantzig;
mod decide;
mod dictionary;
mod enumerate;
mod least_index;
mod lemke;
mod lexicographic;
mod lifting;
mod memory;
mod scaling;
mod sign_certificate;
mod solved_rows;
mod solver;
mod tableau;
#[cfg(test)]
mod testing;
mod trace;

pub use basis::{BasisFailure, BasisSolution, Signs, basis_solution};
pub use budget::{Budget, Exhausted, Stop};
pub use certified::{Certified, Proposal, certified, nearby_solutions};
pub use classify::{unique_w, unique_z};
pub use contacts::enclose;
pub use cores::{at_work, read_in_parts};
pub use dantzig::{Dantzig, DantzigError, DantzigOutcome, DantzigRun, Next};
pub use decide::{Decision, decide, decide_knowing};
pub use enumerate::{Face, Found, SolutionSet, enumerate, farkas, find_one};
pub use least_index::{LeastIndex, LeastIndexOutcome, LeastIndexRun};
pub use lemke::{Augmented, CoverError, Lemke, LemkeOutcome, LemkeRun, Ray, Ties};
pub use sign_certificate::{SignProof, sign_certificate, sign_certificate_near};
pub use solved_rows::{SolvedFor, SolvedRows, far_moves, solved_moves, solved_rows};
pub use solver::{ExactMethod, RAY_WITHOUT_PROOF, UnknownExactMethod};
pub use tableau::Variable;
pub use trace::{PivotStep, Progress, Trace};
