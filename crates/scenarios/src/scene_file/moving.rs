//! From the text of a scene in motion to the scene of its method.

use etalon_spatial::SpaceMethod;

use super::SceneFileError;
use super::corners::{body_in_plane, body_in_space, corner_scene};
use super::distinct::read_distinct;
use super::implicit::implicit_scene;
use super::node::Node;
use super::space::{MotionChoice, ReadBody, SCENE, body, motion, space_scene};
use crate::space::{MotionMethod, MovingScene, SpaceScene};

type Result<T> = std::result::Result<T, SceneFileError>;

/// Reads a scene in space, in motion, from its JSON text. `method` takes the place of the file's.
///
/// # Errors
/// [`SceneFileError`] with the path of the field.
pub fn read_moving(text: &str, method: Option<MotionMethod>) -> Result<MovingScene> {
    let choice = MotionChoice {
        method,
        ..MotionChoice::default()
    };
    read_moving_with(text, &choice)
}

/// The same where more than the method may be given: a method need not take the cone that the file has for another one.
///
/// # Errors
/// [`SceneFileError`] with the path of the field.
pub fn read_moving_with(text: &str, choice: &MotionChoice) -> Result<MovingScene> {
    let value = read_distinct(text)?;
    let root = Node::root(&value);
    for field in ["contacts", "linkage", "mechanism", "question"] {
        if value.get(field).is_some() {
            return root.error(format!(
                "a scene in motion has no {field:?}: its contacts come from the shapes of its bodies; leave the field out, or leave out \"motion\" and the shapes for a scene at rest"
            ));
        }
    }
    let scene = root.scene(&SCENE)?;
    let gravity = scene.need("gravity")?;
    let nodes = scene.need("bodies")?.items()?;
    let motion = motion(&scene, choice)?;
    let of_plane = [
        MotionMethod::EganTrinkle,
        MotionMethod::Rows(SpaceMethod::FirstOrder),
    ];
    match (gravity.items()?.len(), of_plane.contains(&motion.method)) {
        (2, true) => {
            let bodies = nodes.iter().map(body_in_plane).collect::<Result<_>>()?;
            let gravity = gravity.numbers::<2>()?.to_vec();
            let scene = corner_scene(&scene, gravity, &nodes, bodies, motion);
            return scene.map(MovingScene::Corners);
        }
        (2, false) => {
            return gravity.error(format!(
                "a scene in motion in the plane is stepped by the methods {} and {} alone: say so in \"motion\" or by --method, or give three numbers for a scene in space",
                of_plane[0], of_plane[1]
            ));
        }
        (3, _) => {}
        _ => {
            return gravity.error("must have three numbers in space, or two in the plane");
        }
    }
    let bodies: Vec<ReadBody> = nodes.iter().map(body).collect::<Result<_>>()?;
    match motion.method {
        MotionMethod::ChakrabortyBerard => {
            implicit_scene(&scene, &nodes, bodies, motion).map(MovingScene::Implicit)
        }
        MotionMethod::EganTrinkle => {
            let bodies = bodies.into_iter().zip(&nodes);
            let bodies = bodies.map(|(own, node)| body_in_space(own, node));
            let bodies = bodies.collect::<Result<_>>()?;
            let gravity = gravity.numbers::<3>()?.to_vec();
            corner_scene(&scene, gravity, &nodes, bodies, motion).map(MovingScene::Corners)
        }
        MotionMethod::Rows(_) => {
            space_scene(&scene, &nodes, bodies, motion).map(MovingScene::Space)
        }
    }
}

/// Why a scene of that method is not for everybody who reads scenes in space.
fn elsewhere(method: MotionMethod) -> SceneFileError {
    SceneFileError {
        place: "motion.method".to_owned(),
        problem: format!(
            "{method} is run by `etalon scenario run` and checked by `etalon verify` and `etalon trajectory check` alone; here say {}",
            SpaceMethod::ALL.map(SpaceMethod::word).join(", or ")
        ),
    }
}

/// Reads a scene in space whose bodies move by the rows of their contacts.
///
/// # Errors
/// [`SceneFileError`] with the path of the field; also for the other methods.
pub fn read_space(text: &str) -> Result<SpaceScene> {
    match read_moving(text, None)? {
        MovingScene::Space(scene) => Ok(scene),
        MovingScene::Implicit(_) => Err(elsewhere(MotionMethod::ChakrabortyBerard)),
        MovingScene::Corners(_) => Err(elsewhere(MotionMethod::EganTrinkle)),
    }
}
