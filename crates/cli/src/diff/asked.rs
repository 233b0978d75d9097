//! The questions: the goldens under some paths, and the steps of the trajectories there.

use std::path::{Path, PathBuf};

use etalon_conformance::{Capabilities, Deadline, MAX_DENSE, Skip, is_too_large};
use etalon_golden::{
    FoundFiles, Golden, GoldenRecords, Origin, Suite, Trajectory, read_trajectory,
};
use etalon_lcp::Problem;
use etalon_replay::trajectories::Replay;
use etalon_replay::worlds::is_world;

use super::super::again::Again;
use super::super::console::Console;
use super::super::intake::{Intake, read_side_by_side};
use super::super::jobs::JobArgs;
use super::super::similar::did_you_mean;
use crate::Result;

/// A problem with its place.
pub struct Asked {
    pub problem: Problem,
    pub origin: Origin,
    pub suite: Suite,
    /// The command that writes it, where it stands in no file.
    pub made_by: Option<String>,
}

impl Asked {
    /// The problem's name, quoted where a terminal would take part of it for a command.
    pub fn shown_name(&self) -> String {
        let name = self.problem.name();
        if name.contains(char::is_control) {
            format!("{name:?}")
        } else {
            name.to_owned()
        }
    }

    /// The command that asks it again.
    pub fn again(&self, again: &Again<'_>) -> String {
        again.of(&self.problem, &self.origin.file, self.made_by.as_deref())
    }

    /// The command that makes it small.
    pub fn shrink(&self, again: &Again<'_>, gave_up: bool) -> String {
        again.shrink(&self.problem, &self.origin.file, gave_up)
    }
}

/// The questions.
#[derive(Default)]
pub struct Questions {
    /// The problems that are sent.
    pub sent: Vec<Asked>,
    /// The problems that are not sent, with the reasons.
    pub kept: Vec<(Asked, Skip)>,
    /// Trajectories whose steps are still to be derived.
    trajectories: Vec<PathBuf>,
    /// Whether something could not be read.
    pub unreadable: bool,
    /// How many records and trajectories were left unread when the time was over.
    pub unread: usize,
}

/// Which part of it.
pub struct Choice<'a> {
    pub paths: &'a [PathBuf],
    pub only: Option<&'a str>,
    pub can: &'a Capabilities,
    /// Whether steps of trajectories are asked, too.
    pub steps: bool,
    /// When to stop reading.
    pub until: Option<&'a Deadline<'a>>,
}

impl Choice<'_> {
    /// Collects the questions, in the order of the files.
    pub fn questions(&self, jobs: &JobArgs, console: &Console) -> Result<Questions> {
        let mut questions = self.problems(jobs, console)?;
        self.add_trajectories(jobs, console, &mut questions);
        Ok(questions)
    }

    /// The problems that stand in files. Those of trajectories are derived, which takes longer.
    pub fn problems(&self, jobs: &JobArgs, console: &Console) -> Result<Questions> {
        let found = FoundFiles::in_each(self.paths)?;
        let mut questions = Questions::default();
        if self.steps {
            questions.trajectories = found.trajectories;
        }
        let mut intake = Intake::new(read_side_by_side(found.problems, jobs), console);
        let asked = intake
            .by_ref()
            .filter(|golden| self.wants(golden.problem.name()));
        for golden in asked {
            if self.is_late() {
                questions.unread += 1;
            } else {
                self.add(&mut questions, golden.into());
            }
        }
        questions.unreadable |= intake.failed();
        Ok(questions)
    }

    /// Adds the steps of the trajectories.
    pub fn add_trajectories(&self, jobs: &JobArgs, console: &Console, questions: &mut Questions) {
        for file in std::mem::take(&mut questions.trajectories) {
            if self.is_late() {
                questions.unread += 1;
                continue;
            }
            self.add_steps(&file, jobs, console, questions);
        }
    }

    fn wants(&self, name: &str) -> bool {
        self.only.is_none_or(|only| only == name)
    }

    fn is_late(&self) -> bool {
        self.until.is_some_and(Deadline::is_over)
    }

    fn add(&self, questions: &mut Questions, asked: Asked) {
        let too_large = || is_too_large(&asked.problem).then_some(Skip::Rows(MAX_DENSE));
        match self.can.lacks(&asked.problem).or_else(too_large) {
            None => questions.sent.push(asked),
            Some(skip) => questions.kept.push((asked, skip)),
        }
    }

    fn add_steps(&self, file: &Path, jobs: &JobArgs, console: &Console, questions: &mut Questions) {
        let stem = file
            .file_stem()
            .unwrap_or(file.as_os_str())
            .to_string_lossy();
        let is_other = |only: &str| !only.starts_with(&format!("{stem}/"));
        if self.only.is_some_and(is_other) {
            return;
        }
        let mut complain = |error: String| {
            console.error(error);
            questions.unreadable = true;
        };
        let stored = match read_trajectory(file) {
            Ok(stored) => stored,
            Err(error) => return complain(error.to_string()),
        };
        // The engine's own solver makes those: a step has many problems, which no line holds.
        if is_world(&stored) {
            return;
        }
        let replay = match Replay::new(&stored) {
            Ok(replay) => replay,
            Err(error) => return complain(format!("{}: {error}", stored.origin(0))),
        };
        let name = |k: u64| format!("{stem}/step {k}");
        let steps: Vec<u64> = (1..=stored.steps.len() as u64)
            .filter(|&k| self.wants(&name(k)))
            .collect();
        let problems = jobs.map(&steps, console, |&k| replay.problem(k, &name(k)));
        for (&k, problem) in steps.iter().zip(problems) {
            match problem {
                Ok(problem) => self.add(questions, step(&stored, &stem, k, problem)),
                Err(why) => {
                    console.error(format_args!("{}: {why}", stored.origin(k)));
                    questions.unreadable = true;
                }
            }
        }
    }
}

/// That nothing is called so, with the names that are near, or else some that there are.
pub fn no_such_problem(name: &str, paths: &[PathBuf]) -> Result<String> {
    let files = FoundFiles::in_each(paths)?.problems;
    let records = GoldenRecords::of_files(files).filter_map(std::result::Result::ok);
    let names: Vec<String> = records
        .map(|golden| golden.problem.name().to_owned())
        .collect();
    let mut meant = did_you_mean(name, names.iter().map(String::as_str));
    if meant.is_empty() && !names.is_empty() {
        let some: Vec<_> = names.iter().take(3).map(String::as_str).collect();
        let more = if names.len() > some.len() {
            ", ..."
        } else {
            ""
        };
        meant = format!("; there are {}: {}{more}", names.len(), some.join(", "));
    }
    Ok(format!(
        "--only {name}: there is no problem of that name{meant}"
    ))
}

fn step(stored: &Trajectory, stem: &str, k: u64, problem: Problem) -> Asked {
    Asked {
        problem,
        origin: stored.origin(k),
        suite: Suite {
            name: "trajectories".to_owned(),
            family: Some(stem.to_owned()),
            is_golden: false,
        },
        made_by: None,
    }
}

impl From<Golden> for Asked {
    fn from(golden: Golden) -> Self {
        Self {
            problem: golden.problem,
            origin: golden.origin,
            suite: golden.suite,
            made_by: None,
        }
    }
}
