//! Pictures of scenes in the plane and on lines.

use super::pieces::{Mark, Place, View, at, capsule, ellipse, rectangle, still};
use super::stage::Values;

const UP: [f64; 2] = [0.0, 1.0];

fn plane() -> View {
    View::new("Elevation", "x, m", "y, m")
}

/// The state is x, y, angle.
fn body() -> Place {
    Place::Plane([at(0), at(1), at(2)])
}

/// The state is x, y.
fn particle() -> Place {
    Place::Plane([at(0), at(1), still(0.0)])
}

/// A point of the only body, or a disc about it, on something that stays.
fn touch(point: [f64; 2], radius: f64, normal: [f64; 2]) -> Mark {
    Mark::Fixed {
        body: 0,
        at: point,
        radius,
        normal,
    }
}

pub fn rod() -> View {
    let ends = [0.25, -0.25].map(|x| touch([x, 0.0], 0.05, UP));
    let view = plane().ground(UP, 0.0);
    view.body("rod", capsule(0.25, 0.05), body()).marks(ends)
}

pub fn polygon(values: &Values<'_>) -> View {
    let sides = values.count("sides").max(3);
    let vertex = |i: usize| {
        let turns = i as f64 / sides as f64 - 0.25;
        let (sin, cos) = (turns * std::f64::consts::TAU).sin_cos();
        [cos, sin]
    };
    let corners: Vec<_> = (0..sides).map(vertex).collect();
    let marks: Vec<_> = corners.iter().map(|&at| touch(at, 0.0, UP)).collect();
    let view = plane().ground(UP, 0.0);
    let mut view = view.body("wheel", corners, body()).marks(marks);
    view.bodies[0].round = true;
    view
}

pub fn disc() -> View {
    let view = plane().ground(UP, 0.0);
    let view = view.disc("wheel", 1.0, body());
    view.marks([touch([0.0; 2], 1.0, UP)])
}

pub fn rolling_ellipse(values: &Values<'_>) -> View {
    let outline = ellipse(values.get("a"), values.get("b"));
    plane().ground(UP, 0.0).body("ellipse", outline, body())
}

/// The rod's angle counts from the start, where it leans by twice the half angle.
pub fn painleve(values: &Values<'_>) -> View {
    let (sin, cos) = values.slope().sin_cos();
    let along = |[x, y]: [f64; 2]| [sin * x - cos * y, -cos * x - sin * y];
    let outline = capsule(1.0, 0.03).into_iter().map(along).collect();
    let view = plane().ground(UP, 0.0);
    view.body("rod", outline, body())
        .marks([touch([sin, -cos], 0.0, UP)])
}

pub fn ladder(values: &Values<'_>) -> View {
    let wall = 2.0 * values.start.first().copied().unwrap_or(0.5);
    let view = plane().ground(UP, 0.0).ground([-1.0, 0.0], -wall);
    let view = view.body("ladder", capsule(1.0, 0.03), body());
    view.marks([
        touch([-1.0, 0.0], 0.0, UP),
        touch([1.0, 0.0], 0.0, [-1.0, 0.0]),
        touch([1.0, 0.0], 0.0, UP),
    ])
}

/// In the frame of the slope, which falls to the right.
pub fn plate(values: &Values<'_>) -> View {
    let (width, height) = (values.get("width"), values.get("height"));
    let corners = [-1.0, 1.0].map(|side| touch([side * width / 2.0, -height / 2.0], 0.0, UP));
    let view = plane().turned(-values.slope()).ground(UP, 0.0);
    view.body("plate", rectangle(width, height), body())
        .marks(corners)
}

/// Round bodies in a row: each touches the one before it.
fn in_a_row(radius: f64, places: Vec<Place>) -> View {
    let count = places.len();
    let mut view = View::new("From above", "x, m", "y, m");
    for (k, place) in places.into_iter().enumerate() {
        view = view.disc(format!("ball {}", k + 1), radius, place);
    }
    view.marks((1..count).map(|second| Mark::Between {
        first: second,
        second: second - 1,
        radius,
    }))
}

pub fn cradle(values: &Values<'_>) -> View {
    let place = |k| Place::Plane([at(3 * k), at(3 * k + 1), at(3 * k + 2)]);
    in_a_row(1.0, (0..values.count("balls")).map(place).collect())
}

pub fn elastic_cradle(values: &Values<'_>) -> View {
    let place = |k| Place::Plane([at(k), still(0.0), still(0.0)]);
    in_a_row(0.5, (0..values.count("balls")).map(place).collect())
}

/// Two bodies of no size on a line, drawn as blocks that touch where they do.
pub fn central_impact() -> View {
    let place = |k, side| Place::Plane([at(k).plus(side), still(0.0), still(0.0)]);
    let half = 0.1;
    let view = View::new("On a line", "x, m", "");
    let view = view.body("body 1", rectangle(2.0 * half, 0.2), place(0, -half));
    let view = view.body("body 2", rectangle(2.0 * half, 0.2), place(1, half));
    view.marks([Mark::Between {
        first: 1,
        second: 0,
        radius: half,
    }])
}

/// The state is the ball's height above the floor.
pub fn bouncing_ball() -> View {
    let radius = 0.25;
    let view = plane().ground(UP, 0.0);
    let place = Place::Plane([still(0.0), at(0).plus(radius), still(0.0)]);
    view.disc("ball", radius, place)
        .marks([touch([0.0; 2], radius, UP)])
}

fn rising(slope: f64) -> [f64; 2] {
    let length = slope.hypot(1.0);
    [-slope / length, 1.0 / length]
}

pub fn incline(values: &Values<'_>) -> View {
    let normal = rising(values.get("slope"));
    let view = plane().ground(normal, 0.0);
    view.body("particle", Vec::new(), particle())
        .marks([touch([0.0; 2], 0.0, normal)])
}

pub fn wedge(values: &Values<'_>) -> View {
    let normals = [rising(-values.get("left")), rising(values.get("right"))];
    let view = plane().ground(normals[0], 0.0).ground(normals[1], 0.0);
    let view = view.body("particle", Vec::new(), particle());
    view.marks(normals.map(|normal| touch([0.0; 2], 0.0, normal)))
}

pub fn cavity(values: &Values<'_>) -> View {
    let mut wall = ellipse(values.get("A"), 1.0);
    wall.extend(wall.first().copied());
    plane().line(wall).body("particle", Vec::new(), particle())
}

/// The faces of each start, as the scenario has them.
pub fn corner(values: &Values<'_>) -> View {
    let faces = match values.word("start") {
        "roof" => [([0.6, 0.8], 0.0), ([-0.6, 0.8], 0.0)],
        "ramp" => [([-0.6, 0.8], 0.0), ([1.0, 0.0], 1.0)],
        _ => [(UP, 0.0), ([1.0, 0.0], 0.0)],
    };
    let mut view = plane().solid(&faces);
    view.title = match values.word("formulation") {
        "st" => "Stewart-Trinkle: two half-spaces".to_owned(),
        _ => "Egan-Trinkle: one corner".to_owned(),
    };
    let view = view.body("particle", Vec::new(), particle());
    view.marks(faces.map(|(normal, _)| touch([0.0; 2], 0.0, normal)))
}

/// A peg over a hole with rims: the state is the middle of its lower side.
pub fn hole(values: &Values<'_>) -> View {
    let (sin, cos) = values.slope().sin_cos();
    let (width, half) = (values.get("hole"), values.get("peg") / 2.0);
    let left = [([sin, cos], 0.0), ([1.0, 0.0], 0.0)];
    let right = [([-sin, cos], -width * sin), ([-1.0, 0.0], -width)];
    let outline = [[-half, 0.0], [half, 0.0], [half, 1.0], [-half, 1.0]];
    let mut view = plane().ground(UP, -values.get("depth"));
    view = view.solid(&left).solid(&right);
    view.title = match values.word("formulation") {
        "st" => "Stewart-Trinkle: half-spaces".to_owned(),
        _ => "Egan-Trinkle: two corners".to_owned(),
    };
    let view = view.body("peg", outline.to_vec(), particle());
    let sides = [(left, -half), (right, half)];
    let corners = sides.map(|(faces, x)| faces.map(|(normal, _)| touch([x, 0.0], 0.0, normal)));
    let ground = touch([0.0; 2], 0.0, UP);
    view.marks(corners.into_iter().flatten().chain([ground]))
}

/// Blocks above each other, each at its own height; forces act from below.
fn column(count: usize, height: f64) -> View {
    let mut view = View::new("Elevation", "", "y, m").ground(UP, 0.0);
    for k in 0..count {
        let place = Place::Plane([still(0.0), at(k).plus(height / 2.0), still(0.0)]);
        view = view.body(format!("block {}", k + 1), rectangle(1.0, height), place);
    }
    view.marks((0..count).map(|body| Mark::Fixed {
        body,
        at: [0.0, -height / 2.0],
        radius: 0.0,
        normal: UP,
    }))
}

pub fn stack() -> View {
    column(3, 1.0)
}

/// Its blocks have no height: they are drawn as plates that lie on each other.
pub fn chain(values: &Values<'_>) -> View {
    column(values.count("blocks"), 0.01)
}

/// A block on a rail, with an arm on a hinge.
pub fn joint() -> View {
    let view = View::new("From above", "x, m", "y, m").line(vec![[-1.0, 0.0], [8.0, 0.0]]);
    let block = Place::Plane([at(0), still(0.0), still(0.0)]);
    let arm = Place::Plane([at(0), still(0.0), at(1)]);
    let bar = capsule(0.3, 0.03)
        .into_iter()
        .map(|[x, y]| [x + 0.3, y])
        .collect();
    view.body("block", rectangle(0.4, 0.25), block)
        .body("arm", bar, arm)
}
