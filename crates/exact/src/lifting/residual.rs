//! The residual of a lifting: n integers of a fixed number of words, one exact division a step.

use etalon_modular::Prime;
use rug::Integer;

use crate::lifting::integers::{residue, words_of};

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
            out.extend(entries.map(|words| match short(words) {
                Some(value) => self.prime.residue_of_wide(value),
                None => self.prime.residue_of_words(words),
            }));
        }
    }

    /// The digits of all entries in base p, those of p^0 first. The last ones are signed, and may be longer than p.
    pub fn digits(&self) -> Weights {
        if self.words == 2 {
            let (entries, _) = self.values.as_chunks::<2>();
            let values = entries.iter().map(|r| number(*r) as i128).collect();
            return digits(
                values,
                |value| i64::try_from(*value).ok(),
                |value| {
                    let digit = self.prime.residue_of_wide(*value) as i64;
                    // An exact division; the difference is above -2^127 - 2^50 only modulo 2^128.
                    let rest = value.wrapping_sub(digit.into()) as u128;
                    *value = rest.wrapping_mul(self.inverse) as i128;
                    digit
                },
            );
        }
        let divisor = Integer::from(self.prime.p());
        let entries = self.values.chunks_exact(self.words);
        digits(entries.map(signed).collect(), Integer::to_i64, |value| {
            let digit = residue(value, self.prime);
            *value -= digit;
            value.div_exact_mut(&divisor);
            digit as i64
        })
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
        } else if self.words == 3 && (self.matrix_bits as usize).max(width * limbs) < 128 {
            // A column of 400 rows is as long, of 70 bits an entry.
            let (p, inverse) = (self.prime.p(), self.inverse);
            let offset = Words3::shifted(digit_sum, self.matrix_bits);
            let (entries, _) = self.values.as_chunks_mut::<3>();
            for (i, r) in entries.iter_mut().enumerate() {
                let mut value = Words3::new(*r).plus(offset);
                for k in 0..limbs {
                    value = value.minus(Words3::shifted(product.sum(i, k), (width * k) as u32));
                }
                *r = value.words();
                if let Some(quotient) = value.quotient(p, inverse) {
                    *r = quotient;
                } else {
                    divide_exactly(r, p, inverse as u64);
                    exact &= is_small(r[2]);
                }
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

/// Numbers in base p: for each power of p, the digit of each number, a word with its sign.
pub(crate) type Weights = Vec<Vec<i64>>;

/// Digits are taken off until all that is left are words.
fn digits<T>(
    mut values: Vec<T>,
    word: impl Fn(&T) -> Option<i64>,
    mut digit: impl FnMut(&mut T) -> i64,
) -> Weights {
    let mut digits = Vec::new();
    loop {
        if let Some(last) = values.iter().map(&word).collect() {
            digits.push(last);
            return digits;
        }
        digits.push(values.iter_mut().map(&mut digit).collect());
    }
}

/// The number with these words in two's complement.
fn signed(words: &[u64]) -> Integer {
    let value = Integer::from_digits(words, rug::integer::Order::Lsf);
    match words.last() {
        Some(top) if top >> 63 == 1 => value - (Integer::from(1) << (64 * words.len() as u32)),
        _ => value,
    }
}

fn number([low, high]: [u64; 2]) -> u128 {
    u128::from(low) | u128::from(high) << 64
}

/// A number of some words in two's complement where 128 bits hold it.
fn short(words: &[u64]) -> Option<i128> {
    let (first, rest) = words.split_first_chunk::<2>()?;
    let value = number(*first) as i128;
    let sign = (value >> 127) as u64;
    rest.iter().all(|word| *word == sign).then_some(value)
}

/// A number modulo 2^192.
#[derive(Clone, Copy)]
struct Words3 {
    low: u128,
    high: u64,
}

impl Words3 {
    fn new([first, second, high]: [u64; 3]) -> Self {
        let low = number([first, second]);
        Self { low, high }
    }

    fn words(self) -> [u64; 3] {
        let [first, second] = words_of(self.low as i128);
        [first, second, self.high]
    }

    /// value 2^shift, for a shift below 128.
    #[inline(always)]
    fn shifted(value: u128, shift: u32) -> Self {
        let low = value << shift;
        // Twice, because a shift by 128 is none.
        let high = (value >> 1 >> (127 - shift)) as u64;
        Self { low, high }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        let high = self.high.wrapping_add(other.high);
        let high = high.wrapping_add(u64::from(carry));
        Self { low, high }
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        let high = self.high.wrapping_sub(other.high);
        let high = high.wrapping_sub(u64::from(borrow));
        Self { low, high }
    }

    /// The quotient by p where it is exact and 128 bits hold it: then quotient and p have the number as their product,
    /// of which only the top word has to be compared. `inverse` is that of p modulo 2^128.
    #[inline(always)]
    fn quotient(self, p: u64, inverse: u128) -> Option<[u64; 3]> {
        let quotient = self.low.wrapping_mul(inverse) as i128;
        let [first, second] = words_of(quotient);
        let carry = (u128::from(first) * u128::from(p)) >> 64;
        // Below 2^(63 + 50) + 2^50 in absolute value.
        let upper = i128::from(second as i64) * i128::from(p) + carry as i128;
        let top = (upper >> 64) as u64;
        (top == self.high).then_some([first, second, (quotient >> 127) as u64])
    }
}

/// Whether a number with this top word is below 2^(64 words - 51) in absolute value.
fn is_small(top: u64) -> bool {
    const LIMIT: i64 = 1 << (63 - DIGIT_BITS);
    (-LIMIT..LIMIT).contains(&(top as i64))
}

/// The inverse of an odd number modulo 2^128 (Newton's iteration doubles the valid bits).
pub(crate) fn inverse_of(p: u64) -> u128 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rug::integer::Order;

    /// The number between -2^191 and 2^191.
    fn integer(value: Words3) -> Integer {
        let unsigned = Integer::from_digits(&value.words(), Order::Lsf);
        if value.high >> 63 == 1 {
            unsigned - (Integer::from(1) << 192)
        } else {
            unsigned
        }
    }

    fn words3(value: &Integer) -> Words3 {
        let mut words = Vec::new();
        push_words(&mut words, value, 3);
        Words3::new(words.try_into().unwrap())
    }

    proptest! {
        #[test]
        fn numbers_of_three_words_add_and_subtract(
            start: [u64; 3], value: u128, shift in 0_u32..128,
        ) {
            let start = Words3::new(start);
            let shifted = Words3::shifted(value, shift);
            let exact = Integer::from(value) << shift;
            let modulus = Integer::from(1) << 192_u32;
            let same = |found: Words3, exact: Integer| {
                (integer(found) - exact).is_divisible(&modulus)
            };
            prop_assert!(same(shifted, exact.clone()));
            prop_assert!(same(start.plus(shifted), integer(start) + &exact));
            prop_assert!(same(start.minus(shifted), integer(start) - &exact));
        }

        #[test]
        fn a_short_quotient_is_found_where_there_is_one(
            quotient: i128, shift in 0_u32..128, rest in 0_u64..1 << 50, k in 0..Prime::COUNT,
        ) {
            let p = Prime::nth(k).unwrap().p();
            let inverse = inverse_of(p);
            let quotient = quotient >> shift;
            let dividend = Integer::from(quotient) * p;
            let [first, second] = words_of(quotient);
            let words = [first, second, (quotient >> 127) as u64];
            prop_assert_eq!(words3(&dividend).quotient(p, inverse), Some(words));
            prop_assert_eq!(short(&words), Some(quotient));
            // Not exact, or longer than 128 bits.
            let rest = rest % (p - 1) + 1;
            prop_assert_eq!(words3(&(dividend + rest)).quotient(p, inverse), None);
            let long = (Integer::from(1) << 127_u32) + Integer::from(quotient).abs();
            for long in [long.clone(), -long - 1] {
                prop_assert_eq!(words3(&(long * p)).quotient(p, inverse), None);
            }
        }

        #[test]
        fn steps_of_any_length_divide_exactly(
            r in prop::collection::vec(any::<i64>(), 1..9),
            bits in 1_u32..240, limbs in 1_usize..3, seed: u64,
        ) {
            // r = p times these plus the product, so that these are the quotients.
            struct Sums { values: Vec<u128>, limbs: usize }
            impl Product for Sums {
                fn limbs(&self) -> usize { self.limbs }
                fn width(&self) -> usize { 40 }
                fn sum(&self, i: usize, k: usize) -> u128 { self.values[i * self.limbs + k] }
            }
            let prime = Prime::nth(0).unwrap();
            let mixed = |k: usize| u128::from(seed.rotate_left(k as u32 * 7)) << (k % 30);
            let values = (0..r.len() * limbs).map(mixed).collect();
            let product = Sums { values, limbs };
            let digit_sum = u128::from(seed >> 3);
            let dividend = |i: usize| {
                let raised = (0..limbs).map(|k| Integer::from(product.sum(i, k)) << (40 * k as u32));
                let image = raised.sum::<Integer>() - (Integer::from(digit_sum) << bits);
                Integer::from(r[i]) * prime.p() + image
            };
            let b: Vec<Integer> = (0..r.len()).map(dividend).collect();
            let mut residual = Residual::new(&b, bits, prime);
            prop_assert_eq!(residual.step(&product, digit_sum), Ok(()));
            let found = residual.values.chunks_exact(residual.words);
            let found: Vec<_> = found.map(short).collect();
            let expected: Vec<_> = r.iter().map(|r| Some(i128::from(*r))).collect();
            prop_assert_eq!(found, expected);
            let mut residues = Vec::new();
            residual.residues(&mut residues);
            for (residue, r) in residues.into_iter().zip(&r) {
                prop_assert_eq!(i128::from(residue), i128::from(*r).rem_euclid(prime.p().into()));
            }
            // Digits give the entries back.
            let p = Integer::from(prime.p());
            let horner = |digits: &Weights, i: usize| {
                let horner = |value: Integer, row: &Vec<i64>| value * &p + row[i];
                digits.iter().rev().fold(Integer::new(), horner)
            };
            let digits = residual.digits();
            for (i, r) in r.iter().enumerate() {
                prop_assert_eq!(horner(&digits, i), Integer::from(*r));
            }
            let digits = Residual::new(&b, bits, prime).digits();
            for (i, b) in b.iter().enumerate() {
                prop_assert_eq!(&horner(&digits, i), b);
            }
            let lower = digits.iter().rev().skip(1).flatten();
            prop_assert!(lower.copied().all(|digit| (0..prime.p() as i64).contains(&digit)));
            let mut spoiled = b;
            spoiled[0] += 1;
            let mut residual = Residual::new(&spoiled, bits, prime);
            prop_assert_eq!(residual.step(&product, digit_sum), Err(Remainder));
        }
    }
}
