//! A candidate z, its w, and how far it is from a solution: the self-check.
//!
//! With u = 2^-53 and c nonzeros in z, every computed w_i is within (c + 4) u s_i of the true
//! one, s_i = (|M||z| + |q|)_i, in whatever order the products are summed, fused or not (Higham,
//! Accuracy and Stability of Numerical Algorithms, section 3.1; no product underflows because
//! [`crate::range`] keeps exponents within +-600 of 1). So the computed residual plus that margin
//! bounds the componentwise backward error, and no extended precision is needed to promise it.

use pulp::Simd;

use crate::place::Place;
use crate::problem::LcpRef;
use crate::range;
use crate::simd::{Kernel, dispatch};

/// The unit roundoff 2^-53.
pub(crate) const UNIT: f64 = f64::EPSILON / 2.0;

/// How near a bound a value may be to mean the bound, relative to max|z|.
const SNAP: f64 = 1e-12;

/// The largest backward error of an answer returned as solved: (4 n + 16) u.
pub(crate) fn limit(n: usize) -> f64 {
    (4 * n + 16) as f64 * UNIT
}

/// z, w = Mz + q and s = |M||z| + |q|, n values each.
#[derive(Debug, Default)]
pub(crate) struct Point {
    pub(crate) z: Vec<f64>,
    pub(crate) w: Vec<f64>,
    pub(crate) s: Vec<f64>,
    /// Columns of nonzero z.
    touched: Vec<usize>,
    /// Sizes of unknowns and of rows, while noise is moved onto 0.
    sizes: [Vec<f64>; 2],
    /// Per row (normal, mu) of a friction row; empty without friction.
    ties: Vec<Option<(usize, f64)>>,
}

impl Point {
    /// z = 0 for a problem of n rows.
    pub(crate) fn reset(&mut self, lcp: LcpRef<'_>) {
        let n = lcp.n();
        for vector in [&mut self.z, &mut self.w, &mut self.s] {
            vector.clear();
            vector.resize(n, 0.0);
        }
        self.touched.clear();
        self.touched.reserve(n);
        for sizes in &mut self.sizes {
            sizes.clear();
            sizes.reserve(n);
        }
        self.ties.clear();
        if !lcp.friction.is_empty() {
            self.ties.resize(n, None);
            for f in lcp.friction {
                self.ties[f.row] = Some((f.normal, f.mu));
            }
        }
    }

    /// The bounds of row i at the present z.
    #[inline]
    pub(crate) fn bounds(&self, lcp: LcpRef<'_>, i: usize) -> (f64, f64) {
        match self.ties.get(i).copied().flatten() {
            None => lcp.bounds(i),
            Some((normal, mu)) => {
                let limit = mu * self.z[normal];
                (-limit, limit)
            }
        }
    }

    /// Puts every z_i that stands at a bound exactly there, and leaves the others.
    pub(crate) fn put(&mut self, lcp: LcpRef<'_>, places: &[Place]) {
        if lcp.is_pure() {
            for (z, place) in self.z.iter_mut().zip(places) {
                if *place != Place::Between {
                    *z = 0.0;
                }
            }
            return;
        }
        // Friction rows last: their bounds depend on the others.
        for friction in [false, true] {
            for (i, place) in places.iter().enumerate() {
                if self.ties.get(i).copied().flatten().is_some() != friction {
                    continue;
                }
                let (lower, upper) = self.bounds(lcp, i);
                match place {
                    Place::Lower => self.z[i] = lower,
                    Place::Upper => self.z[i] = upper,
                    Place::Between => {}
                }
            }
        }
    }

    /// Puts what stands between but within 1e-12 max|z| of a bound onto it: in a degenerate
    /// solution 0 is meant, and a row of nothing but such values is wrong by all of its size.
    /// Whether any z_i moved.
    pub(crate) fn snap(&mut self, lcp: LcpRef<'_>, places: &[Place]) -> bool {
        let reach = self.reach();
        let mut moved = false;
        for (i, place) in places.iter().enumerate() {
            if *place != Place::Between {
                continue;
            }
            let (lower, upper) = self.bounds(lcp, i);
            let z = self.z[i];
            let near = if (z - lower).abs() <= reach {
                lower
            } else if (z - upper).abs() <= reach {
                upper
            } else {
                z
            };
            moved |= near != z;
            self.z[i] = near;
        }
        if moved && !self.ties.is_empty() {
            self.put(lcp, places);
        }
        moved
    }

    /// Puts what stands between onto 0 where it is no more than noise: 1e-12 of the displacement that
    /// rows would notice whole, each row taken at the size that it has when its unknowns are
    /// displaced so. Where 0 is meant for all unknowns of a row without q, what rounding leaves
    /// there is wrong by all of its size. Only proposed: the self-check decides as ever. w and s
    /// have to be those of z. Whether any z_i moved.
    pub(crate) fn snap_to_zero(&mut self, lcp: LcpRef<'_>, places: &[Place]) -> bool {
        let n = lcp.n();
        // A diagonal of 0 says nothing of its own row: then any row that has the unknown.
        let natural = |sizes: &[f64], j: usize| {
            let share = |i: usize| {
                let entry = lcp.m[i * n + j].abs();
                if entry > 0.0 { sizes[i] / entry } else { 0.0 }
            };
            let own = share(j);
            if own > 0.0 {
                own
            } else {
                (0..n).map(share).fold(0.0, f64::max)
            }
        };
        let [mut unknowns, mut rows] = std::mem::take(&mut self.sizes);
        let displaced = |j: usize| natural(&self.s, j).max(self.z[j].abs());
        unknowns.clear();
        unknowns.extend((0..n).map(displaced));
        let size = |i: usize| {
            let products = lcp.row(i).iter().zip(&unknowns);
            lcp.q[i].abs() + products.map(|(m, z)| m.abs() * z).sum::<f64>()
        };
        rows.clear();
        rows.extend((0..n).map(size));
        let mut moved = false;
        for (j, place) in places.iter().enumerate() {
            let (lower, upper) = self.bounds(lcp, j);
            let allowed = *place == Place::Between && lower <= 0.0 && upper >= 0.0;
            if allowed && self.z[j] != 0.0 && self.z[j].abs() <= SNAP * natural(&rows, j) {
                self.z[j] = 0.0;
                moved = true;
            }
        }
        self.sizes = [unknowns, rows];
        if moved && !self.ties.is_empty() {
            self.put(lcp, places);
        }
        moved
    }

    /// How near a bound means the bound.
    pub(crate) fn reach(&self) -> f64 {
        SNAP * self.z.iter().fold(0.0f64, |most, z| most.max(z.abs()))
    }

    /// w and s from z. `symmetric`: the caller has seen M = M', so rows may stand for columns.
    pub(crate) fn evaluate(&mut self, lcp: LcpRef<'_>, symmetric: bool) {
        self.touched.clear();
        let nonzero = |&j: &usize| self.z[j] != 0.0;
        self.touched.extend((0..self.z.len()).filter(nonzero));
        let Self {
            z, w, s, touched, ..
        } = self;
        if symmetric {
            w.copy_from_slice(lcp.q);
            for (s, q) in s.iter_mut().zip(lcp.q) {
                *s = q.abs();
            }
            dispatch(Columns {
                lcp,
                touched,
                z,
                w,
                s,
            });
        } else {
            dispatch(Rows { lcp, z, w, s });
        }
    }

    /// The rounding error of a computed w_i is at most this times s_i.
    pub(crate) fn margin(&self) -> f64 {
        let friction = if self.ties.is_empty() { 0 } else { 2 };
        (self.touched.len() + 4 + friction) as f64 * UNIT
    }

    /// A bound on the componentwise backward error of z at `places`, whatever rounding did.
    /// Infinite where an exponent left the range in which that can be promised.
    pub(crate) fn backward_error(&self, lcp: LcpRef<'_>, places: &[Place]) -> f64 {
        let mut worst = 0.0;
        if !self.stands(lcp, places) || self.has_lost_q(lcp) {
            return f64::INFINITY;
        }
        for (i, place) in places.iter().enumerate() {
            let (w, s) = (self.w[i], self.s[i]);
            let wrong = match place {
                Place::Lower if w < 0.0 => -w,
                Place::Upper if w > 0.0 => w,
                Place::Between => w.abs(),
                _ => 0.0,
            };
            // Written so that NaN counts as wrong. A row with l = u may have any w.
            let fine = wrong <= worst * s;
            if !fine && (*place == Place::Between || !self.is_fixed(lcp, i)) {
                worst = if wrong < s { wrong / s } else { f64::INFINITY };
            }
        }
        if !self.touched.iter().all(|&j| range::is_tame(self.z[j])) {
            return f64::INFINITY;
        }
        (worst + self.margin()) * (1.0 + 1e-3)
    }

    /// Whether z is so large that q is lost in the rounding errors of w, in every row that has one:
    /// it would do as well for q = 0. Such a z says nothing of the problem, which may have no
    /// solution, however small the backward error.
    fn has_lost_q(&self, lcp: LcpRef<'_>) -> bool {
        let margin = self.margin();
        let mut given = false;
        for (q, s) in lcp.q.iter().zip(&self.s) {
            if q.abs() > margin * s {
                return false;
            }
            given |= *q != 0.0;
        }
        given
    }

    /// Whether every z_i is where its place has it: on a bound that is there, or inside.
    fn stands(&self, lcp: LcpRef<'_>, places: &[Place]) -> bool {
        if lcp.is_pure() {
            let mut both = self.z.iter().zip(places);
            return both.all(|(z, place)| match place {
                Place::Lower => *z == 0.0,
                Place::Upper => false,
                Place::Between => *z >= 0.0,
            });
        }
        places.iter().enumerate().all(|(i, place)| {
            let (lower, upper) = self.bounds(lcp, i);
            let z = self.z[i];
            match place {
                Place::Lower => z == lower,
                Place::Upper => z == upper,
                Place::Between => lower <= z && z <= upper,
            }
        })
    }

    /// Whether the bounds leave z_i one value.
    pub(crate) fn is_fixed(&self, lcp: LcpRef<'_>, i: usize) -> bool {
        if lcp.is_pure() {
            return false;
        }
        let (lower, upper) = self.bounds(lcp, i);
        lower == upper
    }
}

/// w += M z and s += |M||z| by the columns of nonzero z of a symmetric M.
struct Columns<'a> {
    lcp: LcpRef<'a>,
    touched: &'a [usize],
    z: &'a [f64],
    w: &'a mut [f64],
    s: &'a mut [f64],
}

impl Kernel for Columns<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let n = self.w.len();
        let lcp = self.lcp;
        let (ws, w_rest) = S::as_mut_simd_f64s(self.w);
        let (ss, s_rest) = S::as_mut_simd_f64s(&mut self.s[..n]);
        let (fours, rest) = self.touched.as_chunks::<4>();
        for &[j0, j1, j2, j3] in fours {
            let (x0, rest0) = S::as_simd_f64s(lcp.row(j0));
            let (x1, rest1) = S::as_simd_f64s(lcp.row(j1));
            let (x2, rest2) = S::as_simd_f64s(lcp.row(j2));
            let (x3, rest3) = S::as_simd_f64s(lcp.row(j3));
            let a0 = simd.splat_f64s(self.z[j0]);
            let a1 = simd.splat_f64s(self.z[j1]);
            let a2 = simd.splat_f64s(self.z[j2]);
            let a3 = simd.splat_f64s(self.z[j3]);
            let four = FourColumns {
                simd,
                a: [a0, a1, a2, a3],
            };
            let outs = ws.iter_mut().zip(ss.iter_mut());
            for (((((w, s), x0), x1), x2), x3) in outs.zip(x0).zip(x1).zip(x2).zip(x3) {
                (*w, *s) = four.add([*x0, *x1, *x2, *x3], *w, *s);
            }
            if !w_rest.is_empty() {
                let x = [
                    simd.partial_load_f64s(rest0),
                    simd.partial_load_f64s(rest1),
                    simd.partial_load_f64s(rest2),
                    simd.partial_load_f64s(rest3),
                ];
                let (w, s) = (
                    simd.partial_load_f64s(w_rest),
                    simd.partial_load_f64s(s_rest),
                );
                let (w, s) = four.add(x, w, s);
                simd.partial_store_f64s(w_rest, w);
                simd.partial_store_f64s(s_rest, s);
            }
        }
        for &j in rest {
            let (xs, x_rest) = S::as_simd_f64s(lcp.row(j));
            let a = simd.splat_f64s(self.z[j]);
            let size = simd.abs_f64s(a);
            for ((w, s), x) in ws.iter_mut().zip(ss.iter_mut()).zip(xs) {
                *w = simd.mul_add_e_f64s(a, *x, *w);
                *s = simd.mul_add_e_f64s(size, simd.abs_f64s(*x), *s);
            }
            if !w_rest.is_empty() {
                let x = simd.partial_load_f64s(x_rest);
                let w = simd.mul_add_e_f64s(a, x, simd.partial_load_f64s(w_rest));
                let x = simd.abs_f64s(x);
                let s = simd.mul_add_e_f64s(size, x, simd.partial_load_f64s(s_rest));
                simd.partial_store_f64s(w_rest, w);
                simd.partial_store_f64s(s_rest, s);
            }
        }
    }
}

/// Four values of z for a vector's width of rows.
#[derive(Clone, Copy)]
struct FourColumns<S: Simd> {
    simd: S,
    a: [S::f64s; 4],
}

impl<S: Simd> FourColumns<S> {
    #[inline(always)]
    fn add(self, x: [S::f64s; 4], w: S::f64s, s: S::f64s) -> (S::f64s, S::f64s) {
        let Self { simd, a } = self;
        let w = simd.mul_add_e_f64s(a[1], x[1], simd.mul_add_e_f64s(a[0], x[0], w));
        let w = simd.mul_add_e_f64s(a[3], x[3], simd.mul_add_e_f64s(a[2], x[2], w));
        // |a||x| = |a x|, exactly.
        let (a0, a1) = (simd.abs_f64s(a[0]), simd.abs_f64s(a[1]));
        let (a2, a3) = (simd.abs_f64s(a[2]), simd.abs_f64s(a[3]));
        let (x0, x1) = (simd.abs_f64s(x[0]), simd.abs_f64s(x[1]));
        let (x2, x3) = (simd.abs_f64s(x[2]), simd.abs_f64s(x[3]));
        let s = simd.mul_add_e_f64s(a1, x1, simd.mul_add_e_f64s(a0, x0, s));
        let s = simd.mul_add_e_f64s(a3, x3, simd.mul_add_e_f64s(a2, x2, s));
        (w, s)
    }
}

/// w = M z + q and s = |M||z| + |q| row by row.
struct Rows<'a> {
    lcp: LcpRef<'a>,
    z: &'a [f64],
    w: &'a mut [f64],
    s: &'a mut [f64],
}

impl Kernel for Rows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (zs, z_rest) = S::as_simd_f64s(self.z);
        let zero = simd.splat_f64s(0.0);
        for i in 0..self.w.len() {
            let (mut sum, mut size) = (zero, zero);
            let (xs, x_rest) = S::as_simd_f64s(self.lcp.row(i));
            for (x, z) in xs.iter().zip(zs) {
                sum = simd.mul_add_e_f64s(*x, *z, sum);
                size = simd.mul_add_e_f64s(simd.abs_f64s(*x), simd.abs_f64s(*z), size);
            }
            if !z_rest.is_empty() {
                let (x, z) = (
                    simd.partial_load_f64s(x_rest),
                    simd.partial_load_f64s(z_rest),
                );
                sum = simd.mul_add_e_f64s(x, z, sum);
                size = simd.mul_add_e_f64s(simd.abs_f64s(x), simd.abs_f64s(z), size);
            }
            let q = self.lcp.q[i];
            self.w[i] = q + simd.reduce_sum_f64s(sum);
            self.s[i] = q.abs() + simd.reduce_sum_f64s(size);
        }
    }
}
