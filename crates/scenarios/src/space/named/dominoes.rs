//! Dominoes.

use etalon_rigid::Vector;
use etalon_spatial::Shape;
use rug::Rational;

use super::boxes::E;
use super::{METHOD, at, body, cone, floor, no_view, q, scene};
use crate::motion::InMotion;
use crate::motion::scene::{Builder, g, h, mu, steps};
use crate::motion::scene::{SCHEME_AHEAD, activation};
use crate::parameter::{Values, any};
use crate::registry::Scenario;
use crate::space::SpaceScene;

pub const DOMINOES: Scenario = Scenario::of_motion(
    "dominoes",
    InMotion {
        description: "A row of dominoes, of which the first is pushed over: each knocks over the next, and energy only falls",
        source: "no closed form: the oracle's laws hold in each step",
        parameters: &[
            any("dominoes", "3", "", "how many").count(1, 50),
            any("spacing", "1/4", "m", "from one to the next").positive(),
            any("push", "2", "1/s", "angular velocity of the first"),
            mu("1/2"),
            E,
            h("1/100"),
            steps("100"),
            METHOD,
            SCHEME_AHEAD,
            activation("all"),
            cone("pyramid:4"),
            g("9.81"),
        ],
        builder: Builder::Space(dominoes),
        view: no_view,
    },
);

fn dominoes(values: &Values) -> SpaceScene {
    let half_sizes = [q(1, 40), q(1, 8), q(1, 4)];
    let mut bodies = vec![floor()];
    for k in 0..values.count("dominoes") {
        let shape = Shape::Box {
            half_sizes: half_sizes.clone(),
        };
        let mut own = body(&format!("domino {}", k + 1), Rational::from(1), shape);
        own.position = at([values.get("spacing") * k as u64, Rational::new(), q(1, 4)]);
        if k == 0 {
            // About its lower edge, so that it tips and does not slide.
            let push = values.get("push");
            let arm = [q(1, 4) * &push, Rational::new(), q(1, 40) * &push];
            own.velocity = at(arm);
            own.angular_velocity = Vector::new([Rational::new(), push, Rational::new()]);
        }
        bodies.push(own);
    }
    scene("dominoes", values, bodies)
}
