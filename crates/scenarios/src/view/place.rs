//! Where a body is drawn in a state.

use super::sketch::hull;

/// Where a body is drawn: x, y, angle and two half axes that its outline is stretched by.
pub type Pose = [f64; 5];

/// A number of the state, plus a constant.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    index: Option<usize>,
    factor: f64,
    add: f64,
}

/// The state's number at an index.
pub const fn at(index: usize) -> Source {
    Source {
        index: Some(index),
        factor: 1.0,
        add: 0.0,
    }
}

/// A number that does not change.
pub const fn still(add: f64) -> Source {
    Source {
        index: None,
        factor: 1.0,
        add,
    }
}

impl Source {
    /// The same, the other way round.
    pub const fn negative(mut self) -> Self {
        self.factor = -1.0;
        self
    }

    /// The same, farther on.
    pub const fn plus(mut self, add: f64) -> Self {
        self.add = add;
        self
    }

    fn of(self, q: &[f64]) -> f64 {
        let value = self.index.and_then(|index| q.get(index));
        value.map_or(0.0, |value| self.factor * value) + self.add
    }
}

/// How a body's place follows from the state.
#[derive(Debug, Clone)]
pub enum Placement {
    /// x, y, angle.
    Plane([Source; 3]),
    /// The shadow of an ellipsoid, its centre and quaternion at the start of the state, on two of
    /// the axes.
    Shadow { axes: [f64; 3], onto: [usize; 2] },
    /// A point of a body in space, whose centre and quaternion are at the start of the state, on two of the axes.
    Point { at: [f64; 3], onto: [usize; 2] },
    /// The shadow of a convex body on a plane: the hull of points of its surface. Its centre and quaternion begin at an index of the
    /// state. The rows lead from space to the plane.
    Hull {
        points: Vec<[f64; 3]>,
        start: usize,
        rows: [[f64; 3]; 2],
    },
}

/// A vector turned by an angle.
pub fn turned([x, y]: [f64; 2], angle: f64) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    [cos * x - sin * y, sin * x + cos * y]
}

impl Placement {
    pub fn pose(&self, q: &[f64]) -> Pose {
        match self {
            Self::Plane([x, y, angle]) => [x.of(q), y.of(q), angle.of(q), 1.0, 1.0],
            Self::Shadow { axes, onto } => shadow(*axes, *onto, q),
            Self::Point { at, onto } => {
                let rotation = rotation(q);
                let place = onto.map(|i| {
                    let centre = q.get(i).copied().unwrap_or_default();
                    (0..3).fold(centre, |sum, k| sum + rotation[i][k] * at[k])
                });
                [place[0], place[1], 0.0, 1.0, 1.0]
            }
            Self::Hull { start, rows, .. } => {
                let centre = [0, 1, 2].map(|axis| at(start + axis).of(q));
                let [x, y] = rows.map(|row| along(&row, &centre));
                [x, y, 0.0, 1.0, 1.0]
            }
        }
    }

    /// The outline about the place, where it follows from the state.
    pub fn outline(&self, q: &[f64]) -> Option<Vec<[f64; 2]>> {
        let Self::Hull {
            points,
            start,
            rows,
        } = self
        else {
            return None;
        };
        let own = q.get(*start..).unwrap_or_default();
        let turned = rotation(own);
        let seen = points.iter().map(|p| {
            let world = turned.map(|row| along(&row, p));
            rows.map(|row| along(&row, &world))
        });
        Some(hull(seen.collect()))
    }
}

/// The part of a vector along a row.
fn along(row: &[f64; 3], p: &[f64; 3]) -> f64 {
    (0..3).map(|k| row[k] * p[k]).sum()
}

/// The rows that lead from space to two of its axes.
pub fn onto_axes(onto: [usize; 2]) -> [[f64; 3]; 2] {
    onto.map(|axis| [0, 1, 2].map(|k| if k == axis { 1.0 } else { 0.0 }))
}

/// The rotation of a body whose centre and quaternion are the first numbers.
pub fn rotation(q: &[f64]) -> [[f64; 3]; 3] {
    let get = |k: usize| q.get(k).copied().unwrap_or_default();
    let [w, x, y, z] = [get(3), get(4), get(5), get(6)];
    [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y - w * z),
            2.0 * (x * z + w * y),
        ],
        [
            2.0 * (x * y + w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - w * x),
        ],
        [
            2.0 * (x * z - w * y),
            2.0 * (y * z + w * x),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ]
}

/// The ellipse that an ellipsoid's outline makes on two of the axes.
fn shadow(axes: [f64; 3], [i, j]: [usize; 2], q: &[f64]) -> Pose {
    let get = |k: usize| q.get(k).copied().unwrap_or_default();
    let rotation = rotation(q);
    // The rows and columns i, j of R diag(axes^2) R': its eigenvalues are the squared half axes.
    let entry = |r: usize, s: usize| -> f64 {
        (0..3)
            .map(|k| rotation[r][k] * axes[k] * axes[k] * rotation[s][k])
            .sum()
    };
    let (a, b, d) = (entry(i, i), entry(i, j), entry(j, j));
    let (middle, radius) = ((a + d) / 2.0, ((a - d) / 2.0).hypot(b));
    let angle = (2.0 * b).atan2(a - d) / 2.0;
    let axis = |square: f64| square.max(0.0).sqrt();
    [
        get(i),
        get(j),
        angle,
        axis(middle + radius),
        axis(middle - radius),
    ]
}
