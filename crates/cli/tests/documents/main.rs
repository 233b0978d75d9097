//! README.md and the pages of docs/ do what they say: one test for each block of code.
//!
//! A remark `<!-- ... -->` on the line before a block says how it is to be taken:
//!
//! | remark | meaning |
//! |---|---|
//! | `console: status=1` | the last command of the block ends with 1 |
//! | `console: needs=python3` | without that program the test is ignored |
//! | `not run: WHY` | the test is ignored, and says why |
//! | `file: PATH` | the block is that file |
//! | `tutorial: status=1 needs=c++` | a step of the page's tutorial: all of them run in their order in one folder |
//! | `tutorial: file=PATH` | the reader writes the block into that file of the folder |
//! | `test command` | what `.ci/run` runs |

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

mod blocks;
mod console;
mod shown;
mod tutorial;

use std::path::{Path, PathBuf};
use std::process::Command;

use blocks::{Block, blocks};
use libtest_mimic::{Arguments, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let trials: Vec<_> = pages().iter().flat_map(|page| trials(page)).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

pub(crate) fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap()
}

/// README.md and all of docs/, by their paths in the repository.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![PathBuf::from("README.md")];
    let mut folders = vec![PathBuf::from("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// One test for each block of a page, and one for its tutorial.
fn trials(page: &Path) -> Vec<Trial> {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let (steps, others): (Vec<_>, Vec<_>) =
        blocks(page, &text).into_iter().partition(tutorial::is_step);
    let others = others.into_iter().map(trial);
    others.chain(tutorial::trial(page, steps)).collect()
}

/// The test of a block, ignored with the reason in its name where it cannot be run.
fn trial(block: Block) -> Trial {
    let name = format!("{}:{} {}", block.page.display(), block.line, block.language);
    let missing = block.remark("console").and_then(|remark| {
        let needed = remark
            .split(' ')
            .find_map(|word| word.strip_prefix("needs="))?;
        (!is_installed(needed)).then(|| format!("no {needed}"))
    });
    let test_command = block.remark("test command");
    let reason = block.remark("not run").map(str::to_owned).or(missing);
    let reason = reason.or(test_command.map(|_| ".ci/run does".to_owned()));
    let name = match &reason {
        None => name,
        Some(reason) => format!("{name} (not run: {reason})"),
    };
    Trial::test(name, move || match &*block.language {
        "console" => console::run(&block),
        "sh" => console::succeed(&block),
        _ => shown::check(&block),
    })
    .with_ignored_flag(reason.is_some())
}

pub(crate) fn is_installed(program: &str) -> bool {
    let asked = Command::new(program).arg("--version").output();
    asked.is_ok_and(|output| output.status.success())
}
