//! From the text of a scene in space, in motion, to the scene.

use etalon_rigid::{Dense, Vector, Vector3};
use etalon_spatial::{
    Body, BodyPiece, Cone, Drive, Grain, ImpactLaw, Joint, JointFreedom, Quaternion, Settings,
    Shape, SpaceMethod, Surface, Surfaces,
};
use rug::Rational;
use serde_json::Value;

use super::SceneFileError;
use super::distinct::read_distinct;
use super::node::{Fields, Node};
use super::read::{inertia, name, pair, rows};
use crate::space::SpaceScene;

type Result<T> = std::result::Result<T, SceneFileError>;

const SCENE: [&str; 7] = [
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

/// Reads a scene in space, in motion, from its JSON text.
///
/// # Errors
/// [`SceneFileError`] with the path of the field.
pub fn read_space(text: &str) -> Result<SpaceScene> {
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
    let bodies = scene.need("bodies")?.items()?;
    let bodies: Vec<Body> = bodies.iter().map(body).collect::<Result<_>>()?;
    let joints = scene.list("joints")?;
    let joints = joints.iter().map(|node| joint(node, &bodies));
    let joints = joints.collect::<Result<_>>()?;
    let (settings, surfaces, steps) = motion(&scene)?;
    let (name, notes) = scene.name_and_notes()?;
    Ok(SpaceScene {
        name,
        notes,
        gravity: gravity.vector()?,
        bodies,
        joints,
        surfaces,
        settings,
        steps,
    })
}

fn body(node: &Node<'_>) -> Result<Body> {
    let fields = node.object(&BODY)?;
    let fixed = fields.or("fixed", false, Node::flag)?;
    let shape = fields.or("shape", None, |node| shape(node).map(Some))?;
    if !fixed && matches!(shape, Some(Shape::HalfSpace { .. })) {
        return fields.error("a half-space cannot move; say \"fixed\": true");
    }
    let mass = match fields.get("mass") {
        Some(mass) => mass.number()?,
        None if fixed => Rational::from(1),
        None => return fields.error("the field \"mass\" is missing"),
    };
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
                "the field \"inertia\" is missing; it may be left out for a sphere, box, capsule or cylinder of even density",
            );
        }
    };
    let zero = || Vector::<Rational, 3>::zero();
    Ok(Body {
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
        shape,
        pieces,
    })
}

fn piece(node: &Node<'_>) -> Result<BodyPiece> {
    let fields = node.object(&["name", "shape", "at", "orientation"])?;
    Ok(BodyPiece {
        name: name(&fields)?,
        shape: shape(&fields.need("shape")?)?,
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

const SHAPES: [&str; 6] = [
    "sphere",
    "box",
    "capsule",
    "cylinder",
    "polyhedron",
    "half_space",
];

fn shape(node: &Node<'_>) -> Result<Shape> {
    let fields = node.object(&SHAPES)?;
    let given = SHAPES
        .iter()
        .filter_map(|kind| Some((*kind, fields.get(kind)?)));
    let given: Vec<(&str, Node<'_>)> = given.collect();
    let [(kind, data)] = &given[..] else {
        return node.error(format!("must have one of the fields {}", SHAPES.join(", ")));
    };
    let round = || -> Result<(Rational, Rational)> {
        let fields = data.object(&["radius", "half_length"])?;
        Ok((
            fields.need("radius")?.number()?,
            fields.need("half_length")?.number()?,
        ))
    };
    Ok(match *kind {
        "sphere" => Shape::Sphere {
            radius: data.number()?,
        },
        "box" => Shape::Box {
            half_sizes: data.numbers()?,
        },
        "capsule" => round().map(|(radius, half_length)| Shape::Capsule {
            radius,
            half_length,
        })?,
        "cylinder" => round().map(|(radius, half_length)| Shape::Cylinder {
            radius,
            half_length,
        })?,
        "polyhedron" => Shape::Polyhedron {
            vertices: data
                .items()?
                .iter()
                .map(Node::vector)
                .collect::<Result<_>>()?,
        },
        _ => Shape::HalfSpace {
            normal: data.vector()?,
        },
    })
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

fn kind(fields: &Fields<'_>) -> Result<JointFreedom> {
    let word = fields.or("kind", "ball".to_owned(), |node| {
        Ok(node.text()?.to_owned())
    })?;
    let axis = |name: &str| -> Result<Vector3<Rational>> { fields.need(name)?.vector() };
    let without = |kind: JointFreedom, names: &[&str]| match names
        .iter()
        .find(|name| fields.get(name).is_some())
    {
        Some(name) => fields.error(format!("a {} joint has no {name:?}", kind.word())),
        None => Ok(kind),
    };
    match &*word {
        "ball" => without(JointFreedom::Ball, &["axis", "second_axis"]),
        "fixed" => without(JointFreedom::Fixed, &["axis", "second_axis"]),
        "hinge" => without(
            JointFreedom::Hinge {
                axis: axis("axis")?,
            },
            &["second_axis"],
        ),
        "slider" => without(
            JointFreedom::Slider {
                axis: axis("axis")?,
            },
            &["second_axis"],
        ),
        "universal" => Ok(JointFreedom::Universal {
            axis: axis("axis")?,
            second_axis: axis("second_axis")?,
        }),
        _ => fields.error(format!(
            "the kind {word:?} must be ball, hinge, universal, slider or fixed"
        )),
    }
}

/// Settings, surfaces, and the number of steps.
fn motion(scene: &Fields<'_>) -> Result<(Settings, Surfaces, u64)> {
    let default = Surface::default;
    let Some(node) = scene.get("motion") else {
        let settings = settings(None)?;
        let surfaces = Surfaces {
            default: default(),
            pairs: Vec::new(),
        };
        return Ok((settings, surfaces, STEPS));
    };
    let fields = node.object(&[
        "h",
        "steps",
        "method",
        "cone",
        "impact",
        "mu",
        "restitution",
        "torsion",
        "rolling",
        "surfaces",
    ])?;
    let surface = |fields: &Fields<'_>, plain: &Surface| -> Result<Surface> {
        Ok(Surface {
            mu: fields.or("mu", plain.mu.clone(), Node::number)?,
            restitution: fields.or("restitution", plain.restitution.clone(), Node::number)?,
            torsion: fields.or("torsion", plain.torsion.clone(), Node::number)?,
            rolling: fields.or("rolling", plain.rolling.clone(), Node::number)?,
            grain: None,
        })
    };
    let own = surface(&fields, &default())?;
    let pairs = fields.list("surfaces")?;
    let pairs = pairs.iter().map(|node| {
        let fields = node.object(&PAIR)?;
        let (first, second) = pair(&fields)?;
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
    let surfaces = Surfaces {
        pairs: pairs.collect::<Result<_>>()?,
        default: own,
    };
    let steps = fields.or("steps", STEPS, |node| Ok(node.count()? as u64))?;
    Ok((settings(Some(&fields))?, surfaces, steps))
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

fn settings(fields: Option<&Fields<'_>>) -> Result<Settings> {
    let word = |name: &str| fields.and_then(|fields| fields.get(name));
    let method = match word("method") {
        None => SpaceMethod::default(),
        Some(node) => match node.text()?.parse() {
            Ok(method) => method,
            Err(problem) => return node.error(problem),
        },
    };
    let cone = match word("cone") {
        None => Cone::of(method),
        Some(node) => match node.text()?.parse() {
            Ok(cone) => cone,
            Err(problem) => return node.error(problem),
        },
    };
    let impact = match word("impact") {
        None => ImpactLaw::default(),
        Some(node) => match node.text()?.parse() {
            Ok(law) => law,
            Err(problem) => return node.error(problem),
        },
    };
    let h = word("h").map(|node| node.number()).transpose()?;
    Ok(Settings {
        h: h.unwrap_or_else(|| Rational::from((1, 100))),
        method,
        cone,
        impact,
    })
}
