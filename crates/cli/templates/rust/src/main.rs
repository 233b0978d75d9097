//! A solver under test: projected Gauss-Seidel (Cottle, Pang, Stone, The Linear Complementarity Problem, section 5.2).
//!
//! Put your own into `solve`. The README beside `Cargo.toml` has the commands that build and judge it.

mod protocol;

use protocol::{Lcp, serve};

const SWEEPS: usize = 1000;

/// z with lower <= z <= upper, where w = Mz + q is at least 0 off the upper bound and at most 0 off the lower one.
fn solve(lcp: &Lcp) -> Option<Vec<f64>> {
    let (m, n) = (&lcp.m, lcp.q.len());
    if (0..n).any(|i| m[i][i] <= 0.0) {
        return None; // the method divides by the diagonal
    }
    let inside = |i: usize, z: f64| z.max(lcp.lower[i]).min(lcp.upper[i]);
    let mut z: Vec<f64> = (0..n).map(|i| inside(i, 0.0)).collect();
    for _ in 0..SWEEPS {
        let (mut moved, mut largest) = (0.0_f64, 0.0_f64);
        for i in 0..n {
            let w = m[i].iter().zip(&z).fold(lcp.q[i], |sum, (a, x)| sum + a * x);
            let next = inside(i, z[i] - w / m[i][i]);
            moved = moved.max((next - z[i]).abs());
            largest = largest.max(next.abs());
            z[i] = next;
        }
        if moved <= 1e-14 * largest {
            return Some(z);
        }
    }
    None // it has not settled
}

fn main() -> std::io::Result<()> {
    serve("my-solver", &["boxes"], solve)
}
