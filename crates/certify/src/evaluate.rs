//! How far a candidate is from exact: linear in the nonzeros, and exact throughout.
//!
//! The componentwise backward error is the smallest eps for which z exactly solves a problem
//! with |dM| <= eps |M|, |dq| <= eps |q| and, on friction rows, |dmu| <= eps mu. The rows are
//! perturbed independently, and row i can move w_i to any value within eps s_i,
//! s_i = (|M||z| + |q|)_i, and to no other, and a friction row its bounds by eps times them. So
//! each row sets a bound of its own and the largest is the answer; the proof is in
//! `docs/backward-error.md`.

use std::cmp::Ordering;

use etalon_lcp::{Friction, Measures, Number, Problem, Row, Snapped};
use rug::Rational;

use crate::budget::{Budget, fraction_bits};
use crate::integers::{ExactVector, IntegerRow};
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

/// What an evaluation finds.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The measures of the contract.
    pub measures: Measures,
    /// The row that sets the backward error, where it is not 0.
    pub worst: Option<RowError>,
    /// Whether z as given, nothing moved, solves the problem exactly.
    pub exact: bool,
}

/// Evaluates a candidate z of length n. Entries within `snap` times max|z| of a bound count as
/// on it where that lowers the backward error; `snap` = 0 switches this off.
///
/// # Errors
/// Another length than the problem has rows, or numbers over the budget.
pub fn evaluate(
    problem: &Problem,
    z: &[Rational],
    snap: &Rational,
) -> Result<Evaluation, CertificateError> {
    let budget = Budget::default();
    if solves_within(problem, z, &budget)? {
        return Ok(Evaluation {
            measures: Measures::default(),
            worst: None,
            exact: true,
        });
    }
    let n = problem.n();
    let bounds = Bounds::new(problem);
    let projected = bounds.project(z);
    let (negativity, negative_row) = negativity(z, &projected);
    let (snapped, moves) = bounds.snap(&projected, snap);

    let vector = |z| ExactVector::new(z, &budget);
    let candidate = vector(z)?;
    let moved = negative_row.map(|_| vector(&projected)).transpose()?;
    let snapped_vector = (moves.entries > 0).then(|| vector(&snapped)).transpose()?;

    let mut residual = Rational::new();
    let mut plain = Worst::default();
    let mut with_snap = Worst::default();
    for i in 0..n {
        let row = IntegerRow::new(problem.m().row(i), &problem.q()[i], &budget)?;
        let sums = candidate.sums(&row, &budget)?.reduced(&budget)?;
        let (lower, upper) = bounds.of(i, z);
        let distance = natural_residual(&z[i], &sums.0, lower, upper);
        if distance > residual {
            residual = distance;
        }
        let sums_of = |vector: &ExactVector<'_>| vector.sums(&row, &budget)?.reduced(&budget);
        let own = moved.as_ref().map(sums_of).transpose()?;
        plain.take(i, own.unwrap_or(sums), &bounds, &projected);
        if let Some(vector) = &snapped_vector {
            with_snap.take(i, sums_of(vector)?, &bounds, &snapped);
        }
    }
    let use_snapped = snapped_vector.is_some() && with_snap.error < plain.error;
    let (worst, snapped) = if use_snapped {
        (with_snap, moves)
    } else {
        (plain, Snapped::default())
    };
    let measures = Measures {
        backward_error: worst.error,
        worst_row: worst.at.as_ref().map(|at| at.row),
        negativity,
        negative_row,
        residual,
        snapped,
    };
    Ok(Evaluation {
        measures,
        worst: worst.at,
        exact: false,
    })
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
    let (bounds, vector) = (Bounds::new(problem), ExactVector::new(z, budget)?);
    // The bounds of friction rows, of which an evaluation holds four copies.
    let mut held = budget.hold(0, 0)?;
    for (_, normal, mu) in &bounds.friction {
        let (a, b) = (fraction_bits(mu), fraction_bits(&z[*normal]));
        budget.reduce(2, a, b)?;
        held.more(8, 4 * (a + b))?;
    }
    if bounds.project(z) != z {
        return Ok(false);
    }
    for i in 0..n {
        let row = IntegerRow::new(problem.m().row(i), &problem.q()[i], budget)?;
        let w = vector.sums(&row, budget)?.w;
        if is_wrong(bounds.at(i, z), w.cmp0()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether w_i must have another sign where z_i is at its lower bound, at its upper one, or not.
fn is_wrong((at_lower, at_upper): (bool, bool), w: Ordering) -> bool {
    w.is_lt() && !at_upper || w.is_gt() && !at_lower
}

/// The largest row error so far.
#[derive(Default)]
struct Worst {
    error: Rational,
    at: Option<RowError>,
}

impl Worst {
    fn take(&mut self, row: usize, (w, s): (Rational, Rational), bounds: &Bounds, z: &[Rational]) {
        let at = bounds.at(row, z);
        if !is_wrong(at, w.cmp0()) {
            return;
        }
        // w is not 0, so neither is s >= |w|.
        let mut error = Rational::from(w.abs_ref()) / s;
        // Off its bounds a friction row may be brought to w = 0, or the bound to z by another mu.
        if let Some(change) = bounds.change_of_mu(row, z, w < 0)
            && change < error
        {
            error = change;
        }
        if error > self.error {
            self.error = error;
            self.at = Some(RowError { row, w, at });
        }
    }
}

/// |z - mid(l, z - w, u)|: 0 exactly where the row's conditions hold.
fn natural_residual(
    z: &Rational,
    w: &Rational,
    lower: Option<Rational>,
    upper: Option<Rational>,
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

fn negativity(z: &[Rational], projected: &[Rational]) -> (Rational, Option<usize>) {
    let mut worst = (Rational::new(), None);
    for (i, (value, inside)) in z.iter().zip(projected).enumerate() {
        if value != inside {
            let outside = Rational::from(value - inside).abs();
            if outside > worst.0 {
                worst = (outside, Some(i));
            }
        }
    }
    let size = largest(z);
    match worst {
        (outside, Some(row)) if size.is_zero() => {
            debug_assert!(outside > 0);
            // z = 0 misses a bound that is not 0: as wrong as can be.
            (Rational::from(1), Some(row))
        }
        (outside, row @ Some(_)) => (outside / size, row),
        none => none,
    }
}

fn largest(z: &[Rational]) -> Rational {
    let mut largest = Rational::new();
    for value in z {
        if value.cmp_abs(&largest).is_gt() {
            largest = Rational::from(value.abs_ref());
        }
    }
    largest
}

/// The bounds of all rows, exact.
struct Bounds {
    fixed: Vec<(Option<Rational>, Option<Rational>)>,
    friction: Vec<(usize, usize, Rational)>,
    /// The position in `friction` of a friction row.
    friction_of: Vec<Option<usize>>,
}

impl Bounds {
    fn new(problem: &Problem) -> Self {
        let exact = |number: &Number| Some(number.to_rational());
        let fixed = problem.rows().into_iter().map(|row| match row {
            Row::Nonnegative => (Some(Rational::new()), None),
            Row::AtLeast(lower) => (exact(lower), None),
            Row::AtMost(upper) => (None, exact(upper)),
            Row::Between(lower, upper) => (exact(lower), exact(upper)),
            Row::Free | Row::Friction { .. } => (None, None),
        });
        let mut friction_of = vec![None; problem.n()];
        let friction = problem.friction().iter().enumerate();
        let friction = friction.map(|(k, Friction { row, normal, mu })| {
            friction_of[*row] = Some(k);
            (*row, *normal, mu.to_rational())
        });
        let friction = friction.collect();
        Self {
            fixed: fixed.collect(),
            friction,
            friction_of,
        }
    }

    /// The bounds of row i; those of a friction row depend on z.
    fn of(&self, i: usize, z: &[Rational]) -> (Option<Rational>, Option<Rational>) {
        match self.friction_of[i] {
            None => self.fixed[i].clone(),
            Some(k) => {
                let (_, normal, mu) = &self.friction[k];
                let limit = Rational::from(mu * &z[*normal]);
                (Some(Rational::from(-&limit)), Some(limit))
            }
        }
    }

    /// Whether z_i is at its lower and at its upper bound.
    fn at(&self, i: usize, z: &[Rational]) -> (bool, bool) {
        if self.friction_of[i].is_none() {
            let (lower, upper) = &self.fixed[i];
            return (lower.as_ref() == Some(&z[i]), upper.as_ref() == Some(&z[i]));
        }
        let (lower, upper) = self.of(i, z);
        (lower.as_ref() == Some(&z[i]), upper.as_ref() == Some(&z[i]))
    }

    /// By which part of itself mu would have to change for z_i to be at that bound of its friction
    /// row; none for other rows, and where no change of mu does it.
    fn change_of_mu(&self, i: usize, z: &[Rational], upper: bool) -> Option<Rational> {
        let (_, normal, mu) = &self.friction[self.friction_of[i]?];
        let limit = Rational::from(mu * &z[*normal]);
        let wanted = if upper {
            z[i].clone()
        } else {
            Rational::from(-&z[i])
        };
        (limit > 0 && wanted >= 0).then(|| Rational::from(&wanted - &limit).abs() / limit)
    }

    /// The rows in an order in which a friction row comes after its normal row.
    fn order(&self) -> impl Iterator<Item = usize> {
        let plain = (0..self.fixed.len()).filter(|&i| self.friction_of[i].is_none());
        plain.chain(self.friction.iter().map(|(row, ..)| *row))
    }

    /// z with every entry moved onto its nearest bound where it lies outside.
    fn project(&self, z: &[Rational]) -> Vec<Rational> {
        let mut projected = z.to_vec();
        for i in self.order() {
            let inside = match self.of(i, &projected) {
                (Some(lower), _) if projected[i] < lower => lower,
                (_, Some(upper)) if projected[i] > upper => upper,
                _ => continue,
            };
            projected[i] = inside;
        }
        projected
    }

    /// z with every entry near a bound moved onto it, friction rows after their normal rows. A
    /// friction row whose bounds have moved away from it by more than that is left outside of
    /// them; then nothing is moved at all.
    fn snap(&self, z: &[Rational], snap: &Rational) -> (Vec<Rational>, Snapped) {
        let reach = largest(z) * snap;
        let mut snapped = z.to_vec();
        let mut moves = Snapped::default();
        if reach.is_zero() {
            return (snapped, moves);
        }
        for i in self.order() {
            let (lower, upper) = self.of(i, &snapped);
            let distance = |bound: &Rational| Rational::from(bound - &snapped[i]).abs();
            let nearest = [lower, upper]
                .into_iter()
                .flatten()
                .map(|bound| (distance(&bound), bound))
                .filter(|(distance, _)| *distance <= reach)
                .min();
            let Some((distance, bound)) = nearest else {
                continue;
            };
            if !distance.is_zero() {
                moves.entries += 1;
                if distance > moves.furthest {
                    moves.furthest = distance;
                }
                snapped[i] = bound;
            }
        }
        if self.project(&snapped) != snapped {
            return (z.to_vec(), Snapped::default());
        }
        (snapped, moves)
    }
}
