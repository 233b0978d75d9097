//! What a path means: which files below it are problems, scenes and trajectories, and their suite.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use etalon_lcp::record::stream::InputError;

use crate::files;
use crate::forces;
use crate::format::format_of;
use crate::recipes::{TRAJECTORY_FORMAT, is_recipe, is_trajectory_recipe};

/// The suite to which a file's records belong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Suite {
    /// The first folder below `golden/problems`, elsewhere the file's stem.
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
        Some([folder, .., _]) => Suite {
            name: folder.to_string(),
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

/// The problem files under the given paths, as [`all_files`](files::all_files) finds them, without the
/// recipes of generated problems, without [scenes](scene_files) and without trajectories.
///
/// # Errors
/// [`InputError::Io`] for a folder that cannot be read.
pub fn record_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, InputError> {
    let mut files = files::all_files(paths)?;
    // A recipe named outright is taken at its word, and fails as a record.
    files.retain(|file| !is_recipe(file) || paths.contains(file));
    files.retain(|file| !is_scene_file(file) && !is_trajectory(file));
    Ok(files)
}

/// Whether records of the file are golden scenes and no problems: by the format of the first one,
/// wherever the file is, and all below `golden/scenes`.
pub fn is_scene_file(file: &Path) -> bool {
    is_below_scenes(file) || format_of(file).is_some_and(|format| format == forces::FORMAT)
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

/// The files of [scenes](is_scene_file) under the given paths, without recipes.
///
/// # Errors
/// [`InputError::Io`] for a folder that cannot be read.
pub fn scene_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, InputError> {
    let mut files = files::all_files(paths)?;
    files.retain(|file| is_scene_file(file) && !is_recipe(file));
    Ok(files)
}

/// Whether a file is a trajectory, or the list of golden ones, and no problem record.
pub fn is_trajectory(file: &Path) -> bool {
    is_trajectory_recipe(file) || format_of(file).is_some_and(|format| format == TRAJECTORY_FORMAT)
}

/// The trajectories under the given paths.
///
/// # Errors
/// [`InputError::Io`] for a folder that cannot be read.
pub fn trajectory_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, InputError> {
    let mut files = files::all_files(paths)?;
    files.retain(|file| {
        !is_trajectory_recipe(file) && file.as_os_str() != "-" && is_trajectory(file)
    });
    Ok(files)
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
}
