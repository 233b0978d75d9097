//! Scenes as files: the record `etalon-scene/1`, read and written.

mod corners;
mod corners_text;
mod distinct;
mod freedom;
mod implicit;
mod implicit_text;
mod mechanism;
mod mechanism_text;
mod moving;
mod node;
mod read;
mod rest;
mod shape;
mod space;
mod space_text;
mod write;

pub use corners_text::corner_value;
pub use implicit_text::implicit_value;
pub use moving::{read_moving, read_moving_with, read_space};
pub use rest::{read_scene, write_scene};
pub use space::MotionChoice;
pub use space::is_in_space;
pub use space_text::{space_value, write_space};

use crate::instance::Setup;
use crate::space::MovingScene;

/// The record of a scene in motion on one line; reading it gives the same scene.
pub fn write_moving(scene: &MovingScene) -> String {
    match scene {
        MovingScene::Space(scene) => write_space(scene),
        MovingScene::Implicit(scene) => implicit_value(scene).to_string(),
        MovingScene::Corners(scene) => corner_value(scene).to_string(),
    }
}

/// The value of the field `format`.
pub const FORMAT: &str = "etalon-scene/1";

/// The JSON Schema (draft 2020-12) of the record.
pub const SCHEMA: &str = include_str!("../schema/scene.schema.json");

/// The largest number of bodies, of contacts, of joints and of links of a scene. Contact force
/// problems have a dense matrix of several rows a contact.
pub const MAX_PARTS: usize = 2_000;

/// Longest scene record, in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// A scene with its name.
#[derive(Debug, Clone)]
pub struct SceneFile {
    /// The name.
    pub name: String,
    /// Its purpose, in one sentence.
    pub notes: Option<String>,
    /// The scene and the question.
    pub setup: Setup,
}

/// The fault in the text of a scene, with its place.
///
/// What is wrong with the scene itself, such as a mass of zero, is a
/// [`SceneError`](etalon_rigid::SceneError) of the mechanical system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{problem}", place_prefix(.place))]
pub struct SceneFileError {
    /// The path of the field, such as `contacts[2].normal`; empty for the record as a whole.
    pub place: String,
    /// The fault at that place.
    pub problem: String,
}

fn place_prefix(place: &str) -> String {
    if place.is_empty() {
        String::new()
    } else {
        format!("{place}: ")
    }
}

#[cfg(test)]
mod tests;
