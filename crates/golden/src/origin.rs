//! Where a record stands.

use std::fmt;

/// A file and the line on which a record starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The file as it was named.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
}

impl Origin {
    /// The record that starts on that line of that file.
    pub fn new(file: impl Into<String>, line: u64) -> Self {
        let file = file.into();
        Self { file, line }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
