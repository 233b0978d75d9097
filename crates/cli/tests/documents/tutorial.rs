//! A tutorial: the blocks of a page with the remark `tutorial`, done in their order in one folder, as a reader does them.
//!
//! The folder is empty at first and has nothing of the repository, since the reader may have no checkout; the word
//! `repository` in a remark of the page puts what commands read into it.

use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};

use crate::blocks::Block;
use crate::console::{self, Folder, REPOSITORY};
use crate::is_installed;

/// The remark's word.
const WORD: &str = "tutorial";

/// Whether a block is a step of its page's tutorial.
pub fn is_step(block: &Block) -> bool {
    block.remark(WORD).is_some()
}

/// The test of a page's tutorial; `None` where the page has none.
pub fn trial(page: &Path, steps: Vec<Block>) -> Option<Trial> {
    if steps.is_empty() {
        return None;
    }
    let name = format!("{} {WORD} of {} blocks", page.display(), steps.len());
    let missing = steps
        .iter()
        .flat_map(words)
        .filter_map(|word| word.strip_prefix("needs="))
        .find(|program| !is_installed(program));
    let (name, is_ignored) = match missing {
        None => (name, false),
        Some(program) => (format!("{name} (not run: no {program})"), true),
    };
    Some(Trial::test(name, move || run(&steps)).with_ignored_flag(is_ignored))
}

fn words(step: &Block) -> std::str::SplitWhitespace<'_> {
    step.remark(WORD).unwrap_or_default().split_whitespace()
}

/// Blocks with `file=PATH` are what the reader writes there; the others are commands.
fn run(steps: &[Block]) -> Result<(), Failed> {
    let folder = if steps.iter().flat_map(words).any(|word| word == REPOSITORY) {
        Folder::with_repository()?
    } else {
        Folder::empty()?
    };
    for step in steps {
        let written: Option<PathBuf> = words(step)
            .find_map(|word| word.strip_prefix("file="))
            .map(|file| folder.path().join(file));
        let done = match &written {
            Some(file) => write(file, &step.text),
            None => console::run_in(&folder, step, step.remark(WORD).unwrap_or_default()),
        };
        done.map_err(|failed| {
            format!(
                "line {}: {}",
                step.line,
                failed.message().unwrap_or_default()
            )
        })?;
    }
    Ok(())
}

fn write(file: &Path, text: &str) -> Result<(), Failed> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    Ok(std::fs::write(file, text)?)
}
