//! From a scene to its text: one line, defaults left out, numbers exact.

use etalon_contact_forces::FrictionModel;
use etalon_rigid::{
    Body2, Body3, Contact, Dense, EndContact, Freedom, Geometry, Joint, JointKind, Link, Linkage,
    Scene, Side, Vector,
};
use rug::Rational;
use serde_json::{Map, Value, json};

use crate::instance::Question;

pub(super) fn parts<B, const D: usize>(
    fields: &mut Vec<(&'static str, Value)>,
    scene: &Scene<Rational, B, D>,
    body: impl Fn(&B) -> Value,
) {
    fields.push(("gravity", vector(&scene.gravity)));
    fields.push(("bodies", scene.bodies.iter().map(body).collect()));
    fields.push(("contacts", scene.contacts.iter().map(contact).collect()));
    if !scene.joints.is_empty() {
        fields.push(("joints", scene.joints.iter().map(joint).collect()));
    }
}

pub(super) fn number(value: &Rational) -> Value {
    value.to_string().into()
}

pub(super) fn numbers<'a>(values: impl IntoIterator<Item = &'a Rational>) -> Value {
    values.into_iter().map(number).collect()
}

pub(super) fn vector<const D: usize>(vector: &Vector<Rational, D>) -> Value {
    numbers(vector.coordinates())
}

/// An object whose fields are left out where they have their defaults.
#[derive(Default)]
pub(super) struct Object(Map<String, Value>);

impl Object {
    pub(super) fn named(name: &str) -> Self {
        Self::default().with("name", name.into())
    }

    pub(super) fn with(mut self, field: &str, value: Value) -> Self {
        self.0.insert(field.to_owned(), value);
        self
    }

    pub(super) fn unless(self, default: bool, field: &str, value: impl FnOnce() -> Value) -> Self {
        if default {
            self
        } else {
            self.with(field, value())
        }
    }

    pub(super) fn finish(self) -> Value {
        Value::Object(self.0)
    }
}

pub(super) fn body2(body: &Body2<Rational>) -> Value {
    let plain = Body2::fixed(body.name.clone());
    Object::named(&body.name)
        .unless(body.fixed && body.mass == plain.mass, "mass", || {
            number(&body.mass)
        })
        .unless(
            body.fixed && body.inertia == plain.inertia,
            "inertia",
            || number(&body.inertia),
        )
        .unless(body.position.is_zero(), "position", || {
            vector(&body.position)
        })
        .unless(body.orientation == plain.orientation, "orientation", || {
            numbers([body.orientation.cos(), body.orientation.sin()])
        })
        .unless(body.velocity.is_zero(), "velocity", || {
            vector(&body.velocity)
        })
        .unless(body.angular_velocity == 0, "angular_velocity", || {
            number(&body.angular_velocity)
        })
        .unless(body.force.is_zero(), "force", || vector(&body.force))
        .unless(body.torque == 0, "torque", || number(&body.torque))
        .unless(!body.fixed, "fixed", || true.into())
        .finish()
}

pub(super) fn body3(body: &Body3<Rational>) -> Value {
    let plain = Body3::fixed(body.name.clone());
    Object::named(&body.name)
        .unless(body.fixed && body.mass == plain.mass, "mass", || {
            number(&body.mass)
        })
        .unless(
            body.fixed && body.inertia == plain.inertia,
            "inertia",
            || inertia(&body.inertia),
        )
        .unless(body.position.is_zero(), "position", || {
            vector(&body.position)
        })
        .unless(body.orientation == plain.orientation, "orientation", || {
            matrix(body.orientation.matrix())
        })
        .unless(body.velocity.is_zero(), "velocity", || {
            vector(&body.velocity)
        })
        .unless(body.angular_velocity.is_zero(), "angular_velocity", || {
            vector(&body.angular_velocity)
        })
        .unless(body.force.is_zero(), "force", || vector(&body.force))
        .unless(body.torque.is_zero(), "torque", || vector(&body.torque))
        .unless(!body.fixed, "fixed", || true.into())
        .finish()
}

pub(super) fn matrix(matrix: &Dense<Rational>) -> Value {
    (0..matrix.rows()).map(|i| numbers(matrix.row(i))).collect()
}

pub(super) fn inertia(inertia: &Dense<Rational>) -> Value {
    let n = inertia.rows();
    let diagonal = (0..n).all(|i| (0..n).all(|j| i == j || inertia[(i, j)] == 0));
    if diagonal {
        (0..n).map(|i| number(&inertia[(i, i)])).collect()
    } else {
        matrix(inertia)
    }
}

pub(super) fn contact<const D: usize>(contact: &Contact<Rational, D>) -> Value {
    let plain =
        Contact::<Rational, D>::new("", "", "", contact.point.clone(), contact.normal.clone());
    Object::named(&contact.name)
        .with("first", contact.first.as_str().into())
        .with("second", contact.second.as_str().into())
        .with("point", vector(&contact.point))
        .with("normal", vector(&contact.normal))
        .unless(contact.tangents == plain.tangents, "tangents", || {
            contact.tangents.iter().map(vector).collect()
        })
        .unless(contact.mu == 0, "mu", || number(&contact.mu))
        .unless(contact.slip.is_none(), "slip", || {
            contact.slip.as_ref().map_or(Value::Null, vector)
        })
        .unless(contact.geometry == plain.geometry, "geometry", || {
            geometry(&contact.geometry)
        })
        .finish()
}

fn geometry(geometry: &Geometry<Rational>) -> Value {
    match geometry {
        Geometry::Face { of, radius } => {
            let face = match of {
                Side::First => "first",
                Side::Second => "second",
            };
            json!({"face": face, "radius": number(radius)})
        }
        Geometry::Round { first, second } => json!({"radii": numbers([first, second])}),
    }
}

fn joint<const D: usize>(joint: &Joint<Rational, D>) -> Value {
    let object = Object::named(&joint.name)
        .with("first", joint.first.as_str().into())
        .with("second", joint.second.as_str().into())
        .with("point", vector(&joint.point));
    joint_kind(object, &joint.kind)
        .unless(joint.limits.is_none(), "limits", || {
            numbers(joint.limits.iter().flatten())
        })
        .unless(joint.drive.is_none(), "drive", || {
            joint.drive.as_ref().map_or(
                Value::Null,
                |own| json!({"speed": number(&own.speed), "bound": number(&own.bound)}),
            )
        })
        .finish()
}

/// A joint, or what closes a loop, with its kind.
pub(super) fn joint_kind<const D: usize>(object: Object, own: &JointKind<Rational, D>) -> Object {
    match own {
        JointKind::Pin => object,
        JointKind::Slider(normal) => object.with("slider", vector(normal)),
        JointKind::Free(own) => freedom(object, own),
    }
}

/// A joint with what it allows.
pub(super) fn freedom<const D: usize>(object: Object, own: &Freedom<Rational, D>) -> Object {
    let object = object.with("kind", own.word().into());
    match own {
        Freedom::Hinge { axis } | Freedom::Slider { axis } => object.with("axis", vector(axis)),
        Freedom::Universal { axis, second_axis } => object
            .with("axis", vector(axis))
            .with("second_axis", vector(second_axis)),
        Freedom::Ball | Freedom::Fixed => object,
    }
}

pub(super) fn linkage(linkage: &Linkage<Rational>) -> Value {
    let links = linkage.links.iter().map(link).collect();
    let object = Object::default().with("links", links);
    let contacts = || linkage.contacts.iter().map(end_contact).collect();
    object
        .unless(linkage.contacts.is_empty(), "contacts", contacts)
        .finish()
}

fn link(link: &Link<Rational>) -> Value {
    Object::default()
        .with("mass", number(&link.mass))
        .with("inertia", number(&link.inertia))
        .with("length", number(&link.length))
        .with("centre", number(&link.centre))
        .with("angle", numbers([link.angle.cos(), link.angle.sin()]))
        .unless(link.rate == 0, "rate", || number(&link.rate))
        .unless(link.torque == 0, "torque", || number(&link.torque))
        .finish()
}

fn end_contact(contact: &EndContact<Rational>) -> Value {
    Object::named(&contact.name)
        .with("link", contact.link.into())
        .with("normal", vector(&contact.normal))
        .unless(contact.mu == 0, "mu", || number(&contact.mu))
        .finish()
}

pub(super) fn question(question: &Question) -> Value {
    match question {
        Question::Forces(FrictionModel::None) => json!({"friction": "none"}),
        Question::Forces(FrictionModel::Circular) => json!({"friction": "circular"}),
        Question::Forces(FrictionModel::Rows) => json!({"friction": "rows"}),
        Question::Forces(FrictionModel::Polyhedral(k)) => {
            json!({"friction": "polyhedral", "directions": k})
        }
        Question::Impact(restitution) => json!({"impact": number(restitution)}),
        Question::Strike(own) => Object::default()
            .with("impact", number(&own.restitution))
            .with("law", own.law.word().into())
            .unless(own.directions.is_none(), "friction", || "polyhedral".into())
            .unless(own.directions.is_none(), "directions", || {
                json!(own.directions)
            })
            .finish(),
    }
}
