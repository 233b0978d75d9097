//! Tables that sort: numbers carry their value where they are not shown as it is, words sort as they are read.

use maud::{Markup, html};

use super::ids::Ids;
use crate::measure::figures;

/// A table with a caption.
pub struct Table {
    caption: String,
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

/// The text of a cell.
#[derive(Clone)]
pub struct Cell {
    shown: Markup,
    /// A zero among counts, which steps back.
    zero: bool,
    /// The value to sort by, for numbers; a cell without a value comes last.
    value: Option<f64>,
    number: bool,
}

/// A word.
pub fn word(text: &str) -> Cell {
    Cell {
        shown: html! { (text) },
        zero: false,
        value: None,
        number: false,
    }
}

/// A piece of the page in the place of a word.
pub fn markup(shown: Markup) -> Cell {
    Cell {
        shown,
        zero: false,
        value: None,
        number: false,
    }
}

/// A number as it is to be shown.
pub fn number(shown: impl Into<String>, value: Option<f64>) -> Cell {
    let shown = shown.into();
    Cell {
        shown: html! { (shown) },
        zero: false,
        value: value.filter(|v| v.is_finite()),
        number: true,
    }
}

/// A count; zeros step back.
pub fn count(value: u64) -> Cell {
    Cell {
        shown: html! { (super::grouped(value)) },
        zero: value == 0,
        value: Some(value as f64),
        number: true,
    }
}

/// A time.
pub fn seconds(value: Option<f64>) -> Cell {
    number(time(value), value)
}

/// An error.
pub fn small(value: Option<f64>) -> Cell {
    number(error(value), value)
}

/// A time in a unit that suits it.
pub fn time(value: Option<f64>) -> String {
    match value {
        None => "\u{2013}".to_owned(),
        value => figures::seconds(value).replace(" us", " \u{b5}s"),
    }
}

/// An error in one digit.
pub fn error(value: Option<f64>) -> String {
    match value {
        None => "\u{2013}".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(value) => format!("{value:.0e}").replace("e-", "e\u{2212}"),
    }
}

/// Three digits, or a dash.
pub fn ratio(value: Option<f64>) -> Cell {
    let shown = match value {
        None => "\u{2013}".to_owned(),
        value => figures::ratio(value),
    };
    number(shown, value)
}

impl Table {
    pub fn new(caption: impl Into<String>, columns: &[&str]) -> Self {
        Self {
            caption: caption.into(),
            columns: columns.iter().map(|name| (*name).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// In a box of its own, which scrolls where the table is wider than the screen.
    pub fn show(&self, ids: &Ids) -> Markup {
        let caption = ids.next();
        let is_number = |k: usize| self.rows.iter().any(|r| r.get(k).is_some_and(|c| c.number));
        html! {
            div.scroll role="region" aria-labelledby=(caption) tabindex="0" {
                table.sortable {
                    caption id=(caption) { (self.caption) }
                    thead {
                        tr {
                            @for (k, name) in self.columns.iter().enumerate() {
                                th scope="col" class=[is_number(k).then_some("number")] {
                                    (name)
                                }
                            }
                        }
                    }
                    tbody {
                        @for row in &self.rows {
                            tr { @for (k, cell) in row.iter().enumerate() { (cell.show(k == 0)) } }
                        }
                    }
                }
            }
        }
    }
}

impl Cell {
    fn show(&self, first: bool) -> Markup {
        // Most cells are numbers, so the words among them have a class.
        let class = match (first, self.number, self.zero) {
            (true, true, true) => Some("number zero"),
            (true, true, false) => Some("number"),
            (false, true, true) => Some("zero"),
            (false, false, _) => Some("word"),
            (true, false, _) | (false, true, false) => None,
        };
        let is_shown = |value: &f64| self.shown.0.parse() == Ok(*value);
        // Six digits are enough to sort by.
        let sort = self.value.filter(|value| !is_shown(value));
        let sort = sort.map(|value| format!("{value:.5e}"));
        html! {
            @if first {
                th scope="row" class=[class] data-sort=[sort] { (self.shown) }
            } @else {
                td class=[class] data-sort=[sort] { (self.shown) }
            }
        }
    }
}
