//! Tables for people: Markdown, so that they can be pasted into an issue as they are.

use std::collections::BTreeSet;
use std::ops::Range;

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, Table as Grid, Width, presets,
};

/// A column of prose is not made narrower than this, in characters: text of a few letters a line is hard to read.
const PROSE: usize = 16;

/// A bar and two blanks; what a column takes beside its text.
const FRAME: usize = 3;

/// A table of text.
#[derive(Debug, Clone)]
pub struct Table {
    header: Vec<String>,
    /// Columns that stand to the right and are never broken.
    numbers: Range<usize>,
    /// Columns that are left out where all their cells are 0.
    counts: Range<usize>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns, those of `numbers` to the right. Names of columns differ.
    pub fn new(
        header: &[&str],
        numbers: Range<usize>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        debug_assert_eq!(
            header.iter().collect::<BTreeSet<_>>().len(),
            header.len(),
            "two columns have one name: {header:?}"
        );
        Self {
            header: header.iter().map(|&name| name.to_owned()).collect(),
            numbers,
            counts: 0..0,
            rows: rows.into_iter().collect(),
        }
    }

    /// The same; each of these columns is left out where all its cells are 0.
    pub fn counts(mut self, counts: Range<usize>) -> Self {
        self.counts = counts;
        self
    }

    /// As it is, however wide: for pages.
    pub fn to_page(&self) -> String {
        self.part(&self.columns(), None)
    }

    /// In lines of at most so many characters: prose is broken into lines, and where the numbers alone are too
    /// wide, their columns stand below each other, the first column repeated. Only a first column that is too wide by
    /// itself makes longer lines.
    pub fn to_text(&self, width: usize) -> String {
        let parts = self.split(width);
        let parts = parts.iter().map(|columns| self.part(columns, Some(width)));
        parts.collect::<Vec<_>>().join("\n\n")
    }

    /// The columns that are shown.
    fn columns(&self) -> Vec<usize> {
        let is_zero = |k: usize| self.rows.iter().all(|row| cell(row, k) == "0");
        let columns = 0..self.header.len();
        columns
            .filter(|k| !self.counts.contains(k) || !is_zero(*k))
            .collect()
    }

    /// The columns in parts that fit.
    fn split(&self, width: usize) -> Vec<Vec<usize>> {
        let columns = self.columns();
        let Some((&first, rest)) = columns.split_first() else {
            return Vec::new();
        };
        let key = FRAME + 1 + self.least(first);
        let mut parts = vec![vec![first]];
        let mut used = key;
        for &column in rest {
            let own = FRAME + self.least(column);
            let is_alone = parts.last().is_none_or(|part| part.len() == 1);
            if used + own > width && !is_alone {
                parts.push(vec![first]);
                used = key;
            }
            used += own;
            if let Some(part) = parts.last_mut() {
                part.push(column);
            }
        }
        parts
    }

    fn texts(&self, column: usize) -> impl Iterator<Item = &str> {
        let cells = self.rows.iter().map(move |row| cell(row, column));
        std::iter::once(&*self.header[column]).chain(cells)
    }

    /// The characters that a column takes at least.
    fn least(&self, column: usize) -> usize {
        let whole = longest(self.texts(column));
        if column == 0 || self.numbers.contains(&column) {
            return whole;
        }
        let word = longest(self.texts(column).flat_map(str::split_whitespace));
        whole.min(word.max(PROSE))
    }

    fn part(&self, columns: &[usize], width: Option<usize>) -> String {
        let mut grid = Grid::new();
        // The width is the caller's word; what comfy-table would ask the terminal must not count.
        grid.force_no_tty().load_style(presets::ASCII_MARKDOWN);
        grid.set_header(columns.iter().map(|&k| &self.header[k]));
        for row in &self.rows {
            grid.add_row(columns.iter().map(|&k| cell(row, k)));
        }
        let wide: usize = columns
            .iter()
            .map(|&k| FRAME + longest(self.texts(k)))
            .sum();
        let breaks = width.filter(|&width| wide + 1 > width);
        if let Some(width) = breaks {
            grid.set_content_arrangement(ContentArrangement::Dynamic);
            grid.set_width(u16::try_from(width).unwrap_or(u16::MAX));
        }
        for (at, &k) in columns.iter().enumerate() {
            let Some(column) = grid.column_mut(at) else {
                continue;
            };
            if self.numbers.contains(&k) {
                column.set_cell_alignment(CellAlignment::Right);
            }
            if breaks.is_some() {
                // comfy-table counts the blanks on both sides in.
                let least = u16::try_from(self.least(k) + 2).unwrap_or(u16::MAX);
                column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
            }
        }
        grid.to_string()
    }
}

fn cell(row: &[String], column: usize) -> &str {
    row.get(column).map_or("", |text| text)
}

fn longest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

/// A table for a page, the columns of `numbers` to the right.
pub fn render(
    header: &[&str],
    numbers: Range<usize>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    Table::new(header, numbers, rows).to_page()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|&cell| cell.to_owned()).collect()
    }

    #[test]
    fn tables_are_markdown() {
        let table = render(&["a", "b"], 1..2, [row(&["x", "1"])]);
        assert_eq!(table, "| a | b |\n|---|---|\n| x | 1 |");
    }

    #[test]
    fn columns_that_are_all_zero_are_left_out() {
        let rows = [row(&["x", "0", "0", "1"]), row(&["y", "0", "2", "0"])];
        let table = Table::new(&["a", "b", "c", "d"], 1..4, rows);
        assert_eq!(
            table.clone().counts(1..4).to_text(80),
            "| a | c | d |\n|---|---|---|\n| x | 0 | 1 |\n| y | 2 | 0 |"
        );
        // Zeros that are no counts say something.
        assert!(table.to_text(80).starts_with("| a | b | c | d |"));
    }

    #[test]
    fn prose_is_broken_into_lines() {
        let rows = [row(&["name", "12", "some words that say what it is"])];
        let table = Table::new(&["a", "n", "what"], 1..2, rows);
        let text = table.to_text(34);
        assert_eq!(
            text,
            "| a    |  n | what            |\n\
             |------|----|-----------------|\n\
             | name | 12 | some words that |\n\
             |      |    | say what it is  |"
        );
        assert_eq!(table.to_text(80), table.to_page());
    }

    #[test]
    fn numbers_that_do_not_fit_stand_below_each_other() {
        let names = ["suite", "first", "second", "third"];
        let table = Table::new(&names, 1..4, [row(&["all", "1", "22", "333"])]);
        assert_eq!(
            table.to_text(26),
            "| suite | first | second |\n\
             |-------|-------|--------|\n\
             | all   |     1 |     22 |\n\n\
             | suite | third |\n\
             |-------|-------|\n\
             | all   |   333 |"
        );
        for width in 20..60 {
            let text = table.to_text(width);
            assert!(text.lines().all(|line| line.len() <= width), "{text}");
        }
    }
}
