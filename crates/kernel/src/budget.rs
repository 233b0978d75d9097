//! What one check may take, spent before it is taken: a short text can ask for numbers without
//! end, and GMP ends the process where memory ends.

use std::cell::Cell;

use rug::{Integer, Rational};

use crate::{Checked, Refusal};

/// What a number holds beside its digits: the block of an allocation, its place in a vector and a
/// column index, 64 bytes in all.
const NUMBER: u64 = 512;

/// GMP multiplies long numbers faster than word by word: for a and b words, a >= b, this many are
/// enough to count of b. (Measured up to 2^20 words, also for common divisors.)
const LONG: u64 = 1 << 12;

/// An operation on short numbers takes as long as so many products of words.
pub(crate) const SHORT: u64 = 1 << 7;

/// A common divisor takes as long as so many products of numbers of that size.
const DIVISOR: u64 = 8;

/// A division takes as long as the product of quotient and divisor, with the divisor longer by so many bits: by one word
/// GMP takes 2 to 3 ns a word of the quotient, where four products of words take a nanosecond.
pub const DIVISION: u64 = 15 * 64;

/// The means of one check. What is held comes back when it is let go of; work does not.
#[derive(Debug)]
pub struct Budget {
    bits: Cell<u64>,
    work: Cell<u64>,
}

/// Bits that are held until this is dropped.
#[derive(Debug)]
#[must_use = "what is held comes back when this is dropped"]
pub struct Held<'b> {
    /// Whose these bits are.
    pub budget: &'b Budget,
    bits: u64,
}

impl Default for Budget {
    /// 2^30 bits at once, which are 128 MiB: a record of 32 MiB, what it becomes when read, and what GMP takes
    /// for the length of one product stay with it below 300 MB. And 2^30 products of 64-bit words: a quarter
    /// of a second at four of them a nanosecond, which GMP does where numbers have more than a few words, and
    /// less than a second on a machine that is a third as fast. Where numbers are short and the work is not
    /// linear in the record, an operation counts as `SHORT`.
    fn default() -> Self {
        Self::new(1 << 30, 1 << 30)
    }
}

impl Budget {
    /// A budget of so many bits at once, and of so many products of 64-bit words.
    pub fn new(bits: u64, work: u64) -> Self {
        Self { bits: Cell::new(bits), work: Cell::new(work) }
    }

    /// What is left: bits, and products of words.
    pub fn left(&self) -> (u64, u64) {
        (self.bits.get(), self.work.get())
    }

    /// Takes hold of so many numbers, of so many bits in all.
    ///
    /// # Errors
    /// [`Refusal::MEMORY`].
    pub fn hold(&self, numbers: u64, bits: u64) -> Checked<Held<'_>> {
        let mut held = Held { budget: self, bits: 0 };
        held.more(numbers, bits).map(|()| held)
    }

    /// Spends the work of so many products of numbers of a and b bits.
    ///
    /// # Errors
    /// [`Refusal::WORK`].
    pub fn multiply(&self, times: u64, a: u64, b: u64) -> Checked {
        let words = |bits: u64| bits / 64 + 1;
        let (long, short) = (words(a.max(b)), words(a.min(b)));
        let work = times.saturating_mul(long.saturating_mul(short.min(LONG)));
        self.work.set(self.work.get().checked_sub(work).ok_or(Refusal::WORK)?);
        Ok(())
    }

    /// Spends the work of so many sums or products of fractions, brought to lowest terms, or of
    /// common multiples.
    ///
    /// # Errors
    /// [`Refusal::WORK`].
    pub fn reduce(&self, times: u64, a: u64, b: u64) -> Checked {
        self.multiply(times.saturating_mul(DIVISOR), a, b)
    }
}

impl Held<'_> {
    /// Takes hold of more.
    ///
    /// # Errors
    /// [`Refusal::MEMORY`].
    pub fn more(&mut self, numbers: u64, bits: u64) -> Checked {
        let bits = bits.saturating_add(numbers.saturating_mul(NUMBER));
        self.budget.bits.set(self.budget.bits.get().checked_sub(bits).ok_or(Refusal::MEMORY)?);
        self.bits += bits;
        Ok(())
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.budget.bits.set(self.budget.bits.get() + self.bits);
    }
}

/// The bits of an integer.
pub fn bits(value: &Integer) -> u64 {
    let limbs = value.as_limbs();
    8 * size_of_val(limbs) as u64 - limbs.last().map_or(0, |top| u64::from(top.leading_zeros()))
}

/// The bits of a fraction, numerator and denominator together.
pub fn fraction_bits(value: &Rational) -> u64 {
    bits(value.numer()) + bits(value.denom())
}

#[cfg(test)]
// A test fails by panicking; the lints are for the library.
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_comes_back_and_work_does_not() {
        let budget = Budget::new(10_000, 1_000);
        let mut held = budget.hold(2, 100).unwrap();
        assert_eq!(budget.left(), (10_000 - 2 * NUMBER - 100, 1_000));
        held.more(0, 11).unwrap();
        drop(held);
        assert_eq!(budget.left(), (10_000, 1_000));
        budget.multiply(3, 64, 127).unwrap();
        assert_eq!(budget.left(), (10_000, 1_000 - 3 * 2 * 2));
    }

    #[test]
    fn nothing_is_spent_that_is_not_there() {
        let budget = Budget::new(NUMBER + 5, 10);
        assert_eq!(budget.hold(1, 6).unwrap_err(), Refusal::MEMORY);
        assert_eq!(budget.hold(u64::MAX, u64::MAX).unwrap_err(), Refusal::MEMORY);
        assert_eq!(budget.left().0, NUMBER + 5);
        let all = budget.hold(1, 5).unwrap();
        assert_eq!(budget.left().0, 0);
        drop(all);
        assert_eq!(budget.multiply(11, 1, 1), Err(Refusal::WORK));
        assert_eq!(budget.multiply(u64::MAX, u64::MAX, u64::MAX), Err(Refusal::WORK));
        assert_eq!(budget.multiply(10, 1, 1), Ok(()));
        assert_eq!(budget.left().1, 0);
    }

    #[test]
    fn work_is_counted_in_products_of_words() {
        let work = |spend: &dyn Fn(&Budget) -> Result<(), Refusal>| {
            let budget = Budget::new(0, u64::MAX);
            spend(&budget).unwrap();
            u64::MAX - budget.left().1
        };
        assert_eq!(work(&|b| b.multiply(1, 0, 0)), 1);
        assert_eq!(work(&|b| b.multiply(7, 640, 128)), 7 * 11 * 3);
        assert_eq!(work(&|b| b.multiply(7, 128, 640)), 7 * 11 * 3);
        // Beyond LONG words the shorter number counts no more.
        assert_eq!(LONG, 4096);
        let (words, bits) = (LONG * 2, LONG * 128 - 1);
        assert_eq!(work(&|b| b.multiply(1, bits, bits)), words * LONG);
        assert_eq!(work(&|b| b.reduce(3, 64, 64)), 3 * DIVISOR * 4);
        assert_eq!((DIVISOR, SHORT), (8, 128));
        // A quotient of 100 words, by one word and by three.
        assert_eq!(work(&|b| b.multiply(5, 6_399, 1 + DIVISION)), 5 * 100 * 16);
        assert_eq!(work(&|b| b.multiply(5, 6_399, 129 + DIVISION)), 5 * 100 * 18);
    }

    #[test]
    fn the_limits_are_those_of_the_promise() {
        let (bits, work) = Budget::default().left();
        assert_eq!((bits / 8, work), (128 << 20, 1 << 30));
        assert_eq!(fraction_bits(&Rational::from((-5, 8))), 3 + 4);
        let error = Refusal::WORK.to_string();
        assert!(error.starts_with("over the budget of the checker: "), "{error}");
    }
}
