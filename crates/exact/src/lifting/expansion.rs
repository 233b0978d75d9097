//! The p-adic expansion of a solution; by two primes side by side, where a core is idle.
//!
//! Digits come one after another, and each of them is too little work to be shared. But digits by another prime are as good: x modulo
//! p_1^j and x modulo p_2^k are x modulo p_1^j p_2^k (Chinese remainders). So each of two threads lifts half of the digits that
//! the common denominator takes. The numerators take half of the digits, and come from those by the first prime.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use etalon_certify::on_threads;
use etalon_modular::{Backend, Prime};
use rug::Integer;

use crate::budget::Meter;
use crate::lifting::integers::IntegerMatrix;
use crate::lifting::lift::Lifting;
use crate::lifting::predict::Prediction;
use crate::lifting::radix::Radix;
use crate::lifting::{CHECK, Failure, PRIMES, PRODUCTS, Sizes, System};

/// The expansion by one prime or by two.
#[derive(Debug)]
pub(crate) struct Expansion {
    first: Lifting,
    second: Option<Lifting>,
}

impl Expansion {
    /// An expansion that is under way.
    pub fn of(first: Lifting) -> Self {
        Self {
            first,
            second: None,
        }
    }

    /// The beginning, with a guess of how far to go; none where A is singular modulo three primes. A second prime is taken
    /// for more threads than one.
    pub fn new(
        matrix: &IntegerMatrix,
        b: &[Integer],
        backend: Backend,
        threads: usize,
    ) -> (Option<Self>, Prediction) {
        let begun = |prime: Option<Prime>| Lifting::new(matrix, b, prime?, backend).ok();
        let first = || (0..PRIMES).find_map(|k| begun(Prime::nth(k)));
        let guess = || Prediction::new(matrix, b);
        if threads < 2 {
            return (first().map(Self::of), guess());
        }
        let mut parts = on_threads(3, threads, |k| match k {
            0 => Part::Lifting(Box::new(first())),
            1 => Part::Lifting(Box::new(begun(Prime::nth(CHECK + 1)))),
            _ => Part::Prediction(guess()),
        })
        .into_iter();
        let mut lifting = || match parts.next() {
            Some(Part::Lifting(lifting)) => *lifting,
            _ => None,
        };
        let (first, second) = (lifting(), lifting());
        let prediction = match parts.next() {
            Some(Part::Prediction(prediction)) => prediction,
            _ => guess(),
        };
        (first.map(|first| Self { first, second }), prediction)
    }

    /// Begins with another right-hand side.
    pub fn restart(&mut self, b: &[Integer]) {
        let second = self.second.as_mut();
        [&mut self.first]
            .into_iter()
            .chain(second)
            .for_each(|own| own.restart(b));
    }

    /// Changes one digit of one entry, as a faulty machine might.
    #[cfg(test)]
    pub fn spoil(&mut self, i: usize, k: usize) {
        self.first.spoil(i, k);
    }

    /// The number of digits so far.
    pub fn len(&self) -> usize {
        self.first.len() + self.second.as_ref().map_or(0, Lifting::len)
    }

    /// Lifts until there are so many digits.
    pub fn grow(&mut self, target: usize, system: &System) -> Result<(), Failure> {
        let Some(second) = &mut self.second else {
            return grow(&mut self.first, target, 1, system.most_digits, system.meter);
        };
        let half = target / 2;
        let meter = || system.meter.clone();
        let shares = [
            Mutex::new((&mut self.first, target - half, meter())),
            Mutex::new((second, half, meter())),
        ];
        let most_digits = system.most_digits / 2;
        let grown = on_threads(shares.len(), shares.len(), |k| {
            let mut share = shares[k].lock().unwrap_or_else(PoisonError::into_inner);
            let (lifting, target, meter) = &mut *share;
            grow(lifting, *target, 2, most_digits, meter)
        });
        grown.into_iter().collect()
    }

    /// Lifts until there are so many digits by the first prime.
    pub fn grow_first(&mut self, target: usize, system: &System) -> Result<(), Failure> {
        grow(&mut self.first, target, 1, system.most_digits, system.meter)
    }

    /// A [combination](Lifting::combination) of all entries, modulo the product of the powers of the primes.
    pub fn combination(&self) -> (Integer, Integer) {
        self.value(Lifting::combination)
    }

    /// Entry i modulo the same number.
    pub fn entry(&self, i: usize) -> (Integer, Integer) {
        self.value(|lifting| lifting.entry(i, lifting.len()))
    }

    /// The number of these digits by each prime, with its modulus.
    fn value(&self, digits: impl Fn(&Lifting) -> Vec<u64>) -> (Integer, Integer) {
        let one = |lifting: &Lifting| {
            let radix = Radix::new(lifting.prime().p());
            let modulus = radix.power(lifting.len());
            (radix.value(&digits(lifting)) % &modulus, modulus)
        };
        let (first, modulus) = one(&self.first);
        let Some((second, other)) = self.second.as_ref().map(one) else {
            return (first, modulus);
        };
        // first + modulus t is second modulo the other one for t = (second - first) / modulus there. The moduli are powers of
        // two different primes, so there is an inverse.
        let Ok(inverse) = modulus.clone().invert(&other) else {
            return (first, modulus);
        };
        let times = ((second - &first) * inverse).modulo(&other);
        (first + times * &modulus, modulus * other)
    }

    /// den x modulo p^count, p the first prime, nearest to zero; `None` unless A num = den b is proved by size. All digits
    /// by p are taken where there are fewer.
    pub fn numerators(
        &self,
        sizes: Sizes,
        denominator: &Integer,
        count: usize,
    ) -> Option<Vec<Integer>> {
        let lifting = &self.first;
        let count = count.min(lifting.len());
        let radix = Radix::new(lifting.prime().p());
        let digits = radix.digits(denominator.clone(), count);
        let threads = if self.second.is_some() { 2 } else { 1 };
        let part = sizes.n.div_ceil(threads).next_multiple_of(LANES);
        let parts = on_threads(sizes.n.div_ceil(part), threads, |k| {
            let own = k * part..sizes.n.min((k + 1) * part);
            let numerators = Numerators {
                lifting,
                sizes,
                denominator,
                digits: &digits,
            };
            numerators.of(own)
        });
        let parts: Option<Vec<_>> = parts.into_iter().collect();
        Some(parts?.into_iter().flatten().collect())
    }
}

/// Entries that are scaled together.
const LANES: usize = 8;

/// A part of a beginning.
enum Part {
    Lifting(Box<Option<Lifting>>),
    Prediction(Prediction),
}

/// Lifts one of so many expansions until it has so many digits.
fn grow(
    lifting: &mut Lifting,
    target: usize,
    primes: u64,
    most_digits: usize,
    meter: &Meter,
) -> Result<(), Failure> {
    while lifting.len() < target {
        let bits = primes * lifting.len() as u64 * 50;
        // Half of the digits are the numerator's: the budget bounds the bits of the
        // denominator.
        meter.uncounted(bits / 2, 0)?;
        let products = lifting.step_products();
        meter.uncounted(0, products / PRODUCTS + 1)?;
        lifting.check_room(most_digits)?;
        // A remainder would contradict the inverse; no digits are trusted then.
        lifting.step().map_err(|_| Failure::Singular)?;
    }
    Ok(())
}

/// What numerators are made of.
struct Numerators<'a> {
    lifting: &'a Lifting,
    sizes: Sizes,
    denominator: &'a Integer,
    /// Those of the denominator, as many as are taken of the entries.
    digits: &'a [u64],
}

impl Numerators<'_> {
    /// The numerators of these entries.
    fn of(&self, entries: Range<usize>) -> Option<Vec<Integer>> {
        let (lifting, denominator) = (self.lifting, self.denominator);
        let count = self.digits.len();
        // Powers are remembered where they are made, so each thread has its own.
        let radix = Radix::new(lifting.prime().p());
        let modulus = radix.power(count);
        let half = Integer::from(&modulus >> 1);
        let scaled = lifting.scaled(self.digits, entries.clone());
        let numerator = |i: usize| {
            let value = match &scaled {
                Some(scaled) => radix.value(&scaled.entry(i - entries.start)),
                None => radix.value(&lifting.entry(i, count)) * denominator % &modulus,
            };
            let value = if value > half {
                value - &modulus
            } else {
                value
            };
            (self.sizes)
                .is_proved(&value, denominator, &modulus)
                .then_some(value)
        };
        entries.clone().map(numerator).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::lifting::Entries;
    use proptest::prelude::*;

    /// A system of n rows with entries of some 30 bits.
    fn system(n: usize, seed: u64) -> (IntegerMatrix, Vec<Integer>) {
        let entry = |k: usize| {
            let mixed = (seed ^ k as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) as i64 >> 34
        };
        let entries = (0..n * n).map(|k| i128::from(entry(k))).collect();
        let matrix = IntegerMatrix {
            n,
            entries: Entries::Narrow(entries),
        };
        (
            matrix,
            (0..n).map(|i| Integer::from(entry(n * n + i))).collect(),
        )
    }

    fn solved(
        (matrix, b): &(IntegerMatrix, Vec<Integer>),
        threads: usize,
    ) -> (crate::lifting::Fractions, Expansion) {
        let meter = Meter::new(&Budget::default());
        let system = System::new(matrix, b, &meter);
        let (expansion, prediction) = Expansion::new(matrix, b, Backend::detect(), threads);
        let mut expansion = expansion.unwrap();
        let found = system.lift(&mut expansion, &prediction, None).unwrap();
        assert!(found.solve_modulo(matrix, b, CHECK));
        (found, expansion)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn two_primes_find_what_one_finds(n in 13_usize..40, seed: u64) {
            let example = system(n, seed);
            let (one, single) = solved(&example, 1);
            let (two, double) = solved(&example, 2);
            prop_assert_eq!(&one, &two);
            // Each prime has its half.
            let second = double.second.as_ref().unwrap();
            prop_assert!(double.len() <= single.len() + 8);
            prop_assert!(double.first.len().abs_diff(second.len()) <= 8);
            // The remainders are those of the solution.
            let (value, modulus) = double.entry(n - 1);
            let (num, den) = (&two.numerators[n - 1], &two.denominator);
            prop_assert!((value * den - num).is_divisible(&modulus));
        }
    }

    #[test]
    fn a_matrix_that_is_singular_modulo_a_prime_is_lifted_by_others() {
        let n = 14;
        let b = vec![Integer::from(1); n];
        let p = |k: usize| i128::from(Prime::nth(k).unwrap().p());
        // Row 0 is a multiple of the first prime, of the second expansion's, or of both.
        for (singular, primes) in [(p(0), 2), (p(CHECK + 1), 1), (p(1), 2)] {
            let mut entries = vec![0; n * n];
            (0..n).for_each(|i| entries[i * n + i] = 3);
            entries[0] = singular;
            let matrix = IntegerMatrix {
                n,
                entries: Entries::Narrow(entries),
            };
            let (found, expansion) = solved(&(matrix, b.clone()), 2);
            assert_eq!(1 + usize::from(expansion.second.is_some()), primes);
            let first = Integer::from(&found.numerators[0] * singular);
            assert_eq!(first, found.denominator);
        }
    }

    #[test]
    fn a_budget_of_bits_ends_two_expansions_where_it_ends_one() {
        let (matrix, b) = system(20, 5);
        let ended = |bits: u64, threads: usize| {
            let budget = Budget {
                bits,
                ..Budget::default()
            };
            let meter = Meter::new(&budget);
            let system = System::new(&matrix, &b, &meter);
            let (expansion, prediction) = Expansion::new(&matrix, &b, Backend::detect(), threads);
            let found = system.lift(&mut expansion.unwrap(), &prediction, None);
            found.is_err()
        };
        for bits in (0..1_500).step_by(50) {
            // The last digit of one of two may be the one too many.
            assert!(ended(bits, 2) == ended(bits, 1) || ended(bits + 50, 1) != ended(bits, 1));
        }
        assert!(ended(100, 2) && !ended(1_500, 2));
    }
}
