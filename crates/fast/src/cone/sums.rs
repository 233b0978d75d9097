//! w = Mz + q with twice the digits: rounding as if the sums were exact and rounded once.

use super::data::ConeProblem;

/// a + b and its rounding error (Knuth).
/// Six operations, which ask nothing of the sizes of a and b.
fn sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// a as a sum of two numbers of 26 bits (Dekker). |a| < 2^996.
fn split(a: f64) -> (f64, f64) {
    // 2^27 + 1, for 53 bits.
    let c = 134_217_729.0 * a;
    let high = c - (c - a);
    (high, a - high)
}

/// a * b and its rounding error (Dekker), where neither overflows nor underflows.
fn product(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    let ((a1, a2), (b1, b2)) = (split(a), split(b));
    (p, a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2))
}

/// q + the sum of products. With c terms and s the sum of their sizes the error is at most u |result| + 2 (c + 1)^2
/// u^2 s (Ogita, Rump, Oishi 2005, proposition 5.5).
pub(super) fn dot(q: f64, terms: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut high, mut low) = (q, 0.0);
    for (a, b) in terms {
        let (p, e) = product(a, b);
        let (s, f) = sum(high, p);
        high = s;
        // The errors of products and sums are added in plain arithmetic: what that rounds is of order u^2.
        low += e + f;
    }
    high + low
}

/// w of a point.
pub(super) fn velocities(problem: &ConeProblem, z: &[f64], w: &mut [f64]) {
    for (i, w) in w.iter_mut().enumerate() {
        let terms = problem.row(i).map(|(j, value)| (value, z[j]));
        *w = dot(problem.q[i], terms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cancels_is_seen() {
        let tiny = f64::EPSILON / 4.0;
        let terms = [(1.0 + f64::EPSILON, 1.0 - f64::EPSILON), (1.0, tiny)];
        // (1 + e)(1 - e) = 1 - e^2, of which the rounded product is 1.
        let exact = tiny - f64::EPSILON * f64::EPSILON;
        assert_eq!(dot(-1.0, terms.into_iter()), exact);
    }
}
