//! One source, several instruction sets: the only unsafe code of the workspace.
//!
//! Calling a function compiled for instructions that the processor lacks is undefined, so a
//! [`Backend`] can only be had when the processor was found to have them.

use crate::kernels;
use crate::lanes::{self, LANES, PortableLanes};
use crate::prime::Prime;

/// An instruction set that this processor has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backend(Set);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Ifma,
}

impl Backend {
    /// The instructions that every processor of the target has.
    pub const PORTABLE: Self = Self(Set::Portable);

    /// The widest that this processor has. All give the same results.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if has_avx512() && std::is_x86_feature_detected!("avx512ifma") {
                return Self(Set::Ifma);
            }
            if has_avx512() {
                return Self(Set::Avx512);
            }
            if std::is_x86_feature_detected!("avx2") {
                return Self(Set::Avx2);
            }
        }
        Self::PORTABLE
    }

    /// All that this processor has, the portable one first.
    pub fn available() -> Vec<Self> {
        #[allow(unused_mut)]
        let mut all = vec![Self::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            if std::is_x86_feature_detected!("avx2") {
                all.push(Self(Set::Avx2));
            }
            if has_avx512() {
                all.push(Self(Set::Avx512));
            }
            if Self::detect() == Self(Set::Ifma) {
                all.push(Self(Set::Ifma));
            }
        }
        all
    }

    /// The name of the instructions.
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Set::Ifma => "AVX-512 IFMA",
        }
    }

    /// Whether [`Tiles`](crate::Tiles) are faster here than [`Planes`](crate::Planes).
    pub fn prefers_tiles(self) -> bool {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Ifma => true,
            _ => false,
        }
    }

    /// See [`lanes::multiply`].
    #[allow(unsafe_code)]
    pub(crate) fn low_tiles(
        self,
        matrix: &[[[u64; LANES]; LANES]],
        symmetric: bool,
        vector: &[[u64; LANES]],
        sums: &mut [[[u64; LANES]; 2]],
    ) {
        match self.0 {
            // SAFETY: as in `products`.
            #[cfg(target_arch = "x86_64")]
            Set::Ifma => unsafe { x86::low_tiles(matrix, symmetric, vector, sums) },
            _ => lanes::multiply(PortableLanes, matrix, symmetric, vector, sums),
        }
    }

    /// See [`lanes::multiply`].
    #[allow(unsafe_code)]
    pub(crate) fn high_tiles(
        self,
        matrix: &[[[u32; LANES]; LANES]],
        symmetric: bool,
        vector: &[[u64; LANES]],
        sums: &mut [[[u64; LANES]; 2]],
    ) {
        match self.0 {
            // SAFETY: as in `products`.
            #[cfg(target_arch = "x86_64")]
            Set::Ifma => unsafe { x86::high_tiles(matrix, symmetric, vector, sums) },
            _ => lanes::multiply(PortableLanes, matrix, symmetric, vector, sums),
        }
    }

    /// See [`lanes::multiply_wide`]; entries of 64 bits where `above` is empty, or else of 80.
    #[allow(unsafe_code)]
    pub(crate) fn wide_tiles(
        self,
        words: &[[[u64; LANES]; LANES]],
        above: &[[[u16; LANES]; LANES]],
        symmetric: bool,
        vector: &[[u64; LANES]],
        sums: &mut [[[u64; LANES]; 3]],
    ) {
        match self.0 {
            // SAFETY: as in `products`.
            #[cfg(target_arch = "x86_64")]
            Set::Ifma => unsafe { x86::wide_tiles(words, above, symmetric, vector, sums) },
            _ if above.is_empty() => {
                lanes::multiply_wide(PortableLanes, words.iter(), symmetric, vector, sums);
            }
            _ => {
                let tiles = words.iter().zip(above);
                lanes::multiply_wide(PortableLanes, tiles, symmetric, vector, sums);
            }
        }
    }

    /// See [`kernels::products`]; `stride` is a multiple of [`LANES`].
    #[allow(unsafe_code)]
    pub(crate) fn products(
        self,
        matrix: &[u32],
        stride: usize,
        vectors: [&[u32]; 2],
        sums: &mut [[u64; 2]],
    ) {
        match self.0 {
            Set::Portable => kernels::products::<2>(matrix, stride, vectors, sums),
            // SAFETY: `detect` and `available` make an `Avx2` only on processors that have it.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { x86::products_avx2(matrix, stride, vectors, sums) },
            // SAFETY: likewise, for all of the features that the function names.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 | Set::Ifma => unsafe {
                x86::products_avx512(matrix, stride, vectors, sums)
            },
        }
    }

    /// See [`kernels::combine`]; `stride` and `columns` are multiples of [`LANES`].
    #[allow(unsafe_code)]
    pub(crate) fn combine(
        self,
        matrix: &mut [u64],
        (stride, columns): (usize, usize),
        pivots: &[u64],
        coefficients: &[u64],
        prime: Prime,
    ) {
        match self.0 {
            Set::Portable => {
                kernels::combine::<2>(matrix, (stride, columns), pivots, coefficients, prime);
            }
            // SAFETY: as in `products`.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe {
                x86::combine_avx2(matrix, (stride, columns), pivots, coefficients, prime);
            },
            // SAFETY: as in `products`.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe {
                x86::combine_avx512(matrix, (stride, columns), pivots, coefficients, prime);
            },
            // SAFETY: as in `products`.
            #[cfg(target_arch = "x86_64")]
            Set::Ifma => unsafe {
                x86::combine_ifma(matrix, (stride, columns), pivots, coefficients, prime);
            },
        }
    }

    /// See [`lanes::convolve`].
    #[allow(unsafe_code)]
    pub(crate) fn convolve(
        self,
        columns: &[[u64; LANES]],
        factor: &[u64],
        emit: &mut dyn FnMut(&[u64; LANES], &[u64; LANES]),
    ) {
        match self.0 {
            // SAFETY: as in `products`.
            #[cfg(target_arch = "x86_64")]
            Set::Ifma => unsafe { x86::convolve_ifma(columns, factor, emit) },
            _ => lanes::convolve(PortableLanes, columns, factor, emit),
        }
    }

    /// See [`lanes::horner`].
    #[allow(unsafe_code)]
    pub(crate) fn horner(self, digits: &[[u64; LANES]], p: u64, out: &mut [[u64; LANES]]) {
        match self.0 {
            // SAFETY: as in `products`.
            #[cfg(target_arch = "x86_64")]
            Set::Ifma => unsafe { x86::horner_ifma(digits, p, out) },
            _ => lanes::horner(PortableLanes, digits, p, out),
        }
    }

    /// See [`lanes::multiply_up`].
    #[allow(unsafe_code)]
    pub(crate) fn multiply_up(
        self,
        parts: [&[[u64; LANES]]; 2],
        factor: &[u64],
        out: &mut [[u64; LANES]],
    ) {
        match self.0 {
            // SAFETY: as in `products`.
            #[cfg(target_arch = "x86_64")]
            Set::Ifma => unsafe { x86::multiply_up_ifma(parts, factor, out) },
            _ => lanes::multiply_up(PortableLanes, parts, factor, out),
        }
    }

    /// Gauss-Jordan steps on a panel; see [`kernels::eliminate`].
    #[allow(unsafe_code)]
    pub(crate) fn eliminate(
        self,
        panel: &mut [u64],
        width: usize,
        pivot: (usize, usize),
        prime: Prime,
    ) {
        match self.0 {
            Set::Portable => kernels::eliminate(panel, width, pivot, prime),
            // SAFETY: as in `products`.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { x86::eliminate_avx2(panel, width, pivot, prime) },
            // SAFETY: as in `products`.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 | Set::Ifma => unsafe { x86::eliminate_avx512(panel, width, pivot, prime) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx512dq")
}

/// The kernels compiled once more. The functions are safe where the features are known to be
/// there; of themselves they only call instructions that the language has no other name for.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m128i, __m256i, __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_cvtepu16_epi64,
        _mm512_cvtepu32_epi64, _mm512_madd52hi_epu64, _mm512_madd52lo_epu64, _mm512_set1_epi64,
        _mm512_slli_epi64, _mm512_srli_epi64,
    };

    use crate::kernels;
    use crate::lanes::{self, LANES, Lanes};
    use crate::prime::Prime;

    macro_rules! compiled_for {
        ($features:literal: $products:ident by $wide:literal, $combine:ident by $lanes:literal, $eliminate:ident) => {
            #[target_feature(enable = $features)]
            pub(super) fn $products(
                matrix: &[u32],
                stride: usize,
                vectors: [&[u32]; 2],
                sums: &mut [[u64; 2]],
            ) {
                kernels::products::<$wide>(matrix, stride, vectors, sums);
            }

            #[target_feature(enable = $features)]
            pub(super) fn $combine(
                matrix: &mut [u64],
                shape: (usize, usize),
                pivots: &[u64],
                coefficients: &[u64],
                prime: Prime,
            ) {
                kernels::combine::<$lanes>(matrix, shape, pivots, coefficients, prime);
            }

            #[target_feature(enable = $features)]
            pub(super) fn $eliminate(
                panel: &mut [u64],
                width: usize,
                pivot: (usize, usize),
                prime: Prime,
            ) {
                kernels::eliminate(panel, width, pivot, prime);
            }
        };
    }

    // Lanes as measured: two registers a sum, where there are registers enough.
    compiled_for!("avx2": products_avx2 by 8, combine_avx2 by 4, eliminate_avx2);
    compiled_for!("avx512f,avx512dq": products_avx512 by 8, combine_avx512 by 8, eliminate_avx512);

    /// Proof that the processor has avx512f and avx512ifma: made only by functions compiled for
    /// them.
    #[derive(Clone, Copy)]
    struct Ifma(());

    impl Ifma {
        #[target_feature(enable = "avx512f,avx512ifma")]
        fn new() -> Self {
            Self(())
        }
    }

    #[allow(unsafe_code)]
    impl Lanes for Ifma {
        type Vector = __m512i;

        #[inline(always)]
        fn load(self, values: &[u64; LANES]) -> __m512i {
            // SAFETY: both are 64 bytes, and all bytes are values of either.
            unsafe { std::mem::transmute::<[u64; LANES], __m512i>(*values) }
        }

        #[inline(always)]
        fn load_short(self, values: &[u32; LANES]) -> __m512i {
            // SAFETY: both are 32 bytes, and all bytes are values of either.
            let values = unsafe { std::mem::transmute::<[u32; LANES], __m256i>(*values) };
            // SAFETY: `self` is there, so the processor has the instruction.
            unsafe { _mm512_cvtepu32_epi64(values) }
        }

        #[inline(always)]
        fn load_shorter_up(self, values: &[u16; LANES]) -> __m512i {
            // SAFETY: both are 16 bytes, and all bytes are values of either.
            let values = unsafe { std::mem::transmute::<[u16; LANES], __m128i>(*values) };
            // SAFETY: as in `add_low`.
            unsafe { _mm512_slli_epi64::<12>(_mm512_cvtepu16_epi64(values)) }
        }

        #[inline(always)]
        fn splat(self, value: u64) -> __m512i {
            // SAFETY: as in `add_low`.
            unsafe { _mm512_set1_epi64(value as i64) }
        }

        #[inline(always)]
        fn add(self, a: __m512i, b: __m512i) -> __m512i {
            // SAFETY: as in `add_low`.
            unsafe { _mm512_add_epi64(a, b) }
        }

        #[inline(always)]
        fn store(self, vector: __m512i) -> [u64; LANES] {
            // SAFETY: as in `load`.
            unsafe { std::mem::transmute::<__m512i, [u64; LANES]>(vector) }
        }

        #[inline(always)]
        fn upper(self, vector: __m512i) -> __m512i {
            // SAFETY: as in `add_low`.
            unsafe { _mm512_srli_epi64::<52>(vector) }
        }

        #[inline(always)]
        fn lower(self, vector: __m512i) -> __m512i {
            // SAFETY: as in `add_low`.
            unsafe { _mm512_and_si512(vector, _mm512_set1_epi64((1 << 52) - 1)) }
        }

        #[inline(always)]
        fn add_low(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
            // SAFETY: `self` is there, so the processor has the instruction.
            unsafe { _mm512_madd52lo_epu64(sum, a, b) }
        }

        #[inline(always)]
        fn add_high(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
            // SAFETY: as in `add_low`.
            unsafe { _mm512_madd52hi_epu64(sum, a, b) }
        }
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn low_tiles(
        matrix: &[[[u64; LANES]; LANES]],
        symmetric: bool,
        vector: &[[u64; LANES]],
        sums: &mut [[[u64; LANES]; 2]],
    ) {
        lanes::multiply(Ifma::new(), matrix, symmetric, vector, sums);
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn high_tiles(
        matrix: &[[[u32; LANES]; LANES]],
        symmetric: bool,
        vector: &[[u64; LANES]],
        sums: &mut [[[u64; LANES]; 2]],
    ) {
        lanes::multiply(Ifma::new(), matrix, symmetric, vector, sums);
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn wide_tiles(
        words: &[[[u64; LANES]; LANES]],
        above: &[[[u16; LANES]; LANES]],
        symmetric: bool,
        vector: &[[u64; LANES]],
        sums: &mut [[[u64; LANES]; 3]],
    ) {
        if above.is_empty() {
            lanes::multiply_wide(Ifma::new(), words.iter(), symmetric, vector, sums);
        } else {
            let tiles = words.iter().zip(above);
            lanes::multiply_wide(Ifma::new(), tiles, symmetric, vector, sums);
        }
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn combine_ifma(
        matrix: &mut [u64],
        shape: (usize, usize),
        pivots: &[u64],
        coefficients: &[u64],
        prime: Prime,
    ) {
        lanes::combine(Ifma::new(), matrix, shape, pivots, coefficients, prime);
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn convolve_ifma(
        columns: &[[u64; LANES]],
        factor: &[u64],
        emit: &mut dyn FnMut(&[u64; LANES], &[u64; LANES]),
    ) {
        lanes::convolve(Ifma::new(), columns, factor, emit);
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn horner_ifma(digits: &[[u64; LANES]], p: u64, out: &mut [[u64; LANES]]) {
        lanes::horner(Ifma::new(), digits, p, out);
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn multiply_up_ifma(
        parts: [&[[u64; LANES]]; 2],
        factor: &[u64],
        out: &mut [[u64; LANES]],
    ) {
        lanes::multiply_up(Ifma::new(), parts, factor, out);
    }
}
