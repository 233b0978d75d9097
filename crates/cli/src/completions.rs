//! `etalon completions`: what shells need to complete commands and options.

use clap::Args;
use clap_complete::Shell;

use super::console::Console;
use super::{Ending, Result, command_line};

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

impl Completions {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command_line(), "etalon", &mut script);
        console.line(String::from_utf8_lossy(&script).trim_end())?;
        Ok(Ending::Accepted)
    }
}
