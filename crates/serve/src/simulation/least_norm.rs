//! Forces of redundant contacts: the least ones, and what is proved of the others.
//!
//! Without friction A is symmetric positive semidefinite. All forces that solve the problem then give the same
//! accelerations, and one of them has the least norm. It depends on the problem alone, and not on the path of a solver.

use etalon_certify::check_symmetric_psd;
use etalon_fast::FastMethod;
use etalon_lcp::{ClaimedAnswer, Number};
use etalon_planar::{LcpEvent, RowBound, problem};
use nalgebra::{DMatrix, SymmetricEigen};

use super::kept::accepts;
use crate::limits::ROWS_PIVOTED;
use crate::protocol::UniqueMotion;

/// The ridge e of the problem (A + e I, b), as part of the largest entry of A's diagonal. Its only solution tends to the
/// least forces with e. Chosen between two bounds: e f is what is left in a row, which must stay below the judge's 1e-9,
/// and the rounding of A, 2e-16, beside e is what is left of the path of the solver, a millionth of the forces.
const RIDGE: f64 = 1e-10;
/// Eigenvalues of A that are this much smaller than the largest are rounding: 2^-52 for each of 24 rows, and as much again
/// for the elimination, is 1e-14; a hundred times that. The judge decides on what is made of them.
const ROUNDED: f64 = 1e-12;
/// Forces below this part of the largest are at zero: beside the millionth that [`RIDGE`] leaves.
const AT_ZERO: f64 = 1e-5;
/// What rounding may have taken from the least eigenvalue of A, as part of the largest entry of the diagonal: tried from
/// the least on. An entry is a sum of some ten rounded terms, and the error of the whole is at most that of 24 entries.
const TAKEN: [f64; 3] = [f64::EPSILON, 16.0 * f64::EPSILON, 256.0 * f64::EPSILON];

/// The forces of least Euclidean norm, where the judge accepts them; none for problems with friction, whose forces of
/// least norm may give another motion.
pub fn least_forces(event: &LcpEvent<'_>) -> Option<Vec<f64>> {
    if event.bounds.iter().any(|bound| bound.is_friction()) {
        return None;
    }
    let a = shifted(event, RIDGE * largest_diagonal(event));
    let ridged = problem(&LcpEvent { a: &a, ..*event }, "least forces").ok()?;
    let claim = FastMethod::Auto.solver().solve(&ridged);
    let ClaimedAnswer::Solved { z } = claim.answer else {
        return None;
    };
    let f: Vec<f64> = z.iter().map(Number::to_f64).collect();
    accepts(event, &f).then_some(f)
}

/// Proves that forces are not unique and the motion is, where both can be: `least` are the least forces.
pub fn uniqueness(event: &LcpEvent<'_>, least: &[f64]) -> Option<UniqueMotion> {
    if event.b.len() > ROWS_PIVOTED {
        return None;
    }
    let other = another(event, least)?;
    if !accepts(event, &other) {
        return None;
    }
    let differences = other.iter().zip(least).map(|(a, b)| (a - b).abs());
    Some(UniqueMotion {
        forces_differ: differences.fold(0.0, f64::max),
        accelerations_agree: accelerations_agree(event, least)?,
    })
}

/// Other forces: half the way along the flattest direction of A, among the rows that press, to where one of them is zero.
fn another(event: &LcpEvent<'_>, least: &[f64]) -> Option<Vec<f64>> {
    let n = event.b.len();
    let largest = least.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
    let presses = |i: &usize| event.bounds[*i] == RowBound::Free || least[*i] > AT_ZERO * largest;
    let rows: Vec<usize> = (0..n).filter(presses).collect();
    if rows.len() < 2 {
        return None;
    }
    let own = DMatrix::from_fn(rows.len(), rows.len(), |i, j| {
        event.a[rows[i] * n + rows[j]]
    });
    let eigen = SymmetricEigen::new(own);
    let (flattest, value) = eigen.eigenvalues.argmin();
    if value > ROUNDED * eigen.eigenvalues.max() {
        return None;
    }
    let direction = eigen.eigenvectors.column(flattest);
    // How far each way goes. Joints bound nothing, so the largest force bounds it, too.
    let reach = |sign: f64| {
        let pairs = rows.iter().zip(direction.iter());
        let ends = pairs.filter_map(|(&i, v)| {
            let falls = event.bounds[i] != RowBound::Free && sign * v < 0.0;
            falls.then(|| least[i] / v.abs())
        });
        ends.fold(largest, f64::min)
    };
    let way = if reach(1.0) >= reach(-1.0) {
        0.5 * reach(1.0)
    } else {
        -0.5 * reach(-1.0)
    };
    let mut other = least.to_vec();
    for (&i, v) in rows.iter().zip(direction.iter()) {
        other[i] += way * v;
    }
    Some(other)
}

/// A bound of the difference of accelerations, m/s^2; none where A is not proved to be what it takes.
///
/// Let A + D be positive semidefinite, D diagonal with entries up to e, and d the difference of two solutions f and f'.
/// Complementarity gives d'A d = -(f'a' + f''a) <= 0. So d'(A + D) d <= e |d|^2, and with t, the trace of A + D, which no
/// eigenvalue exceeds, |A d| <= |(A + D) d| + e |d| <= (sqrt(t e) + e) |d|. Here |d| is at most four times the norm of
/// the least forces, for forces up to three times as large.
fn accelerations_agree(event: &LcpEvent<'_>, least: &[f64]) -> Option<f64> {
    let n = event.b.len();
    let a = TAKEN.into_iter().find_map(|part| {
        let a = shifted(event, part * largest_diagonal(event));
        let proved = problem(&LcpEvent { a: &a, ..*event }, "shifted").ok()?;
        check_symmetric_psd(proved.m()).is_ok().then_some(a)
    })?;
    let diagonal = (0..n).map(|i| i * n + i);
    let most = diagonal
        .clone()
        .map(|k| a[k] - event.a[k])
        .fold(0.0, f64::max);
    let trace: f64 = diagonal.map(|k| a[k]).sum();
    let norm = least.iter().map(|f| f * f).sum::<f64>().sqrt();
    Some(((trace * most).sqrt() + most) * 4.0 * norm)
}

fn largest_diagonal(event: &LcpEvent<'_>) -> f64 {
    let n = event.b.len();
    (0..n).map(|i| event.a[i * n + i]).fold(0.0, f64::max)
}

/// A with so much more on its diagonal.
fn shifted(event: &LcpEvent<'_>, shift: f64) -> Vec<f64> {
    let n = event.b.len();
    let mut a = event.a.to_vec();
    (0..n).for_each(|i| a[i * n + i] += shift);
    a
}
