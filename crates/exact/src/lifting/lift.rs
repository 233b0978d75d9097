//! The p-adic expansion of the solution of A x = b, digit by digit.

use std::ops::Range;

use etalon_certify::on_threads;
use etalon_modular::{Backend, MAX_DIGITS, Prime, SingularModulo, inverse, scale_digits};
use rug::Integer;

use crate::budget::{Exhausted, Meter};
use crate::lifting::integers::{IntegerMatrix, transposed};
use crate::lifting::products::Products;
use crate::lifting::residual::{Remainder, Residual};
use crate::lifting::sparse::{SparseMatrix, SparseProducts};

/// An expansion under way: b = A (y_0 + y_1 p + ... + y_(k-1) p^(k-1)) + p^k r, in integers.
#[derive(Debug)]
pub(crate) struct Lifting {
    n: usize,
    /// |entry of A| < 2^bits.
    bits: u32,
    prime: Prime,
    backend: Backend,
    /// A and its inverse modulo p.
    products: Products,
    residual: Residual,
    /// y_0, y_1, ..., n residues each.
    digits: Vec<u64>,
    /// r modulo p.
    residues: Vec<u64>,
}

/// A with its inverse modulo a prime.
#[derive(Debug)]
pub(crate) struct Inverted<'a> {
    matrix: &'a IntegerMatrix,
    prime: Prime,
    backend: Backend,
    inverse: Vec<u64>,
}

impl<'a> Inverted<'a> {
    /// Inverts A modulo p: n^3 products, or half as many where A is symmetric.
    pub fn new(
        matrix: &'a IntegerMatrix,
        prime: Prime,
        backend: Backend,
    ) -> Result<Self, SingularModulo> {
        let mut inverted = matrix.residues(prime);
        inverse(&mut inverted, matrix.n, prime, backend)?;
        Ok(Self {
            matrix,
            prime,
            backend,
            inverse: inverted,
        })
    }

    /// The lifting of A x = b.
    pub fn lifting(&self, b: &[Integer]) -> Lifting {
        self.begun(self.products(false), b)
    }

    /// The liftings of A x = b and of A' y = c, on so many threads.
    pub fn liftings(&self, b: &[Integer], c: &[Integer], threads: usize) -> [Lifting; 2] {
        if self.matrix.is_symmetric() {
            // It is its own mirror image.
            let products = self.products(false);
            return [self.begun(products.clone(), b), self.begun(products, c)];
        }
        let mut products = on_threads(2, threads, |k| self.products(k == 1));
        let other = products.pop().unwrap_or_else(|| self.products(true));
        let own = products.pop().unwrap_or_else(|| self.products(false));
        [self.begun(own, b), self.begun(other, c)]
    }

    /// Those of A, or of its mirror image.
    fn products(&self, is_transposed: bool) -> Products {
        let (bits, backend) = (self.matrix.bits(), self.backend);
        if is_transposed {
            let inverse = transposed(&self.inverse, self.matrix.n);
            return Products::new(&self.matrix.transposed(), bits, &inverse, backend);
        }
        Products::new(self.matrix, bits, &self.inverse, backend)
    }

    fn begun(&self, products: Products, b: &[Integer]) -> Lifting {
        let bits = self.matrix.bits();
        Lifting {
            n: self.matrix.n,
            bits,
            prime: self.prime,
            backend: self.backend,
            products,
            residual: Residual::new(b, bits, self.prime),
            digits: Vec::new(),
            residues: Vec::new(),
        }
    }
}

impl Lifting {
    /// Inverts A modulo p to begin with.
    #[cfg(test)]
    pub fn new(
        matrix: &IntegerMatrix,
        b: &[Integer],
        prime: Prime,
        backend: Backend,
    ) -> Result<Self, SingularModulo> {
        Ok(Inverted::new(matrix, prime, backend)?.lifting(b))
    }

    /// Factors A modulo p; none where it is singular. Digits begin with a right-hand side (`restart`).
    pub fn sparse(
        matrix: &SparseMatrix,
        prime: Prime,
        backend: Backend,
        meter: &Meter,
    ) -> Result<Option<Self>, Exhausted> {
        let bits = matrix.bits();
        let products = SparseProducts::new(matrix, bits, prime, backend, meter)?;
        Ok(products.map(|products| Self {
            n: matrix.n(),
            bits,
            prime,
            backend,
            products: Products::Sparse(Box::new(products)),
            residual: Residual::new(&[], bits, prime),
            digits: Vec::new(),
            residues: Vec::new(),
        }))
    }

    /// Begins with another right-hand side.
    pub fn restart(&mut self, b: &[Integer]) {
        self.residual = Residual::new(b, self.bits, self.prime);
        self.digits.clear();
    }

    /// Refuses one digit more where all unknowns together have so many.
    pub fn check_room(&self, most_digits: usize) -> Result<(), Exhausted> {
        if self.digits.len() <= most_digits {
            return Ok(());
        }
        let bytes = (most_digits as u64).saturating_mul(8);
        Err(Exhausted::Memory(bytes))
    }

    /// Products of words that a step takes.
    pub fn step_products(&self) -> usize {
        self.products.count(self.n) + self.residual.len()
    }

    /// The next digit: y = A^-1 r modulo p, r <- (r - A y) / p. n^2 products.
    pub fn step(&mut self) -> Result<(), Remainder> {
        self.residual.residues(&mut self.residues);
        let start = self.digits.len();
        self.products
            .by_inverse(&self.residues, self.prime, &mut self.digits);
        let digit = &self.digits[start..];
        self.products.subtract_from(&mut self.residual, digit)
    }

    /// Changes one digit of one entry, as a faulty machine might.
    #[cfg(test)]
    pub fn spoil(&mut self, i: usize, k: usize) {
        self.digits[k * self.n + i] ^= 1;
    }

    /// The number k of digits so far.
    pub fn len(&self) -> usize {
        self.digits.len() / self.n.max(1)
    }

    pub fn prime(&self) -> Prime {
        self.prime
    }

    /// The first `count` digits of entry i.
    pub fn entry(&self, i: usize, count: usize) -> Vec<u64> {
        entry(&self.digits, self.n, i, count)
    }

    /// The first digits of these entries times a factor of so many digits, modulo that power of p;
    /// `None` where long integers are faster.
    pub fn scaled(&self, factor: &[u64], entries: Range<usize>) -> Option<Digits> {
        let count = factor.len();
        if !self.backend.prefers_tiles() || count > MAX_DIGITS {
            return None;
        }
        let n = entries.len();
        let digits = self.digits.get(..self.n * count)?;
        let digits = scale_digits(digits, self.n, entries, factor, self.prime, self.backend);
        Some(Digits { n, digits })
    }

    /// The sum of all entries times weights of 50 bits, for each digit by itself.
    pub fn weighted(&self, weights: &[u64]) -> Vec<i128> {
        let sum = |digit: &[u64]| {
            let products = digit.iter().zip(weights);
            // Below 2^100, and rows are below 2^17.
            let sum: u128 = products.map(|(d, w)| u128::from(*d) * u128::from(*w)).sum();
            sum as i128
        };
        self.digits.chunks_exact(self.n.max(1)).map(sum).collect()
    }

    pub fn residual(&self) -> &Residual {
        &self.residual
    }

    /// The number of unknowns.
    pub fn rows(&self) -> usize {
        self.n
    }
}

/// n numbers in base p, the digits of p^0 first.
pub(crate) struct Digits {
    n: usize,
    digits: Vec<u64>,
}

impl Digits {
    /// All digits of number i.
    pub fn entry(&self, i: usize) -> Vec<u64> {
        entry(&self.digits, self.n, i, usize::MAX)
    }
}

fn entry(digits: &[u64], n: usize, i: usize, count: usize) -> Vec<u64> {
    let digits = digits.chunks_exact(n).take(count);
    digits.map(|digit| digit[i]).collect()
}
