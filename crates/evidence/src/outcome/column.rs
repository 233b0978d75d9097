//! The ways in which an answer can be, and counts of them with times and errors.

use etalon_conformance::FailureKind;
use etalon_lcp::{VerdictKind, round_up_f64};
use rug::Rational;

use super::Outcome;
use crate::measure::statistics::median;

/// The ways in which an answer can be: the columns of scoreboards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    /// Right: solved within the tolerance, or proved to have no solution.
    Solved,
    /// Called solved, or unsolvable, and it is not.
    Wrong,
    /// Solved within the tolerance, but the problem itself has no solution.
    Neighbour,
    /// Given up, or called unsolvable without a proof at hand.
    Refused,
    /// Ended, or answered something that is no claim.
    Crashed,
    /// No answer in time.
    Hung,
}

impl Column {
    /// All, in the order in which they stand in tables.
    pub const ALL: [Self; 6] = [
        Self::Solved,
        Self::Wrong,
        Self::Neighbour,
        Self::Refused,
        Self::Crashed,
        Self::Hung,
    ];

    /// The heading of the column.
    pub fn word(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Wrong => "wrong, called solved",
            Self::Neighbour => "neighbour",
            Self::Refused => "refused",
            Self::Crashed => "crashed",
            Self::Hung => "hung",
        }
    }

    /// Where an answer belongs.
    pub fn of(failure: Option<FailureKind>, kind: VerdictKind, accepted: bool) -> Self {
        match failure {
            Some(FailureKind::Hung | FailureKind::NeverRead | FailureKind::Forked) => {
                return Self::Hung;
            }
            // Values that are no numbers, and too few of them, were called solved all the same.
            Some(FailureKind::NotFinite | FailureKind::WrongLength) => return Self::Wrong,
            Some(_) => return Self::Crashed,
            None => {}
        }
        match kind {
            _ if accepted => Self::Solved,
            VerdictKind::Rejected | VerdictKind::Refuted => Self::Wrong,
            VerdictKind::Perturbed => Self::Neighbour,
            _ => Self::Refused,
        }
    }
}

/// Counts with times and errors.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    counts: [u64; Column::ALL.len()],
    seconds: Vec<f64>,
    worst: Option<Rational>,
}

impl Tally {
    /// Counts an answer; the time and the error of right ones only.
    pub fn count(&mut self, column: Column, seconds: Option<f64>, error: Option<&Rational>) {
        self.counts[column as usize] += 1;
        if column != Column::Solved {
            return;
        }
        self.seconds.extend(seconds);
        if error > self.worst.as_ref() {
            self.worst = error.cloned();
        }
    }

    /// Of some outcomes.
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let mut tally = Self::default();
        for outcome in outcomes {
            let error = outcome.error.as_ref();
            tally.count(outcome.column(), outcome.seconds, error);
        }
        tally
    }

    /// Adds the counts of another.
    pub fn add(&mut self, other: &Self) {
        for (sum, count) in self.counts.iter_mut().zip(other.counts) {
            *sum += count;
        }
        self.seconds.extend(&other.seconds);
        if other.worst > self.worst {
            self.worst.clone_from(&other.worst);
        }
    }

    /// How many answers are of that kind.
    pub fn get(&self, column: Column) -> u64 {
        self.counts[column as usize]
    }

    /// How many questions there were.
    pub fn sent(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The median time of right answers, s.
    pub fn median(&self) -> Option<f64> {
        median(&self.seconds)
    }

    /// The largest error of a right answer, rounded up.
    pub fn worst(&self) -> Option<f64> {
        self.worst.as_ref().map(round_up_f64)
    }
}
