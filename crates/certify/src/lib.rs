//! What Etalon believes of an answer, and why.
//!
//! [`check_claim`] holds a [`Claim`](etalon_lcp::Claim) against its problem and returns a
//! [`Verdict`](etalon_lcp::Verdict). [`prove`] re-proves the truth that a golden problem carries.
//! Both recompute everything from the problem, in exact integer and rational arithmetic: no
//! float takes part in any decision, no solver is among the dependencies, and nothing that a
//! claim says is believed unless the kernel (`etalon_kernel`) finds that its certificate holds.
//!
//! | certificate | proves | check | cost |
//! |---|---|---|---|
//! | a vector z | z solves the problem, or how far it is from one it solves | [`evaluate`] | linear in the nonzeros |
//! | Farkas vector | no solution: the linear inequalities have none | [`check_farkas`] | linear in the nonzeros |
//! | cover | no solution, or all solutions | [`check_cover`] | one Farkas check a leaf |
//! | symmetric PSD | w is unique | [`check_symmetric_psd`] | n^3 integer operations |
//! | P-matrix | z exists and is unique | [`check_p_matrix`] | n^2 to n^3, or 2^n |
//!
//! ```
//! use etalon_certify::{Tolerance, Truth, check_claim};
//! use etalon_lcp::{VerdictKind, record};
//!
//! // A widely used solver's answer to a positive definite problem.
//! let problem = record::read_problem(
//!     r#"{"name": "tie", "M": [[1.5859375, 1], [1, 1]], "q": [-0.75, -0.75]}"#,
//! )?.record;
//! let claim = record::read_claim(r#"{"name": "tie", "status": "solved", "z": [0, 0]}"#)?.record;
//! let verdict = check_claim(&problem, &claim, &Truth::default(), &Tolerance::default());
//! assert_eq!(verdict.kind, VerdictKind::Rejected);
//! # Ok::<(), etalon_lcp::record::RecordError>(())
//! ```
//!
//! What is proved is the kernel's; here are the measures of answers that are not exact.
//! [`check_farkas`] and [`check_cover`] are about the mixed form (`etalon_lcp::Reduction`), for solvers.

mod bounds;
mod budget;
mod candidate;
mod claim;
mod cones;
mod evaluate;
mod hints;
mod integers;
mod own;
mod sizes;
mod tolerance;
mod transversal;
mod truth;

pub use budget::{Budget, Held, OverBudget};
pub use candidate::evaluate;
pub use claim::check_claim;
pub use cones::{FarMoves, energy_error, inverse_form, on_threads, root_above, root_below};
use etalon_kernel::Refusal;
pub use etalon_kernel::{MAX_ELIMINATION, MAX_MINORS};
pub use evaluate::{Evaluation, RowError, distance, loose_rows, rows_at, solves};
pub use own::{Covered, check_cover, check_farkas, check_p_matrix, check_symmetric_psd};
pub use sizes::Rows;
pub use tolerance::{Measure, Tolerance, UnknownMeasure};
pub use truth::{Truth, check_not_refuted, check_stated, is_sensible, known, prove};

/// Why a certificate does not hold, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateError {
    place: Vec<String>,
    problem: String,
    over_budget: bool,
}

impl CertificateError {
    fn new(problem: impl Into<String>) -> Self {
        Self {
            place: Vec::new(),
            problem: problem.into(),
            over_budget: false,
        }
    }

    /// Whether the certificate is only too long to be checked, and may hold.
    pub fn is_over_budget(&self) -> bool {
        self.over_budget
    }

    /// The same of a cover that is one leaf alone.
    fn without_node(mut self) -> Self {
        self.place.retain(|place| !place.starts_with("node"));
        self
    }

    fn at(mut self, place: String) -> Self {
        self.place.insert(0, place);
        self
    }
}

/// An error with these words, unless the condition holds.
fn ensure(holds: bool, why: impl std::fmt::Display) -> Result<(), CertificateError> {
    if holds {
        return Ok(());
    }
    Err(CertificateError::new(why.to_string()))
}

impl From<Refusal> for CertificateError {
    fn from(refusal: Refusal) -> Self {
        let Refusal { node, row, .. } = refusal;
        let place = |what: &str, place: Option<usize>| place.map(|place| format!("{what} {place}"));
        let places = [place("node", node), place("row", row)];
        Self {
            place: places.into_iter().flatten().collect(),
            over_budget: refusal.is_over_budget(),
            ..Self::new(refusal.why)
        }
    }
}

impl std::fmt::Display for CertificateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for place in &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for CertificateError {}
