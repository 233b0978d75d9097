//! From a mechanism in joint space to its text.

use etalon_rigid::{
    Body2, Body3, Frame, GROUND, LinkFreedom, LinkJoint, Loop, Mechanism, Rotation2, Rotation3,
    Segment, TreeLink,
};
use rug::Rational;
use serde_json::Value;

use super::write::{Object, contact, inertia, joint_kind, matrix, number, numbers, vector};

/// What a file has in other ways in the plane and in space.
pub(super) trait Writing<const D: usize>: Segment<Rational, D> {
    /// Mass, inertia and loads of a link, in an object that has its name.
    fn link(&self) -> Object;

    /// An orientation.
    fn rotation(own: &Self::Frame) -> Value;

    /// Whether the axis that a link turns about need not be said.
    fn is_plain(axis: &[Rational]) -> bool;
}

fn angle(own: &Rotation2<Rational>) -> Value {
    numbers([own.cos(), own.sin()])
}

impl Writing<2> for Body2<Rational> {
    fn link(&self) -> Object {
        Object::named(&self.name)
            .with("mass", number(&self.mass))
            .with("inertia", number(&self.inertia))
            .unless(self.position.is_zero(), "centre", || vector(&self.position))
            .unless(
                self.orientation == Rotation2::identity(),
                "orientation",
                || angle(&self.orientation),
            )
            .unless(self.force.is_zero(), "force", || vector(&self.force))
            .unless(self.torque == 0, "torque", || number(&self.torque))
    }

    fn rotation(own: &Rotation2<Rational>) -> Value {
        angle(own)
    }

    fn is_plain(axis: &[Rational]) -> bool {
        axis == [1]
    }
}

impl Writing<3> for Body3<Rational> {
    fn link(&self) -> Object {
        Object::named(&self.name)
            .with("mass", number(&self.mass))
            .with("inertia", inertia(&self.inertia))
            .unless(self.position.is_zero(), "centre", || vector(&self.position))
            .unless(
                self.orientation == Rotation3::identity(),
                "orientation",
                || matrix(self.orientation.matrix()),
            )
            .unless(self.force.is_zero(), "force", || vector(&self.force))
            .unless(self.torque.is_zero(), "torque", || vector(&self.torque))
    }

    fn rotation(own: &Rotation3<Rational>) -> Value {
        matrix(own.matrix())
    }

    fn is_plain(_: &[Rational]) -> bool {
        false
    }
}

pub(super) fn mechanism<B: Writing<D>, const D: usize>(own: &Mechanism<Rational, B, D>) -> Value {
    let links = own.links.iter().map(link).collect();
    Object::default()
        .with("links", links)
        .unless(own.contacts.is_empty(), "contacts", || {
            own.contacts.iter().map(contact).collect()
        })
        .unless(own.loops.is_empty(), "loops", || {
            own.loops.iter().map(closing).collect()
        })
        .finish()
}

fn link<B: Writing<D>, const D: usize>(own: &TreeLink<Rational, B, D>) -> Value {
    own.body
        .link()
        .unless(own.parent == GROUND, "parent", || {
            own.parent.as_str().into()
        })
        .with("joint", joint::<B, D>(&own.joint))
        .finish()
}

fn joint<B: Writing<D>, const D: usize>(own: &LinkJoint<Rational, B::Frame, D>) -> Value {
    let object = Object::default()
        .unless(own.point.is_zero(), "point", || vector(&own.point))
        .unless(own.frame == B::Frame::identity(), "frame", || {
            B::rotation(&own.frame)
        });
    let still = |values: &[Rational]| values.iter().all(|value| *value == 0);
    let rates = |values: &[Rational]| match values {
        [value] => number(value),
        values => numbers(values),
    };
    freedom::<B, D>(object, &own.freedom)
        .unless(still(&own.rates), "rate", || rates(&own.rates))
        .unless(still(&own.efforts), "effort", || rates(&own.efforts))
        .finish()
}

fn freedom<B: Writing<D>, const D: usize>(
    object: Object,
    own: &LinkFreedom<Rational, B::Frame, D>,
) -> Object {
    let turned = |object: Object, own: &B::Frame| {
        object.unless(*own == B::Frame::identity(), "orientation", || {
            B::rotation(own)
        })
    };
    match own {
        LinkFreedom::Fixed => object.with("kind", "fixed".into()),
        LinkFreedom::Revolute {
            axis,
            position,
            limits,
        } => object
            .with("kind", "revolute".into())
            .unless(B::is_plain(axis), "axis", || numbers(axis))
            .unless(*position == Rotation2::identity(), "position", || {
                angle(position)
            })
            .unless(limits.is_none(), "limits", || {
                limits.iter().flatten().map(angle).collect()
            }),
        LinkFreedom::Prismatic {
            axis,
            position,
            limits,
        } => object
            .with("kind", "prismatic".into())
            .with("axis", vector(axis))
            .unless(*position == 0, "position", || number(position))
            .unless(limits.is_none(), "limits", || {
                numbers(limits.iter().flatten())
            }),
        LinkFreedom::Ball { orientation } => {
            turned(object.with("kind", "ball".into()), orientation)
        }
        LinkFreedom::Floating {
            position,
            orientation,
        } => turned(object.with("kind", "floating".into()), orientation).unless(
            position.is_zero(),
            "position",
            || vector(position),
        ),
    }
}

fn closing<const D: usize>(own: &Loop<Rational, D>) -> Value {
    let points = own.points.iter().map(vector).collect();
    let object = Object::named(&own.name)
        .with("first", own.first.as_str().into())
        .with("second", own.second.as_str().into())
        .with("points", points);
    joint_kind(object, &own.kind).finish()
}
