//! What joints hold, where they are, and how far they are open.

use etalon_rigid::Vector3;
use rug::Rational;

use super::super::map::{JointKind, JointMap};
use super::super::pose::{Matrix, Pose, rotation, vector};
use super::super::row::{Result, Row, fault};
use super::super::shapes::turned_corner;
use crate::exact::{dot, length_above, sum};
use crate::motion::FreeImpulse;

/// Where a joint is at a line.
pub struct Frame {
    /// Both anchors in the world.
    pub points: [Vec<Rational>; 2],
    /// Both axes in the world, of length 1.
    pub axes: Option<[Vec<Rational>; 2]>,
    /// Of the first body against the second, to first order: a number in the plane, three in space.
    pub turn: Vec<Rational>,
    /// The sum of the sizes of what the anchors are made of, m.
    pub reach: Rational,
    /// That of angles in the plane, rad, and 1.
    pub angles: Rational,
}

/// What a joint holds, or leaves free.
pub enum Way {
    /// Along a direction, at the own anchor of each body or at that of the first.
    Along(Vec<Rational>, bool),
    /// About an axis, with the gap that its rate is of.
    About(Vec<Rational>, Opening),
}

/// The equation of turning.
pub enum Opening {
    /// e'a2, for e of the first body, in its axes.
    Across(Vec<Rational>),
    /// a1'a2.
    Right,
    /// The turn along the axis.
    Turn,
}

/// The lines before and after with the bodies in them, and which of them rows are taken at.
pub struct Lines<'a> {
    pub rows: &'a [Row<'a>; 2],
    pub poses: &'a [Vec<Pose>; 2],
    pub frames: [Frame; 2],
    pub at: usize,
    pub h: &'a Rational,
    pub k: u64,
}

/// What a joint holds, and what it leaves free.
pub fn ways(own: &JointMap, frame: &Frame, dimension: usize) -> (Vec<Way>, Vec<Way>) {
    let axes = |n: usize| -> Vec<Vec<Rational>> {
        let unit = |k: usize| (0..n).map(|i| Rational::from(i32::from(i == k))).collect();
        (0..n).map(unit).collect()
    };
    let about = |all: Vec<Vec<Rational>>| all.into_iter().map(|own| Way::About(own, Opening::Turn));
    let turning = if dimension == 2 { 1 } else { 3 };
    let mut held: Vec<Way> = Vec::new();
    let mut free: Vec<Way> = Vec::new();
    match (own.kind, &frame.axes) {
        (JointKind::Slider, Some([_, axis])) => {
            let across = match dimension {
                2 => vec![vec![Rational::from(-&axis[1]), axis[0].clone()]],
                _ => across(axis).to_vec(),
            };
            held.extend(across.into_iter().map(|own| Way::Along(own, true)));
            free.push(Way::Along(axis.clone(), true));
        }
        _ => held.extend(
            axes(dimension)
                .into_iter()
                .map(|own| Way::Along(own, false)),
        ),
    }
    match (own.kind, &frame.axes) {
        (JointKind::Slider | JointKind::Fixed, _) => held.extend(about(axes(turning))),
        (JointKind::Hinge, Some([first, second])) => {
            for e in across(first) {
                let axis = crossed(&e, second);
                held.push(Way::About(axis, Opening::Across(e)));
            }
            free.push(Way::About(second.clone(), Opening::Turn));
        }
        (JointKind::Universal, Some([first, second])) => {
            held.push(Way::About(crossed(first, second), Opening::Right));
            free.extend(about(vec![first.clone(), second.clone()]));
        }
        _ => free.extend(about(axes(turning))),
    }
    (held, free)
}

/// How far a way is open at a line, with the sum of the sizes of its terms.
pub fn opening(
    own: &JointMap,
    way: &Way,
    lines: &Lines<'_>,
    side: usize,
) -> Result<(Rational, Rational)> {
    let frame = &lines.frames[side];
    let few = || Rational::from(4) * &frame.angles;
    Ok(match (way, &frame.axes) {
        (Way::Along(direction, at_first), axes) => {
            // Directions across an axis turn with it.
            let direction = match (at_first, axes) {
                (true, Some([_, axis])) if side != lines.at => flattened(direction, axis),
                _ => direction.clone(),
            };
            let size = sizes(&direction) * &frame.reach;
            (dot(&direction, &apart(frame)), size)
        }
        (Way::About(_, Opening::Across(e)), Some([_, second])) => {
            let e = carried(own, e, lines, side);
            (dot(&e, second), few())
        }
        (Way::About(_, Opening::Right), Some([first, second])) => (dot(first, second), few()),
        (Way::About(axis, _), _) => (dot(axis, &frame.turn), few()),
    })
}

/// A vector of the first body, given in the world at the line of the rows, at another line.
fn carried(own: &JointMap, e: &[Rational], lines: &Lines<'_>, side: usize) -> Vec<Rational> {
    let Some(body) = own.bodies[0].filter(|_| side != lines.at) else {
        return e.to_vec();
    };
    let turn = |side: usize| lines.poses[side][body].turn.as_ref();
    let (Some((_, there)), Some((_, here))) = (turn(lines.at), turn(side)) else {
        return e.to_vec();
    };
    let local: Vec<Rational> = (0..3)
        .map(|j| sum((0..3).map(|i| Rational::from(&there[i][j] * &e[i]))))
        .collect();
    here.iter().map(|row| dot(row, &local)).collect()
}

/// A direction without its part along an axis of length 1.
fn flattened(direction: &[Rational], axis: &[Rational]) -> Vec<Rational> {
    let along = dot(direction, axis);
    let pairs = direction.iter().zip(axis);
    pairs
        .map(|(own, a)| own - Rational::from(a * &along))
        .collect()
}

/// Two directions across an axis in space, at a right angle to each other, of length 1 but for the last of many bits.
pub fn across(axis: &[Rational]) -> [Vec<Rational>; 2] {
    let least = (0..axis.len()).min_by(|i, j| axis[*i].clone().abs().cmp(&axis[*j].clone().abs()));
    let unit: Vec<Rational> = (0..3)
        .map(|k| Rational::from(i32::from(Some(k) == least)))
        .collect();
    let one = normalised(crossed(axis, &unit));
    let other = normalised(crossed(axis, &one));
    [one, other]
}

fn normalised(own: Vec<Rational>) -> Vec<Rational> {
    let length = length_above(&own);
    match length.is_zero() {
        true => own,
        false => own.into_iter().map(|own| own / &length).collect(),
    }
}

fn crossed(a: &[Rational], b: &[Rational]) -> Vec<Rational> {
    vector(a).cross(&vector(b)).coordinates().to_vec()
}

/// From the second anchor to the first.
pub fn apart(frame: &Frame) -> Vec<Rational> {
    let [a, b] = &frame.points;
    a.iter()
        .zip(b)
        .map(|(a, b)| Rational::from(a - b))
        .collect()
}

pub fn sizes(own: &[Rational]) -> Rational {
    sum(own.iter().map(|own| own.clone().abs()))
}

pub fn beside(way: &Way, impulse: &[Rational], angular: &[Rational]) -> FreeImpulse {
    let (direction, own, turns) = match way {
        Way::Along(direction, _) => (direction, impulse, false),
        Way::About(axis, _) => (axis, angular, true),
    };
    FreeImpulse {
        amount: dot(direction, own),
        // An axis that turns with its body is known to the rounding of 1 in each entry.
        size: sizes(own) * 2u32,
        turns,
    }
}

/// C, by which the axes of the second body are turned in those of the first where the joint is at 0.
pub fn matrix_of(own: &JointMap, turned: &[Rational], row: &Row<'_>) -> Result<Matrix> {
    rotation(turned).ok_or_else(|| {
        let why = format!(
            "the field \"turned\" of the joint {:?} is 0; a quaternion w, x, y, z has length 1",
            own.name
        );
        fault(row.line, why)
    })
}

/// The turn of R1 C R2', to first order: half of what it is off being symmetric.
pub fn turn_in_space(matrix: &Matrix, bodies: [Option<&Pose>; 2]) -> Vec<Rational> {
    let columns = |body: Option<&Pose>| -> [Vector3<Rational>; 3] {
        std::array::from_fn(|j| {
            let unit: Vec<Rational> = (0..3).map(|i| Rational::from(i32::from(i == j))).collect();
            vector(&body.map_or(unit.clone(), |body| turned_corner(body, &unit)))
        })
    };
    let [first, second] = bodies.map(columns);
    // The columns of R1 C, each against that of R2: the turn is half of the sum of their products.
    let mut turn = vector(&[]);
    for (j, other) in second.iter().enumerate() {
        let mut own = vector(&[]);
        for (i, axis) in first.iter().enumerate() {
            own = &own + &axis.times(&matrix[i][j]);
        }
        turn = &turn + &other.cross(&own);
    }
    turn.coordinates()
        .iter()
        .map(|own| Rational::from(own / 2u32))
        .collect()
}
