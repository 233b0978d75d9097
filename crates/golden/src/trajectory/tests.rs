//! Trajectories are read and written without a loss.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::*;
use crate::read_trajectory;

fn goldens() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/trajectories");
    crate::trajectory_files(&[PathBuf::from(folder)]).unwrap()
}

/// No field is known by accident only: nothing of a golden is left among the `others`.
fn has_no_others(text: &str) -> bool {
    let line: Line = serde_json::from_str(text).unwrap();
    let parts = line.contacts.iter().all(|c| c.others.is_empty())
        && line.lcp.others.is_empty()
        && line.energy.others.is_empty()
        && line.verified.iter().all(|v| v.others.is_empty())
        && line.pieces.iter().flatten().all(|p| p.others.is_empty());
    parts && line.others.is_empty()
}

#[test]
fn what_is_read_of_a_golden_trajectory_is_written_with_the_same_bytes() {
    let files = goldens();
    assert!(files.len() >= 50, "{}", files.len());
    for file in files {
        let stored = read_trajectory(&file).unwrap();
        assert_eq!(stored.texts.len(), stored.steps.len() + 1);
        assert_eq!(line_text(&stored.header), stored.texts[0]);
        assert!(stored.header.others.is_empty() && stored.header.start.others.is_empty());
        for (line, text) in stored.steps.iter().zip(&stored.texts[1..]) {
            assert_eq!(line_text(line), *text, "{}", file.display());
            assert!(has_no_others(text), "{}: {text}", file.display());
        }
    }
}

/// Fields of formulations that no golden has, those that are null, and those that nobody knows.
#[test]
fn lines_of_other_programs_are_written_with_the_same_bytes() {
    let engine = r#"{"k":1,"t":0.01,"q":[0,1.0,-0.0],"v":[],"contacts":[{"direction":[0.0,1.0],"force":9.81,"friction":[],"gap":null,"joint":false,"normal":0.0981,"pair":"a/b","point":[1,2]}],"lcp":{"basis":"","n":0,"pivots":null,"sha256":""},"energy":{"kinetic":0.5,"potential":1e+300},"dissipated":0.0,"collisions":3,"dissipation":{"collisions":0.25},"jams":0,"work":-1.5}"#;
    assert!(has_no_others(engine));
    let corner = r#"{"k":2,"t":"1/3","q":["-7/5"],"v":[],"contacts":[],"lcp":{"basis":"","n":0,"pivots":null,"sha256":""},"energy":{"kinetic":"0","potential":"0"},"dissipated":"0","entry":null,"family":null,"unlisted":"too many"}"#;
    assert!(has_no_others(corner));
    let unknown = r#"{"k":3,"t":0,"q":[],"v":[],"contacts":[],"lcp":{"basis":"","more":[1,1.0],"n":0,"pivots":1,"sha256":""},"energy":{"kinetic":0,"potential":0},"dissipated":0,"gains":[],"remark":{"b":2,"c":0.1},"zeal":18446744073709551615}"#;
    assert!(!has_no_others(unknown));
    for text in [engine, corner, unknown] {
        let line: Line = serde_json::from_str(text).unwrap();
        assert_eq!(line_text(&line), text);
    }
}

#[test]
fn a_line_that_is_none_and_another_format_are_named_with_their_place() {
    let error = |lines: &[&str]| {
        let texts = lines.iter().map(|line| (*line).to_owned()).collect();
        Trajectory::of("t", texts).unwrap_err().to_string()
    };
    let header = format!(r#"{{"format":"{FORMAT}"}}"#);
    assert!(error(&[]).starts_with("t:1: EOF"));
    assert!(error(&[r#"{"format":"x"}"#]).starts_with(r#"t:1: the format is "x", not "etalon-"#));
    assert!(error(&[&header, "{}", r#"{"q":["1/0"]}"#]).starts_with("t:3: "));
    assert!(error(&[&header, "{} {}"]).starts_with(
        "t:2: there is more text after the end of the record; a line holds one record, at byte 4"
    ));
    let missing = read_trajectory(Path::new("nowhere.jsonl")).unwrap_err();
    assert!(missing.to_string().starts_with("nowhere.jsonl: "));
}

/// One wrong value in each place of a line: the error names the file, the line and the field.
#[test]
fn a_wrong_value_is_named_with_its_field() {
    let header = format!(r#"{{"format":"{FORMAT}"}}"#);
    for (step, field, reason) in [
        (r#"{"k":"1"}"#, "k", "invalid type: string"),
        (r#"{"k":-1,"t":0}"#, "k", "invalid value: integer `-1`"),
        (r#"{"k":1,"t":"1/0"}"#, "t", ""),
        (r#"{"k":1,"q":[0,"1/3","one"]}"#, "q[2]", ""),
        (r#"{"k":1,"q":[0,true],"v":[]}"#, "q[1]", "invalid type: b"),
        (
            r#"{"contacts":[{"pair":"a,\"[{/b"},{"gap":[1],"pair":"c"}]}"#,
            "contacts[1].gap",
            "invalid type: list, expected a number, or a fraction in a string",
        ),
        (r#"{"lcp":{"n":1,"basis":[1]}}"#, "lcp.basis", "invalid"),
        (r#"{"energy":{"kinetic":{}}}"#, "energy.kinetic", "invalid"),
        (r#"{"family":[["1"],["1",""]]}"#, "family[1][1]", ""),
        (r#"{"others":{"a":[1,}}"#, "others.a[1]", "expected value"),
        (r#"{"k":1,"t":0.5"#, "t", "EOF"),
    ] {
        let texts = vec![header.clone(), "{}".to_owned(), step.to_owned()];
        let error = Trajectory::of("t", texts).unwrap_err().to_string();
        let expected = format!("t:3: the field \"{field}\": {reason}");
        assert!(error.starts_with(&expected), "{step}: {error}");
        assert!(!error.contains("at line 1"), "{error}");
    }
}

/// However much of a line is lost, it is none, and the error names the field in which it ends.
#[test]
fn a_truncated_line_is_named_with_the_field_in_which_it_ends() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/trajectories");
    let whole = read_trajectory(&Path::new(folder).join("wedge.jsonl")).unwrap();
    let at = whole.texts[2].find("\"sha256\":\"").unwrap() + 15;
    for end in 0..whole.texts[2].len() {
        let mut texts = whole.texts[..3].to_vec();
        texts[2].truncate(end);
        let error = Trajectory::of("wedge", texts).unwrap_err().to_string();
        assert!(error.starts_with("wedge:3: "), "{end}: {error}");
        if end == at {
            let expected = "wedge:3: the field \"lcp.sha256\": EOF while parsing a string";
            assert!(error.starts_with(expected), "{error}");
        }
    }
    for end in 0..whole.texts[0].len() {
        let text = whole.texts[0][..end].to_owned();
        let error = Trajectory::of("wedge", vec![text]).unwrap_err();
        assert!(error.to_string().starts_with("wedge:1: "), "{end}: {error}");
    }
}

#[test]
fn numbers_are_the_values_of_their_texts() {
    let read = |text: &str| serde_json::from_str::<Quantity>(text).unwrap();
    assert_eq!(read("\"-1/3\"").to_f64(), -1.0 / 3.0);
    assert_eq!(read("0.1").exact(), rug::Rational::from_f64(0.1));
    assert_eq!(
        (read("null"), read("null").finite()),
        (Quantity::None, None)
    );
    assert_eq!(line_text(&Quantity::binary64(-0.0)), "-0.0");
    assert_eq!(Quantity::binary64(f64::NAN), Quantity::None);
    assert!(serde_json::from_str::<Quantity>("\"one\"").is_err());
}

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
