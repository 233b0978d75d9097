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

pub use data::{SparseError, SparseLcp};
pub(crate) use factor::{Cholesky, RowLu};

use crate::block::shifts;
use crate::failure::Failure;
use crate::place::{Place, Start};
use crate::point::Point;
use crate::range::is_tame;
use crate::tolerances::{MAX_STEPS, SMALLEST_SHIFT};

/// Rounds in which the number of wrong rows need not fall. Twice that of dense block pivoting: no
/// other method takes over here. Chosen, not derived.
const PATIENCE: u32 = 20;

/// The last of these exchange one row each. All at once may go in circles, one by one does not where M + E is definite (Judice and Pires 1994).
const SINGLES: u32 = 16;

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
/// symmetric; takes memory.
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
    run.checked_on(lcp)
}

/// Solves the problem of a run; the answer is its point.
fn solve_run(run: &mut Run<'_>, start: Start<'_>) -> Result<(), Failure> {
    let (lcp, until) = (run.lcp, run.until);
    let is_cold = matches!(start, Start::Cold);
    if is_cold && run.sweep()? {
        return Ok(());
    }
    if lcp.is_symmetric || !is_cold {
        match run.pivot() {
            Ok(_) => return Ok(()),
            Err(failure) if !is_cold || failure == Failure::Time => return Err(failure),
            Err(_) => {}
        }
    }
    let proposed = interior::propose(lcp, &mut run.factor, until)?.ok_or(Failure::Singular)?;
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

fn pattern(lcp: &SparseLcp) -> SymbolicSparseColMatRef<'_, usize> {
    let n = lcp.n();
    SymbolicSparseColMatRef::new_checked(n, n, &lcp.starts, None, &lcp.columns)
}

struct Run<'a> {
    lcp: &'a SparseLcp,
    factor: Factor,
    /// The values of M, E added and rows outside F masked.
    masked: Vec<f64>,
    places: Vec<Place>,
    point: Point,
    centre: Vec<f64>,
    shift: Vec<f64>,
    step: Vec<f64>,
    /// The rows that the last exchange found wrong.
    wrong: Vec<usize>,
    /// Whether rows near the wrong ones are pivoted by themselves.
    tries_near: bool,
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
        let factor = Factor::new(lcp)?;
        let mut point = Point::default();
        point.reset(lcp.view());
        Ok(Self {
            lcp,
            factor,
            masked: Vec::new(),
            places: first_places(n, start),
            point,
            centre: vec![0.0; n],
            shift: shifts(SMALLEST_SHIFT, diagonal.iter().copied()).collect(),
            step: vec![0.0; n],
            wrong: Vec::new(),
            tries_near: true,
            pivots: 0,
            until,
        })
    }

    /// The answer, by its backward error in this problem, which may be the run's with tiny numbers.
    fn checked_on(self, lcp: &SparseLcp) -> Result<SparseSolution, Failure> {
        lcp.checked(self.point, self.places, self.pivots)
    }

    /// Sweeps where they are worth it; whether that ends at a solution.
    fn sweep(&mut self) -> Result<bool, Failure> {
        let worth = match &self.factor {
            Factor::Symmetric(factor) => sweep::worth(self.lcp, factor.values()),
            Factor::General(_) => 0,
        };
        if worth == 0 {
            return Ok(false);
        }
        self.begin_near(worth)
    }

    fn pivot(&mut self) -> Result<f64, Failure> {
        let (mut fewest, mut patience, mut steps) = (usize::MAX, PATIENCE, 0);
        loop {
            self.until.check()?;
            self.begin()?;
            loop {
                let all = patience > SINGLES;
                let wrong = self.go(all);
                if wrong > 0 {
                    self.pivots += if all { wrong as u64 } else { 1 };
                    patience = if wrong < fewest {
                        PATIENCE
                    } else {
                        patience - 1
                    };
                    fewest = fewest.min(wrong);
                    if patience == 0 {
                        let pivots = self.pivots;
                        return Err(Failure::Pivots { pivots });
                    }
                    if all {
                        self.settle_near()?;
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
                (fewest, patience) = (usize::MAX, PATIENCE);
            }
        }
    }

    /// Factors M + E at the places, and puts z on its centre.
    fn begin(&mut self) -> Result<(), Failure> {
        self.factor()?;
        self.point.z.copy_from_slice(&self.centre);
        self.point.put(self.lcp.view(), &self.places);
        Ok(())
    }

    /// One step to the z of the places, and the exchange of its wrong rows: how many these are.
    fn go(&mut self, all: bool) -> usize {
        self.evaluate();
        self.take_step();
        self.evaluate();
        self.exchange(all);
        self.wrong.len()
    }

    /// Factors (M + E)_FF and the identity elsewhere.
    fn factor(&mut self) -> Result<(), Failure> {
        let between = |i: usize| self.places[i] == Place::Between;
        self.masked.clear();
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
        self.factor.factor(self.lcp, &self.masked)
    }

    fn take_step(&mut self) {
        let rows = self.places.iter().zip(&self.point.w);
        for (step, (place, w)) in self.step.iter_mut().zip(rows) {
            *step = if *place == Place::Between { *w } else { 0.0 };
        }
        self.factor.solve(&mut self.step);
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

    /// Finds the wrong rows, and exchanges all of them or the last.
    fn exchange(&mut self, all: bool) {
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
        let first = if all {
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
    }
}

/// Cold: all contacts hold. In a stack most do, and those that do not let go in few rounds.
fn first_places(n: usize, start: Start<'_>) -> Vec<Place> {
    let basic = |basic: bool| if basic { Place::Between } else { Place::Lower };
    match start {
        Start::Places(places) if places.len() == n => {
            places.iter().map(|p| basic(*p == Place::Between)).collect()
        }
        Start::Basis(basis) if basis.n() == n => {
            (0..n).map(|i| basic(basis.z_is_basic(i))).collect()
        }
        Start::Point(z) if z.len() == n => z.iter().map(|z| basic(*z > 0.0)).collect(),
        _ => vec![Place::Between; n],
    }
}
