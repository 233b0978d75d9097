//! The p-adic expansion of a solution: from both sides at once, and by several primes where cores are idle.
//!
//! The common denominator is that of one number c'x, a combination of the entries, and c'x = c'A^-1 b can be expanded from the
//! left as well: with y' = c'A^-1,
//!
//! b = A x_k + p^k r and c = A'y_j + p^j s give c'x = c'x_k + p^k y_j'r modulo p^(k+j).
//!
//! **Symmetric A.** With c = b the left side is the right one: y = x. So k digits of x give b'x modulo p^(2k), and half of the digits are
//! never lifted. Of a prime factor q of the denominator nothing is lost in b'x unless the rank of A falls by 2 or more modulo q: if it falls
//! by 1, the adjoint is s u u' modulo q, so b'x loses q only where x does. A factor L that is lost leaves L^2 in det A. So the rest of the digits, which L has
//! no part in, are enough to find it from the entries. The numerators take about half of the digits, too, and come from x_k. What idle cores then lift is x by other
//! primes, each with an inverse of its own: with P the product of the powers, all that is known modulo each of them is known modulo P.
//!
//! **Other A.** Each of two threads lifts half of the digits, x or y, by the same prime and the same inverse.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use etalon_certify::on_threads;
use etalon_modular::{Backend, Prime};
use rug::Integer;

use crate::budget::Meter;
use crate::lifting::integers::IntegerMatrix;
use crate::lifting::lift::{Inverted, Lifting};
use crate::lifting::predict::Prediction;
use crate::lifting::products::Form;
use crate::lifting::radix::Radix;
use crate::lifting::remainders::{Remainders, joined};
use crate::lifting::residual::Weights;
use crate::lifting::{Failure, Fractions, MAX_SIDES, PRIMES, PRODUCTS, Sizes, System};

/// The expansions of x, and what gives more digits of the combination.
#[derive(Debug)]
pub(crate) struct Expansion {
    /// At least one, each by a prime of its own.
    sides: Vec<Lifting>,
    second: Second,
    threads: usize,
}

/// What the combination is expanded by beside x.
#[derive(Debug)]
enum Second {
    None,
    /// The expansion of y.
    Left(Box<Lifting>),
    /// That of x once more: A is symmetric and the combination b'x, with b in the base of each side.
    Mirrored(Vec<Weights>),
}

impl Expansion {
    /// An expansion that is under way.
    pub fn of(right: Lifting) -> Self {
        Self {
            sides: vec![right],
            second: Second::None,
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
        let is_symmetric = matrix.is_symmetric();
        let sides = if is_symmetric {
            threads.clamp(1, MAX_SIDES)
        } else {
            1
        };
        let inverted = |side: usize| {
            let primes = (0..PRIMES).filter_map(|k| Prime::nth(side + k * sides));
            let mut inverted = primes.map(|prime| Inverted::new(matrix, prime, backend));
            inverted.find_map(Result::ok)
        };
        let form = || Form::new(matrix, is_symmetric, backend);
        let parts = on_threads(sides + 2, threads, |k| match k.checked_sub(sides) {
            None => Part::Inverted(inverted(k)),
            Some(0) => Part::Prediction(Prediction::new(matrix, b, is_symmetric)),
            Some(_) => Part::Form(form()),
        });
        let (mut inverses, mut prediction, mut own_form) = (Vec::new(), None, None);
        for part in parts {
            match part {
                Part::Inverted(own) => inverses.push(own),
                Part::Prediction(own) => prediction = Some(own),
                Part::Form(own) => own_form = Some(own),
            }
        }
        let prediction = prediction.unwrap_or_else(|| Prediction::guess(0.0, 0.0));
        let form = own_form.unwrap_or_else(form);
        let inverses: Option<Vec<Inverted>> = inverses.into_iter().collect();
        let begun = inverses.map(|inverses| {
            if is_symmetric {
                return Self::mirrored(&inverses, &form, b, threads);
            }
            Self::two_sided(&inverses[0], &form, b, threads)
        });
        (begun, prediction)
    }

    /// That of a symmetric matrix.
    fn mirrored(inverses: &[Inverted], form: &Form, b: &[Integer], threads: usize) -> Self {
        let sides = on_threads(inverses.len(), threads, |k| {
            inverses[k].lifting(form.clone(), b)
        });
        // Nothing is lifted yet: the residual is b.
        let weights = sides.iter().map(|side| side.residual().digits());
        Self {
            second: Second::Mirrored(weights.collect()),
            sides,
            threads,
        }
    }

    /// That of any matrix, from two sides if there are two threads.
    fn two_sided(inverse: &Inverted, form: &Form, b: &[Integer], threads: usize) -> Self {
        if threads < 2 {
            return Self::of(inverse.lifting(form.clone(), b));
        }
        let c: Vec<Integer> = coefficients(b.len()).map(Integer::from).collect();
        let mut begun = on_threads(2, threads, |k| match k {
            0 => inverse.lifting(form.clone(), b),
            _ => inverse.transposed_lifting(&c),
        });
        let left = begun.pop();
        Self {
            sides: begun,
            second: left.map_or(Second::None, |own| Second::Left(Box::new(own))),
            threads,
        }
    }

    /// Begins with another right-hand side.
    pub fn restart(&mut self, b: &[Integer]) {
        self.sides.iter_mut().for_each(|side| side.restart(b));
    }

    /// Changes one digit of one entry, as a faulty machine might.
    #[cfg(test)]
    pub fn spoil(&mut self, i: usize, k: usize) {
        self.sides[0].spoil(i, k);
    }

    /// The number of digits of x so far.
    fn own_len(&self) -> usize {
        self.sides.iter().map(Lifting::len).sum()
    }

    /// The number of digits of the combination so far.
    pub fn len(&self) -> usize {
        let own = self.own_len();
        match &self.second {
            Second::None => own,
            Second::Left(left) => own + left.len(),
            Second::Mirrored(_) => 2 * own,
        }
    }

    /// Whether the combination is b'x.
    pub fn is_mirrored(&self) -> bool {
        matches!(self.second, Second::Mirrored(_))
    }

    /// Lifts until there are so many digits.
    pub fn grow(&mut self, target: usize, system: &System) -> Result<(), Failure> {
        let sides = self.sides.len();
        let (mut shares, times): (Vec<_>, usize) = match &mut self.second {
            Second::Left(left) => (vec![(&mut **left, target / 2)], 2),
            Second::None => (Vec::new(), sides),
            Second::Mirrored(_) => (Vec::new(), 2 * sides),
        };
        let own = target.div_ceil(times);
        shares.extend(self.sides.iter_mut().map(|side| (side, own)));
        grow_all(shares, times as u64, self.threads, system)
    }

    /// What `work` finds with x alone, while another thread lifts the left side, if there is one, until it has so many digits or `work` has
    /// found something.
    pub fn beside(
        &mut self,
        target: usize,
        system: &System,
        work: impl Fn(&mut Self, &System) -> Result<Option<Fractions>, Failure> + Sync,
    ) -> Result<Option<Fractions>, Failure> {
        let left = match mem::replace(&mut self.second, Second::None) {
            Second::Left(left) => left,
            other => {
                self.second = other;
                return work(self, system);
            }
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
        self.second = Second::Left(left);
        match found.next() {
            Some(Ok(None)) => found.next().unwrap_or(Ok(None)),
            found => found.unwrap_or(Ok(None)),
        }
    }

    /// Lifts until there are so many digits of x.
    pub fn grow_right(&mut self, target: usize, system: &System) -> Result<(), Failure> {
        let sides = self.sides.len();
        let own = target.div_ceil(sides);
        let shares = self.sides.iter_mut().map(|side| (side, own)).collect();
        grow_all(shares, sides as u64, self.threads, system)
    }

    /// A combination of all entries modulo a power of p or a product of such powers, and that. Its denominator is the common one of
    /// all entries, but for an accident. The coefficients are b, or small positive ones that share no pattern with the data.
    pub fn combination(&self) -> (Integer, Integer) {
        let sides = on_threads(self.sides.len(), self.threads, |k| self.combination_of(k));
        joined(sides)
    }

    /// That of the side k, modulo a power of its prime, and that.
    fn combination_of(&self, k: usize) -> (Integer, Integer) {
        let side = &self.sides[k];
        let small = || vec![coefficients(side.rows()).collect::<Vec<i64>>()];
        let (own, left) = match &self.second {
            Second::None => (&small(), None),
            Second::Left(left) => (&small(), Some(&**left)),
            Second::Mirrored(b) => (&b[k], Some(side)),
        };
        let mut sums = vec![0; side.len() + left.map_or(0, Lifting::len)];
        let mut add = |place: usize, lifting: &Lifting, weights: &Weights| {
            for (k, weights) in weights.iter().enumerate() {
                let own = sums.iter_mut().skip(place + k);
                for (sum, more) in own.zip(lifting.weighted(weights)) {
                    *sum += more;
                }
            }
        };
        add(0, side, own);
        if let Some(left) = left {
            add(side.len(), left, &side.residual().digits());
        }
        let radix = Radix::new(side.prime());
        (radix.value_of_sums(&sums), radix.power(sums.len()))
    }

    /// Entry i modulo what all digits determine, and that.
    pub fn entry(&self, i: usize) -> (Integer, Integer) {
        let all = Remainders::new(&self.sides, &Integer::from(1), usize::MAX);
        let value = all.of(i..i + 1).pop().unwrap_or_default();
        (value, all.modulus)
    }

    /// den x modulo what so many digits determine, nearest to zero; `None` unless A num = den b is proved by size. All digits of x are taken
    /// where there are fewer.
    pub fn numerators(
        &self,
        sizes: Sizes,
        denominator: &Integer,
        count: usize,
    ) -> Option<Vec<Integer>> {
        let all = Remainders::new(&self.sides, denominator, count);
        let half = Integer::from(&all.modulus >> 1);
        let numerator = |value: Integer| {
            let value = if value > half {
                value - &all.modulus
            } else {
                value
            };
            sizes
                .is_proved(&value, denominator, &all.modulus)
                .then_some(value)
        };
        // Over a wrong denominator nearly all of them are too large.
        let is_over = AtomicBool::new(false);
        let parts = on_threads(sizes.n.div_ceil(PART), self.threads, |k| {
            if is_over.load(Ordering::Relaxed) {
                return None;
            }
            let own = all.of(k * PART..sizes.n.min((k + 1) * PART));
            let found: Option<Vec<_>> = own.into_iter().map(numerator).collect();
            is_over.fetch_or(found.is_none(), Ordering::Relaxed);
            found
        });
        let parts: Option<Vec<_>> = parts.into_iter().collect();
        Some(parts?.into_iter().flatten().collect())
    }
}

/// So few steps are done by one thread: to begin another one takes as long.
const FEW: usize = 4;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Numerators that are worked out together: their digits stay in the cache.
const PART: usize = 16;

/// The coefficients of the combination.
fn coefficients(n: usize) -> impl Iterator<Item = i64> {
    (0..n as u64).map(|i| 1 + (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61) as i64)
}

/// A part of a beginning.
enum Part<'a> {
    Inverted(Option<Inverted<'a>>),
    Prediction(Prediction),
    Form(Form),
}

/// Lifts each expansion until it has its number of digits, where each digit counts so many times.
fn grow_all(
    shares: Vec<(&mut Lifting, usize)>,
    times: u64,
    threads: usize,
    system: &System,
) -> Result<(), Failure> {
    let most_digits = system.most_digits / shares.len().max(1);
    let missing = |(lifting, target): &(&mut Lifting, usize)| target.saturating_sub(lifting.len());
    let most = shares.iter().map(missing).max().unwrap_or(0);
    let threads = if most > FEW { threads } else { 1 };
    let share = |(lifting, target)| Mutex::new((lifting, target, system.meter.clone()));
    let shares: Vec<_> = shares.into_iter().map(share).collect();
    let grown = on_threads(shares.len(), threads, |k| {
        let mut share = locked(&shares[k]);
        let (lifting, target, meter) = &mut *share;
        grow(lifting, *target, times, most_digits, meter)
    });
    grown.into_iter().collect()
}

/// Lifts one expansion until it has so many digits, where each counts so many times.
fn grow(
    lifting: &mut Lifting,
    target: usize,
    times: u64,
    most_digits: usize,
    meter: &Meter,
) -> Result<(), Failure> {
    while lifting.len() < target {
        let bits = times * lifting.len() as u64 * 50;
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

    fn left(expansion: &Expansion) -> &Lifting {
        match &expansion.second {
            Second::Left(left) => left,
            other => panic!("{other:?}"),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn all_sides_find_what_one_finds(n in 13_usize..40, seed: u64, is_symmetric: bool) {
            let mut example = system(n, seed);
            if is_symmetric {
                reflect(&mut example.0);
            }
            let (one, single) = solved(&example, 1);
            for threads in 2..=3 {
                let (all, several) = solved(&example, threads);
                prop_assert_eq!(&one, &all);
                // Each side has its share.
                prop_assert!(several.len() <= single.len() + 8 * threads);
                let mut lengths: Vec<usize> = several.sides.iter().map(Lifting::len).collect();
                if is_symmetric {
                    prop_assert_eq!(lengths.len(), threads);
                    prop_assert_eq!(2 * single.sides[0].len(), single.len());
                } else {
                    lengths.push(left(&several).len());
                }
                prop_assert!(lengths.iter().all(|own| own.abs_diff(lengths[0]) <= 8));
                // All are expansions of the same number.
                let (sum, modulus) = several.combination();
                let weights: Vec<Integer> = match is_symmetric {
                    true => example.1.clone(),
                    false => coefficients(n).map(Integer::from).collect(),
                };
                let exact = all.numerators.iter().zip(weights).map(|(v, c)| v * c);
                let exact: Integer = exact.sum();
                prop_assert!(modulus.significant_bits() as usize > 49 * several.len());
                prop_assert!((sum * &all.denominator - exact).is_divisible(&modulus));
                // The remainders are those of the solution.
                let (value, modulus) = several.entry(n - 1);
                let (num, den) = (&all.numerators[n - 1], &all.denominator);
                prop_assert!((value * den - num).is_divisible(&modulus));
            }
        }
    }

    /// With A = (0 B; B' 0) and b = (c, 0) the upper half of x is 0, and so is b'x.
    #[test]
    fn a_denominator_that_the_combination_has_lost_is_found_from_the_entries() {
        let (half, n) = (8, 16);
        let (b, c) = system(half, 11);
        let Entries::Narrow(b) = &b.entries else {
            panic!("they are short");
        };
        let mut entries = vec![0; n * n];
        for (i, j) in (0..half).flat_map(|i| (0..half).map(move |j| (i, j))) {
            entries[i * n + half + j] = b[i * half + j];
            entries[(half + j) * n + i] = b[i * half + j];
        }
        let matrix = IntegerMatrix {
            n,
            entries: Entries::Narrow(entries),
        };
        let right = [c, vec![Integer::new(); half]].concat();
        for threads in 1..=3 {
            let (found, expansion) = solved(&(matrix.clone(), right.clone()), threads);
            assert_eq!(expansion.combination().0, 0);
            assert!(found.numerators[..half].iter().all(|v| *v == 0));
            assert!(found.denominator.significant_bits() > 200);
        }
    }

    #[test]
    fn a_matrix_that_is_singular_modulo_a_prime_is_lifted_by_others() {
        let n = 14;
        let b = vec![Integer::from(1); n];
        let p = |k: usize| i128::from(Prime::nth(k).unwrap().p());
        // Row 0 is a multiple of the first prime, of the second, or of both.
        for (singular, alone, together) in [
            (p(0), [1, 1], [2, 1]),
            (p(1), [0, 0], [0, 3]),
            (p(0) * p(1), [2, 2], [2, 3]),
        ] {
            let mut entries = vec![0; n * n];
            (0..n).for_each(|i| entries[i * n + i] = 3);
            entries[0] = singular;
            let matrix = IntegerMatrix {
                n,
                entries: Entries::Narrow(entries),
            };
            for (threads, primes) in [(1, alone), (2, together)] {
                let (found, expansion) = solved(&(matrix.clone(), b.clone()), threads);
                for (side, prime) in expansion.sides.iter().zip(primes) {
                    assert_eq!(Some(side.prime()), Prime::nth(prime));
                }
                let first = Integer::from(&found.numerators[0] * singular);
                assert_eq!(first, found.denominator);
            }
        }
    }

    #[test]
    fn the_left_side_is_lifted_until_something_is_found() {
        let (matrix, b) = system(20, 7);
        let meter = Meter::new(&Budget::default());
        let system = System::new(&matrix, &b, &meter);
        let begun = || Expansion::new(&matrix, &b, Backend::detect(), 2).0.unwrap();
        let mut expansion = begun();
        let found = expansion.beside(9, &system, |own, system| {
            own.grow(4, system)?;
            assert_eq!(own.len(), 4);
            Ok(None)
        });
        assert_eq!(found, Ok(None));
        let lengths = (expansion.sides[0].len(), left(&expansion).len());
        assert_eq!(lengths, (4, 9));
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
            left(&expansion);
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
