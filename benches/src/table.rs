//! Tables for pages: Markdown, numbers to the right.

pub use etalon_evidence::measure::figures::{percent, ratio, seconds};

use comfy_table::{CellAlignment, Table, presets};

/// A Markdown table, all columns but the first `words` to the right.
pub fn render(
    header: &[&str],
    words: usize,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let mut table = Table::new();
    // The width of a terminal must not change a page.
    table.force_no_tty().load_style(presets::ASCII_MARKDOWN);
    table.set_header(header);
    for row in rows {
        table.add_row(row);
    }
    for k in words..header.len() {
        if let Some(column) = table.column_mut(k) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_markdown() {
        let table = render(&["a", "b"], 1, [vec!["x".to_owned(), "1".to_owned()]]);
        assert_eq!(table, "| a | b |\n|---|---|\n| x | 1 |");
    }
}
