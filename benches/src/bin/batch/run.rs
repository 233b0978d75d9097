//! Running `etalon check`, watched.

use std::error::Error;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use etalon_benches::machine::peak_of;

use super::inputs::Pair;

/// How often the measured process is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// The command that is measured.
pub struct CheckCommand(PathBuf);

/// A run that ended by itself.
pub struct Checked {
    /// By the clock.
    pub seconds: f64,
    /// The most memory that it held; `None` where the system does not say.
    pub peak_mebibytes: Option<u64>,
    /// Whether all claims were accepted.
    pub accepted: bool,
}

impl CheckCommand {
    /// That program, or the one built beside this.
    ///
    /// # Errors
    /// Where there is none.
    pub fn new(given: Option<PathBuf>) -> Result<Self, Box<dyn Error>> {
        let beside = || Ok::<_, io::Error>(std::env::current_exe()?.with_file_name("etalon"));
        let path = given.map_or_else(beside, Ok)?;
        if !path.is_file() {
            let path = path.display();
            return Err(
                format!("{path}: no such program; cargo build --release -p etalon-cli").into(),
            );
        }
        Ok(Self(path))
    }

    /// A run to its end, with more options.
    ///
    /// # Errors
    /// Where it cannot be started, or ends with anything but 0 and 1.
    pub fn check(&self, pair: &Pair, out: &Path, more: &[&str]) -> Result<Checked, Box<dyn Error>> {
        let start = Instant::now();
        let mut child = self.start(pair, out, more)?;
        let mut peak = None;
        let status = loop {
            peak = peak_of(child.id()).max(peak);
            if let Some(status) = child.try_wait()? {
                break status;
            }
            std::thread::sleep(LOOK);
        };
        if !matches!(status.code(), Some(0 | 1)) {
            return Err(format!("etalon check ended with {status}").into());
        }
        Ok(Checked {
            seconds: start.elapsed().as_secs_f64(),
            peak_mebibytes: peak,
            accepted: status.success(),
        })
    }

    /// Runs of any command in that folder, so many at once, to the end of all: the seconds by the clock, and what the first wrote to
    /// standard output. That is a file, as to empty a pipe takes time of the cores that are measured.
    ///
    /// # Errors
    /// Where one cannot be started, or ends with anything but 0 and 1.
    pub fn run(
        &self,
        arguments: &[String],
        more: &[&str],
        folder: &Path,
        copies: usize,
    ) -> Result<(f64, String), Box<dyn Error>> {
        let output = |k: usize| folder.join(format!("output-{k}"));
        let start = Instant::now();
        let begin = |k: usize| {
            let mut command = Command::new(&self.0);
            command.args(arguments).args(more).current_dir(folder);
            command.stdout(File::create(output(k))?);
            command.stderr(Stdio::null()).spawn()
        };
        let children: io::Result<Vec<Child>> = (0..copies).map(begin).collect();
        for mut child in children? {
            let status = child.wait()?;
            if !matches!(status.code(), Some(0 | 1)) {
                return Err(format!("etalon {arguments:?} ended with {status}").into());
            }
        }
        let time = start.elapsed().as_secs_f64();
        Ok((time, std::fs::read_to_string(output(0))?))
    }

    /// The program for a shell's words.
    pub fn quoted(&self) -> String {
        format!("'{}'", self.0.display())
    }

    /// A run that is killed once about half of `records` verdicts are in its file. Returns how many
    /// were.
    ///
    /// # Errors
    /// Where it cannot be started, or ends too early.
    pub fn kill_half_way(
        &self,
        pair: &Pair,
        whole: &Path,
        out: &Path,
    ) -> Result<usize, Box<dyn Error>> {
        let half = std::fs::metadata(whole)?.len() / 2;
        let mut child = self.start(pair, out, &[])?;
        while std::fs::metadata(out).map_or(0, |file| file.len()) < half {
            if child.try_wait()?.is_some() {
                return Err("etalon check ended before it could be killed".into());
            }
            std::thread::sleep(LOOK);
        }
        child.kill()?;
        child.wait()?;
        Ok(lines(out)?.len())
    }

    fn start(&self, pair: &Pair, out: &Path, more: &[&str]) -> io::Result<Child> {
        let mut command = Command::new(&self.0);
        command.args(["check", "--quiet"]);
        command.args([&pair.problems, &pair.claims]);
        command.arg("--out").arg(out).args(more);
        command.stdout(Stdio::null()).spawn()
    }
}

/// The verdicts in a file of them, a line each, without the heading.
///
/// # Errors
/// Where it cannot be read.
pub fn lines(path: &Path) -> io::Result<Vec<String>> {
    let text = std::fs::read_to_string(path)?;
    Ok(text.lines().skip(1).map(str::to_owned).collect())
}
