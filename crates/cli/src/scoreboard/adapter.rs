//! Adapters: other people's solvers behind the protocol, as the folder `adapters` lists them.

use std::path::Path;
use std::process;

use etalon_conformance::Capabilities;
use etalon_conformance::process::{CommandLine, Limits, Process};
use serde::Deserialize;

use crate::console::Console;
use crate::{Fatal, Result};

/// The list in the folder.
const LIST: &str = "adapters.json";

/// An adapter. In its commands `{dir}` is the folder of the list, `{bin}` that of what is built, and
/// `{python}` the Python of the user's choice.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adapter {
    pub name: String,
    /// The project of the solver.
    pub project: String,
    /// How to get it.
    pub install: String,
    /// The command that builds the adapter.
    #[serde(default)]
    build: Option<String>,
    /// The command that is the solver.
    run: String,
    /// The command that prints the version, and fails where the solver is not installed.
    version: String,
    /// The capabilities of the solver.
    #[serde(deserialize_with = "capabilities")]
    pub can: Capabilities,
    /// Its settings, and when an answer counts as solved.
    pub settings: String,
}

/// An adapter that is ready to run.
pub struct Installed {
    pub adapter: Adapter,
    pub version: String,
    pub command: CommandLine,
}

/// The values of the words in braces.
pub struct Places<'a> {
    pub dir: &'a Path,
    pub bin: &'a Path,
    pub python: &'a str,
}

fn capabilities<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Capabilities, D::Error> {
    let list = String::deserialize(deserializer)?;
    list.parse().map_err(serde::de::Error::custom)
}

/// The adapters that the folder lists.
fn list(folder: &Path) -> Result<Vec<Adapter>> {
    let file = folder.join(LIST);
    let wrong = |why: String| Fatal::Usage(format!("{}: {why}", file.display()));
    let text = std::fs::read_to_string(&file).map_err(|error| wrong(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))
}

/// The problems that an adapter is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Linear complementarity problems.
    Linear,
    /// Problems with friction cones.
    Cones,
}

impl Adapter {
    fn kind(&self) -> Kind {
        match self.can.cones || self.can.convex_cones {
            true => Kind::Cones,
            false => Kind::Linear,
        }
    }
}

/// The result of the search for adapters.
pub struct Found {
    pub installed: Vec<Installed>,
    pub missing: Vec<Adapter>,
}

/// The adapters of a kind that are installed, or those of some names; the others are told of.
pub fn installed(
    places: &Places<'_>,
    kind: Kind,
    only: &[String],
    console: &Console,
) -> Result<Found> {
    let list = list(places.dir)?;
    for name in only {
        match list.iter().find(|adapter| adapter.name == *name) {
            Some(adapter) if adapter.kind() == kind => {}
            found => return Err(Fatal::Usage(not_of(kind, name, found.is_some()))),
        }
    }
    let mut found = Found {
        installed: Vec::new(),
        missing: Vec::new(),
    };
    for adapter in list
        .into_iter()
        .filter(|a| a.kind() == kind && (only.is_empty() || only.contains(&a.name)))
    {
        match adapter.install(places) {
            Ok(installed) => {
                console.note(format_args!("{} {}", adapter.name, installed.version));
                found.installed.push(installed);
            }
            Err(why) => {
                console.warning(format_args!(
                    "{} is not here ({why}); {}",
                    adapter.name, adapter.install
                ));
                found.missing.push(adapter);
            }
        }
    }
    Ok(found)
}

/// Why an adapter of that name is not asked.
fn not_of(kind: Kind, name: &str, is_listed: bool) -> String {
    match kind {
        _ if !is_listed => format!("{name:?} is no adapter"),
        Kind::Linear => format!(
            "{name:?} is an adapter for friction cones: etalon scoreboard --cones --only {name} runs it"
        ),
        Kind::Cones => format!("{name:?} is no adapter for friction cones: leave --cones out"),
    }
}

impl Adapter {
    /// Builds it and asks for its version; why it cannot be had otherwise.
    pub fn install(&self, places: &Places<'_>) -> std::result::Result<Installed, String> {
        let version = self.output(&self.version, places)?;
        let version = version.trim().to_owned();
        if version.is_empty() {
            return Err("there is no version of it".to_owned());
        }
        if let Some(build) = &self.build {
            self.output(build, places)?;
        }
        Ok(Installed {
            adapter: self.clone(),
            version,
            command: command(&self.run, places)?,
        })
    }

    fn output(&self, text: &str, places: &Places<'_>) -> std::result::Result<String, String> {
        let command = command(text, places)?;
        let mut process = process::Command::new(command.program());
        let ran = process.args(command.arguments()).output();
        let ran = ran.map_err(|error| format!("{}: {error}", command.program()))?;
        if !ran.status.success() {
            let errors = String::from_utf8_lossy(&ran.stderr).into_owned();
            let last = errors.lines().last().unwrap_or("no word of why").to_owned();
            return Err(format!("{}: {last}", command.program()));
        }
        Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
    }
}

impl Installed {
    /// The solver, not started yet.
    pub fn process(&self, limits: Limits) -> Process {
        Process::new(self.command.clone(), limits)
    }
}

fn command(text: &str, places: &Places<'_>) -> std::result::Result<CommandLine, String> {
    let text = text
        .replace("{dir}", &places.dir.display().to_string())
        .replace("{bin}", &places.bin.display().to_string())
        .replace("{python}", places.python);
    CommandLine::parse(&text).map_err(|error| error.to_string())
}
