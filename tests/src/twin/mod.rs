//! The independent twin: a slow, simple, exact solver and checker for small linear complementarity
//! problems.
//!
//! It exists to disagree. It shares no code and no arithmetic library with the main implementation:
//! numbers are `malachite` rationals, the solution set is found by trying every complementary cell,
//! and every check is written from the definition. Where the two differ, one of them is wrong.
//!
//! The problem: given a square `M`, a vector `q` and bounds `l <= u` (entries may be infinite),
//! find `z` with `l <= z <= u` and `w = M z + q` such that, row by row,
//!
//! * `w_i >= 0` where `z_i = l_i`,
//! * `w_i <= 0` where `z_i = u_i`,
//! * `w_i = 0` where `z_i` is strictly between, and any `w_i` where `l_i = u_i`.
//!
//! The bounds of a friction row are `-mu z_n` and `mu z_n`, `n` its normal row.
//!
//! | file | does |
//! |---|---|
//! | `number` | exact numbers from text and from binary64 |
//! | `problem` | the problem and the check that a `z` solves it |
//! | `linear` | Gaussian elimination: solution sets, null spaces, determinants |
//! | `polyhedron` | vertices, rays and lines of a small polyhedron, by trying every subset of its faces |
//! | `decide` | the whole solution set, cell by cell |
//! | `sizes` | the sizes of rows and unknowns for the natural-scale error |
//! | `readings` | the points within the bounds that a candidate may be read as |
//! | `evaluate` | natural-scale error, backward error, negativity and residual of a candidate, and its distance from a solution |
//! | `perturbation` | the backward error from its definition |
//! | `certificate` | Farkas vectors and covers that prove that there is no solution |
//! | `class` | positive semidefinite and P-matrices, by all principal minors |
//! | `contact` | contacts with friction cones: the decision within eps, readings, negativity, residual |
//!
//! The work grows as 2^n for pure problems and 3^n for boxes: meant for n up to six or so.

mod certificate;
mod class;
pub mod contact;
mod decide;
mod evaluate;
mod linear;
mod number;
mod perturbation;
mod polyhedron;
mod problem;
mod readings;
mod sizes;

#[cfg(test)]
mod test_cases;
#[cfg(test)]
mod test_elimination;
#[cfg(test)]
mod test_figures;
#[cfg(test)]
mod test_properties;

pub use certificate::{Tree, check_cover, check_farkas};
pub use class::{determinant, is_p_matrix, is_positive_semidefinite, symmetric_part};
pub use decide::{Decision, decide};
pub use evaluate::{Evaluation, Moves, Tolerance, distance, evaluate};
pub use malachite::Rational;
pub use number::{from_f64, parse};
pub use perturbation::{perturbation_exists, perturbed_problem};
pub use problem::Problem;
