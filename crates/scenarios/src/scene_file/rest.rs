//! A scene at rest as a whole, read and written.

use super::distinct::read_distinct;
use super::mechanism::read_mechanism;
use super::mechanism_text::mechanism;
use super::node::Node;
use super::{FORMAT, SceneFile, SceneFileError, read, write};
use crate::instance::{Mechanics, Question, Setup};

type Result<T> = std::result::Result<T, SceneFileError>;

const SCENE: [&str; 10] = [
    "format",
    "name",
    "notes",
    "gravity",
    "bodies",
    "contacts",
    "joints",
    "linkage",
    "mechanism",
    "question",
];

/// Reads a scene from its JSON text.
///
/// # Errors
/// [`SceneFileError`] with the path of the field.
pub fn read_scene(text: &str) -> Result<SceneFile> {
    let value = read_distinct(text)?;
    let scene = Node::root(&value).scene(&SCENE)?;
    let gravity = scene.need("gravity")?;
    let in_space = gravity.items()?.len() == 3;
    let coulomb = Question::Forces(read::coulomb(in_space));
    let question = scene.or("question", coulomb, |node| read::question(node, in_space))?;
    let dimensions = gravity.items()?.len();
    let mechanics = match (scene.get("linkage"), dimensions) {
        _ if scene.get("mechanism").is_some() => read_mechanism(&scene, dimensions)?,
        (Some(linkage), 2) => Mechanics::Linkage(read::linkage(&scene, &linkage)?),
        (Some(_), _) => return gravity.error("a linkage is of the plane: two numbers"),
        (None, 2) => Mechanics::Planar(read::bodies(&scene, read::body2)?),
        (None, 3) => Mechanics::Spatial(read::bodies(&scene, read::body3)?),
        (None, _) => {
            return gravity.error("must have two numbers in the plane, three in space");
        }
    };
    let (name, notes) = scene.name_and_notes()?;
    Ok(SceneFile {
        name,
        notes,
        setup: Setup {
            mechanics,
            question,
        },
    })
}

/// The record on one line; reading it gives the same scene.
pub fn write_scene(scene: &SceneFile) -> String {
    let mut fields = vec![
        ("format", FORMAT.into()),
        ("name", scene.name.as_str().into()),
    ];
    if let Some(notes) = &scene.notes {
        fields.push(("notes", notes.as_str().into()));
    }
    match &scene.setup.mechanics {
        Mechanics::Planar(scene) => write::parts(&mut fields, scene, write::body2),
        Mechanics::Spatial(scene) => write::parts(&mut fields, scene, write::body3),
        Mechanics::Linkage(linkage) => {
            fields.push(("gravity", write::vector(&linkage.gravity)));
            fields.push(("linkage", write::linkage(linkage)));
        }
        Mechanics::PlanarMechanism(own) => {
            fields.push(("gravity", write::vector(&own.gravity)));
            fields.push(("mechanism", mechanism(own)));
        }
        Mechanics::SpatialMechanism(own) => {
            fields.push(("gravity", write::vector(&own.gravity)));
            fields.push(("mechanism", mechanism(own)));
        }
    }
    fields.push(("question", write::question(&scene.setup.question)));
    let fields: Vec<_> = fields
        .iter()
        .map(|(name, value)| format!("\"{name}\":{value}"))
        .collect();
    format!("{{{}}}", fields.join(","))
}
