//! The names of files of goldens, and the formats that distinguish them.

use std::path::Path;

/// The format of a trajectory's header.
pub(crate) const TRAJECTORY_FORMAT: &str = "etalon-trajectory/1";

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
