//! Sweeps that propose the places of a problem whose factor costs as much as hundreds of them.
//!
//! The factor of contacts in space has tens of nonzeros for each of M, and a pile of a few layers is well conditioned. There, sweeps of projected
//! Gauss-Seidel as steps of nonsmooth nonlinear conjugate gradients (Silcowitz, Niebe and Erleben 2010) find nearly all places before one
//! factor would be done. In walls and columns, whose factors are thin, they would not, and none are made.

use super::SparseLcp;
use crate::failure::Failure;
use crate::meter::Until;

/// Multiplications of a factor in the time of one of a sweep: those of a factor are done several at a time, by vectors, from the caches.
const FASTER: usize = 14;

/// The sweeps may take as long as so many factors. Where they converge, they save three to five.
const FACTORS: usize = 2;

/// Sweeps that have not converged after so many are too slow for this use.
const MOST: usize = 2000;

/// Sweeps converge in a hundred or more, or by accident; a problem that pays for fewer is factored at once.
const LEAST: usize = 150;

/// The sweeps have converged when the largest change is this part of the largest entry, and entries below it are 0. Piles of 30,000 rows have no
/// wrong place then. With 1e-5 they have 45; with 1e-8 they have 20, entries that are rounding and should be 0.
const CONVERGED: f64 = 1e-6;

/// How many sweeps are worth it where a factor has so many values; 0 for none. A column with l values of n takes l^2 multiplications, so all take about
/// `values`^2 / n; a sweep takes one for each entry of M.
pub(super) fn worth(lcp: &SparseLcp, values: usize) -> usize {
    let n = lcp.n().max(1);
    let factor = (values / n).saturating_mul(values);
    let sweep = FASTER * lcp.values.len().max(1);
    let sweeps = factor.saturating_mul(FACTORS) / sweep;
    if sweeps < LEAST { 0 } else { sweeps.min(MOST) }
}

/// z near a solution, of at most so many sweeps from 0, for a symmetric M; none where a diagonal entry is not positive or the sweeps do not converge.
///
/// # Errors
/// [`Failure::Time`].
pub(super) fn propose(
    lcp: &SparseLcp,
    most: usize,
    until: Until,
) -> Result<Option<Vec<f64>>, Failure> {
    let n = lcp.n();
    let diagonal: Vec<f64> = (0..n).map(|i| lcp.diagonal(i)).collect();
    if !diagonal.iter().all(|own| *own > 0.0) {
        return Ok(None);
    }
    let (mut z, mut before, mut direction) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    let mut last = 0.0;
    for _ in 0..most {
        until.check()?;
        before.copy_from_slice(&z);
        let (mut change, mut size) = (0.0_f64, 0.0_f64);
        for (i, own) in diagonal.iter().enumerate() {
            let product: f64 = lcp.row(i).map(|(j, value)| value * z[j]).sum();
            let next = (z[i] - (product + lcp.q[i]) / own).max(0.0);
            change = change.max((next - z[i]).abs());
            size = size.max(next);
            z[i] = next;
        }
        if change <= CONVERGED * size {
            z.iter_mut()
                .filter(|z| **z <= CONVERGED * size)
                .for_each(|z| *z = 0.0);
            return Ok(z.iter().all(|z| z.is_finite()).then_some(z));
        }
        // The change of a sweep stands for the gradient; Fletcher and Reeves's rule makes directions of it.
        let change = z.iter().zip(&before).map(|(z, before)| z - before);
        let square: f64 = change.map(|own| own * own).sum();
        let beta = square / last;
        last = square;
        // A step that goes up starts anew, as does the first, whose beta is infinite.
        let beta = if beta <= 1.0 { beta } else { 0.0 };
        for ((z, before), own) in z.iter_mut().zip(&before).zip(&mut direction) {
            let change = *z - before;
            *z += beta * *own;
            *own = beta * *own + change;
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::place::Start;
    use crate::sparse::{Run, solve_sparse};

    /// A chain of weights with this diagonal, of which every fifth row has another q.
    fn chain(n: usize, diagonal: f64, pull: f64) -> SparseLcp {
        let mut entries = Vec::new();
        for i in 0..n {
            entries.push((i, i, diagonal));
            if i > 0 {
                entries.extend([(i, i - 1, -1.0), (i - 1, i, -1.0)]);
            }
        }
        let q = (0..n).map(|i| if i % 5 == 0 { pull } else { -1.0 });
        SparseLcp::new(&entries, &q.collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn what_converges_is_near_the_solution_and_has_its_places() {
        let lcp = chain(200, 3.0, 4.0);
        let right = solve_sparse(&lcp, Start::Cold).unwrap();
        let z = propose(&lcp, 1000, Until::default()).unwrap().unwrap();
        for (own, right) in z.iter().zip(&right.z) {
            assert!((own - right).abs() < 1e-5, "{own} {right}");
            assert_eq!(*own > 0.0, *right > 0.0);
        }
        // Directions make slow sweeps converge sooner: Gauss-Seidel alone takes 121.
        let slow = chain(200, 2.1, -1.0);
        assert!(propose(&slow, 75, Until::default()).unwrap().is_some());
    }

    #[test]
    fn what_falls_to_0_by_and_by_is_0() {
        let beside = [(0, 1), (1, 0), (1, 2), (2, 1)].map(|(i, j)| (i, j, 1.0));
        let own = [0, 1, 2].map(|i| (i, i, 2.0));
        let lcp = SparseLcp::new(&[&own[..], &beside].concat(), &[-1.0, -2.0, -1.0]).unwrap();
        let z = propose(&lcp, 100, Until::default()).unwrap().unwrap();
        assert!(
            z[0] == 0.0 && (z[1] - 1.0).abs() < 1e-5 && z[2] == 0.0,
            "{z:?}"
        );
    }

    #[test]
    fn what_does_not_converge_and_what_cannot_be_swept_propose_nothing() {
        let slow = chain(200, 2.0, -1.0);
        assert_eq!(propose(&slow, 20, Until::default()), Ok(None));
        let flat = SparseLcp::new(&[(0, 0, 1.0)], &[1.0, 1.0]).unwrap();
        assert_eq!(propose(&flat, 1000, Until::default()), Ok(None));
        let over = Until(Some(Instant::now()));
        assert_eq!(propose(&slow, 20, over), Err(Failure::Time));
    }

    #[test]
    fn thin_factors_are_worth_no_sweeps_and_thick_ones_many() {
        let lcp = chain(10_000, 3.0, 4.0);
        assert_eq!(worth(&lcp, 30_000), 0);
        let entries = lcp.values.len();
        assert_eq!(worth(&lcp, 700_000), 2 * 70 * 700_000 / (14 * entries));
        assert_eq!(worth(&lcp, usize::MAX), MOST);
    }

    #[test]
    fn a_run_begins_at_the_proposal() {
        let lcp = chain(200, 3.0, 4.0);
        let mut run = Run::new(&lcp, Start::Cold, Until::default()).unwrap();
        run.begin_near(1000).unwrap();
        let swept = propose(&lcp, 1000, Until::default()).unwrap().unwrap();
        assert_eq!(run.centre, swept);
        run.pivot().unwrap();
        assert_eq!(run.pivots, 0);
        let mut plain = Run::new(&lcp, Start::Cold, Until::default()).unwrap();
        plain.pivot().unwrap();
        assert!(plain.pivots > 0);
        assert_eq!(plain.places, run.places);
    }
}
