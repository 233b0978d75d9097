//! Golden steps of engines: deriving their verdicts, and judging them again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use etalon_engines::{EngineStep, read_step};
use etalon_golden::{
    FoundFiles, Names, Origin, distinct_value, files, open, steps_of, verdicts_of,
};
use etalon_replay::steps::JudgedAgain;
use serde_json::{Value, json};

use super::Result;
use super::colours::{bad, failures};
use super::complaints::Complaints;
use super::console::Console;
use super::jobs::JobArgs;

/// A line of a file of verdicts.
struct StoredVerdict {
    origin: Origin,
    text: String,
    /// Null where it cannot be read.
    value: Value,
    /// Why it cannot.
    trouble: Option<String>,
}

impl StoredVerdict {
    fn name(&self) -> Option<&str> {
        self.value.get("name")?.as_str()
    }
}

/// A step with the verdicts that stand beside it.
struct GoldenStep {
    origin: Origin,
    step: EngineStep,
    verdicts: Vec<StoredVerdict>,
    /// Where further verdicts would stand.
    beside: String,
}

/// Steps with their verdicts, file by file, and what belongs to none.
#[derive(Default)]
struct GoldenSteps {
    steps: Vec<GoldenStep>,
    /// Verdicts on no step.
    strays: Vec<StoredVerdict>,
    /// Files with a step that cannot be read, which is said already.
    spoilt: Vec<PathBuf>,
}

/// Reads the steps of files, and the verdicts beside them.
fn read(files: &[PathBuf], console: &Console) -> Result<GoldenSteps> {
    let mut complaints = Complaints::new(console);
    let mut all = GoldenSteps::default();
    for file in files {
        let beside = verdicts_of(file);
        let mut stored: BTreeMap<String, Vec<StoredVerdict>> = BTreeMap::new();
        for verdict in stored_verdicts(&beside)? {
            match verdict.name() {
                Some(name) => stored.entry(name.to_owned()).or_default().push(verdict),
                None => all.strays.push(verdict),
            }
        }
        for read in open(file, |record| read_step(record))? {
            let read = match read {
                Ok(read) => read,
                Err(error) => {
                    complaints.add(error);
                    all.spoilt.push(file.clone());
                    continue;
                }
            };
            let (origin, step) = (
                Origin::new(file.display().to_string(), read.line),
                read.read.record,
            );
            for field in read.read.unknown_fields {
                console.warning(format_args!("{origin}: the field {field:?} is not read"));
            }
            all.steps.push(GoldenStep {
                origin,
                verdicts: stored.remove(&step.name).unwrap_or_default(),
                step,
                beside: beside.display().to_string(),
            });
        }
        // The verdicts on a step that cannot be read are none on no step.
        if !all.spoilt.contains(file) {
            all.strays.extend(stored.into_values().flatten());
        }
    }
    Ok(all)
}

/// The lines of a file of verdicts; none where there is no such file.
fn stored_verdicts(file: &Path) -> Result<Vec<StoredVerdict>> {
    // A link that leads nowhere is no missing file.
    if !files::exists(file) && file.symlink_metadata().is_err() {
        return Ok(Vec::new());
    }
    let name = file.display().to_string();
    let text =
        files::text(file).map_err(|error| super::Fatal::Usage(format!("{name}: {error}")))?;
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let verdict = |(number, line): (u64, &str)| {
        let read = distinct_value(line);
        StoredVerdict {
            origin: Origin::new(&name, number),
            text: line.to_owned(),
            trouble: read.as_ref().err().map(ToString::to_string),
            value: read.unwrap_or_default(),
        }
    };
    Ok(lines.map(verdict).collect())
}

/// The contents of the files of verdicts, and files whose verdicts stay as they are, because something is wrong.
pub fn contents(
    found: &FoundFiles,
    jobs: &JobArgs,
    console: &Console,
) -> Result<(BTreeMap<PathBuf, String>, Vec<PathBuf>)> {
    let golden = read(&files_of(found), console)?;
    let derived = jobs.map(&golden.steps, console, |own| {
        let stored: Vec<_> = own.verdicts.iter().map(|own| own.text.as_str()).collect();
        JudgedAgain::of(&own.step).lines(&stored)
    });
    let mut contents: BTreeMap<PathBuf, String> = BTreeMap::new();
    for (own, lines) in golden.steps.iter().zip(derived) {
        let content = contents.entry(PathBuf::from(&own.beside)).or_default();
        lines
            .iter()
            .for_each(|line| *content += &format!("{line}\n"));
    }
    let mut left: Vec<_> = golden.spoilt.iter().map(|file| verdicts_of(file)).collect();
    for file in orphans(found) {
        console.error(format_args!("{}: {}", file.display(), no_steps(file)));
        left.push(file.clone());
    }
    contents.retain(|file, _| !left.contains(file));
    Ok((contents, left))
}

/// Files of verdicts whose steps are gone.
fn orphans(found: &FoundFiles) -> impl Iterator<Item = &PathBuf> {
    let is_orphan = |file: &&PathBuf| steps_of(file).is_some_and(|own| !files::exists(&own));
    found.step_verdicts.iter().filter(is_orphan)
}

fn no_steps(verdicts: &Path) -> String {
    let steps = steps_of(verdicts).unwrap_or_default();
    format!("the steps that it judges are missing: {}", steps.display())
}

/// What does not hold of a golden step.
struct Failure {
    file: String,
    line: Option<u64>,
    name: String,
    field: String,
    reason: String,
}

/// The findings on golden steps.
#[derive(Default)]
pub struct StepTally {
    steps: usize,
    verdicts: usize,
    failures: Vec<Failure>,
    /// Whether a step could not be read.
    pub unreadable: bool,
}

/// Judges all steps of the files again.
pub fn verify(found: &FoundFiles, jobs: &JobArgs, console: &Console) -> Result<StepTally> {
    let golden = read(&files_of(found), console)?;
    let checked = jobs.map(&golden.steps, console, |own| {
        let values: Vec<_> = own.verdicts.iter().map(|own| own.value.clone()).collect();
        JudgedAgain::of(&own.step).findings(&values)
    });
    let mut tally = StepTally {
        steps: golden.steps.len(),
        unreadable: !golden.spoilt.is_empty(),
        ..StepTally::default()
    };
    let mut names = Names::default();
    for (own, findings) in golden.steps.iter().zip(checked) {
        tally.verdicts += own.verdicts.len();
        let name = &own.step.name;
        if let Err(taken) = names.take(name, &own.origin) {
            let reason = format!("it is that of {}", taken.first);
            tally.fail(&own.origin, name, "name", reason);
        }
        for finding in findings {
            let (field, reason) = (&finding.field, finding.reason);
            match own.verdicts.get(finding.verdict) {
                Some(verdict) => tally.fail(&verdict.origin, name, field, reason),
                None => {
                    let remedy = format!("{reason} in {}: etalon golden writes them", own.beside);
                    tally.fail(&own.origin, name, field, remedy);
                }
            }
        }
    }
    for stray in &golden.strays {
        let (field, reason) = match (stray.name(), &stray.trouble) {
            (_, Some(trouble)) => ("text", format!("the line cannot be read: {trouble}")),
            (Some(_), None) => ("name", "no step is called so".to_owned()),
            (None, None) => (
                "text",
                "the line is no verdict: a JSON object with a name".to_owned(),
            ),
        };
        tally.fail(&stray.origin, stray.name().unwrap_or("?"), field, reason);
    }
    for file in orphans(found) {
        tally.failures.push(Failure {
            file: file.display().to_string(),
            line: None,
            name: "?".to_owned(),
            field: "text".to_owned(),
            reason: no_steps(file),
        });
    }
    Ok(tally)
}

/// The files of steps, also those of which only the verdicts are named.
fn files_of(found: &FoundFiles) -> Vec<PathBuf> {
    let mut steps = found.steps.clone();
    let named = found.step_verdicts.iter().filter_map(|file| steps_of(file));
    for file in named.filter(|file| files::exists(file)) {
        if !steps.contains(&file) {
            steps.push(file);
        }
    }
    steps
}

impl StepTally {
    fn fail(&mut self, origin: &Origin, name: &str, field: &str, reason: impl Into<String>) {
        self.failures.push(Failure {
            file: origin.file.clone(),
            line: Some(origin.line),
            name: name.to_owned(),
            field: field.to_owned(),
            reason: reason.into(),
        });
    }

    /// Whether there are no steps.
    pub fn is_empty(&self) -> bool {
        self.steps == 0 && self.failures.is_empty()
    }

    /// Whether everything held.
    pub fn is_sound(&self) -> bool {
        self.failures.is_empty()
    }

    /// For people: the failures, and one sentence.
    pub fn to_text(&self) -> String {
        let failure = bad("failure:");
        let mut text = String::new();
        for own in &self.failures {
            let line = own.line.map_or_else(String::new, |line| format!(":{line}"));
            let Failure {
                file,
                name,
                field,
                reason,
                ..
            } = own;
            text += &format!("{failure} {file}{line}: step {name:?}: {field}: {reason}\n");
        }
        let failures = failures(self.failures.len());
        text + &format!("{} engine steps judged again, {failures}", self.steps)
    }

    /// For programs: counts, and the failures as those of records are.
    pub fn to_json(&self) -> (Value, Vec<Value>) {
        let failures = self.failures.iter().map(|own| {
            json!({
                "file": own.file,
                "line": own.line,
                "name": own.name,
                "place": own.field,
                "reason": own.reason,
            })
        });
        let counts = json!({"steps": self.steps, "verdicts": self.verdicts});
        (counts, failures.collect())
    }
}
