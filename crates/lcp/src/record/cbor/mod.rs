//! Records in CBOR (RFC 8949): the fields of their JSON, with typed arrays of numbers (RFC 8746) in place of lists where these are
//! long. A stream of them is a CBOR sequence (RFC 8742).

mod frame;
mod parts;
mod problem;
#[cfg(test)]
// A test fails by panicking; the lints are for the library.
#[allow(clippy::unwrap_used)]
mod tests;
mod write;

pub(super) use frame::Sequence;
pub(super) use parts::{json, name, parts};
pub use problem::write_problem_cbor;
pub(super) use write::{Item, encode};

use super::RecordError;

/// The most levels of lists and objects inside of each other, as of JSON.
const MAX_DEPTH: usize = 128;

const CUT: &str = "the record ends too early; is the file truncated?";

/// Whether a stream that begins so is CBOR: an object of any length, or the tag of self-described CBOR. No JSON text begins so, and no
/// UTF-8 text at all.
pub(super) fn begins(start: &[u8]) -> bool {
    let tag = b"\xd9\xd9\xf7";
    let is_tag = !start.is_empty() && tag.starts_with(&start[..start.len().min(tag.len())]);
    is_tag || matches!(start.first(), Some(0xa0..=0xbf))
}

/// The error of bytes that are no CBOR.
fn broken(error: &minicbor::decode::Error, begin: usize) -> RecordError {
    let at = begin + error.position().unwrap_or_default();
    let what = if error.is_end_of_input() {
        CUT.to_owned()
    } else {
        format!("no CBOR at byte {at}: {}", plain(error))
    };
    RecordError::new("", what)
}

/// What the decoder says, without the position, which counts from elsewhere.
fn plain(error: &minicbor::decode::Error) -> String {
    let text = error.to_string();
    match text.split_once(" at position ") {
        Some((before, after)) => {
            let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{before}{rest}")
        }
        None => text,
    }
}
