//! Pictures of steps that level C has judged.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use etalon_engines::step::EngineStep;
use etalon_engines::{Level, StatesQuestion, StepJudge, StepVerdict, Word};
use etalon_evidence::picture::of_states;

use crate::{Fatal, Result};

/// So many steps of each word are drawn: no log of a million steps is to fill a disk.
pub const DRAWN: usize = 100;

/// The letters of a name of a file that are kept.
const LETTERS: usize = 80;

/// A folder of pictures.
pub struct Pictures {
    folder: PathBuf,
    names: BTreeSet<String>,
    drawn: BTreeMap<Word, usize>,
    left_out: usize,
}

impl Pictures {
    /// The folder, made where it is not there.
    ///
    /// # Errors
    /// It cannot be made, or nothing can be written there.
    pub fn new(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        Ok(Self {
            folder: folder.to_owned(),
            names: BTreeSet::new(),
            drawn: BTreeMap::new(),
            left_out: 0,
        })
    }

    /// Draws a step, where the verdict is one of level C.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(
        &mut self,
        step: &EngineStep,
        judge: &StepJudge,
        verdict: &StepVerdict,
    ) -> Result<()> {
        if verdict.level != Level::C || verdict.word == Word::NotJudged {
            return Ok(());
        }
        let drawn = self.drawn.entry(verdict.word).or_default();
        if *drawn == DRAWN {
            self.left_out += 1;
            return Ok(());
        }
        *drawn += 1;
        let wrong = |why: String| Fatal::Usage(format!("step {:?}: {why}", step.name));
        let question = StatesQuestion::of(step, judge).map_err(wrong)?;
        let svg = of_states(step, &question, verdict).map_err(|error| wrong(error.to_string()))?;
        let name = self.name(&step.name);
        let file = self.folder.join(name);
        fs::write(&file, svg).map_err(|error| unwritable(&file, &error))
    }

    /// How many steps were left out, if any.
    pub fn warning(&self) -> Option<String> {
        (self.left_out > 0).then(|| {
            format!(
                "--svg: {} steps have no picture: {DRAWN} are drawn of each word. A log of fewer steps has them all",
                self.left_out
            )
        })
    }

    /// A name of a file that no other picture of the run has.
    fn name(&mut self, step: &str) -> String {
        let safe = |c: char| match c {
            c if c.is_ascii_alphanumeric() || "-_.".contains(c) => c,
            _ => '-',
        };
        let name: String = step.chars().map(safe).take(LETTERS).collect();
        // A leading dot would hide the file, and dots alone are folders.
        let name = name.trim_start_matches('.');
        let name = if name.is_empty() { "step" } else { name };
        // Some file systems take a letter for its capital.
        let key = |name: &str| name.to_lowercase();
        let mut own = name.to_owned();
        let mut count = 1;
        while !self.names.insert(key(&own)) {
            count += 1;
            own = format!("{name}-{count}");
        }
        format!("{own}.svg")
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Fatal {
    Fatal::Usage(format!(
        "--svg {}: cannot write: {error}; name a folder that can be written",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_safe_and_each_is_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let mut pictures = Pictures::new(folder.path()).unwrap();
        let long = "x".repeat(300);
        let names = [
            "box slides/0",
            "Box slides/0",
            "../../a",
            "",
            "..",
            "schräg:1",
            &long,
        ];
        let names = names.map(|name| pictures.name(name));
        let long = format!("{}.svg", "x".repeat(LETTERS));
        let expected = [
            "box-slides-0.svg",
            "Box-slides-0-2.svg",
            "-..-a.svg",
            "step.svg",
            "step-2.svg",
            "schr-g-1.svg",
            &long,
        ];
        assert_eq!(names, expected);
    }
}
