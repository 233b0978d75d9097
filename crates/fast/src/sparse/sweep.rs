//! Sweeps that propose the places of a problem whose factor costs as much as hundreds of them.
//!
//! The factor of contacts in space has tens of nonzeros for each of M, and a pile of a few layers is well conditioned. There, sweeps of projected
//! Gauss-Seidel as steps of nonsmooth nonlinear conjugate gradients (Silcowitz, Niebe and Erleben 2010) find nearly all places before one
//! factor would be done. In walls and columns, whose factors are thin, they would not, and none are made. How thick a factor is, only the order of
//! elimination tells, which in large piles takes as long as the sweeps: so these begin without it where rows are wide, and go on while they promise.

use super::{Factor, Run, SparseLcp, first_places, made};
use crate::failure::Failure;
use crate::meter::Until;
use crate::place::Start;
use crate::tolerances::UNIT;

/// Multiplications of a factor in the time of one of a sweep: those of a factor are done several at a time, by vectors, from the caches.
const FASTER: usize = 14;

/// The sweeps may take as long as so many factors. Where they converge, they save three to five.
const FACTORS: usize = 2;

/// Sweeps converge in a hundred or more, or by accident; a problem that pays for fewer is factored at once.
const LEAST: usize = 150;

/// Where M has so many rows, and so many entries in each, sweeps are tried before an order of elimination is made: such an M is that of contacts
/// in space, where the order takes as long as a hundred sweeps or two. Walls have 14 entries in a row, piles 34.
const WIDE_FROM: usize = 5000;
const WIDE: usize = 24;

/// So many sweeps are made then, and as many again where the change has fallen to [`PROMISING`] meanwhile, and again.
const BLIND: usize = 100;
const BLIND_TIMES: i32 = 3;

/// The part of the way to [`CONVERGED`], on a scale of logarithms, that [`BLIND`] sweeps have to go.
const PROMISING: f64 = 1e-2;

/// A point is checked after so many more sweeps: the check costs about two. So it is not checked before as many sweeps more as there have been.
const CHECK: usize = 12;

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

/// Sums that a row is added up in. With one, each product would wait for the sum before it, which is most of the time of a sweep.
const SUMS: usize = 4;

/// A row times z.
fn dot(columns: &[u32], values: &[f64], z: &[f64]) -> f64 {
    let mut sums = [0.0; SUMS];
    let (fours, rest) = columns.as_chunks::<SUMS>();
    let (of_fours, of_rest) = values.as_chunks::<SUMS>();
    for (columns, values) in fours.iter().zip(of_fours) {
        for (sum, (&j, value)) in sums.iter_mut().zip(columns.iter().zip(values)) {
            *sum += value * z[j as usize];
        }
    }
    for (sum, (&j, value)) in sums.iter_mut().zip(rest.iter().zip(of_rest)) {
        *sum += value * z[j as usize];
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
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
    /// How many sweeps were made to converge, and the change of the last.
    count: usize,
    change: f64,
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
            count: 0,
            change: f64::NAN,
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
            let range = self.lcp.range(i);
            let product = dot(
                &self.lcp.columns[range.clone()],
                &self.lcp.values[range],
                &self.z,
            );
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

    /// Sweeps until they have converged; `false` where they have not after so many, those before among them.
    fn converge(&mut self, most: usize) -> Result<bool, Failure> {
        while self.count < most {
            self.count += 1;
            self.change = self.sweep()?;
            // NaN is no convergence.
            if self.change <= CONVERGED {
                let size = self.z.iter().fold(0.0, |most: f64, z| most.max(*z));
                let small = |z: &&mut f64| **z <= CONVERGED * size;
                self.z.iter_mut().filter(small).for_each(|z| *z = 0.0);
                return Ok(self.z.iter().all(|z| z.is_finite()));
            }
        }
        Ok(false)
    }

    /// Sweeps until they have converged, or do not promise to.
    fn converge_blindly(&mut self) -> Result<bool, Failure> {
        for times in 1..=BLIND_TIMES {
            if self.converge(times as usize * BLIND)? {
                return Ok(true);
            }
            // NaN promises nothing.
            let promises = self.change <= PROMISING.powi(times);
            if !promises {
                break;
            }
        }
        Ok(false)
    }
}

impl<'a> Run<'a> {
    /// Sweeps where they are worth it; whether that ends at a solution.
    ///
    /// # Errors
    /// [`Failure`], also where no order of elimination can be made.
    pub(super) fn sweep(&mut self) -> Result<bool, Failure> {
        let lcp = self.lcp;
        if !lcp.is_symmetric {
            return Ok(false);
        }
        let mut sweeps = None;
        if lcp.n() >= WIDE_FROM && lcp.values.len() >= WIDE * lcp.n() {
            let Some(mut own) = Sweeps::new(lcp, self.until) else {
                return Ok(false);
            };
            if own.converge_blindly()? {
                return self.end(own, usize::MAX);
            }
            sweeps = Some(own);
        }
        let worth = match made(&mut self.factor, lcp)? {
            Factor::Symmetric(factor) => worth(lcp, factor.values()),
            Factor::General(_) => 0,
        };
        match sweeps.or_else(|| Sweeps::new(lcp, self.until)) {
            Some(sweeps) if worth > 0 => self.begin_near(sweeps, worth),
            _ => Ok(false),
        }
    }

    /// Takes the places and the centre from at most so many sweeps, where they converge; and the solution, where [`end`](Self::end) has it.
    ///
    /// # Errors
    /// [`Failure::Time`].
    fn begin_near(&mut self, mut sweeps: Sweeps<'a>, most: usize) -> Result<bool, Failure> {
        if sweeps.converge(most)? {
            self.end(sweeps, most)
        } else {
            Ok(false)
        }
    }

    /// Takes the places and the centre of sweeps that have converged. Where that was so quick that a solution may be had for less than
    /// a factor, sweeps on, and returns whether the point passes the self-check.
    fn end(&mut self, mut sweeps: Sweeps<'_>, most: usize) -> Result<bool, Failure> {
        self.centre.copy_from_slice(&sweeps.z);
        self.places = first_places(self.lcp.n(), Start::Point(&sweeps.z));
        // The way from 1 to 1e-6 took `count` sweeps, so that on to 1e-16 takes 5/3 of them; twice leaves room. Half of `most` is one factor.
        let more = 2 * sweeps.count;
        if !self.is_whole || more > most / FACTORS {
            return Ok(false);
        }
        for at in 1..=more {
            sweeps.sweep()?;
            let is_due = at >= sweeps.count && at % CHECK == 0;
            if (is_due || at == more) && self.passes(&sweeps.z) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a point passes the self-check; it is the run's then, with its places. What falls to 0 by and by is 0 when it is rounding of the
    /// largest entry.
    fn passes(&mut self, z: &[f64]) -> bool {
        let least = UNIT * z.iter().fold(0.0, |most: f64, z| most.max(*z));
        for (own, z) in self.point.z.iter_mut().zip(z) {
            *own = if *z > least { *z } else { 0.0 };
        }
        let places = first_places(z.len(), Start::Point(&self.point.z));
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
        Ok(sweeps.converge(most)?.then_some(sweeps.z))
    }

    /// Whether at most so many sweeps end at a solution.
    fn begun(run: &mut Run<'_>, most: usize) -> bool {
        let sweeps = Sweeps::new(run.lcp, Until::default()).unwrap();
        run.begin_near(sweeps, most).unwrap()
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
        assert!(begun(&mut run, 4));
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

    /// Rows of 41 entries, these of them the diagonal.
    fn wide(n: usize, diagonal: f64) -> SparseLcp {
        let beside = |i: usize| (1..=20).map(move |k| (i, (i + k) % n));
        let both = |(i, j): (usize, usize)| [(i, j, -1.0), (j, i, -1.0)];
        let mut entries: Vec<_> = (0..n).flat_map(beside).flat_map(both).collect();
        entries.extend((0..n).map(|i| (i, i, diagonal)));
        let q: Vec<f64> = (0..n)
            .map(|i| if i % 5 == 0 { 4.0 } else { -1.0 })
            .collect();
        SparseLcp::new(&entries, &q).unwrap()
    }

    #[test]
    fn wide_rows_are_swept_before_an_order_of_elimination_is_made() {
        let lcp = wide(WIDE_FROM, 60.0);
        let mut run = Run::new(&lcp, Start::Cold, Until::default()).unwrap();
        assert!(run.sweep().unwrap() && run.factor.is_none());
        // Of free rows the steps need a factor, and sweeps propose.
        let mut run = Run::new(&lcp, Start::Cold, Until::default()).unwrap();
        run.is_whole = false;
        assert!(!run.sweep().unwrap() && run.factor.is_none());
        assert!(run.centre.iter().any(|z| *z > 0.0));
        run.pivot().unwrap();
        assert_eq!(run.pivots, 0);
        // What does not converge soon is left to the factor, in which there is little to sweep for.
        let mut slow = wide(WIDE_FROM, 40.0 + 1e-6);
        slow.q = (0..WIDE_FROM).map(|i| -1.0 - i as f64).collect();
        let mut run = Run::new(&slow, Start::Cold, Until::default()).unwrap();
        assert!(!run.sweep().unwrap() && run.factor.is_some());
    }

    #[test]
    fn rounding_of_the_largest_entry_is_0() {
        let lcp = SparseLcp::new(&[(0, 0, 1.0), (1, 1, 1.0)], &[-1.0, 1e-9]).unwrap();
        let mut run = Run::new(&lcp, Start::Cold, Until::default()).unwrap();
        assert!(run.passes(&[1.0, 1e-17]) && run.point.z == [1.0, 0.0]);
        assert!(!run.passes(&[1.0, 1e-15]));
    }

    #[test]
    fn a_run_begins_at_the_proposal() {
        let lcp = chain(200, 3.0, 4.0);
        let swept = propose(&lcp, 1000, Until::default()).unwrap().unwrap();
        let mut run = Run::new(&lcp, Start::Cold, Until::default()).unwrap();
        // As many sweeps as it takes to come near, and not those that it takes to a solution.
        assert!(!begun(&mut run, 40));
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
        assert!(begun(&mut run, 1000));
        // A point beside it does not pass, and changes no place.
        let (places, mut beside) = (run.places.clone(), run.point.z.clone());
        beside[7] = 0.0;
        assert!(run.passes(&run.point.z.clone()) && !run.passes(&beside));
        assert_eq!(run.places, places);
        run.point.z[7] = beside[6];
        assert!(begun(&mut run, 1000));
        let found = run.checked_on(&lcp).unwrap();
        let right = solve_sparse(&lcp, Start::Cold).unwrap();
        assert_eq!(found.places, right.places);
        for (own, right) in found.z.iter().zip(&right.z) {
            assert!((own - right).abs() < 1e-14, "{own} {right}");
        }
    }
}
