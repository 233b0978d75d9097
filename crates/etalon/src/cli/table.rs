//! Tables for people: Markdown, so that they can be pasted into an issue as they are.

use comfy_table::{CellAlignment, Table, presets};

/// A table of text; all columns but the first are numbers, to the right.
pub fn render(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    // The width of the terminal must not change what scripts and snapshots see.
    table.force_no_tty().load_style(presets::ASCII_MARKDOWN);
    table.set_header(header);
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}
