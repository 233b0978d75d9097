//! The cells into which the facets of all complementary cones cut the space of q.
//!
//! Every complementary cone is a union of closed cells, or has no inside. So what holds of one q inside
//! each cell holds of all real q but for those on the cuts, and closed properties hold there, too.

use super::cones::Cones;
use super::linear::{cross, dot, primitive};
use super::system::Bases;
use super::{Matrix, Vector};

/// What the cells show of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Covering {
    /// The least number of complementary cones that hold a cell.
    pub least: usize,
    /// The largest.
    pub most: usize,
    /// The sum of the signs of det M of alpha over the cones that hold a cell, if it is the same for all cells: the
    /// degree of the problem's piecewise linear map.
    pub degree: Option<i64>,
    /// Whether each cell within pos(I, -M) is in a complementary cone: every feasible problem has a
    /// solution.
    pub is_q0: bool,
}

impl Covering {
    /// Looks at every cell.
    pub fn new(m: &Matrix, cones: &Cones) -> Self {
        let feasible = Bases::new(m.n, &m.columns());
        let (mut least, mut most) = (usize::MAX, 0);
        let mut degrees = Vec::new();
        let mut is_q0 = true;
        for q in insides(m) {
            let (mut count, mut degree) = (0, 0);
            for sign in cones.holding(&q) {
                count += 1;
                degree += sign;
            }
            least = least.min(count);
            most = most.max(count);
            is_q0 &= count > 0 || !feasible.reach(&q);
            degrees.push(degree);
        }
        let same = degrees.iter().all(|degree| *degree == degrees[0]);
        let degree = same.then(|| degrees[0]);
        Self {
            least,
            most,
            degree,
            is_q0,
        }
    }
}

/// A vector inside each cell.
pub fn insides(m: &Matrix) -> Vec<Vector> {
    let mut cells: Vec<Vec<Vector>> = (0..1_usize << m.n)
        .map(|signs| orthant(m.n, signs))
        .collect();
    for normal in normals(m) {
        cells = cells
            .into_iter()
            .flat_map(|cell| cut(cell, &normal))
            .collect();
    }
    let inside = |cell: &Vec<Vector>| {
        let sum = |i: usize| cell.iter().map(|ray| ray[i]).sum();
        [sum(0), sum(1), sum(2)]
    };
    cells.iter().map(inside).collect()
}

fn orthant(n: usize, negative: usize) -> Vec<Vector> {
    let ray = |i: usize| {
        let mut ray = [0; 3];
        ray[i] = if negative >> i & 1 == 1 { -1 } else { 1 };
        ray
    };
    (0..n).map(ray).collect()
}

/// The normals of the planes (for n = 2: lines) through the columns of (I, -M).
fn normals(m: &Matrix) -> Vec<Vector> {
    let columns = m.columns();
    let others = match m.n {
        3 => columns.clone(),
        // In the plane: the plane through a column and the third axis.
        2 => vec![[0, 0, 1]],
        _ => Vec::new(),
    };
    let mut normals: Vec<Vector> = Vec::new();
    for first in &columns {
        for second in &others {
            let normal = primitive(cross(first, second));
            let opposite = normal.map(|value| -value);
            if normal != [0; 3] && !normals.contains(&normal) && !normals.contains(&opposite) {
                normals.push(normal);
            }
        }
    }
    normals
}

/// The parts of a cell on both sides of a plane. A cell is the rays of its edges, in order around it.
fn cut(cell: Vec<Vector>, normal: &Vector) -> Vec<Vec<Vector>> {
    let heights: Vec<i64> = cell.iter().map(|ray| dot(ray, normal)).collect();
    let is_cut = heights.iter().any(|h| *h > 0) && heights.iter().any(|h| *h < 0);
    if !is_cut {
        return vec![cell];
    }
    let side = |sign: i64| {
        let mut part: Vec<Vector> = Vec::new();
        for (k, ray) in cell.iter().enumerate() {
            let next = (k + 1) % cell.len();
            let (here, there) = (sign * heights[k], sign * heights[next]);
            if here >= 0 {
                part.push(*ray);
            }
            if here * there < 0 {
                let mix = |i: usize| here.abs() * cell[next][i] + there.abs() * ray[i];
                part.push(primitive([mix(0), mix(1), mix(2)]));
            }
        }
        part.dedup();
        if part.len() > 1 && part.first() == part.last() {
            part.pop();
        }
        part
    };
    vec![side(1), side(-1)]
}
