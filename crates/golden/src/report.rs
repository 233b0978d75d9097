//! The findings of re-proving a golden, as data.

use std::fmt;
use std::time::Duration;

use etalon_lcp::{Status, Unique, Verdict};

/// The findings on one problem.
#[derive(Debug, Clone)]
pub struct ProblemReport {
    /// The problem's name.
    pub name: String,
    /// The record's statement about it.
    pub status: Option<Status>,
    /// The proved facts about other solutions; `None` also where the record does not hold.
    pub unique: Option<Unique>,
    /// The statements that do not hold; empty when all hold.
    pub findings: Vec<Finding>,
    /// The result of each solver, in the order of the solvers.
    pub solvers: Vec<SolverReport>,
    /// How long the checker took to re-prove the record itself.
    pub proof_time: Duration,
}

/// One thing that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Where.
    pub part: Part,
    /// Why.
    pub reason: String,
}

/// The part of a golden that a finding is about.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// The checksum.
    Digest,
    /// The record as it is written.
    Text,
    /// The truth or its proof.
    Expect,
    /// The answer of the data's source.
    Answer,
    /// A solver's claim.
    Solver(String),
}

impl Part {
    /// Whether it is a solver's claim, and nothing of the record.
    pub fn is_solver(&self) -> bool {
        matches!(self, Self::Solver(_))
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digest => f.write_str("digest"),
            Self::Text => f.write_str("text"),
            Self::Expect => f.write_str("expect"),
            Self::Answer => f.write_str("expect.answer"),
            Self::Solver(name) => write!(f, "solver {name}"),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The checker's own messages begin with the field, too.
        if self.reason.starts_with(&format!("{}", self.part)) {
            return f.write_str(&self.reason);
        }
        write!(f, "{}: {}", self.part, self.reason)
    }
}

/// The result of one solver on one problem.
#[derive(Debug, Clone)]
pub struct SolverReport {
    /// The solver's name.
    pub name: String,
    /// Right, given up or wrong.
    pub outcome: SolverOutcome,
    /// The checker's verdict on its claim.
    pub verdict: Verdict,
    /// How long it took.
    pub time: Duration,
}

/// How a solver did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SolverOutcome {
    /// It answered, and rightly.
    Solved,
    /// It gave up, with the reason; a finding only where it had to answer.
    GaveUp(String),
    /// It answered wrongly, with the reason.
    Wrong(String),
}
