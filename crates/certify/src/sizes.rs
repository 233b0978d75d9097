//! Natural sizes: in what unit a row, and an unknown, is measured.
//!
//! An LCP has no units of its own: w -> E w, z -> z / D with positive diagonal D, E makes another
//! LCP of it, and a right answer a right answer. So each row and each unknown is measured by a
//! size that comes from the problem and the candidate and scales as they do. The definitions,
//! the theorems and the reasons are in `docs/measure.md`; in short, at a point x within bounds:
//!
//! * s_i = |q_i| + sum_j |M_ij| |x_j| is the plain size of row i.
//! * Row i is *tight* where x_i is at a bound and w_i has the right sign by more than tol s_i: then
//!   changes of the data by tol leave x_i there. All other rows are *loose*: they hold as equations,
//!   or are wrong.
//! * Elimination on the loose rows leaves in one the rounding of the others. zeta_j, the carried
//!   size of a loose unknown, is the most that it can leave there: Cramer's rule for the loose
//!   block with the largest product of a transversal for the determinant ([`Transversal`]).
//! * sigma_i = |q_i| + sum_j |M_ij| zeta_j, zeta_j = |x_j| for all other unknowns, or mu zeta_n for a
//!   friction row at its bound where that is more, is the natural
//!   size of row i.
//! * The natural size of a loose unknown is zeta_j. Whom that does not measure is measured by the
//!   first row that notices it, min sigma_i / |M_ij| over the rows that hold anything; bounds that
//!   are not 0 measure as well ([`Sizes::of`]). Whom only rows see that hold nothing is measured by
//!   the other unknowns in them (`hand_on`).

use std::collections::BTreeMap;

use etalon_lcp::Problem;
use rug::Rational;

use crate::bounds::Bounds;
use crate::budget::{Budget, Held, OverBudget, bits, fraction_bits};
use crate::integers::{ExactVector, IntegerRow, Sums};
use crate::transversal::{Block, Near, Work};

/// w = Mx + q and s = |M||x| + |q| at a point.
#[derive(Debug, Default)]
pub struct Rows {
    /// w, by row.
    pub w: Vec<Rational>,
    /// s, by row.
    pub s: Vec<Rational>,
}

/// What the natural sizes of all rows may take, bits and products of words, beside what the check takes:
/// where they are too long the check goes on without them.
const SIZES: (u64, u64) = (1 << 28, 1 << 30);

/// The natural sizes of all rows and unknowns at one point.
pub(crate) struct Sizes<'b> {
    /// sigma, by row.
    pub rows: Vec<Rational>,
    /// The natural size of each unknown; 0 where nothing measures it.
    pub unknowns: Vec<Rational>,
    /// zeta, by unknown.
    pub carried: Vec<Rational>,
    _held: Held<'b>,
}

impl<'b> Sizes<'b> {
    /// The sizes at `x`, which lies within its bounds and has these rows; where there are friction cones the sizes of
    /// rows are those of blocks.
    pub fn new(
        problem: &Problem,
        bounds: &Bounds,
        x: &[Rational],
        rows: &Rows,
        tol: &Rational,
        budget: &'b Budget,
    ) -> Result<Self, OverBudget> {
        let n = problem.n();
        let mut work = Work::new(problem);
        let (carried, waits) = carried(problem, bounds, x, rows, tol, &mut work);
        let mut held = budget.hold(5 * n as u64, carried.iter().map(fraction_bits).sum())?;
        let mut unknowns = carried.clone();
        let (sigma, noticed) =
            row_sizes(problem, rows, &carried, &waits, &work, budget, &mut held)?;
        for (size, noticed) in unknowns.iter_mut().zip(noticed) {
            *size = noticed.unwrap_or_default().1.max(std::mem::take(size));
        }
        hand_on(problem, &sigma, &mut unknowns, &mut work);
        held.more(0, unknowns.iter().map(fraction_bits).sum())?;
        Ok(Self {
            unknowns,
            rows: sigma,
            carried,
            _held: held,
        })
    }

    /// The natural size of unknown j. Its bounds measure it as well: it is no more than the larger of
    /// those that are not 0, and in a friction row no more than mu times the size of the normal
    /// row; where nothing else measures a friction row it is just that.
    pub fn of(&self, bounds: &Bounds, j: usize) -> Rational {
        let own = self.unknowns[j].clone();
        let Some(cone) = bounds.cone(j) else {
            return match bounds.largest(j) {
                Some(largest) if largest < own => largest,
                _ => own,
            };
        };
        let reach = Rational::from(&cone.mu * &self.unknowns[cone.normal]);
        match (own.is_zero(), reach.is_zero()) {
            (false, false) => own.min(reach),
            (true, _) => reach,
            (_, true) => own,
        }
    }
}

/// zeta, by unknown, and which unknowns no transversal measures: the first row that notices them does.
fn carried(
    problem: &Problem,
    bounds: &Bounds,
    x: &[Rational],
    rows: &Rows,
    tol: &Rational,
    work: &mut Work,
) -> (Vec<Rational>, Vec<bool>) {
    let tight = (0..problem.n()).map(|i| is_tight(bounds.at(i, x), &rows.w[i], &rows.s[i], tol));
    let mut loose: Vec<bool> = tight.map(|tight| !tight).collect();
    for cone in problem.cones() {
        let (n, zero) = (cone.normal, x[cone.normal].is_zero());
        // An open contact holds whatever changes of the data by tol do to its velocity.
        if is_tight((zero, false), &rows.w[n], &rows.s[n], tol) {
            cone.rows().for_each(|i| loose[i] = false);
        }
    }
    let mut block = Block::new(problem, loose.clone());
    for cone in bounds.cones().iter().filter(|cone| !loose[cone.row]) {
        let mu = Rational::from(&cone.mu * &slides(bounds.at(cone.row, x), &rows.w[cone.row]));
        block.slide(cone.row, cone.normal, mu);
    }
    let found = block.carried(&rows.s, work);
    let measured = |size: &Option<Rational>| size.as_ref().is_some_and(|size| !size.is_zero());
    let waits: Vec<bool> = found.iter().map(|size| !measured(size)).collect();
    let own = |(size, x): (Option<_>, &Rational)| size.unwrap_or_else(|| x.clone().abs());
    let mut carried: Vec<Rational> = found.into_iter().zip(x).map(own).collect();
    // A friction row at its bound goes with its normal row.
    for cone in bounds.cones().iter().filter(|cone| !loose[cone.row]) {
        let reach = Rational::from(&cone.mu * &carried[cone.normal]);
        carried[cone.row] = reach.max(std::mem::take(&mut carried[cone.row]));
    }
    (carried, waits)
}

/// The value at which the first row notices an unknown, and nearly that.
type Noticed = Option<(Near, Rational)>;

/// sigma, by row, and for each unknown that waits the value at which the first row notices it.
/// Where its natural size takes too much, a row keeps the plain one and is
/// measured more strictly.
fn row_sizes(
    problem: &Problem,
    rows: &Rows,
    carried: &[Rational],
    waits: &[bool],
    work: &Work,
    budget: &Budget,
    held: &mut Held<'_>,
) -> Result<(Vec<Rational>, Vec<Noticed>), OverBudget> {
    let n = problem.n();
    let mut sigma = Vec::with_capacity(n);
    let mut noticed: Vec<Noticed> = vec![None; n];
    let own = Budget::new(SIZES.0, SIZES.1);
    let common = common_budget(problem, carried);
    let vector = ExactVector::new(carried, &common).ok();
    let cones = !problem.is_lcp();
    for i in 0..n {
        let bits = 4 * work.bits().max(fraction_bits(&rows.s[i]));
        let at_once = |carried| natural_at_once(problem, i, carried, &common).ok();
        let size = match vector.as_ref().and_then(at_once) {
            Some(size) => (fraction_bits(&size) <= bits).then_some(size),
            None => natural(problem, i, carried, bits, &own),
        };
        // Those of blocks may be larger, and a scale is in them.
        let plain = || rows.s[i].clone();
        let size = size.map_or_else(plain, |size| match cones {
            true => size.max(plain()),
            false => size,
        });
        let near_size = Near::of(&size);
        // A row that holds nothing measures nothing.
        let entries = problem.m().row(i).filter(|_| !size.is_zero());
        for (j, value) in entries.filter(|(j, _)| waits[*j]) {
            let value = value.to_rational();
            let near = near_size.over(Near::of(&value));
            let least = noticed[j].as_ref();
            if least.is_some_and(|least| near.surely_exceeds(least.0)) {
                continue;
            }
            budget.reduce(2, fraction_bits(&size), fraction_bits(&value))?;
            let share = &size / value.abs();
            if least.is_none_or(|least| share < least.1) {
                noticed[j] = Some((near, share));
            }
        }
        held.more(0, fraction_bits(&size))?;
        sigma.push(size);
    }
    Ok((sigma, noticed))
}

/// For sums over one denominator: sizes along one path share most of theirs. It may be as long as that of a row of
/// average length with unrelated sizes; over a longer one a short row would take more than it does by itself.
fn common_budget(problem: &Problem, carried: &[Rational]) -> Budget {
    let longest = carried.iter().map(fraction_bits).max().unwrap_or(0);
    let bits = 4 * problem.m().stored() as u64 * longest.max(512);
    Budget::new(bits.min(SIZES.0), SIZES.1)
}

/// |q_i| + sum_j |M_ij| carried_j, over the common denominator of all carried sizes.
fn natural_at_once(
    problem: &Problem,
    i: usize,
    carried: &ExactVector<'_, [Rational]>,
    budget: &Budget,
) -> Result<Rational, OverBudget> {
    let row = IntegerRow::new(problem.m().row(i), &problem.q()[i], budget)?;
    let Sums { s, denominator, .. } = carried.sums(&row, budget)?;
    budget.reduce(1, bits(&s), bits(&denominator))?;
    Ok(Rational::from((s, denominator)))
}

/// |q_i| + sum_j |M_ij| carried_j, where that takes no more than so many bits, and not too much work.
fn natural(
    problem: &Problem,
    i: usize,
    carried: &[Rational],
    bits: u64,
    budget: &Budget,
) -> Option<Rational> {
    let mut size = problem.q()[i].to_rational().abs();
    for (j, value) in problem.m().row(i) {
        let value = value.to_rational().abs();
        let (a, b) = (fraction_bits(&value), fraction_bits(&carried[j]));
        budget.reduce(1, a, b).ok()?;
        budget.reduce(1, fraction_bits(&size), a + b).ok()?;
        size += value * &carried[j];
        if fraction_bits(&size) > bits {
            return None;
        }
    }
    Some(size)
}

/// Measures the unknowns that only rows see which hold nothing. Such a row ties its unknowns to each
/// other: what rounding leaves in one of them it takes into the others. So it is as large as the
/// largest |M_ik| a_k of its measured unknowns, and the first such row measures an unknown, round
/// by round. Stops where the work is used up.
fn hand_on(problem: &Problem, sigma: &[Rational], unknowns: &mut [Rational], work: &mut Work) {
    let mut waits: Vec<bool> = sigma.iter().map(Rational::is_zero).collect();
    let mut rows_with: Vec<Vec<usize>> = vec![Vec::new(); sigma.len()];
    for i in (0..sigma.len()).filter(|&i| waits[i]) {
        for (k, _) in problem.m().row(i) {
            rows_with[k].push(i);
        }
    }
    let mut measured: Vec<bool> = unknowns.iter().map(|size| !size.is_zero()).collect();
    let mut fresh: Vec<usize> = (0..sigma.len()).filter(|&k| measured[k]).collect();
    while !fresh.is_empty() {
        let mut first: BTreeMap<usize, Rational> = BTreeMap::new();
        for i in fresh.iter().flat_map(|&k| &rows_with[k]).copied() {
            if !std::mem::take(&mut waits[i]) {
                continue;
            }
            let known = problem.m().row(i).filter(|(k, _)| measured[*k]);
            let products = known.map(|(k, value)| work.product(value.to_rational(), &unknowns[k]));
            let Some(products) = products.collect::<Option<Vec<_>>>() else {
                return;
            };
            let size = products.into_iter().max().unwrap_or_default();
            for (j, value) in problem.m().row(i).filter(|(j, _)| !measured[*j]) {
                let share = &size / value.to_rational().abs();
                if first.get(&j).is_none_or(|first| share < *first) {
                    first.insert(j, share);
                }
            }
        }
        fresh = first.keys().copied().collect();
        for (j, size) in first {
            (unknowns[j], measured[j]) = (size, true);
        }
    }
}

/// The sign with which a friction row at its bounds goes along with its normal row: 1 at the upper one,
/// -1 at the lower one. Where both meet it is the one that w calls for, 0 where w is 0.
fn slides(at: (bool, bool), w: &Rational) -> Rational {
    match at {
        (true, true) => -w.clone().signum(),
        (_, at_upper) => Rational::from(if at_upper { 1 } else { -1 }),
    }
}

/// Whether a row holds at its bound whatever changes of the data by tol do to w.
pub(crate) fn is_tight(at: (bool, bool), w: &Rational, s: &Rational, tol: &Rational) -> bool {
    let band = Rational::from(tol * s);
    match at {
        (true, true) => true,
        (true, false) => *w > band,
        (false, at_upper) => at_upper && *w < -band,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::{Friction, Matrix, Number};

    #[test]
    fn friction_slides_towards_its_bound_and_where_both_meet_as_w_says() {
        for (at, w, sign) in [
            ((false, true), -1, 1),
            ((true, false), 1, -1),
            ((true, true), -1, 1),
            ((true, true), 1, -1),
            ((true, true), 0, 0),
        ] {
            assert_eq!(slides(at, &Rational::from(w)), sign, "{at:?} {w}");
        }
    }

    /// z_0 and z_3 are loose, z_1 is friction at its upper bound z_0 / 2 and goes along with z_0, and row 2 sees both.
    #[test]
    fn sizes_are_carried_through_friction_that_slides() {
        let rows = [[1, 0, 0, -1], [0, 1, 0, 0], [1, 50, 1, 0], [0, 0, 0, 1]];
        let row = |row: &[i32; 4]| row.iter().map(|v| Number::from(i64::from(*v))).collect();
        let m = Matrix::from_rows(rows.iter().map(row).collect()).unwrap();
        let q = [98, -10, -53, -100].map(Number::from).to_vec();
        let mu = Number::from(Rational::from((1, 2)));
        let friction = Friction {
            row: 1,
            normal: 0,
            mu,
        };
        let problem = Problem::new("p", m, q)
            .unwrap()
            .with_friction(vec![friction])
            .unwrap();
        let x = [2, 1, 1, 100].map(Rational::from);
        let rows = Rows {
            w: [0, -9, 0, 0].map(Rational::from).to_vec(),
            s: [200, 11, 106, 200].map(Rational::from).to_vec(),
        };
        let (bounds, budget, tol) = (Bounds::new(&problem), Budget::default(), Rational::new());
        let sizes = Sizes::new(&problem, &bounds, &x, &rows, &tol, &budget).unwrap();
        // zeta_0 = s_0 = 200 and zeta_1 = mu zeta_0. Into z_2 they carry 200 (1 + 50 / 2), and row 2 is
        // 53 + 200 + 50 * 100 + 5200.
        assert_eq!(sizes.carried, [200, 100, 5200, 200]);
        assert_eq!(sizes.rows[2], 10_453);
    }
}
