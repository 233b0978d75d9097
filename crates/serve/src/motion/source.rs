//! Where a motion in space comes from.

use etalon_golden::trajectory::Trajectory;
use etalon_scenarios::motion::MotionInstance;
use etalon_scenarios::space::MovingScene;
use etalon_scenarios::{find, read_moving};
use etalon_spatial::Shape;

use crate::golden::{self, Library};
use crate::limits::{BODIES, MOTION_STEPS, MOTION_VERTICES};
use crate::protocol::{AskMotion, Complaint, ComplaintCode};

/// A scene in space, and who it is.
pub struct Source {
    /// The scene.
    pub scene: MovingScene,
    /// Where it has a name in the registry.
    pub instance: Option<MotionInstance>,
    /// Where its steps are recorded.
    pub recorded: Option<Trajectory>,
    /// The name of the scene or trajectory.
    pub name: String,
}

impl Source {
    /// Finds what a page asks for, within the limits.
    ///
    /// # Errors
    /// A [`Complaint`] that names the field.
    pub fn of(ask: &AskMotion, library: &Library) -> Result<Self, Complaint> {
        let own = match (&ask.scenario, &ask.scene, &ask.trajectory) {
            (Some(name), None, None) => Self::named(name, ask)?,
            (None, Some(scene), None) => Self::written(&scene.to_string())?,
            (None, None, Some(name)) => Self::recorded(name, library)?,
            _ => {
                return Err(Complaint::new(
                    ComplaintCode::BadField,
                    Some("scenario"),
                    "a motion has one of scenario, scene and trajectory",
                    "send one of them",
                ));
            }
        };
        own.within_limits()?;
        Ok(own)
    }

    fn named(name: &str, ask: &AskMotion) -> Result<Self, Complaint> {
        let range = |field: &str, message: String| {
            let remedy = "`etalon scenario list` has the names, and `etalon scenario list NAME` the parameters";
            Complaint::new(ComplaintCode::OutOfRange, Some(field), message, remedy)
        };
        let scenario = find(name).map_err(|error| range("scenario", error.to_string()))?;
        let settings = ask.set.iter().map(|(name, value)| (&**name, &**value));
        let instance = scenario.motion_instance(settings);
        let instance = instance.map_err(|error| range("set", error.to_string()))?;
        let scene = instance.moving();
        let scene =
            scene.ok_or_else(|| range("scenario", format!("{name} is no scene in space")))?;
        Ok(Self {
            scene,
            name: name.to_owned(),
            instance: Some(instance),
            recorded: None,
        })
    }

    fn written(text: &str) -> Result<Self, Complaint> {
        let scene = read_moving(text, None).map_err(|error| {
            let remedy = "docs/motion-in-space.md has the fields; `etalon scenario run box-slide --scene` writes one to change";
            bad_scene("scene", error.to_string(), remedy)
        })?;
        Ok(Self {
            name: scene.name().to_owned(),
            scene,
            instance: None,
            recorded: None,
        })
    }

    fn recorded(name: &str, library: &Library) -> Result<Self, Complaint> {
        let bad = |message: String| {
            bad_scene(
                "trajectory",
                message,
                "ask for one that `GET /golden` lists with \"space\": true",
            )
        };
        let text = library.text(name);
        let text = text.ok_or_else(|| bad("there is no trajectory of that name".to_owned()))?;
        let lines = text.lines().map(str::to_owned).collect();
        let stored = Trajectory::of(name, lines).map_err(|error| bad(error.to_string()))?;
        let instance = golden::instance(&stored.header);
        let scene = match &stored.header.scene {
            Some(scene) => {
                let scene = read_moving(&scene.to_string(), None);
                Some(scene.map_err(|error| bad(error.to_string()))?)
            }
            None => instance.as_ref().and_then(MotionInstance::moving),
        };
        let scene = scene.ok_or_else(|| bad(format!("{name} is no motion in space")))?;
        Ok(Self {
            scene,
            instance: instance.filter(|_| stored.header.scene.is_none()),
            recorded: Some(stored),
            name: name.to_owned(),
        })
    }

    /// The number of its steps.
    pub fn steps(&self) -> u64 {
        let stored = self.recorded.as_ref().map(|own| own.steps.len() as u64);
        stored.unwrap_or(self.scene.steps())
    }

    fn within_limits(&self) -> Result<(), Complaint> {
        let [bodies, vertices] = sizes(&self.scene);
        let counts = [
            ("bodies", bodies as u64, BODIES as u64),
            ("vertices", vertices as u64, MOTION_VERTICES as u64),
            ("steps", self.steps(), MOTION_STEPS),
        ];
        match counts.into_iter().find(|(_, count, most)| count > most) {
            Some((what, count, most)) => Err(Complaint::new(
                ComplaintCode::TooLarge,
                Some(what),
                format!("{count} {what} are over the limit of {most}"),
                "ask for fewer; `etalon scenario run` takes more",
            )),
            None => Ok(()),
        }
    }
}

/// How many bodies there are, and vertices of polyhedra.
fn sizes(scene: &MovingScene) -> [usize; 2] {
    if let MovingScene::Corners(own) = scene {
        let shapes = own.bodies.iter().filter_map(|own| own.shape.as_ref());
        return [own.bodies.len(), shapes.map(|own| own.points().len()).sum()];
    }
    let bodies = scene.bodies().unwrap_or_default();
    let vertices = bodies.iter().map(|body| match &body.shape {
        Some(Shape::Polyhedron { vertices }) => vertices.len(),
        _ => 0,
    });
    [bodies.len(), vertices.sum()]
}

fn bad_scene(field: &str, message: String, remedy: &str) -> Complaint {
    Complaint::new(ComplaintCode::BadScene, Some(field), message, remedy)
}
