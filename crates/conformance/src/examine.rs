//! One question to a solver, and what is wrong with the answer.

use std::fmt;

use etalon_certify::{Truth, known};
use etalon_exact::Budget;
use etalon_judge::{Judge, Judgement};
use etalon_lcp::{Claim, Problem, VerdictKind};

use crate::capability::Capabilities;
use crate::failure::{FailureKind, SubjectFailure};
use crate::subject::{Subject, ask_again_if_hung};

/// Pivots for one proof while problems are searched: small problems need few.
const PIVOTS: u64 = 20_000;

/// The fault in a solver's answer: the class that shrinking preserves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Fault {
    /// Called solved, and it is not (verdict `rejected`).
    Wrong,
    /// Called unsolvable, and there is a solution (verdict `refuted`).
    Refuted,
    /// No answer.
    Failure(FailureKind),
    /// It gave up (a claim of `failed`), which is honest; looked for only on request.
    GaveUp,
}

/// The outcome of a question.
#[derive(Debug, Clone)]
pub struct Examination {
    /// The answer, or why there is none.
    pub claim: Result<Claim, SubjectFailure>,
    /// The judge's verdict on it.
    pub judgement: Option<Judgement>,
    /// The fault, if there is one.
    pub fault: Option<Fault>,
}

/// How answers are examined.
#[derive(Debug, Clone)]
pub struct Examiner {
    /// The judge.
    pub judge: Judge,
    /// What the solver can do: whether a wrong answer to an unsolvable problem counts.
    pub can: Capabilities,
    /// Whether giving up counts as a fault where the problem has a solution.
    pub giving_up_counts: bool,
}

impl Default for Examiner {
    fn default() -> Self {
        Self {
            judge: Judge {
                budget: Budget {
                    pivots: PIVOTS,
                    ..Budget::default()
                },
                ..Judge::default()
            },
            can: Capabilities::default(),
            giving_up_counts: false,
        }
    }
}

impl Examiner {
    /// Asks the solver one problem and judges the answer exactly.
    pub fn examine(&self, subject: &dyn Subject, problem: &Problem) -> Examination {
        let claim = ask_again_if_hung(subject, problem);
        let answer = match &claim {
            Ok(claim) => claim,
            Err(failure) => {
                let fault =
                    (failure.kind != FailureKind::NotSent).then_some(Fault::Failure(failure.kind));
                return Examination {
                    claim,
                    judgement: None,
                    fault,
                };
            }
        };
        let judgement = self.judge.verdict(problem, answer);
        let fault = match judgement.verdict.kind {
            VerdictKind::Rejected if self.counts(problem) => Some(Fault::Wrong),
            VerdictKind::Refuted => Some(Fault::Refuted),
            VerdictKind::Failed
                if self.giving_up_counts && self.is_solvable(problem) == Some(true) =>
            {
                Some(Fault::GaveUp)
            }
            _ => None,
        };
        Examination {
            judgement: Some(judgement),
            fault,
            claim,
        }
    }

    /// Whether a wrong answer counts: from a solver for solvable problems only where there is a
    /// solution.
    fn counts(&self, problem: &Problem) -> bool {
        self.can.unsolvable || self.is_solvable(problem) == Some(true)
    }

    /// Whether the problem has a solution, as far as the budget goes.
    pub fn is_solvable(&self, problem: &Problem) -> Option<bool> {
        self.truth(problem).status().solvable
    }

    /// The provable facts about the problem.
    pub fn truth(&self, problem: &Problem) -> Truth {
        let stated = problem.expect.as_ref();
        let proved = stated.map(|expect| known(problem, expect));
        let mut truth = proved.and_then(Result::ok).unwrap_or_default();
        self.judge.find_out(problem, &mut truth);
        truth
    }
}

impl Fault {
    /// The word that stands in reports and in the names of files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Wrong => "wrong",
            Self::Refuted => "refuted",
            Self::GaveUp => "gave-up",
            Self::Failure(kind) => kind.word(),
        }
    }

    /// Its meaning.
    pub fn about(self) -> &'static str {
        match self {
            Self::Wrong => "called solved, and it is not",
            Self::Refuted => "called unsolvable, and it has a solution",
            Self::GaveUp => "given up, and it has a solution",
            Self::Failure(_) => "not answered",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
