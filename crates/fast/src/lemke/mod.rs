//! Lemke's method with lexicographic ties (Cottle, Pang, Stone, sections 4.4 and 4.9).
//!
//! Ties among the ratios of q are broken by those of a generic vector delta: the path is that of
//! LCP(q + eps delta, M) for all small eps > 0, which is not degenerate, so no basis comes back.
//! One further column does what the n columns of the textbook's rule do.

mod game;
mod ratio;
mod tableau;
mod update;

use crate::failure::Failure;
use crate::meter::Meter;
use crate::tolerances::{DONE, PIVOT_NOISE, Q_NOISE};
use ratio::{Least, least_ratio};
pub(crate) use tableau::generic;
use tableau::{Tableau, Variable};

/// One way to walk. Where rounding spoils one, another may succeed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempt {
    /// 0: a covering vector of ones; otherwise one of the generic ones.
    pub(crate) cover: usize,
    /// Rows and columns equilibrated first.
    pub(crate) scaled: bool,
    /// Whether a |q_i| below [`Q_NOISE`] of max|q| counts as 0, and z0 below [`DONE`] of its first
    /// value. Such values, left by rounding, make false rays.
    pub(crate) clean: bool,
    /// In a game, the z_k that its path begins with.
    pub(crate) dropped: Option<usize>,
    /// Pivots that it may take for each row, and beside these and those of a warm start.
    pub(crate) per_row: u64,
    pub(crate) pivots: u64,
}

/// Pivots of an attempt for each row.
const PER_ROW: u64 = 8;

/// The same of the first attempt where another method follows. Friction in general position takes one to one and a half.
pub(crate) const BRIEF: u64 = 2;

/// Pivots of an attempt, beside [`PER_ROW`] for each row. Nearly all paths are as short as that, unless
/// rounding has led them in a circle; then another attempt ends sooner than this one. Measured.
pub(crate) const SHORT: u64 = 100;

/// The same when every attempt has been tried with few pivots. Some paths are long: Murty's and
/// Fathi's problems take 2^n pivots, 4096 for n = 12.
const LONG: u64 = 5_000;

/// The attempts in turn.
pub(crate) const ATTEMPTS: [Attempt; 6] = [
    Attempt {
        cover: 0,
        scaled: false,
        clean: true,
        dropped: None,
        per_row: PER_ROW,
        pivots: LONG,
    },
    Attempt {
        cover: 0,
        scaled: true,
        clean: true,
        dropped: None,
        per_row: PER_ROW,
        pivots: LONG,
    },
    Attempt {
        cover: 0,
        scaled: true,
        clean: false,
        dropped: None,
        per_row: PER_ROW,
        pivots: LONG,
    },
    Attempt {
        cover: 1,
        scaled: false,
        clean: false,
        dropped: None,
        per_row: PER_ROW,
        pivots: LONG,
    },
    Attempt {
        cover: 2,
        scaled: true,
        clean: true,
        dropped: None,
        per_row: PER_ROW,
        pivots: LONG,
    },
    Attempt {
        cover: 3,
        scaled: false,
        clean: true,
        dropped: None,
        per_row: PER_ROW,
        pivots: LONG,
    },
];

/// Working memory.
#[derive(Debug, Default)]
pub(crate) struct Lemke {
    tableau: Tableau,
    clean: Vec<f64>,
    ratios: Vec<f64>,
    /// Of which kind the rows of a game are.
    sides: Vec<bool>,
}

impl Lemke {
    /// Solves the pure LCP of M, row by row, and q, starting from the basis `warm` (empty: w).
    pub(crate) fn solve(
        &mut self,
        m: &[f64],
        q: &[f64],
        warm: &[bool],
        attempt: Attempt,
        meter: &mut Meter,
    ) -> Result<(), Failure> {
        let n = q.len();
        let largest = q.iter().fold(0.0f64, |most, value| most.max(value.abs()));
        let noise = if attempt.clean {
            Q_NOISE * largest
        } else {
            0.0
        };
        self.clean.clear();
        let clean = |value: &f64| if value.abs() < noise { 0.0 } else { *value };
        self.clean.extend(q.iter().map(clean));
        let cover = |i| {
            if attempt.cover == 0 {
                1.0
            } else {
                generic((attempt.cover - 1) * n + i)
            }
        };
        self.tableau.start(m, &self.clean, cover);
        let budget = meter.pivots + attempt.per_row * n as u64 + attempt.pivots;
        if let Some(k) = attempt.dropped {
            return self.walk_game(k, budget, meter);
        }
        self.advance_to(warm, meter)?;
        let done = if attempt.clean { DONE } else { 0.0 };
        self.walk(done, budget, meter)
    }

    /// The value of z_i.
    pub(crate) fn z(&self, i: usize) -> f64 {
        let variable = self.tableau.n + i;
        if self.is_basic(i) {
            self.tableau.rhs[self.tableau.place(variable)]
        } else {
            0.0
        }
    }

    /// Whether z_i is basic.
    pub(crate) fn is_basic(&self, i: usize) -> bool {
        self.tableau.is_basic(self.tableau.n + i)
    }

    /// Exchanges the z_i of a warm basis for w_j of its rows, the largest pivot of each column.
    fn advance_to(&mut self, warm: &[bool], meter: &mut Meter) -> Result<(), Failure> {
        let n = self.tableau.n;
        for i in (0..warm.len()).filter(|&i| warm[i]) {
            self.tableau.look_at(n + i);
            let column = &self.tableau.column;
            let still = |&r: &usize| {
                let variable = self.tableau.basic[r];
                variable < n && warm[variable]
            };
            // `total_cmp` calls NaN the largest. The comparison with the noise below refuses it.
            let largest = |&a: &usize, &b: &usize| column[a].abs().total_cmp(&column[b].abs());
            let Some(r) = (0..n).filter(still).max_by(largest) else {
                continue;
            };
            let size = column.iter().fold(0.0f64, |most, t| most.max(t.abs()));
            if column[r].abs() > PIVOT_NOISE * size {
                self.tableau.exchange(r, n + i);
                meter.pivots += 1;
                meter.until.check()?;
            }
        }
        if !warm.is_empty() {
            // The path starts anew from this basis: its ties are its own, and so is its covering
            // vector, without which z0 might not help.
            self.tableau.cover_with_ones();
            self.tableau.ties.clear();
            self.tableau.ties.extend((0..n).map(generic));
        }
        Ok(())
    }

    /// From z0 = 0 up and back to it, or to `done` times its first value.
    fn walk(&mut self, done: f64, budget: u64, meter: &mut Meter) -> Result<(), Failure> {
        let n = self.tableau.n;
        let z0 = 2 * n;
        let Some(mut row) = self.first_row()? else {
            return Ok(());
        };
        let mut entering = z0;
        let mut enough = f64::NEG_INFINITY;
        loop {
            meter.pivot(budget)?;
            let leaving = self.tableau.exchange(row, entering);
            if entering == z0 {
                // The row is z0's now, and this its first value.
                enough = done * self.tableau.rhs[row];
            }
            // Without z0 the basis is complementary, and its point a solution (CPS, section 4.4).
            if leaving == z0 {
                return Ok(());
            }
            entering = if leaving < n {
                leaving + n
            } else {
                leaving - n
            };
            if self.tableau.rhs[self.tableau.place(z0)] <= enough {
                self.release(leaving, entering);
                return Ok(());
            }
            self.tableau.look_at(entering);
            row = self.ratio_test()?;
        }
    }

    /// Exchanges z0, basic at 0, for one of the pair that is not basic, so that the basis is
    /// complementary, and regular as every basis of the path. All values stay.
    fn release(&mut self, pair: Variable, other: Variable) {
        let t = &mut self.tableau;
        let r = t.place(2 * t.n);
        let mut best = (0.0, pair);
        for variable in [pair, other] {
            t.look_at(variable);
            let size = t.column.iter().fold(0.0f64, |most, t| most.max(t.abs()));
            let part = t.column[r].abs() / size;
            // Written so that NaN is no pivot.
            if part > PIVOT_NOISE && part > best.0 {
                best = (part, variable);
            }
        }
        if best.0 > 0.0 {
            t.look_at(best.1);
            t.rhs[r] = 0.0;
            t.exchange(r, best.1);
        }
    }

    /// The row that z0 enters in: the last to become nonnegative as z0 grows. `None` where q >= 0.
    fn first_row(&mut self) -> Result<Option<usize>, Failure> {
        let n = self.tableau.n;
        // At q >= 0 the point z = 0 is a solution.
        if self.tableau.rhs.iter().all(|&q| q >= 0.0) {
            return Ok(None);
        }
        self.tableau.look_at(2 * n);
        let t = &self.tableau;
        let mut best: Option<(usize, f64, f64)> = None;
        for r in 0..n {
            let d = t.column[r];
            if d <= 0.0 {
                // After a warm start d may have other signs; such a start is no start.
                if t.rhs[r] < 0.0 {
                    return Err(Failure::Ray);
                }
                continue;
            }
            // w_r + d_r z0 = 0 at z0 = -q_r / d_r: the row with the least q_r / d_r is the last.
            let (q, tie) = (t.rhs[r] / d, t.ties[r] / d);
            let least = best.is_none_or(|(_, q0, tie0)| q < q0 || (q == q0 && tie < tie0));
            if least {
                best = Some((r, q, tie));
            }
        }
        Ok(best.map(|(r, ..)| r))
    }

    /// The row whose basic variable is the first to reach 0 as the entering one grows.
    fn ratio_test(&mut self) -> Result<usize, Failure> {
        let t = &self.tableau;
        self.ratios.resize(t.n, 0.0);
        let Least { largest, reach } = least_ratio(&t.column, &t.rhs, &mut self.ratios);
        // Written so that NaN and infinities end the walk.
        if !(largest.is_finite() && largest > 0.0 && reach < f64::INFINITY) {
            return Err(Failure::Ray);
        }
        let mut best = None;
        let mut best_tie = f64::INFINITY;
        for (r, &ratio) in self.ratios.iter().enumerate() {
            if ratio <= reach {
                // z0 leaves whenever it ties: with z0 = 0 the point solves the problem, and
                // whatever the path would do next is of no use (`docs/lemke.md`, "Ties").
                if t.basic[r] == 2 * t.n {
                    return Ok(r);
                }
                // As if q were q + eps delta: of ratios that tie, that of delta decides.
                let tie = t.ties[r] / -t.column[r];
                if best.is_none() || tie < best_tie {
                    (best, best_tie) = (Some(r), tie);
                }
            }
        }
        best.ok_or(Failure::Ray)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The covering vector of ones makes the path of diag(1e-10, 1, 1) and q = (-1, -2, -1/1000) known: z0 enters at 2, falls to 1
    /// as z_2 grows, to 1/1000 as z_1 grows to 1e10, and to 0 as z_3 grows. The path must not end at z0 = 1/1000, which is below
    /// [`DONE`] of z_1 and not of the first z0.
    #[test]
    fn the_path_ends_at_a_part_of_the_first_z0_and_of_no_other_unknown() {
        let m = [1e-10, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let (mut lemke, mut meter) = (Lemke::default(), Meter::default());
        lemke
            .solve(&m, &[-1.0, -2.0, -1e-3], &[], ATTEMPTS[0], &mut meter)
            .unwrap();
        assert_eq!(meter.pivots, 4);
        for (i, exact) in [1e10, 2.0, 1e-3].into_iter().enumerate() {
            let z = lemke.z(i);
            assert!((z - exact).abs() <= 1e-9 * exact, "z_{i} = {z}");
        }
    }
}
