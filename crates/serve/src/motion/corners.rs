//! Bodies of scenes of corners as they are drawn. Those of the plane are plates that stand upright: x to the right, y upwards.

use etalon_scenarios::space::{CornerBody, CornerScene, CornerShape};
use rug::Rational;

use super::numbers::{nearest, unit};
use crate::protocol::{BodyShown, PieceShown, ShapeShown};

/// Half of the thickness of a plate, and the radius of a point, as shares of how far the points of all bodies reach.
const PLATE: f64 = 0.1;
const POINT: f64 = 0.05;

/// All bodies, in order.
pub fn bodies(scene: &CornerScene) -> Vec<BodyShown> {
    let points = scene.bodies.iter().filter_map(|own| own.shape.as_ref());
    let points = points.flat_map(CornerShape::points);
    let reach = points.flatten().map(|own| nearest(&own).abs());
    let reach = reach.fold(0.0, f64::max);
    // Bodies without points have some size, too.
    let reach = if reach > 0.0 { reach } else { 1.0 };
    let shown = |own: &CornerBody| BodyShown {
        name: own.name.clone(),
        moves: own.has_state(),
        pose: pose(own),
        shape: shape(own.shape.as_ref(), reach),
    };
    scene.bodies.iter().map(shown).collect()
}

/// A point or direction in space: of the plane one with y upwards.
pub fn upright(own: &[f64]) -> Option<[f64; 3]> {
    match *own {
        [x, y] => Some([x, 0.0, y]),
        [x, y, z] => Some([x, y, z]),
        _ => None,
    }
}

/// The pose of a body of the plane: turned about -y, which leads from x upwards.
pub fn upright_pose([x, y, angle]: [f64; 3]) -> [f64; 7] {
    let (sin, cos) = (angle / 2.0).sin_cos();
    [x, 0.0, y, cos, 0.0, -sin, 0.0]
}

fn pose(own: &CornerBody) -> [f64; 7] {
    let at: Vec<f64> = own.position.iter().map(nearest).collect();
    let turn: Vec<f64> = own.orientation.iter().map(nearest).collect();
    match (&at[..], &turn[..]) {
        (&[x, y], &[cos, sin]) => upright_pose([x, y, sin.atan2(cos)]),
        (&[x, y, z], &[w, a, b, c]) => {
            let [w, a, b, c] = unit([w, a, b, c]);
            [x, y, z, w, a, b, c]
        }
        _ => [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
    }
}

fn placed(own: &[Rational]) -> [f64; 3] {
    let own: Vec<f64> = own.iter().map(nearest).collect();
    upright(&own).unwrap_or_default()
}

fn shape(own: Option<&CornerShape>, reach: f64) -> ShapeShown {
    match own {
        None => points(&[[0.0; 3]], reach),
        Some(CornerShape::Points(own)) => {
            let all: Vec<[f64; 3]> = own.iter().map(|own| placed(own)).collect();
            points(&all, reach)
        }
        Some(CornerShape::Polygon(own)) => {
            let plate = own.iter().map(|own| placed(own));
            let both = plate.flat_map(|[x, _, z]| [-1.0, 1.0].map(|y| [x, y * PLATE * reach, z]));
            ShapeShown::Polyhedron {
                vertices: both.collect(),
            }
        }
        Some(CornerShape::Box(half)) => ShapeShown::Box {
            half_sizes: half.each_ref().map(nearest),
        },
        Some(CornerShape::Polyhedron(own)) => ShapeShown::Polyhedron {
            vertices: own.iter().map(|own| placed(own)).collect(),
        },
        Some(CornerShape::HalfSpace(normal)) => ShapeShown::HalfSpace {
            normal: unit(placed(normal)),
        },
    }
}

/// Points that touch and have no inside, as small balls.
fn points(all: &[[f64; 3]], reach: f64) -> ShapeShown {
    let ball = |(k, &[x, y, z]): (usize, &[f64; 3])| PieceShown {
        name: format!("point {}", k + 1),
        pose: [x, y, z, 1.0, 0.0, 0.0, 0.0],
        shape: ShapeShown::Sphere {
            radius: POINT * reach,
        },
    };
    ShapeShown::Pieces {
        pieces: all.iter().enumerate().map(ball).collect(),
    }
}
