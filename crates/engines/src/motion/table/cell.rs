//! Where a number comes from: a constant, or a column.

use etalon_lcp::record::RecordError;
use etalon_lcp::{Number, parse_rational};
use rug::Rational;
use serde_json::Value;

/// A number of a map: a JSON number is a constant, a string the name of a column, `{"column", "times"}` a column in another unit,
/// `{"value": "1/3"}` an exact constant.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    Constant(Rational),
    Column { name: String, times: Rational },
}

type Result<T> = std::result::Result<T, RecordError>;

impl Cell {
    pub fn column(name: impl Into<String>) -> Self {
        Self::Column {
            name: name.into(),
            times: Rational::from(1),
        }
    }

    pub fn read(value: &Value, place: &str) -> Result<Self> {
        match value {
            Value::Number(number) => match Number::parse_json_number(&number.to_string()) {
                Ok(number) => Ok(Self::Constant(number.to_rational())),
                Err(error) => Err(RecordError::new(place, error)),
            },
            Value::String(name) => Ok(Self::column(name.as_str())),
            Value::Object(fields) => Self::of_object(fields, place),
            _ => {
                let why = "it is neither a number (a constant) nor a string (a column)";
                Err(RecordError::new(place, why))
            }
        }
    }

    fn of_object(fields: &serde_json::Map<String, Value>, place: &str) -> Result<Self> {
        let known = ["column", "times", "value"];
        if let Some(other) = fields.keys().find(|name| !known.contains(&name.as_str())) {
            let why = format!("{other:?} is none of column, times, value");
            return Err(RecordError::new(place, why));
        }
        let exact = |name: &str| -> Result<Option<Rational>> {
            let inner = format!("{place}.{name}");
            match fields.get(name) {
                None => Ok(None),
                Some(Value::String(text)) => {
                    let own = parse_rational(text);
                    own.map(Some)
                        .map_err(|error| RecordError::new(inner, error))
                }
                Some(other) => match Self::read(other, &inner)? {
                    Self::Constant(own) => Ok(Some(own)),
                    Self::Column { .. } => Err(RecordError::new(inner, "it must be a number")),
                },
            }
        };
        match (
            exact("value")?,
            fields.get("column").and_then(Value::as_str),
        ) {
            (Some(value), None) => Ok(Self::Constant(value)),
            (None, Some(name)) => Ok(Self::Column {
                name: name.to_owned(),
                times: exact("times")?.unwrap_or_else(|| Rational::from(1)),
            }),
            _ => {
                let why = "it has either \"value\", or \"column\" (with \"times\" where the unit is another)";
                Err(RecordError::new(place, why))
            }
        }
    }

    pub fn read_all(value: &Value, place: &str, n: usize) -> Result<Vec<Self>> {
        let Value::Array(values) = value else {
            let why = format!("it is no list of {n} numbers or columns");
            return Err(RecordError::new(place, why));
        };
        if values.len() != n {
            let why = format!("{} entries where {n} belong", values.len());
            return Err(RecordError::new(place, why));
        }
        let each = values.iter().enumerate();
        each.map(|(i, own)| Self::read(own, &format!("{place}[{i}]")))
            .collect()
    }
}
