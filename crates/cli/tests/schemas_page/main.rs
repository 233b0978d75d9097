//! `docs/schemas.md` has every field of every JSON Schema that `etalon schema` prints, and the tables of `docs/formats.md` and
//! `docs/trajectories.md` name the same fields. The page is written anew by
//! `UPDATE_EXPECT=1 cargo test -p etalon-cli --test schemas_page`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../common/mod.rs"]
mod common;
mod page;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use common::Workbench;
use page::Page;
use serde_json::Value;

const HEAD: &str = "\
# Schemas

Every field of every record, as the JSON Schemas (draft 2020-12) say. A test holds this page to them; `etalon schema NAME` prints one whole.
[Formats](formats.md) explains the records. *Names* in the second column are parts with a table or a line of their own, *needed* fields may not be left out,
and `[]` stands for each entry of a list.

";

/// The words that `etalon schema` takes.
fn names() -> Vec<String> {
    let help = Workbench::new().run("schema --help").stdout;
    let (_, rest) = help.split_once("Possible values:").unwrap();
    let lines = rest
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- "));
    lines
        .map(|line| line.split(':').next().unwrap().to_owned())
        .collect()
}

fn schema(name: &str) -> Value {
    let ran = Workbench::new().run(&format!("schema {name}"));
    assert_eq!(ran.status, 0, "{name}: {}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

fn docs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(name)
}

#[test]
fn the_page_says_what_the_schemas_say() {
    let mut page = Page::default();
    for name in names() {
        page.record(&name, &schema(&name));
    }
    let page = format!("{HEAD}{}\n", page.text.trim_end());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(docs("schemas.md"), &page).unwrap();
    }
    let written = std::fs::read_to_string(docs("schemas.md")).unwrap_or_default();
    let differs = written
        .lines()
        .zip(page.lines())
        .find(|(old, new)| old != new);
    assert_eq!(differs, None, "UPDATE_EXPECT=1 writes the page anew");
    assert_eq!(written, page);
}

/// The fields that the first table after a text names: of each cell of the first column the first word in backticks, and of a list each.
fn told(page: &str, after: &str) -> BTreeSet<String> {
    let (_, rest) = page
        .split_once(after)
        .unwrap_or_else(|| unreachable!("{after}"));
    let table = rest
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'));
    let cells = table.skip(2).map(|line| line.split('|').nth(1).unwrap());
    let fields = cells.flat_map(|cell| cell.split(", "));
    fields
        .map(|part| part.split('`').nth(1).unwrap().to_owned())
        .collect()
}

/// The fields of several tables.
fn all_told(page: &str, afters: &[&str]) -> BTreeSet<String> {
    afters.iter().flat_map(|after| told(page, after)).collect()
}

fn properties(schema: &Value) -> BTreeSet<String> {
    schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect()
}

#[test]
fn the_tables_for_people_name_the_fields_of_the_schemas() {
    let formats = std::fs::read_to_string(docs("formats.md")).unwrap();
    let trajectories = std::fs::read_to_string(docs("trajectories.md")).unwrap();
    let trajectory = schema("trajectory");
    let verdict = properties(&schema("verdict"));
    // An outcome is a verdict with more fields, which is what its table says.
    let added = &properties(&schema("outcome")) - &verdict;
    let without_format =
        |fields: BTreeSet<String>| &fields - &BTreeSet::from(["format".to_owned()]);
    let both = ["## Verdict, `etalon-verdict/1`", "### Verdicts on steps"];
    let told_of_verdicts = all_told(&formats, &both);
    assert_eq!(told_of_verdicts, without_format(verdict));
    let step = [
        "## Step of an engine, `etalon-step/1`",
        "**Bodies.**",
        "**Generalised.**",
    ];
    let told_of_steps = all_told(&formats, &step);
    assert_eq!(told_of_steps, properties(&schema("step")));
    for (page, after, fields) in [
        (
            &formats,
            "## Problem, `etalon-problem/1`",
            properties(&schema("problem")),
        ),
        (
            &formats,
            "## Claim, `etalon-claim/1`",
            without_format(properties(&schema("claim"))),
        ),
        (
            &formats,
            "### Files of verdicts, `etalon-verdicts/1`",
            properties(&schema("verdicts")),
        ),
        (&formats, "## Outcome", added),
        (
            &formats,
            "## Golden scene, `etalon-forces/1`",
            without_format(properties(&schema("forces"))),
        ),
        (
            &trajectories,
            "# Trajectories",
            properties(&trajectory["$defs"]["header"]),
        ),
        (
            &trajectories,
            "| `start` |",
            properties(&trajectory["$defs"]["step"]),
        ),
    ] {
        let told = told(page, after);
        let missing: Vec<_> = fields.difference(&told).collect();
        let unknown: Vec<_> = told.difference(&fields).collect();
        assert!(
            missing.is_empty() && unknown.is_empty(),
            "{after}: missing {missing:?}, unknown {unknown:?}"
        );
    }
}
