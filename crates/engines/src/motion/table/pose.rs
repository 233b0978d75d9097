//! Bodies in a line of a table: where they are, how they are turned, and their inertia in the world.

use etalon_rigid::Vector3;
use rug::Rational;

use super::map::{BodyMap, MotionMap};
use super::row::{Result, Row, fault};
use crate::exact::{dot, sum};

/// A body in a line.
pub(super) struct Pose {
    pub position: Vec<Rational>,
    /// The rows of the inertia in the world; none for a particle.
    pub inertia: Vec<Vec<Rational>>,
    pub spin: Vec<Rational>,
    /// The angle in the plane, where there is one.
    pub angle: Option<Rational>,
    /// The quaternion in space as it stands, and the rotation of its direction.
    pub turn: Option<([Rational; 4], Matrix)>,
}

pub(super) type Matrix = [[Rational; 3]; 3];

impl Pose {
    pub fn of(map: &MotionMap, own: &BodyMap, row: &Row<'_>) -> Result<Self> {
        let mut pose = Self {
            position: row.numbers(&own.position)?,
            inertia: Vec::new(),
            spin: Vec::new(),
            angle: own
                .angle
                .as_ref()
                .map(|cell| row.number(cell))
                .transpose()?,
            turn: turn(own, row)?,
        };
        let Some(inertia) = &own.inertia else {
            return Ok(pose);
        };
        let flat = row.numbers(inertia)?;
        let side = if map.dimension == 2 { 1 } else { 3 };
        pose.inertia = flat.chunks(side).map(<[_]>::to_vec).collect();
        check_inertia(own, row.line, &pose.inertia)?;
        if let (true, Some((_, turn))) = (own.turns, &pose.turn) {
            pose.inertia = turned(turn, &pose.inertia);
        }
        pose.spin = row.numbers(&own.spin)?;
        Ok(pose)
    }
}

fn turn(own: &BodyMap, row: &Row<'_>) -> Result<Option<([Rational; 4], Matrix)>> {
    let Some(cells) = &own.orientation else {
        return Ok(None);
    };
    let q = row.numbers(cells)?;
    let found = rotation(&q).and_then(|turn| Some((<[Rational; 4]>::try_from(q).ok()?, turn)));
    let why = || {
        let name = &own.name;
        let why = format!(
            "the orientation of the body {name:?} is 0; a quaternion w, x, y, z has length 1"
        );
        fault(row.line, why)
    };
    found.map(Some).ok_or_else(why)
}

/// That a body can have moments of inertia: they are not negative, and in space no principal one is above the sum of the two
/// others, for I = tr(J) - J with J = integral of r r' dm, which has no negative eigenvalue. Both are asked of I and of
/// J = tr(I)/2 - I as of positive semidefinite matrices. Each entry may be off by 2^-20 of the trace, as numbers of binary32 and
/// their products are: so a flat plate, whose third moment is the sum of the others, passes.
fn check_inertia(own: &BodyMap, line: u64, inertia: &[Vec<Rational>]) -> Result<()> {
    let name = &own.name;
    let told = |why: &str| {
        Err(fault(
            line,
            format!("the inertia of the body {name:?} {why}"),
        ))
    };
    if let [row] = inertia {
        return match row[0] > 0 {
            true => Ok(()),
            false => told(
                "must be positive; a body without inertia is a particle, which has no \"inertia\"",
            ),
        };
    }
    let trace = sum((0..3).map(|k| inertia[k][k].clone()));
    let room = Rational::from(trace.abs_ref()) >> 20u32;
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let off = Rational::from(&inertia[i][j] - &inertia[j][i]);
        if off.abs() > room {
            return told("is not symmetric: entries across the diagonal must be equal");
        }
    }
    let with = |sign: i32, on_diagonal: Rational| -> Matrix {
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let entry = Rational::from(&inertia[i][j] + &inertia[j][i]) / 2u32 * sign;
                if i == j { entry + &on_diagonal } else { entry }
            })
        })
    };
    // A matrix whose smallest eigenvalue is at least -room has none below 0 with twice that on its diagonal, for sums of
    // three entries.
    let room = room * 3u32;
    if !is_positive(&with(1, room.clone())) {
        return told("has a moment about some axis that is negative");
    }
    if !is_positive(&with(-1, Rational::from(&trace / 2u32) + room)) {
        return told(
            "has a moment about one axis that is larger than the sum of the two others, which no body has; are rows or units mixed up?",
        );
    }
    Ok(())
}

/// Whether no eigenvalue of a symmetric matrix is negative: no principal minor is.
fn is_positive(m: &Matrix) -> bool {
    let minor = |i: usize, j: usize| {
        Rational::from(&m[i][i] * &m[j][j]) - Rational::from(&m[i][j] * &m[j][i])
    };
    let row = |i: usize| vector(&m[i]);
    let whole = row(0).dot(&row(1).cross(&row(2)));
    let first = (0..3).all(|i| m[i][i] >= 0);
    first
        && [(0, 1), (0, 2), (1, 2)]
            .into_iter()
            .all(|(i, j)| minor(i, j) >= 0)
        && whole >= 0
}

pub(super) fn vector(own: &[Rational]) -> Vector3<Rational> {
    Vector3::new(std::array::from_fn(|k| {
        own.get(k).cloned().unwrap_or_default()
    }))
}

/// The rotation of a quaternion w, x, y, z of any length but 0, in fractions: exactly orthogonal.
pub(super) fn rotation(q: &[Rational]) -> Option<Matrix> {
    let [w, x, y, z] = q else { return None };
    let square = dot(q, q);
    if square.is_zero() {
        return None;
    }
    let p = |a: &Rational, b: &Rational| Rational::from(a * b);
    let entry = |own: Rational| own * 2u32 / &square;
    let diagonal = |own: Rational| Rational::from(1) - entry(own);
    Some([
        [
            diagonal(p(y, y) + p(z, z)),
            entry(p(x, y) - p(w, z)),
            entry(p(x, z) + p(w, y)),
        ],
        [
            entry(p(x, y) + p(w, z)),
            diagonal(p(x, x) + p(z, z)),
            entry(p(y, z) - p(w, x)),
        ],
        [
            entry(p(x, z) - p(w, y)),
            entry(p(y, z) + p(w, x)),
            diagonal(p(x, x) + p(y, y)),
        ],
    ])
}

/// R I R'.
fn turned(r: &Matrix, inertia: &[Vec<Rational>]) -> Vec<Vec<Rational>> {
    let entry = |i: usize, j: usize| {
        let mut sum = Rational::new();
        for (a, row) in inertia.iter().enumerate() {
            for (b, own) in row.iter().enumerate() {
                sum += Rational::from(&r[i][a] * own) * &r[j][b];
            }
        }
        sum
    };
    (0..3)
        .map(|i| (0..3).map(|j| entry(i, j)).collect())
        .collect()
}
