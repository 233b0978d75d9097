//! How far an answer may be from exact, and by which measure.

use rug::Rational;

/// By which measure an answer is right or wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Measure {
    /// The natural-scale error (`docs/measure.md`); where there are friction cones, which have no natural
    /// sizes, the block error and what is outside of cones.
    #[default]
    Natural,
    /// The componentwise backward error (`docs/backward-error.md`) and what is outside.
    Componentwise,
    /// The block error (`docs/cones.md`) and what is outside.
    Block,
}

impl Measure {
    /// All measures, the default first.
    pub const ALL: [Self; 3] = [Self::Natural, Self::Componentwise, Self::Block];

    /// The word that stands in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Componentwise => "componentwise",
            Self::Block => "block",
        }
    }
}

/// A word that is no measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownMeasure(String);

impl std::fmt::Display for UnknownMeasure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = Measure::ALL.map(Measure::word).join(", ");
        write!(f, "{:?} is no measure; the measures are {words}", self.0)
    }
}

impl std::error::Error for UnknownMeasure {}

impl std::str::FromStr for Measure {
    type Err = UnknownMeasure;

    fn from_str(word: &str) -> Result<Self, UnknownMeasure> {
        let known = Self::ALL.into_iter().find(|measure| measure.word() == word);
        known.ok_or_else(|| UnknownMeasure(word.chars().take(40).collect()))
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
