//! Problems in the files of other projects: Matrix Market pairs, Siconos's `.dat` files, FCLIB's HDF5 files, and
//! ContactBench's archives.
//!
//! Numbers are read as the nearest binary64 and then taken exactly, as JSON numbers are. A problem that Etalon
//! cannot state is an error, never an approximation. Contacts in space have friction cones; [`Contacts`] says under which
//! law, and how those in the plane are stated.

mod contactbench;
mod contacts;
mod fclib;
mod matrix_market;
mod siconos;
mod siconos_matrix;

use etalon_lcp::limits::MAX_ROWS;
use etalon_lcp::{MatrixError, Number, NumberError, ProblemError};

pub use contactbench::from_contactbench;
pub use contacts::Contacts;
pub use fclib::from_fclib;
pub use matrix_market::from_matrix_market;
pub use siconos::from_siconos;

/// Why a text gives no problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The text ends too soon.
    #[error("the file ends where {0} was expected")]
    Ended(&'static str),
    /// A word that is not what stands there in this format.
    #[error("{found:?} stands where {expected} was expected")]
    Unexpected {
        /// What the format has there.
        expected: &'static str,
        /// What stands there, shortened.
        found: String,
    },
    /// A number that cannot be read.
    #[error("{token:?}: {source}")]
    Number {
        /// The word, shortened.
        token: String,
        /// Why.
        source: NumberError,
    },
    /// More rows than the limit.
    #[error("{0} rows are more than the limit of {MAX_ROWS}")]
    TooLarge(u64),
    /// Something that the format allows and that is not read.
    #[error("{0}")]
    Unsupported(&'static str),
    /// An HDF5 file that cannot be read, or lacks what the format has there.
    #[error("{0}")]
    Hdf5(String),
    /// An archive of NumPy's that cannot be read, or lacks an array; it begins with the array's name.
    #[error("{0}")]
    Npz(String),
    /// The entries make no square matrix.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// The data make no problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

/// The words of a text, one after the other.
struct Words<'a>(std::iter::Peekable<std::str::SplitWhitespace<'a>>);

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        Self(text.split_whitespace().peekable())
    }

    fn next(&mut self, what: &'static str) -> Result<&'a str, ImportError> {
        self.0.next().ok_or(ImportError::Ended(what))
    }

    fn integer(&mut self, what: &'static str) -> Result<u64, ImportError> {
        let word = self.next(what)?;
        word.parse().map_err(|_| unexpected(what, word))
    }

    fn number(&mut self, what: &'static str) -> Result<Number, ImportError> {
        number(self.next(what)?)
    }

    fn numbers(&mut self, count: usize, what: &'static str) -> Result<Vec<Number>, ImportError> {
        // No memory is taken for what may not be there.
        (0..count).map(|_| self.number(what)).collect()
    }
}

fn unexpected(expected: &'static str, word: &str) -> ImportError {
    let found = word.chars().take(40).collect();
    ImportError::Unexpected { expected, found }
}

/// The nearest binary64, whatever of the usual forms it is written in.
fn number(word: &str) -> Result<Number, ImportError> {
    let plain = word.strip_prefix('+').unwrap_or(word);
    // JSON wants a digit before the point and none of the leading zeros that others allow.
    let value = plain.parse::<f64>().ok().and_then(Number::from_f64);
    value.ok_or_else(|| {
        let source = Number::parse_json_number(plain).err();
        let token: String = word.chars().take(40).collect();
        source.map_or_else(
            || unexpected("a finite number", word),
            |source| ImportError::Number { token, source },
        )
    })
}

fn rows(n: u64) -> Result<usize, ImportError> {
    let size = usize::try_from(n).ok().filter(|&size| size <= MAX_ROWS);
    size.ok_or(ImportError::TooLarge(n))
}

#[cfg(test)]
mod tests;
