//! Sweeps that propose the places of a problem whose factor costs as much as hundreds of them.
//!
//! The factor of contacts in space has tens of nonzeros for each of M, and a pile of a few layers is well conditioned. There, sweeps of projected
//! Gauss-Seidel as steps of nonsmooth nonlinear conjugate gradients (Silcowitz, Niebe and Erleben 2010) find nearly all places before one
//! factor would be done. In walls and columns, whose factors are thin, they would not, and none are made.

use super::{Run, SparseLcp, first_places};
use crate::failure::Failure;
use crate::meter::Until;
use crate::place::Start;

/// Multiplications of a factor in the time of one of a sweep: those of a factor are done several at a time, by vectors, from the caches.
const FASTER: usize = 14;

/// The sweeps may take as long as so many factors. Where they converge, they save three to five.
const FACTORS: usize = 2;

/// Sweeps converge in a hundred or more, or by accident; a problem that pays for fewer is factored at once.
const LEAST: usize = 150;

/// A point is checked after so many more sweeps: the check costs about two.
const CHECK: usize = 50;

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
    if sweeps < LEAST { 0 } else { sweeps }
}

/// The sweeps of a problem with symmetric M, from z = 0.
struct Sweeps<'a> {
    lcp: &'a SparseLcp,
    diagonal: Vec<f64>,
    z: Vec<f64>,
    /// z before the last sweep.
    before: Vec<f64>,
    direction: Vec<f64>,
    /// The squared change of the last sweep but one, and of the last.
    squares: [f64; 2],
    until: Until,
}

impl<'a> Sweeps<'a> {
    /// None where a diagonal entry is not positive.
    fn new(lcp: &'a SparseLcp, until: Until) -> Option<Self> {
        let n = lcp.n();
        let diagonal: Vec<f64> = (0..n).map(|i| lcp.diagonal(i)).collect();
        let is_positive = diagonal.iter().all(|own| *own > 0.0);
        is_positive.then(|| Self {
            lcp,
            diagonal,
            z: vec![0.0; n],
            before: vec![0.0; n],
            direction: vec![0.0; n],
            squares: [0.0; 2],
            until,
        })
    }

    /// A step along the direction of the last sweeps, then a sweep. Its largest change, as a part of the largest entry.
    fn sweep(&mut self) -> Result<f64, Failure> {
        self.until.check()?;
        self.step();
        self.before.copy_from_slice(&self.z);
        let (mut change, mut size, mut square) = (0.0_f64, 0.0_f64, 0.0);
        for (i, own) in self.diagonal.iter().enumerate() {
            let row = self.lcp.row(i);
            let product: f64 = row.map(|(j, value)| value * self.z[j]).sum();
            let next = (self.z[i] - (product + self.lcp.q[i]) / own).max(0.0);
            let moved = next - self.z[i];
            change = change.max(moved.abs());
            square += moved * moved;
            size = size.max(next);
            self.z[i] = next;
        }
        self.squares = [self.squares[1], square];
        // At z = 0 both are 0 where q >= 0, and that is a solution.
        Ok(if change == 0.0 { 0.0 } else { change / size })
    }

    /// The change of a sweep stands for the gradient; Fletcher and Reeves's rule makes directions of it.
    fn step(&mut self) {
        let beta = self.squares[1] / self.squares[0];
        // A step that goes up starts anew, as does the first, whose beta is no number.
        let beta = if beta <= 1.0 { beta } else { 0.0 };
        let moved = self.z.iter_mut().zip(&self.before);
        for ((z, before), own) in moved.zip(&mut self.direction) {
            let change = *z - before;
            *z += beta * *own;
            *own = beta * *own + change;
        }
    }

    /// Sweeps until they have converged; the count, none where they have not after so many.
    fn converge(&mut self, most: usize) -> Result<Option<usize>, Failure> {
        for count in 1..=most {
            // NaN is no convergence.
            if self.sweep()? <= CONVERGED {
                let size = self.z.iter().fold(0.0, |most: f64, z| most.max(*z));
                let small = |z: &&mut f64| **z <= CONVERGED * size;
                self.z.iter_mut().filter(small).for_each(|z| *z = 0.0);
                return Ok(self.z.iter().all(|z| z.is_finite()).then_some(count));
            }
        }
        Ok(None)
    }
}

impl Run<'_> {
    /// Takes the places and the centre from at most so many sweeps, where they converge. Where that was so quick that a solution may be had for less than
    /// a factor, sweeps on, and returns whether the point passes the self-check.
    ///
    /// # Errors
    /// [`Failure::Time`].
    pub(super) fn begin_near(&mut self, most: usize) -> Result<bool, Failure> {
        let Some(mut sweeps) = Sweeps::new(self.lcp, self.until) else {
            return Ok(false);
        };
        let Some(count) = sweeps.converge(most)? else {
            return Ok(false);
        };
        self.centre.copy_from_slice(&sweeps.z);
        self.places = first_places(self.lcp.n(), Start::Point(&sweeps.z));
        // The way from 1 to 1e-6 took `count` sweeps, so that on to 1e-16 takes 5/3 of them; twice leaves room. Half of `most` is one factor.
        let more = 2 * count;
        if more > most / FACTORS {
            return Ok(false);
        }
        for at in 1..=more {
            sweeps.sweep()?;
            if (at % CHECK == 0 || at == more) && self.passes(&sweeps.z) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a point passes the self-check; it is the run's then, with its places.
    fn passes(&mut self, z: &[f64]) -> bool {
        self.point.z.copy_from_slice(z);
        let places = first_places(z.len(), Start::Point(z));
        let before = std::mem::replace(&mut self.places, places);
        self.evaluate();
        let passes = self.backward_error() <= self.lcp.limit();
        if !passes {
            self.places = before;
        }
        passes
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::sparse::solve_sparse;

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

    /// z near a solution.
    fn propose(lcp: &SparseLcp, most: usize, until: Until) -> Result<Option<Vec<f64>>, Failure> {
        let Some(mut sweeps) = Sweeps::new(lcp, until) else {
            return Ok(None);
        };
        Ok(sweeps.converge(most)?.map(|_| sweeps.z))
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
    fn where_nothing_pushes_one_sweep_is_enough() {
        let lcp = SparseLcp::new(&[(0, 0, 1.0), (1, 1, 1.0)], &[1.0, 0.0]).unwrap();
        let mut run = Run::new(&lcp, Start::Cold, Until::default()).unwrap();
        assert!(run.begin_near(4).unwrap());
        assert_eq!(run.point.z, [0.0, 0.0]);
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
        assert_eq!(worth(&lcp, usize::MAX), usize::MAX / (14 * entries));
    }

    #[test]
    fn a_run_begins_at_the_proposal() {
        let lcp = chain(200, 3.0, 4.0);
        let swept = propose(&lcp, 1000, Until::default()).unwrap().unwrap();
        let mut run = Run::new(&lcp, Start::Cold, Until::default()).unwrap();
        // As many sweeps as it takes to come near, and not those that it takes to a solution.
        assert!(!run.begin_near(40).unwrap());
        assert_eq!(run.centre, swept);
        run.pivot().unwrap();
        assert_eq!(run.pivots, 0);
        let mut plain = Run::new(&lcp, Start::Cold, Until::default()).unwrap();
        plain.pivot().unwrap();
        assert!(plain.pivots > 0);
        assert_eq!(plain.places, run.places);
    }

    #[test]
    fn sweeps_that_cost_less_than_a_factor_end_at_a_solution() {
        let lcp = chain(200, 3.0, 4.0);
        let mut run = Run::new(&lcp, Start::Cold, Until::default()).unwrap();
        assert!(run.begin_near(1000).unwrap());
        // A point beside it does not pass, and changes no place.
        let (places, mut beside) = (run.places.clone(), run.point.z.clone());
        beside[7] = 0.0;
        assert!(run.passes(&run.point.z.clone()) && !run.passes(&beside));
        assert_eq!(run.places, places);
        run.point.z[7] = beside[6];
        assert!(run.begin_near(1000).unwrap());
        let found = run.checked_on(&lcp).unwrap();
        let right = solve_sparse(&lcp, Start::Cold).unwrap();
        assert_eq!(found.places, right.places);
        for (own, right) in found.z.iter().zip(&right.z) {
            assert!((own - right).abs() < 1e-14, "{own} {right}");
        }
    }
}
