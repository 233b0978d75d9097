//! What no world can be made of, by name.

use std::collections::HashSet;

use etalon_rigid::{Dense, SceneError};
use rug::Rational;

use super::{Body, Surfaces};
use crate::error::SpatialError;
use crate::shape::Shape;

pub(super) fn check_names<'a>(names: impl Iterator<Item = &'a String>) -> Result<(), SpatialError> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            let name = name.clone();
            return Err(SceneError::DuplicateName { name }.into());
        }
    }
    Ok(())
}

/// The inverse of a body's inertia.
pub(super) fn check_body(body: &Body) -> Result<Dense<Rational>, SpatialError> {
    let name = || body.name.clone();
    if let Some(why) = body.shape.as_ref().and_then(Shape::fault) {
        return Err(SpatialError::Shape { body: name(), why });
    }
    if body.attitude.norm_squared() == 0 {
        return Err(SceneError::Orientation { body: name() }.into());
    }
    if body.fixed {
        if !body.velocity.is_zero() || !body.angular_velocity.is_zero() {
            return Err(SpatialError::Kinematic { body: name() });
        }
        return Ok(Dense::zeros(3, 3));
    }
    if matches!(body.shape, Some(Shape::HalfSpace { .. })) {
        return Err(SpatialError::MovingHalfSpace { body: name() });
    }
    if body.mass <= 0 {
        let mass = body.mass.to_string();
        return Err(SceneError::Mass { body: name(), mass }.into());
    }
    let inertia = &body.inertia;
    let square = inertia.rows() == 3 && inertia.columns() == 3;
    if !square || !inertia.is_symmetric() || !inertia.has_positive_pivots() {
        return Err(SceneError::Inertia { body: name() }.into());
    }
    let inverse = inertia.inverse();
    inverse.ok_or_else(|| SceneError::Inertia { body: name() }.into())
}

pub(super) fn check_surfaces(surfaces: &Surfaces, bodies: &[Body]) -> Result<(), SpatialError> {
    let all = surfaces.pairs.iter().map(|(first, second, surface)| {
        (format!("the surface of {first:?} and {second:?}"), surface)
    });
    let default = [("the surfaces".to_owned(), &surfaces.default)];
    for (owner, surface) in all.chain(default) {
        let bad = |quantity, value: &Rational, range| {
            Err(SpatialError::Surface {
                owner: owner.clone(),
                quantity,
                value: value.to_string(),
                range,
            })
        };
        if surface.mu < 0 {
            return bad("mu", &surface.mu, "at least 0");
        }
        if surface.restitution < 0 || surface.restitution > 1 {
            return bad("restitution", &surface.restitution, "from 0 to 1");
        }
    }
    for (first, second, _) in &surfaces.pairs {
        for name in [first, second] {
            if !bodies.iter().any(|body| body.name == *name) {
                let known: Vec<&str> = bodies.iter().map(|body| &*body.name).collect();
                return Err(SpatialError::UnknownBody {
                    owner: format!("the surface of {first:?} and {second:?}"),
                    body: name.clone(),
                    known: known.join(", "),
                });
            }
        }
    }
    Ok(())
}
