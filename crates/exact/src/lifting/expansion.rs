//! The p-adic expansion of a solution; from both sides at once, where a core is idle.
//!
//! Digits come one after another, and each of them is too little work to be shared. But the common denominator is that of one
//! number c'x, a combination of the entries, and c'x = c'A^-1 b can be expanded from the left as well: with y' = c'A^-1,
//!
//! b = A x_k + p^k r and c = A'y_j + p^j s give c'x = c'x_k + p^k y_j'r modulo p^(k+j).
//!
//! So each of two threads lifts half of the digits that the denominator takes, by the same prime and the same inverse. The numerators
//! take about half of the digits, and come from x_k.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use etalon_certify::on_threads;
use etalon_modular::{Backend, Prime};
use rug::Integer;

use crate::budget::Meter;
use crate::lifting::integers::IntegerMatrix;
use crate::lifting::lift::{Inverted, Lifting};
use crate::lifting::predict::Prediction;
use crate::lifting::radix::Radix;
use crate::lifting::{Failure, Fractions, PRIMES, PRODUCTS, Sizes, System};

/// The expansion of x, and that of y.
#[derive(Debug)]
pub(crate) struct Expansion {
    right: Lifting,
    left: Option<Lifting>,
    threads: usize,
}

impl Expansion {
    /// An expansion that is under way.
    pub fn of(right: Lifting) -> Self {
        Self {
            right,
            left: None,
            threads: 1,
        }
    }

    /// The beginning, with a guess of how far to go; none where A is singular modulo three primes.
    pub fn new(
        matrix: &IntegerMatrix,
        b: &[Integer],
        backend: Backend,
        threads: usize,
    ) -> (Option<Self>, Prediction) {
        let inverted = || {
            let primes = (0..PRIMES).filter_map(Prime::nth);
            let mut inverted = primes.map(|prime| Inverted::new(matrix, prime, backend));
            inverted.find_map(Result::ok)
        };
        let guess = || Prediction::new(matrix, b);
        if threads < 2 {
            let right = inverted().map(|inverted| inverted.lifting(b));
            return (right.map(Self::of), guess());
        }
        let mut parts = on_threads(2, threads, |k| match k {
            0 => Part::Inverted(inverted()),
            _ => Part::Prediction(guess()),
        })
        .into_iter();
        let inverted = match parts.next() {
            Some(Part::Inverted(inverted)) => inverted,
            _ => None,
        };
        let prediction = match parts.next() {
            Some(Part::Prediction(prediction)) => prediction,
            _ => guess(),
        };
        let begun = inverted.map(|inverted| {
            let c: Vec<Integer> = coefficients(matrix.n).map(Integer::from).collect();
            let [right, left] = inverted.liftings(b, &c, threads);
            Self {
                right,
                left: Some(left),
                threads,
            }
        });
        (begun, prediction)
    }

    /// Begins with another right-hand side.
    pub fn restart(&mut self, b: &[Integer]) {
        self.right.restart(b);
    }

    /// Changes one digit of one entry, as a faulty machine might.
    #[cfg(test)]
    pub fn spoil(&mut self, i: usize, k: usize) {
        self.right.spoil(i, k);
    }

    /// The number of digits of the combination so far.
    pub fn len(&self) -> usize {
        self.right.len() + self.left.as_ref().map_or(0, Lifting::len)
    }

    /// Lifts until there are so many digits.
    pub fn grow(&mut self, target: usize, system: &System) -> Result<(), Failure> {
        let missing = target.saturating_sub(self.len());
        let Some(left) = &mut self.left else {
            return grow(&mut self.right, target, 1, system.most_digits, system.meter);
        };
        let half = target / 2;
        let meter = || system.meter.clone();
        let shares = [
            Mutex::new((&mut self.right, target - half, meter())),
            Mutex::new((left, half, meter())),
        ];
        let most_digits = system.most_digits / 2;
        let threads = if missing > FEW { shares.len() } else { 1 };
        let grown = on_threads(shares.len(), threads, |k| {
            let mut share = locked(&shares[k]);
            let (lifting, target, meter) = &mut *share;
            grow(lifting, *target, 2, most_digits, meter)
        });
        grown.into_iter().collect()
    }

    /// What `work` finds with x alone, while another thread lifts the left side until it has so many digits or `work` has found
    /// something.
    pub fn beside(
        &mut self,
        target: usize,
        system: &System,
        work: impl Fn(&mut Self, &System) -> Result<Option<Fractions>, Failure> + Sync,
    ) -> Result<Option<Fractions>, Failure> {
        let Some(left) = self.left.take() else {
            return work(self, system);
        };
        let is_over = AtomicBool::new(false);
        let most_digits = system.most_digits / 2;
        let sizes = system.sizes;
        let right = Mutex::new((&mut *self, system.meter.clone()));
        let left = Mutex::new((left, system.meter.clone()));
        let mut found = on_threads(2, 2, |k| {
            if k == 0 {
                let mut right = locked(&right);
                let (expansion, meter) = &mut *right;
                let system = System {
                    sizes,
                    most_digits,
                    meter,
                };
                let found = work(expansion, &system);
                is_over.store(!matches!(found, Ok(None)), Ordering::Relaxed);
                return found;
            }
            let mut left = locked(&left);
            let (lifting, meter) = &mut *left;
            while lifting.len() < target && !is_over.load(Ordering::Relaxed) {
                let next = lifting.len() + 1;
                grow(lifting, next, 2, most_digits, meter)?;
            }
            Ok(None)
        })
        .into_iter();
        let (left, _) = left.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.left = Some(left);
        match found.next() {
            Some(Ok(None)) => found.next().unwrap_or(Ok(None)),
            found => found.unwrap_or(Ok(None)),
        }
    }

    /// Lifts until there are so many digits of x.
    pub fn grow_right(&mut self, target: usize, system: &System) -> Result<(), Failure> {
        grow(&mut self.right, target, 1, system.most_digits, system.meter)
    }

    /// A combination of all entries with small positive coefficients, which share no pattern with the data, modulo a power of
    /// p, and that. Its denominator is the common one of all entries, but for an accident.
    pub fn combination(&self) -> (Integer, Integer) {
        let (right, count) = (&self.right, self.len());
        let coefficients: Vec<u64> = coefficients(right.rows()).collect();
        let mut sums = right.weighted(&coefficients);
        sums.resize(count, 0);
        if let Some(left) = &self.left {
            let mut add = |place: usize, weights: &[u64], sign: i128| {
                let own = sums.iter_mut().skip(right.len() + place);
                for (sum, more) in own.zip(left.weighted(weights)) {
                    *sum += sign * more;
                }
            };
            let (digits, negative) = right.residual().digits();
            for (place, weights) in digits.iter().enumerate() {
                add(place, weights, 1);
            }
            let negative: Vec<u64> = negative.into_iter().map(u64::from).collect();
            add(digits.len(), &negative, -1);
        }
        let radix = Radix::new(right.prime().p());
        (radix.value_of_sums(&sums), radix.power(count))
    }

    /// Entry i modulo a power of p, and that.
    pub fn entry(&self, i: usize) -> (Integer, Integer) {
        let count = self.right.len();
        let radix = Radix::new(self.right.prime().p());
        (radix.value(&self.right.entry(i, count)), radix.power(count))
    }

    /// den x modulo p^count, nearest to zero; `None` unless A num = den b is proved by size. All digits of x are taken where there
    /// are fewer.
    pub fn numerators(
        &self,
        sizes: Sizes,
        denominator: &Integer,
        count: usize,
    ) -> Option<Vec<Integer>> {
        let lifting = &self.right;
        let count = count.min(lifting.len());
        let radix = Radix::new(lifting.prime().p());
        let modulus = radix.power(count);
        let numerators = Numerators {
            lifting,
            sizes,
            denominator,
            digits: &radix.digits(denominator.clone(), count),
            half: Integer::from(&modulus >> 1),
            modulus,
            radix,
        };
        let parts = on_threads(sizes.n.div_ceil(PART), self.threads, |k| {
            numerators.of(k * PART..sizes.n.min((k + 1) * PART))
        });
        let parts: Option<Vec<_>> = parts.into_iter().collect();
        Some(parts?.into_iter().flatten().collect())
    }
}

/// So few digits are lifted by one thread: to begin another one takes as long.
const FEW: usize = 8;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Numerators that are worked out together: their digits stay in the cache.
const PART: usize = 64;

/// The coefficients of the combination.
fn coefficients(n: usize) -> impl Iterator<Item = u64> {
    (0..n as u64).map(|i| 1 + (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61))
}

/// A part of a beginning.
enum Part<'a> {
    Inverted(Option<Inverted<'a>>),
    Prediction(Prediction),
}

/// Lifts one of so many expansions until it has so many digits.
fn grow(
    lifting: &mut Lifting,
    target: usize,
    sides: u64,
    most_digits: usize,
    meter: &Meter,
) -> Result<(), Failure> {
    while lifting.len() < target {
        let bits = sides * lifting.len() as u64 * 50;
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
    radix: Radix,
    modulus: Integer,
    half: Integer,
}

impl Numerators<'_> {
    /// The numerators of these entries.
    fn of(&self, entries: Range<usize>) -> Option<Vec<Integer>> {
        let (lifting, denominator) = (self.lifting, self.denominator);
        let scaled = lifting.scaled(self.digits, entries.clone());
        let numerator = |i: usize| {
            let value = match &scaled {
                Some(scaled) => self.radix.value(&scaled.entry(i - entries.start)),
                None => {
                    let value = lifting.entry(i, self.digits.len());
                    self.radix.value(&value) * denominator % &self.modulus
                }
            };
            let value = if value > self.half {
                value - &self.modulus
            } else {
                value
            };
            (self.sizes)
                .is_proved(&value, denominator, &self.modulus)
                .then_some(value)
        };
        entries.clone().map(numerator).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::lifting::{CHECK, Entries};
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

    /// Makes the lower triangle the mirror image of the upper one.
    fn reflect(matrix: &mut IntegerMatrix) {
        let n = matrix.n;
        if let Entries::Narrow(values) = &mut matrix.entries {
            for k in 0..n * n {
                let (i, j) = (k / n, k % n);
                values[k] = values[i.min(j) * n + i.max(j)];
            }
        }
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
        assert!(found.solve_modulo(matrix, b, CHECK, threads));
        (found, expansion)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn both_sides_find_what_one_finds(n in 13_usize..40, seed: u64, is_symmetric: bool) {
            let mut example = system(n, seed);
            if is_symmetric {
                reflect(&mut example.0);
            }
            let (one, single) = solved(&example, 1);
            let (two, double) = solved(&example, 2);
            prop_assert_eq!(&one, &two);
            // Each side has its half.
            let left = double.left.as_ref().unwrap();
            prop_assert!(double.len() <= single.len() + 8);
            prop_assert!(double.right.len().abs_diff(left.len()) <= 8);
            // Both are expansions of the same number.
            let (sum, modulus) = double.combination();
            let exact = two.numerators.iter().zip(coefficients(n)).map(|(v, c)| Integer::from(v * c));
            let exact: Integer = exact.sum();
            prop_assert!((sum * &two.denominator - exact).is_divisible(&modulus));
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
        // Row 0 is a multiple of the first prime, of the second, or of both.
        for (singular, prime) in [(p(0), 1), (p(1), 0), (p(0) * p(1), 2)] {
            let mut entries = vec![0; n * n];
            (0..n).for_each(|i| entries[i * n + i] = 3);
            entries[0] = singular;
            let matrix = IntegerMatrix {
                n,
                entries: Entries::Narrow(entries),
            };
            let (found, expansion) = solved(&(matrix, b.clone()), 2);
            assert_eq!(Some(expansion.right.prime()), Prime::nth(prime));
            let first = Integer::from(&found.numerators[0] * singular);
            assert_eq!(first, found.denominator);
        }
    }

    #[test]
    fn the_left_side_is_lifted_until_something_is_found() {
        let (matrix, b) = system(20, 7);
        let meter = Meter::new(&Budget::default());
        let system = System::new(&matrix, &b, &meter);
        let begun = || Expansion::new(&matrix, &b, Backend::detect(), 2).0.unwrap();
        let left = |expansion: &Expansion| expansion.left.as_ref().unwrap().len();
        let mut expansion = begun();
        let found = expansion.beside(9, &system, |own, system| {
            own.grow(4, system)?;
            assert_eq!(own.len(), 4);
            Ok(None)
        });
        assert_eq!(found, Ok(None));
        assert_eq!((expansion.right.len(), left(&expansion)), (4, 9));
        // However many are asked for, it ends with what is found, and with a failure.
        for ending in [Ok(Some(())), Err(Failure::Singular)] {
            let mut expansion = begun();
            let found = expansion.beside(usize::MAX, &system, |_, _| {
                let fractions = |()| crate::lifting::Fractions {
                    numerators: Vec::new(),
                    denominator: Integer::from(1),
                };
                ending.clone().map(|found| found.map(fractions))
            });
            assert_eq!(found.map(|found| found.map(|_| ())), ending);
            assert!(expansion.left.is_some());
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
