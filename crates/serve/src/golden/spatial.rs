//! Pictures of scenes in space, from two sides.

use super::pieces::{Mark, Place, View, at, circle, still};
use super::stage::Values;

const UP: [f64; 2] = [0.0, 1.0];

fn elevation() -> View {
    View::new("Elevation", "x, m", "z, m")
}

fn plan() -> View {
    View::new("Plan", "x, m", "y, m")
}

/// Of a ball with coordinates x, y, z and three turns; in the elevation a turn about y is clockwise.
fn seen(ball: usize) -> [Place; 2] {
    let k = 6 * ball;
    [
        Place::Plane([at(k), at(k + 2), at(k + 4).negative()]),
        Place::Plane([at(k), at(k + 1), at(k + 5)]),
    ]
}

fn on_the_ground(body: usize, radius: f64) -> Mark {
    Mark::Fixed {
        body,
        at: [0.0; 2],
        radius,
        normal: UP,
    }
}

/// Four contacts with the table, then six pairs.
pub fn four_balls() -> Vec<View> {
    let radius = 0.1;
    let mut views = [elevation().ground(UP, 0.0), plan()];
    for (ball, name) in ["thrown", "first", "second", "third"]
        .into_iter()
        .enumerate()
    {
        let [side, above] = seen(ball);
        let [elevation, plan] = views;
        views = [
            elevation.disc(name, radius, side),
            plan.disc(name, radius, above),
        ];
    }
    let pairs = || {
        let pairs = (0..4).flat_map(|first| (0..first).map(move |second| (first, second)));
        pairs.map(|(first, second)| Mark::Between {
            first,
            second,
            radius,
        })
    };
    let [elevation, plan] = views;
    let table = (0..4).map(|ball| on_the_ground(ball, radius));
    vec![
        elevation.marks(table.chain(pairs())),
        plan.marks((0..4).map(|_| Mark::Hidden).chain(pairs())),
    ]
}

/// In the frame of the slope, which falls to the right.
pub fn sphere(values: &Values<'_>) -> Vec<View> {
    let radius = values.get("radius");
    let [side, above] = seen(0);
    let elevation = elevation().turned(-values.slope()).ground(UP, 0.0);
    let elevation = elevation.disc("sphere", radius, side);
    vec![
        elevation.marks([on_the_ground(0, radius)]),
        plan().disc("sphere", radius, above),
    ]
}

pub fn particle() -> Vec<View> {
    let side = Place::Plane([at(0), at(2), still(0.0)]);
    let above = Place::Plane([at(0), at(1), still(0.0)]);
    let elevation = elevation().ground(UP, 0.0);
    let elevation = elevation.body("particle", Vec::new(), side);
    vec![
        elevation.marks([on_the_ground(0, 0.0)]),
        plan().body("particle", Vec::new(), above),
    ]
}

fn shadows(name: &str, axes: [f64; 3]) -> [View; 2] {
    let shadow = |onto| Place::Shadow { axes, onto };
    [
        elevation().body(name, circle(1.0), shadow([0, 2])),
        plan().body(name, circle(1.0), shadow([0, 1])),
    ]
}

pub fn ellipsoid(values: &Values<'_>) -> Vec<View> {
    let axes = ["a", "b", "c"].map(|name| values.get(name));
    let [elevation, plan] = shadows("ellipsoid", axes);
    vec![elevation.ground(UP, 0.0), plan]
}

/// The slope falls along x through the origin.
pub fn implicit_sphere(values: &Values<'_>) -> Vec<View> {
    let radius = values.get("radius");
    let slope = values.get("slope");
    let length = slope.hypot(1.0);
    let normal = [slope / length, 1.0 / length];
    let [elevation, plan] = shadows("sphere", [radius; 3]);
    let mark = Mark::Fixed {
        body: 0,
        at: [0.0; 2],
        radius,
        normal,
    };
    vec![elevation.ground(normal, 0.0).marks([mark]), plan]
}
