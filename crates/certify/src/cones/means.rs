//! What an evaluation may take, and each part of it.

use etalon_lcp::Problem;

use super::parts::PART;
use crate::budget::{Budget, of_size};

/// The budget of a check, and for each row of the problem what its own numbers and decisions take, so that a
/// million contacts are judged in one pass. Each part has its own, by its size: none depends on what others took.
pub(crate) struct Means {
    rows: usize,
    /// How many times the work is done, on readings of a candidate.
    times: u64,
    /// The rows or contacts of a part.
    pub part: usize,
}

impl Means {
    /// Those of a problem.
    pub fn new(problem: &Problem) -> Self {
        Self {
            rows: problem.n(),
            times: 1,
            part: PART,
        }
    }

    /// Those of as many evaluations.
    pub fn of_readings(&self, readings: usize) -> Self {
        let times = readings as u64 + 1;
        Self { times, ..*self }
    }

    /// What all rows together may take.
    pub fn of_all(&self) -> Budget {
        self.of_part(self.rows)
    }

    /// What a part of so many rows or contacts, of few rows each, may take. A contact's rows see those of others, so
    /// the bits are those of all.
    pub fn of_part(&self, count: usize) -> Budget {
        let (bits, work) = of_size(self.rows as u64, 0, 0).left();
        let rows = count.saturating_mul(21).min(self.rows);
        let work = work.saturating_add((rows as u64) << 18);
        Budget::new(bits, work.saturating_mul(self.times))
    }
}

#[cfg(test)]
impl Means {
    /// The same in parts of other sizes.
    pub fn in_parts_of(&self, part: usize) -> Self {
        Self { part, ..*self }
    }
}
