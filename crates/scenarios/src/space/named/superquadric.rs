//! A superquadric, with an implicit surface.

use etalon_rigid::Vector;
use etalon_spatial::{Body, Quaternion, Surface, Surfaces};
use etalon_time_stepping::StepError;
use etalon_time_stepping::implicit::{MAX_EXPONENT, Shape};
use rug::float::Round;
use rug::{Float, Rational};

use super::bare;
use crate::motion::InMotion;
use crate::motion::scene::{Builder, g, h, mu, steps};
use crate::parameter::{Parameter, Values, any};
use crate::registry::Scenario;
use crate::space::{ImplicitBody, ImplicitScene, even_moments};
use crate::view::View;

const fn axis(name: &'static str, default: &'static str) -> Parameter {
    any(name, default, "m", "half axis").positive()
}

pub const SUPERQUADRIC_ROCKING: Scenario = Scenario::of_motion(
    "superquadric-rocking",
    InMotion {
        description: "A superquadric, a box with round edges, rocks on its flat side, where it has no curvature, and comes to rest on it",
        source: "Chakraborty, Berard, Akella and Trinkle 2007; closed form: a body that rolls in the plane, by its support function",
        parameters: &[
            axis("a", "1"),
            axis("b", "3/4"),
            axis("c", "1/2"),
            any(
                "exponent",
                "4",
                "",
                "p of |x/a|^p + |y/b|^p + |z/c|^p <= 1, an even number",
            )
            .count(2, MAX_EXPONENT),
            any(
                "tilt",
                "1/10",
                "",
                "tangent of half the angle about y at the start",
            ),
            mu("1/2"),
            h("1/100"),
            steps("100"),
            g("9.81"),
        ],
        builder: Builder::Implicit(rocking),
        view: rocking_view,
    },
);

fn rocking_view(values: &Values) -> Result<Vec<View>, StepError> {
    Ok(rocking(values).views())
}

fn rocking(values: &Values) -> ImplicitScene {
    let half_axes = ["a", "b", "c"].map(|name| values.get(name));
    let exponent = u32::try_from(values.count("exponent")).unwrap_or_default();
    let tilt = values.get("tilt");
    let mass = Rational::from(1);
    let zero = Rational::new;
    let height = height(&half_axes, exponent, &tilt);
    let shape = Shape::Superquadric {
        half_axes: half_axes.to_vec(),
        exponents: [exponent; 2],
    };
    let moments = even_moments(&shape, &mass).unwrap_or_default();
    let body = Body {
        position: Vector::new([zero(), zero(), height]),
        attitude: Quaternion([Rational::from(1), zero(), tilt, zero()]),
        ..bare("superquadric", mass, moments)
    };
    let floor = Body {
        fixed: true,
        ..bare("floor", Rational::from(1), [1, 1, 1].map(Rational::from))
    };
    let below = Shape::HalfSpace {
        normal: [0, 0, 1].map(Rational::from).to_vec(),
        offset: zero(),
    };
    let formed = |body, shape| ImplicitBody {
        body,
        shape: Some(shape),
    };
    ImplicitScene {
        name: "superquadric-rocking".to_owned(),
        notes: None,
        gravity: Vector::new([zero(), zero(), -values.get("g")]),
        bodies: vec![formed(body, shape), formed(floor, below)],
        surfaces: Surfaces {
            default: Surface {
                mu: values.get("mu"),
                ..Surface::default()
            },
            pairs: Vec::new(),
        },
        h: values.get("h"),
        steps: values.count("steps") as u64,
    }
}

/// How far it reaches down, rounded up to 2^-40: (|a sin|^r + |c cos|^r)^(1/r) with r = p/(p - 1), by Hoelder's inequality.
fn height(half_axes: &[Rational; 3], exponent: u32, tilt: &Rational) -> Rational {
    let p = exponent.max(2);
    let square = Rational::from(tilt * tilt);
    let below = Rational::from(&square + 1u32);
    let sin = Rational::from(tilt * 2u32) / &below;
    let cos = (1u32 - square) / below;
    let part = |axis: &Rational, share: Rational| {
        let size = Float::with_val(128, (axis * share).abs());
        let power = (1..p).fold(size.clone(), |own, _| own * &size);
        power.root(p - 1)
    };
    let sum = part(&half_axes[0], sin) + part(&half_axes[2], cos);
    let power = (2..p).fold(sum.clone(), |own, _| own * &sum);
    let reach = power.root(p) << 40u32;
    let whole = reach.to_integer_round(Round::Up);
    Rational::from(whole.map(|(whole, _)| whole).unwrap_or_default()) >> 40u32
}
