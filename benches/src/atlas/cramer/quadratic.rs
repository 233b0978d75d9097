//! Classes of the quadratic form x'Mx, decided by the symmetric matrix S = M + M'.

use super::linear::{Inverse, kernel, one_sign};
use super::{Matrix, Vector};

fn columns(s: &Matrix) -> Vec<Vector> {
    (0..s.n).map(|j| s.column(j)).collect()
}

/// x'Mx > 0 for all x that are not 0: all principal minors of S are positive (Sylvester).
pub fn is_positive_definite(m: &Matrix) -> bool {
    let s = m.doubled_symmetric_part();
    s.principals().all(|block| block.determinant() > 0)
}

/// x'Mx >= 0 for all x: no principal minor of S is negative.
pub fn is_positive_semidefinite(m: &Matrix) -> bool {
    let s = m.doubled_symmetric_part();
    s.principals().all(|block| block.determinant() >= 0)
}

/// x'Mx >= 0 for all x >= 0 (Cottle, Pang and Stone 1992, section 3.8).
///
/// Not so exactly if some regular principal block T of S has Tx = -e with x > 0 (e is all ones).
/// If there is one, x'Tx = -e'x < 0. Conversely take the smallest alpha on whose simplex {x >= 0, e'x = 1} the form
/// is negative somewhere. Its least point is positive on alpha, because alpha is smallest, so Tx = c e with
/// c = x'Tx < 0: a solution after scaling. If T were singular, with Tk = 0, then x + tk would be one for all t, and
/// at the boundary of x >= 0 the form would be negative on fewer rows.
pub fn is_copositive(m: &Matrix) -> bool {
    let s = m.doubled_symmetric_part();
    s.principals().all(|block| {
        let inverse = Inverse::new(&columns(&block));
        let x = inverse.times(&[-1, -1, -1]);
        inverse.size == 0 || one_sign(block.n, &x) != Some(1)
    })
}

/// The supports alpha, as sets of bits, on which Tx = 0 with x > 0 holds for the block T of S and,
/// but for multiples, one x, which is returned. If S is copositive every x >= 0 with x'Sx = 0 is a sum of such: it is a least point of
/// the form on its own support, so Tx = 0 there; if T has more kernel, x is a sum of vectors of the kernel
/// with smaller supports.
fn zeros(s: &Matrix) -> impl Iterator<Item = (usize, Vector)> + '_ {
    (1..1_usize << s.n).filter_map(|alpha| {
        let block = s.principal(alpha);
        let x = kernel(&columns(&block))?;
        let sign = one_sign(block.n, &x)?;
        Some((alpha, x.map(|value| sign * value)))
    })
}

/// x'Mx > 0 for all x >= 0 but 0: copositive without zeros of the form.
pub fn is_strictly_copositive(m: &Matrix) -> bool {
    is_copositive(m) && zeros(&m.doubled_symmetric_part()).next().is_none()
}

/// Copositive, and Sx = 0 wherever x >= 0 and x'Mx = 0 (section 3.8).
pub fn is_copositive_plus(m: &Matrix) -> bool {
    let s = m.doubled_symmetric_part();
    let vanishes = |(alpha, x): (usize, Vector)| {
        let rows = (0..s.n).filter(|i| alpha >> i & 1 == 1);
        let terms: Vec<(usize, i64)> = rows.zip(x).collect();
        let row = |i: usize| -> i64 { terms.iter().map(|&(j, x)| s.rows[i][j] * x).sum() };
        (0..s.n).all(|i| row(i) == 0)
    };
    is_copositive(m) && zeros(&s).all(vanishes)
}
