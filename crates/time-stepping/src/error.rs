//! The errors of a step.

use etalon_lcp::ProblemError;
use etalon_rigid::SceneError;
use rug::{Float, Rational};

/// Why there is no step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// A body, mass matrix or contact that cannot be.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A value that fractions cannot hold.
    #[error("{what} of {argument} is irrational; run this scene on a grid, or in binary64")]
    Irrational {
        /// The function: `sin`, `cos`, `square root`.
        what: &'static str,
        /// Its argument.
        argument: String,
    },
    /// A function outside of its domain.
    #[error("{what} of {argument} is no real number")]
    Domain {
        /// The function.
        what: &'static str,
        /// Its argument.
        argument: String,
    },
    /// Two bodies at one place, so that their contact has no normal.
    #[error("contact {contact:?}: the centres coincide, so there is no normal")]
    NoNormal {
        /// The contact.
        contact: String,
    },
    /// A vector of another length than the system has coordinates.
    #[error("{what} has {length} entries where {expected} are needed")]
    Length {
        /// Which vector.
        what: &'static str,
        /// Its length.
        length: usize,
        /// The required value.
        expected: usize,
    },
    /// A contact, body or plane that the model does not have.
    #[error("there is no {what} number {index}")]
    Missing {
        /// The missing part.
        what: &'static str,
        /// Its index.
        index: usize,
    },
    /// A setting that makes no sense.
    #[error("{setting} is {value}, but must be {range}")]
    Setting {
        /// Which.
        setting: &'static str,
        /// Its value.
        value: String,
        /// The permitted values.
        range: &'static str,
    },
    /// Bodies that share room before the first step.
    #[error(
        "bodies {first:?} and {second:?} overlap by {depth} m at the start: move one of them (its field \"position\"), or leave the field \"shape\" of one out"
    )]
    Overlap {
        /// One body.
        first: String,
        /// The other.
        second: String,
        /// How deep, m.
        depth: String,
    },
    /// Bodies that share room after a step, deeper than turning and rounding may leave.
    #[error(
        "bodies {first:?} and {second:?} would overlap by {depth} m after the step, more than its turning explains; take a shorter step h"
    )]
    Passes {
        /// One body.
        first: String,
        /// The other.
        second: String,
        /// How deep, m.
        depth: String,
    },
    /// Data that make no problem, such as infinities that arose by overflow.
    #[error("the step has no complementarity problem: {0}")]
    Problem(String),
    /// The solver says that there is no solution, which theory excludes where the gaps before the
    /// step are not negative or the normals are independent (section 3.2).
    #[error("{solver} found no solution for the step: {message}")]
    Unsolvable {
        /// The solver.
        solver: String,
        /// Its text.
        message: String,
    },
    /// An implicit step whose iteration did not come to a solution of its equations.
    #[error(
        "the implicit step did not converge in {iterations} iterations: its equations are off by {error}{}; take a shorter step h",
        at(.pair)
    )]
    NotConverged {
        /// The pair of bodies whose equations are off by most; none where no pair took part.
        pair: Option<String>,
        /// Iterations of Newton's method over all attempts.
        iterations: usize,
        /// The largest left side.
        error: String,
    },
    /// An implicit step whose iteration ended within its tolerance, near no solution that binary64 resolves.
    #[error(
        "rounding hides the solution of the implicit step: its lengths or velocities are too large for binary64. \
         Choose units in which they are nearer to 1"
    )]
    Unresolved,
    /// The solver gave up.
    #[error("{solver} gave up: {message}")]
    GaveUp {
        /// The solver.
        solver: String,
        /// Its text.
        message: String,
    },
}

/// More digits of a fraction than these are told in decimals.
const DIGITS: usize = 30;

impl StepError {
    /// A length of a step that lines cannot hold, s.
    pub fn of_step_length(h: &Rational) -> Self {
        let whole = h.to_string();
        Self::Setting {
            setting: "h",
            value: match whole.len() > DIGITS {
                true => format!("{:.3e}", Float::with_val(53, h)),
                false => whole,
            },
            range: "above 0, and from 2.3e-308 to 1.7e308 s: lines hold times in binary64",
        }
    }
}

impl From<ProblemError> for StepError {
    fn from(error: ProblemError) -> Self {
        Self::Problem(error.to_string())
    }
}

fn at(pair: &Option<String>) -> String {
    let own = pair.as_ref();
    own.map_or(String::new(), |pair| format!(", most of all at {pair}"))
}
