//! The formulas against what they stand for: (9) against J M^-1 J', (10) and (11) against second
//! differences of the gap in 320 bits.

use proptest::prelude::*;
use rug::Float;

use super::*;
use crate::World;
use crate::body::Motion;
use crate::geometry::{Curve, CurvePiece, Path, PathEdge, Pose};
use crate::scene::{BodySpec, Connector, WorldSpec};

const BITS: u32 = 320;

fn exact(value: f64) -> Float {
    Float::with_val(BITS, value)
}

/// A point at a lever of a body that moves with constant accelerations, after t seconds.
fn moved(body: Body<'_>, lever: Vec2, free: (Vec2, f64), t: &Float) -> [Float; 2] {
    let half = Float::with_val(BITS, t * t) / 2u32;
    let angle = exact(body.motion.spin) * t + exact(free.1) * &half;
    let (sin, cos) = angle.sin_cos(Float::new(BITS));
    let (lx, ly) = (exact(lever.x), exact(lever.y));
    let x = Float::with_val(BITS, &cos * &lx) - Float::with_val(BITS, &sin * &ly);
    let y = Float::with_val(BITS, &sin * &lx) + Float::with_val(BITS, &cos * &ly);
    let along = |p: f64, v: f64, a: f64| exact(p) + exact(v) * t + exact(a) * &half;
    [
        x + along(body.motion.position.x, body.motion.velocity.x, free.0.x),
        y + along(body.motion.position.y, body.motion.velocity.y, free.0.y),
    ]
}

/// The gap but for a constant: along the turning normal, or the distance of the centres.
fn gap(contact: &Contact, bodies: Bodies<'_>, free: &[(Vec2, f64)], t: &Float) -> Float {
    let (first, second) = (contact.first, contact.second);
    let a = moved(
        bodies.at(first),
        contact.first_lever(bodies),
        free[first],
        t,
    );
    let b = moved(
        bodies.at(second),
        contact.second_lever(bodies),
        free[second],
        t,
    );
    let [x, y] = [0, 1].map(|k| Float::with_val(BITS, &a[k] - &b[k]));
    if let Some(radius) = contact.round_normal {
        let distance = x.hypot(&y);
        let hollow = radius + contact.round.unwrap_or(0.0) < 0.0;
        return if hollow { -distance } else { distance };
    }
    let motion = Motion {
        position: Vec2::zeros(),
        velocity: Vec2::zeros(),
        ..bodies.at(second).motion.clone()
    };
    let still = Body {
        motion: &motion,
        ..bodies.at(second)
    };
    let [nx, ny] = moved(still, contact.normal, (Vec2::zeros(), free[second].1), t);
    nx * x + ny * y
}

fn second_difference(contact: &Contact, bodies: Bodies<'_>, free: &[(Vec2, f64)]) -> f64 {
    let h = exact(2f64.powi(-60));
    let at = |t: Float| gap(contact, bodies, free, &t);
    let (after, now, before) = (at(h.clone()), at(exact(0.0)), at(-h.clone()));
    let difference = after + before - now * 2u32;
    (difference / Float::with_val(BITS, &h * &h)).to_f64()
}

/// Two bodies of which the first touches the second with a gap of 4 mm.
pub(crate) fn touching(kind: usize, angle: f64, slide: f64, offset: [f64; 2]) -> WorldSpec {
    let block = Path::rectangle(2.0, 2.0);
    // A square with a hollow of radius 2 in its top.
    let hollow = |edge: PathEdge| match edge {
        PathEdge::Line {
            from: [1.0, 1.0],
            to,
        } => PathEdge::Arc {
            from: [1.0, 1.0],
            to,
            center: [0.0, 1.0 + 3f64.sqrt()],
            clockwise: true,
            outside_is_out: false,
        },
        other => other,
    };
    let dish = Path {
        edges: block.edges.iter().copied().map(hollow).collect(),
    };
    let up = 0.004;
    // In the frame of the lower body; the upper one's corner looks down.
    let corner = Path::polygon(&[[0.0, 0.0], [1.0, 1.0], [0.0, 2.0], [-1.0, 1.0]]);
    let (upper, lower, at) = match kind {
        0 => (corner, block, [slide, 1.0 + up]),
        1 => (Path::ball(0.5), block, [slide, 1.5 + up]),
        2 => (
            corner,
            Path::ball(1.0),
            [slide * 0.2, (1.0 + up).hypot(0.0)],
        ),
        3 => (Path::ball(0.5), Path::ball(1.0), [0.0, 1.5 + up]),
        _ => (Path::ball(0.5), dish, [0.0, 3f64.sqrt() - 0.5 + up]),
    };
    let at = if kind == 2 {
        let from = 1.0 + up;
        [at[0], (from * from - at[0] * at[0]).sqrt()]
    } else {
        at
    };
    let mut first = BodySpec::moving("upper", upper, 1.5, 0.7).at(at[0], at[1], 0.0);
    first.center_of_mass = offset;
    first.position = [at[0] + offset[0], at[1] + offset[1]];
    let mut second = BodySpec::moving("lower", lower, 2.5, 1.3);
    second.center_of_mass = [offset[1], offset[0]];
    second.position = second.center_of_mass;
    // The whole picture turned.
    let (sin, cos) = angle.sin_cos();
    for body in [&mut first, &mut second] {
        let [x, y] = body.position;
        body.position = [cos * x - sin * y, sin * x + cos * y];
        body.angle = angle;
    }
    WorldSpec {
        bodies: vec![first, second],
        ..WorldSpec::default()
    }
}

pub(crate) fn contacts(world: &World) -> Vec<Contact> {
    let mut contacts = Vec::new();
    world.model.find(&world.state, &mut contacts, 0.0);
    contacts
}

/// A point of a body off a circle of radius 2 that another body carries, by less than the distance tolerance.
fn threaded(angles: [f64; 3], off: f64, offset: [f64; 2]) -> WorldSpec {
    let wire = BodySpec::moving("wire", Path::default(), 2.5, 1.3).at(0.3, -0.2, angles[0]);
    let wire = BodySpec {
        center_of_mass: [offset[1], offset[0]],
        ..wire
    };
    let quarter = |a: [f64; 2], b: [f64; 2]| CurvePiece {
        points: vec![a, [a[0] + b[0], a[1] + b[1]], b],
        weights: vec![1.0, 1.0, 2.0],
    };
    let ends = [[2.0, 0.0], [0.0, 2.0], [-2.0, 0.0], [0.0, -2.0], [2.0, 0.0]];
    let pieces = ends.windows(2).map(|pair| quarter(pair[0], pair[1]));
    let pose = Pose::new(wire.center_of_mass.into(), wire.position.into(), wire.angle);
    let (sin, cos) = angles[1].sin_cos();
    let at = pose.to_world(Vec2::new(cos, sin) * (2.0 + off));
    let bead = BodySpec::moving("bead", Path::default(), 1.5, 0.7);
    let turned = Pose::new(Vec2::zeros(), Vec2::zeros(), angles[2]);
    let center = at - turned.rotate(offset.into());
    WorldSpec {
        bodies: vec![bead.at(center.x, center.y, angles[2]), wire],
        connectors: vec![Connector::Path {
            body: "bead".to_owned(),
            at: offset,
            other: "wire".to_owned(),
            curve: Curve {
                pieces: pieces.collect(),
            },
        }],
        ..WorldSpec::default()
    }
}

/// The radius less the way from the circle's centre to the point, after t seconds: positive on the left, which is inside.
fn inside(contact: &Contact, bodies: Bodies<'_>, free: &[(Vec2, f64)], t: &Float) -> Float {
    let center = bodies.at(1).motion.pose.to_world(Vec2::zeros()) - bodies.at(1).motion.position;
    let point = moved(bodies.at(0), contact.first_lever(bodies), free[0], t);
    let center = moved(bodies.at(1), center, free[1], t);
    let [x, y] = [0, 1].map(|k| Float::with_val(BITS, &point[k] - &center[k]));
    exact(2.0) - x.hypot(&y)
}

proptest! {
    #[test]
    fn b_on_a_curve_is_the_second_derivative_of_the_gap(
        angles in prop::array::uniform3(-3.0..3.0f64),
        off in -0.009..0.009f64,
        offset in [-0.4..0.4f64, -0.4..0.4f64],
        motion in prop::array::uniform12(-2.0..2.0f64),
    ) {
        let mut scene = threaded(angles, off, offset);
        for (body, v) in scene.bodies.iter_mut().zip(motion.chunks(3)) {
            body.velocity = [v[0], v[1]];
            body.angular_velocity = v[2];
        }
        let world = World::new(scene).unwrap();
        let free: Vec<(Vec2, f64)> =
            motion[6..].chunks(3).map(|a| (Vec2::new(a[0], a[1]), a[2])).collect();
        let found = contacts(&world);
        prop_assert_eq!(found.len(), 1, "{:?}", found);
        let bodies = world.model.bodies(&world.state);
        let h = exact(2f64.powi(-60));
        let at = |t: Float| inside(&found[0], bodies, &free, &t);
        let (after, now, before) = (at(h.clone()), at(exact(0.0)), at(-h.clone()));
        prop_assert!((found[0].distance - now.to_f64()).abs() < 1e-14);
        let rate = Float::with_val(BITS, &after - &before) / Float::with_val(BITS, &h * 2u32);
        prop_assert!((found[0].velocity - rate.to_f64()).abs() < 1e-12);
        let expected = (after + before - now * 2u32) / Float::with_val(BITS, &h * &h);
        let b = gap_acceleration(&found[0], bodies, &free, CurveTerm::Exact);
        prop_assert!((b - expected.to_f64()).abs() < 1e-9 * (1.0 + b.abs()), "{} {}", b, expected);
    }

    #[test]
    fn b_is_the_second_derivative_of_the_gap(
        kind in 0usize..5,
        angle in -3.0..3.0f64,
        slide in -0.7..0.7f64,
        offset in [-0.4..0.4f64, -0.4..0.4f64],
        motion in prop::array::uniform12(-2.0..2.0f64),
    ) {
        let mut scene = touching(kind, angle, slide, offset);
        for (body, v) in scene.bodies.iter_mut().zip(motion.chunks(3)) {
            body.velocity = [v[0], v[1]];
            body.angular_velocity = v[2];
        }
        let world = World::new(scene).unwrap();
        let free: Vec<(Vec2, f64)> =
            motion[6..].chunks(3).map(|a| (Vec2::new(a[0], a[1]), a[2])).collect();
        let found = contacts(&world);
        prop_assert_eq!(found.len(), 1, "kind {}: {:?}", kind, found);
        prop_assert!((found[0].distance - 0.004).abs() < 1e-12);
        let expected = second_difference(&found[0], world.model.bodies(&world.state), &free);
        let b = gap_acceleration(&found[0], world.model.bodies(&world.state), &free, CurveTerm::Exact);
        prop_assert!((b - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{} {} {}", kind, b, expected);
    }

    #[test]
    fn a_is_j_inverse_mass_j_transposed(
        angle in -3.0..3.0f64,
        slides in [-0.7..0.7f64, -0.7..0.7f64],
        offset in [-0.4..0.4f64, -0.4..0.4f64],
    ) {
        // Contacts of several kinds between the same two bodies, as if they were one scene.
        let worlds: Vec<World> = (0..5)
            .map(|kind| World::new(touching(kind, angle, slides[kind % 2], offset)).unwrap())
            .collect();
        for world in &worlds {
            let found = contacts(world);
            let normals = found.iter().map(|contact| Row::normal(contact, world.model.bodies(&world.state)));
            let tangents = found.iter().map(|contact| Row::tangent(contact, world.model.bodies(&world.state)));
            let rows: Vec<Row> = normals.chain(tangents).collect();
            let a = matrix(&rows, world.model.bodies(&world.state));
            let n = rows.len();
            // J has three columns for each body.
            let row = |row: &Row| {
                let direction = row.direction;
                let mut columns = [0.0; 6];
                for arm in row.arms.iter().copied() {
                    let at = 3 * arm.body;
                    columns[at] += arm.sign * direction.x;
                    columns[at + 1] += arm.sign * direction.y;
                    columns[at + 2] += arm.sign * arm.lever.perp(&direction);
                }
                columns
            };
            let inverse = [1.0 / 1.5, 1.0 / 1.5, 1.0 / 0.7, 1.0 / 2.5, 1.0 / 2.5, 1.0 / 1.3];
            for (i, one) in rows.iter().enumerate() {
                for (j, other) in rows.iter().enumerate() {
                    let (one, other) = (row(one), row(other));
                    let product: f64 = (0..6).map(|k| one[k] * inverse[k] * other[k]).sum();
                    prop_assert!((a[i * n + j] - product).abs() < 1e-14 * (1.0 + product.abs()));
                }
            }
        }
    }
}

#[test]
fn a_block_on_two_corners_couples_them_as_computed_by_hand() {
    // 1 kg, 2 m by 2 m, I = 2/3: corners at x = -1 and 1, A = [[1 + 3/2, 1 - 3/2], ...].
    let floor = BodySpec::fixed("floor", Path::rectangle(10.0, 1.0)).at(0.0, -0.5, 0.0);
    let block = BodySpec::moving("block", Path::rectangle(2.0, 2.0), 1.0, 2.0 / 3.0);
    let scene = WorldSpec {
        bodies: vec![floor, block.at(0.0, 1.005, 0.0)],
        ..WorldSpec::default()
    };
    let world = World::new(scene).unwrap();
    let found = contacts(&world);
    let rows: Vec<Row> = found
        .iter()
        .map(|contact| Row::normal(contact, world.model.bodies(&world.state)))
        .collect();
    assert_eq!(
        matrix(&rows, world.model.bodies(&world.state)),
        [2.5, -0.5, -0.5, 2.5]
    );
}

#[test]
fn the_whole_velocity_counts_only_where_it_is_asked_for() {
    let mut scene = touching(3, 0.3, 0.0, [0.0, 0.0]);
    scene.bodies[0].velocity = [0.1, 0.2];
    let world = World::new(scene).unwrap();
    let found = &contacts(&world)[0];
    let free = [(Vec2::zeros(), 0.0); 2];
    let b = |term| gap_acceleration(found, world.model.bodies(&world.state), &free, term);
    let along = found.velocity;
    let whole = b(CurveTerm::WholeVelocity) - b(CurveTerm::Exact);
    assert!((whole - along * along / 1.504).abs() < 1e-12);
}
