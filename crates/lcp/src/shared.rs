//! Fractions that share a denominator, as those of the solution of a linear system do.

use std::sync::{Arc, OnceLock};

use rug::{Integer, Rational};

/// numerator / denominator. It is reduced to lowest terms when it is first read, because the reduction of a long
/// fraction costs as much as its computation.
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
