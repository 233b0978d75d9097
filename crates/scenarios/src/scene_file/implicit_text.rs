//! From a scene of bodies with implicit surfaces to its text.

use etalon_time_stepping::implicit::Shape;
use serde_json::{Value, json};

use super::FORMAT;
use super::space_text::{body, surfaces};
use super::write::{Object, number, numbers, vector};
use crate::space::{ImplicitBody, ImplicitScene, MotionMethod};

/// The record.
pub fn implicit_value(scene: &ImplicitScene) -> Value {
    let bodies = scene.bodies.iter().map(formed);
    let motion = Object::default()
        .with("h", number(&scene.h))
        .with("steps", scene.steps.into())
        .with("method", MotionMethod::ChakrabortyBerard.word().into());
    Object::named(&scene.name)
        .with("format", FORMAT.into())
        .unless(scene.notes.is_none(), "notes", || json!(scene.notes))
        .with("gravity", vector(&scene.gravity))
        .with("bodies", bodies.collect())
        .with("motion", surfaces(motion, &scene.surfaces))
        .finish()
}

fn formed(own: &ImplicitBody) -> Value {
    body(&own.body)
        .unless(own.shape.is_none(), "shape", || {
            own.shape.as_ref().map_or(Value::Null, shape)
        })
        .finish()
}

fn shape(own: &Shape) -> Value {
    match own {
        Shape::HalfSpace { normal, .. } => json!({"half_space": numbers(normal)}),
        Shape::Ellipsoid { half_axes } if half_axes.windows(2).all(|own| own[0] == own[1]) => {
            json!({"sphere": half_axes.first().map(number)})
        }
        Shape::Ellipsoid { half_axes } => json!({"ellipsoid": numbers(half_axes)}),
        Shape::Superquadric {
            half_axes,
            exponents: [m, n],
        } if m == n => json!({"superquadric": {"half_axes": numbers(half_axes), "exponent": n}}),
        Shape::Superquadric {
            half_axes,
            exponents,
        } => json!({"superquadric": {"half_axes": numbers(half_axes), "exponents": exponents}}),
        // No scene of a file has another one.
        _ => Value::Null,
    }
}
