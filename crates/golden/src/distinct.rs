//! A JSON value in which no object has two fields of one name.
//!
//! JSON leaves open which of two fields of one name counts, and parsers differ: a scene whose mass
//! is given twice is no scene, and a line that gives two verdicts is no verdict.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads a JSON value, and refuses a field that is given twice by its path.
///
/// # Errors
/// What is wrong with the text, with line and column.
pub fn distinct_value(text: &str) -> serde_json::Result<Value> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = At(String::new()).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// The path of the value to be read.
struct At(String);

impl At {
    fn field(&self, name: &str) -> Self {
        match self.0.as_str() {
            "" => Self(name.to_owned()),
            place => Self(format!("{place}.{name}")),
        }
    }
}

impl<'de> DeserializeSeed<'de> for At {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for At {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) =
            items.next_element_seed(At(format!("{}[{}]", self.0, values.len())))?
        {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            let place = self.field(&name);
            if map.contains_key(&name) {
                let place = place.0;
                return Err(A::Error::custom(format!(
                    "{place}: the field is given twice"
                )));
            }
            map.insert(name, fields.next_value_seed(place)?);
        }
        Ok(Value::Object(map))
    }
}
