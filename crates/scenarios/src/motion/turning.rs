//! Bodies that turn at corners that point out of obstacles: a peg beside a hole, a triangle on a triangle, and in space a tripod on
//! the corner of a block.

use etalon_rigid::{Dense, Rotation2};
use etalon_spatial::{Surface, Surfaces};
use etalon_time_stepping::StepError;
use rug::Rational;

use super::InMotion;
use super::scene::{Builder, SCHEME_AHEAD, g, h, mu, scheme_ahead, steps};
use crate::parameter::{Parameter, Values, any};
use crate::registry::Scenario;
use crate::space::{CornerBody, CornerScene, CornerShape};
use crate::view::{Placement, View, elevation, float, plan};

const SOURCE: &str =
    "Egan and Trinkle after Trinkle and Nguyen, MOPTA 2007, who show it without figures";

const TILT: Parameter = any(
    "tilt",
    "1/8",
    "",
    "tangent of half the angle by which it is turned at the start, counterclockwise",
);

const SPIN: Parameter = any(
    "spin",
    "0",
    "rad/s",
    "angular velocity at the start, counterclockwise",
);

pub const HOLE_TURNING: Scenario = Scenario::of_motion(
    "hole-turning",
    InMotion {
        description: "A peg that turns falls into a hole: its corners stay out of both sides and the ground, and the corners of the sides out of the peg",
        source: SOURCE,
        parameters: &[
            any("hole", "1", "m", "width of the hole, which begins at x = 0").positive(),
            any("peg", "1/2", "m", "width of the peg").positive(),
            any("height", "1", "m", "height of the peg").positive(),
            any("depth", "3/2", "m", "depth of the hole").positive(),
            any("x0", "1/5", "m", "x of the middle of the peg at the start"),
            any("y0", "3/4", "m", "y of the middle of the peg at the start"),
            TILT,
            SPIN,
            mu("0"),
            h("1/64"),
            steps("64"),
            g("10"),
            SCHEME_AHEAD,
        ],
        builder: Builder::Corners(hole),
        view: hole_view,
    },
);

pub const TRIANGLE: Scenario = Scenario::of_motion(
    "triangle",
    InMotion {
        description: "A triangle falls on the upper corner of another one, turns about it, and slides off: the corner stays out of three sides",
        source: SOURCE,
        parameters: &[
            any("x0", "1/8", "m", "x of its middle at the start"),
            any("y0", "1", "m", "y of its middle at the start"),
            TILT,
            SPIN,
            mu("1/4"),
            h("1/64"),
            steps("48"),
            g("10"),
            SCHEME_AHEAD,
        ],
        builder: Builder::Corners(triangle),
        view: triangle_view,
    },
);

pub const BLOCK_CORNER: Scenario = Scenario::of_motion(
    "block-corner",
    InMotion {
        description: "A tripod falls on the corner of a block, where three faces meet: one foot lands on top of it, the others pass beside it, and the tripod tips over",
        source: "In space what Trinkle and Nguyen, MOPTA 2007, show in the plane: nk - 1 more unknowns for nk faces",
        parameters: &[
            any(
                "x0",
                "6/25",
                "m",
                "x of its middle at the start; the block ends at 0",
            ),
            any(
                "y0",
                "23/100",
                "m",
                "y of its middle at the start; the block ends at 0",
            ),
            any(
                "z0",
                "1/2",
                "m",
                "height of its middle above the block at the start",
            ),
            mu("0"),
            h("1/50"),
            steps("24"),
            g("10"),
            SCHEME_AHEAD,
        ],
        builder: Builder::Corners(block_corner),
        view: tripod_view,
    },
);

fn points<const D: usize>(own: &[[(i32, i32); D]]) -> Vec<Vec<Rational>> {
    own.iter()
        .map(|own| own.map(Rational::from).to_vec())
        .collect()
}

fn zeros(n: usize) -> Vec<Rational> {
    vec![Rational::new(); n]
}

/// A body at the origin, at rest; of the plane where it has one moment.
pub(super) fn body(name: &str, mass: i32, moments: &[Rational], shape: CornerShape) -> CornerBody {
    let dimension = if moments.len() == 1 { 2 } else { 3 };
    let n = moments.len();
    CornerBody {
        name: name.to_owned(),
        mass: Rational::from(mass),
        inertia: Dense::from_fn(n, n, |i, j| match i == j {
            true => moments[i].clone(),
            false => Rational::new(),
        }),
        position: zeros(dimension),
        orientation: match dimension {
            2 => [1, 0].map(Rational::from).to_vec(),
            _ => [1, 0, 0, 0].map(Rational::from).to_vec(),
        },
        velocity: zeros(dimension),
        angular_velocity: zeros(n),
        force: zeros(dimension),
        fixed: false,
        shape: Some(shape),
    }
}

pub(super) fn fixed(name: &str, dimension: usize, shape: CornerShape) -> CornerBody {
    let moments = vec![Rational::from(1); if dimension == 2 { 1 } else { 3 }];
    CornerBody {
        fixed: true,
        ..body(name, 1, &moments, shape)
    }
}

pub(super) fn scene(
    name: &str,
    values: &Values,
    dimension: usize,
    bodies: Vec<CornerBody>,
) -> CornerScene {
    let mut gravity = zeros(dimension);
    gravity[dimension - 1] = -values.get("g");
    CornerScene {
        name: name.to_owned(),
        notes: None,
        gravity,
        bodies,
        surfaces: Surfaces {
            default: Surface {
                mu: values.get("mu"),
                ..Surface::default()
            },
            pairs: Vec::new(),
        },
        sides: 8,
        scheme: scheme_ahead(values),
        h: values.get("h"),
        steps: values.count("steps") as u64,
        first_order: false,
    }
}

/// A body of the plane with the place, the tilt and the spin of the parameters.
fn started(values: &Values, own: CornerBody) -> CornerBody {
    let tilt = Rotation2::<Rational>::from_half_angle(&values.get("tilt"));
    CornerBody {
        position: vec![values.get("x0"), values.get("y0")],
        orientation: vec![tilt.cos().clone(), tilt.sin().clone()],
        angular_velocity: vec![values.get("spin")],
        ..own
    }
}

/// A rectangle about its middle.
pub(super) fn rectangle(width: &Rational, height: &Rational) -> CornerShape {
    let [x, y] = [width, height].map(|own| Rational::from(own / 2u32));
    let corner = |a: i32, b: i32| vec![Rational::from(&x * a), Rational::from(&y * b)];
    CornerShape::Polygon(vec![
        corner(-1, -1),
        corner(1, -1),
        corner(1, 1),
        corner(-1, 1),
    ])
}

fn hole(values: &Values) -> CornerScene {
    let [width, height] = ["peg", "height"].map(|name| values.get(name));
    let square = |own: &Rational| own.clone().square();
    let inertia = (square(&width) + square(&height)) * 2u32 / 12u32;
    let depth = values.get("depth");
    let side = |name: &str, x: Rational| CornerBody {
        position: vec![x, -depth.clone() / 2u32],
        ..fixed(name, 2, rectangle(&Rational::from(2), &depth))
    };
    let up = [0, 1].map(Rational::from).to_vec();
    let ground = CornerBody {
        position: vec![Rational::new(), Rational::from(-&depth)],
        ..fixed("ground", 2, CornerShape::HalfSpace(up))
    };
    let peg = body("peg", 2, &[inertia], rectangle(&width, &height));
    let bodies = vec![
        ground,
        side("left", Rational::from(-1)),
        side("right", values.get("hole") + 1u32),
        started(values, peg),
    ];
    scene("hole-turning", values, 2, bodies)
}

/// A triangle of height 3/4 m about its middle, on one side.
const TRIANGLE_CORNERS: [[(i32, i32); 2]; 3] =
    [[(-1, 2), (-1, 4)], [(1, 2), (-1, 4)], [(0, 1), (1, 2)]];

fn triangle(values: &Values) -> CornerScene {
    let shape = || CornerShape::Polygon(points(&TRIANGLE_CORNERS));
    // m (b^2 + 4 h^2/3)/24 of a triangle with two equal sides, base b and height h.
    let inertia = Rational::from((7, 48));
    let bodies = vec![
        fixed("lower", 2, shape()),
        started(values, body("upper", 2, &[inertia], shape())),
    ];
    scene("triangle", values, 2, bodies)
}

fn block_corner(values: &Values) -> CornerScene {
    let block = CornerBody {
        position: vec![Rational::from((-1, 2)); 3],
        ..fixed(
            "block",
            3,
            CornerShape::Box([(); 3].map(|()| Rational::from((1, 2)))),
        )
    };
    let feet = points(&[
        [(1, 4), (0, 1), (-1, 4)],
        [(-1, 4), (1, 4), (-1, 4)],
        [(-1, 4), (-1, 4), (-1, 4)],
        [(0, 1), (0, 1), (1, 2)],
    ]);
    let moments = [(1, 8), (1, 6), (1, 10)].map(Rational::from);
    let tripod = CornerBody {
        position: ["x0", "y0", "z0"].map(|name| values.get(name)).to_vec(),
        ..body("tripod", 2, &moments, CornerShape::Points(feet))
    };
    scene("block-corner", values, 3, vec![block, tripod])
}

fn hole_view(values: &Values) -> Result<Vec<View>, StepError> {
    Ok(vec![hole(values).view("Egan-Trinkle: a peg that turns")])
}

fn triangle_view(values: &Values) -> Result<Vec<View>, StepError> {
    Ok(vec![triangle(values).view("Egan-Trinkle: two triangles")])
}

/// The block and the points of the tripod, from the side and from above.
fn tripod_view(values: &Values) -> Result<Vec<View>, StepError> {
    let scene = block_corner(values);
    let drawn = |mut view: View, onto: [usize; 2]| {
        for own in &scene.bodies {
            let Some(shape) = &own.shape else { continue };
            if own.fixed {
                // A box at (-1/2, -1/2, -1/2) of the half size 1/2: all coordinates from -1 to 0.
                let sides = [
                    ([1.0, 0.0], 0.0),
                    ([0.0, 1.0], 0.0),
                    ([-1.0, 0.0], 1.0),
                    ([0.0, -1.0], 1.0),
                ];
                view = view.solid(&sides);
                continue;
            }
            for (k, point) in (1..).zip(shape.points()) {
                let at = [0, 1, 2].map(|axis| float(&point[axis]));
                let name = format!("{} point {k}", own.name);
                view = view.body(name, Vec::new(), Placement::Point { at, onto });
            }
        }
        view
    };
    Ok(vec![
        drawn(elevation("z, m"), [0, 2]),
        drawn(plan(), [0, 1]),
    ])
}
