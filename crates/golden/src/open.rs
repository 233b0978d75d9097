//! Opening inputs, and telling text from junk before the first record.

use std::io::{BufRead, BufReader};
use std::path::Path;

use etalon_lcp::record::stream::{Records, Texts, is_cbor};
use etalon_lcp::record::{Encoded, Read, RecordError};

use crate::error::ReadError;
use crate::files;
use crate::trajectory::{Trajectory, TrajectoryError};

/// Opens a file of records, built-in ones too, or standard input for `-`. A file of junk, by its first line, is refused
/// as a whole, rather than line by line: a damaged line costs no other. The input is opened once: it may be a pipe.
///
/// # Errors
/// [`ReadError::Input`] when it cannot be opened, [`ReadError::NotText`] when it is no text.
pub fn open<T>(
    path: &Path,
    read: fn(Encoded<'_>) -> Result<Read<T>, RecordError>,
) -> Result<Records<T>, ReadError> {
    Ok(Records::new(open_texts(path)?, read))
}

/// As [`open`], for records as they stand.
///
/// # Errors
/// As [`open`].
pub fn open_texts(path: &Path) -> Result<Texts, ReadError> {
    checked_texts(files::open_texts(path)?)
}

/// The same texts, where they begin as text or CBOR.
///
/// # Errors
/// [`ReadError::Input`] when they cannot be read, [`ReadError::NotText`].
pub fn checked_texts(mut texts: Texts) -> Result<Texts, ReadError> {
    let name = texts.name().to_owned();
    let start = texts.peek()?;
    if !is_cbor(start) {
        check_text(&name, start)?;
    }
    Ok(texts)
}

/// Reads the trajectory of a file, a built-in one too.
///
/// # Errors
/// [`TrajectoryError`]; lines are counted from 1.
pub fn read_trajectory(path: &Path) -> Result<Trajectory, TrajectoryError> {
    let file = path.display().to_string();
    let io = |source| TrajectoryError::Io {
        file: file.clone(),
        source,
    };
    let lines = BufReader::new(files::open_file(path).map_err(io)?).lines();
    let texts = lines.collect::<Result<_, _>>().map_err(io)?;
    Trajectory::of(&file, texts)
}

/// Text is UTF-8 without the character 0. A first line that is not, before another one that begins an object, is a damaged record, which
/// costs no other; UTF-16 and programs have zeros.
fn check_text(file: &str, start: &[u8]) -> Result<(), ReadError> {
    let mut lines = start.split(|byte| *byte == b'\n');
    let first = lines.next().unwrap_or_default();
    let goes_on = lines.any(|own| own.trim_ascii_start().starts_with(b"{"));
    let broken = match std::str::from_utf8(first) {
        Ok(_) => None,
        // What was peeked at may end inside of a character.
        Err(error) => error.error_len().map(|_| error.valid_up_to()),
    };
    let zero = first.iter().position(|byte| *byte == 0);
    match broken.filter(|_| !goes_on).into_iter().chain(zero).min() {
        None => Ok(()),
        Some(byte) => Err(ReadError::NotText {
            file: file.to_owned(),
            byte,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junk_is_told_from_text() {
        let byte = |start: &[u8]| match check_text("file", start) {
            Err(ReadError::NotText { byte, .. }) => Some(byte),
            _ => None,
        };
        assert_eq!(byte(b"{\"name\": \"caf\xc3\xa9\"}"), None);
        assert_eq!(byte(b"{\"name\": \"caf\xc3"), None);
        assert_eq!(byte(b"ab\xff{"), Some(2));
        assert_eq!(byte(b"a\0b\xff"), Some(1));
        assert_eq!(byte(b"{}\nab\xff{"), None);
        // A damaged first record, and UTF-16.
        assert_eq!(byte(b"\xff\xfe{}\n {}"), None);
        assert_eq!(byte(b"\xff\xfe{}\n"), Some(0));
        assert_eq!(byte(b"\xff\xfe{\0}\0\n\0{\0}\0"), Some(0));
        assert_eq!(byte(b"\xff\xfe{\0}\0\n{"), Some(3));
    }
}
