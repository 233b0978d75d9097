//! What block pivoting may do on one problem.

use super::guard::PATIENCE;
use crate::dense::Kind;

/// What block pivoting may do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) kind: Kind,
    /// M = M', to the bit.
    pub(crate) symmetric: bool,
    /// Rounds in which the number of wrong rows need not fall.
    pub(crate) patience: u32,
    /// What is known of the solution, and so where the run begins.
    pub(crate) opening: Opening,
    /// For a basis that is nearly right: a singular one is a failure, and values within rounding
    /// of their bounds stay basic. In degenerate problems such values mean 0, and the places
    /// without their rows are often singular.
    pub(crate) keep: bool,
    /// Whether to factor so that the signs may be proved from it ([`crate::proof`]): a pure LCP
    /// with symmetric M.
    pub(crate) prove: bool,
    /// The backward error that will do where refinement ends above the limit.
    pub(crate) accept: f64,
}

/// What is known of the solution when a run begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opening {
    /// The places are a guess.
    Given,
    /// The places are those of the last problem, whose factor may do once more.
    Kept,
    /// z is nearly the solution: the first centre, with E from the start.
    Near,
    /// Nothing: sweeps propose the places. For a pure LCP with symmetric M and a positive diagonal.
    Sweeps,
    /// Nearly all of the places will stay, with redundant rows among them, as in a stack: E from
    /// the start. Sweeps follow only where that does not settle, under the conditions of `Sweeps`.
    Hold,
}

impl Opening {
    /// Whether the run may go back to sweeps.
    pub(super) fn may_sweep(self) -> bool {
        matches!(self, Self::Sweeps | Self::Hold)
    }
}

impl Rules {
    /// For a matrix that is symmetric, or not.
    pub(crate) fn new(symmetric: bool) -> Self {
        Self {
            kind: if symmetric {
                Kind::Symmetric
            } else {
                Kind::General
            },
            symmetric,
            patience: PATIENCE,
            opening: Opening::Given,
            keep: false,
            prove: false,
            accept: 0.0,
        }
    }
}
