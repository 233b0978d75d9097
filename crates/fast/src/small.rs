//! Problems of at most 37 rows: a dictionary with rows of fixed size, the whole walk compiled as
//! one loop. At this size calls, copies and checks of length cost more than the arithmetic.
//!
//! The dictionary is that of [`crate::lemke`]: basic = b + T nonbasic, from w = q + M z. Symmetric
//! problems are walked by principal pivots, in the manner of the criss-cross method (den Hertog,
//! Roos and Terlaky 1993): the most negative basic variable changes places with its complement, or
//! where their common entry is 0, by two exchanges with a third that can raise it. All others, and
//! those that do not settle so, are walked by Lemke's method. Whatever comes out is a proposal: its
//! point is refined with the inverse that the dictionary holds, and checked as every other.

use std::cmp::Ordering;

use pulp::Simd;

use crate::place::Place;
use crate::point::{Point, limit};
use crate::problem::LcpRef;
use crate::range::Look;
use crate::simd::{Kernel, dispatch};

/// Columns beside those of z: the covering vector, q, and what breaks ties.
const EXTRA: usize = 3;

/// Entries below this part of the largest of their row or column are noise, not pivots.
const PIVOT_NOISE: f64 = 1e-11;

/// A diagonal entry of which less than this part remains is lost in rounding errors.
const NEARLY_SINGULAR: f64 = 1e-10;

/// More than this part of a diagonal entry left: a pivot as good as any.
const SOUND: f64 = 1e-3;

/// Ratios this close are a tie.
const TIE: f64 = 1e-12;

/// A right-hand side smaller than this part of what it was, or of the largest q, is 0.
const CANCELLED: f64 = 1e-13;

/// Refining steps.
const STEPS: u32 = 3;

/// A dictionary of rows of W numbers.
#[derive(Debug)]
pub(crate) struct Small<const W: usize> {
    rows: Vec<[f64; W]>,
    /// w_i is i, z_i is W + i, z0 is 2 W.
    basic: [usize; W],
    nonbasic: [usize; W],
    /// Position of a variable among the basic or the nonbasic.
    place: Vec<usize>,
    n: usize,
    pivots: u32,
}

impl<const W: usize> Default for Small<W> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            basic: [0; W],
            nonbasic: [0; W],
            place: Vec::new(),
            n: 0,
            pivots: 0,
        }
    }
}

/// What came of a walk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Proposal {
    pub(crate) pivots: u32,
    pub(crate) backward_error: f64,
    pub(crate) by_lemke: bool,
}

impl<const W: usize> Small<W> {
    /// Whether it holds n rows.
    pub(crate) fn holds(n: usize) -> bool {
        n + EXTRA <= W
    }

    /// Solves a pure LCP from the basis `start` (empty: w). `principal`: M is symmetric with no
    /// negative diagonal entry. `None` where another method has to.
    pub(crate) fn solve(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        principal: bool,
        start: &[Place],
        places: &mut [Place],
        point: &mut Point,
    ) -> Option<Proposal> {
        let mut by_lemke = !principal;
        let mut start = start;
        loop {
            let found = dispatch(Walk {
                small: self,
                lcp,
                start,
                by_lemke,
                noise: -CANCELLED * seen.largest_q,
            });
            if found && let Some(backward_error) = self.check(lcp, seen.symmetric, places, point) {
                return Some(Proposal {
                    pivots: self.pivots,
                    backward_error,
                    by_lemke,
                });
            }
            if by_lemke && start.is_empty() {
                return None;
            }
            // Lemke's method anew, from nothing.
            by_lemke = true;
            start = &[];
        }
    }

    /// The point of the basis, refined, and its backward error where that passes.
    fn check(
        &self,
        lcp: LcpRef<'_>,
        symmetric: bool,
        places: &mut [Place],
        point: &mut Point,
    ) -> Option<f64> {
        let n = self.n;
        let each = places[..n].iter_mut().zip(&mut point.z[..n]);
        for (i, (place, z)) in each.enumerate() {
            let r = self.place[W + i];
            let basic = self.basic[r] == W + i && r < n;
            *place = if basic { Place::Between } else { Place::Lower };
            *z = if basic {
                self.rows[r][n + 1].max(0.0)
            } else {
                0.0
            };
        }
        for step in 0..=STEPS {
            point.evaluate(lcp, symmetric);
            let backward_error = point.backward_error(lcp, places);
            if backward_error <= limit(n) {
                return Some(backward_error);
            }
            if step == STEPS {
                break;
            }
            for r in 0..n {
                let variable = self.basic[r];
                if !(W..2 * W).contains(&variable) {
                    continue;
                }
                // z_r moves with the nonbasic w by its row of the inverse.
                let mut change = 0.0;
                for (c, &other) in self.nonbasic[..n].iter().enumerate() {
                    if other < W {
                        change += self.rows[r][c] * point.w[other];
                    }
                }
                let z = &mut point.z[variable - W];
                *z = (*z - change).max(0.0);
            }
        }
        None
    }
}

struct Walk<'a, const W: usize> {
    small: &'a mut Small<W>,
    lcp: LcpRef<'a>,
    start: &'a [Place],
    by_lemke: bool,
    /// A b above this is not negative.
    noise: f64,
}

impl<const W: usize> Kernel for Walk<'_, W> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> bool {
        let Self {
            small,
            lcp,
            start,
            by_lemke,
            noise,
        } = self;
        small.fill(simd, lcp);
        small.advance_to(simd, lcp, start, !by_lemke);
        if by_lemke {
            small.lemke(simd)
        } else {
            small.principal(simd, lcp, noise)
        }
    }
}

#[inline(always)]
fn complement<const W: usize>(variable: usize) -> usize {
    if variable < W {
        variable + W
    } else {
        variable - W
    }
}

/// Ones, and 0 on the diagonal.
const fn all_but<const W: usize>() -> [[f64; W]; W] {
    let mut rows = [[1.0; W]; W];
    let mut i = 0;
    while i < W {
        rows[i][i] = 0.0;
        i += 1;
    }
    rows
}

impl<const W: usize> Small<W> {
    const ALL_BUT: [[f64; W]; W] = all_but();

    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, lcp: LcpRef<'_>) {
        let n = lcp.n();
        self.n = n;
        self.pivots = 0;
        self.rows.resize(n, [0.0; W]);
        self.place.resize(2 * W + 1, 0);
        // Whole rows of fixed length: copies of a few numbers each would be calls.
        for (i, row) in self.rows.iter_mut().enumerate() {
            let m = lcp.row(i);
            let (full, rest) = S::as_mut_simd_f64s(row.as_mut_slice());
            debug_assert!(rest.is_empty());
            let (m_full, m_rest) = S::as_simd_f64s(m);
            for (j, out) in full.iter_mut().enumerate() {
                *out = match j.cmp(&m_full.len()) {
                    Ordering::Less => m_full[j],
                    Ordering::Equal => simd.partial_load_f64s(m_rest),
                    Ordering::Greater => simd.splat_f64s(0.0),
                };
            }
            row[n] = 1.0;
            row[n + 1] = lcp.q[i];
            row[n + 2] = crate::lemke::generic(i);
        }
        for i in 0..n {
            self.basic[i] = i;
            self.nonbasic[i] = W + i;
            self.place[i] = i;
            self.place[W + i] = i;
        }
        self.nonbasic[n] = 2 * W;
        self.place[2 * W] = n;
    }

    /// Exchanges the basic variable of row r with the nonbasic one of column c.
    #[inline(always)]
    fn exchange<S: Simd>(&mut self, simd: S, r: usize, c: usize) {
        self.pivots += 1;
        let inverse = 1.0 / self.rows[r][c];
        // Whole vectors only: a single number stored now would stall the vector load to come.
        let (keep, _) = S::as_simd_f64s(&Self::ALL_BUT[c]);
        let mut pivot_row = [0.0; W];
        {
            let (v, _) = S::as_mut_simd_f64s(&mut pivot_row);
            let (row, _) = S::as_simd_f64s(&self.rows[r]);
            let (minus, plus) = (simd.splat_f64s(-inverse), simd.splat_f64s(inverse));
            for ((v, t), keep) in v.iter_mut().zip(row).zip(keep) {
                let own = simd.sub_f64s(plus, simd.mul_f64s(plus, *keep));
                *v = simd.mul_add_e_f64s(simd.mul_f64s(minus, *t), *keep, own);
            }
        }
        let (v, _) = S::as_simd_f64s(&pivot_row);
        for row in &mut self.rows {
            let f = simd.splat_f64s(row[c]);
            let (t, _) = S::as_mut_simd_f64s(row.as_mut_slice());
            for ((t, v), keep) in t.iter_mut().zip(v).zip(keep) {
                *t = simd.mul_add_e_f64s(f, *v, simd.mul_f64s(*t, *keep));
            }
        }
        self.rows[r] = pivot_row;
        let (leaving, entering) = (self.basic[r], self.nonbasic[c]);
        self.basic[r] = entering;
        self.nonbasic[c] = leaving;
        self.place[entering] = r;
        self.place[leaving] = c;
    }

    /// Exchanges the z_i of a warm basis for w_j of its rows, their own where that will do.
    #[inline(always)]
    fn advance_to<S: Simd>(&mut self, simd: S, lcp: LcpRef<'_>, start: &[Place], principal: bool) {
        let n = self.n;
        if start.len() != n {
            return;
        }
        for i in 0..n {
            if start[i] != Place::Between {
                continue;
            }
            let c = i;
            // What remains of the diagonal entry of a semidefinite M tells as much as the column.
            let diagonal = self.rows[i][i];
            if principal && self.basic[i] == i && diagonal > SOUND * lcp.m[i * n + i] {
                self.exchange(simd, i, i);
                continue;
            }
            let mut best = i;
            let mut largest = 0.0;
            let mut size = 0.0f64;
            for r in 0..n {
                let entry = self.rows[r][c].abs();
                let still = self.basic[r] < W && start[self.basic[r]] == Place::Between;
                size = if entry > size { entry } else { size };
                if still && entry > largest {
                    (best, largest) = (r, entry);
                }
            }
            // Its own row keeps the dictionary principal, and symmetric where M is.
            let own = self.rows[i][c].abs();
            if self.basic[i] == i && own > 0.1 * largest {
                best = i;
            }
            if largest > PIVOT_NOISE * size {
                self.exchange(simd, best, c);
            }
        }
        for (i, row) in self.rows.iter_mut().enumerate() {
            // The path starts anew: its ties and its covering vector are its own.
            row[n] = 1.0;
            row[n + 2] = crate::lemke::generic(i);
        }
    }

    /// The largest entry of a column.
    #[inline(always)]
    fn largest(&self, column: usize) -> f64 {
        let mut largest = 0.0;
        for row in &self.rows {
            let size = row[column].abs();
            largest = if size > largest { size } else { largest };
        }
        largest
    }

    /// Principal pivots to b >= 0; whether they got there.
    #[inline(always)]
    fn principal<S: Simd>(&mut self, simd: S, lcp: LcpRef<'_>, noise: f64) -> bool {
        let n = self.n;
        let budget = self.pivots + 2 * n as u32 + 6;
        loop {
            // With a branch, which is foreseen more often than not: the walk goes on meanwhile.
            let (mut r, mut least) = (W, noise);
            for (i, row) in self.rows.iter().enumerate() {
                if row[n + 1] < least {
                    (r, least) = (i, row[n + 1]);
                }
            }
            if r == W {
                return true;
            }
            if self.pivots >= budget {
                return false;
            }
            let variable = self.basic[r];
            let c = self.place[complement::<W>(variable)];
            let row = &self.rows[r];
            // What remains of the diagonal entry, or at least 1 over it.
            let i = if variable < W { variable } else { variable - W };
            let diagonal = lcp.m[i * n + i];
            let good = if variable < W {
                row[c] > NEARLY_SINGULAR * diagonal
            } else {
                row[c] * diagonal > NEARLY_SINGULAR
            };
            if good {
                self.exchange(simd, r, c);
                continue;
            }
            let (mut size, mut raise, mut raises) = (0.0, 0.0, W);
            for (j, &value) in row[..n].iter().enumerate() {
                size = if value.abs() > size {
                    value.abs()
                } else {
                    size
                };
                if value > raise {
                    (raise, raises) = (value, j);
                }
            }
            if raise <= PIVOT_NOISE * size {
                return false;
            }
            if raises == W || raises == c {
                return false;
            }
            let other = complement::<W>(self.nonbasic[raises]);
            let second = self.place[other];
            self.exchange(simd, r, raises);
            let size = self.largest(c);
            if self.rows[second][c].abs() <= PIVOT_NOISE * size {
                return false;
            }
            self.exchange(simd, second, c);
        }
    }

    /// Lemke's method; whether it ended with z0 = 0.
    #[inline(always)]
    fn lemke<S: Simd>(&mut self, simd: S) -> bool {
        let n = self.n;
        let largest = self.largest(n + 1);
        let (mut r, mut least, mut tie) = (W, 0.0, 0.0);
        for (i, row) in self.rows.iter_mut().enumerate() {
            if row[n + 1].abs() <= CANCELLED * largest {
                row[n + 1] = 0.0;
            }
            let (b, own) = (row[n + 1], row[n + 2]);
            if b < least || (b == least && b < 0.0 && own < tie) {
                (r, least, tie) = (i, b, own);
            }
        }
        if r == W {
            return true;
        }
        let budget = self.pivots + 4 * n as u32 + 20;
        let mut c = n;
        let enough = -1e-12 * least;
        loop {
            let mut before = [0.0; W];
            for (before, row) in before.iter_mut().zip(&self.rows) {
                *before = row[n + 1];
            }
            let leaving = self.basic[r];
            self.exchange(simd, r, c);
            for (before, row) in before.iter().zip(&mut self.rows) {
                if row[n + 1].abs() <= CANCELLED * before.abs() {
                    row[n + 1] = 0.0;
                }
            }
            if leaving == 2 * W {
                return true;
            }
            if self.rows[self.place[2 * W]][n + 1] <= enough {
                self.release(simd, leaving);
                return true;
            }
            if self.pivots >= budget {
                return false;
            }
            c = self.place[complement::<W>(leaving)];
            r = self.ratio_test(c);
            if r == W {
                return false;
            }
        }
    }

    /// Exchanges z0, basic at 0, for one of the pair that is not basic, so that the basis is
    /// complementary, and regular as every basis of the path. All values stay.
    #[inline(always)]
    fn release<S: Simd>(&mut self, simd: S, variable: usize) {
        let r = self.place[2 * W];
        let (mut best, mut column) = (PIVOT_NOISE, W);
        for variable in [variable, complement::<W>(variable)] {
            let c = self.place[variable];
            let part = self.rows[r][c].abs() / self.largest(c);
            if part > best {
                (best, column) = (part, c);
            }
        }
        if column < W {
            self.rows[r][self.n + 1] = 0.0;
            self.exchange(simd, r, column);
        }
    }

    /// The row whose basic variable is the first to reach 0 as that of column c grows; W where
    /// none does.
    #[inline(always)]
    fn ratio_test(&self, c: usize) -> usize {
        let n = self.n;
        let noise = -PIVOT_NOISE * self.largest(c);
        let mut column = [0.0; W];
        // The least ratio b / d as a fraction: products are cheaper than quotients.
        let (mut b_least, mut d_least) = (f64::INFINITY, 1.0);
        for (d, row) in column.iter_mut().zip(&self.rows) {
            *d = -row[c];
            if row[c] < noise && row[n + 1] * d_least < b_least * *d {
                (b_least, d_least) = (row[n + 1], *d);
            }
        }
        if b_least == f64::INFINITY {
            return W;
        }
        let least = b_least / d_least;
        let reach = least + TIE * least.abs();
        let (mut best, mut best_tie, mut best_d) = (W, f64::INFINITY, 1.0);
        for (r, (row, &d)) in self.rows.iter().zip(&column).enumerate() {
            if -d < noise && row[n + 1] <= reach * d {
                if self.basic[r] == 2 * W {
                    return r;
                }
                if row[n + 2] * best_d < best_tie * d {
                    (best, best_tie, best_d) = (r, row[n + 2], d);
                }
            }
        }
        best
    }
}
