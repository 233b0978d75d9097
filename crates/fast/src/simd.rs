//! Loops compiled for the vector instructions of the machine that runs them.

use pulp::{Arch, Simd, WithSimd};

/// a * b + c, fused where the machine has the instruction: a fused multiply-add without it is a
/// library call.
pub(crate) trait MulAdd: Copy {
    /// a * b + c.
    fn mul_add(a: f64, b: f64, c: f64) -> f64;
}

/// One rounding.
#[derive(Clone, Copy)]
pub(crate) struct Fused;

/// Two roundings.
#[derive(Clone, Copy)]
pub(crate) struct Separate;

impl MulAdd for Fused {
    #[inline(always)]
    fn mul_add(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}

impl MulAdd for Separate {
    #[inline(always)]
    fn mul_add(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
}

/// A loop worth compiling once per instruction set. `run` must be `#[inline(always)]`, or it
/// stays compiled for the oldest machine.
pub(crate) trait Kernel {
    /// What it returns.
    type Output;
    /// The loop.
    fn run<A: MulAdd>(self) -> Self::Output;
}

struct Compiled<K>(K);

impl<K: Kernel> WithSimd for Compiled<K> {
    type Output = K::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> K::Output {
        if S::IS_SCALAR {
            self.0.run::<Separate>()
        } else {
            self.0.run::<Fused>()
        }
    }
}

/// Runs a kernel on the best instruction set there is.
#[inline]
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    Arch::new().dispatch(Compiled(kernel))
}

/// y += a x.
#[inline(always)]
pub(crate) fn axpy<A: MulAdd>(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = A::mul_add(a, *x, *y);
    }
}

/// y += sum of a[k] x[k] for four rows at once: one load and store of y for four products.
#[inline(always)]
pub(crate) fn axpy4<A: MulAdd>(a: [f64; 4], x: [&[f64]; 4], y: &mut [f64]) {
    let n = y.len();
    // Written out: `map` over an array is a call that stays compiled for the oldest machine.
    let [x0, x1, x2, x3] = [&x[0][..n], &x[1][..n], &x[2][..n], &x[3][..n]];
    for j in 0..n {
        let first = A::mul_add(a[1], x1[j], A::mul_add(a[0], x0[j], y[j]));
        y[j] = A::mul_add(a[3], x3[j], A::mul_add(a[2], x2[j], first));
    }
}

/// The four rows of length `width` that start at row `first`.
#[inline(always)]
pub(crate) fn four_rows(rows: &[f64], first: usize, width: usize) -> [&[f64]; 4] {
    let (a, rest) = rows[first * width..].split_at(width);
    let (b, rest) = rest.split_at(width);
    let (c, rest) = rest.split_at(width);
    [a, b, c, &rest[..width]]
}

/// x'y, summed in eight lanes.
#[inline(always)]
pub(crate) fn dot<A: MulAdd>(x: &[f64], y: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut lanes = [0.0; LANES];
    let (xs, x_rest) = x.as_chunks::<LANES>();
    let (ys, y_rest) = y.as_chunks::<LANES>();
    for (x, y) in xs.iter().zip(ys) {
        for k in 0..LANES {
            lanes[k] = A::mul_add(x[k], y[k], lanes[k]);
        }
    }
    let rest = x_rest.iter().zip(y_rest);
    let rest = rest.fold(0.0, |sum, (x, y)| A::mul_add(*x, *y, sum));
    let even = (lanes[0] + lanes[4]) + (lanes[2] + lanes[6]);
    let odd = (lanes[1] + lanes[5]) + (lanes[3] + lanes[7]);
    even + odd + rest
}
