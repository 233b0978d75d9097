//! Problems as they come in, with errors and warnings reported on the way.

use std::collections::HashSet;

use etalon_golden::{Golden, GoldenRecords, Origin, ReadError};
use etalon_lcp::record::field_meant;
use etalon_lcp::schema;
use serde_json::Value;

use super::complaints::Complaints;
use super::console::Console;
use super::similar::did_you_mean;

/// The readable ones of some problem records.
pub struct Intake<'a> {
    records: GoldenRecords,
    reception: Reception<'a>,
}

impl<'a> Intake<'a> {
    pub fn new(records: GoldenRecords, console: &'a Console) -> Self {
        Self {
            records,
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
