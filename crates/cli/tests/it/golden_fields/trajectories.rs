//! Fields of golden trajectories.

use std::collections::BTreeMap;
use std::path::PathBuf;

use etalon::golden::trajectory::line_text;
use etalon::golden::{Trajectory, read_trajectory, trajectory_files};
use etalon_replay::trajectories::Replay;
use serde_json::Value;

use super::edits::{Unnoticed, edits, of_each};

const ALLOWED: &[(&str, &str)] = &[(
    "parameters removed",
    "a file may be older than a parameter of its scene: the run has the default in its place, and comes out so",
)];

/// The shortest golden trajectory of each kind.
fn chosen() -> Vec<Trajectory> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/trajectories");
    let mut chosen: BTreeMap<String, (u64, PathBuf)> = BTreeMap::new();
    for file in trajectory_files(&[PathBuf::from(folder)]).unwrap() {
        let header = read_trajectory(&file).unwrap().header;
        let parts = [header.formulation, header.scheme, header.arithmetic];
        let duration = header.parameters.contains_key("duration");
        let kind = format!("{parts:?} {duration}");
        let size = std::fs::metadata(&file).unwrap().len();
        let best = chosen.entry(kind).or_insert_with(|| (size, file.clone()));
        if size < best.0 {
            *best = (size, file);
        }
    }
    // The only one with bodies that turn in space and are no spheres.
    let gyroscopic = PathBuf::from(folder).join("ellipsoid.jsonl");
    let files = chosen.into_values().map(|(_, file)| file);
    let files = files.chain([gyroscopic]);
    files.map(|file| read_trajectory(&file).unwrap()).collect()
}

/// Whether `verify` says anything of line k, or of the line after it, which starts from k; of the header, which all
/// lines start from, of any. What is asked of the header hangs on it and on how many lines follow, not on what they say: where
/// another line of a sound trajectory is changed, the answer is that of the sound one.
fn is_noticed(forged: &Trajectory, k: u64) -> bool {
    let Ok(replay) = Replay::new(forged) else {
        return true;
    };
    if k == 0 && !replay.header().is_empty() {
        return true;
    }
    let mut steps = match k {
        0 => 1..=replay.len(),
        _ => k..=replay.len().min(k + 1),
    };
    steps.any(|k| !replay.step(k).is_empty())
}

#[test]
fn every_field_of_a_golden_trajectory_is_checked_or_said_to_be_commentary() {
    let mut unnoticed = Unnoticed::new(ALLOWED);
    let trajectories = chosen();
    assert!(trajectories.len() >= 6, "{}", trajectories.len());
    for right in &trajectories {
        let last = right.steps.len();
        for k in [0, 1, last / 2 + 1, last] {
            assert!(!is_noticed(right, k as u64), "{}: line {k}", right.file);
            let line: Value = serde_json::from_str(&right.texts[k]).unwrap();
            let edits = edits(&line);
            let noticed = of_each(&edits, |edit| {
                let mut texts = right.texts.clone();
                texts[k] = line_text(&edit.record);
                // What cannot be read is noticed by whoever reads it.
                let forged = Trajectory::of(&right.file, texts);
                forged.map_or(true, |forged| is_noticed(&forged, k as u64))
            });
            for (edit, noticed) in edits.iter().zip(noticed) {
                unnoticed.count(edit, &right.file, noticed);
            }
        }
        let mut forged = right.clone();
        forged.steps.pop();
        assert!(is_noticed(&forged, 0), "{}: a line dropped", right.file);
    }
    unnoticed.check();
    assert!(unnoticed.tried > 1000, "{}", unnoticed.tried);
}

/// A digit that rounding swallows is not one that the file may have.
#[test]
fn a_line_has_the_text_of_its_values() {
    let mut forged = chosen().swap_remove(0);
    let text = forged.texts[1].clone();
    assert!(text.contains("\"t\":"), "{text}");
    forged.texts[1] = text.replacen("\"t\":", "\"t\": ", 1);
    let found = Replay::new(&forged).unwrap().step(1);
    assert!(
        found.len() == 1 && found[0].starts_with("byte "),
        "{found:?}"
    );
}
