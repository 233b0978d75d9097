//! Golden scenes: deriving them, and re-checking them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use etalon_exact::Budget;
use etalon_golden::forces::{SceneAnswer, SceneRecord, read_record, write_record};
use etalon_golden::{FoundFiles, Names, Origin, files, first_difference};
use etalon_replay::forces::{derive, recheck};
use etalon_scenarios::SceneFile;
use serde_json::{Value, json};

use super::colours::{bad, failures};
use super::console::{Console, count_table};
use super::jobs::JobArgs;
use super::{Result, recipe};

/// Records of scenes with their places and texts, and lines that are no records.
type Read = std::result::Result<(Origin, SceneRecord, String), (Origin, String)>;

fn read(file: &Path) -> Vec<Read> {
    let name = file.display().to_string();
    let text = match files::text(file) {
        Ok(text) => text,
        Err(error) => return vec![Err((Origin::new(name, 1), error.to_string()))],
    };
    let numbered = (1..).zip(text.lines());
    let lines = numbered.filter(|(_, line)| !line.trim().is_empty());
    let record = |(number, line): (u64, &str)| {
        let origin = Origin::new(&name, number);
        match read_record(line) {
            Ok(record) => Ok((origin, record, line.to_owned())),
            Err(error) => Err((origin, error.to_string())),
        }
    };
    lines.map(record).collect()
}

/// A digit may be wrong and the number, which is rounded to binary64, the same.
fn not_as_written(record: &SceneRecord, text: &str) -> Option<String> {
    let byte = first_difference(&write_record(record), text)?;
    Some(format!(
        "text: byte {byte} of the record is not what `etalon golden` would write, although all values may be the same"
    ))
}

/// The contents of the files below folders of scenes, by their recipes.
pub fn contents(
    found: &FoundFiles,
    jobs: &JobArgs,
    console: &Console,
) -> Result<BTreeMap<PathBuf, std::result::Result<String, String>>> {
    let recipes = &found.scene_recipes;
    let mut drafts: Vec<(PathBuf, SceneFile)> = Vec::new();
    for folder in recipes.iter().filter_map(|file| file.parent()) {
        drafts.extend(recipe::follow_scenes(folder)?);
    }
    let mut earlier: BTreeMap<String, SceneRecord> = BTreeMap::new();
    for file in &found.scenes {
        let records = read(file).into_iter().flatten();
        earlier.extend(records.map(|(_, record, _)| (record.name.clone(), record)));
    }
    let derived = jobs.map(&drafts, console, |(_, scene)| {
        let record = derive(scene, earlier.get(&scene.name), &Budget::default());
        record.map_err(|error| format!("{}: {error}", scene.name))
    });
    let mut contents = BTreeMap::new();
    for ((file, _), record) in drafts.into_iter().zip(derived) {
        let content = contents.entry(file).or_insert_with(|| Ok(String::new()));
        match (content, record) {
            (Ok(content), Ok(record)) => *content += &(write_record(&record) + "\n"),
            (content, Err(error)) => *content = Err(error),
            (Err(_), Ok(_)) => {}
        }
    }
    Ok(contents)
}

/// The counts of one file of scenes.
#[derive(Default)]
struct Row {
    scenes: u64,
    solved: u64,
    indeterminate: u64,
    inconsistent: u64,
    impulses: u64,
    traces: u64,
    fast: u64,
    time: Duration,
}

/// The findings on golden scenes.
#[derive(Default)]
pub struct SceneTally {
    rows: BTreeMap<String, Row>,
    failures: Vec<(Origin, String, String)>,
}

/// Re-checks all scenes of the files.
pub fn verify(files: &[PathBuf], jobs: &JobArgs, console: &Console) -> Result<SceneTally> {
    let records: Vec<Read> = files.iter().flat_map(|file| read(file)).collect();
    let checked = jobs.map(&records, console, |read| {
        let start = Instant::now();
        let findings = match read {
            Ok((_, record, text)) => {
                let mut findings = recheck(record, &Budget::default());
                findings.extend(not_as_written(record, text));
                findings
            }
            Err((_, error)) => vec![error.clone()],
        };
        (findings, start.elapsed())
    });
    let mut tally = SceneTally::default();
    let mut names = Names::default();
    for (read, (mut findings, time)) in records.iter().zip(checked) {
        let (origin, name) = match read {
            Ok((origin, record, _)) => {
                let taken = names.take(&record.name, origin).err();
                findings.extend(taken.map(|taken| format!("name: it is that of {}", taken.first)));
                (origin, record.name.clone())
            }
            Err((origin, _)) => (origin, "?".to_owned()),
        };
        tally.count(origin, read, time);
        let failures = findings.into_iter();
        tally
            .failures
            .extend(failures.map(|why| (origin.clone(), name.clone(), why)));
    }
    Ok(tally)
}

impl SceneTally {
    fn count(&mut self, origin: &Origin, read: &Read, time: Duration) {
        let file = Path::new(&origin.file);
        let stem = file.file_stem().unwrap_or(file.as_os_str());
        let row = self.rows.entry(stem.to_string_lossy().into_owned());
        let row = row.or_default();
        row.scenes += 1;
        row.time += time;
        let Ok((_, record, _)) = read else {
            return;
        };
        row.traces += u64::from(record.trace.is_some() || record.trace_digest.is_some());
        row.fast += u64::from(record.fast.z.is_some());
        match &record.answer {
            SceneAnswer::Solved { .. } => row.solved += 1,
            SceneAnswer::Indeterminate { .. } => row.indeterminate += 1,
            SceneAnswer::Inconsistent { .. } => row.inconsistent += 1,
            SceneAnswer::Impulses { .. } => row.impulses += 1,
        }
    }

    /// Whether there are no scenes.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether everything held.
    pub fn is_sound(&self) -> bool {
        self.failures.is_empty()
    }

    /// For people: a table and the failures.
    pub fn to_text(&self) -> String {
        let mut total = Row::default();
        let rows = self.rows.iter().map(|(name, row)| {
            total.add(row);
            row.cells(name)
        });
        let mut rows: Vec<_> = rows.collect();
        rows.push(total.cells("all"));
        let header = [
            "scenes of",
            "scenes",
            "solved",
            "indeterminate",
            "inconsistent",
            "impulses",
            "traces",
            "fast answers",
            "time",
        ];
        let mut text = count_table(&header, 1..9, rows);
        let failure = bad("failure:");
        for (origin, name, why) in &self.failures {
            text += &format!("\n{failure} {origin}: scene {name:?}: {why}");
        }
        let (scenes, failures) = (total.scenes, failures(self.failures.len()));
        text + &format!("\n{scenes} scenes, {failures}")
    }

    /// For programs: suites and failures.
    pub fn to_json(&self) -> (Value, Vec<Value>) {
        let suites = self.rows.iter().map(|(name, row)| {
            json!({
                "scenes_of": name,
                "scenes": row.scenes,
                "solved": row.solved,
                "indeterminate": row.indeterminate,
                "inconsistent": row.inconsistent,
                "impulses": row.impulses,
                "traces": row.traces,
                "fast_answers": row.fast,
                "seconds": row.time.as_secs_f64(),
            })
        });
        let failures = self.failures.iter().map(|(origin, name, why)| {
            json!({
                "file": origin.file,
                "line": origin.line,
                "name": name,
                "place": why.split(':').next().unwrap_or_default(),
                "reason": why,
            })
        });
        (suites.collect(), failures.collect())
    }
}

impl Row {
    fn add(&mut self, other: &Self) {
        self.scenes += other.scenes;
        self.solved += other.solved;
        self.indeterminate += other.indeterminate;
        self.inconsistent += other.inconsistent;
        self.impulses += other.impulses;
        self.traces += other.traces;
        self.fast += other.fast;
        self.time += other.time;
    }

    fn cells(&self, name: &str) -> Vec<String> {
        let counts = [
            self.scenes,
            self.solved,
            self.indeterminate,
            self.inconsistent,
            self.impulses,
            self.traces,
            self.fast,
        ];
        let counts = counts.into_iter().map(|count| count.to_string());
        let time = format!("{:.2} s", self.time.as_secs_f64());
        [name.to_owned()]
            .into_iter()
            .chain(counts)
            .chain([time])
            .collect()
    }
}
