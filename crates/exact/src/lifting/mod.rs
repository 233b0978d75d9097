//! Exact solutions of A x = b by p-adic lifting (Dixon 1982).
//!
//! Given A^-1 modulo one prime p, products of fixed matrices with vectors of small numbers give the
//! digits of x in base p one after the other, all in machine words. When there
//! are about twice as many digits as the fraction of determinants has, rational reconstruction
//! finds one denominator for all entries, and the numerators follow by a multiplication each.
//!
//! **Guess and proof.** The number of digits, and the fraction that they
//! mean, are guessed. The result is proved: the digits satisfy A x = b modulo p^k, because every
//! division in [`residual`] was checked to be exact; so do numerators and denominator, A num = den b
//! modulo p^k; and both sides are so small that they must be equal. As a guard against faults of the machine
//! and mistakes in vector code, the result is also checked modulo another prime.
//!
//! Cost for k digits (about 2 n (bits of A + log n) / 50): n^3 products for the inverse, k n^2 for
//! the digits, and n products of long integers for the numerators.

mod bareiss;
mod expansion;
mod factors;
mod integers;
mod lift;
mod predict;
mod products;
mod radix;
mod reconstruct;
mod remainders;
mod residual;
mod several;
mod sparse;
#[cfg(test)]
mod tests;

pub(crate) use factors::PRODUCTS;
pub(crate) use integers::{Entries, IntegerMatrix, NARROW_BITS, is_symmetric, residue, to_float};
pub(crate) use several::Factored;
pub(crate) use sparse::SparseMatrix;

use std::iter;

use etalon_certify::on_threads;
use etalon_modular::{Backend, MAX_COLUMNS, Prime};
use rug::Integer;

use crate::budget::{Exhausted, Meter};
use crate::cores::spare;
use expansion::Expansion;
use predict::Prediction;
use reconstruct::{SLACK_BITS, reconstruct};

/// The largest system. The sums of products of more columns would not fit machine words, and
/// the solution would have some 10^9 bits.
pub(crate) const MAX_ROWS: usize = MAX_COLUMNS;

/// The index of the prime for the check of the result. Lifting uses those before it.
const CHECK: usize = PRIMES * MAX_SIDES;

/// A matrix that is singular modulo so many primes is treated as singular. Chosen, not derived: a nonzero determinant
/// of b bits has at most b / 49 prime factors of this size, so three given primes seldom all divide it. No proof rests
/// on it.
const PRIMES: usize = 3;

/// Expansions by primes of their own, at most: each takes an inverse, which is as long for all of them.
const MAX_SIDES: usize = 4;

/// x = numerators / denominator, the denominator positive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fractions {
    pub numerators: Vec<Integer>,
    pub denominator: Integer,
}

/// The reasons why there is no solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The determinant vanishes, or does so modulo three primes of 50 bits.
    Singular,
    Exhausted(Exhausted),
}

impl From<Exhausted> for Failure {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

/// Solves A x = b, b with as many entries as A has rows. The budget's bits bound the common
/// denominator, its time the lifting.
pub(crate) fn solve(
    matrix: &IntegerMatrix,
    b: &[Integer],
    meter: &Meter,
) -> Result<Fractions, Failure> {
    if matrix.n <= bareiss::MAX_ROWS {
        meter.uncounted(0, matrix.n.pow(3))?;
        let found = bareiss::solve(matrix, b).ok_or(Failure::Singular)?;
        meter.uncounted(u64::from(found.denominator.significant_bits()), 0)?;
        return Ok(found);
    }
    solve_with(matrix, b, meter, Backend::detect())
}

fn solve_with(
    matrix: &IntegerMatrix,
    b: &[Integer],
    meter: &Meter,
    backend: Backend,
) -> Result<Fractions, Failure> {
    let system = System::new(matrix, b, meter);
    if matrix.n == 0 {
        return Ok(Fractions {
            numerators: Vec::new(),
            denominator: Integer::from(1),
        });
    }
    if matrix.n > MAX_ROWS {
        return Err(Exhausted::Rows(MAX_ROWS).into());
    }
    let spare = spare(helpers(matrix.n, meter));
    let (expansion, prediction) = Expansion::new(matrix, b, backend, spare.threads());
    let mut expansion = expansion.ok_or(Failure::Singular)?;
    let found = system.lift(&mut expansion, &prediction, None)?;
    // As with a remainder: nothing that was worked out is trusted then.
    let holds = found.solve_modulo(matrix, b, CHECK, spare.threads());
    holds.then_some(found).ok_or(Failure::Singular)
}

/// Fewer rows are lifted by one thread: a digit of 100 rows takes some microseconds, and to begin a thread as long as ten of them.
const SHARED: usize = 100;

/// The cores that may help with a system of so many rows, if they are idle.
pub(crate) fn helpers(rows: usize, meter: &Meter) -> usize {
    if rows < SHARED { 0 } else { meter.helpers() }
}

/// Rows that a thread checks before it takes the next ones.
const PART: usize = 64;

struct System<'a> {
    sizes: Sizes,
    /// Digits of all unknowns, at most.
    most_digits: usize,
    meter: &'a Meter,
}

/// The sizes of A and b.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    n: usize,
    /// Bits of n entries of A.
    sum_bits: u32,
    /// Bits of an entry of b.
    b_bits: u32,
}

impl Sizes {
    /// For entries of A below 2^bits.
    fn new(bits: u32, b: &[Integer]) -> Self {
        let n = b.len();
        let b_bits = b.iter().map(Integer::significant_bits).max();
        Self {
            n,
            sum_bits: bits + n.next_power_of_two().trailing_zeros(),
            b_bits: b_bits.unwrap_or(0),
        }
    }

    /// Bits of A num - den b, at most.
    fn image_bits(self, numerator: u32, denominator: u32) -> u32 {
        // |A num| is below 2^(numerator + sum_bits), |den b| below 2^(denominator + b_bits): the difference
        // has one bit more than the larger of them.
        (numerator + self.sum_bits).max(denominator + self.b_bits) + 1
    }

    /// Whether A num = den b follows, for numerators as long as this one, from
    /// A num = den b modulo p^count: the difference is a multiple of that, and smaller.
    fn is_proved(self, numerator: &Integer, denominator: &Integer, modulus: &Integer) -> bool {
        let bits = (numerator.significant_bits(), denominator.significant_bits());
        // The modulus is at least 2^(its bits - 1). A number of fewer bits is smaller, and as a multiple of
        // it 0.
        self.image_bits(bits.0, bits.1) < modulus.significant_bits()
    }
}

impl<'a> System<'a> {
    fn new(matrix: &IntegerMatrix, b: &[Integer], meter: &'a Meter) -> Self {
        Self {
            sizes: Sizes::new(matrix.bits(), b),
            most_digits: usize::MAX,
            meter,
        }
    }

    /// Lifts until the digits determine the solution. A `known` denominator may be one of it, too.
    fn lift(
        &self,
        expansion: &mut Expansion,
        prediction: &Prediction,
        known: Option<&Integer>,
    ) -> Result<Fractions, Failure> {
        let spare = SLACK_BITS + 24;
        let predicted = prediction.digits(spare);
        // Structured data have far smaller denominators than their determinants. Far below the prediction one looks at an eighth and at half
        // of it, as an early end is rare and an attempt cheap there.
        let first = (predicted / 8).max(FIRST_TRIAL);
        let early = || {
            let longer = iter::successors(Some(first), |target| Some(4 * target));
            longer.take_while(|target| *target <= predicted / 2)
        };
        let found = expansion.beside(predicted / 2, self, |expansion, system| {
            for target in early() {
                let found = system.trial(expansion, target, Some(prediction), known)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
            Ok(None)
        })?;
        if let Some(found) = found {
            return Ok(found);
        }
        let mut target = predicted;
        loop {
            if let Some(found) = self.trial(expansion, target, None, known)? {
                return Ok(found);
            }
            // Little is missing as a rule.
            target += target / 16 + 2;
        }
    }

    /// Lifts to so many digits, and looks whether they determine the solution. Where that would be `early`, one expects nothing, and
    /// does not look long.
    fn trial(
        &self,
        expansion: &mut Expansion,
        target: usize,
        early: Option<&Prediction>,
        known: Option<&Integer>,
    ) -> Result<Option<Fractions>, Failure> {
        expansion.grow(target, self)?;
        let bits = expansion.len() as u32 * 50;
        let den_bits = early.map_or(bits, |prediction| {
            prediction.denominator(bits.saturating_sub(SLACK_BITS)) + MARGIN
        });
        self.meter.uncounted(0, self.attempt_entries(bits))?;
        if let Some(known) = known
            && let Some(fractions) = self.attempt_over(expansion, known)
        {
            return Ok(Some(fractions));
        }
        self.attempt(expansion, den_bits)
    }

    /// The solution, if the digits so far determine it.
    fn attempt(
        &self,
        expansion: &mut Expansion,
        den_bits: u32,
    ) -> Result<Option<Fractions>, Failure> {
        // One reconstruction for all entries: n of them would cost n Euclidean algorithms on
        // numbers of full length.
        let (sum, modulus) = expansion.combination();
        let Some((num, mut denominator)) = reconstruct(&sum, &modulus, den_bits) else {
            return Ok(None);
        };
        // The largest numerator is about as long as that of the combination.
        let bits = num.significant_bits();
        // As a rule nothing of the denominator cancels in b'x.
        if expansion.is_mirrored()
            && let Some(numerators) = self.numerators(expansion, &denominator, bits)?
        {
            return Ok(Some(Fractions {
                numerators,
                denominator,
            }));
        }
        // In other combinations, small factors of it cancel often.
        denominator *= SMOOTH;
        let bits = bits + 64 - SMOOTH.leading_zeros();
        let found = match self.numerators(expansion, &denominator, bits)? {
            Some(numerators) => Some(Fractions {
                numerators,
                denominator,
            }),
            None => self.completed(expansion, denominator),
        };
        Ok(found.map(|mut found| {
            found.reduce(SMOOTH);
            found
        }))
    }

    /// The numerators over a denominator, if all of them have about so many bits.
    fn numerators(
        &self,
        expansion: &mut Expansion,
        denominator: &Integer,
        bits: u32,
    ) -> Result<Option<Vec<Integer>>, Failure> {
        let bits = (self.sizes).image_bits(bits + MARGIN, denominator.significant_bits());
        let enough = (f64::from(bits) / 49.99).ceil() as usize + 1;
        // Some half of all digits is enough for the numerators.
        let enough = enough.min(expansion.len());
        expansion.grow_right(enough, self)?;
        Ok(expansion.numerators(self.sizes, denominator, enough))
    }

    /// What an attempt on so many bits takes, in entries of the meter: Euclid's algorithm, and a product of
    /// long numbers for each numerator.
    fn attempt_entries(&self, bits: u32) -> usize {
        let words = bits as usize / 64 + 1;
        words * words / 5 + self.sizes.n * words * words.min(64) / 20
    }

    /// The solution over a denominator that is known, if the digits so far determine it.
    fn attempt_over(&self, expansion: &Expansion, denominator: &Integer) -> Option<Fractions> {
        // One combination shows whether there is any point in working out all of them.
        let (sum, modulus) = expansion.combination();
        let sum = sum * denominator % &modulus;
        let nearest = Integer::from(&sum - &modulus);
        let bits = sum.significant_bits().min(nearest.significant_bits());
        // The coefficients of the combination are at most 8, so it is at most 8 n times the largest
        // numerator.
        let spare = 64 - (8 * self.sizes.n as u64).leading_zeros();
        let bits = bits.saturating_sub(spare);
        let bits = (self.sizes).image_bits(bits, denominator.significant_bits());
        if bits >= modulus.significant_bits() {
            return None;
        }
        let numerators = expansion.numerators(self.sizes, denominator, usize::MAX)?;
        Some(Fractions {
            numerators,
            denominator: denominator.clone(),
        })
    }

    /// The solution with a denominator that may lack factors, from all digits.
    fn completed(&self, expansion: &Expansion, mut denominator: Integer) -> Option<Fractions> {
        for i in 0..self.sizes.n {
            let (value, modulus) = expansion.entry(i);
            let value = value * &denominator % &modulus;
            denominator *= reconstruct(&value, &modulus, u32::MAX)?.1;
        }
        let numerators = expansion.numerators(self.sizes, &denominator, usize::MAX)?;
        Some(Fractions {
            numerators,
            denominator,
        })
    }
}

impl Fractions {
    /// Whether A num = den b modulo the k-th prime. The proof does not need it: it is there for
    /// what a proof does not cover, a bit that flips in memory or a mistake in a kernel. Costs n^2
    /// products.
    fn solve_modulo(
        &self,
        matrix: &IntegerMatrix,
        b: &[Integer],
        k: usize,
        threads: usize,
    ) -> bool {
        let Some(prime) = Prime::nth(k) else {
            return false;
        };
        let n = matrix.n;
        let parts = n.div_ceil(PART);
        // Few rows take as long as to begin a thread.
        let threads = if parts > 4 { threads } else { 1 };
        let part = |k: usize| k * PART..n.min((k + 1) * PART);
        let numerators = on_threads(parts, threads, |k| {
            residues(&self.numerators[part(k)], prime)
        });
        let numerators: Vec<u64> = numerators.into_iter().flatten().collect();
        let holds = on_threads(parts, threads, |k| {
            let rows = matrix.residues_of(part(k), prime);
            let rows = rows.chunks_exact(n);
            let rows = rows.map(|row| row.iter().copied().enumerate());
            self.rows_hold(rows, &b[part(k)], &numerators, prime)
        });
        holds.into_iter().all(|holds| holds)
    }

    /// The same for rows of entries modulo p with their columns.
    fn solve_rows_modulo(
        &self,
        rows: impl Iterator<Item = impl Iterator<Item = (usize, u64)>>,
        b: &[Integer],
        prime: Prime,
    ) -> bool {
        self.rows_hold(rows, b, &residues(&self.numerators, prime), prime)
    }

    /// Whether rows hold, given the numerators modulo p.
    fn rows_hold(
        &self,
        rows: impl Iterator<Item = impl Iterator<Item = (usize, u64)>>,
        b: &[Integer],
        numerators: &[u64],
        prime: Prime,
    ) -> bool {
        let denominator = residue(&self.denominator, prime);
        let mut rows = rows.zip(b);
        rows.all(|(mut row, b)| {
            let image = row.try_fold(0_u128, |sum, (j, a)| {
                let num = numerators.get(j)?;
                // Below 2^100, and rows are at most 2^17.
                Some(sum + u128::from(a) * u128::from(*num))
            });
            let image = image.map(|image| prime.residue_of_wide(image as i128));
            image == Some(prime.multiply(denominator, residue(b, prime)))
        })
    }

    /// Takes out what all numbers have in common with a small number.
    fn reduce(&mut self, small: u64) {
        let all = self.numerators.iter().chain([&self.denominator]);
        let mut common = Integer::from(small);
        for value in all {
            if common == 1 {
                return;
            }
            common.gcd_mut(value);
        }
        let all = self.numerators.iter_mut().chain([&mut self.denominator]);
        all.for_each(|value| value.div_exact_mut(&common));
    }
}

fn residues(values: &[Integer], prime: Prime) -> Vec<u64> {
    values.iter().map(|value| residue(value, prime)).collect()
}

/// The factors that the denominator of a combination may lack: powers of the primes up to 29.
const SMOOTH: u64 = (1 << 13) * 729 * 125 * 49 * 11 * 13 * 17 * 19 * 23 * 29;

/// Digits at the first attempt, or fewer where fewer are predicted.
const FIRST_TRIAL: usize = 4;

/// Bits that numerators may have more than their combination, and denominators than expected.
const MARGIN: u32 = 16;
