//! Free flight.

use etalon_rigid::Vector;
use rug::Rational;

use super::boxes::E;
use super::{METHOD, bare, cone, no_view, scene};
use crate::motion::InMotion;
use crate::motion::scene::{Builder, g, h, mu, steps};
use crate::motion::scene::{SCHEME_AHEAD, activation};
use crate::parameter::{Values, any};
use crate::registry::Scenario;
use crate::space::SpaceScene;

pub const DZHANIBEKOV: Scenario = Scenario::of_motion(
    "dzhanibekov",
    InMotion {
        description: "A body spins about its middle axis and flips over, again and again: angular momentum stays to the digit, energy to rounding",
        source: "Euler's equations; Landau and Lifshitz, Mechanics, section 37",
        parameters: &[
            any("first", "1", "kg m^2", "the least moment of inertia").positive(),
            any("second", "2", "kg m^2", "the middle one").positive(),
            any("third", "3", "kg m^2", "the largest").positive(),
            any("rate", "5", "1/s", "angular velocity about the middle axis"),
            any("tilt", "1/100", "1/s", "angular velocity about the first"),
            mu("0"),
            E,
            h("1/100"),
            steps("1000"),
            METHOD,
            SCHEME_AHEAD,
            activation("all"),
            cone("pyramid:8"),
            g("0"),
        ],
        builder: Builder::Space(dzhanibekov),
        view: no_view,
    },
);

fn dzhanibekov(values: &Values) -> SpaceScene {
    let moments = ["first", "second", "third"].map(|name| values.get(name));
    let mut own = bare("body", Rational::from(1), moments);
    own.angular_velocity = Vector::new([values.get("tilt"), values.get("rate"), Rational::new()]);
    scene("dzhanibekov", values, vec![own])
}
