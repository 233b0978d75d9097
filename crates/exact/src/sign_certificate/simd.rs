//! Loops compiled for the vector instructions of the machine that runs them. The order of sums and
//! whether products are fused into them differs from machine to machine; the bounds hold for all.

use pulp::{Arch, Simd, WithSimd};

/// Lanes that sums are kept in.
pub(crate) const LANES: usize = 8;

/// A loop worth compiling once per instruction set. `run` must be `#[inline(always)]`, and so must
/// be what it calls; `FUSED` tells whether the machine has [`multiply_add`] as one instruction.
pub(crate) trait Kernel {
    type Output;
    fn run<const FUSED: bool>(self) -> Self::Output;
}

struct Compiled<K>(K);

impl<K: Kernel> WithSimd for Compiled<K> {
    type Output = K::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> K::Output {
        if S::IS_SCALAR {
            self.0.run::<false>()
        } else {
            self.0.run::<true>()
        }
    }
}

/// Runs a kernel on the best instruction set there is.
#[inline]
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    Arch::new().dispatch(Compiled(kernel))
}

/// a b + c, fused where the machine has the instruction: without it, that is a library call.
#[inline(always)]
pub(crate) fn multiply_add<const FUSED: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// The sum of the products of two vectors.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    fold(a, b, |a, b| [a * b])[0]
}

/// The sum of the products' absolute values.
#[inline(always)]
pub(crate) fn absolute_dot(a: &[f64], b: &[f64]) -> f64 {
    fold(a, b, |a, b| [(a * b).abs()])[0]
}

/// The sums of what `terms` makes of each pair of entries.
#[inline(always)]
pub(crate) fn fold<const N: usize>(
    a: &[f64],
    b: &[f64],
    terms: impl Fn(f64, f64) -> [f64; N],
) -> [f64; N] {
    fold3(a, b, b, |a, b, _| terms(a, b))
}

/// The sums of what `terms` makes of the entries of three vectors of one length.
#[inline(always)]
pub(crate) fn fold3<const N: usize>(
    a: &[f64],
    b: &[f64],
    c: &[f64],
    terms: impl Fn(f64, f64, f64) -> [f64; N],
) -> [f64; N] {
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    let (c, c_rest) = c.as_chunks::<LANES>();
    let mut sums = [[0.0; LANES]; N];
    for ((a, b), c) in a.iter().zip(b).zip(c) {
        for lane in 0..LANES {
            let terms = terms(a[lane], b[lane], c[lane]);
            for (sums, term) in sums.iter_mut().zip(terms) {
                sums[lane] += term;
            }
        }
    }
    let mut total = sums.map(|lanes| sum(&lanes));
    for ((a, b), c) in a_rest.iter().zip(b_rest).zip(c_rest) {
        for (total, term) in total.iter_mut().zip(terms(*a, *b, *c)) {
            *total += term;
        }
    }
    total
}

#[inline(always)]
pub(crate) fn sum(x: &[f64; LANES]) -> f64 {
    ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_the_instruction_multiplies_and_adds_alike() {
        for (a, b, c, exact) in [(3.0, 5.0, 7.0, 22.0), (-2.0, 0.5, 4.0, 3.0)] {
            assert_eq!(multiply_add::<false>(a, b, c), exact);
            assert_eq!(multiply_add::<true>(a, b, c), exact);
        }
    }
}
