//! Tables for people: Markdown, so that they can be pasted into an issue as they are.

use std::ops::Range;

use comfy_table::{CellAlignment, Table, presets};

/// A table of text, the columns of `numbers` to the right.
pub fn render(
    header: &[&str],
    numbers: Range<usize>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let mut table = Table::new();
    // The width of the terminal must not change what scripts and snapshots see.
    table.force_no_tty().load_style(presets::ASCII_MARKDOWN);
    table.set_header(header);
    for row in rows {
        table.add_row(row);
    }
    for k in numbers {
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
        let table = render(&["a", "b"], 1..2, [vec!["x".to_owned(), "1".to_owned()]]);
        assert_eq!(table, "| a | b |\n|---|---|\n| x | 1 |");
    }
}
