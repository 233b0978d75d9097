//! Checking a claim, and what is said of it.

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use etalon::judge::Judgement;
use etalon::lcp::record::read_claim;
use etalon::lcp::{
    Claim, ClaimedAnswer, Grade, Measures, Number, Problem, TruthStatus, Unique, VerdictKind,
    round_up_f64,
};
use rug::Rational;

use crate::options::EtalonOptions;
use crate::status::{Error, c_text};

/// The verdicts.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EtalonVerdictKind {
    /// z solves the problem exactly.
    Exact = 0,
    /// The error is within the tolerance, or the distance from an exact solution is.
    Accepted = 1,
    /// Within the tolerance, but this very problem provably has no solution.
    Perturbed = 2,
    /// Claimed solved, and it is not.
    Rejected = 3,
    /// Claimed unsolvable, and provably so.
    Proved = 4,
    /// Claimed unsolvable, with neither a proof nor a solution at hand.
    Unproved = 5,
    /// Claimed unsolvable, and there is an exact solution.
    Refuted = 6,
    /// No answer: of another length, or not finite.
    Failed = 7,
}

/// What is proved of a problem.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EtalonTruth {
    /// Nothing: no search was asked for, or the budget ran out.
    Unknown = 0,
    /// It has a solution.
    Solvable = 1,
    /// It has none.
    Unsolvable = 2,
}

/// What all solutions of a problem share, as far as it is proved.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EtalonUnique {
    /// Nothing that is known.
    None = 0,
    /// z: there is exactly one solution.
    Z = 1,
    /// w = M z + q.
    W = 2,
}

/// How wrong an answer is.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EtalonGrade {
    /// Both measures accept it, or there is no z.
    None = 0,
    /// Only the componentwise backward error or what is outside is over the tolerance.
    Noise = 1,
    /// Wrong in the row's own natural size.
    Wrong = 2,
    /// Wrong even against the largest size of a row in the whole problem.
    Gross = 3,
}

impl From<Grade> for EtalonGrade {
    fn from(grade: Grade) -> Self {
        match grade {
            Grade::Noise => Self::Noise,
            Grade::Wrong => Self::Wrong,
            // A grade that this library does not know yet is no smaller one.
            _ => Self::Gross,
        }
    }
}

/// What is said of a claim. Measures are computed exactly and rounded up; NAN where there is none.
#[repr(C)]
#[derive(Debug)]
pub struct EtalonVerdict {
    /// The verdict.
    pub kind: EtalonVerdictKind,
    /// Whether it counts as right.
    pub accepted: bool,
    /// The verdict's word: "exact", "accepted", "rejected", ...
    pub word: *const c_char,
    /// For what is not accepted, one phrase with the worst row; also where the certificate of a claim does not hold.
    /// Otherwise NULL.
    pub reason: *const c_char,
    /// The natural-scale error: row by row, z is exact for data changed by at most this, relatively, and unknowns
    /// changed by at most this times their natural size.
    pub error: f64,
    /// The smallest eps for which z exactly solves an LCP with |dM| <= eps |M| and |dq| <= eps |q|, entry by entry.
    pub backward_error: f64,
    /// The largest violation of a bound, in the natural size of the unknown; with friction cones of a bound or a
    /// cone, relative to the largest force, which decides nothing.
    pub negativity: f64,
    /// The natural residual max_i |z_i - mid(l_i, z_i - w_i, u_i)|; with friction cones the Euclidean norm of
    /// r - P_K(r - u - g e_N), and NaN where that is not defined.
    pub residual: f64,
    /// Distance from the nearest exact solution that is known, in natural sizes.
    pub distance: f64,
    /// For an accepted answer far from the only solution: the distance. Otherwise NAN.
    pub ill_conditioned: f64,
    /// How wrong an answer is that one of the measures does not accept.
    pub grade: EtalonGrade,
    /// The row that sets the error; -1 where it is 0.
    pub worst_row: i64,
    /// How many entries were moved onto a bound (option `snap`)...
    pub snapped_entries: usize,
    /// ...and how far at most, in natural size.
    pub snapped_furthest: f64,
    /// What is proved of the problem.
    pub truth: EtalonTruth,
    /// What is proved to be unique.
    pub unique: EtalonUnique,
    /// How many entries the exact solution has that shows what would have been right: n, or 0 where there is none.
    pub solution_size: usize,
    /// Why what the problem's record states of itself (`expect`) is false, where it is: no fault of the claim, which is
    /// judged as if nothing was stated. Otherwise NULL.
    pub false_expect: *const c_char,
    /// The block error: with friction cones, and by ETALON_MEASURE_BLOCK. Otherwise NaN.
    pub block_error: f64,
    /// With friction cones the largest violation of a bound or a cone in natural sizes, which decides together with
    /// the error. Otherwise NaN.
    pub outside: f64,
}

/// A verdict with what C does not see. The visible part comes first, so that one pointer serves both.
#[repr(C)]
pub(crate) struct OwnedVerdict {
    visible: EtalonVerdict,
    /// Owns the text that `visible` points to.
    reason: Option<CString>,
    /// The same for `false_expect`.
    false_expect: Option<CString>,
    judgement: Judgement,
}

/// The claim that z solves the problem. What is not finite is no answer.
pub(crate) fn solved(problem: &Problem, z: &[f64]) -> Claim {
    let numbers: Option<_> = z.iter().copied().map(Number::from_f64).collect();
    match (numbers, z.iter().position(|value| !value.is_finite())) {
        (Some(z), _) => Claim::new(problem.name(), ClaimedAnswer::Solved { z }),
        (None, at) => {
            let shown = at.map(|i| format!("z[{i}] is {}", z[i]));
            Claim::failed(problem.name(), shown.unwrap_or_default())
        }
    }
}

/// The claim that there is no solution.
pub(crate) fn unsolvable(problem: &Problem) -> Claim {
    Claim::new(problem.name(), ClaimedAnswer::Unsolvable)
}

/// A claim record about this problem, whatever name it carries.
pub(crate) fn of_record(problem: &Problem, record: &str) -> Result<Claim, Error> {
    let mut claim = read_claim(record)?.record;
    claim.name = problem.name().to_owned();
    Ok(claim)
}

/// Judges a claim.
pub(crate) fn check(
    problem: &Problem,
    claim: &Claim,
    options: &EtalonOptions,
) -> Result<Box<OwnedVerdict>, Error> {
    Ok(OwnedVerdict::new(options.judge()?.verdict(problem, claim)))
}

impl OwnedVerdict {
    fn new(judgement: Judgement) -> Box<Self> {
        let verdict = &judgement.verdict;
        let reason = verdict.reason.as_deref().map(c_text);
        let false_expect = judgement.false_expect.as_ref();
        let false_expect = false_expect.map(|error| c_text(&error.to_string()));
        let measures = verdict.measures.as_ref();
        let measure =
            |of: fn(&Measures) -> &Rational| measures.map_or(f64::NAN, |m| rounded(of(m)));
        let maybe = |of: fn(&Measures) -> Option<&Rational>| {
            measures.and_then(of).map_or(f64::NAN, rounded)
        };
        let (kind, word) = kind(verdict.kind);
        let visible = EtalonVerdict {
            kind,
            accepted: judgement.accepted,
            word: word.as_ptr(),
            reason: ptr::null(),
            error: measure(|m| &m.error),
            backward_error: measure(|m| &m.backward_error),
            negativity: measure(|m| &m.negativity),
            residual: maybe(|m| m.residual.as_ref()),
            distance: verdict.distance.as_ref().map_or(f64::NAN, rounded),
            ill_conditioned: verdict.ill_conditioned.as_ref().map_or(f64::NAN, rounded),
            grade: verdict.grade.map_or(EtalonGrade::None, EtalonGrade::from),
            worst_row: measures.and_then(worst_row).unwrap_or(-1),
            snapped_entries: measures.map_or(0, |m| m.snapped.entries),
            snapped_furthest: measure(|m| &m.snapped.furthest),
            truth: truth(&verdict.truth),
            unique: unique(&verdict.truth),
            solution_size: judgement.solution.as_ref().map_or(0, Vec::len),
            false_expect: ptr::null(),
            block_error: maybe(|m| m.block_error.as_ref()),
            outside: maybe(|m| m.outside.as_ref()),
        };
        let mut owned = Box::new(Self {
            visible,
            reason,
            false_expect,
            judgement,
        });
        if let Some(text) = &owned.reason {
            owned.visible.reason = text.as_ptr();
        }
        if let Some(text) = &owned.false_expect {
            owned.visible.false_expect = text.as_ptr();
        }
        owned
    }

    /// The verdict record.
    pub(crate) fn json(&self) -> String {
        self.judgement.line()
    }

    /// What would have been right.
    pub(crate) fn solution(&self) -> Result<&[Rational], Error> {
        let solution = self.judgement.solution.as_deref();
        solution.ok_or_else(|| Error::Absent("solution to show in this verdict".to_owned()))
    }
}

/// Rounded up: an infinity where the value is beyond the range of binary64.
fn rounded(value: &Rational) -> f64 {
    round_up_f64(value)
}

fn worst_row(measures: &Measures) -> Option<i64> {
    measures.worst_row.and_then(|row| i64::try_from(row).ok())
}

fn kind(kind: VerdictKind) -> (EtalonVerdictKind, &'static CStr) {
    match kind {
        VerdictKind::Exact => (EtalonVerdictKind::Exact, c"exact"),
        VerdictKind::Accepted => (EtalonVerdictKind::Accepted, c"accepted"),
        VerdictKind::Perturbed => (EtalonVerdictKind::Perturbed, c"perturbed"),
        VerdictKind::Rejected => (EtalonVerdictKind::Rejected, c"rejected"),
        VerdictKind::Proved => (EtalonVerdictKind::Proved, c"proved"),
        VerdictKind::Unproved => (EtalonVerdictKind::Unproved, c"unproved"),
        VerdictKind::Refuted => (EtalonVerdictKind::Refuted, c"refuted"),
        // A word that this library does not know yet accepts nothing.
        _ => (EtalonVerdictKind::Failed, c"failed"),
    }
}

fn truth(status: &TruthStatus) -> EtalonTruth {
    match status.solvable {
        None => EtalonTruth::Unknown,
        Some(true) => EtalonTruth::Solvable,
        Some(false) => EtalonTruth::Unsolvable,
    }
}

fn unique(status: &TruthStatus) -> EtalonUnique {
    match status.unique {
        None => EtalonUnique::None,
        Some(Unique::Z) => EtalonUnique::Z,
        Some(Unique::W) => EtalonUnique::W,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_has_its_word() {
        for (number, known) in VerdictKind::ALL.into_iter().enumerate() {
            let (kind, word) = kind(known);
            assert_eq!(kind as usize, number);
            assert_eq!(word.to_str(), Ok(known.word()));
        }
    }
}
