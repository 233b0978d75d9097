//! Files and streams of records, one at a time in constant memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use super::{Read, RecordError};
use crate::limits::MAX_RECORD_BYTES;

/// The records of one input: a `.json` file holds one, any other a record a line. `-` is
/// standard input. A stream whose first line is no complete JSON is taken as one record.
pub struct Records<T> {
    name: String,
    input: Box<dyn BufRead>,
    line: u64,
    layout: Layout,
    read: fn(&str) -> Result<Read<T>, RecordError>,
}

#[derive(Clone, Copy, PartialEq)]
enum Layout {
    Whole,
    Lines,
    Unknown,
    Done,
}

/// What went wrong with an input, and where.
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
        /// What is wrong with it.
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
    /// The text that was read.
    pub text: String,
}

impl<T> Records<T> {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// [`InputError::Io`] when the file cannot be opened.
    pub fn open(
        path: &Path,
        read: fn(&str) -> Result<Read<T>, RecordError>,
    ) -> Result<Self, InputError> {
        let name = path.display().to_string();
        if name == "-" {
            let input = Box::new(BufReader::new(io::stdin()));
            return Ok(Self::new("standard input", input, read));
        }
        let file = open_file(path).map_err(|source| InputError::Io {
            file: name.clone(),
            source,
        })?;
        let mut records = Self::new(&name, Box::new(BufReader::new(file)), read);
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            records.layout = Layout::Whole;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            records.layout = Layout::Lines;
        }
        Ok(records)
    }

    /// The records of any reader, under the name that errors show.
    pub fn new(
        name: &str,
        input: Box<dyn BufRead>,
        read: fn(&str) -> Result<Read<T>, RecordError>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            input,
            line: 0,
            layout: Layout::Unknown,
            read,
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

    fn next_text(&mut self) -> Result<Option<(u64, String)>, InputError> {
        loop {
            if self.layout == Layout::Done {
                return Ok(None);
            }
            let line = self.line + 1;
            let mut bytes = Vec::new();
            let limit = MAX_RECORD_BYTES as u64 + 2;
            let taken = if self.layout == Layout::Whole {
                self.layout = Layout::Done;
                self.input.by_ref().take(limit).read_to_end(&mut bytes)
            } else {
                self.input
                    .by_ref()
                    .take(limit)
                    .read_until(b'\n', &mut bytes)
            };
            let taken = taken.map_err(|source| {
                self.layout = Layout::Done;
                InputError::Io {
                    file: self.name.clone(),
                    source,
                }
            })?;
            if taken == 0 {
                self.layout = Layout::Done;
                return Ok(None);
            }
            self.line = line;
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
                self.error(
                    line,
                    format!("not UTF-8 text: byte {place} of the record is no character"),
                )
            })?;
            return Ok(Some((line, text)));
        }
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
        all.map_err(|source| InputError::Io {
            file: self.name.clone(),
            source,
        })?;
        Ok(())
    }

    fn error(&self, line: u64, problem: String) -> InputError {
        InputError::Record {
            file: self.name.clone(),
            line,
            source: RecordError {
                record: None,
                field: String::new(),
                problem,
            },
        }
    }
}

impl<T> Iterator for Records<T> {
    type Item = Result<Located<T>, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (line, text) = match self.next_text() {
            Ok(Some(text)) => text,
            Ok(None) => return None,
            Err(error) => return Some(Err(error)),
        };
        Some(match (self.read)(&text) {
            Ok(read) => Ok(Located { read, line, text }),
            Err(source) => Err(InputError::Record {
                file: self.name.clone(),
                line,
                source,
            }),
        })
    }
}

/// A directory opens like a file on Unix and only fails when read; say so at once.
fn open_file(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    Ok(file)
}

/// The record files under the given paths: a file stands for itself, a folder for all `.json`
/// and `.jsonl` files in it and below, in the order of their names.
///
/// # Errors
/// [`InputError::Io`] for a path that cannot be read.
pub fn record_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, InputError> {
    let mut files = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" || !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        collect(path, &mut files).map_err(|source| {
            let file = path.display().to_string();
            InputError::Io { file, source }
        })?;
    }
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|e| e == "json" || e == "jsonl")
        {
            files.push(path);
        }
    }
    Ok(())
}
