//! When to stop exchanging all wrong rows.

/// Rounds in which the number of wrong rows need not fall. Judice and Pires (1994) propose ten.
pub(super) const PATIENCE: u32 = 10;

/// The same after sweeps or with E, where more sweeps or another E help sooner. Measured
/// ([`crate::tolerances`]): with 3, `fast-block` alone solves 699 problems in place of 712.
const SHORT_PATIENCE: u32 = 5;

/// Ends the exchange of all wrong rows when their number no longer falls.
#[derive(Debug)]
pub(super) struct Guard {
    /// The least number of wrong rows so far.
    fewest: usize,
    patience: u32,
    left: u32,
}

impl Guard {
    pub(super) fn new(patience: u32) -> Self {
        Self {
            fewest: usize::MAX,
            patience,
            left: patience,
        }
    }

    /// For rounds after sweeps or with E: as [`Self::new`], but not above [`SHORT_PATIENCE`].
    pub(super) fn short(patience: u32) -> Self {
        Self::new(patience.min(SHORT_PATIENCE))
    }

    /// Whether another round may follow one in which so many rows were wrong.
    pub(super) fn allows(&mut self, wrong: usize) -> bool {
        if wrong < self.fewest {
            self.fewest = wrong;
            self.left = self.patience;
            return true;
        }
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_after_so_many_rounds_without_a_new_least_number() {
        let mut guard = Guard::new(3);
        assert!(guard.allows(5));
        assert!(guard.allows(5) && guard.allows(6));
        // One row less wrong, and the count starts again.
        assert!(guard.allows(4));
        assert!(guard.allows(4) && guard.allows(4) && !guard.allows(4));
    }

    #[test]
    fn a_short_guard_keeps_a_patience_that_is_shorter_still() {
        assert_eq!(Guard::short(PATIENCE).patience, SHORT_PATIENCE);
        assert_eq!(Guard::short(3).patience, 3);
    }
}
