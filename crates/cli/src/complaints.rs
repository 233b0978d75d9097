//! Errors in the input that do not end a command.

use std::fmt::Display;

use super::console::Console;

/// So many are shown: a file of something else should not drown what matters.
const SHOWN: u64 = 100;

/// The errors so far; the rest are counted and summed up at the end.
pub struct Complaints<'a> {
    console: &'a Console,
    count: u64,
}

impl<'a> Complaints<'a> {
    pub fn new(console: &'a Console) -> Self {
        Self { console, count: 0 }
    }

    /// Reports an error.
    pub fn add(&mut self, error: impl Display) {
        self.count += 1;
        if self.count <= SHOWN {
            self.console.error(error);
        }
    }

    /// Whether there was one.
    pub fn any(&self) -> bool {
        self.count > 0
    }
}

impl Drop for Complaints<'_> {
    fn drop(&mut self) {
        if self.count > SHOWN {
            let more = self.count - SHOWN;
            self.console
                .error(format_args!("and {more} more like these"));
        }
    }
}
