//! How scenes of bodies with implicit surfaces look.

use std::f64::consts::{PI, TAU};

use etalon_rigid::Scalar;
use etalon_spatial::Body;
use etalon_time_stepping::implicit::Shape;
use rug::Rational;

use super::implicit::{ImplicitBody, ImplicitScene};
use crate::view::{Placement, View, elevation, float, onto_axes, plan};

/// Points of a surface lie on so many circles of latitude, and twice as many of longitude.
const CIRCLES: u32 = 24;

impl ImplicitScene {
    /// From the side and from above.
    pub fn views(&self) -> Vec<View> {
        let sides = [(elevation("z, m"), [0, 2]), (plan(), [0, 1])];
        let sides = sides.into_iter().map(|(view, onto)| self.view(view, onto));
        sides.collect()
    }

    fn view(&self, mut view: View, onto: [usize; 2]) -> View {
        let mut start = 0;
        for own in &self.bodies {
            let moves = own.has_state();
            let points = own.shape.as_ref().map(surface).unwrap_or_default();
            if let Some(Shape::HalfSpace { normal, offset }) = &own.shape {
                view = ground(view, &own.body, [normal, &vec![offset.clone()]], onto);
            } else if moves {
                let place = Placement::Hull {
                    points,
                    start,
                    rows: onto_axes(onto),
                };
                view = view.body(&own.body.name, Vec::new(), place);
            } else {
                let still = Placement::Hull {
                    points,
                    start: 0,
                    rows: onto_axes(onto),
                };
                view = view.line(still_outline(&still, &own.body));
            }
            start += if moves { 7 } else { 0 };
        }
        view
    }
}

impl ImplicitBody {
    /// Whether a body has a place in the state: it moves by itself, or as an obstacle.
    pub fn has_state(&self) -> bool {
        let body = &self.body;
        !body.fixed || !body.velocity.is_zero() || !body.angular_velocity.is_zero()
    }
}

/// The seven numbers of a body's place at the start.
fn place(body: &Body) -> [f64; 7] {
    let [x, y, z] = body.position.coordinates().each_ref().map(Scalar::to_f64);
    let quaternion = body.attitude.0.each_ref().map(float);
    let length = quaternion.iter().map(|own| own * own).sum::<f64>().sqrt();
    let [w, a, b, c] = quaternion.map(|own| own / length);
    [x, y, z, w, a, b, c]
}

/// The outline of what stays, closed.
fn still_outline(place_of: &Placement, body: &Body) -> Vec<[f64; 2]> {
    let q = place(body);
    let [x, y, ..] = place_of.pose(&q);
    let outline = place_of.outline(&q).unwrap_or_default();
    let moved = outline.iter().map(|[a, b]| [x + a, y + b]);
    let mut moved: Vec<_> = moved.collect();
    moved.extend(moved.first().copied());
    moved
}

/// Adds the half-space n.x <= b that stays, where it is seen edge on. One that moves, or leans towards the eye, is not drawn.
fn ground(
    view: View,
    body: &Body,
    [normal, offset]: [&Vec<Rational>; 2],
    onto: [usize; 2],
) -> View {
    let q = place(body);
    let turned = crate::view::rotation(&q);
    let local: Vec<f64> = normal.iter().map(float).collect();
    let length = local.iter().map(|n| n * n).sum::<f64>().sqrt();
    let world = [0, 1, 2].map(|i| (0..3).map(|k| turned[i][k] * local[k]).sum::<f64>() / length);
    let aside = 3 - onto[0] - onto[1];
    if world[aside].abs() > 1e-9 {
        return view;
    }
    let at: f64 = (0..3).map(|k| world[k] * q[k]).sum();
    view.ground(
        onto.map(|axis| world[axis]),
        at + float(&offset[0]) / length,
    )
}

/// Points of a surface, dense enough for a hull: those along the directions of a grid on the sphere.
fn surface(shape: &Shape) -> Vec<[f64; 3]> {
    let (half_axes, [m, n]) = match shape {
        Shape::Ellipsoid { half_axes } => (half_axes, [2, 2]),
        Shape::Superquadric {
            half_axes,
            exponents,
        } => (half_axes, *exponents),
        _ => return vec![[0.0; 3]],
    };
    let axes: Vec<f64> = half_axes.iter().map(float).collect();
    let point = |(i, j): (u32, u32)| {
        let (rise, round) = (
            PI * f64::from(i) / f64::from(CIRCLES),
            TAU * f64::from(j) / f64::from(2 * CIRCLES),
        );
        let way = [
            rise.sin() * round.cos(),
            rise.sin() * round.sin(),
            rise.cos(),
        ];
        let powers = |p: u32, of: &[f64]| of.iter().map(|x| x.abs().powi(p as i32)).sum::<f64>();
        // f of one exponent is a sum of powers, and of two a sum of a power of one.
        let sum = match m == n {
            true => powers(n, &way),
            false => powers(m, &way[..2]).powi((n / m) as i32) + powers(n, &way[2..]),
        };
        let size = sum.powf(-1.0 / f64::from(n));
        [0, 1, 2].map(|k| size * way[k] * axes.get(k).copied().unwrap_or_default())
    };
    let grid = (0..=CIRCLES).flat_map(|i| (0..2 * CIRCLES).map(move |j| (i, j)));
    grid.map(point).collect()
}
