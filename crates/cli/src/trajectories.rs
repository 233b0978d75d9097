//! Golden trajectories on the command line: re-proving them, and writing them anew.

use std::path::{Path, PathBuf};

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::line_text;
use etalon_golden::{Trajectory, read_trajectory};
use etalon_planar::Nobody;
use etalon_replay::worlds::{Again, is_world};
use etalon_scenarios::motion::Arithmetics;
use etalon_scenarios::{WorldRun, find};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::bounce_gain::BounceGains;
use super::colours::failures;
use super::console::Console;
use super::flight_gain::FlightGain;
use super::jobs::JobArgs;
use super::{Fatal, Result};

/// The results of re-proving trajectories.
#[derive(Default)]
pub struct Reproved {
    pub trajectories: usize,
    pub steps: u64,
    pub failures: usize,
    /// Whether a file could not be read.
    pub unreadable: bool,
    /// Of the trajectory with the largest gain of free flight in a step.
    gain: FlightGain,
    gain_of: String,
    bounces: BounceGains,
}

impl Reproved {
    /// Whether all steps hold.
    pub fn is_sound(&self) -> bool {
        self.failures == 0
    }

    pub fn to_json(&self) -> Value {
        let mut value = json!({
            "trajectories": self.trajectories,
            "steps": self.steps,
            "failures": self.failures,
        });
        if self.gain.to_text().is_some() {
            let FlightGain {
                total,
                largest,
                step,
                ..
            } = self.gain;
            value["flight_gain"] =
                json!({"file": self.gain_of, "k": step, "step": largest, "total": total});
        }
        if let Some(bounces) = self.bounces.to_json() {
            value["bounce_gains"] = bounces;
        }
        value
    }

    pub fn to_text(&self) -> String {
        let mut text = match self.gain.to_text() {
            Some(gain) => format!("{}: {gain}\n", self.gain_of),
            None => String::new(),
        };
        if let Some(bounces) = self.bounces.to_text() {
            text += &bounces;
            text.push('\n');
        }
        text += &format!(
            "{} trajectories, {} steps taken again, {}",
            self.trajectories,
            self.steps,
            failures(self.failures)
        );
        text
    }
}

/// Re-proves the trajectories of all files, step by step.
pub fn reprove(files: &[PathBuf], jobs: &JobArgs, console: &Console) -> Result<Reproved> {
    let mut found = Reproved::default();
    let mut stored = Vec::new();
    for file in files {
        match read_trajectory(file) {
            Ok(trajectory) => stored.push(trajectory),
            Err(error) => {
                console.error(error);
                found.unreadable = true;
            }
        }
    }
    found.trajectories = stored.len();
    for trajectory in &stored {
        let mut gain = FlightGain::default();
        trajectory.steps.iter().for_each(|line| gain.add(line));
        if gain.is_worse_than(&found.gain) {
            found.gain = gain;
            found.gain_of.clone_from(&trajectory.file);
        }
    }
    let mut failed = |trajectory: &Trajectory, k: u64, findings: Vec<String>| {
        found.failures += findings.len();
        for finding in findings {
            console.error(format_args!("{}: {finding}", trajectory.origin(k)));
        }
    };
    let mut replays = Vec::with_capacity(stored.len());
    for trajectory in &stored {
        match Again::new(trajectory) {
            Ok(replay) => {
                failed(trajectory, 0, replay.header());
                replays.push((trajectory, replay));
            }
            Err(error) => failed(trajectory, 0, vec![error.to_string()]),
        }
    }
    let steps = |(i, (trajectory, _)): (usize, &(&Trajectory, Again<'_>))| {
        (1..=trajectory.steps.len() as u64).map(move |k| (i, k))
    };
    let steps: Vec<(usize, u64)> = replays.iter().enumerate().flat_map(steps).collect();
    let results = jobs.map(&steps, console, |&(i, k)| {
        let replay = &replays[i].1;
        (replay.step(k), replay.bounce_gain(k))
    });
    let mut bounces = BounceGains::default();
    for (&(i, k), (findings, gain)) in steps.iter().zip(results) {
        let trajectory = replays[i].0;
        // Of a step that does not hold nothing more is said.
        if let Some(gain) = gain.filter(|_| findings.is_empty()) {
            bounces.add(&trajectory.file, k, gain);
        }
        failed(trajectory, k, findings);
    }
    found.bounces = bounces;
    found.steps = steps.len() as u64;
    Ok(found)
}

/// A golden trajectory as its recipe asks for it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Portion {
    file: String,
    scenario: String,
    /// `world` for one of the planar engine.
    #[serde(default, rename = "as")]
    kind: Option<String>,
    #[serde(default)]
    set: Map<String, Value>,
    #[serde(default)]
    steps: Option<u64>,
}

/// The trajectories that recipes ask for: each file with its text.
pub fn regenerate(
    recipes: &[PathBuf],
    jobs: &JobArgs,
    console: &Console,
) -> Result<Vec<(PathBuf, String)>> {
    let mut portions = Vec::new();
    for file in recipes {
        portions.extend(follow(file)?);
    }
    let made = jobs.map(&portions, console, |(recipe, portion)| {
        let file = recipe.with_file_name(format!("{}.jsonl", portion.file));
        let text = match portion.kind.as_deref() {
            None | Some("motion") => text(portion),
            Some("world") => world_text(portion, &file),
            Some(other) => Err(format!("as {other:?} is neither \"motion\" nor \"world\"")),
        };
        let text = text.map_err(|why| {
            Fatal::Usage(format!("{}: {}: {why}", recipe.display(), portion.file))
        })?;
        Ok((file, text))
    });
    made.into_iter().collect()
}

fn follow(recipe: &Path) -> Result<Vec<(PathBuf, Portion)>> {
    let wrong = |why: String| Fatal::Usage(format!("{}: {why}", recipe.display()));
    let text = std::fs::read_to_string(recipe).map_err(|error| wrong(error.to_string()))?;
    let portions: Vec<Portion> =
        serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    if let Some(portion) = portions.iter().find(|p| !p.file.chars().all(plain)) {
        return Err(wrong(format!("{:?} is no name of a file", portion.file)));
    }
    let beside = portions
        .into_iter()
        .map(|portion| (recipe.to_owned(), portion));
    Ok(beside.collect())
}

/// The trajectory of a world of the engine. One that stands there and still holds is kept: the last digits depend on the
/// machine.
fn world_text(portion: &Portion, present: &Path) -> std::result::Result<String, String> {
    let scenario = find(&portion.scenario).map_err(|error| error.to_string())?;
    let settings = portion.set.iter();
    let settings = settings.map(|(name, value)| (&**name, value.as_str().unwrap_or_default()));
    let instance = scenario
        .world_instance(settings)
        .map_err(|error| error.to_string())?;
    let mut run = WorldRun::new(instance, portion.steps).map_err(|error| error.to_string())?;
    let header = run.header();
    if let Ok(stored) = read_trajectory(present)
        && (&stored.header.scenario, &stored.header.parameters)
            == (&header.scenario, &header.parameters)
        && stored.header.steps == header.steps
        && is_world(&stored)
        && holds(&stored)
    {
        let lines = stored.texts.iter().map(|text| text.clone() + "\n");
        return Ok(lines.collect());
    }
    let mut text = line_text(&header) + "\n";
    for _ in 0..run.steps() {
        let line = run
            .advance(&mut Nobody)
            .map_err(|error| error.to_string())?;
        text += &line_text(&line);
        text.push('\n');
    }
    Ok(text)
}

fn holds(stored: &Trajectory) -> bool {
    let Ok(again) = Again::new(stored) else {
        return false;
    };
    let mut steps = 1..=stored.steps.len() as u64;
    again.header().is_empty() && steps.all(|k| again.step(k).is_empty())
}

fn text(portion: &Portion) -> std::result::Result<String, String> {
    let scenario = find(&portion.scenario).map_err(|error| error.to_string())?;
    let settings = portion.set.iter();
    let settings = settings.map(|(name, value)| (&**name, value.as_str().unwrap_or_default()));
    let instance = scenario
        .motion_instance(settings)
        .map_err(|error| error.to_string())?;
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let run = instance.trajectory(Arithmetics::Exact, &*solver, portion.steps);
    let mut run = run.map_err(|error| error.to_string())?;
    let mut text = line_text(&run.header()) + "\n";
    while run.k() < run.steps() {
        let line = run.advance().map_err(|error| error.to_string())?;
        text += &line_text(&line);
        text.push('\n');
    }
    Ok(text)
}
