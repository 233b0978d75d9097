//! Changes of one place of a JSON record, and who is told of them.

use std::collections::{BTreeMap, BTreeSet};

use etalon::lcp::parse_rational;
use etalon_certify::on_threads;
use serde_json::{Value, json};

/// What exceptions that are for fields left out only end with.
const REMOVED: &str = " removed";

/// One change.
pub struct Edit {
    /// The fields on the way, positions in lists left out: `expect.solutions`.
    pub place: String,
    /// Whether the place is gone; otherwise it has another value.
    pub removed: bool,
    /// The record with it.
    pub record: Value,
}

impl Edit {
    /// As lists of exceptions name it.
    pub fn name(&self) -> String {
        let what = if self.removed { REMOVED } else { "" };
        format!("{}{what}", self.place)
    }
}

/// Steps to a place.
#[derive(Clone)]
enum Step {
    Field(String),
    Index(usize),
}

/// Every field and every value of a record changed in turn: another value for each number, text, truth value
/// and null, and each field and entry left out. Of a long list the first, the middle and the last entry.
pub fn edits(record: &Value) -> Vec<Edit> {
    let mut places = Vec::new();
    collect(record, &mut Vec::new(), &mut places);
    let mut edits = Vec::new();
    for place in places {
        let name = name(&place);
        let mut changed = record.clone();
        let value = at(&mut changed, &place).unwrap();
        if let Some(other) = another(value) {
            *value = other;
            edits.push(Edit {
                place: name.clone(),
                removed: false,
                record: changed,
            });
        }
        let mut without = record.clone();
        let (last, before) = place.split_last().unwrap();
        match (at(&mut without, before).unwrap(), last) {
            (Value::Object(fields), Step::Field(field)) => drop(fields.remove(field)),
            (Value::Array(entries), Step::Index(i)) => drop(entries.remove(*i)),
            _ => unreachable!(),
        }
        edits.push(Edit {
            place: name,
            removed: true,
            record: without,
        });
    }
    edits
}

/// What is found of each change of a record, in their order, on all cores: each takes long, and has nothing to do with the others.
pub fn of_each<T: Send>(edits: &[Edit], find: impl Fn(&Edit) -> T + Sync) -> Vec<T> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    on_threads(edits.len(), cores, |k| find(&edits[k]))
}

fn collect(value: &Value, before: &mut Vec<Step>, places: &mut Vec<Vec<Step>>) {
    let mut enter = |step: Step, value: &Value| {
        before.push(step);
        places.push(before.clone());
        collect(value, before, places);
        before.pop();
    };
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                enter(Step::Field(field.clone()), value);
            }
        }
        Value::Array(entries) => {
            let n = entries.len();
            let chosen = BTreeSet::from([0, n / 2, n.saturating_sub(1)]);
            for i in chosen.into_iter().filter(|i| *i < n) {
                enter(Step::Index(i), &entries[i]);
            }
        }
        _ => {}
    }
}

fn name(place: &[Step]) -> String {
    let fields = place.iter().filter_map(|step| match step {
        Step::Field(field) => Some(field.as_str()),
        Step::Index(_) => None,
    });
    fields.collect::<Vec<_>>().join(".")
}

fn at<'a>(value: &'a mut Value, place: &[Step]) -> Option<&'a mut Value> {
    place.iter().try_fold(value, |value, step| match step {
        Step::Field(field) => value.get_mut(field),
        Step::Index(i) => value.get_mut(i),
    })
}

/// Another value of the kind; `None` for lists and objects, whose entries are changed.
fn another(value: &Value) -> Option<Value> {
    Some(match value {
        Value::Null => json!("z"),
        Value::Bool(truth) => json!(!truth),
        Value::Number(number) => match number.as_u64() {
            Some(whole) => json!(whole + 1),
            None => json!(number.as_f64()? * 1.5 + 1.0),
        },
        Value::String(text) => match (&**text, parse_rational(text)) {
            ("z", _) => json!("w"),
            ("w", _) => json!("z"),
            (_, Ok(number)) => json!((number + 1u32).to_string()),
            (word, Err(_)) => json!(format!("{word}x")),
        },
        Value::Array(_) | Value::Object(_) => return None,
    })
}

/// Which changes were not noticed, and how often; those that are allowed, each with its reason, must be just
/// these.
pub struct Unnoticed {
    /// (place, why nothing needs to notice it); a place stands for all below it, too.
    pub allowed: &'static [(&'static str, &'static str)],
    pub found: BTreeMap<String, Vec<String>>,
    pub tried: usize,
}

impl Unnoticed {
    pub fn new(allowed: &'static [(&'static str, &'static str)]) -> Self {
        Self {
            allowed,
            found: BTreeMap::new(),
            tried: 0,
        }
    }

    /// Counts a change of a record.
    pub fn count(&mut self, edit: &Edit, of: &str, noticed: bool) {
        self.tried += 1;
        if !noticed {
            let of = of.to_owned();
            self.found.entry(edit.name()).or_default().push(of);
        }
    }

    /// Nothing else than what is allowed went unnoticed, and each exception is needed.
    pub fn check(&self) {
        let covers = |allowed: &str, name: &str| {
            let place = allowed.strip_suffix(REMOVED);
            let name = match place {
                Some(_) => name.strip_suffix(REMOVED).unwrap_or_default(),
                None => name,
            };
            let rest = name.strip_prefix(place.unwrap_or(allowed));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ' ']))
        };
        for (name, of) in &self.found {
            let known = self
                .allowed
                .iter()
                .any(|(allowed, _)| covers(allowed, name));
            assert!(known, "nobody notices a change of {name} in {of:?}");
        }
        for (allowed, why) in self.allowed {
            let needed = self.found.keys().any(|name| covers(allowed, name));
            assert!(needed, "{allowed} is noticed: it is no exception ({why})");
        }
    }
}
