//! Fractions that share a denominator, as the solution of a linear system comes.

use std::sync::{Arc, OnceLock};

use rug::{Integer, Rational};

/// numerator / denominator, in lowest terms only once somebody asks: to reduce a long fraction costs
/// as much as it took to find it.
#[derive(Debug, Clone)]
pub(crate) struct SharedFraction {
    numerator: Integer,
    /// Positive.
    denominator: Arc<Integer>,
    reduced: OnceLock<Rational>,
}

impl SharedFraction {
    /// The denominator must be positive.
    pub fn new(numerator: Integer, denominator: Arc<Integer>) -> Self {
        Self {
            numerator,
            denominator,
            reduced: OnceLock::new(),
        }
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        self.numerator.cmp0() as i32
    }

    /// In lowest terms.
    pub fn reduced(&self) -> &Rational {
        let reduce = || Rational::from((&self.numerator, &*self.denominator));
        self.reduced.get_or_init(reduce)
    }

    /// In lowest terms.
    pub fn into_reduced(self) -> Rational {
        self.reduced();
        self.reduced.into_inner().unwrap_or_default()
    }
}
