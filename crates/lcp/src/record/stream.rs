//! Files and streams of records, one at a time in constant memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek as _};
use std::path::Path;

#[cfg(feature = "cbor")]
use super::cbor::{self, Sequence};
use super::{Encoded, Read, RecordError, Written};
use crate::limits::MAX_RECORD_BYTES;

/// Some editors put it before UTF-8 text; it is no part of a record (RFC 8259, section 8.1).
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// So much is read at once, where it is there.
const BUFFER: usize = 1 << 20;

/// The records of one input: a `.json` file holds one, any other a record a line. `-` is
/// standard input. A stream whose first line is no complete JSON is taken as one record. One whose first byte
/// is that of an object in CBOR is a sequence of such (RFC 8742), whatever its name.
pub struct Records<T> {
    texts: Texts,
    read: fn(Encoded<'_>) -> Result<Read<T>, RecordError>,
}

/// As [`Records`], each record as it stands.
pub struct Texts {
    name: String,
    input: BufReader<Box<dyn io::Read + Send>>,
    /// A second opening of the same file, for texts that were passed over.
    again: Option<File>,
    line: u64,
    offset: u64,
    layout: Layout,
    /// What has been read of a CBOR sequence, if it is one.
    #[cfg(feature = "cbor")]
    sequence: Option<Sequence>,
}

/// One record as it stands, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The line on which it starts, counted from 1; in CBOR the number of the record.
    pub line: u64,
    /// Where it starts in the input, in bytes.
    pub offset: u64,
    /// What stands there.
    pub text: Written,
}

#[derive(Clone, Copy, PartialEq)]
enum Layout {
    Whole,
    Lines,
    Unknown,
    Done,
}

/// The error of an input, with its place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The file cannot be read.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// The operating system's word.
        source: io::Error,
    },
    /// A record that cannot be read.
    #[error("{file}:{line}: {source}")]
    Record {
        /// The file.
        file: String,
        /// The line on which the record starts, counted from 1.
        line: u64,
        /// The fault in it.
        source: RecordError,
    },
}

/// A record with its place.
#[derive(Debug, Clone)]
pub struct Located<T> {
    /// The record and what was passed over in it.
    pub read: Read<T>,
    /// The line on which it starts, counted from 1.
    pub line: u64,
    /// What was read.
    pub text: Written,
}

impl<T> Records<T> {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// [`InputError::Io`] when the file cannot be opened.
    pub fn open(
        path: &Path,
        read: fn(Encoded<'_>) -> Result<Read<T>, RecordError>,
    ) -> Result<Self, InputError> {
        Ok(Self::new(Texts::open(path)?, read))
    }

    /// The records that texts are.
    pub fn new(texts: Texts, read: fn(Encoded<'_>) -> Result<Read<T>, RecordError>) -> Self {
        Self { texts, read }
    }

    /// The name of the input, as errors show it.
    pub fn name(&self) -> &str {
        self.texts.name()
    }

    /// See [`Texts::peek`].
    ///
    /// # Errors
    /// [`InputError::Io`] when nothing can be read.
    pub fn peek(&mut self) -> Result<&[u8], InputError> {
        self.texts.peek()
    }
}

impl Texts {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// [`InputError::Io`] when the file cannot be opened.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        let name = path.display().to_string();
        if name == "-" {
            return Ok(Self::new("standard input", Box::new(io::stdin())));
        }
        let opened = open_file(path).and_then(|file| {
            // A pipe would be opened twice in vain, and wait for a second writer.
            let again = file.metadata()?.is_file().then(|| File::open(path));
            Ok((file, again.transpose()?))
        });
        let (file, again) = opened.map_err(|source| InputError::Io {
            file: name.clone(),
            source,
        })?;
        let mut texts = Self::new(&name, Box::new(file));
        texts.again = again;
        texts.layout = match path.extension() {
            Some(extension) if extension == "json" => Layout::Whole,
            Some(extension) if extension == "jsonl" => Layout::Lines,
            _ => Layout::Unknown,
        };
        Ok(texts)
    }

    /// The texts of any reader, under the name that errors show.
    pub fn new(name: &str, input: Box<dyn io::Read + Send>) -> Self {
        Self {
            name: name.to_owned(),
            input: BufReader::with_capacity(BUFFER, input),
            again: None,
            line: 0,
            offset: 0,
            layout: Layout::Unknown,
            #[cfg(feature = "cbor")]
            sequence: None,
        }
    }

    /// The name of the input, as errors show it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The first bytes of what is still to be read, without taking them: a pipe can be read only
    /// once.
    ///
    /// # Errors
    /// [`InputError::Io`] when nothing can be read.
    pub fn peek(&mut self) -> Result<&[u8], InputError> {
        let Self { name, input, .. } = self;
        input.fill_buf().map_err(|source| InputError::Io {
            file: name.clone(),
            source,
        })
    }

    /// Whether the next record can be had without waiting for input from a pipe.
    pub fn is_ready(&self) -> bool {
        #[cfg(feature = "cbor")]
        if let Some(sequence) = &self.sequence {
            // Of a record that has begun to come the rest is on its way.
            let has_more = !sequence.is_empty() || !self.input.buffer().is_empty();
            return self.again.is_some() || self.layout == Layout::Done || has_more;
        }
        self.again.is_some() || self.layout == Layout::Done || self.input.buffer().contains(&b'\n')
    }

    /// Whether [`reread`](Self::reread) can be used: of a file, not of a pipe.
    pub fn can_reread(&self) -> bool {
        self.again.is_some()
    }

    /// Reads a text of `length` bytes again, wherever reading has gone since.
    ///
    /// # Errors
    /// [`InputError::Io`], also for an input that is no file or has been changed in between.
    pub fn reread(&mut self, offset: u64, length: usize) -> Result<Written, InputError> {
        let written = self.written();
        let file = self.again.as_mut();
        let read = file.map(|file| read_at(file, offset, length).and_then(written));
        let read = read.unwrap_or_else(|| Err(io::ErrorKind::NotSeekable.into()));
        read.map_err(|source| self.io_error(source))
    }

    fn next_text(&mut self) -> Result<Option<Text>, InputError> {
        loop {
            if self.layout == Layout::Done {
                return Ok(None);
            }
            #[cfg(feature = "cbor")]
            if self.offset == 0 && is_cbor(self.peek()?) {
                self.sequence = Some(Sequence::default());
            }
            #[cfg(feature = "cbor")]
            if let Some(mut sequence) = self.sequence.take() {
                let next = self.next_item(&mut sequence);
                self.sequence = Some(sequence);
                return next;
            }
            let line = self.line + 1;
            let whole = self.layout == Layout::Whole;
            let mut bytes = Vec::new();
            let taken = self.take(&mut bytes).map_err(|source| {
                self.layout = Layout::Done;
                self.io_error(source)
            })?;
            if taken == 0 {
                self.layout = Layout::Done;
                return Ok(None);
            }
            self.line = line;
            let mut offset = self.offset;
            self.offset += taken as u64;
            if offset == 0 && bytes.starts_with(BYTE_ORDER_MARK) {
                bytes.drain(..BYTE_ORDER_MARK.len());
                offset += BYTE_ORDER_MARK.len() as u64;
            }
            if bytes.iter().all(u8::is_ascii_whitespace) && self.layout != Layout::Done {
                continue;
            }
            if self.layout == Layout::Unknown {
                self.settle_layout(&mut bytes)?;
            }
            if bytes.len() > MAX_RECORD_BYTES {
                // The rest of the line cannot be told from the next record.
                self.layout = Layout::Done;
            }
            let text = String::from_utf8(bytes).map_err(|error| {
                let place = error.utf8_error().valid_up_to();
                let problem = match is_cbor(error.as_bytes()) {
                    true => MIXED.to_owned(),
                    false => format!("not UTF-8 text: byte {place} of the record is no character"),
                };
                self.error(line, problem)
            })?;
            if whole && let Some(second) = second_record(&text) {
                let problem = "a second record begins here, and a file named .json holds one: name it .jsonl, with a record a line";
                return Err(self.error(second, problem.to_owned()));
            }
            let text = Written::Json(text);
            return Ok(Some(Text { line, offset, text }));
        }
    }

    /// The bytes of the next line, or of the whole input where it is one record.
    fn take(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let most = MAX_RECORD_BYTES as u64 + 2;
        let begun = self.input.buffer();
        if let Some(file) = &self.again
            && begun.len() == BUFFER
            && !begun.contains(&b'\n')
        {
            // A long record is most of the rest of its file. To grow up to it would take twice the memory.
            let rest = file.metadata()?.len().saturating_sub(self.offset);
            bytes.reserve_exact(rest.min(most) as usize);
        }
        let mut input = self.input.by_ref().take(most);
        if self.layout == Layout::Whole {
            self.layout = Layout::Done;
            return input.read_to_end(bytes);
        }
        input.read_until(b'\n', bytes)
    }

    /// Decides by the first line whether the input is one record or a record a line.
    fn settle_layout(&mut self, bytes: &mut Vec<u8>) -> Result<(), InputError> {
        let first = serde_json::from_slice::<serde::de::IgnoredAny>(bytes);
        if !first.is_err_and(|error| error.is_eof()) {
            self.layout = Layout::Lines;
            return Ok(());
        }
        self.layout = Layout::Done;
        let rest = MAX_RECORD_BYTES as u64 + 2;
        let all = self.input.by_ref().take(rest).read_to_end(bytes);
        all.map_err(|source| self.io_error(source))?;
        Ok(())
    }

    fn io_error(&self, source: io::Error) -> InputError {
        let file = self.name.clone();
        InputError::Io { file, source }
    }

    fn error(&self, line: u64, problem: String) -> InputError {
        self.error_of(line, RecordError::new("", problem))
    }

    fn error_of(&self, line: u64, source: RecordError) -> InputError {
        let file = self.name.clone();
        InputError::Record { file, line, source }
    }
}

impl Iterator for Texts {
    type Item = Result<Text, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_text().transpose()
    }
}

impl<T> Iterator for Records<T> {
    type Item = Result<Located<T>, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        let Text { line, text, .. } = match self.texts.next()? {
            Ok(text) => text,
            Err(error) => return Some(Err(error)),
        };
        Some(match (self.read)(Encoded::from(&text)) {
            Ok(read) => Ok(Located { read, line, text }),
            Err(source) => Err(InputError::Record {
                file: self.name().to_owned(),
                line,
                source,
            }),
        })
    }
}

impl Texts {
    /// What bytes of this input are.
    fn written(&self) -> fn(Vec<u8>) -> io::Result<Written> {
        #[cfg(feature = "cbor")]
        if self.sequence.is_some() {
            return |bytes| Ok(Written::Cbor(bytes));
        }
        json
    }

    /// The next record of a CBOR sequence; after an error nothing tells where the one behind it begins.
    #[cfg(feature = "cbor")]
    fn next_item(&mut self, sequence: &mut Sequence) -> Result<Option<Text>, InputError> {
        let (line, offset) = (self.line + 1, self.offset);
        let next = sequence.read(&mut self.input);
        if !matches!(next, Ok(Ok(Some(_)))) {
            self.layout = Layout::Done;
        }
        let next = next.map_err(|source| self.io_error(source))?;
        let Some(bytes) = next.map_err(|source| self.error_of(line, source))? else {
            return Ok(None);
        };
        (self.line, self.offset) = (line, offset + bytes.len() as u64);
        let text = Written::Cbor(bytes);
        Ok(Some(Text { line, offset, text }))
    }
}

/// The line on which a second record begins in the text of one, counted from 1.
fn second_record(text: &str) -> Option<u64> {
    // Nearly every text has no line that begins so but its first, and is not parsed once more.
    if !text.contains("\n{") {
        return None;
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    values.next()?.ok()?;
    let end = values.byte_offset();
    let rest = text.get(end..)?;
    let begin = end + rest.find(|c: char| !c.is_ascii_whitespace())?;
    let lines = text.as_bytes()[..begin]
        .iter()
        .filter(|byte| **byte == b'\n');
    Some(lines.count() as u64 + 1)
}

/// What is said of an input that goes on in the other form.
pub(super) const MIXED: &str =
    "records in JSON and in CBOR stand in one input: give each an input of its own";

/// Whether an input that begins so is a sequence of records in CBOR.
pub fn is_cbor(start: &[u8]) -> bool {
    #[cfg(feature = "cbor")]
    return cbor::begins(start);
    #[cfg(not(feature = "cbor"))]
    return matches!(start.first(), Some(0xa0..=0xbf));
}

fn json(bytes: Vec<u8>) -> io::Result<Written> {
    let text = String::from_utf8(bytes).map_err(io::Error::other)?;
    Ok(Written::Json(text))
}

fn read_at(file: &mut File, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    file.seek(io::SeekFrom::Start(offset))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// A directory opens like a file on Unix and only fails when read; say so at once.
fn open_file(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    Ok(file)
}
