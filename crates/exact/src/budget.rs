//! Budgets of pivots, bits and time. Running out is a status of its own, never "no solution".

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How much work a solver may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// Largest number of pivots; default 1,000,000.
    pub pivots: u64,
    /// Largest common denominator of the tableau, in bits; default 4,000,000.
    pub bits: u64,
    /// Most work of pivots, in units of a third of a nanosecond or more on a processor of 2025 (`Meter`): it bounds the time
    /// without making results depend on the machine; default none.
    pub work: u64,
    /// Longest time; default none, because a time limit makes results depend on the machine.
    pub time: Option<Duration>,
    /// Most threads for one question; default all cores that are idle. No result depends on it.
    pub threads: Option<NonZeroUsize>,
    /// A way for another thread to end the work; by default no other thread has it.
    pub stop: Stop,
}

/// Ends the work of all budgets that hold a clone of it, each at its next pivot.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// One that is not stopped yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the work.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work is to end.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Two are equal that allow the same for the present; who holds them makes no difference.
impl PartialEq for Stop {
    fn eq(&self, other: &Self) -> bool {
        self.is_stopped() == other.is_stopped()
    }
}

impl Eq for Stop {}

impl Default for Budget {
    fn default() -> Self {
        Self {
            pivots: 1_000_000,
            bits: 4_000_000,
            work: u64::MAX,
            time: None,
            threads: None,
            stop: Stop::new(),
        }
    }
}

impl Budget {
    /// The same budget with half of the time that is left of it, for one of several routes.
    pub(crate) fn half_since(&self, start: Instant) -> Self {
        let left = self.left_since(start);
        Self {
            time: left.time.map(|time| time / 2),
            ..left
        }
    }

    /// The same budget with the time that is left of it.
    pub(crate) fn left_since(&self, start: Instant) -> Self {
        let left = |time: Duration| time.saturating_sub(start.elapsed());
        Self {
            time: self.time.map(left),
            ..self.clone()
        }
    }
}

/// The exhausted limit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Exhausted {
    /// The number of pivots.
    #[error("the budget of {0} pivots ran out")]
    Pivots(u64),
    /// The size of the numbers.
    #[error("the budget of {0} bits a number ran out")]
    Bits(u64),
    /// The work.
    #[error("the budget of {0} units of work ran out")]
    Work(u64),
    /// More rows in one dense system than this.
    #[error("a dense system of more than {0} rows is out of reach")]
    Rows(usize),
    /// The memory for a search and what it has found, in bytes.
    #[error("the search takes more than {0} bytes of memory")]
    Memory(u64),
    /// The memory for a tableau of integers, in bytes.
    #[error(
        "the rows as integers over common denominators take more than {0} bytes of memory: write the numbers of a row \
         over few denominators, or ask a fast method, such as fast-auto"
    )]
    Tableau(u64),
    /// The time.
    #[error("the time ran out")]
    Time(Duration),
    /// Another thread stopped the work.
    #[error("the work was stopped")]
    Stopped,
}

/// The largest system that is made dense: some half a GiB before the first pivot. The limit is needed because a
/// sparse problem of many rows can be a short text.
const MAX_DENSE_ROWS: usize = 2048;

/// Refuses more rows than a dense tableau can have.
pub(crate) fn check_rows(rows: usize) -> Result<(), Exhausted> {
    check_rows_up_to(rows, MAX_DENSE_ROWS)
}

/// Refuses more rows than `limit`.
pub(crate) fn check_rows_up_to(rows: usize, limit: usize) -> Result<(), Exhausted> {
    if rows > limit {
        return Err(Exhausted::Rows(limit));
    }
    Ok(())
}

/// The most bytes for the integers of a tableau: GMP ends the process where memory ends.
pub(crate) const MAX_TABLEAU: u64 = 1 << 30;

/// A budget being used up.
#[derive(Debug, Clone)]
pub(crate) struct Meter {
    budget: Budget,
    start: Instant,
    pivots: u64,
    work: Cell<u64>,
    bits: Vec<u32>,
}

/// Units of work for an entry of short numbers, of which a pivot takes two products, a difference and an exact
/// division: measured as 20 ns, three units a nanosecond.
const ENTRY: u64 = 60;

/// Units of work for the square of the words of an entry: three products of words.
const WORDS: u64 = 3;

/// GMP multiplies more words than this faster than word by word; linear beyond it, the work of long
/// numbers is counted too low, never too high.
const LONG: u64 = 64;

impl Meter {
    pub fn new(budget: &Budget) -> Self {
        Self {
            budget: budget.clone(),
            start: Instant::now(),
            pivots: 0,
            work: Cell::new(0),
            bits: Vec::new(),
        }
    }

    /// One with the same budget, and the time that is left of it.
    pub fn fresh(&self) -> Self {
        Self {
            budget: self.budget.clone(),
            start: self.start,
            pivots: 0,
            work: Cell::new(0),
            bits: Vec::new(),
        }
    }

    /// Accounts for what another one of the same budget has accounted for since it was fresh.
    pub fn append(&mut self, other: &Self) -> Result<(), Exhausted> {
        self.pivots = self.pivots.saturating_add(other.pivots);
        if self.pivots > self.budget.pivots {
            return Err(Exhausted::Pivots(self.budget.pivots));
        }
        let work = self.work.get().saturating_add(other.work.get());
        self.work.set(work);
        if work > self.budget.work {
            return Err(Exhausted::Work(self.budget.work));
        }
        self.bits.extend_from_slice(&other.bits);
        Ok(())
    }

    /// Accounts for one pivot on so many entries that leads to numbers of so many bits.
    pub fn pivot(&mut self, bits: u64, entries: usize) -> Result<(), Exhausted> {
        if self.pivots >= self.budget.pivots {
            return Err(Exhausted::Pivots(self.budget.pivots));
        }
        self.uncounted(bits, entries)?;
        self.pivots += 1;
        self.bits.push(u32::try_from(bits).unwrap_or(u32::MAX));
        Ok(())
    }

    /// Accounts for a pivot that the method does not count (elimination of a bilateral row).
    pub fn uncounted(&self, bits: u64, entries: usize) -> Result<(), Exhausted> {
        if bits > self.budget.bits {
            return Err(Exhausted::Bits(self.budget.bits));
        }
        let words = bits / 64 + 1;
        let entry = ENTRY + WORDS * words.saturating_mul(words.min(LONG));
        let work = (self.work.get()).saturating_add(entry.saturating_mul(entries as u64));
        self.work.set(work);
        if work > self.budget.work {
            return Err(Exhausted::Work(self.budget.work));
        }
        self.goes_on()
    }

    /// Whether there is time left, and nobody stopped the work.
    pub fn goes_on(&self) -> Result<(), Exhausted> {
        if self.budget.stop.is_stopped() {
            return Err(Exhausted::Stopped);
        }
        match self.budget.time {
            Some(limit) if self.start.elapsed() > limit => Err(Exhausted::Time(limit)),
            _ => Ok(()),
        }
    }

    /// How many threads may help this one.
    pub fn helpers(&self) -> usize {
        if self.budget.work < u64::MAX {
            // Two expansions are more work than one, and the end of a budget of work must not depend on the machine.
            return 0;
        }
        self.budget.threads.map_or(usize::MAX, NonZeroUsize::get) - 1
    }

    /// Units of work so far.
    pub fn work(&self) -> u64 {
        self.work.get()
    }

    /// As many pivots as the budget has.
    pub fn most_pivots(&self) -> u64 {
        self.budget.pivots
    }

    /// Pivots so far.
    pub fn pivots(&self) -> u64 {
        self.pivots
    }

    /// The bits of the common denominator after each pivot so far.
    pub fn into_bits(self) -> Vec<u32> {
        self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_bits_and_pivots_as_the_budget_has_are_allowed() {
        let budget = Budget {
            pivots: 2,
            bits: 7,
            ..Budget::default()
        };
        let mut meter = Meter::new(&budget);
        assert_eq!(meter.uncounted(7, 0), Ok(()));
        assert_eq!(meter.uncounted(8, 0), Err(Exhausted::Bits(7)));
        assert_eq!(meter.pivot(7, 0), Ok(()));
        assert_eq!(meter.pivot(8, 0), Err(Exhausted::Bits(7)));
        assert_eq!(meter.pivot(6, 0), Ok(()));
        assert_eq!(meter.pivot(6, 0), Err(Exhausted::Pivots(2)));
        assert_eq!(meter.pivots(), 2);
        assert_eq!(meter.into_bits(), [7, 6]);
    }

    #[test]
    fn work_is_counted_by_entries_and_their_words() {
        let budget = Budget {
            work: 10 * (ENTRY + WORDS),
            ..Budget::default()
        };
        let meter = Meter::new(&budget);
        assert_eq!(meter.uncounted(63, 9), Ok(()));
        assert_eq!(meter.uncounted(0, 1), Ok(()));
        assert_eq!(meter.uncounted(0, 1), Err(Exhausted::Work(budget.work)));
        // Ten words take a hundred products each.
        let (long, meter) = (ENTRY + 100 * WORDS, Meter::new(&Budget::default()));
        meter.uncounted(9 * 64, 2).unwrap();
        assert_eq!(meter.work.get(), 2 * long);
        assert!(Meter::new(&budget).uncounted(u64::MAX, usize::MAX).is_err());
    }

    #[test]
    fn as_many_rows_as_the_limit_are_allowed() {
        assert_eq!(check_rows_up_to(3, 3), Ok(()));
        assert_eq!(check_rows_up_to(4, 3), Err(Exhausted::Rows(3)));
        assert_eq!(check_rows(MAX_DENSE_ROWS), Ok(()));
        let refused = Err(Exhausted::Rows(MAX_DENSE_ROWS));
        assert_eq!(check_rows(MAX_DENSE_ROWS + 1), refused);
    }

    #[test]
    fn a_budget_that_somebody_stopped_allows_nothing_more() {
        let budget = Budget::default();
        let half = budget.half_since(Instant::now());
        let mut meter = Meter::new(&half);
        assert_eq!(meter.pivot(1, 0), Ok(()));
        budget.stop.stop();
        assert_eq!(meter.pivot(1, 0), Err(Exhausted::Stopped));
        assert_eq!(Meter::new(&Budget::default()).uncounted(1, 0), Ok(()));
    }
}
