//! Problems as they come in, with errors and warnings reported on the way.

use std::collections::HashSet;
use std::path::PathBuf;

use etalon_exact::at_work;
use etalon_golden::files::built_in;
use etalon_golden::{Golden, GoldenText, GoldenTexts, Names, Origin, ReadError};
use etalon_lcp::record::field_meant;
use etalon_lcp::schema;
use serde_json::Value;

use super::complaints::Complaints;
use super::console::Console;
use super::jobs::{FEW_BYTES, JobArgs};
use super::similar::did_you_mean;

/// The readable ones of some problem records.
pub struct Intake<'a> {
    records: Box<dyn Iterator<Item = Read>>,
    reception: Reception<'a>,
}

/// A problem, or why it cannot be read.
type Read = Result<Golden, ReadError>;

impl<'a> Intake<'a> {
    pub fn new(records: impl Iterator<Item = Read> + 'static, console: &'a Console) -> Self {
        Self {
            records: Box::new(records),
            reception: Reception::new(console),
        }
    }

    /// Whether something so far could not be read.
    pub fn failed(&self) -> bool {
        self.reception.failed()
    }
}

impl Iterator for Intake<'_> {
    type Item = Golden;

    fn next(&mut self) -> Option<Golden> {
        loop {
            let read = self.records.next()?;
            if let Some(golden) = self.reception.take(read) {
                return Some(golden);
            }
        }
    }
}

/// The problems of files as `GoldenRecords` has them, read on all cores.
pub fn read_side_by_side(
    files: Vec<PathBuf>,
    jobs: &JobArgs,
) -> impl Iterator<Item = Read> + use<> {
    let read = jobs.stream(parts(files), Part::bytes, |part| at_work(|| part.read()));
    let mut names = Names::default();
    read.flatten().map(move |golden| {
        let golden = golden?;
        names.take(golden.problem.name(), &golden.origin)?;
        Ok(golden)
    })
}

/// What one thread reads at a time.
enum Part {
    /// A file inside of the program: to unpack it takes as long as to read what is in it.
    File(PathBuf),
    Text(TextRead),
}

/// A record as it stands, or why it cannot be had.
pub type TextRead = Result<GoldenText, ReadError>;

/// The mean length of a file inside of the program. Were each said to be a long one, a thread with little to do would soon wait for one
/// that reads the longest, of a megabyte.
const FILE_BYTES: usize = 1 << 14;

impl Part {
    fn bytes(&self) -> usize {
        match self {
            Self::File(_) => FILE_BYTES,
            Self::Text(text) => bytes_of(text),
        }
    }

    fn read(self) -> Vec<Read> {
        match self {
            Self::File(path) => {
                let texts = GoldenTexts::of_files(vec![path]);
                texts.map(|text| text?.read()).collect()
            }
            Self::Text(text) => vec![text.and_then(GoldenText::read)],
        }
    }
}

/// The length of a record in bytes.
pub fn bytes_of(text: &TextRead) -> usize {
    text.as_ref().map_or(0, GoldenText::bytes)
}

/// Takes the parts of files, but does not wait for a second one.
fn parts(files: Vec<PathBuf>) -> impl FnMut(usize) -> Vec<Part> {
    let mut files = files.into_iter();
    let mut on_disk: Option<Box<dyn FnMut(usize) -> Vec<TextRead> + Send>> = None;
    move |most| loop {
        let few = on_disk.as_mut().map_or_else(Vec::new, |few| few(most));
        if !few.is_empty() {
            return few.into_iter().map(Part::Text).collect();
        }
        on_disk = None;
        match files.next() {
            None => return Vec::new(),
            Some(path) if built_in(&path).is_some() => return vec![Part::File(path)],
            Some(path) => on_disk = Some(Box::new(few_texts(vec![path]))),
        }
    }
}

/// Takes records as they stand, but does not wait for a second one.
pub fn few_texts(files: Vec<PathBuf>) -> impl FnMut(usize) -> Vec<TextRead> {
    let mut texts = GoldenTexts::of_files(files);
    move |most| {
        let (mut few, mut sum) = (Vec::new(), 0);
        while few.is_empty() || few.len() < most && sum < FEW_BYTES && texts.is_ready() {
            let Some(text) = texts.next() else {
                break;
            };
            sum += bytes_of(&text);
            few.push(text);
        }
        few
    }
}

/// Reports what is wrong with problem records, and what is odd.
pub struct Reception<'a> {
    console: &'a Console,
    complaints: Complaints<'a>,
    warned: HashSet<(String, String)>,
}

impl<'a> Reception<'a> {
    pub fn new(console: &'a Console) -> Self {
        Self {
            console,
            complaints: Complaints::new(console),
            warned: HashSet::new(),
        }
    }

    /// The record, if it could be read.
    pub fn take(&mut self, read: Result<Golden, ReadError>) -> Option<Golden> {
        match read {
            Ok(golden) => {
                let name = golden.problem.name();
                self.warn(&golden.origin, name, &golden.unknown_fields);
                Some(golden)
            }
            Err(error) => {
                self.complain(error);
                None
            }
        }
    }

    /// Reports a record that cannot be read.
    pub fn complain(&mut self, error: ReadError) {
        self.complaints.add(error);
    }

    /// Whether something so far could not be read.
    pub fn failed(&self) -> bool {
        self.complaints.any()
    }

    /// A misspelt `lower` is a field that is not known, and a different problem; say it once.
    pub fn warn(&mut self, origin: &Origin, name: &str, unknown_fields: &[String]) {
        for field in unknown_fields {
            let key = (origin.file.clone(), field.clone());
            if self.warned.insert(key) {
                warn_of(origin, name, field, self.console);
            }
        }
    }
}

/// Says that a field of a problem was not read.
pub fn warn_of(origin: &Origin, name: &str, field: &str, console: &Console) {
    let unread = unread(field);
    console.warning(format_args!("{origin}: record {name:?}: {unread}"));
}

/// The fields of a problem, as its schema has them.
fn fields() -> Vec<String> {
    let schema: Option<Value> = serde_json::from_str(schema::PROBLEM).ok();
    let fields = schema
        .as_ref()
        .and_then(|schema| schema["properties"].as_object());
    fields.map_or_else(Vec::new, |fields| fields.keys().cloned().collect())
}

/// That a field was not read, and what it may have been meant to be.
pub fn unread(field: &str) -> String {
    let meant = match field_meant(field) {
        Some(meant) => format!("; did you mean {meant:?}?"),
        None => did_you_mean(field, fields().iter().map(String::as_str)),
    };
    format!("the field {field:?} is not known and not read{meant}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn files_of_problems_are_of_that_length_on_average() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/problems");
        let files = etalon_golden::record_files(&[folder.into()]).unwrap();
        let bytes = files
            .iter()
            .map(|file| std::fs::metadata(file).unwrap().len() as usize);
        let mean = bytes.sum::<usize>() / files.len();
        assert!(
            (FILE_BYTES / 2..2 * FILE_BYTES).contains(&mean),
            "{mean} bytes"
        );
    }
}
