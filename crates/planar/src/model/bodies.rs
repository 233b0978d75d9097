//! Bodies: from the description to what a step works with.

use crate::body::{Motion, Solid};
use crate::error::WorldError;
use crate::geometry::{Shape, Vec2};
use crate::range::{check, elasticity, finite, friction, positive};
use crate::scene::BodySpec;

/// The solid of a body, and its motion at the start.
pub(super) fn body(spec: &BodySpec) -> Result<(Solid, Motion), WorldError> {
    let name = &spec.name;
    let shape = Shape::new(&spec.path).map_err(|error| WorldError::Path {
        body: name.clone(),
        error,
    })?;
    let inverse_mass = inverse(&format!("the mass of {name}"), spec.mass)?;
    let inverse_inertia = inverse(&format!("the inertia of {name}"), spec.inertia)?;
    let values = start(spec)?;
    let cm = spec.center_of_mass;
    finite(format!("the centre of mass of {name}"), &cm)?;
    elasticity(format!("the elasticity of {name}"), spec.elasticity)?;
    friction(format!("the friction of {name}"), spec.friction)?;
    let solid = Solid {
        shape,
        inverse_mass,
        inverse_inertia,
        elasticity: spec.elasticity,
        friction: spec.friction,
        cm: Vec2::from(cm),
    };
    if solid.is_fixed() {
        check_fixed(spec)?;
    }
    let motion = Motion::new(solid.cm, &values);
    Ok((solid, motion))
}

/// One over a mass or a moment of inertia; 0 for a body without one, which is fixed.
fn inverse(what: &str, value: Option<f64>) -> Result<f64, WorldError> {
    let Some(value) = value else {
        return Ok(0.0);
    };
    positive(what, value)?;
    Ok(1.0 / value)
}

/// x, vx, y, vy, angle, spin at the start.
fn start(spec: &BodySpec) -> Result<[f64; 6], WorldError> {
    let values = [
        spec.position[0],
        spec.velocity[0],
        spec.position[1],
        spec.velocity[1],
        spec.angle,
        spec.angular_velocity,
    ];
    finite(format!("the state of {}", spec.name), &values)?;
    Ok(values)
}

/// Refuses a fixed body with an inertia or a velocity.
fn check_fixed(spec: &BodySpec) -> Result<(), WorldError> {
    let name = &spec.name;
    if let Some(inertia) = spec.inertia {
        let what = format!("the inertia of {name}");
        check(false, what, inertia, "none for a fixed body")?;
    }
    let velocities = [spec.velocity[0], spec.velocity[1], spec.angular_velocity];
    for velocity in velocities {
        let what = format!("a velocity of {name}");
        check(velocity == 0.0, what, velocity, "0 for a fixed body")?;
    }
    Ok(())
}
