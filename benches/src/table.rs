//! Tables for pages: Markdown, numbers to the right.

pub use etalon_evidence::measure::figures::{percent, ratio, seconds};

/// A Markdown table, all columns but the first `words` to the right.
pub fn render(
    header: &[&str],
    words: usize,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    etalon_evidence::table::render(header, words..header.len(), rows)
}
