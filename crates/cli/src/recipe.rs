//! The recipe of a folder of generated goldens.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use etalon_conformance::generate;
use etalon_lcp::Problem;
use etalon_scenarios::{Instance, SceneFile, find};
use serde::Deserialize;

use super::{Fatal, Result};

/// The file that holds a folder's recipe.
pub const FILE: &str = "recipe.json";

/// The entries of a recipe.
#[derive(Deserialize)]
#[serde(untagged)]
enum Portion {
    Family(FamilyPortion),
    Scenario(ScenarioPortion),
}

/// Some problems of one family.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FamilyPortion {
    family: String,
    n: usize,
    count: u64,
    seed: u64,
}

/// A scenario with settings.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioPortion {
    scenario: String,
    #[serde(default)]
    set: BTreeMap<String, String>,
}

/// A stream of a generated folder with the problems that belong in it.
pub struct Generated {
    /// `FAMILY.jsonl` or `SCENARIO.jsonl` in the folder.
    pub file: PathBuf,
    /// Its problems, in order.
    pub problems: Vec<Problem>,
}

/// Generates what the recipe in `folder` asks for, a stream for each family or scenario in the order
/// in which the recipe first names it.
pub fn follow(folder: &Path) -> Result<Vec<Generated>> {
    let mut streams: Vec<Generated> = Vec::new();
    for portion in portions(folder)? {
        let (name, problems) = match portion {
            Portion::Family(portion) => {
                let FamilyPortion {
                    family,
                    n,
                    count,
                    seed,
                } = portion;
                let problems = generate(&family, n, count, seed);
                let problems = problems.map_err(|error| wrong(folder, error))?;
                let problems: Vec<_> = problems.collect();
                // The generator knows the family, so its name is no path.
                (family, problems)
            }
            Portion::Scenario(portion) => {
                let instance = portion.instance(folder)?;
                let problem = instance.problem().map_err(|error| wrong(folder, error))?;
                (portion.scenario, vec![problem])
            }
        };
        let file = folder.join(format!("{name}.jsonl"));
        match streams.iter_mut().find(|stream| stream.file == file) {
            Some(stream) => stream.problems.extend::<Vec<_>>(problems),
            None => streams.push(Generated { file, problems }),
        }
    }
    Ok(streams)
}

/// The scenes that the recipe in a folder of scenes asks for, each with its stream.
pub fn follow_scenes(folder: &Path) -> Result<Vec<(PathBuf, SceneFile)>> {
    let scene = |portion: Portion| match portion {
        Portion::Family(portion) => Err(wrong(
            folder,
            format!("{} is a family of problems, no scenario", portion.family),
        )),
        Portion::Scenario(portion) => {
            let instance = portion.instance(folder)?;
            let scene = SceneFile {
                name: instance.name(),
                notes: Some(instance.part.description.to_owned()),
                setup: instance.setup,
            };
            Ok((folder.join(format!("{}.jsonl", portion.scenario)), scene))
        }
    };
    portions(folder)?.into_iter().map(scene).collect()
}

fn portions(folder: &Path) -> Result<Vec<Portion>> {
    let text = fs::read_to_string(folder.join(FILE));
    let text = text.map_err(|error| wrong(folder, error))?;
    serde_json::from_str(&text).map_err(|error| wrong(folder, error))
}

fn wrong(folder: &Path, why: impl std::fmt::Display) -> Fatal {
    Fatal::Usage(format!("{}: {why}", folder.join(FILE).display()))
}

impl ScenarioPortion {
    fn instance(&self, folder: &Path) -> Result<Instance> {
        let settings = self.set.iter().map(|(key, value)| (&**key, &**value));
        let scenario = find(&self.scenario).map_err(|error| wrong(folder, error))?;
        let instance = scenario.instance(settings);
        instance.map_err(|error| wrong(folder, error))
    }
}
