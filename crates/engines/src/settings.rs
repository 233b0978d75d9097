//! What steps are asked.

use rug::Rational;

use crate::step::{EngineStep, FrictionLaw, Precision};
use crate::verdict::Level;

/// What steps are asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepJudge {
    /// The levels that are asked; none means all that the record has data for.
    pub levels: Vec<Level>,
    /// The largest relative distance that is accepted; by the precision where there is none.
    pub tol: Option<Rational>,
    /// A law to judge by in place of the declared one.
    pub law: Option<FrictionLaw>,
    /// Whether level A computes the exact distance of every step, not only of those that the bound leaves open.
    pub full: bool,
    /// Whether level C asks for Coulomb's law at the velocity after the step, not for the cone alone.
    pub slip: bool,
}

impl StepJudge {
    /// The tolerance of level A, and of the laws of level B that rounding does not explain: 1e-5, binary32 1e-4.
    pub fn tolerance(&self, precision: Precision) -> Rational {
        let default = match precision {
            Precision::F64 => (1, 100_000),
            Precision::F32 => (1, 10_000),
        };
        self.tol.clone().unwrap_or_else(|| Rational::from(default))
    }

    /// The law that a step is judged by.
    pub(crate) fn law_of(&self, step: &EngineStep) -> FrictionLaw {
        self.law.or(step.law).unwrap_or(FrictionLaw::Coulomb)
    }

    pub(crate) fn asks(&self, level: Level) -> bool {
        self.levels.is_empty() || self.levels.contains(&level)
    }
}
