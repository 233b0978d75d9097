//! Why records cannot be had.

use etalon_lcp::record::stream::InputError;

use crate::names::DuplicateName;

/// Why a record cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file or the record cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Two records of one name.
    #[error(transparent)]
    DuplicateName(#[from] DuplicateName),
    /// A file of something else than text.
    #[error("{file}:1: not a text file: byte {byte} is no character")]
    NotText {
        /// The file.
        file: String,
        /// The first such byte.
        byte: usize,
    },
    /// A file without a record in it.
    #[error("{file}: there is no record in it")]
    Empty {
        /// The file.
        file: String,
    },
    /// A folder without a record file in it.
    #[error("{folder}: there is no .json or .jsonl file in it")]
    EmptyFolder {
        /// The folder.
        folder: String,
    },
}
