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
    /// The first step that cannot be drawn, with the reason, and how many there are.
    undrawn: Option<(String, usize)>,
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
            undrawn: None,
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
        let question = StatesQuestion::of(step, judge);
        let svg = question.and_then(|question| {
            of_states(step, &question, verdict).map_err(|error| error.to_string())
        });
        let svg = match svg {
            Ok(svg) => svg,
            // The verdict stands without its picture, and the log goes on.
            Err(why) => {
                let first = || (format!("step {:?}: {why}", step.name), 0);
                self.undrawn.get_or_insert_with(first).1 += 1;
                return Ok(());
            }
        };
        *drawn += 1;
        let name = self.name(&step.name);
        let file = self.folder.join(name);
        fs::write(&file, svg).map_err(|error| unwritable(&file, &error))
    }

    /// Which steps have no picture.
    pub fn warnings(&self) -> Vec<String> {
        let left_out = (self.left_out > 0).then(|| {
            format!(
                "--svg: {} steps have no picture: {DRAWN} are drawn of each word. A log of fewer steps has them all",
                self.left_out
            )
        });
        let undrawn = self.undrawn.as_ref().map(|(first, count)| match count {
            1 => format!("--svg: {first}"),
            count => format!("--svg: {count} steps have no picture; {first}"),
        });
        let nothing = (self.names.is_empty() && self.undrawn.is_none()).then(|| {
            "--svg: there is no picture, as no step was judged at level C: that takes bodies with contacts, and no --level without C".to_owned()
        });
        left_out.into_iter().chain(undrawn).chain(nothing).collect()
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
