//! From the text of a scene to the scene.

use etalon_contact_forces::FrictionModel;
use etalon_rigid::{
    Body2, Body3, Contact, Dense, EndContact, Freedom, Geometry, Joint, JointDrive, JointKind,
    Link, Linkage, Rotation2, Rotation3, Scene, Side, Vector,
};
use etalon_spatial::ImpactLaw;
use rug::Rational;

use super::SceneFileError;
use super::freedom::kind;
use super::node::{Fields, Node};
use crate::instance::Question;
use crate::strike::Strike;

/// The mass matrix of a linkage is dense, and takes the cube of their number to assemble.
const MAX_LINKS: usize = 200;

type Result<T> = std::result::Result<T, SceneFileError>;

/// Coulomb's law: in the plane a bound for each tangent is the circular cone.
pub(super) fn coulomb(in_space: bool) -> FrictionModel {
    if in_space {
        FrictionModel::Circular
    } else {
        FrictionModel::Rows
    }
}

pub(super) fn question(node: &Node<'_>, in_space: bool) -> Result<Question> {
    let fields = node.object(&["friction", "directions", "impact", "law"])?;
    if let Some(restitution) = fields.get("impact") {
        return impact(&fields, &restitution, in_space);
    }
    if let Some(law) = fields.get("law") {
        return law.error("is of restitution: it needs \"impact\"");
    }
    let directions = fields.get("directions");
    let friction = fields.need("friction")?;
    Ok(Question::Forces(match (friction.text()?, directions) {
        ("polyhedral", Some(directions)) => FrictionModel::Polyhedral(directions.count()?),
        ("polyhedral", None) => return node.error("the field \"directions\" is missing"),
        (_, Some(directions)) => {
            return directions.error("only polyhedral friction has directions");
        }
        ("circular", None) => coulomb(in_space),
        ("rows", None) => FrictionModel::Rows,
        ("none", None) => FrictionModel::None,
        (_, None) => {
            return friction.error("must be \"none\", \"circular\", \"rows\" or \"polyhedral\"");
        }
    }))
}

/// An impact. What says nothing of a law or of friction has n'v' + e n'v >= 0 at all contacts. What says so much as
/// `"law": "newton"` or `"friction": "none"` is answered by that law, in which contacts that part have n'v' >= 0 alone.
fn impact(fields: &Fields<'_>, restitution: &Node<'_>, in_space: bool) -> Result<Question> {
    let law = fields.or("law", ImpactLaw::Newton, |node| {
        node.text()?.parse().or_else(|why: String| node.error(why))
    })?;
    let restitution = restitution.number()?;
    let silent = ["law", "friction"].map(|field| fields.get(field).is_none());
    let directions = fields.get("directions");
    let friction = fields.or("friction", "none".to_owned(), |node| {
        Ok(node.text()?.to_owned())
    })?;
    let directions = match (&*friction, directions) {
        ("none", None) => None,
        ("none", Some(node)) => {
            return node.error("is of friction: say \"friction\": \"polyhedral\", too");
        }
        ("polyhedral", Some(node)) => match node.count()? {
            sides if in_space || sides == 2 => Some(sides),
            sides => {
                return node.error(format!(
                    "is {sides}, but friction of the plane is along one line: say 2, or leave the field out"
                ));
            }
        },
        ("polyhedral", None) if !in_space => Some(2),
        ("polyhedral", None) => {
            return fields.error("the field \"directions\" is missing: 4, 8, 12, 16 or 24");
        }
        (word, _) => {
            let node = fields.need("friction")?;
            return match word {
                "circular" if in_space => node.error(
                    "is \"circular\", but an impact is a complementarity problem, which states no circle: say \"polyhedral\" with \"directions\": 24, a pyramid inside the circle; or give the bodies shapes for a step in motion, which has the circular cone",
                ),
                _ => node.error(
                    "must be \"none\" or \"polyhedral\", a pyramid inside the circle",
                ),
            };
        }
    };
    Ok(match silent {
        [true, true] => Question::Impact(restitution),
        _ => Question::Strike(Strike {
            restitution,
            law,
            directions,
        }),
    })
}

pub(super) fn bodies<B, const D: usize>(
    scene: &Fields<'_>,
    body: impl Fn(&Node<'_>) -> Result<B>,
) -> Result<Scene<Rational, B, D>> {
    let nodes = scene.need("bodies")?.items()?;
    Ok(Scene {
        gravity: scene.need("gravity")?.vector()?,
        bodies: nodes.iter().map(body).collect::<Result<_>>()?,
        contacts: scene
            .list("contacts")?
            .iter()
            .map(contact)
            .collect::<Result<_>>()?,
        joints: scene
            .list("joints")?
            .iter()
            .map(joint)
            .collect::<Result<_>>()?,
    })
}

const BODY: [&str; 10] = [
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
];

pub(super) fn name(fields: &Fields<'_>) -> Result<String> {
    Ok(fields.need("name")?.text()?.to_owned())
}

/// Mass or inertia: fixed bodies need none.
pub(super) fn need_unless_fixed<'a, T>(
    fields: &Fields<'a>,
    field: &str,
    fixed: bool,
    default: T,
    read: impl FnOnce(&Node<'a>) -> Result<T>,
) -> Result<T> {
    match fields.get(field) {
        Some(node) => read(&node),
        None if fixed => Ok(default),
        None => fields.error(format!("the field {field:?} is missing")),
    }
}

pub(super) fn body2(node: &Node<'_>) -> Result<Body2<Rational>> {
    let fields = node.object(&BODY)?;
    let plain = Body2::fixed(name(&fields)?);
    let fixed = fields.or("fixed", false, Node::flag)?;
    Ok(Body2 {
        mass: need_unless_fixed(&fields, "mass", fixed, plain.mass, Node::number)?,
        inertia: need_unless_fixed(&fields, "inertia", fixed, plain.inertia, Node::number)?,
        position: fields.or("position", plain.position, Node::vector)?,
        orientation: fields.or("orientation", plain.orientation, rotation2)?,
        velocity: fields.or("velocity", plain.velocity, Node::vector)?,
        angular_velocity: fields.or("angular_velocity", plain.angular_velocity, Node::number)?,
        force: fields.or("force", plain.force, Node::vector)?,
        torque: fields.or("torque", plain.torque, Node::number)?,
        fixed,
        name: plain.name,
    })
}

pub(super) fn body3(node: &Node<'_>) -> Result<Body3<Rational>> {
    let fields = node.object(&BODY)?;
    let plain = Body3::fixed(name(&fields)?);
    let fixed = fields.or("fixed", false, Node::flag)?;
    Ok(Body3 {
        mass: need_unless_fixed(&fields, "mass", fixed, plain.mass, Node::number)?,
        inertia: need_unless_fixed(&fields, "inertia", fixed, plain.inertia, inertia)?,
        position: fields.or("position", plain.position, Node::vector)?,
        orientation: fields.or("orientation", plain.orientation, rotation3)?,
        velocity: fields.or("velocity", plain.velocity, Node::vector)?,
        angular_velocity: fields.or("angular_velocity", plain.angular_velocity, Node::vector)?,
        force: fields.or("force", plain.force, Node::vector)?,
        torque: fields.or("torque", plain.torque, Node::vector)?,
        fixed,
        name: plain.name,
    })
}

/// (cos, sin).
pub(super) fn rotation2(node: &Node<'_>) -> Result<Rotation2<Rational>> {
    let [cos, sin] = node.numbers()?;
    Ok(Rotation2::from_cos_sin(cos, sin))
}

/// A quaternion of any length, or the rows of a matrix.
pub(super) fn rotation3(node: &Node<'_>) -> Result<Rotation3<Rational>> {
    if node.items()?.first().is_some_and(Node::is_array) {
        return Ok(Rotation3::from_rows(rows(node)?));
    }
    match Rotation3::from_quaternion(&node.numbers()?) {
        Some(rotation) => Ok(rotation),
        None => node.error("the quaternion is zero"),
    }
}

pub(super) fn rows(node: &Node<'_>) -> Result<[[Rational; 3]; 3]> {
    let rows: Vec<[Rational; 3]> = node
        .items()?
        .iter()
        .map(Node::numbers)
        .collect::<Result<_>>()?;
    let length = rows.len();
    match rows.try_into() {
        Ok(rows) => Ok(rows),
        Err(_) => node.error(format!("has {length} rows, but must have 3")),
    }
}

/// Three principal moments, or the rows of a matrix.
pub(super) fn inertia(node: &Node<'_>) -> Result<Dense<Rational>> {
    if node.items()?.first().is_some_and(Node::is_array) {
        let rows = rows(node)?;
        return Ok(Dense::from_fn(3, 3, |i, j| rows[i][j].clone()));
    }
    let moments: [Rational; 3] = node.numbers()?;
    let entry = |i: usize, j: usize| {
        if i == j {
            moments[i].clone()
        } else {
            Rational::new()
        }
    };
    Ok(Dense::from_fn(3, 3, entry))
}

pub(super) fn contact<const D: usize>(node: &Node<'_>) -> Result<Contact<Rational, D>> {
    let fields = node.object(&[
        "name", "first", "second", "point", "normal", "tangents", "mu", "slip", "geometry",
    ])?;
    let (first, second) = pair(&fields)?;
    let [point, normal] = ["point", "normal"].map(|field| fields.need(field)?.vector());
    let plain = Contact::new(name(&fields)?, first, second, point?, normal?);
    Ok(Contact {
        tangents: fields.or("tangents", plain.tangents.clone(), |tangents| {
            tangents.items()?.iter().map(Node::vector).collect()
        })?,
        mu: fields.or("mu", Rational::new(), Node::number)?,
        slip: fields.or("slip", None, |slip| slip.vector().map(Some))?,
        geometry: fields.or("geometry", plain.geometry.clone(), geometry)?,
        ..plain
    })
}

pub(super) fn pair(fields: &Fields<'_>) -> Result<(String, String)> {
    let [first, second] = ["first", "second"].map(|side| fields.need(side)?.text());
    Ok((first?.to_owned(), second?.to_owned()))
}

fn geometry(node: &Node<'_>) -> Result<Geometry<Rational>> {
    let fields = node.object(&["face", "radius", "radii"])?;
    if let Some(radii) = fields.get("radii") {
        if fields.get("face").is_some() || fields.get("radius").is_some() {
            return node.error("has either \"radii\", or \"face\" and \"radius\"");
        }
        let [first, second] = radii.numbers()?;
        return Ok(Geometry::Round { first, second });
    }
    Ok(Geometry::Face {
        of: fields.or("face", Side::Second, |face| match face.text()? {
            "first" => Ok(Side::First),
            "second" => Ok(Side::Second),
            _ => face.error("must be \"first\" or \"second\""),
        })?,
        radius: fields.or("radius", Rational::new(), Node::number)?,
    })
}

fn joint<const D: usize>(node: &Node<'_>) -> Result<Joint<Rational, D>> {
    let fields = node.object(&[
        "name",
        "first",
        "second",
        "point",
        "slider",
        "kind",
        "axis",
        "second_axis",
        "limits",
        "drive",
    ])?;
    let (first, second) = pair(&fields)?;
    Ok(Joint {
        name: name(&fields)?,
        first,
        second,
        point: fields.need("point")?.vector()?,
        kind: joint_kind(&fields)?,
        limits: fields.or("limits", None, |node| Ok(Some(node.numbers()?)))?,
        drive: fields.or("drive", None, |node| drive(node).map(Some))?,
    })
}

fn drive(node: &Node<'_>) -> Result<JointDrive<Rational>> {
    let fields = node.object(&["speed", "bound"])?;
    Ok(JointDrive {
        speed: fields.need("speed")?.number()?,
        bound: fields.need("bound")?.number()?,
    })
}

/// A pin or ball joint, one row along a normal, or in space a joint with axes.
pub(super) fn joint_kind<const D: usize>(fields: &Fields<'_>) -> Result<JointKind<Rational, D>> {
    let freedoms = ["kind", "axis", "second_axis"];
    let given = freedoms.iter().find(|field| fields.get(field).is_some());
    match (fields.get("slider"), given) {
        (Some(_), Some(field)) => fields.error(format!(
            "\"slider\" is one row along a normal, which has no {field:?}: leave one of the two out"
        )),
        (Some(normal), None) => normal.vector().map(JointKind::Slider),
        (None, Some(field)) if D != 3 => fields.error(format!(
            "{field:?} is of joints of space; in the plane a joint is a hinge, or one row along the normal \"slider\""
        )),
        _ => Ok(match kind(fields)? {
            Freedom::Ball => JointKind::Pin,
            own => JointKind::Free(own),
        }),
    }
}

/// A linkage or mechanism takes the place of bodies with contacts and joints.
pub(super) fn nothing_beside(scene: &Fields<'_>, what: &str) -> Result<()> {
    for field in ["bodies", "contacts", "joints", "linkage", "mechanism"] {
        if let Some(other) = scene.get(field)
            && field != what
        {
            return other.error(format!("a {what} has links and contacts of its own"));
        }
    }
    Ok(())
}

/// The links of a linkage or mechanism, not too many.
pub(super) fn links<'a>(fields: &Fields<'a>) -> Result<Vec<Node<'a>>> {
    let links = fields.need("links")?;
    let items = links.items()?;
    if items.len() > MAX_LINKS {
        return links.error(format!("there are over {MAX_LINKS} links, the limit"));
    }
    Ok(items)
}

pub(super) fn linkage(scene: &Fields<'_>, node: &Node<'_>) -> Result<Linkage<Rational>> {
    nothing_beside(scene, "linkage")?;
    let fields = node.object(&["links", "contacts"])?;
    let links = links(&fields)?;
    Ok(Linkage {
        links: links.iter().map(link).collect::<Result<_>>()?,
        contacts: fields
            .list("contacts")?
            .iter()
            .map(end_contact)
            .collect::<Result<_>>()?,
        gravity: scene.need("gravity")?.vector()?,
    })
}

fn link(node: &Node<'_>) -> Result<Link<Rational>> {
    let fields = node.object(&[
        "mass", "inertia", "length", "centre", "angle", "rate", "torque",
    ])?;
    let number = |field: &str| fields.need(field)?.number();
    Ok(Link {
        mass: number("mass")?,
        inertia: number("inertia")?,
        length: number("length")?,
        centre: number("centre")?,
        angle: rotation2(&fields.need("angle")?)?,
        rate: fields.or("rate", Rational::new(), Node::number)?,
        torque: fields.or("torque", Rational::new(), Node::number)?,
    })
}

fn end_contact(node: &Node<'_>) -> Result<EndContact<Rational>> {
    let fields = node.object(&["name", "link", "normal", "mu"])?;
    let normal: Vector<Rational, 2> = fields.need("normal")?.vector()?;
    Ok(EndContact {
        name: name(&fields)?,
        link: fields.need("link")?.count()?,
        normal,
        mu: fields.or("mu", Rational::new(), Node::number)?,
    })
}
