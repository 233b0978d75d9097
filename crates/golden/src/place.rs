//! What a path means: which files below it are problems, scenes, trajectories and steps of engines, and their suite.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use etalon_lcp::record::stream::InputError;
use etalon_lcp::record::{STEP_FORMAT, VERDICT_FORMAT};

use crate::error::ReadError;
use crate::files;
use crate::forces;
use crate::format::format_of;
use crate::recipes::{is_recipe, is_trajectory_recipe};
use crate::trajectory;

/// The suite to which a file's records belong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Suite {
    /// The folders below `golden/problems`, with `/` between them, elsewhere the file's stem.
    pub name: String,
    /// In a folder of streams, the stem of the stream.
    pub family: Option<String>,
    /// Whether the file lies below `golden/problems`, where every record needs its `expect` and
    /// its `digest`.
    pub is_golden: bool,
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match &self.family {
            Some(family) => write!(f, "/{family}"),
            None => Ok(()),
        }
    }
}

/// The suite that a file's path means.
pub fn suite_of(file: &Path) -> Suite {
    let file = &*files::as_on_disk(file);
    let stem = file.file_stem().unwrap_or(file.as_os_str());
    let stem = stem.to_string_lossy().into_owned();
    // A path given relative to a folder inside golden/ means the same files.
    let absolute = file.canonicalize().or_else(|_| std::path::absolute(file));
    let absolute = absolute.unwrap_or_else(|_| file.to_owned());
    let parts: Vec<_> = absolute
        .components()
        .filter(|part| *part != Component::CurDir)
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    let below = parts
        .windows(2)
        .rposition(|pair| pair[0] == "golden" && pair[1] == "problems")
        .map(|at| &parts[at + 2..]);
    let is_stream = file
        .extension()
        .is_some_and(|extension| extension == "jsonl");
    match below {
        Some([folders @ .., _]) if !folders.is_empty() => Suite {
            name: folders.join("/"),
            family: is_stream.then_some(stem),
            is_golden: true,
        },
        below => Suite {
            name: stem,
            family: None,
            is_golden: below.is_some(),
        },
    }
}

/// What files hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Problems,
    Scenes,
    Trajectory,
    Steps,
    StepVerdicts,
    ProblemRecipe,
    SceneRecipe,
    TrajectoryRecipe,
}

/// By the name of a recipe, else by the format of the first record, wherever the file is; all below
/// `golden/scenes` are scenes.
fn kind_of(file: &Path) -> Kind {
    match (is_recipe(file), is_below_scenes(file)) {
        (true, true) => return Kind::SceneRecipe,
        (true, false) => return Kind::ProblemRecipe,
        (false, _) if is_trajectory_recipe(file) => return Kind::TrajectoryRecipe,
        (false, true) => return Kind::Scenes,
        (false, false) => {}
    }
    let steps = steps_of(file);
    let has_steps = steps.as_ref().is_some_and(|own| files::exists(own));
    // Beside steps, what is named so is read as verdicts, whatever is in it: their damage is told as such.
    if has_steps && steps.is_some_and(|own| matches!(kind_of(&own), Kind::Steps)) {
        return Kind::StepVerdicts;
    }
    match format_of(file).as_deref() {
        Some(forces::FORMAT) => Kind::Scenes,
        Some(trajectory::FORMAT) => Kind::Trajectory,
        Some(STEP_FORMAT) => Kind::Steps,
        // The steps are gone. Verdicts on problems are named as one likes.
        Some(VERDICT_FORMAT) if steps_of(file).is_some() && !has_steps => Kind::StepVerdicts,
        _ => Kind::Problems,
    }
}

/// What the name of a file of verdicts on steps ends with.
const VERDICTS: &str = ".verdicts.jsonl";

/// The file of the golden verdicts on the steps of a file: `x.verdicts.jsonl` beside `x.jsonl`.
pub fn verdicts_of(steps: &Path) -> PathBuf {
    let stem = steps.file_stem().unwrap_or_default().to_string_lossy();
    steps.with_file_name(format!("{stem}{VERDICTS}"))
}

/// The file of the steps that a file of verdicts is named after; `None` for other names.
pub fn steps_of(verdicts: &Path) -> Option<PathBuf> {
    let name = verdicts.file_name()?.to_str()?;
    let stem = name.strip_suffix(VERDICTS)?;
    Some(verdicts.with_file_name(format!("{stem}.jsonl")))
}

fn is_below_scenes(file: &Path) -> bool {
    let file = files::as_on_disk(file);
    let absolute = std::path::absolute(&file).unwrap_or(file);
    let parts: Vec<_> = absolute
        .components()
        .filter(|part| *part != Component::CurDir)
        .collect();
    let name = |part: &Component<'_>, name: &str| part.as_os_str() == name;
    parts
        .windows(2)
        .any(|pair| name(&pair[0], "golden") && name(&pair[1], "scenes"))
}

/// What some paths hold: the files at and below them, as [`all_files`](files::all_files) finds them, by what
/// is in them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundFiles {
    /// Problem records. A recipe that is named outright is taken at its word, and fails as one.
    pub problems: Vec<PathBuf>,
    /// [Scenes](forces) with their forces.
    pub scenes: Vec<PathBuf>,
    /// [Trajectories](trajectory).
    pub trajectories: Vec<PathBuf>,
    /// Steps of engines.
    pub steps: Vec<PathBuf>,
    /// [Verdicts](verdicts_of) on them.
    pub step_verdicts: Vec<PathBuf>,
    /// Lists of generated problems.
    pub problem_recipes: Vec<PathBuf>,
    /// Lists of golden scenes.
    pub scene_recipes: Vec<PathBuf>,
    /// Lists of golden trajectories.
    pub trajectory_recipes: Vec<PathBuf>,
}

impl FoundFiles {
    /// Looks below the paths.
    ///
    /// # Errors
    /// [`InputError::Io`] for a folder that cannot be read.
    pub fn below(paths: &[PathBuf]) -> Result<Self, InputError> {
        let mut found = Self::default();
        for path in paths {
            found.look_below(path, paths)?;
        }
        Ok(found)
    }

    /// The same where each path must hold something.
    ///
    /// # Errors
    /// [`ReadError`] for a folder that cannot be read, or holds no problem, scene, trajectory or step.
    pub fn in_each(paths: &[PathBuf]) -> Result<Self, ReadError> {
        Self::with_some(paths, Self::len)
    }

    /// The same where each path must hold something, or a recipe for it.
    ///
    /// # Errors
    /// [`ReadError`] for a folder that cannot be read, or holds neither.
    pub fn or_recipes_in_each(paths: &[PathBuf]) -> Result<Self, ReadError> {
        Self::with_some(paths, |found| found.len() + found.recipes())
    }

    fn with_some(paths: &[PathBuf], count: impl Fn(&Self) -> usize) -> Result<Self, ReadError> {
        let mut found = Self::default();
        for path in paths {
            let before = count(&found);
            found.look_below(path, paths)?;
            if count(&found) == before {
                let folder = path.display().to_string();
                return Err(ReadError::EmptyFolder { folder });
            }
        }
        Ok(found)
    }

    /// Adds the files at and below one of the paths that are named.
    fn look_below(&mut self, path: &Path, named: &[PathBuf]) -> Result<(), InputError> {
        for file in files::all_files(&[path.to_owned()])? {
            let list = match kind_of(&file) {
                Kind::Problems => &mut self.problems,
                Kind::Scenes => &mut self.scenes,
                Kind::Trajectory => &mut self.trajectories,
                Kind::Steps => &mut self.steps,
                Kind::StepVerdicts => &mut self.step_verdicts,
                Kind::SceneRecipe => &mut self.scene_recipes,
                Kind::TrajectoryRecipe => &mut self.trajectory_recipes,
                Kind::ProblemRecipe => {
                    if named.contains(&file) {
                        self.problems.push(file.clone());
                    }
                    &mut self.problem_recipes
                }
            };
            list.push(file);
        }
        Ok(())
    }

    /// How many files of problems, scenes, trajectories, steps and verdicts there are; recipes are not counted.
    fn len(&self) -> usize {
        let lists = [
            &self.problems,
            &self.scenes,
            &self.trajectories,
            &self.steps,
            &self.step_verdicts,
        ];
        lists.into_iter().map(Vec::len).sum()
    }

    fn recipes(&self) -> usize {
        let lists = [
            &self.problem_recipes,
            &self.scene_recipes,
            &self.trajectory_recipes,
        ];
        lists.into_iter().map(Vec::len).sum()
    }

    /// Whether there is no problem, scene, trajectory or step; recipes are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The [problem files](FoundFiles::problems) at and below the paths.
///
/// # Errors
/// [`InputError::Io`] for a folder that cannot be read.
pub fn record_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, InputError> {
    Ok(FoundFiles::below(paths)?.problems)
}

/// The files of [scenes](FoundFiles::scenes) at and below the paths.
///
/// # Errors
/// [`InputError::Io`] for a folder that cannot be read.
pub fn scene_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, InputError> {
    Ok(FoundFiles::below(paths)?.scenes)
}

/// The [trajectories](FoundFiles::trajectories) at and below the paths.
///
/// # Errors
/// [`InputError::Io`] for a folder that cannot be read.
pub fn trajectory_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, InputError> {
    Ok(FoundFiles::below(paths)?.trajectories)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_below_the_problems_names_the_suite() {
        let suite = suite_of(Path::new("golden/problems/statics/box.json"));
        assert_eq!(
            (suite.to_string().as_str(), suite.is_golden),
            ("statics", true)
        );
        let suite = suite_of(Path::new(
            "/somewhere/golden/problems/generated/murty.jsonl",
        ));
        assert_eq!(suite.to_string(), "generated/murty");
        let suite = suite_of(Path::new("golden/problems/cone/edge/stick.json"));
        assert_eq!(suite.to_string(), "cone/edge");
        let suite = suite_of(Path::new("golden/problems/alone.json"));
        assert_eq!(
            (suite.to_string().as_str(), suite.is_golden),
            ("alone", true)
        );
        let suite = suite_of(Path::new("my/cases.jsonl"));
        assert_eq!(
            (suite.to_string().as_str(), suite.is_golden),
            ("cases", false)
        );
    }

    /// One folder with a file of each kind: each is found once.
    #[test]
    fn each_file_of_a_folder_is_of_one_kind() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: String| {
            let file = folder.path().join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, text).unwrap();
            file
        };
        let of = |format: &str| format!("{{\"format\":\"{format}\",\"name\":\"s\"}}\n");
        let problem = write("p.json", "{\"name\": \"p\"}".to_owned());
        let scene = write("s.jsonl", of(forces::FORMAT));
        let below = write("golden/scenes/x.jsonl", "{}".to_owned());
        let motion = write("t.jsonl", of(trajectory::FORMAT));
        let steps = write("e.jsonl", of(STEP_FORMAT));
        let verdicts = verdicts_of(&steps);
        write("e.verdicts.jsonl", of(VERDICT_FORMAT));
        // The steps of these are gone; those are on problems.
        let lost = write("l.verdicts.jsonl", of(VERDICT_FORMAT));
        let other = write("p2.verdicts.jsonl", of(VERDICT_FORMAT));
        let second = write("p2.jsonl", "{\"name\": \"p2\"}".to_owned());
        let recipes = [
            "recipe.json",
            "golden/scenes/recipe.json",
            "trajectories.json",
        ];
        let recipes = recipes.map(|name| write(name, "[]".to_owned()));
        let root = folder.path().to_owned();
        let mut found = FoundFiles::below(std::slice::from_ref(&root)).unwrap();
        found.scenes.sort();
        assert_eq!(found.problems, [problem.clone(), second, other.clone()]);
        assert_eq!(found.steps, std::slice::from_ref(&steps));
        assert_eq!(found.step_verdicts, [verdicts.clone(), lost.clone()]);
        assert_eq!(steps_of(&verdicts), Some(steps.clone()));
        assert_eq!(found.scenes, [below, scene.clone()]);
        assert_eq!(found.trajectories, std::slice::from_ref(&motion));
        assert_eq!(found.problem_recipes, recipes[..1]);
        assert_eq!(found.scene_recipes, recipes[1..2]);
        assert_eq!(found.trajectory_recipes, recipes[2..]);
        std::fs::remove_file(root.join("p2.jsonl")).unwrap();
        std::fs::remove_file(&other).unwrap();
        let all = [&problem, &scene, &motion, &steps, &verdicts, &lost];
        for file in all {
            assert!(FoundFiles::in_each(std::slice::from_ref(file)).is_ok());
        }
        // Named outright, a recipe is taken for a record; a folder of recipes alone holds nothing.
        let named = FoundFiles::below(&recipes[..1]).unwrap();
        assert_eq!(named.problems, recipes[..1]);
        for file in all {
            std::fs::remove_file(file).unwrap();
        }
        std::fs::remove_file(root.join("golden/scenes/x.jsonl")).unwrap();
        assert!(matches!(
            FoundFiles::in_each(&[root]),
            Err(ReadError::EmptyFolder { .. })
        ));
    }
}
