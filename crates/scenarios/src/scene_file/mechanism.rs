//! A mechanism in joint space, from the text of its scene.

use etalon_rigid::{
    Body2, Body3, Frame, GROUND, LinkFreedom, LinkJoint, Loop, Mechanism, Rotation2, Rotation3,
    Segment, TreeLink, Vector,
};
use rug::Rational;

use super::SceneFileError;
use super::node::{Fields, Node};
use super::read::{
    contact, inertia, joint_kind, links, name, nothing_beside, pair, rotation2, rotation3,
};
use crate::instance::Mechanics;

type Result<T> = std::result::Result<T, SceneFileError>;

/// The mechanism of a scene whose gravity has that many numbers.
pub(super) fn read_mechanism(scene: &Fields<'_>, dimensions: usize) -> Result<Mechanics> {
    nothing_beside(scene, "mechanism")?;
    match dimensions {
        2 => Ok(Mechanics::PlanarMechanism(mechanism::<Body2<_>, 2>(scene)?)),
        3 => Ok(Mechanics::SpatialMechanism(mechanism::<Body3<_>, 3>(
            scene,
        )?)),
        _ => scene
            .need("gravity")?
            .error("must have two numbers in the plane, three in space"),
    }
}

const LINK: [&str; 9] = [
    "name",
    "parent",
    "joint",
    "mass",
    "inertia",
    "centre",
    "orientation",
    "force",
    "torque",
];

/// What a file has in other ways in the plane and in space.
pub(super) trait Written<const D: usize>: Segment<Rational, D> {
    /// The body of a link.
    fn link(fields: &Fields<'_>) -> Result<Self>;

    /// An orientation.
    fn rotation(node: &Node<'_>) -> Result<Self::Frame>;

    /// The axis that a link turns about.
    fn axis(fields: &Fields<'_>) -> Result<Vec<Rational>>;
}

impl Written<2> for Body2<Rational> {
    fn link(fields: &Fields<'_>) -> Result<Self> {
        let plain = Self::fixed(name(fields)?);
        Ok(Self {
            mass: fields.need("mass")?.number()?,
            inertia: fields.need("inertia")?.number()?,
            position: fields.or("centre", plain.position, Node::vector)?,
            orientation: fields.or("orientation", plain.orientation, rotation2)?,
            force: fields.or("force", plain.force, Node::vector)?,
            torque: fields.or("torque", plain.torque, Node::number)?,
            fixed: false,
            ..Self::fixed(plain.name)
        })
    }

    fn rotation(node: &Node<'_>) -> Result<Rotation2<Rational>> {
        rotation2(node)
    }

    fn axis(fields: &Fields<'_>) -> Result<Vec<Rational>> {
        let counterclockwise = [Rational::from(1)];
        fields
            .or("axis", counterclockwise, Node::numbers)
            .map(Vec::from)
    }
}

impl Written<3> for Body3<Rational> {
    fn link(fields: &Fields<'_>) -> Result<Self> {
        let plain = Self::fixed(name(fields)?);
        Ok(Self {
            mass: fields.need("mass")?.number()?,
            inertia: inertia(&fields.need("inertia")?)?,
            position: fields.or("centre", plain.position, Node::vector)?,
            orientation: fields.or("orientation", plain.orientation, rotation3)?,
            force: fields.or("force", plain.force, Node::vector)?,
            torque: fields.or("torque", plain.torque, Node::vector)?,
            fixed: false,
            ..Self::fixed(plain.name)
        })
    }

    fn rotation(node: &Node<'_>) -> Result<Rotation3<Rational>> {
        rotation3(node)
    }

    fn axis(fields: &Fields<'_>) -> Result<Vec<Rational>> {
        fields.need("axis")?.numbers::<3>().map(Vec::from)
    }
}

fn mechanism<B: Written<D>, const D: usize>(
    scene: &Fields<'_>,
) -> Result<Mechanism<Rational, B, D>> {
    let node = scene.need("mechanism")?;
    let fields = node.object(&["links", "contacts", "loops"])?;
    let links = links(&fields)?;
    let contacts = fields.list("contacts")?;
    let loops = fields.list("loops")?;
    Ok(Mechanism {
        links: links.iter().map(link).collect::<Result<_>>()?,
        contacts: contacts.iter().map(contact).collect::<Result<_>>()?,
        loops: loops.iter().map(closing).collect::<Result<_>>()?,
        gravity: scene.need("gravity")?.vector()?,
    })
}

fn link<B: Written<D>, const D: usize>(node: &Node<'_>) -> Result<TreeLink<Rational, B, D>> {
    let fields = node.object(&LINK)?;
    Ok(TreeLink {
        body: B::link(&fields)?,
        parent: fields.or("parent", GROUND.to_owned(), |parent| {
            parent.text().map(str::to_owned)
        })?,
        joint: joint::<B, D>(&fields.need("joint")?)?,
    })
}

/// The kinds of joints, each with the fields that it has beside the point, frame, rate and effort of all that move.
const KINDS: [(&str, &[&str]); 5] = [
    ("fixed", &["kind", "point", "frame"]),
    (
        "revolute",
        &[
            "kind", "point", "frame", "rate", "effort", "axis", "position", "limits",
        ],
    ),
    (
        "prismatic",
        &[
            "kind", "point", "frame", "rate", "effort", "axis", "position", "limits",
        ],
    ),
    (
        "ball",
        &["kind", "point", "frame", "rate", "effort", "orientation"],
    ),
    (
        "floating",
        &[
            "kind",
            "point",
            "frame",
            "rate",
            "effort",
            "position",
            "orientation",
        ],
    ),
];

fn joint<B: Written<D>, const D: usize>(
    node: &Node<'_>,
) -> Result<LinkJoint<Rational, B::Frame, D>> {
    let all = [
        "kind",
        "point",
        "frame",
        "rate",
        "effort",
        "axis",
        "position",
        "orientation",
        "limits",
    ];
    let kind = node.object(&all)?.need("kind")?;
    let word = kind.text()?;
    let Some((_, known)) = KINDS.iter().find(|(own, _)| *own == word) else {
        let words = KINDS.map(|(own, _)| own).join(", ");
        return kind.error(format!("must be one of {words}"));
    };
    if word == "ball" && D == 2 {
        return kind.error("a ball turns about a point of space; in the plane say \"revolute\"");
    }
    let fields = node.object(known)?;
    let freedom = freedom::<B, D>(word, &fields)?;
    let dofs = freedom.dofs();
    let plain = LinkJoint::new(fields.or("point", Vector::zero(), Node::vector)?, freedom);
    let frame = B::Frame::identity();
    let numbers = |node: &Node<'_>| rates(node, dofs);
    Ok(LinkJoint {
        frame: fields.or("frame", frame, B::rotation)?,
        rates: fields.or("rate", plain.rates.clone(), numbers)?,
        efforts: fields.or("effort", plain.efforts.clone(), numbers)?,
        ..plain
    })
}

/// One number, or an array of as many as the joint has rates.
fn rates(node: &Node<'_>, dofs: usize) -> Result<Vec<Rational>> {
    if dofs == 1 && !node.is_array() {
        return Ok(vec![node.number()?]);
    }
    let items = node.items()?;
    if items.len() != dofs {
        return node.error(format!("has {} numbers, but must have {dofs}", items.len()));
    }
    items.iter().map(Node::number).collect()
}

fn freedom<B: Written<D>, const D: usize>(
    word: &str,
    fields: &Fields<'_>,
) -> Result<LinkFreedom<Rational, B::Frame, D>> {
    let orientation = || fields.or("orientation", B::Frame::identity(), B::rotation);
    Ok(match word {
        "fixed" => LinkFreedom::Fixed,
        "revolute" => LinkFreedom::Revolute {
            axis: B::axis(fields)?,
            position: fields.or("position", Rotation2::identity(), rotation2)?,
            limits: fields.or("limits", None, |node| both(node, rotation2).map(Some))?,
        },
        "prismatic" => LinkFreedom::Prismatic {
            axis: fields.need("axis")?.vector()?,
            position: fields.or("position", Rational::new(), Node::number)?,
            limits: fields.or("limits", None, |node| both(node, Node::number).map(Some))?,
        },
        "ball" => LinkFreedom::Ball {
            orientation: orientation()?,
        },
        _ => LinkFreedom::Floating {
            position: fields.or("position", Vector::zero(), Node::vector)?,
            orientation: orientation()?,
        },
    })
}

/// An array of two.
fn both<'a, T>(node: &Node<'a>, read: impl Fn(&Node<'a>) -> Result<T>) -> Result<[T; 2]> {
    match node.items()?.as_slice() {
        [first, second] => Ok([read(first)?, read(second)?]),
        items => node.error(format!("has {} entries, but must have 2", items.len())),
    }
}

fn closing<const D: usize>(node: &Node<'_>) -> Result<Loop<Rational, D>> {
    let fields = node.object(&[
        "name",
        "first",
        "second",
        "points",
        "slider",
        "kind",
        "axis",
        "second_axis",
    ])?;
    let (first, second) = pair(&fields)?;
    Ok(Loop {
        name: name(&fields)?,
        first,
        second,
        points: both(&fields.need("points")?, Node::vector)?,
        kind: joint_kind(&fields)?,
    })
}
