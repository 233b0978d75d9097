//! The recipe of a folder of generated goldens.

use std::fs;
use std::path::{Path, PathBuf};

use etalon_conformance::generate;
use etalon_lcp::Problem;
use serde::Deserialize;

use super::{Fatal, Result};

/// The file that holds a folder's recipe.
pub const FILE: &str = "recipe.json";

/// Some problems of one family.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Portion {
    family: String,
    n: usize,
    count: u64,
    seed: u64,
}

/// A stream of a generated folder with the problems that belong in it.
pub struct Generated {
    /// `FAMILY.jsonl` in the folder.
    pub file: PathBuf,
    /// Its problems, in order.
    pub problems: Vec<Problem>,
}

/// Generates what the recipe in `folder` asks for, a stream for each family in the order in which
/// the recipe first names it.
pub fn follow(folder: &Path) -> Result<Vec<Generated>> {
    let recipe = folder.join(FILE);
    let wrong = |why: String| Fatal::Usage(format!("{}: {why}", recipe.display()));
    let text = fs::read_to_string(&recipe).map_err(|error| wrong(error.to_string()))?;
    let portions: Vec<Portion> =
        serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let mut streams: Vec<Generated> = Vec::new();
    for portion in portions {
        let Portion {
            family,
            n,
            count,
            seed,
        } = portion;
        let problems =
            generate(&family, n, count, seed).map_err(|error| wrong(error.to_string()))?;
        // The generator knows the family, so its name is no path.
        let file = folder.join(format!("{family}.jsonl"));
        match streams.iter_mut().find(|stream| stream.file == file) {
            Some(stream) => stream.problems.extend(problems),
            None => streams.push(Generated {
                file,
                problems: problems.collect(),
            }),
        }
    }
    Ok(streams)
}
