//! `etalon verify --verified`: the checker that is extracted from proofs in Coq, beside the kernel.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use etalon_golden::{Golden, Origin, kernel_line};
use serde_json::{Value, json};

use super::colours::{bad, failures};
use super::{Fatal, Result};

/// As many files as a command line holds in any case.
const FILES_AT_ONCE: usize = 500;

/// What two checkers that share no code say of the same records.
pub struct Agreement {
    program: PathBuf,
    /// Records that hold, by the same words.
    held: usize,
    /// Records that the extracted checker does not cover: friction cones, and what is over its budget.
    beyond: usize,
    differences: Vec<Difference>,
}

/// A record of which they say different things.
struct Difference {
    origin: Origin,
    name: String,
    kernel: String,
    extracted: String,
}

/// That there is such a program, before anything is verified without it.
///
/// # Errors
/// It cannot be started.
pub fn look_for(program: &Path) -> Result<()> {
    let program = found(program);
    let started = Command::new(&program).stdin(Stdio::null()).output();
    // Without files it says how it is used.
    started.map_err(|error| unusable(&program, error)).map(drop)
}

impl Agreement {
    /// Runs the program on these files, whose records are the goldens.
    pub fn of(program: &Path, files: &[PathBuf], goldens: &[Golden]) -> Result<Self> {
        let program = found(program);
        let mut lines = Vec::new();
        for files in files.chunks(FILES_AT_ONCE) {
            lines.extend(run(&program, files)?);
        }
        if lines.len() != goldens.len() {
            let (lines, records) = (lines.len(), goldens.len());
            let why = format!("{lines} lines for {records} records; is it etalon-verified?");
            return Err(unusable(&program, why));
        }
        let mut all = Self {
            program,
            held: 0,
            beyond: 0,
            differences: Vec::new(),
        };
        for (golden, extracted) in goldens.iter().zip(lines) {
            all.count(golden, extracted);
        }
        Ok(all)
    }

    fn count(&mut self, golden: &Golden, extracted: String) {
        let is_beyond = ["friction cones", "over the budget", "dense forms"];
        if extracted.starts_with("refused") && is_beyond.iter().any(|why| extracted.contains(why)) {
            self.beyond += 1;
            return;
        }
        let kernel = kernel_line(&golden.problem);
        if kernel == extracted {
            self.held += 1;
        } else if !kernel.starts_with("refused") || !extracted.starts_with("refused") {
            let (origin, name) = (golden.origin.clone(), golden.problem.name().to_owned());
            self.differences.push(Difference {
                origin,
                name,
                kernel,
                extracted,
            });
        }
    }

    /// Whether they agree.
    pub fn is_sound(&self) -> bool {
        self.differences.is_empty()
    }

    /// For people.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let failure = bad("failure:");
        for Difference {
            origin,
            name,
            kernel,
            extracted,
        } in &self.differences
        {
            text += &format!(
                "{failure} {origin}: record {name:?}: the kernel says {kernel:?}, the extracted checker {extracted:?}\n"
            );
        }
        let (program, held, beyond) = (self.program.display(), self.held, self.beyond);
        let differ = failures(self.differences.len());
        text + &format!(
            "{program}: {held} problems hold by the same words, {beyond} are beyond it, {differ}"
        )
    }

    /// The same for programs.
    pub fn to_json(&self) -> Value {
        let differences = self.differences.iter().map(|one| {
            json!({
                "file": one.origin.file,
                "line": one.origin.line,
                "name": one.name,
                "kernel": one.kernel,
                "extracted": one.extracted,
            })
        });
        json!({
            "program": self.program,
            "held": self.held,
            "beyond": self.beyond,
            "differences": differences.collect::<Vec<_>>(),
        })
    }
}

/// The program itself where a folder is named; else the one beside this program, or on the path.
fn found(program: &Path) -> PathBuf {
    let beside = std::env::current_exe()
        .ok()
        .and_then(|own| Some(own.parent()?.join(program)));
    let is_name = program.components().count() == 1;
    match beside.filter(|beside| is_name && beside.is_file()) {
        Some(beside) => beside,
        None => program.to_owned(),
    }
}

fn run(program: &Path, files: &[PathBuf]) -> Result<Vec<String>> {
    let output = Command::new(program).args(files).output();
    let output = output.map_err(|error| unusable(program, error))?;
    // 1 says that a record is refused, which its line says too.
    if !matches!(output.status.code(), Some(0 | 1)) {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(unusable(
            program,
            format!("{} {}", output.status, error.trim_end()),
        ));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().map(str::to_owned).collect())
}

fn unusable(program: &Path, why: impl std::fmt::Display) -> Fatal {
    Fatal::Usage(format!(
        "--verified: {}: {why} (make -C proofs builds proofs/build/etalon-verified; name it by --verified=PROGRAM)",
        program.display()
    ))
}
