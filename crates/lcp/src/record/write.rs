//! Writing JSON by hand where the layout matters: numbers keep their form, matrices their rows.

#[cfg(feature = "cbor")]
use super::cbor::{Item, encode};
use crate::number::Number;

/// An object under construction, fields in the order given.
pub(super) struct Object {
    pretty: bool,
    fields: Vec<(&'static str, String)>,
    /// Fields that are typed arrays; in CBOR alone.
    #[cfg(feature = "cbor")]
    items: Vec<(&'static str, Item<'static>)>,
}

impl Object {
    pub fn compact() -> Self {
        Self {
            pretty: false,
            fields: Vec::new(),
            #[cfg(feature = "cbor")]
            items: Vec::new(),
        }
    }

    /// One field a line, and one matrix row a line.
    pub fn pretty() -> Self {
        Self {
            pretty: true,
            ..Self::compact()
        }
    }

    pub fn raw(&mut self, name: &'static str, json: String) {
        self.fields.push((name, json));
    }

    pub fn text(&mut self, name: &'static str, value: &str) {
        self.raw(name, text(value));
    }

    pub fn numbers(&mut self, name: &'static str, values: &[Number]) {
        self.raw(name, numbers(values));
    }

    pub fn maybe(&mut self, name: &'static str, json: Option<String>) {
        if let Some(json) = json {
            self.raw(name, json);
        }
    }

    /// Rows of a matrix, or of any list of lists: one a line when pretty.
    pub fn rows(&mut self, name: &'static str, rows: impl Iterator<Item = String>) {
        let json = if self.pretty {
            let indented: Vec<_> = rows.map(|row| format!("    {row}")).collect();
            format!("[\n{}\n  ]", indented.join(",\n"))
        } else {
            array(rows)
        };
        self.raw(name, json);
    }

    pub fn finish(self) -> String {
        let (open, between, close) = if self.pretty {
            ("{\n  ", ",\n  ", "\n}")
        } else {
            ("{", ",", "}")
        };
        let colon = if self.pretty { ": " } else { ":" };
        let fields = self.fields.iter().enumerate();
        let fields = fields.flat_map(|(k, (name, json))| {
            let before = if k == 0 { "" } else { between };
            [before, "\"", name, "\"", colon, json]
        });
        let parts = [open].into_iter().chain(fields).chain([close]);
        // Of one allocation: to grow a text of some megabytes takes as long as to write it.
        parts.collect::<Vec<_>>().concat()
    }
}

#[cfg(feature = "cbor")]
impl Object {
    pub fn item(&mut self, name: &'static str, item: Item<'static>) {
        self.items.push((name, item));
    }

    /// Numbers as a typed array, where all are binary64.
    pub fn floats(&mut self, name: &'static str, values: &[Number]) {
        match values.iter().map(Number::as_binary64).collect() {
            Some(floats) => self.item(name, Item::Floats(floats)),
            None => self.numbers(name, values),
        }
    }

    pub fn finish_cbor(self) -> Vec<u8> {
        let fields = self.fields.iter();
        let fields = fields.map(|(name, json)| (*name, Item::Json(json)));
        let items: Vec<_> = fields.chain(self.items).collect();
        encode(&items)
    }
}

pub(super) fn text(value: &str) -> String {
    // A text is always JSON.
    serde_json::to_string(value).unwrap_or_default()
}

pub(super) fn array(items: impl Iterator<Item = String>) -> String {
    // One text, as of some items there are millions.
    let mut all = "[".to_owned();
    items.for_each(|item| all.extend([item.as_str(), ","]));
    all.truncate(all.strip_suffix(',').unwrap_or(&all).len());
    all + "]"
}

/// A number in the form in which it was read: binary64 as a JSON number, exact as a string.
pub(super) fn number(value: &Number) -> String {
    match value.as_binary64() {
        Some(_) => value.to_string(),
        None => format!("\"{value}\""),
    }
}

/// A list of numbers, each in the form in which it was read, as it stands in a record.
pub fn numbers(values: &[Number]) -> String {
    array(values.iter().map(number))
}

pub(super) fn vectors(vectors: &[Vec<Number>]) -> String {
    array(vectors.iter().map(|vector| numbers(vector)))
}
