//! The dictionary of Lemke's method: basic variables as affine functions of the others.
//!
//! basic = rhs + T nonbasic, starting from w = q + M z + d z0. An exchange of the row r with the
//! column c is a change of rank one, T <- T (row r and column c cleared) + u v', and such changes
//! are kept aside and applied several at a time: one sweep over T costs as much memory traffic
//! for sixteen pivots as for one.

use pulp::Simd;

use super::update::{Apply, Gather};
use crate::simd::{Kernel, dispatch, fma};
use crate::tolerances::CANCELLED;

/// A variable: w_i is i, z_i is n + i, the artificial z0 is 2 n.
pub(crate) type Variable = usize;

/// Working memory.
#[derive(Debug, Default)]
pub(crate) struct Tableau {
    pub(crate) n: usize,
    /// n rows of n + 1 values.
    t: Vec<f64>,
    /// What stands on the right: q, and the generic vector that breaks ties.
    pub(crate) rhs: Vec<f64>,
    pub(crate) ties: Vec<f64>,
    pub(crate) basic: Vec<Variable>,
    nonbasic: Vec<Variable>,
    /// Position of a variable among the basic or the nonbasic.
    place: Vec<usize>,
    /// The changes kept aside: vectors of n, and of n + 1 values.
    u: Vec<f64>,
    v: Vec<f64>,
    pending: usize,
    capacity: usize,
    /// The column looked at last.
    pub(crate) column: Vec<f64>,
    row: Vec<f64>,
    packed: Vec<f64>,
}

/// How many changes to keep aside: none while T stays in the fastest cache. Measured.
fn capacity(n: usize) -> usize {
    match n {
        0..32 => 1,
        32..64 => 4,
        64..200 => 8,
        200..500 => 16,
        _ => 32,
    }
}

impl Tableau {
    /// w = q + M z + d z0, M row by row.
    pub(crate) fn start(&mut self, m: &[f64], q: &[f64], cover: impl Fn(usize) -> f64) {
        let n = q.len();
        self.n = n;
        self.capacity = capacity(n);
        self.pending = 0;
        self.t.clear();
        self.t.reserve(n * (n + 1));
        for (i, row) in m.chunks_exact(n.max(1)).enumerate() {
            self.t.extend_from_slice(row);
            self.t.push(cover(i));
        }
        self.rhs.clear();
        self.rhs.extend_from_slice(q);
        self.ties.clear();
        self.ties.extend((0..n).map(generic));
        self.basic.clear();
        self.basic.extend(0..n);
        self.nonbasic.clear();
        self.nonbasic.extend(n..2 * n + 1);
        self.place.clear();
        self.place.extend((0..n).chain(0..n + 1));
        for (vector, length) in [
            (&mut self.u, self.capacity * n),
            (&mut self.v, self.capacity * (n + 1)),
            (&mut self.column, n),
            (&mut self.row, n + 1),
            (&mut self.packed, 4 * self.capacity),
        ] {
            vector.clear();
            vector.resize(length, 0.0);
        }
    }

    /// Whether a variable is basic.
    pub(crate) fn is_basic(&self, variable: Variable) -> bool {
        let place = self.place[variable];
        self.basic.get(place) == Some(&variable)
    }

    /// The row of a basic variable, the column of another.
    pub(crate) fn place(&self, variable: Variable) -> usize {
        self.place[variable]
    }

    /// Computes how the basic variables change with a nonbasic one, into `column`.
    pub(crate) fn look_at(&mut self, variable: Variable) {
        let (n, c) = (self.n, self.place[variable]);
        for (out, row) in self.column.iter_mut().zip(self.t.chunks_exact(n + 1)) {
            *out = row[c];
        }
        dispatch(Gather {
            rows: &self.u[..self.pending * n],
            factors: &self.v[c..],
            stride: n + 1,
            out: &mut self.column,
        });
    }

    fn fetch_row(&mut self, r: usize) {
        let n = self.n;
        self.row
            .copy_from_slice(&self.t[r * (n + 1)..(r + 1) * (n + 1)]);
        dispatch(Gather {
            rows: &self.v[..self.pending * (n + 1)],
            factors: &self.u[r..],
            stride: n,
            out: &mut self.row,
        });
    }

    /// Exchanges the basic variable of row r with the nonbasic one that `look_at` looked at last;
    /// the one that leaves.
    pub(crate) fn exchange(&mut self, r: usize, entering: Variable) -> Variable {
        let (n, c) = (self.n, self.place[entering]);
        self.fetch_row(r);
        let pivot = self.column[r];
        let inverse = 1.0 / pivot;
        self.update_rhs(r, inverse);
        // Row and column are cleared everywhere, then come back with the change.
        self.t[r * (n + 1)..(r + 1) * (n + 1)].fill(0.0);
        self.t[c..].iter_mut().step_by(n + 1).for_each(|t| *t = 0.0);
        for p in 0..self.pending {
            self.u[p * n + r] = 0.0;
            self.v[p * (n + 1) + c] = 0.0;
        }
        // v is the new row r: -t_rj / t_rc, and 1 / t_rc in column c. u says how much of it each row gains:
        // t_ic, and 1 in row r (CPS, section 2.3).
        let u = &mut self.u[self.pending * n..(self.pending + 1) * n];
        u.copy_from_slice(&self.column);
        u[r] = 1.0;
        let v = &mut self.v[self.pending * (n + 1)..(self.pending + 1) * (n + 1)];
        for (v, row) in v.iter_mut().zip(&self.row) {
            *v = -row * inverse;
        }
        v[c] = inverse;
        self.pending += 1;
        if self.pending == self.capacity {
            self.apply();
        }
        let leaving = std::mem::replace(&mut self.basic[r], entering);
        self.nonbasic[c] = leaving;
        self.place[entering] = r;
        self.place[leaving] = c;
        leaving
    }

    fn update_rhs(&mut self, r: usize, inverse: f64) {
        let (value, tie) = (-self.rhs[r] * inverse, -self.ties[r] * inverse);
        dispatch(Advance {
            step: (value, tie),
            column: &self.column,
            rhs: &mut self.rhs,
            ties: &mut self.ties,
        });
        self.rhs[r] = value;
        self.ties[r] = tie;
    }

    /// Makes the nonbasic z0 help every row alike.
    pub(crate) fn cover_with_ones(&mut self) {
        self.apply();
        let (n, c) = (self.n, self.place[2 * self.n]);
        self.t
            .iter_mut()
            .skip(c)
            .step_by(n + 1)
            .for_each(|t| *t = 1.0);
    }

    fn apply(&mut self) {
        dispatch(Apply {
            n: self.n,
            t: &mut self.t,
            u: &self.u,
            v: &self.v,
            count: self.pending,
            packed: &mut self.packed,
        });
        self.pending = 0;
    }
}

/// A value in [1, 2) that looks random, so that ratios of such values do not tie.
pub(crate) fn generic(i: usize) -> f64 {
    // The golden ratio and a multiplier of SplitMix64 (Steele, Lea and Flood 2014). Fixed rather
    // than drawn, so that a path is the same in every run and on every machine.
    let mixed = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    f64::from_bits((mixed ^ (mixed >> 32)) >> 12 | 1.0f64.to_bits())
}

/// rhs += step column, with what cancels taken for 0, and the same of the ties.
struct Advance<'a> {
    step: (f64, f64),
    column: &'a [f64],
    rhs: &'a mut [f64],
    ties: &'a mut [f64],
}

impl Kernel for Advance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let n = self.column.len();
        let (rhs, ties) = (&mut self.rhs[..n], &mut self.ties[..n]);
        for i in 0..n {
            let (t, old) = (self.column[i], rhs[i]);
            let new = fma::<S>(t, self.step.0, old);
            // The ties are generic and never mean 0, so they are not cleared.
            let noise = new.abs() <= CANCELLED * old.abs();
            rhs[i] = if noise { 0.0 } else { new };
            ties[i] = fma::<S>(t, self.step.1, ties[i]);
        }
    }
}
