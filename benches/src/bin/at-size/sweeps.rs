//! What engines do about many contacts: sweeps of projected Gauss-Seidel, plain or as steps of conjugate gradients.

use std::time::{Duration, Instant};

use etalon_benches::case::Data;

/// The largest change of an entry in the last sweep, relative to the largest entry, at which a method has converged.
const SMALL: f64 = 1e-14;

/// M by its rows, the diagonal apart.
pub struct Rows {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    diagonal: Vec<f64>,
    q: Vec<f64>,
}

impl Rows {
    /// Of a problem; none where a diagonal entry is not positive, a row is free or n is over 2^32.
    pub fn new(data: &Data) -> Option<Self> {
        let n = data.n();
        let mut own = Self {
            starts: vec![0; n + 1],
            columns: Vec::new(),
            values: Vec::new(),
            diagonal: vec![0.0; n],
            q: data.q.clone(),
        };
        for &(i, j, value) in &data.entries {
            if i == j {
                own.diagonal[i] = value;
            } else {
                own.columns.push(u32::try_from(j).ok()?);
                own.values.push(value);
                own.starts[i + 1] += 1;
            }
        }
        for i in 0..n {
            own.starts[i + 1] += own.starts[i];
        }
        let is_fit = own.diagonal.iter().all(|own| *own > 0.0) && !data.free.contains(&true);
        is_fit.then_some(own)
    }

    /// One sweep: row by row, z_i is moved to where w_i = 0 and cut at 0 (Cottle, Pang and Stone, algorithm 5.2.1). The largest change and entry.
    fn sweep(&self, z: &mut [f64]) -> (f64, f64) {
        let (mut change, mut size) = (0.0_f64, 0.0_f64);
        for i in 0..z.len() {
            let range = self.starts[i]..self.starts[i + 1];
            let row = self.columns[range.clone()].iter().zip(&self.values[range]);
            let sum: f64 = row.map(|(&j, value)| value * z[j as usize]).sum();
            let moved = (-(sum + self.q[i]) / self.diagonal[i]).max(0.0);
            change = change.max((moved - z[i]).abs());
            size = size.max(moved);
            z[i] = moved;
        }
        (change, size)
    }
}

/// What a method has come to.
pub struct Swept {
    pub z: Vec<f64>,
    pub sweeps: u64,
    pub seconds: f64,
    pub has_converged: bool,
}

/// Projected Gauss-Seidel from z = 0.
pub fn gauss_seidel(rows: &Rows, limit: Duration) -> Swept {
    until(rows, limit, |rows, z| rows.sweep(z))
}

/// Nonsmooth nonlinear conjugate gradients (Silcowitz, Niebe and Erleben 2010), as Bullet has them: the change of a sweep stands for
/// the gradient, and Fletcher and Reeves's rule makes directions of it.
pub fn conjugate_gradients(rows: &Rows, limit: Duration) -> Swept {
    let n = rows.q.len();
    let (mut direction, mut before, mut last) = (vec![0.0; n], vec![0.0; n], 0.0_f64);
    until(rows, limit, |rows, z| {
        before.copy_from_slice(z);
        let (change, size) = rows.sweep(z);
        let moved = z.iter().zip(&before).map(|(z, before)| z - before);
        let square: f64 = moved.map(|own| own * own).sum();
        let beta = square / last;
        last = square;
        for ((z, before), p) in z.iter_mut().zip(&before).zip(&mut direction) {
            let gradient = *z - before;
            if beta <= 1.0 {
                *z += beta * *p;
                *p = beta * *p + gradient;
            } else {
                // The first step, or one that has gone up: the direction starts anew.
                *p = gradient;
            }
        }
        (change, size)
    })
}

fn until(
    rows: &Rows,
    limit: Duration,
    mut sweep: impl FnMut(&Rows, &mut [f64]) -> (f64, f64),
) -> Swept {
    let start = Instant::now();
    let mut z = vec![0.0; rows.q.len()];
    let (mut sweeps, mut has_converged) = (0, false);
    while !has_converged && start.elapsed() < limit {
        let (change, size) = sweep(rows, &mut z);
        sweeps += 1;
        has_converged = change <= SMALL * size;
    }
    z.iter_mut().for_each(|z| *z = z.max(0.0));
    Swept {
        z,
        sweeps,
        seconds: start.elapsed().as_secs_f64(),
        has_converged,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of weights, of which the pulled ones open.
    fn chain() -> Data {
        let n = 40;
        let mut entries = Vec::new();
        for i in 0..n {
            if i > 0 {
                entries.push((i, i - 1, -1.0));
            }
            entries.push((i, i, 3.0));
            if i + 1 < n {
                entries.push((i, i + 1, -1.0));
            }
        }
        let q = (0..n)
            .map(|i| if i % 5 == 0 { 4.0 } else { -1.0 })
            .collect();
        Data {
            entries,
            q,
            free: vec![false; n],
        }
    }

    #[test]
    fn both_come_to_the_solution_that_the_fast_method_has() {
        let data = chain();
        let lcp = data.sparse().unwrap();
        let right = etalon_fast::solve_sparse(&lcp, etalon_fast::Start::Cold).unwrap();
        let rows = Rows::new(&data).unwrap();
        let limit = Duration::from_secs(60);
        for swept in [
            gauss_seidel(&rows, limit),
            conjugate_gradients(&rows, limit),
        ] {
            assert!(swept.has_converged);
            for (own, right) in swept.z.iter().zip(&right.z) {
                assert!((own - right).abs() < 1e-12, "{own} {right}");
            }
        }
    }

    #[test]
    fn a_diagonal_of_0_is_not_swept_and_no_free_row() {
        let data = |diagonal: f64, is_free: bool| Data {
            entries: vec![(0, 0, diagonal), (0, 1, 1.0), (1, 1, 1.0)],
            q: vec![1.0, 1.0],
            free: vec![is_free, false],
        };
        assert!(Rows::new(&data(1.0, false)).is_some());
        assert!(Rows::new(&data(0.0, false)).is_none());
        assert!(Rows::new(&data(1.0, true)).is_none());
    }
}
