//! Running the binary.

// The report in a browser uses only a part of this.
#![allow(dead_code)]

#[cfg(unix)]
pub mod terminal;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The binary under test.
pub const ETALON: &str = env!("CARGO_BIN_EXE_etalon");

/// A folder of its own, in which commands run, so that paths in messages stay short.
pub struct Workbench(TempDir);

/// What a command did.
pub struct Ran {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Workbench {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Puts a file there.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let file = self.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Runs `etalon` with these arguments, split at spaces.
    pub fn run(&self, arguments: &str) -> Ran {
        self.run_with(arguments, "")
    }

    /// Runs `etalon` with arguments that have blanks in them.
    pub fn run_words(&self, arguments: &[&str]) -> Ran {
        let mut command = self.command("");
        command.args(arguments).output().unwrap().into()
    }

    /// Runs `etalon` with a text on standard input.
    pub fn run_with(&self, arguments: &str, input: &str) -> Ran {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        let writer = std::thread::spawn(move || {
            // A command that does not read its input is no failure here.
            let _ = stdin.write_all(input.as_bytes());
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        output.into()
    }

    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(ETALON);
        command
            .args(arguments.split_whitespace())
            .current_dir(self.path())
            .env_remove("CLICOLOR_FORCE");
        command
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code().expect("ended by a signal"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    /// All of it, for a snapshot.
    pub fn shown(&self) -> String {
        let Self {
            status,
            stdout,
            stderr,
        } = self;
        format!("exit {status}\n--- stdout\n{stdout}--- stderr\n{stderr}")
    }
}

/// Times differ from run to run.
pub fn without_times(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\"seconds\":") {
        let (before, after) = rest.split_at(at);
        let end = after.find([',', '}']).unwrap();
        shown += before;
        shown += "\"seconds\":TIME";
        rest = &after[end..];
    }
    shown + rest
}
