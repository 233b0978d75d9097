//! `etalon completions`: what shells need to complete commands, options and names.

use clap::{Args, ValueEnum};
use clap_complete::engine::CompletionCandidate;
use clap_complete::env::Shells;
use etalon_conformance::Capabilities;
use etalon_golden::read;
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

/// The scenarios, for shells.
pub fn scenario_names() -> Vec<CompletionCandidate> {
    let all = scenarios().iter();
    all.map(|scenario| CompletionCandidate::new(scenario.name))
        .collect()
}

/// The words of a list of capabilities, for shells: those that the list does not have yet.
pub fn capabilities(list: &std::ffi::OsStr) -> Vec<CompletionCandidate> {
    let list = list.to_string_lossy();
    let (before, word) = list
        .rfind(',')
        .map_or(("", &*list), |comma| list.split_at(comma + 1));
    let given: Vec<_> = before.split(',').collect();
    let words = Capabilities::WORDS.into_iter();
    let words = words.filter(|own| own.starts_with(word) && !given.contains(own));
    words
        .map(|own| CompletionCandidate::new(format!("{before}{own}")))
        .collect()
}

/// The goldens, for shells: of the checkout, else those inside of the program.
pub fn golden_names() -> Vec<CompletionCandidate> {
    let records = read(&[std::path::Path::new(GOLDEN).join("problems")]);
    let goldens = records.into_iter().flatten().flatten();
    let names = goldens.map(|golden| golden.problem.name().to_owned());
    names.map(CompletionCandidate::new).collect()
}
