//! From the text of a scene in space, in motion, to the scene.

use std::str::FromStr;

use etalon_rigid::{Dense, Vector};
use etalon_spatial::{
    Body, BodyPiece, Cone, Drive, Grain, ImpactLaw, Joint, Quaternion, Settings, SpaceMethod,
    Surface, Surfaces,
};
use etalon_time_stepping::{Activation, Scheme};
use rug::Rational;
use serde_json::Value;

use super::SceneFileError;
use super::freedom::kind;
use super::node::{Fields, Node};
use super::read::{inertia, name, pair, rows};
use super::shape::{FileShape, shape};
use crate::space::{MotionMethod, SpaceScene, no_activation, no_impacts, no_scheme};

type Result<T> = std::result::Result<T, SceneFileError>;

pub(super) const SCENE: [&str; 7] = [
    "format", "name", "notes", "gravity", "bodies", "joints", "motion",
];

const BODY: [&str; 12] = [
    "name",
    "mass",
    "inertia",
    "position",
    "orientation",
    "velocity",
    "angular_velocity",
    "force",
    "torque",
    "fixed",
    "shape",
    "pieces",
];

/// Whether the text is a scene in motion: it says how it moves, or gives a body a shape.
pub fn is_in_space(text: &str) -> bool {
    let Ok(Value::Object(scene)) = serde_json::from_str::<Value>(text) else {
        return false;
    };
    let bodies = scene.get("bodies").and_then(Value::as_array);
    let shaped = |body: &Value| body.get("shape").is_some() || body.get("pieces").is_some();
    scene.contains_key("motion") || bodies.is_some_and(|bodies| bodies.iter().any(shaped))
}

/// The scene whose bodies move by rows of their contacts.
pub(super) fn space_scene(
    scene: &Fields<'_>,
    nodes: &[Node<'_>],
    bodies: Vec<ReadBody>,
    motion: ReadMotion,
) -> Result<SpaceScene> {
    let own = |(read, node): (ReadBody, &Node<'_>)| {
        let shape = match read.shape {
            None => None,
            Some(FileShape::Solid(shape)) => Some(shape),
            Some(other) => {
                return node.error(format!(
                    "body {:?} has the shape {:?}, which the method {} alone takes: say so in \"motion\" or by --method, or give a polyhedron in its place",
                    read.body.name,
                    other.word(),
                    other.method().unwrap_or_default()
                ));
            }
        };
        Ok(Body { shape, ..read.body })
    };
    let bodies = bodies.into_iter().zip(nodes).map(own);
    let bodies: Vec<Body> = bodies.collect::<Result<_>>()?;
    let joints = scene.list("joints")?;
    let joints = joints.iter().map(|node| joint(node, &bodies));
    let joints = joints.collect::<Result<_>>()?;
    let method = match motion.method {
        MotionMethod::Rows(method) => method,
        MotionMethod::ChakrabortyBerard | MotionMethod::EganTrinkle => SpaceMethod::default(),
    };
    if method == SpaceMethod::FirstOrder && motion.impact.is_some() {
        return scene.error(format!("motion.impact: {}", no_impacts(motion.method)));
    }
    check_rules(scene, &motion)?;
    let settings = Settings {
        cone: motion.cone.unwrap_or(Cone::of(method)),
        impact: motion.impact.unwrap_or_default(),
        scheme: motion.scheme.unwrap_or(Scheme::Linear),
        activation: motion.activation.unwrap_or(Activation::All),
        ..Settings::new(motion.h, method)
    };
    if let Err(why) = settings.check_rules() {
        return scene.error(format!("motion.{why}"));
    }
    let (name, notes) = scene.name_and_notes()?;
    Ok(SpaceScene {
        name,
        notes,
        gravity: scene.need("gravity")?.vector()?,
        bodies,
        joints,
        surfaces: motion.surfaces,
        settings,
        steps: motion.steps,
    })
}

/// Refuses a point of evaluation and a rule of activation that the method does not take.
pub(super) fn check_rules(scene: &Fields<'_>, motion: &ReadMotion) -> Result<()> {
    let scheme = motion.scheme.and_then(|own| no_scheme(motion.method, own));
    if let Some(why) = scheme {
        return scene.error(format!("motion.scheme: {why}"));
    }
    let activation = motion.activation.and_then(|_| no_activation(motion.method));
    match activation {
        Some(why) => scene.error(format!("motion.activation: {why}")),
        None => Ok(()),
    }
}

/// A body as it is written, whatever its method: that of `body` has no shape.
pub(super) struct ReadBody {
    pub body: Body,
    pub shape: Option<FileShape>,
}

/// What takes the place of the file's, where it is given.
#[derive(Debug, Clone, Copy, Default)]
pub struct MotionChoice {
    /// The method.
    pub method: Option<MotionMethod>,
    /// The friction cone.
    pub cone: Option<Cone>,
    /// The law of restitution.
    pub impact: Option<ImpactLaw>,
    /// Where masses, contacts and joints are taken.
    pub scheme: Option<Scheme>,
    /// Which contacts take part.
    pub activation: Option<Activation>,
}

/// How bodies move, as it is written.
pub(super) struct ReadMotion {
    pub h: Rational,
    pub steps: u64,
    pub method: MotionMethod,
    /// Where it is said.
    pub cone: Option<Cone>,
    /// Where it is said.
    pub impact: Option<ImpactLaw>,
    /// Where it is said.
    pub scheme: Option<Scheme>,
    /// Where it is said.
    pub activation: Option<Activation>,
    pub surfaces: Surfaces,
}

pub(super) fn body(node: &Node<'_>) -> Result<ReadBody> {
    let fields = node.object(&BODY)?;
    let fixed = fields.or("fixed", false, Node::flag)?;
    let shape = fields.or("shape", None, |node| shape(node).map(Some))?;
    if !fixed && shape.as_ref().is_some_and(FileShape::is_half_space) {
        return fields.error("a half-space cannot move; say \"fixed\": true");
    }
    let mass = match fields.get("mass") {
        Some(mass) => mass.number()?,
        None if fixed => Rational::from(1),
        None => return fields.error("the field \"mass\" is missing"),
    };
    if fields
        .get("pieces")
        .is_some_and(|own| own.items().is_ok_and(|own| own.is_empty()))
    {
        return fields
            .error("the list \"pieces\" is empty; leave it out for a body that touches nothing");
    }
    let pieces = fields.list("pieces")?;
    let pieces: Vec<BodyPiece> = pieces.iter().map(piece).collect::<Result<_>>()?;
    let own = shape.as_ref().and_then(|shape| shape.inertia(&mass));
    let inertia = match (fields.get("inertia"), own) {
        (Some(node), _) => inertia(&node)?,
        (None, Some(own)) => own,
        (None, None) if fixed => Dense::identity(3),
        (None, None) if !pieces.is_empty() => {
            return fields.error(
                "the field \"inertia\" is missing; a body of pieces needs that about its centre of mass, the origin of its coordinates",
            );
        }
        (None, None) => {
            return fields.error(
                "the field \"inertia\" is missing; it may be left out for a sphere, box, capsule, cylinder, ellipsoid or superquadric of even density",
            );
        }
    };
    let zero = || Vector::<Rational, 3>::zero();
    let body = Body {
        name: name(&fields)?,
        mass,
        inertia,
        position: fields.or("position", zero(), Node::vector)?,
        attitude: fields.or("orientation", Quaternion::identity(), orientation)?,
        velocity: fields.or("velocity", zero(), Node::vector)?,
        angular_velocity: fields.or("angular_velocity", zero(), Node::vector)?,
        force: fields.or("force", zero(), Node::vector)?,
        torque: fields.or("torque", zero(), Node::vector)?,
        fixed,
        shape: None,
        pieces,
    };
    Ok(ReadBody { body, shape })
}

fn piece(node: &Node<'_>) -> Result<BodyPiece> {
    let fields = node.object(&["name", "shape", "at", "orientation"])?;
    let given = fields.need("shape")?;
    let shape = match shape(&given)? {
        FileShape::Solid(shape) => shape,
        other => {
            return given.error(format!(
                "a piece is no {}; give a polyhedron in its place",
                other.word()
            ));
        }
    };
    Ok(BodyPiece {
        name: name(&fields)?,
        shape,
        at: fields.or("at", Vector::zero(), Node::vector)?,
        attitude: fields.or("orientation", Quaternion::identity(), orientation)?,
    })
}

/// A quaternion of any length, or the rows of a matrix.
fn orientation(node: &Node<'_>) -> Result<Quaternion> {
    if node.items()?.first().is_some_and(Node::is_array) {
        let rotation = etalon_rigid::Rotation3::from_rows(rows(node)?);
        if !rotation.is_valid() {
            return node.error("the matrix is no rotation; give a quaternion, of any length");
        }
        return match Quaternion::of_rotation(&rotation) {
            Some(quaternion) => Ok(quaternion),
            None => node.error("the matrix is no rotation"),
        };
    }
    let quaternion = Quaternion(node.numbers()?);
    if quaternion.norm_squared() == 0 {
        return node.error("the quaternion is zero");
    }
    Ok(quaternion)
}

fn joint(node: &Node<'_>, bodies: &[Body]) -> Result<Joint> {
    let fields = node.object(&[
        "name",
        "first",
        "second",
        "point",
        "kind",
        "axis",
        "second_axis",
        "limits",
        "drive",
    ])?;
    let (first, second) = pair(&fields)?;
    let number = |own: &str| match bodies.iter().position(|body| body.name == own) {
        Some(number) => Ok(number),
        None => fields.error(format!("there is no body {own:?}")),
    };
    Ok(Joint {
        name: name(&fields)?,
        first: number(&first)?,
        second: number(&second)?,
        point: fields.need("point")?.vector()?,
        kind: kind(&fields)?,
        limits: fields.or("limits", None, |node| Ok(Some(node.numbers()?)))?,
        drive: fields.or("drive", None, |node| drive(node).map(Some))?,
    })
}

fn drive(node: &Node<'_>) -> Result<Drive> {
    let fields = node.object(&["speed", "bound"])?;
    Ok(Drive {
        speed: fields.need("speed")?.number()?,
        bound: fields.need("bound")?.number()?,
    })
}

pub(super) fn motion(scene: &Fields<'_>, choice: &MotionChoice) -> Result<ReadMotion> {
    let Some(node) = scene.get("motion") else {
        return Ok(ReadMotion {
            h: step_size(None)?,
            steps: STEPS,
            method: choice.method.unwrap_or_default(),
            cone: choice.cone,
            impact: choice.impact,
            scheme: choice.scheme,
            activation: choice.activation,
            surfaces: Surfaces {
                default: Surface::default(),
                pairs: Vec::new(),
            },
        });
    };
    let fields = node.object(&[
        "h",
        "steps",
        "method",
        "cone",
        "impact",
        "scheme",
        "activation",
        "mu",
        "restitution",
        "torsion",
        "rolling",
        "surfaces",
    ])?;
    let said = word(&fields, "method")?;
    Ok(ReadMotion {
        h: step_size(Some(&fields))?,
        steps: fields.or("steps", STEPS, |node| Ok(node.count()? as u64))?,
        method: choice.method.or(said).unwrap_or_default(),
        cone: choice.cone.or(word(&fields, "cone")?),
        impact: choice.impact.or(word(&fields, "impact")?),
        scheme: choice.scheme.or(word(&fields, "scheme")?),
        activation: choice.activation.or(word(&fields, "activation")?),
        surfaces: surfaces(&fields)?,
    })
}

/// A word that stands for a value, where it is said.
fn word<T: FromStr<Err = String>>(fields: &Fields<'_>, name: &str) -> Result<Option<T>> {
    let Some(node) = fields.get(name) else {
        return Ok(None);
    };
    let own = node.text()?.parse();
    own.map(Some).or_else(|why: String| node.error(why))
}

/// Friction and restitution of all pairs, and of those that are named.
fn surfaces(fields: &Fields<'_>) -> Result<Surfaces> {
    let surface = |fields: &Fields<'_>, plain: &Surface| -> Result<Surface> {
        Ok(Surface {
            mu: fields.or("mu", plain.mu.clone(), Node::number)?,
            restitution: fields.or("restitution", plain.restitution.clone(), Node::number)?,
            torsion: fields.or("torsion", plain.torsion.clone(), Node::number)?,
            rolling: fields.or("rolling", plain.rolling.clone(), Node::number)?,
            grain: None,
        })
    };
    let own = surface(fields, &Surface::default())?;
    let pairs = fields.list("surfaces")?;
    let mut named: Vec<[String; 2]> = Vec::new();
    let pairs = pairs.iter().map(|node| {
        let fields = node.object(&PAIR)?;
        let (first, second) = pair(&fields)?;
        if first == second {
            return node.error(format!(
                "{first:?} does not touch itself; name another body"
            ));
        }
        let mut both = [first.clone(), second.clone()];
        both.sort_unstable();
        if let Some(k) = named.iter().position(|own| *own == both) {
            return node.error(format!(
                "surfaces[{k}] is that of {first:?} and {second:?} already; leave one out"
            ));
        }
        named.push(both);
        let mut own = surface(&fields, &own)?;
        own.grain = match (fields.get("across"), fields.get("along")) {
            (None, None) => None,
            (Some(across), Some(along)) => Some(Grain {
                across: across.number()?,
                along: along.vector()?,
            }),
            _ => return fields.error("\"across\" and \"along\" belong together"),
        };
        Ok((first, second, own))
    });
    Ok(Surfaces {
        pairs: pairs.collect::<Result<_>>()?,
        default: own,
    })
}

const PAIR: [&str; 8] = [
    "first",
    "second",
    "mu",
    "restitution",
    "torsion",
    "rolling",
    "across",
    "along",
];

/// Where a scene does not say how many steps.
const STEPS: u64 = 100;

fn step_size(fields: Option<&Fields<'_>>) -> Result<Rational> {
    let default = Rational::from((1, 100));
    fields.map_or(Ok(default.clone()), |own| {
        own.or("h", default, Node::number)
    })
}
