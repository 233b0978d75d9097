//! How far the exact methods are taken.

use etalon_exact::Budget;

/// Up to this many rows all other answers are searched for.
pub const SEARCHED: usize = 20;

/// How much a search for other answers may cost: pivots times the square of rows.
const SEARCH: u64 = 1_000_000;

/// Rows up to which frictionless scenes have their trace in full.
pub const TRACED: usize = 60;

/// Numbers along a path that is kept may have so many bits. Scenes of small numbers stay below it at
/// 300 contacts and more; with Pythagorean angles of many denominators numbers grow with every
/// contact, and the path of a large arch takes minutes.
const KEPT_BITS: u64 = 12_000;

/// A short search: one of many rows would use up any budget.
pub fn search(n: usize, budget: &Budget) -> Budget {
    let n = n.max(1) as u64;
    Budget {
        pivots: budget.pivots.min(SEARCH / (n * n)),
        ..budget.clone()
    }
}

/// The budget of a path that is kept.
pub fn kept(budget: &Budget) -> Budget {
    Budget {
        bits: budget.bits.min(KEPT_BITS),
        ..budget.clone()
    }
}
