//! A page of tables from JSON Schemas.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::{Map, Value};

/// The page, as far as it is written.
#[derive(Default)]
pub struct Page {
    pub text: String,
    /// Parts that stand on it already, by their names: records share them.
    parts: BTreeMap<String, Value>,
}

impl Page {
    /// A record and its parts.
    pub fn record(&mut self, name: &str, schema: &Value) {
        write!(self.text, "## etalon schema {name}\n\n").unwrap();
        self.part(schema);
        for (part, own) in schema["$defs"].as_object().into_iter().flatten() {
            if self.parts.get(part) == Some(own) {
                continue;
            }
            self.parts.insert(part.clone(), own.clone());
            write!(self.text, "### {name}: {part}\n\n").unwrap();
            self.part(own);
        }
    }

    /// What a part is: a sentence, and the table of its fields, or one for each of its kinds.
    fn part(&mut self, schema: &Value) {
        let kinds = alternatives(schema);
        let mut sentence = description(schema);
        if kinds.iter().any(|kind| kind["properties"].is_object()) {
            sentence += " One of these:";
        } else if schema["properties"].is_null() {
            sentence += &format!(" Type: {}.", kind(schema));
        }
        writeln!(self.text, "{}\n", sentence.trim()).unwrap();
        self.table(schema);
        for kind in kinds.iter().filter(|kind| kind["properties"].is_object()) {
            writeln!(self.text, "{}\n", title(kind)).unwrap();
            self.table(kind);
        }
    }

    fn table(&mut self, schema: &Value) {
        let mut rows = Vec::new();
        fields("", schema, &mut rows);
        if !rows.is_empty() {
            writeln!(
                self.text,
                "| field | is | needed | meaning |\n|---|---|---|---|"
            )
            .unwrap();
            writeln!(self.text, "{}\n", rows.join("\n")).unwrap();
        }
    }
}

fn description(schema: &Value) -> String {
    schema["description"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

/// The schemas one of which holds.
fn alternatives(schema: &Value) -> &[Value] {
    let lists = ["oneOf", "anyOf"].into_iter();
    lists
        .filter_map(|word| schema[word].as_array())
        .next()
        .map_or(&[], Vec::as_slice)
}

/// A kind of a part by the fields that tell it from the others.
fn title(kind: &Value) -> String {
    let properties = kind["properties"].as_object().unwrap();
    let fixed = properties.iter().filter(|(_, own)| !own["const"].is_null());
    let fixed: Vec<_> = fixed
        .map(|(field, own)| format!("`{field}`: `{}`", own["const"]))
        .collect();
    let words = [fixed.join(", "), description(kind)]
        .into_iter()
        .filter(|text| !text.is_empty());
    let words: Vec<_> = words.collect();
    if words.is_empty() {
        let names: Vec<_> = properties.keys().map(|name| format!("`{name}`")).collect();
        return format!("With {}:", names.join(", "));
    }
    words.join(". ")
}

/// A row for each field, and for each field of objects and of lists of objects in it.
fn fields(path: &str, schema: &Value, rows: &mut Vec<String>) {
    let none = Map::new();
    let needed: BTreeSet<_> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (field, own) in schema["properties"].as_object().unwrap_or(&none) {
        let name = format!("{path}{field}");
        let mark = if needed.contains(field.as_str()) {
            "yes"
        } else {
            ""
        };
        let cells = [
            format!("`{name}`"),
            kind(own),
            mark.to_owned(),
            description_within(own),
        ];
        rows.push(format!(
            "| {} |",
            cells.map(|cell| cell.replace('|', "\\|")).join(" | ")
        ));
        for inner in within(own) {
            fields(&format!("{name}."), inner, rows);
            fields(&format!("{name}[]."), &inner["items"], rows);
        }
    }
}

/// A schema and its alternatives.
fn within(schema: &Value) -> impl Iterator<Item = &Value> {
    [schema].into_iter().chain(alternatives(schema))
}

fn description_within(schema: &Value) -> String {
    let texts: Vec<_> = within(schema)
        .map(description)
        .filter(|text| !text.is_empty())
        .collect();
    texts.join(" ")
}

/// What a value may be, in words.
fn kind(schema: &Value) -> String {
    if let Some(part) = schema["$ref"].as_str() {
        return format!("*{}*", part.rsplit('/').next().unwrap());
    }
    if !schema["const"].is_null() {
        return format!("`{}`", schema["const"]);
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<_> = values.iter().map(|value| format!("`{value}`")).collect();
        return values.join(", ");
    }
    let kinds = alternatives(schema);
    if !kinds.is_empty() {
        let mut words: Vec<_> = kinds.iter().map(kind_of_alternative).collect();
        words.dedup();
        return words.join(" or ");
    }
    match &schema["type"] {
        Value::String(own) if own == "array" => list(schema),
        Value::String(own) => own.clone(),
        Value::Array(all) => {
            let all = all.iter().filter_map(Value::as_str);
            all.map(|own| {
                if own == "array" {
                    list(schema)
                } else {
                    own.to_owned()
                }
            })
            .collect::<Vec<_>>()
            .join(" or ")
        }
        _ => "any value".to_owned(),
    }
}

fn kind_of_alternative(schema: &Value) -> String {
    let told = schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .find(|(_, own)| own["const"].is_string());
    match told {
        Some((_, own)) => format!("an object `{}`", own["const"]),
        None => kind(schema),
    }
}

fn list(schema: &Value) -> String {
    if let Some(first) = schema["prefixItems"].as_array() {
        let first: Vec<_> = first.iter().map(kind).collect();
        return format!("[{}]", first.join(", "));
    }
    match &schema["items"] {
        Value::Object(_) => format!("list of {}", kind(&schema["items"])),
        _ => "list".to_owned(),
    }
}
