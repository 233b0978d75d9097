//! Whatever a header and a line of a trajectory say is asked: by the judge of motions, or, where it says that it does not ask it, by the step taken
//! again.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../common/runs.rs"]
mod runs;
mod table;

use std::collections::BTreeSet;
use std::path::Path;

use etalon_engines::motion::Breach;
use etalon_golden::trajectory::line_text;
use etalon_golden::{Trajectory, read_trajectory};
use etalon_replay::judged::{RecordedMotion, judge_motion};
use etalon_replay::worlds::{Again, is_world};
use rug::Rational;
use serde_json::{Value, json};
use table::ROWS;

/// A field, who notices a change of it, and words of what is said.
pub type Row = (&'static str, &'static str, &'static str);

/// What is no golden: the door on two hinges.
const DOOR: &str = "door";

/// Goldens of all families, each with the numbers of lines, the header being 0.
const FAMILIES: &[(&str, &[usize])] = &[
    ("trajectories/central-impact.jsonl", &[0, 3]),
    ("trajectories/painleve-indeterminate.jsonl", &[0, 2]),
    ("trajectories/hole-et-level.jsonl", &[0, 4]),
    ("trajectories/corner-et-rough.jsonl", &[0, 4]),
    ("trajectories/block-corner.jsonl", &[0, 12]),
    ("space/ball-row.jsonl", &[0, 1]),
    ("space/four-bar.jsonl", &[25]),
    (DOOR, &[2]),
    ("space/box-stack.jsonl", &[0, 5]),
    ("worlds/bounce.jsonl", &[0, 2]),
    ("trajectories/ellipse-implicit-12.jsonl", &[0, 5]),
];

/// The judge of motions.
pub const CHECK: &str = "check";
/// The step taken again.
pub const VERIFY: &str = "verify";
/// A parameter that nothing in the motion depends on: it is one of the other scene, too. Of the planar engine what depends on the
/// processor.
pub const NOBODY: &str = "nobody";

/// A golden; of one of the planar engine, whose length is no parameter, a few steps.
fn golden(file: &str) -> Trajectory {
    if file == DOOR {
        return Trajectory::of(DOOR, runs::texts(&runs::door())).unwrap();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden");
    let whole = read_trajectory(&root.join(file)).unwrap();
    if !is_world(&whole) {
        return whole;
    }
    let mut header = whole.header.clone();
    header.steps = Some(3);
    let mut texts = whole.texts[..4].to_vec();
    texts[0] = line_text(&header);
    Trajectory::of(&whole.file, texts).unwrap()
}

/// The places of all values, of lists the first entry that has the field; empty lists have one, too.
fn places(value: &Value, before: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                places(value, &format!("{before}/{field}"), found);
            }
        }
        Value::Array(entries) if !entries.is_empty() => {
            for (k, entry) in entries.iter().enumerate() {
                places(entry, &format!("{before}/{k}"), found);
            }
        }
        _ if found.iter().any(|own| field(own) == field(before)) => {}
        _ => found.push(before.to_owned()),
    }
}

/// The field of a place: of which entry of a list it is, is left out.
fn field(place: &str) -> String {
    let steps = place.split('/').skip(1);
    let steps = steps.map(|step| match step.parse::<usize>() {
        Ok(_) => "[]".to_owned(),
        Err(_) => format!(".{step}"),
    });
    steps.collect()
}

/// Another value of the same kind.
fn another(place: &str, value: &Value) -> Value {
    match value {
        // Where nothing was counted, a count.
        Value::Null if place.ends_with("/pivots") => json!(9),
        Value::Bool(own) => json!(!own),
        Value::Number(own) => match own.as_u64() {
            Some(own) => json!(own + 1),
            None => json!(own.as_f64().unwrap() * 1.5 + 1.0),
        },
        Value::String(text) => match text.parse::<Rational>() {
            Ok(own) if text.len() < 60 => json!((own + 1u32).to_string()),
            _ => json!(format!("{text}x")),
        },
        Value::Array(_) => json!(["x"]),
        _ => json!("x"),
    }
}

/// The trajectory with another value at a place of line k, the header being 0.
fn forged(right: &Trajectory, k: usize, place: &str) -> Result<Trajectory, String> {
    let mut line: Value = serde_json::from_str(&right.texts[k]).unwrap();
    let value = line.pointer_mut(place).unwrap();
    *value = another(place, value);
    let mut texts = right.texts.clone();
    texts[k] = line_text(&line);
    Trajectory::of(&right.file, texts).map_err(|error| error.to_string())
}

/// What the judge of motions says of a line and the one after it, of the header with the first.
fn checked(forged: &Trajectory, k: usize) -> Vec<String> {
    let told = |judged: &[Breach]| judged.iter().map(ToString::to_string).collect::<Vec<_>>();
    let header = &forged.header;
    if is_world(forged) {
        return match judge_motion(forged, None, &Rational::new()) {
            Ok(judged) => {
                let cut = judged.cut.map(|own| format!("steps: {own:?}"));
                told(&judged.breaches).into_iter().chain(cut).collect()
            }
            Err(error) => vec![error.to_string()],
        };
    }
    let motion = match RecordedMotion::new(header, None, &Rational::new()) {
        Ok(motion) => motion,
        Err(error) => return vec![error.to_string()],
    };
    let mut found = told(&motion.start(&header.start));
    for k in k.max(1)..=forged.steps.len().min(k + 1) {
        let line = &forged.steps[k - 1];
        if line.k != k as u64 {
            found.push("the field \"k\"".to_owned());
            continue;
        }
        let before = k.checked_sub(2).map(|k| &forged.steps[k]);
        match motion.step(header, before, line) {
            Ok(Some(own)) => found.extend(told(&own.breaches)),
            Ok(None) => found.push("the iteration did not converge".to_owned()),
            Err(why) => found.push(why),
        }
    }
    found
}

fn verified(forged: &Trajectory, k: usize) -> Vec<String> {
    let again = match Again::new(forged) {
        Ok(again) => again,
        Err(error) => return vec![error.to_string()],
    };
    match k {
        0 => again.header(),
        _ => again.step(k as u64),
    }
}

/// The list of what is not asked.
fn not_asked(right: &Trajectory) -> &'static [&'static str] {
    if is_world(right) {
        let judged = judge_motion(right, None, &Rational::new());
        return judged.unwrap().not_asked;
    }
    let motion = RecordedMotion::new(&right.header, None, &Rational::new());
    motion.unwrap().not_asked()
}

/// The row of a place, as it comes out.
fn row(right: &Trajectory, k: usize, place: &str) -> (String, &'static str, String) {
    let line = if k == 0 { "header" } else { "line" };
    let field = format!("{line}{}", field(place));
    let forged = match forged(right, k, place) {
        Ok(forged) => forged,
        Err(why) => return (field, CHECK, why),
    };
    let found = checked(&forged, k);
    if !found.is_empty() {
        return (field, CHECK, found.join("\n"));
    }
    let verified = verified(&forged, k).join("\n");
    let by = if verified.is_empty() { NOBODY } else { VERIFY };
    (field, by, verified)
}

/// Whether a list of what is not asked has a field or what it is part of.
fn is_listed(list: &[&str], field: &str) -> bool {
    let own = field
        .strip_prefix("header.")
        .or(field.strip_prefix("line."));
    let own = own.unwrap_or(field);
    list.iter().any(|listed| {
        let listed = listed.split(' ').next().unwrap_or_default();
        let rest = own.strip_prefix(listed);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    })
}

#[test]
fn each_field_of_each_family_is_asked_by_name() {
    let mut off = Vec::new();
    let mut needed = BTreeSet::new();
    for (file, lines) in FAMILIES {
        let right = golden(file);
        let list = not_asked(&right);
        for &k in *lines {
            assert_eq!(checked(&right, k), [""; 0], "{file}:{k}");
            let line: Value = serde_json::from_str(&right.texts[k]).unwrap();
            let mut all = Vec::new();
            places(&line, "", &mut all);
            for place in all {
                let (field, by, said) = row(&right, k, &place);
                let fits = |own: &&Row| own.0 == field && own.1 == by && said.contains(own.2);
                match ROWS.iter().find(fits) {
                    Some(row) => drop(needed.insert(row)),
                    None => off.push(format!("{file}: (\"{field}\", {by}, {said:?})")),
                }
                let is_parameter = field.starts_with("header.parameters.");
                if by != CHECK && !is_parameter && !is_listed(list, &field) {
                    off.push(format!(
                        "{file}: {field} is neither asked nor listed as not asked"
                    ));
                }
            }
        }
    }
    let idle = ROWS.iter().filter(|row| !needed.contains(row));
    off.extend(idle.map(|row| format!("no family needs {row:?}")));
    assert!(off.is_empty(), "{}", off.join("\n"));
}
