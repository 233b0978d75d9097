//! The solvers of other projects that a report is about.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use etalon_conformance::Deadline;
use etalon_conformance::process::{CommandLine, Process};

use super::super::console::Console;
use super::super::scoreboard::adapter::{self, Kind, Places};
use super::super::solver_args::AllowedArgs;
use super::process_subject::{ProcessSubject, named};
use crate::{Fatal, Result};

/// The part of the time, one in so many, that the question may take what a solver can do.
const FIRST: u32 = 8;

/// Who is asked beside the solvers of this program.
#[derive(Debug, Clone, Args)]
pub struct SubjectArgs {
    /// The command of a solver, its words as a shell would split them; several may be given
    #[arg(long, value_name = "[NAME=]CMD", value_parser = named)]
    solver: Vec<(String, CommandLine)>,

    /// Also run the installed adapters that adapters.json of this folder lists
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = "adapters")]
    adapters: Option<PathBuf>,

    /// Only the adapters of these names
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        requires = "adapters"
    )]
    only: Vec<String>,

    /// The Python with the packages that adapters need
    #[arg(long, value_name = "CMD", default_value = "python3")]
    python: String,

    /// The folder in which adapters in C++ are built
    #[arg(long, value_name = "DIR", default_value = "target/adapters")]
    bin: PathBuf,

    #[command(flatten)]
    pub allowed: AllowedArgs,
}

impl SubjectArgs {
    /// The adapters that are installed, built where they need it, with a note on each of the others.
    pub fn adapters(
        &self,
        console: &Console,
        notes: &mut Vec<String>,
    ) -> Result<Vec<ProcessSubject>> {
        let Some(folder) = &self.adapters else {
            return Ok(Vec::new());
        };
        fs::create_dir_all(&self.bin).map_err(Fatal::unwritten(&self.bin))?;
        let places = Places {
            dir: folder,
            bin: &self.bin,
            python: &self.python,
        };
        let found = adapter::installed(&places, Kind::Linear, &self.only, console)?;
        let missing = found.missing.iter();
        notes.extend(missing.map(|adapter| {
            format!(
                "{} is not installed here: {}.",
                adapter.name, adapter.install
            )
        }));
        let subjects = found.installed.into_iter().map(|installed| ProcessSubject {
            name: installed.adapter.name.clone(),
            command: installed.command.clone(),
            said: Some(installed.adapter.can.clone()),
            can: installed.adapter.can.clone(),
            about: format!(
                "{} {}; {}",
                installed.adapter.project, installed.version, installed.adapter.settings
            ),
        });
        Ok(subjects.collect())
    }

    /// The solvers that the user names, then the adapters; no two of one name.
    pub fn all(
        &self,
        adapters: Vec<ProcessSubject>,
        deadline: &Deadline<'_>,
        console: &Console,
    ) -> Result<Vec<ProcessSubject>> {
        let own = self.solver.iter().map(|(name, command)| {
            let process = Process::new(command.clone(), self.allowed.limits());
            // A solver that hangs on this question does not take the time of the others.
            let process = process.until(deadline.part(1, FIRST).end());
            // Where no time is left the solver is not asked what it can do either.
            let can = match &self.allowed.can {
                None if deadline.is_over() => etalon_conformance::Capabilities::default(),
                _ => self.allowed.capabilities(&process, console)?,
            };
            Ok(ProcessSubject {
                name: name.clone(),
                command: command.clone(),
                said: self.allowed.can.clone(),
                can,
                about: command.text().to_owned(),
            })
        });
        let mut all = own.collect::<Result<Vec<ProcessSubject>>>()?;
        all.extend(adapters);
        for (k, solver) in all.iter().enumerate() {
            let own = solver.name.parse::<etalon_methods::Method>().is_ok();
            if own || all[..k].iter().any(|other| other.name == solver.name) {
                return Err(Fatal::Usage(format!(
                    "two solvers are called {:?}; name one with --solver NAME=CMD",
                    solver.name
                )));
            }
        }
        Ok(all)
    }
}
