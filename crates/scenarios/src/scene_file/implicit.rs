//! From a scene of a file to bodies with implicit surfaces.

use std::collections::HashSet;

use etalon_spatial::{Body, Cone, Shape as Solid, Surface};
use etalon_time_stepping::implicit::Shape;
use rug::Rational;

use super::SceneFileError;
use super::node::{Fields, Node};
use super::shape::FileShape;
use super::space::{ReadBody, ReadMotion, check_rules};
use crate::space::{ImplicitBody, ImplicitScene, MotionMethod, no_compression};

type Result<T> = std::result::Result<T, SceneFileError>;

/// What to do where the method does not take something.
const OTHERS: &str = "leave it out, or take the method stewart-trinkle or moreau-jean";

/// The most pairs of bodies: the closest points of all of them are unknowns of one dense system.
const MAX_PAIRS: usize = 64;

pub(super) fn implicit_scene(
    scene: &Fields<'_>,
    nodes: &[Node<'_>],
    bodies: Vec<ReadBody>,
    motion: ReadMotion,
) -> Result<ImplicitScene> {
    let method = MotionMethod::ChakrabortyBerard;
    if motion.cone.is_some_and(|cone| cone != Cone::Circular) {
        return scene.error(format!(
            "motion.cone: the method {method} has the circular cone alone; say \"circular\", or leave the cone out"
        ));
    }
    if let Some(why) = motion.impact.and_then(no_compression) {
        return scene.error(format!("motion.impact: {why}"));
    }
    check_rules(scene, &motion)?;
    if let Some(joint) = scene.list("joints")?.first() {
        return joint.error(format!("the method {method} has no joints; {OTHERS}"));
    }
    let bodies = bodies.into_iter().zip(nodes);
    let bodies = bodies.map(|(own, node)| body(own, node));
    let bodies: Vec<ImplicitBody> = bodies.collect::<Result<_>>()?;
    check_names(&bodies, nodes)?;
    let movers = bodies.iter().filter(|own| !own.body.fixed).count();
    if movers == 0 {
        return scene.error("bodies: all of them are fixed; one has to move");
    }
    let (name, notes) = scene.name_and_notes()?;
    let own = ImplicitScene {
        name,
        notes,
        gravity: scene.need("gravity")?.vector()?,
        bodies,
        surfaces: motion.surfaces,
        h: motion.h,
        steps: motion.steps,
    };
    check_surfaces(scene, &own)?;
    check_pairs(scene, &own)?;
    Ok(own)
}

fn body(own: ReadBody, node: &Node<'_>) -> Result<ImplicitBody> {
    let ReadBody { body, shape } = own;
    let method = MotionMethod::ChakrabortyBerard;
    let wrong = |why: String| node.error(format!("body {:?}: {why}", body.name));
    if !body.fixed && body.mass <= 0 {
        return wrong(format!(
            "the field \"mass\" is {}, but must be above 0",
            body.mass
        ));
    }
    if body.fixed && !(body.force.is_zero() && body.torque.is_zero()) {
        return wrong(
            "the fields \"force\" and \"torque\": a fixed body feels none; leave them out"
                .to_owned(),
        );
    }
    if !body.pieces.is_empty() {
        return wrong(format!(
            "the field \"pieces\": the method {method} has bodies of one smooth surface; {OTHERS}"
        ));
    }
    let shape = match shape.map(surface).transpose() {
        Ok(shape) => shape,
        Err(why) => return wrong(format!("the field \"shape\": {why}")),
    };
    if let Some(why) = inertia_fault(&body) {
        return wrong(format!("the field \"inertia\": {why}"));
    }
    Ok(ImplicitBody { body, shape })
}

/// The surface of a shape, or why the method has none for it.
fn surface(shape: FileShape) -> std::result::Result<Shape, String> {
    match shape {
        FileShape::Smooth(shape) => Ok(shape),
        FileShape::Solid(Solid::Sphere { radius }) if radius > 0 => Ok(Shape::ball(3, radius)),
        FileShape::Solid(Solid::Sphere { radius }) => {
            Err(format!("the radius is {radius}, but must be above 0"))
        }
        FileShape::Solid(Solid::HalfSpace { normal }) if !normal.is_zero() => {
            Ok(Shape::HalfSpace {
                normal: normal.coordinates().to_vec(),
                offset: Rational::new(),
            })
        }
        FileShape::Solid(Solid::HalfSpace { .. }) => {
            Err("the normal is zero; give it a direction".to_owned())
        }
        FileShape::Points(_) => Err(format!(
            "points have no surface, which the method {} needs; give a sphere, ellipsoid, superquadric or half_space, or take the method {}",
            MotionMethod::ChakrabortyBerard,
            MotionMethod::EganTrinkle
        )),
        other => Err(format!(
            "a {} has edges or flat sides, which the method {} does not take; give it a sphere, ellipsoid, superquadric or half_space, or take the method stewart-trinkle or moreau-jean",
            other.word(),
            MotionMethod::ChakrabortyBerard
        )),
    }
}

/// Why the moments of a body that moves are none that can be stepped.
fn inertia_fault(body: &Body) -> Option<String> {
    let moments: Vec<&Rational> = (0..3).map(|k| &body.inertia[(k, k)]).collect();
    let beside = (0..3).any(|i| (0..3).any(|j| i != j && body.inertia[(i, j)] != 0));
    if beside {
        return Some("the method chakraborty-berard takes three principal moments; turn the body's axes (\"orientation\") to them".to_owned());
    }
    if let Some(bad) = moments.iter().find(|own| ***own <= 0) {
        return Some(format!("a moment is {bad}, but must be above 0"));
    }
    let sum = moments.iter().fold(Rational::new(), |sum, own| sum + *own);
    let larger = moments
        .iter()
        .find(|own| Rational::from(**own * 2u32) > sum)?;
    (!body.fixed).then(|| {
        format!("no body has it, since the moment {larger} is larger than the other two together; lower it")
    })
}

fn check_names(bodies: &[ImplicitBody], nodes: &[Node<'_>]) -> Result<()> {
    let mut seen = HashSet::new();
    for (own, node) in bodies.iter().zip(nodes) {
        if !seen.insert(&own.body.name) {
            return node.error(format!(
                "the name {:?} is that of another body; rename one",
                own.body.name
            ));
        }
    }
    Ok(())
}

/// Friction and restitution alone.
fn check_surfaces(scene: &Fields<'_>, own: &ImplicitScene) -> Result<()> {
    let known = |name: &String| own.bodies.iter().any(|own| own.body.name == *name);
    let pairs = own.surfaces.pairs.iter().enumerate();
    let pairs = pairs.map(|(k, (first, second, surface))| {
        (
            format!("motion.surfaces[{k}]"),
            surface,
            vec![first, second],
        )
    });
    let default = ("motion".to_owned(), &own.surfaces.default, Vec::new());
    for (place, surface, names) in pairs.chain([default]) {
        if let Some(name) = names.into_iter().find(|name| !known(name)) {
            return scene.error(format!("{place}: there is no body {name:?}"));
        }
        if let Some(why) = surface_fault(surface) {
            return scene.error(format!("{place}: {why}"));
        }
    }
    Ok(())
}

fn surface_fault(surface: &Surface) -> Option<String> {
    let method = MotionMethod::ChakrabortyBerard;
    if surface.rolling != 0 {
        let rolling = &surface.rolling;
        return Some(format!(
            "rolling is {rolling}, and the method {method} has none; {OTHERS}"
        ));
    }
    if surface.restitution < 0 || surface.restitution > 1 {
        let own = &surface.restitution;
        return Some(format!("restitution is {own}, but must be from 0 to 1"));
    }
    if surface.grain.is_some() {
        return Some(format!(
            "\"across\": the method {method} has no grain; {OTHERS}"
        ));
    }
    let coefficients = [("mu", &surface.mu), ("torsion", &surface.torsion)];
    let negative = coefficients.into_iter().find(|(_, value)| **value < 0);
    negative.map(|(name, value)| format!("{name} is {value}, but must be at least 0"))
}

fn check_pairs(scene: &Fields<'_>, own: &ImplicitScene) -> Result<()> {
    let count = |fixed: bool| {
        let shaped = own.bodies.iter().filter(|own| own.shape.is_some());
        shaped.filter(|own| own.body.fixed == fixed).count()
    };
    let (moving, fixed) = (count(false), count(true));
    let pairs = moving * moving.saturating_sub(1) / 2 + moving * fixed;
    if pairs <= MAX_PAIRS {
        return Ok(());
    }
    scene.error(format!(
        "bodies: {pairs} pairs may touch, over the limit of {MAX_PAIRS} of the method {}; leave bodies out, or take the method stewart-trinkle or moreau-jean",
        MotionMethod::ChakrabortyBerard
    ))
}
