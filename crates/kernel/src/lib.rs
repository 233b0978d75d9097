//! The trusted base: the least that has to be right for a proof to be one.
//!
//! The problem: find z with w = Mz + q such that on every row L_i <= z_i <= U_i, z_i = L_i or
//! w_i <= 0, and z_i = U_i or w_i >= 0; a condition with an absent bound is false. Bounds are
//! numbers, or -mu z_j and mu z_j. A [`Truth`] says what is proved of it; only this crate writes one.
//!
//! | certificate | rule | proves | file |
//! |---|---|---|---|
//! | z | the line above | a solution | `solution.rs` |
//! | cover (a Farkas vector is one leaf) | a tree of forms and points | none, or all | `cover.rs`, `form.rs`, `rank.rs` |
//! | class of M | exact elimination | w or z is unique | `classes.rs` |
//!
//! Where there are friction cones a contact obeys a law of its own, which `cone.rs` decides. What else is
//! proved of such problems stands apart, in `cones`.
//!
//! What can be checked is not computed: a form comes with its multipliers and a leaf with its point,
//! from a [`Vector`] that is not trusted.
//!
//! All arithmetic is exact, on integers of GMP. Nothing panics on any input, and a check ends with
//! a [`Refusal`] rather than take more memory or time than its [`Budget`]. The book walks
//! through the crate file by file (`docs/kernel.md`) and proves the rules (`docs/certificates.md`).
//!
//! ```
//! use etalon_kernel::{Bound, Bounds, Budget, Class, Problem, Truth};
//! use rug::Rational;
//!
//! /// w = z - 1, z >= 0.
//! struct One;
//!
//! impl Problem for One {
//!     fn n(&self) -> usize {
//!         1
//!     }
//!     fn row(&self, _: usize) -> impl Iterator<Item = (usize, Rational)> {
//!         [(0, Rational::from(1)), (1, Rational::from(-1))].into_iter()
//!     }
//!     fn bounds(&self, _: usize) -> Bounds {
//!         let (constant, slope) = (Rational::new(), Rational::new());
//!         [Some(Bound { constant, slope, of: 0 }), None]
//!     }
//! }
//!
//! let (mut truth, budget) = (Truth::default(), Budget::default());
//! truth.add_solution(&One, vec![Rational::from(1)], &budget)?;
//! truth.add_class(&One, &Class::PositiveDefinite, &budget)?;
//! assert!(truth.proved().has_all_solutions);
//! # Ok::<(), etalon_kernel::Refusal>(())
//! ```

#![forbid(unsafe_code)]

mod budget;
mod classes;
mod cone;
mod cones;
mod contact;
mod cover;
mod exact;
mod fact;
mod form;
mod rank;
mod rows;
mod solution;

pub use budget::{Budget, DIVISION, Held, bits, fraction_bits};
pub use classes::{MAX_ELIMINATION, MAX_MINORS};
pub use cone::{At, Cone, Disc, Law, obeys};
pub use cones::{ConeNode, Direction, Enclosure, Mode, Others};
pub use cover::Node;
pub use exact::Exact;
pub use fact::{Class, Proved, Truth, Unique};
pub use form::Vector;
pub use rows::{Bound, Bounds, Problem, Row};
pub use solution::check_solution;

/// What a check finds, or why it refuses.
pub type Checked<T = ()> = Result<T, Refusal>;

/// Why nothing is proved, and where. It refutes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// The node of a cover.
    pub node: Option<usize>,
    /// The row of the problem.
    pub row: Option<usize>,
    /// What is wrong there.
    pub why: &'static str,
}

impl Refusal {
    /// Too much to hold at once: what was to be checked may hold.
    pub const MEMORY: Self = Self::new("over the budget of the checker: too many bits of numbers");
    /// Too much to do: what was to be checked may hold.
    pub const WORK: Self = Self::new("over the budget of the checker: too many products of words");

    const fn new(why: &'static str) -> Self {
        Self { node: None, row: None, why }
    }

    fn at_row(self, row: usize) -> Self {
        Self { row: Some(row), ..self }
    }

    /// Whether the check only ran out of its budget.
    pub fn is_over_budget(&self) -> bool {
        [Self::MEMORY.why, Self::WORK.why].contains(&self.why)
    }
}

/// A refusal with these words, unless the condition holds.
fn ensure(holds: bool, why: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(Refusal::new(why)) }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (what, place) in [("node", self.node), ("row", self.row)] {
            place.map_or(Ok(()), |place| write!(f, "{what} {place}: "))?;
        }
        f.write_str(self.why)
    }
}

impl std::error::Error for Refusal {}
