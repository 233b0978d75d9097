//! From a scene in space, in motion, to its text.

use etalon_rigid::Vector3;
use etalon_spatial::{
    Body, BodyPiece, Drive, ImpactLaw, Joint, Quaternion, Shape, Surface, Surfaces,
};
use etalon_time_stepping::{Activation, Scheme};
use rug::Rational;
use serde_json::{Value, json};

use super::FORMAT;
use super::write::{Object, freedom, inertia, number, numbers, vector};
use crate::space::SpaceScene;

/// The record on one line; reading it gives the same scene.
pub fn write_space(scene: &SpaceScene) -> String {
    space_value(scene).to_string()
}

/// The record.
pub fn space_value(scene: &SpaceScene) -> Value {
    let bodies = scene.bodies.iter().map(shaped);
    let joints = scene.joints.iter().map(|own| joint(own, &scene.bodies));
    Object::named(&scene.name)
        .with("format", FORMAT.into())
        .unless(scene.notes.is_none(), "notes", || json!(scene.notes))
        .with("gravity", vector(&scene.gravity))
        .with("bodies", bodies.collect())
        .unless(scene.joints.is_empty(), "joints", || joints.collect())
        .with("motion", motion(scene))
        .finish()
}

fn motion(scene: &SpaceScene) -> Value {
    let object = Object::default()
        .with("h", number(&scene.settings.h))
        .with("steps", scene.steps.into())
        .with("method", scene.settings.method.to_string().into())
        .with("cone", scene.settings.cone.to_string().into())
        .unless(
            scene.settings.impact == ImpactLaw::default(),
            "impact",
            || scene.settings.impact.to_string().into(),
        )
        .unless(scene.settings.scheme == Scheme::Linear, "scheme", || {
            scene.settings.scheme.name().into()
        })
        .unless(
            scene.settings.activation == Activation::All,
            "activation",
            || scene.settings.activation.name().into(),
        );
    surfaces(object, &scene.surfaces)
}

/// An object with the fields of surfaces.
pub(super) fn surfaces(object: Object, own: &Surfaces) -> Value {
    // What a pair does not say is that of all; what nobody says is 0.
    let surface = |object: Object, own: &Surface, plain: &Surface| {
        object
            .with("mu", number(&own.mu))
            .with("restitution", number(&own.restitution))
            .unless(own.torsion == plain.torsion, "torsion", || {
                number(&own.torsion)
            })
            .unless(own.rolling == plain.rolling, "rolling", || {
                number(&own.rolling)
            })
            .unless(own.grain.is_none(), "across", || {
                own.grain
                    .as_ref()
                    .map_or(Value::Null, |own| number(&own.across))
            })
            .unless(own.grain.is_none(), "along", || {
                own.grain
                    .as_ref()
                    .map_or(Value::Null, |own| vector(&own.along))
            })
    };
    let pairs = own.pairs.iter().map(|(first, second, of_pair)| {
        let object = Object::default()
            .with("first", json!(first))
            .with("second", json!(second));
        surface(object, of_pair, &own.default).finish()
    });
    surface(object, &own.default, &Surface::default())
        .unless(own.pairs.is_empty(), "surfaces", || pairs.collect())
        .finish()
}

/// A body without its shape.
pub(super) fn body(own: &Body) -> Object {
    let zero = |vector: &Vector3<Rational>| vector.is_zero();
    let object = Object::named(&own.name)
        .unless(own.fixed, "mass", || number(&own.mass))
        .unless(own.fixed, "inertia", || inertia(&own.inertia))
        .unless(zero(&own.position), "position", || vector(&own.position))
        .unless(
            own.attitude == Quaternion::identity(),
            "orientation",
            || numbers(&own.attitude.0),
        );
    object
        .unless(zero(&own.velocity), "velocity", || vector(&own.velocity))
        .unless(zero(&own.angular_velocity), "angular_velocity", || {
            vector(&own.angular_velocity)
        })
        .unless(zero(&own.force), "force", || vector(&own.force))
        .unless(zero(&own.torque), "torque", || vector(&own.torque))
        .unless(!own.fixed, "fixed", || true.into())
}

fn shaped(own: &Body) -> Value {
    body(own)
        .unless(own.shape.is_none(), "shape", || {
            own.shape.as_ref().map_or(Value::Null, shape)
        })
        .unless(own.pieces.is_empty(), "pieces", || {
            own.pieces.iter().map(piece).collect()
        })
        .finish()
}

fn piece(own: &BodyPiece) -> Value {
    Object::named(&own.name)
        .with("shape", shape(&own.shape))
        .unless(own.at.is_zero(), "at", || vector(&own.at))
        .unless(
            own.attitude == Quaternion::identity(),
            "orientation",
            || numbers(&own.attitude.0),
        )
        .finish()
}

fn shape(own: &Shape) -> Value {
    let round = |radius: &Rational, half_length: &Rational| json!({"radius": number(radius), "half_length": number(half_length)});
    match own {
        Shape::Sphere { radius } => json!({"sphere": number(radius)}),
        Shape::Box { half_sizes } => json!({"box": numbers(half_sizes)}),
        Shape::Capsule {
            radius,
            half_length,
        } => json!({"capsule": round(radius, half_length)}),
        Shape::Cylinder {
            radius,
            half_length,
        } => json!({"cylinder": round(radius, half_length)}),
        Shape::Polyhedron { vertices } => {
            let vertices: Vec<Value> = vertices.iter().map(vector).collect();
            json!({"polyhedron": vertices})
        }
        Shape::HalfSpace { normal } => json!({"half_space": vector(normal)}),
    }
}

fn joint(own: &Joint, bodies: &[Body]) -> Value {
    let name = |body: usize| json!(bodies.get(body).map(|body| &body.name));
    let object = Object::named(&own.name)
        .with("first", name(own.first))
        .with("second", name(own.second))
        .with("point", vector(&own.point));
    let object = freedom(object, &own.kind);
    let drive = |own: &Drive| json!({"speed": number(&own.speed), "bound": number(&own.bound)});
    object
        .unless(own.limits.is_none(), "limits", || {
            own.limits.as_ref().map_or(Value::Null, numbers)
        })
        .unless(own.drive.is_none(), "drive", || {
            own.drive.as_ref().map_or(Value::Null, drive)
        })
        .finish()
}
