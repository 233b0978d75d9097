//! Gaussian elimination in binary64. What it says is proposed only, and proved elsewhere; its
//! operations come in a fixed order, so that it says the same on every machine.

/// The inverse of a matrix, by partial pivoting; `None` where a pivot is zero or not finite.
pub fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut rows: Vec<Vec<f64>> = matrix.to_vec();
    for (i, row) in rows.iter_mut().enumerate() {
        row.extend((0..n).map(|j| if i == j { 1.0 } else { 0.0 }));
    }
    for k in 0..n {
        let size = |i: usize| rows[i][k].abs();
        // The first of the largest. A comparison with NaN is false, and a NaN that stays is refused below.
        let best = (k..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
        rows.swap(k, best);
        let pivot = rows[k][k];
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
        }
        for entry in &mut rows[k][k..] {
            *entry /= pivot;
        }
        let pivot_row = rows[k].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let factor = row[k];
            if i == k || factor == 0.0 {
                continue;
            }
            for (entry, above) in row[k..].iter_mut().zip(&pivot_row[k..]) {
                *entry -= factor * above;
            }
        }
    }
    let inverse: Vec<Vec<f64>> = rows.into_iter().map(|row| row[n..].to_vec()).collect();
    let finite = inverse.iter().flatten().all(|entry| entry.is_finite());
    finite.then_some(inverse)
}

/// A v.
pub fn product(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    let row = |row: &Vec<f64>| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.iter().map(row).collect()
}

/// The largest absolute value.
pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |max, value| {
        if value.abs() > max || value.is_nan() {
            value.abs()
        } else {
            max
        }
    })
}
