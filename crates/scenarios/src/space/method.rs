//! The methods of a scene in motion.

use std::fmt;
use std::str::FromStr;

use etalon_spatial::SpaceMethod;

/// What takes a step of a scene in motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MotionMethod {
    /// Rows of contacts that geometry proposes.
    Rows(SpaceMethod),
    /// Chakraborty and Berard: implicit surfaces, whose closest points are unknowns of the step.
    ChakrabortyBerard,
    /// Egan and Trinkle: points stay out of convex bodies, one of whose gaps has to be open.
    EganTrinkle,
}

impl MotionMethod {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Rows(SpaceMethod::StewartTrinkle),
        Self::Rows(SpaceMethod::MoreauJean),
        Self::ChakrabortyBerard,
        Self::EganTrinkle,
        Self::Rows(SpaceMethod::FirstOrder),
    ];

    /// The word of it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Rows(method) => method.word(),
            Self::ChakrabortyBerard => "chakraborty-berard",
            Self::EganTrinkle => "egan-trinkle",
        }
    }
}

impl Default for MotionMethod {
    fn default() -> Self {
        Self::Rows(SpaceMethod::default())
    }
}

impl fmt::Display for MotionMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for MotionMethod {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|method| method.word() == text);
        found.ok_or_else(|| {
            let words = Self::ALL.map(Self::word).join(", ");
            format!("{text:?} is no method of a scene in motion; they are {words}")
        })
    }
}
