//! Named scenes in space.

pub mod boxes;
pub mod dominoes;
pub mod flight;
pub mod impacts;
pub mod ladder;
pub mod linkage;
pub mod superquadric;
pub mod table;
pub mod wheel;

use etalon_rigid::{Dense, Vector};
use etalon_spatial::{
    Body, Cone, ImpactLaw, Quaternion, Settings, Shape, SpaceMethod, Surface, Surfaces,
};
use etalon_time_stepping::StepError;
use rug::Rational;

use super::SpaceScene;
use crate::motion::scene::{activated, scheme_ahead};
use crate::parameter::{Parameter, Values, any};
use crate::view::View;

const METHODS: &[&str] = &["stewart-trinkle", "moreau-jean"];

/// What a step makes of gaps and impacts.
pub const METHOD: Parameter = any(
    "method",
    "stewart-trinkle",
    "",
    "gaps at the end of the step by complementarity, or velocities at closed contacts",
)
.choice(METHODS);

const CONES: &[&str] = &[
    "pyramid:4",
    "pyramid:8",
    "pyramid:12",
    "pyramid:16",
    "pyramid:24",
    "circular",
];

/// The friction cone.
pub const fn cone(default: &'static str) -> Parameter {
    any(
        "cone",
        default,
        "",
        "a pyramid of K sides inside the circle, or the circle",
    )
    .choice(CONES)
}

const IMPACTS: &[&str] = &["newton", "poisson"];

/// What restitution gives back.
pub const IMPACT: Parameter = any(
    "impact",
    "poisson",
    "",
    "the law of restitution: of speeds, or of impulses in a compression and a decompression",
)
.choice(IMPACTS);

/// The law of a scene that has it for a parameter.
fn impact(values: &Values) -> ImpactLaw {
    word(values, "impact", IMPACTS).parse().unwrap_or_default()
}

/// The page draws them in three dimensions, and pictures by their silhouettes.
pub fn no_view(_: &Values) -> Result<Vec<View>, StepError> {
    Ok(Vec::new())
}

/// A word of a choice; the lists have what is parsed.
fn word(values: &Values, name: &str, words: &[&'static str]) -> &'static str {
    words.get(values.count(name)).copied().unwrap_or_default()
}

/// A scene under gravity with what all have: h, steps, method, cone, mu and e.
fn scene(name: &str, values: &Values, bodies: Vec<Body>) -> SpaceScene {
    let method = word(values, "method", METHODS).parse().unwrap_or_default();
    let cone = word(values, "cone", CONES).parse();
    SpaceScene {
        name: name.to_owned(),
        notes: None,
        gravity: Vector::new([Rational::new(), Rational::new(), -values.get("g")]),
        bodies,
        joints: Vec::new(),
        surfaces: Surfaces {
            default: Surface {
                mu: values.get("mu"),
                restitution: values.get("e"),
                ..Surface::default()
            },
            pairs: Vec::new(),
        },
        settings: Settings {
            cone: cone.unwrap_or_else(|_| Cone::of(SpaceMethod::default())),
            scheme: scheme_ahead(values),
            activation: activated(values),
            ..Settings::new(values.get("h"), method)
        },
        steps: values.count("steps") as u64,
    }
}

/// A body at rest at the origin, of even density where it has such a shape.
fn body(name: &str, mass: Rational, shape: Shape) -> Body {
    Body {
        name: name.to_owned(),
        inertia: shape.inertia(&mass).unwrap_or_else(|| Dense::identity(3)),
        shape: Some(shape),
        ..bare(name, mass, [1, 1, 1].map(Rational::from))
    }
}

/// A body without shape.
fn bare(name: &str, mass: Rational, moments: [Rational; 3]) -> Body {
    Body {
        name: name.to_owned(),
        mass,
        inertia: Dense::from_fn(3, 3, |i, j| match i == j {
            true => moments[i].clone(),
            false => Rational::new(),
        }),
        position: Vector::zero(),
        attitude: Quaternion::identity(),
        velocity: Vector::zero(),
        angular_velocity: Vector::zero(),
        force: Vector::zero(),
        torque: Vector::zero(),
        fixed: false,
        shape: None,
        pieces: Vec::new(),
    }
}

/// The half-space below z = 0.
fn floor() -> Body {
    let normal = Vector::axis(2);
    Body {
        fixed: true,
        ..body("floor", Rational::from(1), Shape::HalfSpace { normal })
    }
}

fn q(n: i64, d: i64) -> Rational {
    Rational::from((n, d))
}

fn at(coordinates: [Rational; 3]) -> etalon_rigid::Vector3<Rational> {
    Vector::new(coordinates)
}
