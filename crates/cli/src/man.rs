//! `etalon man`: manual pages.

use std::path::{Path, PathBuf};

use clap::Args;
use etalon::version;

use super::console::Console;
use super::{Ending, Fatal, Result, command_line};

/// Print the manual page of `etalon`, or write those of all commands.
#[derive(Args)]
#[command(after_help = "\
Example: etalon man | man -l -
         etalon man --out ~/.local/share/man/man1")]
pub struct Man {
    /// Write etalon.1, etalon-verify.1 and so on to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Man {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        // What is special about this build and this machine has no place in a page for others.
        let short = version::short();
        let command = command_line().version(short).long_version(short);
        match &self.out {
            Some(folder) => write(command, folder)?,
            None => {
                let mut page = Vec::new();
                let rendered = clap_mangen::Man::new(command).render(&mut page);
                rendered.map_err(Fatal::Output)?;
                console.line(String::from_utf8_lossy(&page).trim_end())?;
            }
        }
        Ok(Ending::Accepted)
    }
}

fn write(command: clap::Command, folder: &Path) -> Result<()> {
    let written =
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
    written.map_err(|error| Fatal::Usage(format!("{}: {error}", folder.display())))
}
