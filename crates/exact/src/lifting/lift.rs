//! The p-adic expansion of the solution of A x = b, digit by digit.

use std::ops::Range;

use etalon_modular::{Backend, MAX_DIGITS, Positional, Prime, SingularModulo, inverse};
use rug::Integer;

use crate::budget::{Exhausted, Meter};
use crate::lifting::integers::{IntegerMatrix, transposed};
use crate::lifting::products::{Form, Products};
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

    /// The lifting of A x = b, with A in this form.
    pub fn lifting(&self, form: Form, b: &[Integer]) -> Lifting {
        self.begun(Products::new(form, &self.inverse), b)
    }

    /// The lifting of A' y = c.
    pub fn transposed_lifting(&self, c: &[Integer]) -> Lifting {
        let form = Form::new(&self.matrix.transposed(), false, self.backend);
        let inverse = transposed(&self.inverse, self.matrix.n);
        self.begun(Products::new(form, &inverse), c)
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
        let form = Form::new(matrix, matrix.is_symmetric(), backend);
        Ok(Inverted::new(matrix, prime, backend)?.lifting(form, b))
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

    /// For products of so many digits of the entries with a factor; `None` where long integers are faster.
    pub fn positional(&self, count: usize) -> Option<Positional> {
        let is_faster = self.backend.prefers_tiles() && count <= MAX_DIGITS && count <= self.len();
        is_faster.then(|| Positional::new(self.prime, count, self.backend))
    }

    /// The first digits of these entries times a factor of as many digits, modulo that power of p: words of pieces, as [`Positional`] has
    /// them.
    pub fn scaled(
        &self,
        positional: &Positional,
        factor: &[u64],
        entries: Range<usize>,
    ) -> Vec<Vec<Vec<u64>>> {
        let digits = &self.digits[..self.n * factor.len()];
        positional.scaled(digits, self.n, entries, factor)
    }

    /// The sum of all entries times weights, for each digit by itself.
    pub fn weighted(&self, weights: &[i64]) -> Vec<i128> {
        let sum = |digit: &[u64]| {
            let products = digit.iter().zip(weights);
            // At most 2^113 in size, and rows are at most 2^12.
            products
                .map(|(d, w)| i128::from(*d as i64) * i128::from(*w))
                .sum()
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

fn entry(digits: &[u64], n: usize, i: usize, count: usize) -> Vec<u64> {
    let digits = digits.chunks_exact(n).take(count);
    digits.map(|digit| digit[i]).collect()
}
