//! `etalon completions`: what shells need to complete commands, options and names.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use clap::{Args, ValueEnum};
use clap_complete::engine::CompletionCandidate;
use clap_complete::env::Shells;
use etalon_conformance::{Capabilities, KeptProperties};
use etalon_evidence::study::studies;
use etalon_golden::problem_names;
use etalon_methods::Method;
use etalon_scenarios::scenarios;

use super::console::Console;
use super::goldens::GOLDEN;
use super::{Ending, Fatal, Result};

/// Print the completion script for a shell.
#[derive(Args)]
#[command(after_help = "\
Example: etalon completions bash > ~/.local/share/bash-completion/completions/etalon
         etalon completions zsh > \"${fpath[1]}/_etalon\"
         etalon completions fish > ~/.config/fish/completions/etalon.fish")]
pub struct Completions {
    /// Which shell
    shell: Shell,
}

#[derive(Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    Elvish,
    Powershell,
}

impl Shell {
    fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
            Self::Elvish => "elvish",
            Self::Powershell => "powershell",
        }
    }
}

impl Completions {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        let shells = Shells::builtins();
        let mut script = Vec::new();
        // The shell asks the program itself for names: families, scenarios, methods and goldens as they are.
        let registered = shells.completer(self.shell.name()).map(|shell| {
            shell.write_registration("COMPLETE", "etalon", "etalon", "etalon", &mut script)
        });
        registered.transpose().map_err(Fatal::Output)?;
        console.line(String::from_utf8_lossy(&script).trim_end())?;
        Ok(Ending::Accepted)
    }
}

/// The capabilities of solvers, for shells.
pub fn capabilities(current: &OsStr) -> Vec<CompletionCandidate> {
    listed(
        current,
        Capabilities::WORDS
            .iter()
            .map(|(word, about)| (*word, Some(*about))),
    )
}

/// The properties that small problems may keep, for shells.
pub fn kept(current: &OsStr) -> Vec<CompletionCandidate> {
    listed(
        current,
        KeptProperties::WORDS.iter().map(|word| (*word, None)),
    )
}

/// What a list with commas may become: its last word completed by one that is not in it yet.
fn listed<'a>(
    current: &OsStr,
    words: impl Iterator<Item = (&'a str, Option<&'a str>)>,
) -> Vec<CompletionCandidate> {
    let current = current.to_string_lossy();
    let (before, last) = match current.rfind(',') {
        Some(comma) => current.split_at(comma + 1),
        None => ("", &*current),
    };
    let is_there = |word: &str| before.split(',').any(|own| own == word);
    let fits = words.filter(|(word, _)| word.starts_with(last) && !is_there(word));
    fits.map(|(word, about)| {
        let candidate = CompletionCandidate::new(format!("{before}{word}"));
        candidate.help(about.map(|about| about.to_owned().into()))
    })
    .collect()
}

/// The scenarios, for shells.
pub fn scenario_names() -> Vec<CompletionCandidate> {
    let all = scenarios().iter();
    all.map(|scenario| CompletionCandidate::new(scenario.name))
        .collect()
}

/// The parameters that --set sets, for shells: of the scenario that the line names, and where it names none yet, of all.
pub fn parameter_names(current: &OsStr) -> Vec<CompletionCandidate> {
    let current = current.to_string_lossy();
    // Asked by a shell, the program gets the whole line as its arguments.
    let line: Vec<String> = std::env::args().collect();
    let named = scenarios()
        .iter()
        .filter(|scenario| line.iter().any(|word| word == scenario.name));
    let named: Vec<_> = named.collect();
    let all = || scenarios().iter().collect::<Vec<_>>();
    let asked = if named.is_empty() { all() } else { named };
    let mut told = BTreeSet::new();
    let parameters = asked
        .iter()
        .flat_map(|scenario| scenario.parts())
        .flat_map(|about| about.parameters);
    parameters
        .filter(|parameter| parameter.name.starts_with(&*current) && told.insert(parameter.name))
        .map(|parameter| {
            let help = format!("{} [{}]", parameter.meaning, parameter.default);
            CompletionCandidate::new(format!("{}=", parameter.name)).help(Some(help.into()))
        })
        .collect()
}

/// The studies, for shells.
pub fn study_names() -> Vec<CompletionCandidate> {
    let all = studies().iter();
    all.map(|study| CompletionCandidate::new(study.name).help(Some(study.about.into())))
        .collect()
}

/// Etalon's own solvers, for shells; a command is not completed.
pub fn solver_names() -> Vec<CompletionCandidate> {
    let methods = Method::all().map(Method::name);
    let names = ["fast", "exact"].into_iter().chain(methods);
    names.map(CompletionCandidate::new).collect()
}

/// The goldens, for shells: of the checkout, else those inside of the program.
pub fn golden_names() -> Vec<CompletionCandidate> {
    let names = problem_names(Path::new(GOLDEN)).unwrap_or_default();
    names.into_iter().map(CompletionCandidate::new).collect()
}
