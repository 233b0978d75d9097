//! The bodies of a scene in space as they are drawn.

use etalon_rigid::{Dense, Vector3};
use etalon_scenarios::space::{ImplicitBody, MovingScene};
use etalon_spatial::{Body, BodyPiece, Shape};
use etalon_time_stepping::implicit::Shape as Surface;
use nalgebra::{Matrix3, Rotation3, SymmetricEigen, UnitQuaternion};
use rug::Rational;

use super::corners;
use super::numbers::{nearest, unit};
use crate::protocol::{BodyShown, PieceShown, ShapeShown};

/// All bodies, in order.
pub fn cast(scene: &MovingScene) -> Vec<BodyShown> {
    match scene {
        MovingScene::Implicit(scene) => scene.bodies.iter().map(implicit).collect(),
        MovingScene::Corners(scene) => corners::bodies(scene),
        _ => {
            let bodies = scene.bodies().unwrap_or_default();
            bodies.into_iter().map(shown).collect()
        }
    }
}

/// A body with an implicit surface; an obstacle that moves has poses, too.
fn implicit(own: &ImplicitBody) -> BodyShown {
    let mut body = shown(&own.body);
    body.moves = own.has_state();
    if let Some(surface) = own.shape.as_ref().and_then(surface) {
        body.shape = surface;
    }
    body
}

fn surface(shape: &Surface) -> Option<ShapeShown> {
    let three = |values: &[Rational]| -> Option<[f64; 3]> {
        let values: Vec<f64> = values.iter().map(nearest).collect();
        values.try_into().ok()
    };
    Some(match shape {
        Surface::Ellipsoid { half_axes } => ShapeShown::Ellipsoid {
            half_axes: three(half_axes)?,
        },
        Surface::Superquadric {
            half_axes,
            exponents,
        } => ShapeShown::Superquadric {
            half_axes: three(half_axes)?,
            exponents: *exponents,
        },
        Surface::HalfSpace { normal, .. } => ShapeShown::HalfSpace {
            normal: unit(three(normal)?),
        },
        _ => return None,
    })
}

fn shown(body: &Body) -> BodyShown {
    let [x, y, z] = three(&body.position);
    let [w, a, b, c] = unit(body.attitude.0.each_ref().map(nearest));
    BodyShown {
        name: body.name.clone(),
        moves: !body.fixed,
        pose: [x, y, z, w, a, b, c],
        shape: match (&body.shape, &body.pieces[..]) {
            (Some(own), _) => shape(own),
            (None, []) => inertia(body),
            (None, pieces) => ShapeShown::Pieces {
                pieces: pieces.iter().map(piece).collect(),
            },
        },
    }
}

fn piece(own: &BodyPiece) -> PieceShown {
    let [x, y, z] = three(&own.at);
    let [w, a, b, c] = unit(own.attitude.0.each_ref().map(nearest));
    PieceShown {
        name: own.name.clone(),
        pose: [x, y, z, w, a, b, c],
        shape: shape(&own.shape),
    }
}

fn shape(shape: &Shape) -> ShapeShown {
    let m = nearest;
    match shape {
        Shape::Sphere { radius } => ShapeShown::Sphere { radius: m(radius) },
        Shape::Box { half_sizes } => ShapeShown::Box {
            half_sizes: half_sizes.each_ref().map(m),
        },
        Shape::Capsule {
            radius,
            half_length,
        } => ShapeShown::Capsule {
            radius: m(radius),
            half_length: m(half_length),
        },
        Shape::Cylinder {
            radius,
            half_length,
        } => ShapeShown::Cylinder {
            radius: m(radius),
            half_length: m(half_length),
        },
        Shape::Polyhedron { vertices } => ShapeShown::Polyhedron {
            vertices: vertices.iter().map(three).collect(),
        },
        Shape::HalfSpace { normal } => ShapeShown::HalfSpace {
            normal: unit(three(normal)),
        },
    }
}

/// The box whose moments are those of the body: of half sizes a, b, c it has m (b^2 + c^2)/3 about a, so that
/// a^2 = 3 (I_b + I_c - I_a)/(2 m).
fn inertia(body: &Body) -> ShapeShown {
    if body.fixed {
        return ShapeShown::Inertia {
            half_sizes: [0.0; 3],
            turn: [1.0, 0.0, 0.0, 0.0],
        };
    }
    let mut principal = SymmetricEigen::new(matrix(&body.inertia));
    // Three axes at right angles are those of a rotation, or of one and a reflection.
    if principal.eigenvectors.determinant() < 0.0 {
        principal.eigenvectors.column_mut(2).neg_mut();
    }
    let axes = Rotation3::from_matrix_unchecked(principal.eigenvectors);
    let turn = UnitQuaternion::from_rotation_matrix(&axes);
    let moments = principal.eigenvalues;
    let sum = moments.sum();
    let half = |k: usize| {
        // A body cannot have moments whose largest is above the sum of the others; of one that states them all the same
        // the box is flat.
        let squared = 1.5 * (sum - 2.0 * moments[k]) / nearest(&body.mass);
        squared.max(0.0).sqrt()
    };
    ShapeShown::Inertia {
        half_sizes: [half(0), half(1), half(2)],
        turn: [turn.w, turn.i, turn.j, turn.k],
    }
}

fn matrix(inertia: &Dense<Rational>) -> Matrix3<f64> {
    Matrix3::from_fn(|i, j| nearest(&inertia[(i, j)]))
}

fn three(vector: &Vector3<Rational>) -> [f64; 3] {
    vector.coordinates().each_ref().map(nearest)
}
