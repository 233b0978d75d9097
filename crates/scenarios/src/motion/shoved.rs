//! A first-order world in the plane: a sled that is pushed over a floor, and a box in its way.

use etalon_rigid::Vector;
use etalon_time_stepping::StepError;
use rug::Rational;

use super::InMotion;
use super::scene::{Builder, g, h, mu, steps};
use super::turning::{body, fixed, scene};
use crate::parameter::{Values, any};
use crate::registry::Scenario;
use crate::space::{CornerBody, CornerScene, CornerShape};
use crate::view::View;

pub const SHOVED_BOX: Scenario = Scenario::of_motion(
    "shoved-box",
    InMotion {
        description: "A first-order world, f = m v: a sled is pushed over a floor with friction, comes to a box, and pushes it along; both go as long as they are pushed",
        source: "Baraff 1994, section 5; closed form: (push - mu m g)/m in m/s, with m in kg/s, alone, and of both masses together",
        parameters: &[
            any("push", "16", "N", "force on the sled, to the right"),
            any("mass", "2", "kg/s", "mass of the sled, per time").positive(),
            any("other", "1", "kg/s", "mass of the box, per time").positive(),
            any("gap", "1/8", "m", "between them at the start").nonnegative(),
            mu("1/4"),
            h("1/64"),
            steps("4"),
            g("10"),
        ],
        builder: Builder::Corners(shoved_box),
        view: shoved_view,
    },
);

/// A sled on two points of its runners, 1/2 m apart, with a nose at the height of its centre; and a box of 1/2 m.
fn shoved_box(values: &Values) -> CornerScene {
    let at = |x: i32, y: i32| vec![Rational::from((x, 4)), Rational::from((y, 4))];
    let half = Rational::from((1, 4));
    let own = |name: &str, mass: Rational, x: Rational, shape: CornerShape| {
        // That of a square of 1/2 m.
        let inertia = Rational::from(&mass / 24u32);
        CornerBody {
            position: vec![x, half.clone()],
            mass,
            ..body(name, 2, &[inertia], shape)
        }
    };
    let sled = CornerShape::Points(vec![at(-1, -1), at(1, -1), at(2, 0)]);
    let sled = own("sled", values.get("mass"), Rational::new(), sled);
    // From the nose to the side of the box.
    let beside = values.get("gap") + Rational::from((3, 4));
    let square = CornerShape::Polygon(vec![at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)]);
    let up = Vector::<Rational, 2>::axis(1).coordinates().to_vec();
    let bodies = vec![
        fixed("floor", 2, CornerShape::HalfSpace(up)),
        CornerBody {
            force: vec![values.get("push"), Rational::new()],
            ..sled
        },
        own("box", values.get("other"), beside, square),
    ];
    CornerScene {
        first_order: true,
        ..scene("shoved-box", values, 2, bodies)
    }
}

fn shoved_view(values: &Values) -> Result<Vec<View>, StepError> {
    Ok(vec![
        shoved_box(values).view("First order: a sled and a box"),
    ])
}
