//! Writing JSON by hand where the layout matters: numbers keep their form, matrices their rows.

use serde_json::Value;

use crate::number::Number;

/// An object under construction, fields in the order given.
pub(super) struct Object {
    pretty: bool,
    fields: Vec<(&'static str, String)>,
}

impl Object {
    pub fn compact() -> Self {
        Self {
            pretty: false,
            fields: Vec::new(),
        }
    }

    /// One field a line, and one matrix row a line.
    pub fn pretty() -> Self {
        Self {
            pretty: true,
            fields: Vec::new(),
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
        let fields: Vec<_> = self
            .fields
            .iter()
            .map(|(name, json)| format!("\"{name}\"{colon}{json}"))
            .collect();
        format!("{open}{}{close}", fields.join(between))
    }
}

pub(super) fn text(value: &str) -> String {
    Value::from(value).to_string()
}

pub(super) fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

/// A number in the form in which it was read: binary64 as a JSON number, exact as a string.
pub(super) fn number(value: &Number) -> String {
    if value.as_binary64().is_some() {
        value.to_string()
    } else {
        format!("\"{value}\"")
    }
}

pub(super) fn numbers(values: &[Number]) -> String {
    array(values.iter().map(number))
}

pub(super) fn vectors(vectors: &[Vec<Number>]) -> String {
    array(vectors.iter().map(|vector| numbers(vector)))
}
