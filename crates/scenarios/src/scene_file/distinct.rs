//! The value of a record in which no field is given twice.

use etalon_golden::distinct_value;
use serde_json::Value;

use super::{MAX_BYTES, SceneFileError};

/// Reads the value of a record, and refuses a field that is given twice by its path.
///
/// # Errors
/// A text over [`MAX_BYTES`]; what is wrong with the text, with line and column.
pub fn read_distinct(text: &str) -> Result<Value, SceneFileError> {
    let problem = if text.len() > MAX_BYTES {
        format!("{} bytes are over the limit of {MAX_BYTES}", text.len())
    } else {
        match distinct_value(text) {
            Ok(value) => return Ok(value),
            Err(error) => error.to_string(),
        }
    };
    let place = String::new();
    Err(SceneFileError { place, problem })
}
