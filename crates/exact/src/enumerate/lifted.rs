//! The solution set in the variables of the problem.
//!
//! A solution of the mixed form has a multiplier for each row bounded on both sides; where the
//! bounds are the same number there (fixed rows, friction without pressure) many multipliers go
//! with one z. So what is apart in the mixed form may coincide here, or overlap.

use etalon_lcp::{Cover, CoverNode, Enumeration, Number, Reduction, SolutionFace};
use rug::Rational;

use super::member::Hull;
use super::{Face, SolutionSet};
use crate::budget::{Budget, Exhausted, Meter};

/// The solution set of a problem from that of its mixed form.
///
/// # Errors
/// [`Exhausted`].
pub(crate) fn lifted(
    set: SolutionSet,
    reduction: &Reduction,
    budget: &Budget,
) -> Result<Enumeration, Exhausted> {
    let complete = set.is_complete();
    if reduction.is_identity() {
        return Ok(Enumeration {
            complete,
            isolated: set.isolated.into_iter().map(numbers).collect(),
            faces: set.faces.into_iter().map(face).collect(),
            cover: set.cover,
        });
    }
    let mut meter = Meter::new(budget);
    let mut points = Vec::new();
    for z in &set.isolated {
        push_new(&mut points, reduction.lift(z));
    }
    let mut hulls: Vec<Hull> = Vec::new();
    for face in &set.faces {
        let hull = project(face, reduction);
        // A face whose points differ in a multiplier only is one solution.
        if hull.face.complete && hull.face.vertices.len() == 1 && hull.face.rays.is_empty() {
            push_new(&mut points, hull.face.vertices[0].clone());
            continue;
        }
        let mut known = false;
        for other in &hulls {
            known = known || other.contains_face(&hull.face, &mut meter)?;
        }
        if known {
            continue;
        }
        let mut others = Vec::new();
        for other in hulls {
            if !hull.contains_face(&other.face, &mut meter)? {
                others.push(other);
            }
        }
        hulls = others;
        hulls.push(hull);
    }
    let mut isolated = Vec::new();
    for z in points {
        let mut on_face = false;
        for hull in &hulls {
            on_face = on_face || hull.contains(&z, &mut meter)?;
        }
        if !on_face {
            isolated.push(numbers(z));
        }
    }
    Ok(Enumeration {
        complete,
        isolated,
        faces: hulls.into_iter().map(|hull| face(hull.face)).collect(),
        cover: with_rays_of(set.cover, reduction),
    })
}

/// A cover without the rays along which only multipliers move: a ray of a certificate is one of z.
fn with_rays_of(mut cover: Cover, reduction: &Reduction) -> Cover {
    let moves_z = |ray: &Vec<Number>| {
        let ray: Vec<_> = ray.iter().map(Number::to_rational).collect();
        let lifted = reduction.lift_direction(&ray);
        lifted.iter().any(|value| !value.is_zero())
    };
    for node in &mut cover.nodes {
        if let CoverNode::Face { rays, .. } = node {
            rays.retain(moves_z);
        }
    }
    cover
}

fn project(face: &Face, reduction: &Reduction) -> Hull {
    let mut projected = Face {
        complete: face.complete,
        ..Face::default()
    };
    for z in &face.vertices {
        push_new(&mut projected.vertices, reduction.lift(z));
    }
    for ray in &face.rays {
        let ray = reduction.lift_direction(ray);
        if ray.iter().any(|value| !value.is_zero()) {
            push_new(&mut projected.rays, ray);
        }
    }
    Hull::new(projected)
}

fn face(face: Face) -> SolutionFace {
    SolutionFace {
        vertices: face.vertices.into_iter().map(numbers).collect(),
        rays: face.rays.into_iter().map(numbers).collect(),
    }
}

fn push_new(list: &mut Vec<Vec<Rational>>, item: Vec<Rational>) {
    if !list.contains(&item) {
        list.push(item);
    }
}

fn numbers(values: Vec<Rational>) -> Vec<Number> {
    values.into_iter().map(Number::from).collect()
}
