//! Objects of records in one line, their fields in the order given.

use serde_json::Value;

/// An object under construction, in one line.
pub(crate) struct Object(Vec<String>);

impl Object {
    pub fn new() -> Self {
        Self(Vec::new())
    }

    pub fn raw(&mut self, name: &str, json: impl std::fmt::Display) -> &mut Self {
        self.0.push(format!("\"{name}\":{json}"));
        self
    }

    pub fn text(&mut self, name: &str, text: &str) -> &mut Self {
        self.raw(name, Value::from(text))
    }

    pub fn maybe<T>(
        &mut self,
        name: &str,
        own: Option<T>,
        json: impl Fn(T) -> String,
    ) -> &mut Self {
        if let Some(own) = own {
            self.raw(name, json(own));
        }
        self
    }

    pub fn end(&self) -> String {
        format!("{{{}}}", self.0.join(","))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

pub(crate) fn list<T>(own: impl IntoIterator<Item = T>, json: impl Fn(T) -> String) -> String {
    let items: Vec<_> = own.into_iter().map(json).collect();
    format!("[{}]", items.join(","))
}
