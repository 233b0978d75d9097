//! Fields of a map, with their faults.

use etalon_lcp::record::RecordError;
use serde_json::{Map, Value};

use super::Result;
use crate::motion::table::cell::Cell;

/// The most bodies and contacts of a map.
const MOST: usize = 10_000;

/// Fields of an object of the map, which are all known.
pub(super) struct Fields<'a> {
    own: &'a Map<String, Value>,
    place: String,
}

impl<'a> Fields<'a> {
    pub fn of(value: &'a Value, place: &str, known: &[&str]) -> Result<Self> {
        let Value::Object(own) = value else {
            return Err(RecordError::new(place, "it is no object"));
        };
        if let Some(other) = own.keys().find(|name| !known.contains(&name.as_str())) {
            let why = format!("there is no such field; known are {}", known.join(", "));
            return Err(RecordError::new(inside(place, other), why));
        }
        Ok(Self {
            own,
            place: place.to_owned(),
        })
    }

    pub fn at(&self, name: &str) -> String {
        inside(&self.place, name)
    }

    pub fn fault(&self, name: &str, why: impl std::fmt::Display) -> RecordError {
        RecordError::new(self.at(name), why)
    }

    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.own.get(name)
    }

    pub fn cell(&self, name: &str) -> Result<Option<Cell>> {
        let own = self.get(name);
        own.map(|value| Cell::read(value, &self.at(name)))
            .transpose()
    }

    pub fn cells(&self, name: &str, n: usize) -> Result<Option<Vec<Cell>>> {
        let own = self.get(name);
        own.map(|value| Cell::read_all(value, &self.at(name), n))
            .transpose()
    }

    /// One cell in the plane, three in space.
    pub fn turning(&self, name: &str, dimension: usize) -> Result<Option<Vec<Cell>>> {
        if dimension == 2 {
            return Ok(self.cell(name)?.map(|own| vec![own]));
        }
        self.cells(name, 3)
    }

    /// So many rows of n cells.
    pub fn rows(&self, name: &str, rows: usize, n: usize) -> Result<Option<Vec<Vec<Cell>>>> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Array(own)) if own.len() == rows => {
                let each = own.iter().enumerate();
                let each =
                    each.map(|(i, row)| Cell::read_all(row, &format!("{}[{i}]", self.at(name)), n));
                each.collect::<Result<_>>().map(Some)
            }
            Some(_) => Err(self.fault(name, format!("{rows} lists of {n} belong there"))),
        }
    }

    pub fn word(&self, name: &str, words: &[&'static str]) -> Result<Option<&'static str>> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let found = words.iter().find(|word| value.as_str() == Some(**word));
        let none = || self.fault(name, format!("{value} is none of {}", words.join(", ")));
        found.copied().map(Some).ok_or_else(none)
    }

    /// Whether a field is true; false where it is not there.
    pub fn flag(&self, name: &str) -> Result<bool> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(own)) => Ok(*own),
            Some(other) => Err(self.fault(name, format!("{other} is neither true nor false"))),
        }
    }

    pub fn text(&self, name: &str) -> Result<&'a str> {
        let missing = || self.fault(name, "it is missing, or no text");
        self.get(name).and_then(Value::as_str).ok_or_else(missing)
    }

    pub fn list(&self, name: &str) -> Result<&'a [Value]> {
        match self.get(name) {
            None => Ok(&[]),
            Some(Value::Array(own)) if own.len() <= MOST => Ok(own),
            Some(Value::Array(own)) => {
                let why = format!("{} entries are over the limit of {MOST}", own.len());
                Err(self.fault(name, why))
            }
            Some(_) => Err(self.fault(name, "it is no list")),
        }
    }
}

fn inside(place: &str, name: &str) -> String {
    if place.is_empty() {
        name.to_owned()
    } else {
        format!("{place}.{name}")
    }
}

/// The names that columns have where the map does not say: `OWNER.x`.
pub(super) struct Names<'a> {
    pub columns: &'a [String],
    pub dimension: usize,
}

impl Names<'_> {
    /// `OWNER.PREFIXx`, `OWNER.PREFIXy`, and in space `OWNER.PREFIXz`.
    pub fn vector(&self, owner: &str, prefix: &str) -> Vec<Cell> {
        let axes = ["x", "y", "z"].into_iter().take(self.dimension);
        axes.map(|axis| Cell::column(format!("{owner}.{prefix}{axis}")))
            .collect()
    }

    pub fn named(&self, owner: &str, names: &[&str]) -> Vec<Cell> {
        let each = names.iter();
        each.map(|name| Cell::column(format!("{owner}.{name}")))
            .collect()
    }

    /// The column of that name, where there is one.
    pub fn optional(&self, owner: &str, name: &str) -> Option<Cell> {
        let full = format!("{owner}.{name}");
        self.columns.contains(&full).then(|| Cell::column(full))
    }

    pub fn all_optional(&self, owner: &str, names: &[&str]) -> Option<Vec<Cell>> {
        names
            .iter()
            .map(|name| self.optional(owner, name))
            .collect()
    }
}
