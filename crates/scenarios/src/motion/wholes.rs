//! Bodies that keep apart as a whole: bricks flush one above another, and bars that cross edge on edge. No corner is inside of a body there.

use rug::Rational;

use super::InMotion;
use super::scene::{Builder, SCHEME_AHEAD, g, h, mu, steps};
use super::turning::{body, fixed, rectangle, scene};
use crate::parameter::{Parameter, Values, any};
use crate::registry::Scenario;
use crate::space::{CornerBody, CornerScene, CornerShape, MovingScene};
use crate::view::View;
use etalon_time_stepping::StepError;

const SOURCE: &str = "Egan and Trinkle's step with the sides of the difference of two bodies: Lozano-Perez 1983, Gottschalk 1996";

const DROP: Parameter = any("drop", "1/32", "m", "gap below each body at the start").nonnegative();

pub const BRICKS: Scenario = Scenario::of_motion(
    "bricks",
    InMotion {
        description: "Two bricks fall on a third one: one exactly above it, flush with its sides, the other one shifted. They come to rest on each other, with the corners of the sides that they share",
        source: SOURCE,
        parameters: &[
            any("width", "1", "m", "width of a brick").positive(),
            any("height", "1/2", "m", "height of a brick").positive(),
            any(
                "shift",
                "1/4",
                "m",
                "by which the upper brick is beside the others",
            ),
            DROP,
            mu("0"),
            h("1/64"),
            steps("12"),
            g("10"),
            SCHEME_AHEAD,
        ],
        builder: Builder::Corners(bricks),
        view: bricks_view,
    },
);

pub const CROSSED_BARS: Scenario = Scenario::of_motion(
    "crossed-bars",
    InMotion {
        description: "A bar with a rhomb as its section falls on another one that crosses below it: the lower edge of one meets the upper edge of the other one, and the bar tips over",
        source: SOURCE,
        parameters: &[
            any(
                "x0",
                "1/8",
                "m",
                "x of the middle of the upper bar at the start; the lower one is at 0",
            ),
            any(
                "turn",
                "1/4",
                "",
                "tangent of half the angle by which the upper bar is turned about z, from a right angle to the lower one",
            ),
            DROP,
            mu("0"),
            h("1/64"),
            steps("20"),
            g("10"),
            SCHEME_AHEAD,
        ],
        builder: Builder::Corners(crossed_bars),
        view: bars_view,
    },
);

fn bricks(values: &Values) -> CornerScene {
    let [width, height, drop] = ["width", "height", "drop"].map(|name| values.get(name));
    let shape = || rectangle(&width, &height);
    let square = |own: &Rational| own.clone().square();
    let inertia = (square(&width) + square(&height)) * 2u32 / 12u32;
    let pitch = height.clone() + &drop;
    let brick = |name: &str, x: Rational, floor: u32| CornerBody {
        position: vec![x, Rational::from(&pitch * floor)],
        ..body(name, 2, std::slice::from_ref(&inertia), shape())
    };
    let bodies = vec![
        fixed("lower", 2, shape()),
        brick("middle", Rational::new(), 1),
        brick("upper", values.get("shift"), 2),
    ];
    scene("bricks", values, 2, bodies)
}

/// Half of a diagonal of the section of a bar, m.
const HALF: (i32, i32) = (1, 8);

/// The corners of a bar of 2 m along an axis, x or y: a rhomb with one diagonal upright at each end.
fn bar(axis: usize) -> CornerShape {
    let half = Rational::from(HALF);
    let section = [[1, 0], [0, 1], [-1, 0], [0, -1]];
    let ends = [-1, 1].into_iter().flat_map(|end| {
        section.map(|[beside, up]| {
            let mut corner = vec![Rational::new(), Rational::new(), Rational::from(&half * up)];
            corner[axis] = Rational::from(end);
            corner[1 - axis] = Rational::from(&half * beside);
            corner
        })
    });
    CornerShape::Polyhedron(ends.collect())
}

fn crossed_bars(values: &Values) -> CornerScene {
    // Of even density: m d^2/3 about its axis, and m (1/3 + d^2/6) across it, with half a diagonal d, and half a length of 1 m.
    let square = Rational::from(HALF).square();
    let along = Rational::from(&square * 2u32) / 3u32;
    let across = square / 3u32 + Rational::from((2, 3));
    let turn = values.get("turn");
    let upper = CornerBody {
        position: vec![
            values.get("x0"),
            Rational::new(),
            Rational::from(HALF) * 2u32 + values.get("drop"),
        ],
        // Of any length: (cos, sin) of half the angle over its cosine.
        orientation: vec![Rational::from(1), Rational::new(), Rational::new(), turn],
        ..body("upper", 2, &[along, across.clone(), across], bar(0))
    };
    scene(
        "crossed-bars",
        values,
        3,
        vec![fixed("lower", 3, bar(1)), upper],
    )
}

fn bricks_view(values: &Values) -> Result<Vec<View>, StepError> {
    Ok(vec![bricks(values).view("Egan-Trinkle: bricks")])
}

fn bars_view(values: &Values) -> Result<Vec<View>, StepError> {
    Ok(MovingScene::Corners(crossed_bars(values)).views())
}
