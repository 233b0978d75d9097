//! A JSON value that knows where it stands.

use etalon_lcp::Number;
use etalon_rigid::Vector;
use rug::Rational;
use serde_json::{Map, Value};

use super::{FORMAT, MAX_PARTS, SceneFileError};

type Result<T> = std::result::Result<T, SceneFileError>;

/// A value with its path in the record.
pub struct Node<'a> {
    value: &'a Value,
    place: String,
}

/// An object of which only the fields of a list may be there.
pub struct Fields<'a> {
    map: &'a Map<String, Value>,
    place: String,
}

impl<'a> Node<'a> {
    pub fn root(value: &'a Value) -> Self {
        let place = String::new();
        Self { value, place }
    }

    pub fn error<T>(&self, problem: impl Into<String>) -> Result<T> {
        Err(SceneFileError {
            place: self.place.clone(),
            problem: problem.into(),
        })
    }

    /// The value as an object without other fields than these.
    pub fn object(&self, known: &[&str]) -> Result<Fields<'a>> {
        let Value::Object(map) = self.value else {
            return self.error("must be an object");
        };
        if let Some(name) = map.keys().find(|name| !known.contains(&name.as_str())) {
            return self.error(format!(
                "there is no field {name:?}; the fields are {}",
                known.join(", ")
            ));
        }
        let place = self.place.clone();
        Ok(Fields { map, place })
    }

    /// The value as a scene of this format, without other fields than these.
    pub fn scene(&self, known: &[&str]) -> Result<Fields<'a>> {
        let scene = self.object(known)?;
        if let Some(format) = scene.get("format")
            && format.text()? != FORMAT
        {
            return format.error(format!("must be {FORMAT:?}"));
        }
        Ok(scene)
    }

    /// The value as an array of not too many items.
    pub fn items(&self) -> Result<Vec<Node<'a>>> {
        let Value::Array(items) = self.value else {
            return self.error("must be an array");
        };
        if items.len() > MAX_PARTS {
            return self.error(format!(
                "{} items are over the limit of {MAX_PARTS}",
                items.len()
            ));
        }
        let item = |(k, value): (usize, &'a Value)| Node {
            value,
            place: format!("{}[{k}]", self.place),
        };
        Ok(items.iter().enumerate().map(item).collect())
    }

    pub fn text(&self) -> Result<&'a str> {
        match self.value {
            Value::String(text) => Ok(text),
            _ => self.error("must be a string"),
        }
    }

    pub fn flag(&self) -> Result<bool> {
        match self.value {
            Value::Bool(flag) => Ok(*flag),
            _ => self.error("must be true or false"),
        }
    }

    pub fn count(&self) -> Result<usize> {
        let count = self.value.as_u64().and_then(|n| usize::try_from(n).ok());
        count.map_or_else(|| self.error("must be a whole number"), Ok)
    }

    /// The only field of an object that has one of several.
    pub fn one_of(&self, names: &[&'static str]) -> Result<(&'static str, Node<'a>)> {
        let fields = self.object(names)?;
        let given = names
            .iter()
            .filter_map(|name| Some((*name, fields.get(name)?)));
        let mut given: Vec<_> = given.collect();
        match (given.len(), given.pop()) {
            (1, Some(own)) => Ok(own),
            _ => self.error(format!("must have one of the fields {}", names.join(", "))),
        }
    }

    pub fn is_array(&self) -> bool {
        self.value.is_array()
    }

    /// A JSON number is the nearest binary64, taken exactly; a string is exact.
    pub fn number(&self) -> Result<Rational> {
        let number = match self.value {
            Value::Number(number) => number.as_f64().and_then(Number::from_f64),
            Value::String(text) => match Number::parse_exact(text) {
                Ok(number) => Some(number),
                Err(error) => return self.error(error.to_string()),
            },
            _ => None,
        };
        match number {
            Some(number) => Ok(number.into_rational()),
            None => self.error("must be a finite number, or an exact one in a string"),
        }
    }

    pub fn numbers<const N: usize>(&self) -> Result<[Rational; N]> {
        let items = self.items()?;
        let numbers: Vec<_> = items.iter().map(Node::number).collect::<Result<_>>()?;
        let length = numbers.len();
        match numbers.try_into() {
            Ok(numbers) => Ok(numbers),
            Err(_) => self.error(format!("has {length} numbers, but must have {N}")),
        }
    }

    pub fn vector<const D: usize>(&self) -> Result<Vector<Rational, D>> {
        self.numbers().map(Vector::new)
    }
}

impl<'a> Fields<'a> {
    /// The field of that name, if it is there.
    pub fn get(&self, name: &str) -> Option<Node<'a>> {
        let place = match self.place.as_str() {
            "" => name.to_owned(),
            place => format!("{place}.{name}"),
        };
        let value = self.map.get(name)?;
        Some(Node { value, place })
    }

    pub fn error<T>(&self, problem: impl Into<String>) -> Result<T> {
        Err(SceneFileError {
            place: self.place.clone(),
            problem: problem.into(),
        })
    }

    /// The field of that name.
    pub fn need(&self, name: &str) -> Result<Node<'a>> {
        match self.get(name) {
            Some(node) => Ok(node),
            None => self.error(format!("the field {name:?} is missing")),
        }
    }

    /// The value that a reader gives the field, or the default where it is missing.
    pub fn or<T>(
        &self,
        name: &str,
        default: T,
        read: impl FnOnce(&Node<'a>) -> Result<T>,
    ) -> Result<T> {
        self.get(name).map_or(Ok(default), |node| read(&node))
    }

    /// The name of a scene, and its notes where there are any.
    pub fn name_and_notes(&self) -> Result<(String, Option<String>)> {
        let name = self.need("name")?.text()?.to_owned();
        let notes = self.or("notes", None, |notes| Ok(Some(notes.text()?.to_owned())))?;
        Ok((name, notes))
    }

    /// The items of a list, none where it is missing.
    pub fn list(&self, name: &str) -> Result<Vec<Node<'a>>> {
        self.or(name, Vec::new(), Node::items)
    }
}
