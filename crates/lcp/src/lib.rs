//! The vocabulary of Etalon: the data that scenes, solvers and the checker exchange.
//!
//! The **linear complementarity problem** LCP(q, M) asks for z with
//!
//! > w = M z + q,  z >= 0,  w >= 0,  z'w = 0.
//!
//! A [`Problem`] is such a question, pure or with bounds on z (boxes, bilateral rows, friction
//! pyramids) or with friction [`Cone`]s. A [`Claim`] is a solver's answer, and a [`Verdict`] is the judge's decision on
//! the claim. A [`Certificate`] is a proof that a claim carries. All numbers are exact
//! ([`Number`]): a finite double is a dyadic rational, a string such as `"1/3"` a fraction.
//!
//! ```
//! use etalon_lcp::record;
//!
//! let line = r#"{"name": "pd", "M": [[2, 1], [1, 2]], "q": [-5, "-6"]}"#;
//! let problem = record::read_problem(line)?.record;
//! assert_eq!(problem.n(), 2);
//! assert!(problem.is_pure());
//! # Ok::<(), etalon_lcp::record::RecordError>(())
//! ```
//!
//! The crate holds data and exact reductions between forms ([`Reduction`], [`PureForm`]); it
//! decides nothing. Judging is `etalon-certify`, solving is `etalon-exact`.
//!
//! **Untrusted input.** Everything read from text is checked against the [`limits`] before
//! memory is taken for it, and every error names record, field and token. No function of this
//! crate panics on any text; the functions that index say so.

pub mod limits;
pub mod record;
pub mod schema;

mod basis;
#[cfg(feature = "nalgebra")]
mod binary64;
mod certificate;
mod claim;
mod cone;
mod expect;
mod matrix;
mod mixed;
mod number;
mod problem;
mod pure;
mod shared;
mod verdict;

pub use basis::{Basis, BasisError};
pub use certificate::{Certificate, Cover, CoverNode, Enclosure, Implied, Mode, PMatrixProof};
pub use claim::{Claim, ClaimedAnswer, Enumeration, SolutionFace, Solver};
pub use cone::{Cone, Disc, Law, MAX_DISC_ROWS, MAX_DISCS, Mu};
pub use expect::{Expect, SourceAnswer, Status, Unique};
pub use matrix::{Entry, Matrix, MatrixError};
pub use mixed::{MixedLcp, Reduction};
pub use number::{Number, NumberError, format_f64, parse_rational, round_up_f64, short_text};
pub use problem::{Bound, Friction, Problem, ProblemError, Remarks, Row};
pub use pure::{PureForm, SingularBlock};
pub use verdict::{Grade, Measures, Reached, Snapped, TruthStatus, Verdict, VerdictKind};
