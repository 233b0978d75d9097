//! How far an answer may be from exact, and by which measure.

use rug::Rational;

/// By which measure an answer is right or wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Measure {
    /// The natural-scale error (`docs/measure.md`).
    #[default]
    Natural,
    /// The componentwise backward error (`docs/backward-error.md`) and the negativity.
    Componentwise,
}

impl Measure {
    /// The word that stands in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Componentwise => "componentwise",
        }
    }
}

/// How far a candidate may be from exact. The only tolerances there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tolerance {
    /// Largest error of an accepted answer; default 1e-9.
    pub tol: Rational,
    /// For the backward error, entries may count as on a bound that is no further away than
    /// this times their natural size; default 1e-12.
    pub snap: Rational,
    /// Which error.
    pub measure: Measure,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self {
            tol: Rational::from((1, 1_000_000_000)),
            snap: Rational::from((1, 1_000_000_000_000u64)),
            measure: Measure::Natural,
        }
    }
}
