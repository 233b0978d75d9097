//! Determinants, adjugates, ranks and kernels of at most three columns.

use super::Vector;

/// x'y.
pub fn dot(x: &Vector, y: &Vector) -> i64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

/// The cross product: orthogonal to both, 0 where they are parallel.
pub fn cross(x: &Vector, y: &Vector) -> Vector {
    [
        x[1] * y[2] - x[2] * y[1],
        x[2] * y[0] - x[0] * y[2],
        x[0] * y[1] - x[1] * y[0],
    ]
}

/// The greatest common divisor, not negative.
pub fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The shortest integer vector in the same direction; 0 stays 0.
pub fn primitive(x: Vector) -> Vector {
    let divisor = x.iter().fold(0, |divisor, &value| gcd(divisor, value));
    x.map(|value| if divisor == 0 { 0 } else { value / divisor })
}

/// Cramer's rule for a square matrix B of up to three columns: adj(B) and det B, with det B >= 0 made by
/// turning both signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inverse {
    /// adj(B) by rows, times the sign of det B where that is not 0.
    pub adjugate: [Vector; 3],
    /// abs(det B).
    pub size: i64,
    /// det B.
    pub determinant: i64,
}

impl Inverse {
    /// From the columns of B. Fewer than three are completed by columns of the unit matrix, which changes
    /// neither the determinant nor the block of the inverse.
    pub fn new(columns: &[Vector]) -> Self {
        let mut b = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        b[..columns.len()].copy_from_slice(columns);
        // Row i of the adjugate is the cross product of the two columns after column i.
        let rows = [
            cross(&b[1], &b[2]),
            cross(&b[2], &b[0]),
            cross(&b[0], &b[1]),
        ];
        let determinant = dot(&rows[0], &b[0]);
        let sign = if determinant < 0 { -1 } else { 1 };
        Self {
            adjugate: rows.map(|row| row.map(|value| sign * value)),
            size: determinant.abs(),
            determinant,
        }
    }

    /// `size` times the x with Bx = b; B must be regular.
    pub fn times(&self, b: &Vector) -> Vector {
        [0, 1, 2].map(|i| dot(&self.adjugate[i], b))
    }
}

/// The rank of up to three columns.
pub fn rank(columns: &[Vector]) -> usize {
    let pairs = || (0..columns.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let is_independent = |(i, j): (usize, usize)| cross(&columns[i], &columns[j]) != [0; 3];
    if columns.len() == 3 && dot(&cross(&columns[0], &columns[1]), &columns[2]) != 0 {
        3
    } else if pairs().any(is_independent) {
        2
    } else {
        usize::from(columns.iter().any(|column| *column != [0; 3]))
    }
}

/// The vector x with sum x_j c_j = 0 over up to three columns whose rank is one less than their number,
/// primitive, of either sign; `None` for another rank.
pub fn kernel(columns: &[Vector]) -> Option<Vector> {
    if columns.is_empty() || rank(columns) + 1 != columns.len() {
        return None;
    }
    let entry = |i: usize, j: usize| columns.get(j).map_or(0, |column| column[i]);
    let rows = [0, 1, 2].map(|i| [entry(i, 0), entry(i, 1), entry(i, 2)]);
    // The kernel is orthogonal to all rows; columns that are not there contribute unit rows.
    let extra = match columns.len() {
        1 => return Some([1, 0, 0]),
        2 => vec![[0, 0, 1]],
        _ => Vec::new(),
    };
    let all: Vec<Vector> = rows.into_iter().chain(extra).collect();
    let pairs = (0..all.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let normals = pairs.map(|(i, j)| cross(&all[j], &all[i]));
    let nonzero: Vec<Vector> = normals.filter(|normal| *normal != [0; 3]).collect();
    nonzero.first().copied().map(primitive)
}

/// Whether the first n entries are all positive, or all negative: then 1 or -1.
pub fn one_sign(n: usize, x: &Vector) -> Option<i64> {
    if x[..n].iter().all(|value| *value > 0) {
        Some(1)
    } else if x[..n].iter().all(|value| *value < 0) {
        Some(-1)
    } else {
        None
    }
}
