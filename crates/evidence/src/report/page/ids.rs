//! Identifiers of the page.

use std::cell::Cell;

/// Identifiers, each given once.
#[derive(Default)]
pub struct Ids(Cell<u32>);

impl Ids {
    pub fn next(&self) -> String {
        self.0.set(self.0.get() + 1);
        format!("i{}", self.0.get())
    }
}
