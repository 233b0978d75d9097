//! The residual of a lifting: n integers of a fixed number of words, one exact division a step.

use etalon_modular::Prime;
use rug::Integer;

use crate::lifting::integers::words_of;

/// Bits of a digit; p is a little below 2^50.
const DIGIT_BITS: u32 = 50;

/// The vector r of (b - A x_k) / p^k, each entry in `words` words of two's complement.
#[derive(Debug, Clone)]
pub(crate) struct Residual {
    values: Vec<u64>,
    words: usize,
    /// |entry of A| < 2^matrix_bits.
    matrix_bits: u32,
    prime: Prime,
    /// The inverse of p modulo 2^128.
    inverse: u128,
}

/// A division by p left a remainder: what was called the inverse of A modulo p is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Remainder;

impl Residual {
    /// r = b to begin with. Before a division, the entries are below those of b plus n p times
    /// those of A; the quotients of those of A are a digit shorter.
    pub fn new(b: &[Integer], matrix_bits: u32, prime: Prime) -> Self {
        let n = b.len();
        let b_bits = b.iter().map(Integer::significant_bits).max().unwrap_or(0);
        let sum_bits = matrix_bits + n.next_power_of_two().trailing_zeros();
        // b and its quotients, of 50 bits less, add at most a bit to A y and its quotient.
        let bits = b_bits.max(sum_bits + DIGIT_BITS) + 1;
        // Two words at least, so that the short case is one u128.
        let words = ((bits + 2).div_ceil(64) as usize).max(2);
        let mut values = Vec::with_capacity(n * words);
        for value in b {
            push_words(&mut values, value, words);
        }
        Self {
            values,
            words,
            matrix_bits,
            prime,
            inverse: inverse_of(prime.p()),
        }
    }

    /// The words of all entries.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The residues of r modulo p; `out` is overwritten.
    pub fn residues(&self, out: &mut Vec<u64>) {
        out.clear();
        if self.words == 2 {
            let (entries, _) = self.values.as_chunks::<2>();
            out.extend(
                entries
                    .iter()
                    .map(|r| self.prime.residue_of_wide(number(*r) as i128)),
            );
        } else {
            let entries = self.values.chunks_exact(self.words);
            out.extend(entries.map(|words| self.prime.residue_of_words(words)));
        }
    }

    /// r <- (r - A y) / p, given the product of y with the raised matrix A + 2^matrix_bits and the
    /// sum of the entries of y.
    ///
    /// The division is proved exact: a quotient so small, times p, is the dividend and not only
    /// congruent to it modulo 2^(64 words).
    pub fn step(&mut self, product: &impl Product, digit_sum: u128) -> Result<(), Remainder> {
        let (limbs, width) = (product.limbs(), product.width());
        let mut exact = true;
        if self.words == 2 {
            let offset = digit_sum << self.matrix_bits;
            let (entries, _) = self.values.as_chunks_mut::<2>();
            for (i, r) in entries.iter_mut().enumerate() {
                let mut value = number(*r).wrapping_add(offset);
                for k in 0..limbs {
                    value = value.wrapping_sub(product.sum(i, k) << (width * k));
                }
                *r = words_of(value.wrapping_mul(self.inverse) as i128);
                exact &= is_small(r[1]);
            }
        } else {
            for (i, r) in self.values.chunks_exact_mut(self.words).enumerate() {
                add_shifted(r, digit_sum, self.matrix_bits as usize);
                for k in 0..limbs {
                    subtract_shifted(r, product.sum(i, k), width * k);
                }
                divide_exactly(r, self.prime.p(), self.inverse as u64);
                exact &= is_small(r[self.words - 1]);
            }
        }
        if exact { Ok(()) } else { Err(Remainder) }
    }
}

/// The product of a nonnegative matrix in limbs with a vector: row i of it is the sum over k of
/// sum(i, k) 2^(width k).
pub(crate) trait Product {
    fn limbs(&self) -> usize;
    /// Bits.
    fn width(&self) -> usize;
    fn sum(&self, i: usize, k: usize) -> u128;
}

fn number([low, high]: [u64; 2]) -> u128 {
    u128::from(low) | u128::from(high) << 64
}

/// Whether a number with this top word is below 2^(64 words - 51) in absolute value.
fn is_small(top: u64) -> bool {
    const LIMIT: i64 = 1 << (63 - DIGIT_BITS);
    (-LIMIT..LIMIT).contains(&(top as i64))
}

/// The inverse of an odd number modulo 2^128 (Newton's iteration doubles the valid bits).
fn inverse_of(p: u64) -> u128 {
    let p = u128::from(p);
    // p p = 1 modulo 8: three bits are right, and 3 * 2^6 > 128.
    (0..6).fold(p, |x, _| {
        x.wrapping_mul(2_u128.wrapping_sub(p.wrapping_mul(x)))
    })
}

fn push_words(values: &mut Vec<u64>, value: &Integer, words: usize) {
    let start = values.len();
    // Two's complement of a negative number, in as many bits as there are.
    let modulus = Integer::from(1) << (64 * words as u32);
    let value = if *value < 0 {
        modulus + value
    } else {
        value.clone()
    };
    values.extend(value.to_digits::<u64>(rug::integer::Order::Lsf));
    values.resize(start + words, 0);
}

/// The words of value << shift, from the word that the shift starts in.
fn shifted(value: u128, shift: usize) -> [u64; 3] {
    let bits = shift % 64;
    let low = value << bits;
    let high = if bits == 0 { 0 } else { value >> (128 - bits) };
    [low as u64, (low >> 64) as u64, high as u64]
}

fn add_shifted(words: &mut [u64], value: u128, shift: usize) {
    let Some(words) = words.get_mut(shift / 64..) else {
        return;
    };
    let added = shifted(value, shift);
    let mut carry = false;
    for (k, word) in words.iter_mut().enumerate() {
        let addend = added.get(k).copied().unwrap_or(0);
        let (sum, first) = word.overflowing_add(addend);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        *word = sum;
        carry = first | second;
    }
}

fn subtract_shifted(words: &mut [u64], value: u128, shift: usize) {
    let Some(words) = words.get_mut(shift / 64..) else {
        return;
    };
    let subtracted = shifted(value, shift);
    let mut borrow = false;
    for (k, word) in words.iter_mut().enumerate() {
        let subtrahend = subtracted.get(k).copied().unwrap_or(0);
        let (rest, first) = word.overflowing_sub(subtrahend);
        let (rest, second) = rest.overflowing_sub(u64::from(borrow));
        *word = rest;
        borrow = first | second;
    }
}

/// The quotient by p modulo 2^(64 words), from the least word up (Jebelean 1993).
fn divide_exactly(words: &mut [u64], p: u64, inverse: u64) {
    let mut borrow = 0_u64;
    for word in words {
        let (rest, under) = word.overflowing_sub(borrow);
        let quotient = rest.wrapping_mul(inverse);
        let product = u128::from(quotient) * u128::from(p);
        borrow = (product >> 64) as u64 + u64::from(under);
        *word = quotient;
    }
}
