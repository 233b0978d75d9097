//! The twin's own reader of records.

use etalon_tests::twin::contact::{Contact, Contacts, Disc};
use etalon_tests::twin::{Rational, from_f64, parse};
use serde_json::Value;

/// A number of a record: JSON's numbers are binary64, texts are what they say.
pub fn number(value: &Value) -> Rational {
    match value {
        Value::String(text) => parse(text).unwrap(),
        other => from_f64(other.as_f64().unwrap()).unwrap(),
    }
}

fn numbers(value: &Value) -> Vec<Rational> {
    value
        .as_array()
        .map_or_else(Vec::new, |list| list.iter().map(number).collect())
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn indices(value: &Value) -> Vec<usize> {
    value.as_array().unwrap().iter().map(index).collect()
}

fn matrix(value: &Value, n: usize) -> Vec<Vec<(usize, Rational)>> {
    let mut rows = vec![Vec::new(); n];
    if let Some(dense) = value.as_array() {
        for (i, row) in dense.iter().enumerate() {
            let entries = numbers(row).into_iter().enumerate();
            rows[i] = entries.filter(|(_, entry)| *entry != 0).collect();
        }
    } else {
        for entry in value["entries"].as_array().unwrap() {
            rows[index(&entry[0])].push((index(&entry[1]), number(&entry[2])));
        }
    }
    rows
}

fn bounds(value: &Value, n: usize, default: &Option<Rational>) -> Vec<Option<Rational>> {
    let bound = |value: &Value| match value.as_str() {
        Some("inf" | "-inf") => None,
        _ => Some(number(value)),
    };
    value.as_array().map_or_else(
        || vec![default.clone(); n],
        |list| list.iter().map(bound).collect(),
    )
}

fn disc(rows: Vec<usize>, mu: &Value) -> Disc {
    let one = !mu.is_array();
    let mu = if one {
        vec![number(mu); rows.len()]
    } else {
        numbers(mu)
    };
    Disc { rows, mu, one }
}

fn contact(value: &Value) -> Contact {
    let convex = value["law"] == "convex";
    if let Some(discs) = value["discs"].as_array() {
        let discs = discs
            .iter()
            .map(|own| disc(indices(&own["rows"]), &own["mu"]));
        return Contact {
            normal: index(&value["normal"]),
            discs: discs.collect(),
            convex,
        };
    }
    let rows = indices(&value["rows"]);
    let (normal, tangents) = (rows[0], rows[1..].to_vec());
    Contact {
        normal,
        discs: vec![disc(tangents, &value["mu"])],
        convex,
    }
}

/// A record with friction cones.
pub fn problem(value: &Value) -> Contacts {
    let q = numbers(&value["q"]);
    let n = q.len();
    let list = |field: &str| value[field].as_array().cloned().unwrap_or_default();
    Contacts {
        m: matrix(&value["M"], n),
        lower: bounds(&value["lower"], n, &Some(Rational::from(0))),
        upper: bounds(&value["upper"], n, &None),
        contacts: list("cones").iter().map(contact).collect(),
        blocks: list("blocks").iter().map(indices).collect(),
        scale: numbers(&value["scale"]),
        q,
    }
}
