//! Coulomb friction of bodies in space, with pyramids of four and eight directions.

use super::definite::gram;
use super::draft::{Draft, Rows, dyadic};
use super::draw::Draw;
use super::friction::add_cones;
use super::semidefinite::times;

type Vector = [i64; 3];

/// Orthogonal triads of integers, each of one length.
const TRIADS: [[Vector; 3]; 3] = [
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[1, 2, 2], [2, 1, -2], [2, -2, 1]],
    [[2, 3, 6], [3, -6, 2], [6, 2, -3]],
];

/// Half of the directions of the pyramid in quarters of the tangents: the others are opposite.
const FOUR: &[[i64; 2]] = &[[4, 0], [0, 4]];
/// The corners of an octagon, nearly regular.
const EIGHT: &[[i64; 2]] = &[[4, 0], [3, 3], [0, 4], [-3, 3]];

/// All columns in quarters.
const COLUMN_BITS: i32 = 2;
/// Inverse masses and moments of inertia in quarters.
const W_BITS: i32 = 2;

/// n / 6 contacts with pyramids of four directions.
pub(super) fn four(draw: &mut Draw, n: usize, _: u64) -> Draft {
    time_step(draw, n / 6, FOUR)
}

/// n / 10 contacts with pyramids of eight directions.
pub(super) fn eight(draw: &mut Draw, n: usize, _: u64) -> Draft {
    time_step(draw, n / 10, EIGHT)
}

/// The time step of Stewart and Trinkle for contacts between random bodies, laid out as
/// [`super::friction::time_step`], which also says why there is a solution.
fn time_step(draw: &mut Draw, count: usize, half: &[[i64; 2]]) -> Draft {
    let bodies = 1 + draw.index(count);
    let directions = 2 * half.len();
    let mut columns: Rows<i64> = Vec::with_capacity((directions + 1) * count);
    let mut normals = Vec::with_capacity(count);
    for _ in 0..count {
        let (normal, tangents) = contact(draw, bodies);
        normals.push(normal.iter().map(|v| 4 * v).collect());
        for sign in [1, -1] {
            columns.extend(half.iter().map(|d| combined(&tangents, d, sign)));
        }
    }
    columns.extend(normals);
    let weights = draw.vector(6 * bodies, |draw| 1 << draw.index(3));
    let velocity = draw.vector(6 * bodies, |draw| draw.between(-4, 4));
    let n = columns.len() + count;
    let mut q = dyadic(&times(&columns, &velocity), COLUMN_BITS);
    for gap in &mut q[directions * count..] {
        // More than half of the gaps are closed.
        *gap += draw.between(0, 6).max(3) as f64 - 3.0;
    }
    let dynamics = gram(&columns, &weights);
    let mut m: Rows<f64> = dynamics
        .iter()
        .map(|row| dyadic(row, 2 * COLUMN_BITS + W_BITS))
        .collect();
    m.iter_mut().for_each(|row| row.resize(n, 0.0));
    m.resize(n, vec![0.0; n]);
    q.resize(n, 0.0);
    let mut draft = Draft::new(m, q);
    add_cones(&mut draft, 0, count, directions, |_| {
        draw.between(0, 6) as f64 * 0.25
    });
    draft
}

/// The normal and the two tangents of a random contact in the coordinates (place, turn) of every
/// body. The first body is random, the second another or the ground.
pub(super) fn contact(draw: &mut Draw, bodies: usize) -> (Vec<i64>, [Vec<i64>; 2]) {
    let triad = TRIADS[draw.index(TRIADS.len())];
    let turned = draw.index(3);
    let axes = [0, 1, 2].map(|k| triad[(k + turned) % 3]);
    let one = draw.index(bodies);
    let two = draw.index(bodies + 1);
    let mut columns = [0; 3].map(|_| vec![0; 6 * bodies]);
    for (body, sign) in [(one, 1), (two, -1)] {
        if body == bodies || (sign < 0 && body == one) {
            continue;
        }
        let arm = [0; 3].map(|_| draw.between(-2, 2));
        for (column, axis) in columns.iter_mut().zip(&axes) {
            let moment = cross(&arm, axis);
            let parts = axis.iter().chain(&moment);
            for (entry, part) in column[6 * body..6 * body + 6].iter_mut().zip(parts) {
                *entry = sign * part;
            }
        }
    }
    let [normal, one, two] = columns;
    (normal, [one, two])
}

fn combined([one, two]: &[Vec<i64>; 2], direction: &[i64; 2], sign: i64) -> Vec<i64> {
    let pairs = one.iter().zip(two);
    pairs
        .map(|(x, y)| sign * (direction[0] * x + direction[1] * y))
        .collect()
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
