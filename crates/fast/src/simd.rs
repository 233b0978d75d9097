//! Loops compiled for the vector instructions of the machine that runs them.

use pulp::{Arch, Simd, WithSimd};

/// A loop worth compiling once per instruction set. `run` must be `#[inline(always)]`, or it
/// stays compiled for the oldest machine.
pub(crate) trait Kernel {
    /// What it returns.
    type Output;
    /// The loop.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

struct Compiled<K>(K);

impl<K: Kernel> WithSimd for Compiled<K> {
    type Output = K::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> K::Output {
        self.0.run(simd)
    }
}

/// Runs a kernel on the best instruction set there is.
#[inline]
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    Arch::new().dispatch(Compiled(kernel))
}

/// The name of the vector instructions that this machine has and the solvers use.
pub fn instruction_set() -> &'static str {
    dispatch(Named)
}

struct Named;

impl Kernel for Named {
    type Output = &'static str;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> &'static str {
        // The levels of x86-64 by their usual names; others have such a one already.
        match std::any::type_name::<S>().rsplit("::").next() {
            Some("V3") => "AVX2 with FMA",
            Some("V4") => "AVX-512",
            Some(other) => other,
            None => "portable",
        }
    }
}

/// a * b + c, fused where the machine has the instruction: a fused multiply-add without it is a
/// library call.
#[inline(always)]
pub(crate) fn fma<S: Simd>(a: f64, b: f64, c: f64) -> f64 {
    if S::IS_SCALAR {
        a * b + c
    } else {
        a.mul_add(b, c)
    }
}

/// y += a x.
#[inline(always)]
pub(crate) fn axpy<S: Simd>(simd: S, a: f64, x: &[f64], y: &mut [f64]) {
    let n = y.len();
    let (xs, x_rest) = S::as_simd_f64s(&x[..n]);
    let (ys, y_rest) = S::as_mut_simd_f64s(y);
    let a = simd.splat_f64s(a);
    for (y, x) in ys.iter_mut().zip(xs) {
        *y = simd.mul_add_e_f64s(a, *x, *y);
    }
    if !y_rest.is_empty() {
        let (x, y) = (
            simd.partial_load_f64s(x_rest),
            simd.partial_load_f64s(y_rest),
        );
        simd.partial_store_f64s(y_rest, simd.mul_add_e_f64s(a, x, y));
    }
}

/// y += sum of a[k] x[k] for four rows at once: one load and store of y for four products.
#[inline(always)]
pub(crate) fn axpy4<S: Simd>(simd: S, a: [f64; 4], x: [&[f64]; 4], y: &mut [f64]) {
    let n = y.len();
    let (x0, rest0) = S::as_simd_f64s(&x[0][..n]);
    let (x1, rest1) = S::as_simd_f64s(&x[1][..n]);
    let (x2, rest2) = S::as_simd_f64s(&x[2][..n]);
    let (x3, rest3) = S::as_simd_f64s(&x[3][..n]);
    let (ys, y_rest) = S::as_mut_simd_f64s(y);
    let (a0, a1) = (simd.splat_f64s(a[0]), simd.splat_f64s(a[1]));
    let (a2, a3) = (simd.splat_f64s(a[2]), simd.splat_f64s(a[3]));
    for ((((y, x0), x1), x2), x3) in ys.iter_mut().zip(x0).zip(x1).zip(x2).zip(x3) {
        let first = simd.mul_add_e_f64s(a1, *x1, simd.mul_add_e_f64s(a0, *x0, *y));
        *y = simd.mul_add_e_f64s(a3, *x3, simd.mul_add_e_f64s(a2, *x2, first));
    }
    if !y_rest.is_empty() {
        let y = simd.partial_load_f64s(y_rest);
        let y = simd.mul_add_e_f64s(a0, simd.partial_load_f64s(rest0), y);
        let y = simd.mul_add_e_f64s(a1, simd.partial_load_f64s(rest1), y);
        let y = simd.mul_add_e_f64s(a2, simd.partial_load_f64s(rest2), y);
        let y = simd.mul_add_e_f64s(a3, simd.partial_load_f64s(rest3), y);
        simd.partial_store_f64s(y_rest, y);
    }
}

/// y[t] += sum of a[k][t] x[k] for four rows x and four rows y of one length.
#[inline(always)]
pub(crate) fn axpy4x4<S: Simd>(simd: S, a: [[f64; 4]; 4], x: [&[f64]; 4], y: [&mut [f64]; 4]) {
    let [y0, y1, y2, y3] = y;
    let n = y0.len();
    let (x0, rest0) = S::as_simd_f64s(&x[0][..n]);
    let (x1, rest1) = S::as_simd_f64s(&x[1][..n]);
    let (x2, rest2) = S::as_simd_f64s(&x[2][..n]);
    let (x3, rest3) = S::as_simd_f64s(&x[3][..n]);
    let (y0, y_rest0) = S::as_mut_simd_f64s(y0);
    let (y1, y_rest1) = S::as_mut_simd_f64s(&mut y1[..n]);
    let (y2, y_rest2) = S::as_mut_simd_f64s(&mut y2[..n]);
    let (y3, y_rest3) = S::as_mut_simd_f64s(&mut y3[..n]);
    let f0 = [a[0][0], a[1][0], a[2][0], a[3][0]];
    let f1 = [a[0][1], a[1][1], a[2][1], a[3][1]];
    let f2 = [a[0][2], a[1][2], a[2][2], a[3][2]];
    let f3 = [a[0][3], a[1][3], a[2][3], a[3][3]];
    let xs = x0.iter().zip(x1).zip(x2).zip(x3);
    let ys = y0.iter_mut().zip(y1).zip(y2).zip(y3);
    for ((((x0, x1), x2), x3), (((y0, y1), y2), y3)) in xs.zip(ys) {
        let x = [*x0, *x1, *x2, *x3];
        *y0 = add_four(simd, f0, x, *y0);
        *y1 = add_four(simd, f1, x, *y1);
        *y2 = add_four(simd, f2, x, *y2);
        *y3 = add_four(simd, f3, x, *y3);
    }
    if !y_rest0.is_empty() {
        let x = [
            simd.partial_load_f64s(rest0),
            simd.partial_load_f64s(rest1),
            simd.partial_load_f64s(rest2),
            simd.partial_load_f64s(rest3),
        ];
        let sum = add_four(simd, f0, x, simd.partial_load_f64s(y_rest0));
        simd.partial_store_f64s(y_rest0, sum);
        let sum = add_four(simd, f1, x, simd.partial_load_f64s(y_rest1));
        simd.partial_store_f64s(y_rest1, sum);
        let sum = add_four(simd, f2, x, simd.partial_load_f64s(y_rest2));
        simd.partial_store_f64s(y_rest2, sum);
        let sum = add_four(simd, f3, x, simd.partial_load_f64s(y_rest3));
        simd.partial_store_f64s(y_rest3, sum);
    }
}

/// y + sum of a[k] x[k].
#[inline(always)]
fn add_four<S: Simd>(simd: S, a: [f64; 4], x: [S::f64s; 4], y: S::f64s) -> S::f64s {
    let sum = simd.mul_add_e_f64s(simd.splat_f64s(a[0]), x[0], y);
    let sum = simd.mul_add_e_f64s(simd.splat_f64s(a[1]), x[1], sum);
    let sum = simd.mul_add_e_f64s(simd.splat_f64s(a[2]), x[2], sum);
    simd.mul_add_e_f64s(simd.splat_f64s(a[3]), x[3], sum)
}

/// The four rows of length `width` that start at row `first`.
#[inline(always)]
pub(crate) fn four_rows(rows: &[f64], first: usize, width: usize) -> [&[f64]; 4] {
    let (a, rest) = rows[first * width..].split_at(width);
    let (b, rest) = rest.split_at(width);
    let (c, rest) = rest.split_at(width);
    [a, b, c, &rest[..width]]
}

/// x'y, summed in the lanes of two vectors.
#[inline(always)]
pub(crate) fn dot<S: Simd>(simd: S, x: &[f64], y: &[f64]) -> f64 {
    let n = x.len().min(y.len());
    let (xs, x_rest) = S::as_simd_f64s(&x[..n]);
    let (ys, y_rest) = S::as_simd_f64s(&y[..n]);
    // Two sums: an addition need not wait for the one before it.
    let (mut even, mut odd) = (simd.splat_f64s(0.0), simd.splat_f64s(0.0));
    let (x_pairs, x_last) = xs.as_chunks::<2>();
    let (y_pairs, y_last) = ys.as_chunks::<2>();
    for (x, y) in x_pairs.iter().zip(y_pairs) {
        even = simd.mul_add_e_f64s(x[0], y[0], even);
        odd = simd.mul_add_e_f64s(x[1], y[1], odd);
    }
    if let ([x], [y]) = (x_last, y_last) {
        even = simd.mul_add_e_f64s(*x, *y, even);
    }
    if !x_rest.is_empty() {
        let (x, y) = (
            simd.partial_load_f64s(x_rest),
            simd.partial_load_f64s(y_rest),
        );
        odd = simd.mul_add_e_f64s(x, y, odd);
    }
    simd.reduce_sum_f64s(simd.add_f64s(even, odd))
}

#[cfg(test)]
mod tests {
    use pulp::Scalar;

    use super::*;

    /// With numbers that leave nothing to round, a machine without vector instructions has the same results.
    #[test]
    fn machines_without_vector_instructions_compute_the_same() {
        let x: [f64; 11] = std::array::from_fn(|k| k as f64 - 3.0);
        let own: [f64; 11] = std::array::from_fn(|k| 2.0 - (k * k) as f64);
        let expected: [f64; 11] = std::array::from_fn(|k| own[k] + 5.0 * x[k]);
        for (own, expected) in own.iter().zip(&expected) {
            let k = (expected - own) / 5.0;
            assert_eq!(fma::<Scalar>(5.0, k, *own), *expected);
        }
        struct Axpy<'a>(&'a [f64], &'a mut [f64]);
        impl Kernel for Axpy<'_> {
            type Output = ();
            #[inline(always)]
            fn run<S: Simd>(self, simd: S) {
                axpy(simd, 5.0, self.0, self.1);
            }
        }
        let (mut scalar, mut vector) = (own, own);
        Axpy(&x, &mut scalar).run(Scalar::new());
        dispatch(Axpy(&x, &mut vector));
        assert_eq!((scalar, vector), (expected, expected));
    }
}
