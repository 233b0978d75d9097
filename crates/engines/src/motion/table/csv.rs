//! Reading a table line by line, in constant memory. `csv-core` takes a line apart; the lines themselves are read here, since they
//! have a limit, and what is said of a table names its line.

use std::collections::HashMap;
use std::io::BufRead;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use super::build::Builder;
use super::map::read_motion_map;
use super::row::{Row, TableError, fault};
use super::unasked::{Unasked, unasked};
use crate::motion::{MotionStep, Rounding};

/// The longest line, in bytes.
const MOST_BYTES: u64 = 4 << 20;

/// The most columns: a body in space has some 30 numbers, a contact 20, and a map has at most 10,000 of each.
const MOST_COLUMNS: usize = 500_000;

/// A motion in a table, step by step.
pub struct MotionTable<R> {
    lines: Lines<R>,
    columns: usize,
    places: HashMap<String, usize>,
    builder: Builder,
    unasked: Vec<Unasked>,
    before: Option<(u64, Vec<String>)>,
    k: u64,
}

impl<R: BufRead> MotionTable<R> {
    /// Opens a table with its map.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn open(input: R, map: &str) -> Result<Self, TableError> {
        let mut lines = Lines::of(input);
        let columns = lines.header()?;
        let places = places(&columns, lines.line)?;
        let map = read_motion_map(map, &columns)?;
        for (field, name) in map.columns() {
            if !places.contains_key(name) {
                let why = format!(
                    "there is no column {name:?}, which the map needs for the {field}; there are {}. Name the right one in the map",
                    columns.join(", ")
                );
                return Err(fault(lines.line, why));
            }
        }
        Ok(Self {
            lines,
            columns: columns.len(),
            places,
            unasked: unasked(&map, &columns),
            builder: Builder::new(map),
            before: None,
            k: 0,
        })
    }

    /// The rounding that the map declares.
    pub fn rounding(&self) -> &Rounding {
        &self.builder.map.rounding
    }

    /// What the map leaves out.
    pub fn unasked(&self) -> &[Unasked] {
        &self.unasked
    }

    /// The next step, with the line that it ends at.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn next_step(&mut self) -> Result<Option<(u64, MotionStep)>, TableError> {
        if self.before.is_none() {
            self.before = self.fields()?;
            if self.before.is_none() {
                return Err(fault(self.lines.line, "the table has no states"));
            }
        }
        let Some(after) = self.fields()? else {
            if self.k == 0 {
                let why =
                    "the table has one state only; a step needs the states before and after it";
                return Err(fault(self.lines.line, why));
            }
            return Ok(None);
        };
        let Some(before) = self.before.take() else {
            return Ok(None);
        };
        self.k += 1;
        let exact = self.builder.map.rounding.relative.is_zero();
        let rows = [&before, &after].map(|(line, fields)| Row {
            places: &self.places,
            fields,
            line: *line,
            exact,
        });
        let step = self.builder.step(self.k, &rows)?;
        let line = after.0;
        self.before = Some(after);
        Ok(Some((line, step)))
    }

    fn fields(&mut self) -> Result<Option<(u64, Vec<String>)>, TableError> {
        let Some((fields, whole)) = self.lines.next()? else {
            return Ok(None);
        };
        let line = self.lines.line;
        if fields.len() == self.columns {
            return Ok(Some((line, fields)));
        }
        let cut = if whole {
            ""
        } else {
            "; the file may be cut off there: drop the line, or write the table again"
        };
        let why = format!(
            "{} fields, where the first line has {} columns{cut}",
            fields.len(),
            self.columns
        );
        Err(fault(line, why))
    }
}

/// Where each column is.
fn places(columns: &[String], line: u64) -> Result<HashMap<String, usize>, TableError> {
    if columns.len() > MOST_COLUMNS {
        let count = columns.len();
        let why = format!("{count} columns are over the limit of {MOST_COLUMNS}");
        return Err(fault(line, why));
    }
    if columns.iter().all(|own| own.parse::<f64>().is_ok()) {
        let why = "the first line has numbers only; it must have the names of the columns";
        return Err(fault(line, why));
    }
    let mut places = HashMap::new();
    for (i, name) in columns.iter().enumerate() {
        if let Some(earlier) = places.insert(name.clone(), i) {
            let (a, b) = (earlier + 1, i + 1);
            let why =
                format!("the column {name:?} is there twice, as number {a} and {b}; rename one");
            return Err(fault(line, why));
        }
    }
    Ok(places)
}

/// The lines of a table.
struct Lines<R> {
    input: R,
    /// The number of the last line that was read.
    line: u64,
    parser: Reader,
    /// What the parser writes: the bytes of all fields, and where each ends.
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl<R: BufRead> Lines<R> {
    fn of(input: R) -> Self {
        Self {
            input,
            line: 0,
            parser: Reader::new(),
            bytes: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// The names in the first line, which also tells the separator.
    fn header(&mut self) -> Result<Vec<String>, TableError> {
        let why = "the table is empty; its first line has the names of the columns";
        let mut first = self.text()?.ok_or_else(|| fault(1, why))?;
        let mark = "\u{feff}".as_bytes();
        if first.starts_with(mark) {
            first.drain(..mark.len());
        }
        if first.trim_ascii().is_empty() {
            return Err(fault(
                1,
                "the first line is empty; it must have the names of the columns",
            ));
        }
        let separators = [b',', b';', b'\t'].into_iter();
        let separator = separators.clone().find(|own| first.contains(own));
        self.parser = ReaderBuilder::new()
            .delimiter(separator.unwrap_or(b','))
            .build();
        let names = self.split(first)?.into_iter();
        Ok(names.map(|own| own.trim().to_owned()).collect())
    }

    /// The fields of the next line that is neither empty nor a remark, and whether it has an end.
    fn next(&mut self) -> Result<Option<(Vec<String>, bool)>, TableError> {
        while let Some(text) = self.text()? {
            if text.trim_ascii().is_empty() || text.starts_with(b"#") {
                continue;
            }
            let whole = text.ends_with(b"\n");
            return Ok(Some((self.split(text)?, whole)));
        }
        Ok(None)
    }

    /// The next line with its end, within the limit.
    fn text(&mut self) -> Result<Option<Vec<u8>>, TableError> {
        let mut text = Vec::new();
        let mut limited = std::io::Read::take(&mut self.input, MOST_BYTES);
        limited.read_until(b'\n', &mut text)?;
        if text.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        if text.len() as u64 == MOST_BYTES {
            let why = format!(
                "the line is over the limit of {MOST_BYTES} bytes; is this a table with a line a step?"
            );
            return Err(fault(self.line, why));
        }
        Ok(Some(text))
    }

    /// The fields of a line; quoted ones may hold separators and doubled quotes.
    fn split(&mut self, mut text: Vec<u8>) -> Result<Vec<String>, TableError> {
        if !text.ends_with(b"\n") {
            text.push(b'\n');
        }
        // No field is longer than the line, and none is without a byte that ends it.
        self.bytes.resize(text.len(), 0);
        self.ends.resize(text.len() + 1, 0);
        self.parser.reset();
        let (result, taken, _, count) =
            self.parser
                .read_record(&text, &mut self.bytes, &mut self.ends);
        if result != ReadRecordResult::Record {
            let why = "a quote is not closed; a field cannot hold a line's end";
            return Err(fault(self.line, why));
        }
        if !text[taken..].trim_ascii().is_empty() {
            let why = "there is a carriage return in the midst of the line; lines of a table end with a line feed";
            return Err(fault(self.line, why));
        }
        let mut start = 0;
        let fields = self.ends[..count].iter().enumerate().map(|(i, end)| {
            let own = self.bytes[start..*end].to_vec();
            start = *end;
            let why = || fault(self.line, format!("field {} is no text in UTF-8", i + 1));
            String::from_utf8(own).map_err(|_| why())
        });
        fields.collect()
    }
}
