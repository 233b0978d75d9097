//! The names of files of goldens.

use std::path::Path;

/// The name of the list of golden trajectories in its folder.
pub const TRAJECTORY_RECIPE: &str = "trajectories.json";

/// Whether a file is the list of generated problems, or of scenes, in its folder.
pub(crate) fn is_recipe(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name == "recipe.json")
}

/// Whether a file is the list of golden trajectories in its folder.
pub(crate) fn is_trajectory_recipe(file: &Path) -> bool {
    file.file_name()
        .is_some_and(|name| name == TRAJECTORY_RECIPE)
}
