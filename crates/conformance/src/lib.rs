//! Problems to judge solvers with, families of linear complementarity problems with a known property,
//! and the solver under test as a [`process`].
//!
//! A [`Family`] is a recipe for problems LCP(q, M), that is w = Mz + q, z >= 0, w >= 0, z'w = 0
//! (or with bounds on z), of any size n that it allows. Its [`Theory`] is the property that all its members
//! have: a P-matrix has exactly one solution, a Farkas vector excludes any, and so on.
//!
//! ```
//! let problems: Vec<_> = etalon_conformance::generate("murty", 3, 2, 1)?.collect();
//! assert_eq!(problems[0].name(), "murty/n3/s1/0");
//! assert_eq!(problems[0].n(), 3);
//! assert!(problems.iter().all(|problem| problem.is_binary64()));
//! # Ok::<(), etalon_conformance::GenerateError>(())
//! ```
//!
//! **Same arguments, same bytes, on every machine.** Problem k of a family depends on the family,
//! n, the seed and k alone. So a longer run begins with the shorter one. Random bits come from
//! ChaCha8. The rest is integer arithmetic, or additions and multiplications of binary64
//! numbers in a fixed order, which IEEE 754 rounds the same way on all machines. All data are binary64
//! numbers, so a float solver is given just the problem that is judged.
//!
//! **Cost.** A problem of a dense family takes n^3 operations and holds n^2 numbers; problems are
//! made one at a time, when the iterator is asked for them.

mod alive;
mod capability;
mod deadline;
mod examine;
mod failure;
mod fuzz;
mod generate;
pub mod kit;
mod probe;
pub mod process;
mod severity;
mod shrink;
mod snippet;
mod subject;

pub use alive::{FIRST, always_the_same, easy_ones, nobody_answers};
pub use capability::{Capabilities, Matrices, Skip, UnknownCapability};
pub use deadline::{Clock, Deadline, SystemClock};
pub use examine::{Examination, Examiner, Fault};
pub use failure::{FailureKind, SubjectFailure};
pub use fuzz::{Fuzz, FuzzFinding, FuzzLimits, FuzzReport};
pub use generate::{
    Family, GenerateError, Sizes, Theory, all_families, cone_families, families, generate,
    mixed_families, resting_families,
};
pub use probe::{Known, Probed, probe};
pub use severity::{FailureClass, Severity};
pub use shrink::{KeptProperties, ShrinkError, ShrinkLimits, Shrinker, Shrunk};
pub use snippet::{Language, snippet};
pub use subject::{Function, InProcess, MAX_DENSE, Subject, ask_again_if_hung, is_too_large};
