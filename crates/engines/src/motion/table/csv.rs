//! Reading a table line by line, in constant memory.

use std::collections::HashMap;
use std::io::BufRead;

use super::build::Builder;
use super::map::read_motion_map;
use super::row::{Row, TableError, fault};
use crate::motion::{MotionStep, Rounding};

/// The longest line, in bytes.
const MOST_BYTES: u64 = 4 << 20;

/// A motion in a table, step by step.
pub struct MotionTable<R> {
    input: R,
    line: u64,
    separator: char,
    columns: Vec<String>,
    places: HashMap<String, usize>,
    builder: Builder,
    before: Option<(u64, Vec<String>)>,
    k: u64,
}

impl<R: BufRead> MotionTable<R> {
    /// Opens a table with its map.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn open(mut input: R, map: &str) -> Result<Self, TableError> {
        let mut line = 0;
        let first = next_line(&mut input, &mut line)?;
        let why = "the table is empty; its first line has the names of the columns";
        let first = first.ok_or_else(|| fault(1, why))?;
        let first = first.trim_start_matches('\u{feff}').to_owned();
        let separators = [',', ';', '\t'].into_iter();
        let separator = separators.clone().find(|own| first.contains(*own));
        let separator = separator.unwrap_or(',');
        let columns = split(&first, separator).map_err(|why| fault(line, why))?;
        let columns: Vec<String> = columns
            .into_iter()
            .map(|own| own.trim().to_owned())
            .collect();
        if columns.iter().all(|own| own.parse::<f64>().is_ok()) {
            let why = "the first line has numbers only; it must have the names of the columns";
            return Err(fault(line, why));
        }
        let mut places = HashMap::new();
        for (i, name) in columns.iter().enumerate() {
            if let Some(earlier) = places.insert(name.clone(), i) {
                let (a, b) = (earlier + 1, i + 1);
                let why = format!(
                    "the column {name:?} is there twice, as number {a} and {b}; rename one"
                );
                return Err(fault(line, why));
            }
        }
        let map = read_motion_map(map, &columns)?;
        for (field, name) in map.columns() {
            if !places.contains_key(name) {
                let why = format!(
                    "there is no column {name:?}, which the map needs for the {field}; there are {}. Name the right one in the map",
                    columns.join(", ")
                );
                return Err(fault(line, why));
            }
        }
        Ok(Self {
            input,
            line,
            separator,
            columns,
            places,
            builder: Builder::new(map),
            before: None,
            k: 0,
        })
    }

    /// The rounding that the map declares.
    pub fn rounding(&self) -> &Rounding {
        &self.builder.map.rounding
    }

    /// The next step, with the line that it ends at.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn next_step(&mut self) -> Result<Option<(u64, MotionStep)>, TableError> {
        if self.before.is_none() {
            self.before = self.fields()?;
            if self.before.is_none() {
                return Err(fault(self.line, "the table has no states"));
            }
        }
        let Some(after) = self.fields()? else {
            if self.k == 0 {
                let why =
                    "the table has one state only; a step needs the states before and after it";
                return Err(fault(self.line, why));
            }
            return Ok(None);
        };
        let Some(before) = self.before.replace(after) else {
            return Ok(None);
        };
        self.k += 1;
        let exact = self.builder.map.rounding.relative.is_zero();
        let row = |(line, fields): &'_ (u64, Vec<String>)| (*line, fields.clone());
        let (before, after) = (before, self.before.as_ref().map(row).unwrap_or_default());
        let rows = [&before, &after].map(|(line, fields)| Row {
            places: &self.places,
            fields,
            line: *line,
            exact,
        });
        let step = self.builder.step(self.k, &rows)?;
        Ok(Some((self.line, step)))
    }

    fn fields(&mut self) -> Result<Option<(u64, Vec<String>)>, TableError> {
        loop {
            let Some(text) = next_line(&mut self.input, &mut self.line)? else {
                return Ok(None);
            };
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            let fields = split(&text, self.separator).map_err(|why| fault(self.line, why))?;
            if fields.len() != self.columns.len() {
                let cut = if text.ends_with('\n') {
                    ""
                } else {
                    "; the file may be cut off there: drop the line, or write the table again"
                };
                let why = format!(
                    "{} fields, where the first line has {} columns{cut}",
                    fields.len(),
                    self.columns.len()
                );
                return Err(fault(self.line, why));
            }
            return Ok(Some((self.line, fields)));
        }
    }
}

/// The next line with its end, within the limit.
fn next_line(input: &mut impl BufRead, line: &mut u64) -> Result<Option<String>, TableError> {
    let mut bytes = Vec::new();
    std::io::Read::take(&mut *input, MOST_BYTES).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    *line += 1;
    if bytes.len() as u64 == MOST_BYTES {
        let why = format!(
            "the line is over the limit of {MOST_BYTES} bytes; is this a table with a line a step?"
        );
        return Err(fault(*line, why));
    }
    let text = String::from_utf8(bytes).map_err(|_| fault(*line, "it is no text in UTF-8"))?;
    Ok(Some(text))
}

/// The fields of a line; quoted ones may hold separators and doubled quotes.
fn split(text: &str, separator: char) -> Result<Vec<String>, String> {
    let text = text.trim_end_matches(['\n', '\r']);
    let mut fields = Vec::new();
    let (mut field, mut quoted) = (String::new(), false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                field.push('"');
                letters.next();
            }
            '"' => quoted = !quoted,
            own if own == separator && !quoted => fields.push(std::mem::take(&mut field)),
            own => field.push(own),
        }
    }
    if quoted {
        return Err("a quote is not closed; a field cannot hold a line's end".to_owned());
    }
    fields.push(field);
    Ok(fields)
}
