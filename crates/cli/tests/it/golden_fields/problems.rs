//! Fields of golden problems.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use etalon::exact::Budget;
use etalon::golden::{Golden, read};
use etalon::judge::Judge;
use etalon::lcp::Problem;
use etalon::lcp::record::{digest, read_problem, write_problem};
use etalon_methods::{Assigned, all_methods};
use serde_json::Value;

use super::edits::{Unnoticed, edits};

const ALLOWED: &[(&str, &str)] = &[
    (
        "name",
        "whatever a problem is called, what is said of it is proved; the manifest lists the names",
    ),
    (
        "M",
        "another problem, of which all that is said is proved as well; the manifest has its digest",
    ),
    ("q", "as M"),
    ("lower", "as M"),
    ("upper", "as M"),
    ("cones", "as M"),
    ("tags", "words to find a problem by"),
    (
        "source",
        "where the data come from: nothing here could check it",
    ),
    ("notes", "for readers"),
    (
        "expect.solutions",
        "all or some: another exact solution is as good, and one less is less said",
    ),
    (
        "expect.certificate",
        "another proof of all that is stated is as good; of perturbed none is demanded",
    ),
    (
        "expect.answer removed",
        "what the data's source answered may be left out, but of perturbed",
    ),
];

/// Up to so many rows problems are changed.
const ROWS: usize = 5;

/// What sets a golden apart from others, as far as fields go.
fn kind(problem: &Problem) -> String {
    let expect = problem.expect.as_ref().unwrap();
    let certificate = expect.certificate.as_ref();
    let certificate = certificate.map(|certificate| {
        let text = format!("{certificate:?}");
        let word: String = text.chars().take_while(char::is_ascii_alphabetic).collect();
        word
    });
    format!(
        "{:?} {:?} {certificate:?} {} {} {} {} {}",
        expect.status,
        expect.unique,
        expect.answer.is_some(),
        problem.is_lcp(),
        problem.friction().is_empty(),
        problem.lower().is_some(),
        problem.upper().is_some(),
    )
}

/// The shortest golden of each kind.
fn chosen() -> Vec<Golden> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/problems");
    let mut chosen: BTreeMap<String, Golden> = BTreeMap::new();
    for golden in read(&[PathBuf::from(folder)]).unwrap() {
        let golden = golden.unwrap();
        if golden.problem.n() > ROWS {
            continue;
        }
        let length = |golden: &Golden| write_problem(&golden.problem).len();
        let own = chosen.entry(kind(&golden.problem));
        let best = own.or_insert_with(|| golden.clone());
        if length(&golden) < length(best) {
            *best = golden;
        }
    }
    chosen.into_values().collect()
}

/// Whether `verify` says anything of a record, whose digest is made to fit.
fn is_noticed(text: &str, golden: &Golden, assigned: &[Assigned]) -> Option<bool> {
    let Ok(read) = read_problem(text) else {
        return Some(true);
    };
    let mut problem = read.record;
    if problem == golden.problem {
        // Another way to write the same.
        return None;
    }
    if problem.remarks.digest.is_some() {
        problem.remarks.digest = Some(digest(&problem));
    }
    let forged = Golden {
        problem,
        text: None,
        ..golden.clone()
    };
    let assignments: Vec<_> = assigned.iter().map(Assigned::as_assignment).collect();
    let report = forged.reprove(&assignments, &Judge::default());
    Some(!report.findings.is_empty())
}

#[test]
fn every_field_of_a_golden_problem_is_checked_or_said_to_be_commentary() {
    let assigned = all_methods(&Budget {
        pivots: 20_000,
        ..Budget::default()
    });
    let mut unnoticed = Unnoticed::new(ALLOWED);
    let goldens = chosen();
    assert!(goldens.len() >= 12, "{}", goldens.len());
    for golden in &goldens {
        let record: Value = serde_json::from_str(&write_problem(&golden.problem)).unwrap();
        assert!(golden.suite.is_golden, "{}", golden.origin);
        for edit in edits(&record) {
            // The digest is made to fit every other change; by itself it is one.
            if edit.place == "digest" && !edit.removed {
                continue;
            }
            if let Some(noticed) = is_noticed(&edit.record.to_string(), golden, &assigned) {
                unnoticed.count(&edit, golden.problem.name(), noticed);
            }
        }
    }
    unnoticed.check();
    assert!(unnoticed.tried > 1000, "{}", unnoticed.tried);
}

/// Every problem says by itself that a field of it is another: the digest is that of all of them.
#[test]
fn the_digest_is_that_of_every_field() {
    let golden = chosen().swap_remove(0);
    let sound = golden.reprove(&[], &Judge::default());
    assert!(sound.findings.is_empty(), "{:?}", sound.findings);
    let record: Value = serde_json::from_str(&write_problem(&golden.problem)).unwrap();
    for edit in edits(&record) {
        let Ok(read) = read_problem(&edit.record.to_string()) else {
            continue;
        };
        if read.record == golden.problem {
            continue;
        }
        let forged = Golden {
            problem: read.record,
            text: None,
            ..golden.clone()
        };
        let report = forged.reprove(&[], &Judge::default());
        assert!(!report.findings.is_empty(), "{}", edit.name());
    }
    assert!(Path::new(&golden.origin.file).exists());
}
