//! The problems, scenes and trajectories of a command: the named files, or else the goldens.

use std::path::{Path, PathBuf};

use clap::Args;
use etalon_golden::files::{BUILT_IN, exists};
use etalon_golden::manifest_place;

use super::console::Console;
use super::{Fatal, Result};

/// The folder of goldens in a checkout.
pub const GOLDEN: &str = "golden";

/// The problems, scenes and trajectories to take.
#[derive(Args)]
pub struct GoldenArgs {
    /// Files and folders of them; where there is no folder golden, a path below it means a golden
    /// inside etalon [default: all goldens]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The goldens of this folder [default: golden/, else those inside etalon]
    #[arg(long, value_name = "DIR", conflicts_with = "paths")]
    golden: Option<PathBuf>,
}

impl GoldenArgs {
    /// Whether all that is taken is among the goldens that are taken where nothing is named: a name is enough to find it there.
    pub fn are_usual(&self) -> bool {
        let folder = Path::new(GOLDEN);
        let is_usual = |path: &PathBuf| {
            path.strip_prefix(".").unwrap_or(path).starts_with(folder) && is_suite_or_absent()
        };
        self.golden.is_none() && self.paths.iter().all(is_usual)
    }

    /// The paths that are named, else a part of the goldens: problems, scenes, trajectories, or, for
    /// an empty part, all of them.
    pub fn paths(&self, part: &str, console: &Console) -> Result<Vec<PathBuf>> {
        if !self.paths.is_empty() {
            return Ok(self.paths.clone());
        }
        let folder = match &self.golden {
            Some(folder) if exists(folder) => folder.clone(),
            Some(folder) => {
                return Err(Fatal::Usage(format!(
                    "--golden {}: there is no such folder",
                    folder.display()
                )));
            }
            None => usual(console),
        };
        Ok(vec![match part {
            "" => folder,
            part => folder.join(part),
        }])
    }
}

/// The goldens where none are named: those of the checkout, else those inside of the program. A
/// folder `golden` without a manifest and without a suite belongs to another project.
pub fn usual(console: &Console) -> PathBuf {
    // The shorter path means the ones inside, too, where it means nothing else.
    if is_suite_or_absent() {
        return PathBuf::from(GOLDEN);
    }
    console.note("there are no goldens in golden/ here: those inside of etalon are taken");
    PathBuf::from(BUILT_IN)
}

/// Whether a folder golden here, if there is one, has goldens.
fn is_suite_or_absent() -> bool {
    let folder = Path::new(GOLDEN);
    !folder.exists() || manifest_place(folder).is_some_and(|place| place.path.is_empty())
}
