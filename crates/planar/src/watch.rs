//! The exact watch: an observer that has every LCP of a run judged exactly.

use etalon_contact_forces::drive_to_zero;
use etalon_exact::{Budget, Progress};
use etalon_judge::Judge;
use etalon_lcp::{
    Bound, Claim, ClaimedAnswer, Friction, Number, Problem, ProblemError, Verdict, VerdictKind,
    round_up_f64,
};
use nalgebra::{DMatrix, DVector};

use crate::observe::{LcpEvent, LcpKind, Observer, RowBound};

/// The LCP of an event as a problem. Its numbers are exactly the binary64 data that the engine solved.
///
/// # Errors
/// [`ProblemError`] when the data are not finite.
pub fn problem(event: &LcpEvent<'_>, name: impl Into<String>) -> Result<Problem, ProblemError> {
    let n = event.b.len();
    let m = DMatrix::from_row_slice(n, n, event.a);
    let problem = Problem::from_binary64(name, &m, &DVector::from_row_slice(event.b))?;
    if event.bounds.iter().all(|b| *b == RowBound::AtLeast(0.0)) {
        return Ok(problem);
    }
    let number = |value: f64| match Number::from_f64(value) {
        Some(number) => Bound::Finite(number),
        None if value < 0.0 => Bound::NegativeInfinity,
        None => Bound::Infinity,
    };
    let bound = |bound: &RowBound| match *bound {
        RowBound::AtLeast(least) => (number(least), Bound::Infinity),
        RowBound::Free => (Bound::NegativeInfinity, Bound::Infinity),
        RowBound::Within(most) => (number(-most), number(most)),
        RowBound::Coulomb { .. } => (number(0.0), Bound::Infinity),
    };
    let (lower, upper): (Vec<Bound>, Vec<Bound>) = event.bounds.iter().map(bound).unzip();
    let boxed = event
        .bounds
        .iter()
        .any(|b| matches!(b, RowBound::Within(_)));
    let friction = event
        .bounds
        .iter()
        .enumerate()
        .filter_map(|(row, bound)| match *bound {
            RowBound::Coulomb { normal, mu } => {
                let mu = Number::from_f64(mu)?;
                Some(Friction { row, normal, mu })
            }
            _ => None,
        });
    problem
        .with_bounds(Some(lower), boxed.then_some(upper))?
        .with_friction(friction.collect())
}

/// The engine's answer to an event as a claim.
pub fn claim(event: &LcpEvent<'_>, name: impl Into<String>) -> Claim {
    let name = name.into();
    let z: Option<Vec<Number>> = event.f.iter().copied().map(Number::from_f64).collect();
    let Some(z) = z else {
        return Claim::failed(name, "a force is not finite");
    };
    let mut claim = Claim::new(name, ClaimedAnswer::Solved { z });
    claim.pivots = Some(event.pivots);
    claim
}

/// Which problems a [`Watch`] keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// No problem: verdicts are only counted.
    Nothing,
    /// Problems whose answer was not accepted.
    #[default]
    Wrong,
    /// All problems.
    All,
}

/// A judged LCP of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Forces or impulses.
    pub kind: LcpKind,
    /// s.
    pub time: f64,
    /// The problem (`etalon-problem/1`).
    pub problem: Problem,
    /// The engine's answer (`etalon-claim/1`).
    pub claim: Claim,
    /// What the judge says (`etalon-verdict/1`).
    pub verdict: Verdict,
    /// The rows in contact (Baraff's set C) in that answer; the others are in NC.
    pub clamped: Vec<bool>,
}

/// Counts of verdicts.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Verdicts {
    /// LCPs judged.
    pub judged: u64,
    /// Answers that are exactly right.
    pub exact: u64,
    /// Answers within the tolerance in backward error.
    pub accepted: u64,
    /// Answers that are not accepted.
    pub wrong: u64,
    /// The largest backward error, rounded up.
    pub worst_error: f64,
}

/// Judges every LCP of a run as it is solved.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    judge: Judge,
    keep: Keep,
    verdicts: Verdicts,
    records: Vec<Record>,
    last: Option<(LcpKind, Verdict)>,
}

impl Watch {
    /// A watch with the judge's own tolerance (1e-9 in backward error).
    pub fn new(keep: Keep) -> Self {
        Self {
            keep,
            ..Self::default()
        }
    }

    /// The counts so far.
    pub fn verdicts(&self) -> Verdicts {
        self.verdicts
    }

    /// The verdict on the last LCP.
    pub fn last(&self) -> Option<(LcpKind, &Verdict)> {
        self.last.as_ref().map(|(kind, verdict)| (*kind, verdict))
    }

    /// Hands over the records kept so far, and starts the list anew.
    pub fn take_records(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.records)
    }
}

impl Observer for Watch {
    fn lcp(&mut self, event: &LcpEvent<'_>) {
        let kind = match event.kind {
            LcpKind::Forces => "forces",
            LcpKind::Impulses => "impulses",
        };
        let name = format!("{kind}-{}", self.verdicts.judged);
        self.verdicts.judged += 1;
        let claim = claim(event, name.clone());
        let problem = match problem(event, name) {
            Ok(problem) => problem,
            Err(_) => {
                self.verdicts.wrong += 1;
                return;
            }
        };
        let judgement = self.judge.verdict(&problem, &claim);
        let (verdict, right) = (judgement.verdict, judgement.accepted);
        self.verdicts.exact += u64::from(verdict.kind == VerdictKind::Exact);
        self.verdicts.accepted += u64::from(verdict.kind == VerdictKind::Accepted);
        self.verdicts.wrong += u64::from(!right);
        if let Some(measures) = &verdict.measures {
            let error = round_up_f64(&measures.error);
            let worst = &mut self.verdicts.worst_error;
            *worst = worst.max(error);
        }
        if self.keep == Keep::All || self.keep == Keep::Wrong && !right {
            self.records.push(Record {
                kind: event.kind,
                time: event.time,
                problem,
                claim,
                verdict: verdict.clone(),
                clamped: event.clamped.to_vec(),
            });
        }
        self.last = Some((event.kind, verdict));
    }
}

/// The index sets after a step of the drive to zero.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct IndexSets {
    /// The row that is being driven to zero.
    pub driven: usize,
    /// Rows with force and no acceleration: C.
    pub clamped: Vec<usize>,
    /// Rows treated before that separate: NC.
    pub separating: Vec<usize>,
}

/// The index sets of Baraff's drive to zero on a problem, step by step, in exact arithmetic:
/// joints first, then contacts from the first row to the last. The list is empty where the exact method finds no forces.
/// Rounded data of redundant contacts can be such that there are none.
pub fn index_sets(problem: &Problem, budget: &Budget) -> Vec<IndexSets> {
    let free: Vec<bool> = problem
        .rows()
        .iter()
        .map(|row| matches!(row, etalon_lcp::Row::Free))
        .collect();
    let mut order: Vec<usize> = (0..problem.n()).collect();
    order.sort_by_key(|&row| !free[row]);
    let Ok(driven) = drive_to_zero(problem, &order, budget) else {
        return Vec::new();
    };
    let steps = driven.trace.map(|trace| trace.steps).unwrap_or_default();
    let sets = steps.iter().filter_map(|step| {
        let Progress::Driven(at) = step.progress else {
            return None;
        };
        let clamped = step.clamped();
        let treated = (0..at).filter(|row| !clamped.contains(row));
        let mut separating: Vec<usize> = treated.map(|row| order[row]).collect();
        let mut clamped: Vec<usize> = clamped.iter().map(|&row| order[row]).collect();
        separating.sort_unstable();
        clamped.sort_unstable();
        Some(IndexSets {
            driven: order[at],
            clamped,
            separating,
        })
    });
    sets.collect()
}
