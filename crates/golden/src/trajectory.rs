//! Golden trajectories: a header and a line for each step, which any one step is re-proved from.
//!
//! The file alone says how each step came about: the header names the scene, its parameters and
//! the arithmetic, the line before a step holds the state that it starts from. Whoever can take
//! steps takes each of them again, and [`differences`] finds the field, down to the digit, in which
//! the line that comes out is not the line that stands there.

use std::io::{BufRead, BufReader};
use std::path::Path;

use serde_json::Value;

use crate::files;
use crate::origin::Origin;

/// A trajectory in a file.
#[derive(Debug, Clone)]
pub struct Trajectory {
    /// The file.
    pub file: String,
    /// The first line.
    pub header: Value,
    /// The steps, from the first to the last.
    pub steps: Vec<Value>,
    /// All lines as they stand in the file.
    pub texts: Vec<String>,
}

/// Why a trajectory cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrajectoryError {
    /// The file cannot be read.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// A line that is no JSON.
    #[error("{origin}: {reason}")]
    Line {
        /// The line.
        origin: Origin,
        /// What is wrong.
        reason: String,
    },
}

/// Reads a trajectory; its lines are JSON, and their numbers are counted from 1.
///
/// # Errors
/// [`TrajectoryError`].
pub fn read_trajectory(path: &Path) -> Result<Trajectory, TrajectoryError> {
    let file = path.display().to_string();
    let io = |source| TrajectoryError::Io {
        file: file.clone(),
        source,
    };
    let (mut lines, mut texts) = (Vec::new(), Vec::new());
    for (line, text) in (1..).zip(BufReader::new(files::open_file(path).map_err(io)?).lines()) {
        let text = text.map_err(io)?;
        let value = serde_json::from_str(&text);
        lines.push(value.map_err(|error| TrajectoryError::Line {
            origin: Origin::new(&file, line),
            reason: error.to_string(),
        })?);
        texts.push(text);
    }
    let mut lines = lines.into_iter();
    let header = lines.next().unwrap_or(Value::Null);
    Ok(Trajectory {
        file,
        header,
        steps: lines.collect(),
        texts,
    })
}

impl Trajectory {
    /// The line of the file on which step k stands.
    pub fn origin(&self, k: u64) -> Origin {
        Origin::new(&self.file, k + 1)
    }
}

/// Where a stored line and the same line made anew differ: each place with both values, empty where
/// they say the same. Numbers are compared as they stand, not to a tolerance.
pub fn differences(stored: &Value, own: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare("", stored, own, &mut found);
    found
}

fn compare(place: &str, stored: &Value, own: &Value, found: &mut Vec<String>) {
    let below = |name: &str| match place {
        "" => name.to_owned(),
        _ => format!("{place}.{name}"),
    };
    match (stored, own) {
        (Value::Object(a), Value::Object(b)) => {
            for (name, value) in a {
                match b.get(name) {
                    Some(other) => compare(&below(name), value, other, found),
                    None => found.push(format!("{} is not a field of the line", below(name))),
                }
            }
            let missing = b.keys().filter(|name| !a.contains_key(*name));
            found.extend(missing.map(|name| format!("{} is missing", below(name))));
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (i, (value, other)) in a.iter().zip(b).enumerate() {
                compare(&format!("{place}[{i}]"), value, other, found);
            }
        }
        _ if stored == own => {}
        _ => found.push(format!("{place} is {stored}, but comes out as {own}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_corrupted_digit_is_found_with_its_place() {
        let own = json!({"k": 3, "q": ["1/7", 0.5], "lcp": {"basis": "01"}});
        assert!(differences(&own, &own).is_empty());
        let stored = json!({"k": 3, "q": ["1/7", 0.500_000_000_000_000_1], "lcp": {"basis": "11"}});
        let found = differences(&stored, &own);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0], r#"lcp.basis is "11", but comes out as "01""#);
        assert!(found[1].starts_with("q[1] is 0.5000000000000001, but comes out as 0.5"));
        let found = differences(&json!({"t": 1}), &json!({"k": 1}));
        assert_eq!(found, ["t is not a field of the line", "k is missing"]);
    }
}
