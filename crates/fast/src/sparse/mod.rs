//! Sparse problems: stacks, walls and piles, with and without friction.
//!
//! Block principal pivoting as in [`crate::block`], with E from the start, on faer's sparse
//! Cholesky. Rows outside F stand as rows of the identity, so the pattern never changes and is
//! ordered and analysed once.
//!
//! Where M is not symmetric, as with friction, sparse LU stands in the place of Cholesky, and the places are first those of the
//! [interior-point method](crate::interior): from others the exchange does not settle. Symmetric problems begin with the exchange. Where it does
//! not settle, as in some high piles of boxes in space, their places are those of the interior-point method, too. Where a factor costs as much as many
//! [sweeps](sweep), their places come first.

mod check;
mod data;
mod factor;
mod free;
mod interior;
mod near;
mod sweep;

use crate::meter::Until;
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};

pub(crate) use data::MOST_INDICES;
pub use data::{SparseError, SparseLcp};
pub(crate) use factor::{Cholesky, RowLu};

use crate::block::shifts;
use crate::failure::Failure;
use crate::place::{Place, Start, centre};
use crate::point::Point;
use crate::range::is_tame;
use crate::tolerances::{MAX_STEPS, SMALLEST_SHIFT};

/// Rounds in which the number of wrong rows need not fall. Twice that of dense block pivoting: no
/// other method takes over here. Chosen, not derived.
const PATIENCE: u32 = 20;

/// The last of these exchange one row each. All at once may go in circles, one by one does not where M + E is definite (Judice and Pires 1994).
const SINGLES: u32 = 16;

/// From a known start of a nonsymmetric M the number of wrong rows halves in each round, or is at most this part of n: where a problem
/// with friction changes a little, a few rounds settle it; where they do not, interior points cost some fifteen factors, and each further
/// round adds one. Columns of 300 rows changed by 1% have 99, 51, 127, 161 wrong rows and cycle, walls 79, 16, 14, 16, 6 and none.
const TRIAL: usize = 16;

/// Proximal steps in which rows wrong by no more than this many times the limit of the self-check are not exchanged: the next step may take
/// off what is rounding, for an eighth of a factor.
const LENIENT: u32 = 2;
const ROUNDING: f64 = 4.0;

/// A solution that passed the self-check.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseSolution {
    /// z, n values.
    pub z: Vec<f64>,
    /// w = Mz + q, rounded, n values.
    pub w: Vec<f64>,
    /// Where each z_i stands.
    pub places: Vec<Place>,
    /// Rows exchanged.
    pub pivots: u64,
    /// A bound on the componentwise backward error, rounding included: at most
    /// (4 r + 16) 2^-53, r the larger of 64 and the most nonzeros in a row.
    pub backward_error: f64,
}

/// Solves a sparse problem. Costs a few sparse Cholesky factorisations, or one to two dozen of sparse LU where M is not
/// symmetric; takes memory. A known start that does not settle costs a few factors more; the problem is then solved as from a cold one.
///
/// # Errors
/// [`Failure`]. None of its cases says that there is no solution.
pub fn solve_sparse(lcp: &SparseLcp, start: Start<'_>) -> Result<SparseSolution, Failure> {
    solve_sparse_until(lcp, start, Until::default())
}

/// As [`solve_sparse`], until an end in time.
pub(crate) fn solve_sparse_until(
    lcp: &SparseLcp,
    start: Start<'_>,
    until: Until,
) -> Result<SparseSolution, Failure> {
    if !lcp.lower.is_empty() {
        return free::solve(lcp, start, until);
    }
    // Numbers below the range of safe products: `crate::tiny`.
    let other = lcp.without_tiny();
    let mut run = Run::new(other.as_ref().unwrap_or(lcp), start, until)?;
    solve_run(&mut run, start)?;
    let is_known = run.is_known;
    match run.checked_on(lcp) {
        // The exchange may settle near a known start, and the answer fail the self-check of the whole problem.
        Err(_) if is_known => solve_sparse_until(lcp, Start::Cold, until),
        result => result,
    }
}

/// Solves the problem of a run; the answer is its point.
fn solve_run(run: &mut Run<'_>, start: Start<'_>) -> Result<(), Failure> {
    let (lcp, until) = (run.lcp, run.until);
    if !matches!(start, Start::Cold) {
        run.is_known = true;
        if run.pivots_through()? {
            return Ok(());
        }
        run.forget_start();
    }
    if run.sweep()? || (lcp.is_symmetric && run.pivots_through()?) {
        return Ok(());
    }
    let factor = made(&mut run.factor, lcp)?;
    let proposed = interior::propose(lcp, factor, until)?.ok_or(Failure::Singular)?;
    (run.places, run.centre) = proposed;
    run.pivot().map(drop)
}

/// The factor of the last matrix of the pattern of M.
enum Factor {
    Symmetric(Box<Cholesky>),
    General(RowLu),
}

impl Factor {
    /// The order of elimination, which depends on the pattern alone.
    fn new(lcp: &SparseLcp) -> Result<Self, Failure> {
        let pattern = pattern(lcp);
        // faer answers an empty matrix with an error.
        let new = if lcp.is_symmetric {
            Cholesky::new(pattern).map(|own| Self::Symmetric(Box::new(own)))
        } else {
            RowLu::new(pattern).map(Self::General)
        };
        new.ok_or(Failure::Singular)
    }

    /// Factors the matrix with these values.
    fn factor(&mut self, lcp: &SparseLcp, values: &[f64]) -> Result<(), Failure> {
        let matrix = SparseColMatRef::new(pattern(lcp), values);
        let (works, failure) = match self {
            // Where M is semidefinite, M + E is definite by far more than rounding.
            Self::Symmetric(own) => (own.factor(matrix), Failure::NotSemidefinite),
            Self::General(own) => (own.factor(matrix), Failure::Singular),
        };
        works.then_some(()).ok_or(failure)
    }

    fn solve(&mut self, x: &mut [f64]) {
        match self {
            Self::Symmetric(own) => own.solve(x),
            Self::General(own) => own.solve(x),
        }
    }
}

/// The factor, whose order of elimination is made when it is first asked for.
fn made<'a>(factor: &'a mut Option<Factor>, lcp: &SparseLcp) -> Result<&'a mut Factor, Failure> {
    if factor.is_none() {
        *factor = Some(Factor::new(lcp)?);
    }
    factor.as_mut().ok_or(Failure::Singular)
}

fn pattern(lcp: &SparseLcp) -> SymbolicSparseColMatRef<'_, u32> {
    let n = lcp.n();
    SymbolicSparseColMatRef::new_checked(n, n, &lcp.starts, None, &lcp.columns)
}

/// The guard of the exchange: rounds in which the number of wrong rows has not fallen.
#[derive(Debug, Clone, Copy)]
struct Guard {
    fewest: usize,
    patience: u32,
}

impl Guard {
    fn new() -> Self {
        Self {
            fewest: usize::MAX,
            patience: PATIENCE,
        }
    }

    /// Whether the next round exchanges all wrong rows.
    fn all(self) -> bool {
        self.patience > SINGLES
    }

    /// After a round with so many wrong rows: whether another one may follow.
    fn count(&mut self, wrong: usize) -> bool {
        if wrong < self.fewest {
            *self = Self {
                fewest: wrong,
                patience: PATIENCE,
            };
        } else {
            self.patience -= 1;
        }
        self.patience > 0
    }
}

struct Run<'a> {
    lcp: &'a SparseLcp,
    /// None before it is needed.
    factor: Option<Factor>,
    /// The values of M, E added and rows outside F masked.
    masked: Vec<f64>,
    places: Vec<Place>,
    point: Point,
    centre: Vec<f64>,
    shift: Vec<f64>,
    step: Vec<f64>,
    /// The rows that the last exchange found wrong.
    wrong: Vec<usize>,
    /// Whether the answer is one of the whole problem, and not of the forces of one with free rows, whose steps need a factor anyway.
    is_whole: bool,
    /// Whether rows near the wrong ones are pivoted by themselves.
    tries_near: bool,
    /// Whether the run goes on from a known start.
    is_known: bool,
    pivots: u64,
    until: Until,
}

impl<'a> Run<'a> {
    fn new(lcp: &'a SparseLcp, start: Start<'_>, until: Until) -> Result<Self, Failure> {
        let n = lcp.n();
        let tame = lcp.values.iter().chain(&lcp.q).all(|value| is_tame(*value));
        let diagonal: Vec<f64> = (0..n).map(|i| lcp.diagonal(i)).collect();
        if !tame {
            return Err(Failure::Overflow);
        }
        if !diagonal.iter().all(|d| *d >= 0.0) {
            return Err(Failure::NotSemidefinite);
        }
        let mut point = Point::default();
        point.reset(lcp.view());
        Ok(Self {
            lcp,
            factor: None,
            masked: Vec::new(),
            places: first_places(n, start),
            point,
            centre: first_centre(lcp, start),
            shift: shifts(SMALLEST_SHIFT, (0..n).map(|i| lcp.unit(i))).collect(),
            step: vec![0.0; n],
            wrong: Vec::new(),
            is_whole: true,
            tries_near: true,
            is_known: false,
            pivots: 0,
            until,
        })
    }

    /// The answer, by its backward error in this problem, which may be the run's with tiny numbers.
    fn checked_on(self, lcp: &SparseLcp) -> Result<SparseSolution, Failure> {
        lcp.checked(self.point, self.places, self.pivots)
    }

    /// Whether block pivoting ends in an answer. Only the end of the time is a failure.
    fn pivots_through(&mut self) -> Result<bool, Failure> {
        match self.pivot() {
            Err(Failure::Time) => Err(Failure::Time),
            result => Ok(result.is_ok()),
        }
    }

    /// Places and centre as of a cold start. The order of elimination, which depends on the pattern of M alone, stays.
    fn forget_start(&mut self) {
        self.places.fill(Place::Between);
        self.centre.fill(0.0);
        self.tries_near = true;
        self.is_known = false;
    }

    fn pivot(&mut self) -> Result<f64, Failure> {
        let (mut guard, mut steps, mut wrong) = (Guard::new(), 0, self.lcp.n());
        loop {
            self.until.check()?;
            self.begin()?;
            loop {
                self.go();
                let is_lenient = (1..=LENIENT).contains(&steps) && self.is_rounding();
                if is_lenient {
                    self.cut();
                }
                if !self.wrong.is_empty() && !is_lenient {
                    self.exchange(guard)?;
                    let pivots = self.pivots;
                    let last = std::mem::replace(&mut wrong, self.wrong.len());
                    let goes_on = guard.count(wrong);
                    if !goes_on || self.is_lost(guard, last) {
                        return Err(Failure::Pivots { pivots });
                    }
                    break;
                }
                let backward_error = self.backward_error();
                if backward_error <= self.lcp.limit() {
                    return Ok(backward_error);
                }
                steps += 1;
                if steps > MAX_STEPS {
                    return Err(Failure::Inaccurate { backward_error });
                }
                // The next proximal step (Rockafellar 1976): the factor serves again, as only the centre
                // moves.
                self.centre.copy_from_slice(&self.point.z);
                // The moved centre makes another problem, with rows of its own to exchange.
                guard = Guard::new();
            }
        }
    }

    /// Whether a known start of a nonsymmetric M is given up after this round ([`TRIAL`]); the one before had `last` wrong rows. Single rows are
    /// not exchanged: that ends where M + E is definite, and with friction it is not.
    fn is_lost(&self, guard: Guard, last: usize) -> bool {
        let wrong = self.wrong.len();
        let is_trial = self.is_known && !self.lcp.is_symmetric;
        is_trial && (!guard.all() || (TRIAL * wrong > self.lcp.n() && 2 * wrong > last))
    }

    /// Factors M + E at the places, and puts z on its centre.
    fn begin(&mut self) -> Result<(), Failure> {
        self.factor()?;
        self.point.z.copy_from_slice(&self.centre);
        self.point.put(self.lcp.view(), &self.places);
        Ok(())
    }

    /// One step to the z of the places, which shows the rows that are wrong there.
    fn go(&mut self) {
        self.evaluate();
        self.take_step();
        self.evaluate();
        self.find_wrong();
    }

    /// Factors (M + E)_FF and the identity elsewhere.
    fn factor(&mut self) -> Result<(), Failure> {
        let between = |i: usize| self.places[i] == Place::Between;
        self.masked.clear();
        self.masked.reserve_exact(self.lcp.values.len());
        for i in 0..self.lcp.n() {
            for (j, value) in self.lcp.row(i) {
                let masked = match (i == j, between(i)) {
                    (true, true) => value + self.shift[i],
                    (true, false) => 1.0,
                    (false, true) if between(j) => value,
                    _ => 0.0,
                };
                self.masked.push(masked);
            }
        }
        made(&mut self.factor, self.lcp)?.factor(self.lcp, &self.masked)
    }

    /// Solves for the step that stands for the right-hand side, by the last factor.
    fn solve_step(&mut self) {
        if let Some(factor) = &mut self.factor {
            factor.solve(&mut self.step);
        }
    }

    fn take_step(&mut self) {
        let rows = self.places.iter().zip(&self.point.w);
        for (step, (place, w)) in self.step.iter_mut().zip(rows) {
            *step = if *place == Place::Between { *w } else { 0.0 };
        }
        self.solve_step();
        for (z, step) in self.point.z.iter_mut().zip(&self.step) {
            *z -= step;
        }
    }

    fn evaluate(&mut self) {
        self.lcp.evaluate(&mut self.point);
    }

    fn backward_error(&self) -> f64 {
        self.lcp.backward_error(&self.point, &self.places)
    }

    fn find_wrong(&mut self) {
        // As in [`crate::block`]: half of what the self-check allows beyond rounding.
        let slack = 0.5 * (self.lcp.limit() - self.lcp.margin());
        self.wrong.clear();
        for (i, place) in self.places.iter().enumerate() {
            let z = self.point.z[i];
            let w = self.point.w[i] + self.shift[i] * (z - self.centre[i]);
            let is_wrong = match *place {
                Place::Between => z < 0.0,
                Place::Lower => w < -slack * self.point.s[i],
                Place::Upper => false,
            };
            if is_wrong {
                self.wrong.push(i);
            }
        }
    }

    /// Whether what is wrong with the wrong rows may be rounding.
    fn is_rounding(&self) -> bool {
        let most = ROUNDING * self.lcp.limit();
        self.wrong.iter().all(|&i| {
            let wrong = match self.places[i] {
                Place::Between => self.lcp.diagonal(i) * self.point.z[i],
                _ => self.point.w[i],
            };
            wrong >= -most * self.point.s[i]
        })
    }

    /// Puts what is below 0 to 0.
    fn cut(&mut self) {
        for &i in &self.wrong {
            self.point.z[i] = self.point.z[i].max(0.0);
        }
        if !self.wrong.is_empty() {
            self.evaluate();
        }
    }

    /// Exchanges the wrong rows: all of them, and what follows near them, or the last.
    fn exchange(&mut self, guard: Guard) -> Result<(), Failure> {
        self.swap(guard);
        if guard.all() {
            self.settle_near()?;
        }
        Ok(())
    }

    /// Exchanges the wrong rows, all of them or the last.
    fn swap(&mut self, guard: Guard) {
        let first = if guard.all() {
            0
        } else {
            self.wrong.len().saturating_sub(1)
        };
        for &i in &self.wrong[first..] {
            self.places[i] = match self.places[i] {
                Place::Between => Place::Lower,
                _ => Place::Between,
            };
        }
        self.pivots += (self.wrong.len() - first) as u64;
    }
}

/// Cold: all contacts hold. In a stack most do, and those that do not let go in few rounds.
fn first_places(n: usize, start: Start<'_>) -> Vec<Place> {
    let basic = |basic: bool| if basic { Place::Between } else { Place::Lower };
    match start {
        Start::Places(places) | Start::Solution { places, .. } if places.len() == n => {
            places.iter().map(|p| basic(*p == Place::Between)).collect()
        }
        Start::Basis(basis) if basis.n() == n => {
            (0..n).map(|i| basic(basis.z_is_basic(i))).collect()
        }
        Start::Point(z) if z.len() == n => z.iter().map(|z| basic(*z > 0.0)).collect(),
        _ => vec![Place::Between; n],
    }
}

/// z of a known point, where M is not symmetric: it says which of the many solutions of places with redundant rows is the one nearby. Symmetric
/// problems have one step less from 0. Measured: walls take 0.5 of a cold solution in place of 0.75.
fn first_centre(lcp: &SparseLcp, start: Start<'_>) -> Vec<f64> {
    match start.z(lcp.n()) {
        Some(z) if !lcp.is_symmetric => z.iter().map(|z| centre(*z)).collect(),
        _ => vec![0.0; lcp.n()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_by_rounding_is_cut_and_not_exchanged() {
        let entries = [(0, 0, 2.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 2.0)];
        let lcp = SparseLcp::new(&entries, &[-2.0, -1.0]).unwrap();
        let mut run = Run::new(&lcp, Start::Cold, Until::default()).unwrap();
        for (z, is_rounding) in [(-1e-14, true), (-1e-12, false)] {
            run.point.z.copy_from_slice(&[1.0, z]);
            run.evaluate();
            run.find_wrong();
            assert_eq!((&run.wrong[..], run.is_rounding()), (&[1][..], is_rounding));
        }
        run.cut();
        assert_eq!((&run.point.z[..], run.point.w[1]), (&[1.0, 0.0][..], 0.0));
        run.places[1] = Place::Lower;
        for (q, is_rounding) in [(-1e-13, true), (-1e-11, false)] {
            run.point.w[1] = q;
            run.find_wrong();
            assert_eq!((&run.wrong[..], run.is_rounding()), (&[1][..], is_rounding));
        }
    }

    #[test]
    fn the_guard_goes_from_all_rows_to_single_ones_and_ends() {
        let mut guard = Guard::new();
        assert!(guard.count(7) && guard.all());
        for round in 1..PATIENCE {
            assert!(guard.count(7));
            assert_eq!(guard.all(), round < PATIENCE - SINGLES);
        }
        assert!(!guard.count(7));
        let mut guard = Guard::new();
        assert!(
            (0..100)
                .rev()
                .all(|wrong| guard.count(wrong) && guard.all())
        );
    }
}
