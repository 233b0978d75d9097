//! The record `etalon-trajectory/1`: a header and a line for each step, which any one step is re-proved from.
//!
//! The file alone says how each step came about: the header names the scene, its parameters and
//! the arithmetic, the line before a step holds the state that it starts from. Whoever can take
//! steps takes each of them again, and [`differences`] finds the field, down to the digit, in which
//! the line that comes out is not the line that stands there.
//!
//! [`Header`] and [`Line`] are what every program here reads and writes; [`line_text`] writes either.

mod field;
mod line;
mod quantity;
mod text;

pub use line::{
    CompressionLine, Contact, Energy, Entry, Header, JointLine, Lcp, LimitLine, Line, PhaseLine,
    Piece, Start, Verified,
};
pub use quantity::{Quantity, to_f64s};
pub use text::{differences, line_text};

use field::field_at;

use etalon_lcp::record::plain_words;

use crate::origin::Origin;

/// The value of the field `format` of a header.
pub const FORMAT: &str = "etalon-trajectory/1";

/// A trajectory in a file; [`read_trajectory`](crate::read_trajectory) opens it.
#[derive(Debug, Clone)]
pub struct Trajectory {
    /// The file.
    pub file: String,
    /// The first line.
    pub header: Header,
    /// The steps, from the first to the last.
    pub steps: Vec<Line>,
    /// All lines as they stand in the file.
    pub texts: Vec<String>,
}

/// Why a trajectory cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrajectoryError {
    /// The file cannot be read.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// A line that is none of a trajectory.
    #[error("{origin}: {}{reason}", in_field(.field))]
    Line {
        /// The line.
        origin: Origin,
        /// The path of the field, such as `contacts[2].gap`; empty where it is no field's fault.
        field: String,
        /// What is wrong.
        reason: String,
    },
    /// A field is missing that is needed for what the trajectory is read for.
    #[error(
        "{origin}: the field {field:?} is missing or of another length; a trajectory is what `etalon scenario run NAME --out FILE` writes"
    )]
    Missing {
        /// The line.
        origin: Origin,
        /// The field.
        field: &'static str,
    },
    /// Another format.
    #[error("{origin}: the format is {format:?}, not {FORMAT:?}")]
    Format {
        /// The first line.
        origin: Origin,
        /// Its format.
        format: String,
    },
}

/// Reads the first line of a trajectory; `file` is what errors call it.
///
/// # Errors
/// [`TrajectoryError::Line`], [`TrajectoryError::Format`].
pub fn read_header(file: &str, text: &str) -> Result<Header, TrajectoryError> {
    let header: Header = read(file, 1, text)?;
    if header.format == FORMAT {
        return Ok(header);
    }
    Err(TrajectoryError::Format {
        origin: Origin::new(file, 1),
        format: header.format,
    })
}

fn read<T: serde::de::DeserializeOwned>(
    file: &str,
    line: u64,
    text: &str,
) -> Result<T, TrajectoryError> {
    serde_json::from_str(text).map_err(|error| {
        let column = error.column();
        // What goes wrong in a value has its place from serde alone.
        let at = if error.line() == 0 {
            String::new()
        } else {
            format!(", at byte {column}")
        };
        TrajectoryError::Line {
            origin: Origin::new(file, line),
            // Where the text is no JSON, the parser counts the byte that it stumbles over.
            field: field_at(text, column.saturating_sub(error.is_syntax().into())),
            reason: format!("{}{at}", plain_words(&error)),
        }
    })
}

fn in_field(field: &str) -> String {
    match field {
        "" => String::new(),
        _ => format!("the field {field:?}: "),
    }
}

impl Trajectory {
    /// Reads a trajectory from its lines; `file` is what errors call it.
    ///
    /// # Errors
    /// [`TrajectoryError::Line`], [`TrajectoryError::Format`].
    pub fn of(file: &str, texts: Vec<String>) -> Result<Self, TrajectoryError> {
        let first = texts.first().map_or("", |text| text);
        let header = read_header(file, first)?;
        let steps = (2..).zip(texts.iter().skip(1));
        let steps = steps.map(|(line, text)| read(file, line, text));
        Ok(Self {
            file: file.to_owned(),
            header,
            steps: steps.collect::<Result<_, _>>()?,
            texts,
        })
    }

    /// The line of the file on which step k stands.
    pub fn origin(&self, k: u64) -> Origin {
        Origin::new(&self.file, k + 1)
    }

    /// That the line of step k, the header being 0, lacks a field.
    pub fn missing(&self, k: u64, field: &'static str) -> TrajectoryError {
        let origin = self.origin(k);
        TrajectoryError::Missing { origin, field }
    }
}

#[cfg(test)]
mod tests;
