//! From a scene of a file to bodies that keep their points out of convex bodies.

use std::collections::HashSet;

use etalon_rigid::{Dense, Vector};
use etalon_spatial::{Cone, Settings, Shape as Solid, SpaceMethod, Surface};
use etalon_time_stepping::Scheme;
use rug::Rational;

use super::SceneFileError;
use super::node::{Fields, Node};
use super::read::name;
use super::shape::{FileShape, points};
use super::space::{ReadBody, ReadMotion, check_rules};
use crate::space::{CornerBody, CornerScene, CornerShape, MotionMethod, no_cone, no_impacts};

type Result<T> = std::result::Result<T, SceneFileError>;

const METHOD: MotionMethod = MotionMethod::EganTrinkle;

/// What to do where the method does not take something.
const OTHERS: &str = "leave it out, or take the method stewart-trinkle or moreau-jean";

/// The same of the plane, which other methods do not take.
const LEAVE: &str = "leave it out";

/// The most gaps of points and sides, and of two edges in space: all of them are looked at in each step.
const MAX_GAPS: usize = 10_000;

/// Sides of the friction cone in space, where nothing is said.
const SIDES: usize = 8;

/// The scene of bodies as they are read, of the plane or of space.
pub(super) fn corner_scene(
    scene: &Fields<'_>,
    gravity: Vec<Rational>,
    nodes: &[Node<'_>],
    bodies: Vec<CornerBody>,
    motion: ReadMotion,
) -> Result<CornerScene> {
    let remedy = remedy(gravity.len());
    let first_order = motion.method == MotionMethod::Rows(SpaceMethod::FirstOrder);
    if let Some(why) = motion.cone.and_then(|cone| no_cone(cone, gravity.len())) {
        return scene.error(format!("motion.cone: {why}"));
    }
    if motion.impact.is_some() {
        return scene.error(format!("motion.impact: {}", no_impacts(motion.method)));
    }
    check_rules(scene, &motion)?;
    check_first_order(scene, &motion)?;
    if let Some(joint) = scene.list("joints")?.first() {
        return joint.error(match first_order {
            true => format!(
                "first-order worlds of the plane have no joints; {remedy}, or take a scene in space"
            ),
            false => format!("the method {METHOD} has no joints; {remedy}"),
        });
    }
    check_bodies(nodes, &bodies, first_order)?;
    if bodies.iter().all(|own| own.fixed) {
        return scene.error("bodies: all of them are fixed; one has to move");
    }
    let (name, notes) = scene.name_and_notes()?;
    let own = CornerScene {
        name,
        notes,
        gravity,
        bodies,
        surfaces: motion.surfaces,
        sides: match motion.cone {
            Some(Cone::Pyramid(sides)) => sides,
            _ => SIDES,
        },
        scheme: motion.scheme.unwrap_or(Scheme::Linear),
        h: motion.h,
        steps: motion.steps,
        first_order,
    };
    check_surfaces(scene, &own)?;
    check_pairs(scene, &own)?;
    Ok(own)
}

/// Names, masses and shapes; in a first-order world no velocities.
fn check_bodies(nodes: &[Node<'_>], bodies: &[CornerBody], first_order: bool) -> Result<()> {
    let mut seen = HashSet::new();
    for (own, node) in bodies.iter().zip(nodes) {
        if !seen.insert(&own.name) {
            let name = &own.name;
            return node.error(format!(
                "the name {name:?} is that of another body; rename one"
            ));
        }
        if let Some(why) = fault(own) {
            return node.error(format!("body {:?}: {why}", own.name));
        }
        let moves = own.velocity.iter().chain(&own.angular_velocity);
        if first_order && moves.into_iter().any(|own| *own != 0) {
            return node.error(format!(
                "the velocity of body {:?} follows from forces: leave \"velocity\" and \"angular_velocity\" out, or give a \"force\"",
                own.name
            ));
        }
    }
    Ok(())
}

/// Refuses for first-order worlds of the plane what those in space refuse, and the activation: contacts take part by the rule of Egan and Trinkle.
fn check_first_order(scene: &Fields<'_>, motion: &ReadMotion) -> Result<()> {
    let MotionMethod::Rows(method) = motion.method else {
        return Ok(());
    };
    let settings = Settings {
        scheme: motion.scheme.unwrap_or(Scheme::Linear),
        ..Settings::new(motion.h.clone(), method)
    };
    if let Err(why) = settings.check_rules() {
        return scene.error(format!("motion.{why}"));
    }
    match motion.activation {
        Some(_) => scene.error(
            "motion.activation: in first-order worlds of the plane obstacles take part that are closed, or that the motion ends inside: leave the activation out, or take a scene in space",
        ),
        None => Ok(()),
    }
}

fn remedy(dimension: usize) -> &'static str {
    if dimension == 2 { LEAVE } else { OTHERS }
}

/// Why there is no such body, with the field.
fn fault(own: &CornerBody) -> Option<String> {
    if !own.fixed && own.mass <= 0 {
        return Some(format!(
            "the field \"mass\" is {}, but must be above 0",
            own.mass
        ));
    }
    let is_sound = own.inertia.is_symmetric() && own.inertia.has_positive_pivots();
    if !(own.fixed || is_sound) {
        return Some(
            "the field \"inertia\" is no positive number, or no symmetric matrix with positive ones; give the moments about the centre of mass".to_owned(),
        );
    }
    if own.orientation.iter().all(|own| *own == 0) {
        return Some(
            "the field \"orientation\" has no length; give it a direction, or leave it out"
                .to_owned(),
        );
    }
    let why = own.shape.as_ref()?.faces().err()?;
    Some(format!("the field \"shape\": {why}"))
}

/// Friction alone.
fn check_surfaces(scene: &Fields<'_>, own: &CornerScene) -> Result<()> {
    let known = |name: &String| own.bodies.iter().any(|own| own.name == *name);
    let remedy = remedy(own.dimension());
    let default = ("motion".to_owned(), &own.surfaces.default, Vec::new());
    let pairs = own.surfaces.pairs.iter().enumerate();
    let pairs = pairs.map(|(k, (first, second, own))| {
        (format!("motion.surfaces[{k}]"), own, vec![first, second])
    });
    for (place, surface, names) in pairs.chain([default]) {
        if let Some(name) = names.into_iter().find(|name| !known(name)) {
            return scene.error(format!(
                "{place}: there is no body {name:?}; give the name of one"
            ));
        }
        if let Some(why) = surface_fault(surface, remedy) {
            return scene.error(format!("{place}: {why}"));
        }
    }
    Ok(())
}

fn surface_fault(surface: &Surface, remedy: &str) -> Option<String> {
    let only_zero = [
        ("restitution", &surface.restitution),
        ("torsion", &surface.torsion),
        ("rolling", &surface.rolling),
    ];
    if let Some((name, value)) = only_zero.into_iter().find(|(_, value)| **value != 0) {
        return Some(format!(
            "{name} is {value}, and the method {METHOD} has none; {remedy}"
        ));
    }
    if surface.grain.is_some() {
        return Some(format!(
            "\"across\": the method {METHOD} has no grain; {remedy}"
        ));
    }
    let mu = &surface.mu;
    (*mu < 0).then(|| format!("mu is {mu}, but must be at least 0"))
}

fn check_pairs(scene: &Fields<'_>, own: &CornerScene) -> Result<()> {
    let counts = |shape: &CornerShape| {
        // They have been made before.
        let faces = shape.faces().unwrap_or_default();
        // Each edge is one of two sides, and in the plane there is none.
        let ends: usize = faces.iter().map(|own| own.corners.len()).sum();
        let edges = if own.dimension() == 2 { 0 } else { ends / 2 };
        [shape.points().len(), faces.len(), edges]
    };
    let shaped = own.bodies.iter().filter_map(|own| {
        let shape = own.shape.as_ref()?;
        Some((own.fixed, counts(shape)))
    });
    let shaped: Vec<_> = shaped.collect();
    let mut gaps = 0_usize;
    for (k, (first, [points, faces, edges])) in shaped.iter().enumerate() {
        for (second, [others, sides, other_edges]) in &shaped[..k] {
            if !(*first && *second) {
                gaps += points * sides + others * faces + edges * other_edges;
            }
        }
    }
    match gaps <= MAX_GAPS {
        true => Ok(()),
        false => scene.error(format!(
            "bodies: they have {gaps} gaps between points and sides, and between edges, over the limit of {MAX_GAPS} of the method {METHOD}; leave bodies or corners out"
        )),
    }
}

/// A body in space as the method has it.
pub(super) fn body_in_space(own: ReadBody, node: &Node<'_>) -> Result<CornerBody> {
    let ReadBody { body, shape } = own;
    let wrong = |why: String| node.error(format!("body {:?}: {why}", body.name));
    if !body.pieces.is_empty() {
        return wrong(format!(
            "the field \"pieces\": the method {METHOD} has bodies of one convex shape; make each piece a body if they are fixed, or take the method stewart-trinkle or moreau-jean"
        ));
    }
    if !body.torque.is_zero() {
        return wrong(format!(
            "the field \"torque\": the method {METHOD} has none; {OTHERS}"
        ));
    }
    let three = |own: &Vector<Rational, 3>| own.coordinates().to_vec();
    let shape = match shape.map(shape_in_space).transpose() {
        Ok(shape) => shape,
        Err(why) => return wrong(format!("the field \"shape\": {why}")),
    };
    Ok(CornerBody {
        position: three(&body.position),
        orientation: body.attitude.0.to_vec(),
        velocity: three(&body.velocity),
        angular_velocity: three(&body.angular_velocity),
        force: three(&body.force),
        name: body.name,
        mass: body.mass,
        inertia: body.inertia,
        fixed: body.fixed,
        shape,
    })
}

fn shape_in_space(shape: FileShape) -> std::result::Result<CornerShape, String> {
    match shape {
        FileShape::Points(own) => Ok(CornerShape::Points(own)),
        FileShape::Solid(Solid::Box { half_sizes }) => Ok(CornerShape::Box(half_sizes)),
        FileShape::Solid(Solid::Polyhedron { vertices }) => Ok(CornerShape::Polyhedron(
            vertices
                .iter()
                .map(|own| own.coordinates().to_vec())
                .collect(),
        )),
        FileShape::Solid(Solid::HalfSpace { normal }) => {
            Ok(CornerShape::HalfSpace(normal.coordinates().to_vec()))
        }
        other => Err(format!(
            "{} is a round shape, which the method {METHOD} does not take; give it points, a box, a polyhedron or a half_space, or take the method stewart-trinkle or moreau-jean",
            other.word()
        )),
    }
}

const BODY: [&str; 11] = [
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
];

/// A body in the plane.
pub(super) fn body_in_plane(node: &Node<'_>) -> Result<CornerBody> {
    let fields = node.object(&BODY)?;
    let fixed = fields.or("fixed", false, Node::flag)?;
    let shape = fields.or("shape", None, |node| shape_in_plane(node).map(Some))?;
    if !fixed && matches!(shape, Some(CornerShape::HalfSpace(_))) {
        return fields.error("a half-plane cannot move; say \"fixed\": true");
    }
    let number = |field: &str| match fields.get(field) {
        Some(node) => node.number(),
        None if fixed => Ok(Rational::from(1)),
        None => fields.error(format!("the field {field:?} is missing")),
    };
    if let Some(torque) = fields.get("torque")
        && torque.number()? != 0
    {
        return torque.error(format!("the method {METHOD} has no torque; {LEAVE}"));
    }
    let inertia = number("inertia")?;
    let two = |field: &str| {
        let zero = [Rational::new(), Rational::new()];
        fields
            .or(field, zero, Node::numbers)
            .map(|own| own.to_vec())
    };
    Ok(CornerBody {
        name: name(&fields)?,
        mass: number("mass")?,
        inertia: Dense::from_fn(1, 1, |_, _| inertia.clone()),
        position: two("position")?,
        orientation: fields
            .or("orientation", [1, 0].map(Rational::from), Node::numbers)?
            .to_vec(),
        velocity: two("velocity")?,
        angular_velocity: vec![fields.or("angular_velocity", Rational::new(), Node::number)?],
        force: two("force")?,
        fixed,
        shape,
    })
}

const SHAPES: [&str; 3] = ["polygon", "points", "half_plane"];

fn shape_in_plane(node: &Node<'_>) -> Result<CornerShape> {
    let (kind, data) = node.one_of(&SHAPES)?;
    let data = &data;
    Ok(match kind {
        "polygon" => CornerShape::Polygon(points::<2>(data)?),
        "points" => CornerShape::Points(points::<2>(data)?),
        _ => CornerShape::HalfSpace(data.numbers::<2>()?.to_vec()),
    })
}
