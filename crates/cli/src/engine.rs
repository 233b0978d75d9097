//! `etalon engine`: whole engines, judged as their users run them, by the Python package.

use std::process::{Command, Stdio};

use clap::Args;

use super::console::Console;
use super::{Ending, Fatal, Result};

/// Judge whole engines: the steps of MuJoCo scenes, and scenes with known truths in several engines.
///
/// Engines are Python packages, so this starts `python -m etalon.engine` with all words that follow. `etalon engine mujoco
/// SCENE.xml` steps a scene and judges each step: is the engine's answer the solution of the problem that the engine states?
/// `etalon engine scenes` runs scenes with known truths. `etalon engine mujoco --help` lists the options.
#[derive(Args)]
#[command(after_help = "\
Example: etalon engine mujoco humanoid.xml --steps 1000 --solver newton,cg,pgs
         etalon engine mujoco models/ --steps 50 --quiet
         etalon engine --python venv/bin/python scenes --engine mujoco,pybullet
         etalon engine --list")]
pub struct EngineCommand {
    /// The Python that has the package etalon and the engines
    #[arg(long, value_name = "CMD", default_value = "python3")]
    python: String,

    /// The engines that are installed, with their versions
    #[arg(long, conflicts_with = "words")]
    list: bool,

    /// The command, mujoco, scenes, log or list, and its options
    #[arg(
        value_name = "COMMAND",
        trailing_var_arg = true,
        allow_hyphen_values = true,
        required_unless_present = "list"
    )]
    words: Vec<String>,
}

impl EngineCommand {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        self.look()?;
        let status = self
            .module()
            .args(self.words(console))
            .status()
            .map_err(|error| self.cannot_start(&error))?;
        match status.code() {
            Some(0) => Ok(Ending::Accepted),
            Some(1) => Ok(Ending::NotAccepted),
            // The module has said why.
            Some(2) => Ok(Ending::Unreadable),
            _ => Err(Fatal::Usage(format!(
                "{} -m etalon.engine: {status}",
                self.python
            ))),
        }
    }

    /// The words of the module: those of the user, with the flags that come before the command.
    fn words(&self, console: &Console) -> Vec<&str> {
        let mut words: Vec<&str> = match self.list {
            true => vec!["list"],
            false => self.words.iter().map(String::as_str).collect(),
        };
        let asked = [(console.json, "--json"), (console.quiet, "--quiet")];
        words.extend(
            asked
                .iter()
                .filter(|(is_on, _)| *is_on)
                .map(|(_, flag)| flag),
        );
        words
    }

    fn module(&self) -> Command {
        let mut command = Command::new(&self.python);
        command.args(["-m", "etalon.engine"]);
        command
    }

    /// Whether the Python is there and has the package.
    fn look(&self) -> Result<()> {
        let found = Command::new(&self.python)
            .args(["-c", "import etalon.engine"])
            .stdin(Stdio::null())
            .output()
            .map_err(|error| self.cannot_start(&error))?;
        match found.status.success() {
            true => Ok(()),
            false => Err(Fatal::Usage(format!(
                "{} has no package etalon with etalon.engine: install the wheel (docs/install.md; in a checkout \
                 pip install './crates/python[mujoco]'), or give another Python with --python ({})",
                self.python,
                last_line(&found.stderr)
            ))),
        }
    }

    fn cannot_start(&self, error: &std::io::Error) -> Fatal {
        Fatal::Usage(format!(
            "{}: {error}; give a Python that has the package etalon with --python",
            self.python
        ))
    }
}

/// The last line of a message, where Python has the error itself.
fn last_line(message: &[u8]) -> String {
    let text = String::from_utf8_lossy(message);
    text.trim_end()
        .lines()
        .last()
        .unwrap_or("no message")
        .to_owned()
}
