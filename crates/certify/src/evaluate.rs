//! How far a candidate is from exact, in two measures, both exact throughout.
//!
//! The *componentwise backward error* is the smallest eps for which z exactly solves a problem
//! with |dM| <= eps |M|, |dq| <= eps |q| and, on friction rows, |dmu| <= eps mu. The rows are
//! perturbed independently, row i can move w_i to any value within eps s_i,
//! s_i = (|M||z| + |q|)_i, and to no other, and a friction row its bounds by eps times them. So
//! each row sets a bound of its own and the largest is the answer; the proof is in
//! `docs/backward-error.md`.
//!
//! The *natural-scale error* takes sigma_i in place of s_i, the size of a row when its unknowns
//! are taken at their natural sizes ([`Sizes`](crate::sizes::Sizes)), and lets unknowns move onto a
//! bound nearby at the cost of the move over their natural size: the theorems are in
//! `docs/measure.md`.

use etalon_lcp::{Measures, Problem, Snapped};
use rug::Rational;

use crate::bounds::Bounds;
use crate::integers::{ExactRow, ExactVector};
use crate::judge::Tolerance;
use crate::sizes::Sizes;

/// A candidate of another length than the problem has rows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("z has {length} entries, but the problem has {n} rows")]
pub struct WrongLength {
    /// The length of z.
    pub length: usize,
    /// The number of rows.
    pub n: usize,
}

/// Which condition a row breaks, as numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowError {
    /// The row.
    pub row: usize,
    /// w_i at the candidate, moved onto its bounds.
    pub w: Rational,
    /// Whether z_i is at its lower and at its upper bound.
    pub at: (bool, bool),
}

/// What an evaluation finds.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The measures of the contract.
    pub measures: Measures,
    /// The row that sets the natural-scale error, where it is a row and not a move that does.
    pub worst: Option<RowError>,
    /// Whether z as given, nothing moved, solves the problem exactly.
    pub exact: bool,
    /// The largest violation in any row, relative to the largest size of a row in the whole
    /// problem, both for rows and columns scaled to a diagonal of ones, squared. Only where the
    /// error is over the tolerance.
    pub(crate) share_of_largest: Option<Rational>,
}

/// Evaluates a candidate z of length n. Rows that are right within `tolerance.tol` as they stand
/// are left as they are; elsewhere entries may move onto a bound ([`Measures::moved`]).
///
/// # Errors
/// [`WrongLength`].
pub fn evaluate(
    problem: &Problem,
    z: &[Rational],
    tolerance: &Tolerance,
) -> Result<Evaluation, WrongLength> {
    let n = problem.n();
    if z.len() != n {
        return Err(WrongLength { length: z.len(), n });
    }
    let bounds = Bounds::new(problem);
    let (plain, residual) = Reading::of_candidate(problem, &bounds, z);
    let tol = &tolerance.tol;
    let mut measures = Measures {
        error: plain.plain.error.clone(),
        backward_error: plain.plain.error.clone(),
        worst_row: plain.plain.row(),
        negativity: Rational::new(),
        negative_row: None,
        residual,
        moved: Snapped::default(),
        snapped: Snapped::default(),
    };
    let inside = plain.x == z;
    if inside && measures.error <= *tol {
        return Ok(Evaluation {
            exact: measures.error.is_zero(),
            measures,
            worst: plain.plain.at,
            share_of_largest: None,
        });
    }
    let judged = plain.judged(problem, &bounds, z, tol);
    measures.negativity.clone_from(&judged.furthest);
    measures.negative_row = judged.furthest_row;
    if plain.plain.error <= *tol && judged.furthest <= *tol {
        measures.error.clone_from(&judged.furthest);
        if plain.plain.error > measures.error {
            measures.error.clone_from(&plain.plain.error);
        }
        return Ok(Evaluation {
            exact: false,
            measures,
            worst: plain.plain.at,
            share_of_largest: None,
        });
    }

    // Every reading is an upper bound of the error, so the least of them counts.
    let mut best = judged;
    let all = plain.moved(problem, &bounds, tol, None);
    let few = plain.moved(problem, &bounds, tol, Some(&tolerance.snap));
    let same = all == few;
    for (x, snaps) in [(few, true), (all.filter(|_| !same), false)] {
        if let Some(x) = x {
            let reading = Reading::new(problem, &bounds, x);
            let other = reading.judged(problem, &bounds, z, tol);
            if snaps && reading.plain.error < measures.backward_error {
                measures.backward_error.clone_from(&reading.plain.error);
                measures.snapped = other.moves.clone();
            }
            if other.error() < best.error() {
                measures.moved.clone_from(&other.moves);
                best = other;
            }
        }
    }
    measures.error.clone_from(best.error());
    measures.worst_row = best.row();
    Ok(Evaluation {
        exact: false,
        measures,
        worst: best.rows.at,
        share_of_largest: Some(best.share_of_largest),
    })
}

/// Whether z solves the problem exactly.
///
/// # Errors
/// [`WrongLength`].
pub fn solves(problem: &Problem, z: &[Rational]) -> Result<bool, WrongLength> {
    let n = problem.n();
    if z.len() != n {
        return Err(WrongLength { length: z.len(), n });
    }
    let bounds = Bounds::new(problem);
    let inside = bounds.project(z) == z;
    Ok(inside
        && Reading::new(problem, &bounds, z.to_vec())
            .plain
            .error
            .is_zero())
}

/// The distance of z from an exact solution: max_j |z_j - y_j| / a_j, a_j the natural size of
/// unknown j at the solution y. An unknown that nothing measures counts as wrong altogether
/// (distance 1) unless it is equal.
pub(crate) fn distance(
    problem: &Problem,
    z: &[Rational],
    solution: &[Rational],
    tol: &Rational,
) -> Rational {
    let bounds = Bounds::new(problem);
    let reading = Reading::new(problem, &bounds, solution.to_vec());
    let sizes = Sizes::new(problem, &bounds, solution, &reading.rows, tol);
    let parts = z.iter().zip(solution).enumerate();
    let parts = parts.map(|(j, (z, y))| relative(Rational::from(z - y), || sizes.of(&bounds, j)));
    parts.max().unwrap_or_default()
}

/// |gap| over a size; 1 where there is a gap and nothing measures it.
fn relative(gap: Rational, size: impl FnOnce() -> Rational) -> Rational {
    if gap.is_zero() {
        return gap;
    }
    let size = size();
    if size.is_zero() {
        return Rational::from(1);
    }
    gap.abs() / size
}

/// w = Mx + q and s = |M||x| + |q| at a point.
pub(crate) struct Rows {
    pub w: Vec<Rational>,
    pub s: Vec<Rational>,
}

/// A candidate with its entries moved in some way, within its bounds.
struct Reading {
    x: Vec<Rational>,
    rows: Rows,
    /// The backward error, with plain sizes.
    plain: Worst,
}

/// What a reading comes to in natural sizes.
struct Judged {
    rows: Worst,
    /// The largest move from the candidate, in natural sizes, and whose it is.
    furthest: Rational,
    furthest_row: Option<usize>,
    moves: Snapped,
    share_of_largest: Rational,
}

impl Judged {
    fn error(&self) -> &Rational {
        (&self.furthest).max(&self.rows.error)
    }

    fn row(&self) -> Option<usize> {
        if self.furthest > self.rows.error {
            return self.furthest_row;
        }
        self.rows.row()
    }
}

impl Reading {
    /// The candidate moved into its bounds, and its natural residual as it stands.
    fn of_candidate(problem: &Problem, bounds: &Bounds, z: &[Rational]) -> (Self, Rational) {
        let inside = bounds.project(z);
        let moved = inside != z;
        let own = Self::new(problem, bounds, z.to_vec());
        let mut residual = Rational::new();
        for (i, (z_i, w)) in z.iter().zip(&own.rows.w).enumerate() {
            let distance = natural_residual(z_i, w, bounds.of(i, z));
            if distance > residual {
                residual = distance;
            }
        }
        let reading = if moved {
            Self::new(problem, bounds, inside)
        } else {
            own
        };
        (reading, residual)
    }

    fn new(problem: &Problem, bounds: &Bounds, x: Vec<Rational>) -> Self {
        let vector = ExactVector::new(x.clone());
        let n = problem.n();
        let mut rows = Rows {
            w: Vec::with_capacity(n),
            s: Vec::with_capacity(n),
        };
        let mut plain = Worst::default();
        for i in 0..n {
            let row = ExactRow::new(problem.m().row(i), &problem.q()[i]);
            let (w, s) = vector.sums(&row);
            plain.take(i, &w, &s, bounds, &x, &x);
            rows.w.push(w);
            rows.s.push(s);
        }
        Self { x, rows, plain }
    }

    /// The same point in natural sizes; `z` is what the solver answered.
    fn judged(&self, problem: &Problem, bounds: &Bounds, z: &[Rational], tol: &Rational) -> Judged {
        let sizes = Sizes::new(problem, bounds, &self.x, &self.rows, tol);
        let mut judged = Judged {
            rows: Worst::default(),
            furthest: Rational::new(),
            furthest_row: None,
            moves: Snapped::default(),
            share_of_largest: Rational::new(),
        };
        // Squares over the diagonal, because a square root of it need not be rational.
        let mut largest = Rational::new();
        let mut violation = Rational::new();
        for (i, sigma) in sizes.rows.iter().enumerate() {
            let w = &self.rows.w[i];
            let wrong = judged
                .rows
                .take(i, w, sigma, bounds, &self.x, &sizes.carried);
            let diagonal = sizes.diagonal(i);
            if *diagonal <= 0 {
                continue;
            }
            grow(&mut largest, sigma.clone().square() / diagonal);
            if wrong {
                grow(&mut violation, w.clone().square() / diagonal);
            }
            let gap = Rational::from(&z[i] - &self.x[i]);
            grow(&mut violation, gap.square() * diagonal);
        }
        for (j, (z_j, x_j)) in z.iter().zip(&self.x).enumerate() {
            let gap = Rational::from(z_j - x_j);
            if gap.is_zero() {
                continue;
            }
            let cost = relative(gap, || sizes.of(bounds, j));
            judged.moves.entries += 1;
            if cost > judged.furthest {
                judged.furthest = cost;
                judged.furthest_row = Some(j);
            }
        }
        judged.moves.furthest.clone_from(&judged.furthest);
        // Without a positive diagonal entry nothing compares two rows: the error is its own share.
        judged.share_of_largest = if largest.is_zero() {
            judged.error().clone().square()
        } else {
            violation / largest
        };
        judged
    }

    /// The point with every entry moved onto its bound whose row is wrong where it stands, would be
    /// right there, and is nearer to that than to being right here; with `limit`, only
    /// those whose move costs no more. `None` where nothing moves.
    fn moved(
        &self,
        problem: &Problem,
        bounds: &Bounds,
        tol: &Rational,
        limit: Option<&Rational>,
    ) -> Option<Vec<Rational>> {
        let sizes = Sizes::new(problem, bounds, &self.x, &self.rows, tol);
        let mut x = self.x.clone();
        let mut any = false;
        for i in bounds.order() {
            let (w, s) = (&self.rows.w[i], &self.rows.s[i]);
            let (lower, upper) = bounds.of(i, &x);
            let bound = if *w > 0 { lower } else { upper };
            let wrong = Rational::from(w.abs_ref()) > Rational::from(tol * s);
            if let Some(bound) = bound.filter(|bound| wrong && *bound != x[i]) {
                let cost = relative(Rational::from(&bound - &x[i]), || sizes.of(bounds, i));
                let cheap = Rational::from(&cost * s) < Rational::from(w.abs_ref());
                if cheap && limit.is_none_or(|limit| cost <= *limit) {
                    x[i] = bound;
                    any = true;
                }
            }
            // A friction row whose normal moved may be outside.
            bounds.project_row(i, &mut x);
        }
        any.then_some(x)
    }
}

fn grow(largest: &mut Rational, value: Rational) {
    if value > *largest {
        *largest = value;
    }
}

/// The largest row error so far.
#[derive(Default, Clone)]
struct Worst {
    error: Rational,
    at: Option<RowError>,
}

impl Worst {
    fn row(&self) -> Option<usize> {
        self.at.as_ref().map(|at| at.row)
    }

    /// Takes row i with w and the size by which it is measured; `reach` are the sizes of the
    /// unknowns that bound friction rows. Returns whether the row is wrong.
    fn take(
        &mut self,
        row: usize,
        w: &Rational,
        size: &Rational,
        bounds: &Bounds,
        x: &[Rational],
        reach: &[Rational],
    ) -> bool {
        let at = bounds.at(row, x);
        let wrong = match at {
            (true, true) => false,
            (true, false) => *w < 0,
            (false, true) => *w > 0,
            (false, false) => *w != 0,
        };
        if !wrong {
            return false;
        }
        // w is not 0, so neither is the size, which is at least |w|.
        let mut error = Rational::from(w.abs_ref()) / size;
        // Off its bounds a friction row may be brought to w = 0, or the bound to z by another mu.
        if let Some(change) = change_of_mu(bounds, row, x, reach, *w < 0)
            && change < error
        {
            error = change;
        }
        if error > self.error {
            self.error = error;
            let w = w.clone();
            self.at = Some(RowError { row, w, at });
        }
        true
    }
}

/// By which part of its size the bound mu z_n of a friction row would have to change for z_i to be
/// at it; none for other rows, and where no change of mu does it.
fn change_of_mu(
    bounds: &Bounds,
    i: usize,
    x: &[Rational],
    reach: &[Rational],
    upper: bool,
) -> Option<Rational> {
    let cone = bounds.cone(i)?;
    let limit = Rational::from(&cone.mu * &x[cone.normal]);
    let wanted = if upper {
        x[i].clone()
    } else {
        Rational::from(-&x[i])
    };
    let size = Rational::from(&cone.mu * &reach[cone.normal]).abs();
    (limit > 0 && wanted >= 0).then(|| Rational::from(&wanted - &limit).abs() / size)
}

/// |z - mid(l, z - w, u)|: 0 exactly where the row's conditions hold.
fn natural_residual(
    z: &Rational,
    w: &Rational,
    (lower, upper): (Option<Rational>, Option<Rational>),
) -> Rational {
    let mut mid = Rational::from(z - w);
    if let Some(upper) = upper
        && mid > upper
    {
        mid = upper;
    }
    if let Some(lower) = lower
        && mid < lower
    {
        mid = lower;
    }
    (mid - z).abs()
}
