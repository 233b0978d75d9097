//! Scenes of bodies in space as silhouettes: the hulls of their points, seen from the front, the right and above.

use std::f64::consts::TAU;

use etalon_rigid::Scalar;
use etalon_spatial::{Body, Quaternion, Shape};
use rug::Rational;

use super::corners::{CornerScene, CornerShape};
use super::{MovingScene, SpaceScene};
use crate::view::{Placement, View, float, hull, rotation};

/// Corners of a polygon in place of a circle.
const CIRCLE: u32 = 48;

/// Parallels of a ball from one pole to the other one.
const PARALLELS: u32 = 12;

/// The name of the axis to the right: its parts along x and y.
const ACROSS: &str = "(0.87 x + 0.5 y), m";

/// That upwards.
const ABOVE: &str = "(-0.21 x + 0.37 y + 0.91 z), m";

/// The rows that lead from space to the picture: of a camera turned by 30 degrees about z, and 25 degrees above the horizontal.
fn oblique() -> [[f64; 3]; 2] {
    let (sin, cos) = (TAU / 12.0).sin_cos();
    let (high, flat) = (25.0 * TAU / 360.0).sin_cos();
    [[cos, sin, 0.0], [-sin * high, cos * high, flat]]
}

impl MovingScene {
    /// How the scene looks, from one side or from two.
    pub fn views(&self) -> Vec<View> {
        match self {
            Self::Implicit(scene) => scene.views(),
            Self::Space(scene) => vec![of_space(scene)],
            Self::Corners(scene) if scene.dimension() == 2 => vec![scene.view("")],
            Self::Corners(scene) => vec![of_corners(scene)],
        }
    }
}

/// A convex part of a body, or the plane that bounds it.
enum Part {
    /// Points in body coordinates, whose hull it is.
    Points(Vec<[f64; 3]>),
    /// All below the plane through the body's position with this normal.
    Below([f64; 3]),
}

/// A body as it is drawn.
struct Look {
    name: String,
    fixed: bool,
    /// Its place at the start, position and quaternion.
    place: [f64; 7],
    parts: Vec<(String, Part)>,
}

fn of_space(scene: &SpaceScene) -> View {
    let looks: Vec<Look> = scene.bodies.iter().map(look_of_body).collect();
    silhouettes(&looks)
}

fn look_of_body(body: &Body) -> Look {
    let position = body.position.coordinates().each_ref().map(Scalar::to_f64);
    let whole = body
        .shape
        .as_ref()
        .map(|shape| (String::new(), part(shape)));
    let pieces = body.pieces.iter().map(|piece| {
        let origin = piece.at.coordinates().each_ref().map(Scalar::to_f64);
        let place = place(origin, &piece.attitude);
        let part = match part(&piece.shape) {
            Part::Points(points) => Part::Points(points.iter().map(|p| moved(&place, p)).collect()),
            below => below,
        };
        (format!(".{}", piece.name), part)
    });
    let mut parts: Vec<(String, Part)> = whole.into_iter().chain(pieces).collect();
    if parts.is_empty() && !body.fixed {
        parts.push((String::new(), stand_in(body)));
    }
    Look {
        name: body.name.clone(),
        fixed: body.fixed,
        place: place(position, &body.attitude),
        parts,
    }
}

/// In place of a body without a shape the box of even density that has its moments: m h^2/3 is the part of an axis in the other two.
fn stand_in(body: &Body) -> Part {
    let moments = [0, 1, 2].map(|k| float(&body.inertia[(k, k)]));
    let sum: f64 = moments.iter().sum();
    let half = moments.map(|own| 1.5 * (sum - 2.0 * own) / float(&body.mass));
    Part::Points(corners(half.map(|square| square.max(0.0).sqrt())))
}

fn place([x, y, z]: [f64; 3], turned: &Quaternion) -> [f64; 7] {
    let [w, a, b, c] = unit(turned.0.each_ref().map(float));
    [x, y, z, w, a, b, c]
}

fn unit<const N: usize>(own: [f64; N]) -> [f64; N] {
    let length = own.iter().map(|x| x * x).sum::<f64>().sqrt();
    own.map(|x| x / length)
}

/// A point of a body in the world.
fn moved(place: &[f64; 7], p: &[f64; 3]) -> [f64; 3] {
    let rows = rotation(place);
    [0, 1, 2].map(|i| place[i] + (0..3).map(|k| rows[i][k] * p[k]).sum::<f64>())
}

fn part(shape: &Shape) -> Part {
    Part::Points(match shape {
        Shape::HalfSpace { normal } => {
            let normal = normal.coordinates().each_ref().map(Scalar::to_f64);
            return Part::Below(unit(normal));
        }
        Shape::Sphere { radius } => ball(float(radius), 0.0),
        Shape::Box { half_sizes } => corners(half_sizes.each_ref().map(float)),
        Shape::Capsule {
            radius,
            half_length,
        } => ball(float(radius), float(half_length)),
        Shape::Cylinder {
            radius,
            half_length,
        } => [-1.0, 1.0]
            .into_iter()
            .flat_map(|side| circle(float(radius), side * float(half_length)))
            .collect(),
        Shape::Polyhedron { vertices } => vertices
            .iter()
            .map(|own| own.coordinates().each_ref().map(Scalar::to_f64))
            .collect(),
    })
}

fn circle(radius: f64, z: f64) -> Vec<[f64; 3]> {
    let point = |k: u32| {
        let (sin, cos) = (TAU * f64::from(k) / f64::from(CIRCLE)).sin_cos();
        [radius * cos, radius * sin, z]
    };
    (0..CIRCLE).map(point).collect()
}

/// A ball, or two halves of one that far from the middle along z.
fn ball(radius: f64, half_length: f64) -> Vec<[f64; 3]> {
    let parallel = |k: u32| {
        let (sin, cos) = (TAU * f64::from(k) / f64::from(2 * PARALLELS)).sin_cos();
        let ends = [half_length, -half_length].into_iter();
        ends.flat_map(move |end| circle(radius * sin, radius * cos + end))
    };
    (0..=PARALLELS).flat_map(parallel).collect()
}

fn corners([a, b, c]: [f64; 3]) -> Vec<[f64; 3]> {
    let sign = |k: u32, bit: u32| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
    let corner = |k: u32| [a * sign(k, 0), b * sign(k, 1), c * sign(k, 2)];
    (0..8).map(corner).collect()
}

/// Bodies that move, before what stays.
fn silhouettes(looks: &[Look]) -> View {
    let rows = oblique();
    let mut view = View::new("Seen from the front, the right and above", ACROSS, ABOVE);
    let reach = reach(looks);
    let mut start = 0;
    for own in looks {
        for (name, part) in &own.parts {
            let points = match part {
                Part::Points(points) => points.clone(),
                Part::Below(normal) => patch(normal, &own.place, &reach),
            };
            if own.fixed {
                let world = points.iter().map(|p| seen(&rows, &moved(&own.place, p)));
                let outline = hull(world.collect());
                if outline.len() > 2 {
                    view = view.solid(&sides(&outline));
                }
            } else {
                let place = Placement::Hull {
                    points,
                    start,
                    rows,
                };
                view = view.body(format!("{}{name}", own.name), Vec::new(), place);
            }
        }
        start += if own.fixed { 0 } else { 7 };
    }
    view
}

fn seen(rows: &[[f64; 3]; 2], p: &[f64; 3]) -> [f64; 2] {
    rows.map(|row| (0..3).map(|k| row[k] * p[k]).sum())
}

/// The middle of all bodies that have an end, and how far they reach from there.
fn reach(looks: &[Look]) -> ([f64; 3], f64) {
    let ends = looks.iter().flat_map(|own| {
        let points = own.parts.iter().filter_map(|(_, part)| match part {
            Part::Points(points) => Some(points),
            Part::Below(_) => None,
        });
        points.flatten().map(|p| moved(&own.place, p))
    });
    let ends: Vec<[f64; 3]> = ends.collect();
    let count = ends.len().max(1) as f64;
    let middle = [0, 1, 2].map(|k| ends.iter().map(|p| p[k]).sum::<f64>() / count);
    let far = |p: &[f64; 3]| {
        let square = (0..3).map(|k| (p[k] - middle[k]).powi(2)).sum::<f64>();
        square.sqrt()
    };
    (middle, ends.iter().map(far).fold(0.5, f64::max))
}

/// A square of the plane below which all is solid, in body coordinates, under the middle of what is seen and twice as far as that reaches.
fn patch(normal: &[f64; 3], place: &[f64; 7], (middle, far): &([f64; 3], f64)) -> Vec<[f64; 3]> {
    let rows = rotation(place);
    // The middle in body coordinates, less its height.
    let away = [0, 1, 2].map(|k| middle[k] - place[k]);
    let local = [0, 1, 2].map(|k| (0..3).map(|i| rows[i][k] * away[i]).sum::<f64>());
    let height: f64 = (0..3).map(|k| normal[k] * local[k]).sum();
    // The axis farthest from the normal makes the sides.
    let least = (0..3).fold(0, |best, k| {
        if normal[k].abs() < normal[best].abs() {
            k
        } else {
            best
        }
    });
    let axis = [0, 1, 2].map(|k| if k == least { 1.0 } else { 0.0 });
    let first = unit(cross(normal, &axis));
    let second = cross(normal, &first);
    let corner = |[a, b]: [f64; 2]| {
        [0, 1, 2]
            .map(|k| local[k] - height * normal[k] + 2.0 * far * (a * first[k] + b * second[k]))
    };
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
        .map(corner)
        .to_vec()
}

fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The half-planes whose intersection is a convex polygon, counter-clockwise.
fn sides(polygon: &[[f64; 2]]) -> Vec<([f64; 2], f64)> {
    let ends = polygon.iter().cycle().skip(1);
    let side = |(a, b): (&[f64; 2], &[f64; 2])| {
        let normal = unit([b[1] - a[1], a[0] - b[0]]);
        (normal, normal[0] * a[0] + normal[1] * a[1])
    };
    polygon.iter().zip(ends).map(side).collect()
}

fn of_corners(scene: &CornerScene) -> View {
    let looks: Vec<Look> = scene
        .bodies
        .iter()
        .map(|own| {
            let part = own.shape.as_ref().map(|shape| match shape {
                CornerShape::HalfSpace(normal) => Part::Below(unit(three(normal))),
                shape => Part::Points(shape.points().iter().map(|p| three(p)).collect()),
            });
            let [x, y, z] = three(&own.position);
            let quaternion = [0, 1, 2, 3].map(|k| own.orientation.get(k).map_or(0.0, float));
            let [w, a, b, c] = unit(quaternion);
            Look {
                name: own.name.clone(),
                fixed: !own.has_state(),
                place: [x, y, z, w, a, b, c],
                parts: part.into_iter().map(|part| (String::new(), part)).collect(),
            }
        })
        .collect();
    silhouettes(&looks)
}

fn three(own: &[Rational]) -> [f64; 3] {
    [0, 1, 2].map(|k| own.get(k).map_or(0.0, float))
}
