//! From a scene of bodies that keep their points out of convex bodies to its text.

use etalon_time_stepping::Scheme;
use rug::Rational;
use serde_json::{Value, json};

use super::FORMAT;
use super::space_text::surfaces;
use super::write::{Object, inertia, number, numbers};
use crate::space::{CornerBody, CornerScene, CornerShape};

/// The record.
pub fn corner_value(scene: &CornerScene) -> Value {
    let motion = Object::default()
        .with("h", number(&scene.h))
        .with("steps", scene.steps.into())
        .with("method", scene.method().word().into())
        .unless(scene.dimension() == 2, "cone", || {
            format!("pyramid:{}", scene.sides).into()
        })
        .unless(scene.scheme == Scheme::Linear, "scheme", || {
            scene.scheme.name().into()
        });
    Object::named(&scene.name)
        .with("format", FORMAT.into())
        .unless(scene.notes.is_none(), "notes", || json!(scene.notes))
        .with("gravity", numbers(&scene.gravity))
        .with("bodies", scene.bodies.iter().map(body).collect())
        .with("motion", surfaces(motion, &scene.surfaces))
        .finish()
}

fn body(own: &CornerBody) -> Value {
    let zero = |values: &[Rational]| values.iter().all(|own| *own == 0);
    let unturned = own.orientation[0] > 0 && zero(&own.orientation[1..]);
    let in_plane = own.inertia.rows() == 1;
    Object::named(&own.name)
        .unless(own.fixed, "mass", || number(&own.mass))
        .unless(own.fixed, "inertia", || match in_plane {
            true => number(&own.inertia[(0, 0)]),
            false => inertia(&own.inertia),
        })
        .unless(zero(&own.position), "position", || numbers(&own.position))
        .unless(unturned, "orientation", || numbers(&own.orientation))
        .unless(zero(&own.velocity), "velocity", || numbers(&own.velocity))
        .unless(
            zero(&own.angular_velocity),
            "angular_velocity",
            || match in_plane {
                true => number(&own.angular_velocity[0]),
                false => numbers(&own.angular_velocity),
            },
        )
        .unless(zero(&own.force), "force", || numbers(&own.force))
        .unless(!own.fixed, "fixed", || true.into())
        .unless(own.shape.is_none(), "shape", || {
            own.shape.as_ref().map_or(Value::Null, shape)
        })
        .finish()
}

fn shape(own: &CornerShape) -> Value {
    let list = |points: &[Vec<Rational>]| -> Value { points.iter().map(numbers).collect() };
    match own {
        CornerShape::Points(points) => json!({"points": list(points)}),
        CornerShape::Polygon(points) => json!({"polygon": list(points)}),
        CornerShape::Polyhedron(points) => json!({"polyhedron": list(points)}),
        CornerShape::Box(half) => json!({"box": numbers(half)}),
        CornerShape::HalfSpace(normal) if normal.len() == 2 => {
            json!({"half_plane": numbers(normal)})
        }
        CornerShape::HalfSpace(normal) => json!({"half_space": numbers(normal)}),
    }
}
