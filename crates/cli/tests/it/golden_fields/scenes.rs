//! Fields of golden scenes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use etalon::exact::Budget;
use etalon::golden::scene_files;
use etalon_golden::forces::{SMALL, SceneRecord, read_record, write_record};
use etalon_replay::forces::{is_sound, recheck};
use serde_json::Value;

use super::edits::{Edit, Unnoticed, edits, of_each};

const ALLOWED: &[(&str, &str)] = &[(
    "scene",
    "notes, names, and what takes no part: another scene that makes the very same problem (lcp.digest), of which all that is \
     said holds as well; the manifest has the digest of its text",
)];

/// Records of more rows are not changed: checking each takes long. That those of more than 40 rows hold nothing which
/// only deriving them anew would check is tested beside the code.
const ROWS: usize = 12;

fn kind(record: &SceneRecord) -> String {
    let answer = serde_json::to_value(&record.answer).unwrap();
    format!(
        "{} {} {} {} {:?} {} {}",
        answer["status"],
        record.lcp.n > SMALL,
        record.trace.is_some(),
        record.trace_digest.is_some(),
        record.unique.as_ref().map(|unique| unique.of.clone()),
        record.runs.is_empty(),
        record.fast.z.is_some(),
    )
}

/// The shortest golden scene of each kind.
fn chosen() -> Vec<SceneRecord> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/scenes");
    let mut chosen: BTreeMap<String, String> = BTreeMap::new();
    for file in scene_files(&[PathBuf::from(folder)]).unwrap() {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let record = read_record(line).unwrap();
            if record.lcp.n > ROWS {
                continue;
            }
            let best = chosen.entry(kind(&record));
            let best = best.or_insert_with(|| line.to_owned());
            if line.len() < best.len() {
                line.clone_into(best);
            }
        }
    }
    let lines = chosen.into_values();
    lines.map(|line| read_record(&line).unwrap()).collect()
}

/// Whether `verify` says anything of a changed record, whose digest is made to fit; `None` for another way to write the same.
fn is_noticed(edit: &Edit, right: &SceneRecord) -> Option<bool> {
    let Ok(mut forged) = read_record(&edit.record.to_string()) else {
        return Some(true);
    };
    if forged == *right {
        return None;
    }
    if edit.place != "digest" {
        forged.digest = forged.checksum();
    }
    Some(!is_sound(&forged, &Budget::default()))
}

#[test]
fn every_field_of_a_golden_scene_is_checked_or_said_to_be_commentary() {
    let mut unnoticed = Unnoticed::new(ALLOWED);
    let records = chosen();
    assert!(records.len() >= 8, "{}", records.len());
    for right in &records {
        assert_eq!(
            recheck(right, &Budget::default()),
            [""; 0],
            "{}",
            right.name
        );
        let value: Value = serde_json::from_str(&write_record(right)).unwrap();
        let edits = edits(&value);
        let noticed = of_each(&edits, |edit| is_noticed(edit, right));
        for (edit, noticed) in edits.iter().zip(noticed) {
            if let Some(noticed) = noticed {
                unnoticed.count(edit, &right.name, noticed);
            }
        }
    }
    unnoticed.check();
    assert!(unnoticed.tried > 500, "{}", unnoticed.tried);
}
