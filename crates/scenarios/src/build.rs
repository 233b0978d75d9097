//! Words that scenes are written in.

use etalon_contact_forces::FrictionModel;
use etalon_rigid::{Body2, Body3, Contact, Scene2, Scene3, Vector, Vector2, Vector3};
use rug::Rational;

use crate::instance::Question;
use crate::parameter::Values;

pub type Q = Rational;

pub fn int(value: i64) -> Q {
    Q::from(value)
}

pub fn frac(numerator: i64, denominator: i64) -> Q {
    Q::from((numerator, denominator))
}

pub fn xy(x: impl Into<Q>, y: impl Into<Q>) -> Vector2<Q> {
    Vector::new([x.into(), y.into()])
}

pub fn xyz(x: impl Into<Q>, y: impl Into<Q>, z: impl Into<Q>) -> Vector3<Q> {
    Vector::new([x.into(), y.into(), z.into()])
}

/// A plane scene with gravity and the fixed body "ground".
pub fn plane(values: &Values) -> Scene2<Q> {
    Scene2::new(xy(0, -values.get("g"))).body(Body2::fixed("ground"))
}

/// A scene of space with gravity and the fixed body "ground".
pub fn space(gravity: Vector3<Q>) -> Scene3<Q> {
    Scene3::new(gravity).body(Body3::fixed("ground"))
}

pub fn contact2(
    name: impl Into<String>,
    bodies: (&str, &str),
    point: Vector2<Q>,
    normal: Vector2<Q>,
) -> Contact<Q, 2> {
    Contact::new(name, bodies.0, bodies.1, point, normal)
}

pub const FRICTIONLESS: Question = Question::Forces(FrictionModel::None);
pub const ROWS: Question = Question::Forces(FrictionModel::Rows);
