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

use std::cmp::Ordering;

use etalon_lcp::{Measures, Number, Problem, Snapped};
use rug::Rational;

use crate::bounds::Bounds;
use crate::budget::{Budget, Held, OverBudget, fraction_bits};
use crate::integers::{ExactVector, IntegerRow};
use crate::own::Own;
use crate::sizes::{Rows, Sizes, is_tight};
use crate::tolerance::Tolerance;
use crate::{CertificateError, ensure};

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

/// What the squares may take that tell a gross error from one that is wrong by its own size, bits and
/// products of words: beyond that it is not called gross.
const SQUARES: (u64, u64) = (1 << 28, 1 << 30);

/// What an evaluation finds.
#[derive(Debug, Clone, PartialEq, Default)]
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
    /// The point within the bounds that the error was found at, unless z is exact.
    pub reading: Option<Vec<Rational>>,
    /// Whether the rows are right there in plain sizes.
    pub is_plain: bool,
}

/// Evaluates a candidate z of length n. Rows that are right within `tolerance.tol` as they stand
/// are left as they are; elsewhere entries may move onto a bound ([`Measures::moved`]).
///
/// # Errors
/// Another length than the problem has rows, or numbers over the budget.
pub fn evaluate(
    problem: &Problem,
    z: &[Rational],
    tolerance: &Tolerance,
) -> Result<Evaluation, CertificateError> {
    let budget = Budget::default();
    if solves_within(problem, z, &budget)? {
        return Ok(Evaluation {
            exact: true,
            ..Evaluation::default()
        });
    }
    let bounds = Bounds::new(problem);
    let tol = &tolerance.tol;
    let at = Place::new(problem, &bounds, tol, &budget);
    let (mut plain, residual) = at.candidate(z)?;
    let mut measures = Measures {
        error: plain.plain.error.clone(),
        backward_error: plain.plain.error.clone(),
        worst_row: plain.plain.row(),
        residual,
        ..Measures::default()
    };
    let right = |measures, plain: Reading<'_>| Evaluation {
        measures,
        worst: plain.plain.at,
        reading: Some(plain.x),
        is_plain: true,
        ..Evaluation::default()
    };
    if plain.x == z && measures.error <= *tol {
        return Ok(right(measures, plain));
    }
    let sizes = at.sizes(&plain)?;
    let judged = at.judge(&plain, &sizes, z)?;
    measures.negativity.clone_from(&judged.furthest);
    measures.negative_row = judged.furthest_row;
    if plain.plain.error <= *tol && judged.furthest <= *tol {
        if judged.furthest > measures.error {
            (measures.error, measures.worst_row) = (judged.furthest, judged.furthest_row);
            plain.plain.at = None;
        }
        return Ok(right(measures, plain));
    }

    at.least(z, plain, (judged, sizes), measures, &tolerance.snap)
}

/// The componentwise backward error of z as it stands, nothing moved.
///
/// # Errors
/// A row on which z is outside its bounds, another length, or numbers over the budget.
pub(crate) fn backward_error(
    problem: &Problem,
    z: &[Rational],
) -> Result<Rational, CertificateError> {
    ensure(z.len() == problem.n(), "z has not n entries")?;
    let (bounds, tol, budget) = (Bounds::new(problem), Rational::new(), Budget::default());
    for cone in bounds.cones() {
        budget.reduce(2, fraction_bits(&cone.mu), fraction_bits(&z[cone.normal]))?;
    }
    let inside = bounds.project(z);
    if let Some(row) = (0..z.len()).find(|&i| inside[i] != z[i]) {
        return Err(CertificateError::new("z is outside its bounds").at(format!("row {row}")));
    }
    let at = Place::new(problem, &bounds, &tol, &budget);
    Ok(at.reading(inside)?.plain.error)
}

/// Which rows are loose at a point within the bounds: those that changes of the data by tol can
/// make equations.
///
/// # Errors
/// Another length than the problem has rows, or numbers over the budget.
pub fn loose_rows(
    problem: &Problem,
    x: &[Rational],
    tol: &Rational,
) -> Result<Vec<bool>, CertificateError> {
    let n = problem.n();
    ensure(x.len() == n, "a point of another length")?;
    let (bounds, budget) = (Bounds::new(problem), Budget::default());
    let at = Place::new(problem, &bounds, tol, &budget);
    let Rows { w, s } = at.reading(x.to_vec())?.rows;
    let tight = |i| is_tight(bounds.at(i, x), &w[i], &s[i], tol);
    Ok((0..n).map(|i| !tight(i)).collect())
}

/// Whether z solves the problem exactly.
///
/// # Errors
/// Another length than the problem has rows, or numbers over the budget.
pub fn solves(problem: &Problem, z: &[Rational]) -> Result<bool, CertificateError> {
    solves_within(problem, z, &Budget::default())
}

pub(crate) fn solves_within(
    problem: &Problem,
    z: &[Rational],
    budget: &Budget,
) -> Result<bool, CertificateError> {
    let n = problem.n();
    let why = format!("z has {} entries, but the problem has {n} rows", z.len());
    ensure(z.len() == n, why)?;
    match etalon_kernel::check_solution(&Own::new(problem), z, budget) {
        Err(refusal) if refusal.is_over_budget() => Err(refusal.into()),
        checked => Ok(checked.is_ok()),
    }
}

/// Whether w_i must have another sign where z_i is at its lower bound, at its upper one, or not.
fn is_wrong((at_lower, at_upper): (bool, bool), w: Ordering) -> bool {
    w.is_lt() && !at_upper || w.is_gt() && !at_lower
}

/// The distance of z from an exact solution: max_j |z_j - y_j| / a_j, a_j the natural size of
/// unknown j at the solution y. An unknown that nothing measures counts as wrong altogether
/// (distance 1) unless it is equal.
///
/// # Errors
/// Numbers over the budget.
pub fn distance(
    problem: &Problem,
    z: &[Rational],
    solution: &[Rational],
    tol: &Rational,
) -> Result<Rational, OverBudget> {
    let (bounds, budget) = (Bounds::new(problem), Budget::default());
    let at = Place::new(problem, &bounds, tol, &budget);
    let reading = at.reading(solution.to_vec())?;
    let sizes = at.sizes(&reading)?;
    let mut furthest = Rational::new();
    for (j, (z, y)) in z.iter().zip(solution).enumerate() {
        grow(&mut furthest, at.cost(&sizes, j, z, y)?);
    }
    Ok(furthest)
}

/// A candidate with its entries moved in some way, within its bounds.
struct Reading<'b> {
    x: Vec<Rational>,
    rows: Rows,
    /// The backward error, with plain sizes.
    plain: Worst,
    _held: Held<'b>,
}

/// What a reading comes to in natural sizes.
#[derive(Default)]
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

/// Where readings are judged.
#[derive(Clone, Copy)]
struct Place<'a> {
    problem: &'a Problem,
    bounds: &'a Bounds,
    tol: &'a Rational,
    budget: &'a Budget,
}

impl<'a> Place<'a> {
    fn new(
        problem: &'a Problem,
        bounds: &'a Bounds,
        tol: &'a Rational,
        budget: &'a Budget,
    ) -> Self {
        Self {
            problem,
            bounds,
            tol,
            budget,
        }
    }

    /// The candidate moved into its bounds, and its natural residual as it stands.
    fn candidate(self, z: &[Rational]) -> Result<(Reading<'a>, Rational), OverBudget> {
        let own = self.reading(z.to_vec())?;
        let mut residual = Rational::new();
        for (i, (z_i, w)) in z.iter().zip(&own.rows.w).enumerate() {
            self.budget
                .reduce(2, fraction_bits(z_i), fraction_bits(w))?;
            let own = natural_residual(z_i, w, self.bounds.of(i, z));
            grow(&mut residual, own);
        }
        let inside = self.bounds.project(z);
        let reading = if inside == z {
            own
        } else {
            self.reading(inside)?
        };
        Ok((reading, residual))
    }

    fn reading(self, x: Vec<Rational>) -> Result<Reading<'a>, OverBudget> {
        let n = x.len();
        let mut held = self
            .budget
            .hold(3 * n as u64, x.iter().map(fraction_bits).sum())?;
        let mut rows = Rows::default();
        let mut plain = Worst::default();
        let vector = ExactVector::new(&x, self.budget)?;
        for i in 0..n {
            let row = IntegerRow::new(self.problem.m().row(i), &self.problem.q()[i], self.budget)?;
            let (w, s) = vector.sums(&row, self.budget)?.reduced(self.budget)?;
            held.more(0, fraction_bits(&w) + fraction_bits(&s))?;
            self.take(&mut plain, i, (&w, &s), &x, &x)?;
            rows.w.push(w);
            rows.s.push(s);
        }
        drop(vector);
        Ok(Reading {
            x,
            rows,
            plain,
            _held: held,
        })
    }

    fn sizes(self, reading: &Reading<'_>) -> Result<Sizes<'a>, OverBudget> {
        let Reading { x, rows, .. } = reading;
        Sizes::new(self.problem, self.bounds, x, rows, self.tol, self.budget)
    }

    /// What it costs to go from x_j to another value, in natural sizes; 1 where there is a way to
    /// go and nothing measures it.
    fn cost(
        self,
        sizes: &Sizes<'_>,
        j: usize,
        from: &Rational,
        to: &Rational,
    ) -> Result<Rational, OverBudget> {
        if from == to {
            return Ok(Rational::new());
        }
        let size = sizes.of(self.bounds, j);
        if size.is_zero() {
            return Ok(Rational::from(1));
        }
        let long = fraction_bits(from).max(fraction_bits(to));
        self.budget.reduce(2, long, fraction_bits(&size))?;
        Ok(Rational::from(from - to).abs() / size)
    }

    /// A reading in natural sizes; `z` is what the solver answered.
    fn judge(
        self,
        reading: &Reading<'_>,
        sizes: &Sizes<'_>,
        z: &[Rational],
    ) -> Result<Judged, OverBudget> {
        let x = &reading.x;
        let mut judged = Judged::default();
        // Squares over the diagonal, because a square root of it need not be rational.
        let mut largest = Rational::new();
        let mut violation = Rational::new();
        // They are for a grade alone, which is not worth the verdict.
        let squares = Budget::new(SQUARES.0, SQUARES.1);
        let mut affordable = true;
        for (i, sigma) in sizes.rows.iter().enumerate() {
            let w = &reading.rows.w[i];
            let wrong = self.take(&mut judged.rows, i, (w, sigma), x, &sizes.carried)?;
            let cost = self.cost(sizes, i, &z[i], &x[i])?;
            if z[i] != x[i] {
                judged.moves.entries += 1;
            }
            if cost > judged.furthest {
                judged.furthest = cost;
                judged.furthest_row = Some(i);
            }
            let diagonal = self.problem.m().get(i, i);
            let diagonal = diagonal.map(Number::to_rational).unwrap_or_default();
            let long = [w, sigma, &z[i], &x[i]].map(fraction_bits);
            let long = 2 * long.into_iter().fold(0, u64::max);
            let pay = || squares.reduce(6, long, long.max(fraction_bits(&diagonal)));
            affordable = affordable && (diagonal <= 0 || pay().is_ok());
            if diagonal <= 0 || !affordable {
                continue;
            }
            grow(&mut largest, sigma.clone().square() / &diagonal);
            if wrong {
                grow(&mut violation, w.clone().square() / &diagonal);
            }
            let gap = Rational::from(&z[i] - &x[i]);
            grow(&mut violation, gap.square() * &diagonal);
        }
        judged.moves.furthest.clone_from(&judged.furthest);
        // Without a positive diagonal entry nothing compares two rows: the error is its own share.
        judged.share_of_largest = match (affordable, largest.is_zero()) {
            (false, _) => Rational::new(),
            (true, true) => judged.error().clone().square(),
            (true, false) => violation / largest,
        };
        Ok(judged)
    }

    /// The point with every entry moved onto its bound whose row is wrong where it stands, would be
    /// right there, and is nearer to that than to being right here; with `limit`, only
    /// those whose move costs no more. `None` where nothing moves.
    fn moved(
        self,
        reading: &Reading<'_>,
        sizes: &Sizes<'_>,
        limit: Option<&Rational>,
    ) -> Result<Option<Vec<Rational>>, OverBudget> {
        let mut x = reading.x.clone();
        let mut any = false;
        for i in self.bounds.order() {
            let (w, s) = (&reading.rows.w[i], &reading.rows.s[i]);
            let (lower, upper) = self.bounds.of(i, &x);
            let bound = if *w > 0 { lower } else { upper };
            let wrong = Rational::from(w.abs_ref()) > Rational::from(self.tol * s);
            if let Some(bound) = bound.filter(|bound| wrong && *bound != x[i]) {
                let cost = self.cost(sizes, i, &x[i], &bound)?;
                self.budget
                    .reduce(1, fraction_bits(&cost), fraction_bits(s))?;
                let cheap = Rational::from(&cost * s) < Rational::from(w.abs_ref());
                if cheap && limit.is_none_or(|limit| cost <= *limit) {
                    x[i] = bound;
                    any = true;
                }
            }
            // A friction row whose normal row moved may be outside. What it costs to move it along
            // counts in the error of the reading.
            self.bounds.project_row(i, &mut x);
        }
        Ok(any.then_some(x))
    }

    /// Takes row i with w and the size by which it is measured; `reach` are the sizes of the
    /// unknowns that bound friction rows. Returns whether the row is wrong.
    fn take(
        self,
        worst: &mut Worst,
        row: usize,
        (w, size): (&Rational, &Rational),
        x: &[Rational],
        reach: &[Rational],
    ) -> Result<bool, OverBudget> {
        let at = self.bounds.at(row, x);
        if !is_wrong(at, w.cmp0()) {
            return Ok(false);
        }
        self.budget
            .reduce(1, fraction_bits(w), fraction_bits(size))?;
        // w is not 0, so neither is the size, which is at least |w|.
        let mut error = Rational::from(w.abs_ref()) / size;
        // Off its bounds a friction row may be brought to w = 0, or the bound to z by another mu.
        if let Some(change) = change_of_mu(self.bounds, row, x, reach, *w < 0)
            && change < error
        {
            error = change;
        }
        if error > worst.error {
            worst.error = error;
            let w = w.clone();
            worst.at = Some(RowError { row, w, at });
        }
        Ok(true)
    }

    /// Every reading is an upper bound of the error, so the least of them counts: the candidate as it stands,
    /// and with entries moved onto bounds, few of them (within `snap`) or all that may.
    fn least(
        &self,
        z: &[Rational],
        plain: Reading<'_>,
        (mut best, sizes): (Judged, Sizes<'_>),
        mut measures: Measures,
        snap: &Rational,
    ) -> Result<Evaluation, CertificateError> {
        let mut at_best = None;
        let all = self.moved(&plain, &sizes, None)?;
        let few = self.moved(&plain, &sizes, Some(snap))?;
        drop(sizes);
        let same = all == few;
        let mut right_as_it_stands = None;
        for (x, snaps) in [(few, true), (all.filter(|_| !same), false)] {
            let Some(x) = x else { continue };
            let reading = self.reading(x)?;
            let other = self.judge(&reading, &self.sizes(&reading)?, z)?;
            // Friction rows that go along with their normal rows may have far to go.
            let near = other.furthest <= *self.tol.max(snap);
            if snaps && near && reading.plain.error < measures.backward_error {
                measures.backward_error.clone_from(&reading.plain.error);
                measures.snapped = other.moves.clone();
                if reading.plain.error <= *self.tol && *other.error() <= *self.tol {
                    right_as_it_stands = Some(reading.x.clone());
                }
            }
            if other.error() < best.error() {
                measures.moved.clone_from(&other.moves);
                best = other;
                at_best = Some(reading);
            }
        }
        let reading = at_best.unwrap_or(plain);
        let is_plain = reading.plain.error <= *self.tol || right_as_it_stands.is_some();
        measures.error.clone_from(best.error());
        measures.worst_row = best.row();
        Ok(Evaluation {
            exact: false,
            measures,
            worst: best.rows.at,
            share_of_largest: Some(best.share_of_largest),
            is_plain,
            // Rows that are right in plain sizes need no excuse, though others have a smaller error.
            reading: right_as_it_stands.or(Some(reading.x)),
        })
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
    let wanted = Rational::from(&x[i] * if upper { 1 } else { -1 });
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

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::{Matrix, Number};

    #[test]
    fn a_reading_holds_its_point_and_its_rows() {
        let problem = Problem::new(
            "p",
            Matrix::from_rows(vec![vec![Number::from(3), Number::from(5)]; 2]).unwrap(),
            vec![Number::from(1), Number::from(-2)],
        );
        let problem = problem.unwrap();
        let (bounds, budget, tol) = (Bounds::new(&problem), Budget::default(), Rational::new());
        let at = Place::new(&problem, &bounds, &tol, &budget);
        let before = budget.left().0;
        let x = vec![Rational::from((1, 7)), Rational::from(2)];
        let reading = at.reading(x).unwrap();
        // Three numbers for each row: x of 1 + 3 and 2 + 1 bits, w = s = 80/7 in row 0, and in row 1
        // w = 59/7 and s = 87/7.
        let taken = 6 * 512 + (4 + 3) + 2 * (7 + 3) + (6 + 3) + (7 + 3);
        assert_eq!(before - budget.left().0, taken);
        drop(reading);
        assert_eq!(budget.left().0, before);
    }

    /// Half of what z says is missing, in numbers of so many bits.
    fn judged_half_wrong(bits: u32) -> (Judged, u64) {
        let long = Rational::from(1) << bits;
        let m = Matrix::from_rows(vec![vec![Number::from(1)]]).unwrap();
        let q = vec![Number::from(Rational::from(-2 * &long))];
        let problem = Problem::new("p", m, q).unwrap();
        let (bounds, budget, tol) = (Bounds::new(&problem), Budget::default(), Rational::new());
        let at = Place::new(&problem, &bounds, &tol, &budget);
        let z = [long];
        let reading = at.reading(z.to_vec()).unwrap();
        let before = budget.left().1;
        let sizes = at.sizes(&reading).unwrap();
        (
            at.judge(&reading, &sizes, &z).unwrap(),
            before - budget.left().1,
        )
    }

    #[test]
    fn squares_for_a_grade_take_nothing_from_the_check() {
        // Six operations on fractions of 2,000 words each would be 6 * 8 * 2,000 * 2,000.
        let (judged, spent) = judged_half_wrong(63_999);
        assert!(judged.share_of_largest > 0 && spent < 1 << 26, "{spent}");
        // Of 2^15 words they would take 2^32 and more.
        let (judged, _) = judged_half_wrong(1 << 20);
        assert_eq!(judged.share_of_largest, 0);
        assert_eq!(*judged.error(), Rational::from((1, 5)));
    }
}
