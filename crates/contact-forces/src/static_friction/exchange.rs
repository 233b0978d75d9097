//! How many broken conditions change their sets at once.

use std::collections::HashSet;
use std::hash::Hash;

/// How often the number of broken conditions may fall no further before they change one at a time. Chosen.
const PATIENCE: u32 = 3;

/// All at once as long as there are fewer and fewer of them; then one at a time, until there are fewer again.
pub(super) struct Exchange<K> {
    /// The least number of broken conditions so far.
    fewest: usize,
    patience: u32,
    /// The sets since one at a time began: where they come again, this goes in a circle.
    seen: HashSet<Vec<K>>,
}

impl<K: Copy + Eq + Hash> Exchange<K> {
    pub fn new() -> Self {
        Self {
            fewest: usize::MAX,
            patience: PATIENCE,
            seen: HashSet::new(),
        }
    }

    /// How many of so many broken conditions change next; `None` where the sets go in a circle.
    pub fn count(&mut self, broken: usize, sets: &[K]) -> Option<usize> {
        let single = self.patience == 0;
        if single && !self.seen.insert(sets.to_vec()) {
            return None;
        }
        if broken < self.fewest {
            (self.fewest, self.patience) = (broken, PATIENCE);
            self.seen.clear();
        } else {
            self.patience = self.patience.saturating_sub(1);
        }
        Some(if single { 1 } else { broken })
    }
}
