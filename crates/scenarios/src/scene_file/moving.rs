//! From the text of a scene in motion to the scene of its method.

use etalon_spatial::SpaceMethod;

use super::SceneFileError;
use super::distinct::read_distinct;
use super::implicit::implicit_scene;
use super::node::Node;
use super::space::{ReadBody, SCENE, body, motion, space_scene};
use crate::space::{MotionMethod, MovingScene, SpaceScene};

type Result<T> = std::result::Result<T, SceneFileError>;

/// Reads a scene in space, in motion, from its JSON text. `method` takes the place of the file's.
///
/// # Errors
/// [`SceneFileError`] with the path of the field.
pub fn read_moving(text: &str, method: Option<MotionMethod>) -> Result<MovingScene> {
    let value = read_distinct(text)?;
    let root = Node::root(&value);
    for field in ["contacts", "linkage", "question"] {
        if value.get(field).is_some() {
            return root.error(format!(
                "a scene in motion has no {field:?}: its contacts come from the shapes of its bodies; leave the field out, or leave out \"motion\" and the shapes for a scene at rest"
            ));
        }
    }
    let scene = root.scene(&SCENE)?;
    let gravity = scene.need("gravity")?;
    if gravity.items()?.len() != 3 {
        return gravity.error("a scene in motion is in space: three numbers");
    }
    let nodes = scene.need("bodies")?.items()?;
    let bodies: Vec<ReadBody> = nodes.iter().map(body).collect::<Result<_>>()?;
    let motion = motion(&scene, method)?;
    if motion.method == MotionMethod::ChakrabortyBerard {
        return implicit_scene(&scene, &nodes, bodies, motion).map(MovingScene::Implicit);
    }
    space_scene(&scene, &nodes, bodies, motion).map(MovingScene::Space)
}

/// Reads a scene in space whose bodies move by the rows of their contacts.
///
/// # Errors
/// [`SceneFileError`] with the path of the field; also for the method of implicit surfaces.
pub fn read_space(text: &str) -> Result<SpaceScene> {
    match read_moving(text, None)? {
        MovingScene::Space(scene) => Ok(scene),
        MovingScene::Implicit(_) => Err(SceneFileError {
            place: "motion.method".to_owned(),
            problem: format!(
                "{} is run by `etalon scenario run` and checked by `etalon verify` alone; here say {}",
                MotionMethod::ChakrabortyBerard,
                SpaceMethod::ALL.map(SpaceMethod::word).join(" or ")
            ),
        }),
    }
}
