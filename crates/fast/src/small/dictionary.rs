//! The dictionary: rows of fixed size, and the exchange of two variables.

use std::cmp::Ordering;

use pulp::Simd;

use super::Small;
use crate::place::Place;
use crate::problem::LcpRef;
use crate::tolerances::PIVOT_NOISE;

/// A diagonal entry of which more than this part remains is a pivot as good as any other of its
/// column: for k <= 37 the error of k u in it is below 5e-12 of it, and the column need not be searched.
const SOUND: f64 = 1e-3;

/// A row's own entry is the pivot down to this part of the largest, as in threshold pivoting (Duff,
/// Erisman and Reid 1986, section 5.4).
const THRESHOLD: f64 = 0.1;

#[inline(always)]
pub(super) fn complement<const W: usize>(variable: usize) -> usize {
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
    pub(super) fn fill<S: Simd>(&mut self, simd: S, lcp: LcpRef<'_>) {
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
    pub(super) fn exchange<S: Simd>(&mut self, simd: S, r: usize, c: usize) {
        self.pivots += 1;
        // Row r, x_r = sum of t_rj x_j, solved for x_c: the entries -t_rj / t_rc, and 1 / t_rc in column c.
        // Every other row i gains t_ic times the new row (CPS, section 2.3).
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
        // Row r is computed like the others and overwritten below: the loop has no branch.
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
    pub(super) fn advance_to<S: Simd>(
        &mut self,
        simd: S,
        lcp: LcpRef<'_>,
        start: &[Place],
        principal: bool,
    ) {
        let n = self.n;
        if start.len() != n {
            return;
        }
        for i in 0..n {
            if start[i] != Place::Between {
                continue;
            }
            // z_i is still in column i: a column is exchanged at its own turn only.
            let c = i;
            // For a semidefinite M what remains of the diagonal entry tells as much as the column.
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
            if self.basic[i] == i && own > THRESHOLD * largest {
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
    pub(super) fn largest(&self, column: usize) -> f64 {
        let mut largest = 0.0;
        for row in &self.rows {
            let size = row[column].abs();
            largest = if size > largest { size } else { largest };
        }
        largest
    }
}
