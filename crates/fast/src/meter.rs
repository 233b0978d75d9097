//! What a run has done, and until when it may go on.

use std::time::Instant;

use crate::failure::Failure;

/// The pivots of a run so far, and its end in time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Meter {
    pub(crate) pivots: u64,
    pub(crate) until: Until,
}

impl Meter {
    /// A run from now on.
    pub(crate) fn new(until: Until) -> Self {
        Self { pivots: 0, until }
    }

    /// Counts a pivot.
    pub(crate) fn pivot(&mut self, budget: u64) -> Result<(), Failure> {
        self.pivots += 1;
        if self.pivots > budget {
            return Err(Failure::Pivots { pivots: budget });
        }
        self.until.check()
    }
}

/// An end in time, asked for between pivots and before factors; none by default, as an end makes results depend on the machine.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Until(pub(crate) Option<Instant>);

impl Until {
    /// An error from the end on.
    pub(crate) fn check(self) -> Result<(), Failure> {
        match self.0 {
            Some(end) if Instant::now() >= end => Err(Failure::Time),
            _ => Ok(()),
        }
    }
}
