//! The numbers of a line, and what may be wrong with it.

use std::collections::HashMap;

use etalon_lcp::record::RecordError;
use etalon_lcp::{Number, parse_rational};
use rug::Rational;

use super::cell::Cell;

/// The longest number, in characters.
const MOST_DIGITS: usize = 1_000;

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The operating system's word.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The map is at fault.
    #[error("the map: {0}")]
    Map(#[from] RecordError),
    /// A line is.
    #[error("line {line}: {why}")]
    Line {
        /// Counted from 1.
        line: u64,
        /// What is wrong, and what to do.
        why: String,
    },
}

pub(super) type Result<T> = std::result::Result<T, TableError>;

pub(super) fn fault(line: u64, why: impl Into<String>) -> TableError {
    TableError::Line {
        line,
        why: why.into(),
    }
}

/// The numbers of a line.
pub(super) struct Row<'a> {
    pub places: &'a HashMap<String, usize>,
    pub fields: &'a [String],
    pub line: u64,
    pub exact: bool,
}

impl Row<'_> {
    /// The number of a cell.
    pub fn number(&self, cell: &Cell) -> Result<Rational> {
        match cell {
            Cell::Constant(own) => Ok(own.clone()),
            Cell::Column { name, times } => {
                let at = self.places.get(name).copied().unwrap_or(usize::MAX);
                let text = self.fields.get(at).map_or("", |own| own.trim());
                let own = parse(text, self.exact);
                let own = own.map_err(|why| fault(self.line, format!("column {name:?}: {why}")))?;
                Ok(own * times)
            }
        }
    }

    pub fn numbers(&self, cells: &[Cell]) -> Result<Vec<Rational>> {
        cells.iter().map(|cell| self.number(cell)).collect()
    }
}

fn parse(text: &str, exact: bool) -> std::result::Result<Rational, String> {
    if text.is_empty() {
        let why = "there is no number; leave no field empty (a contact that does not touch has the impulse 0)";
        return Err(why.to_owned());
    }
    if text.len() > MOST_DIGITS {
        return Err(format!(
            "{} characters are over the limit of {MOST_DIGITS}",
            text.len()
        ));
    }
    if exact {
        return parse_rational(text).map_err(|error| error.to_string());
    }
    let value: f64 = text.parse().map_err(|_| {
        let hint = if text.contains(',') {
            "; decimals have a point"
        } else {
            ""
        };
        format!("{text:?} is no number{hint}")
    })?;
    let number = Number::from_f64(value).ok_or_else(|| {
        format!("{text:?} is not finite: the motion has left the numbers there; cut the table before that line to judge what came before")
    })?;
    Ok(number.to_rational())
}
