//! How steps are taken.

use std::fmt;
use std::str::FromStr;

use etalon_rigid::Directions;
use etalon_time_stepping::{Activation, Scheme, StepError};
use rug::Rational;

/// What a step makes of gaps and impacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SpaceMethod {
    /// Stewart and Trinkle 1996: all contacts near take part; none may be closer than touching at the end of the
    /// step, to first order. Where restitution is not 0, contacts that approach and close bounce by the [`ImpactLaw`].
    #[default]
    StewartTrinkle,
    /// Moreau and Jean: contacts that are closed, or close in the step, obey u_N + e u_N(before) >= 0 at its end (by Newton's
    /// law of restitution); gaps do not enter, so that small overlaps stay.
    MoreauJean,
    /// Baraff 1994, section 5: a first-order, or quasi-static, world. Forces make velocities, f = m v, so that each step begins at
    /// rest; gaps are those of Stewart and Trinkle. Its world is one of [`SpaceWorld::in_first_order`](crate::SpaceWorld::in_first_order).
    FirstOrder,
}

/// What restitution gives back where bodies meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ImpactLaw {
    /// Newton: of speeds. A contact parts at e times the speed of its approach at least.
    #[default]
    Newton,
    /// Poisson: of impulses, in two phases (Anitescu and Potra 1997). A compression without restitution, and a decompression
    /// in which each contact has e times its normal impulse of compression at least.
    Poisson,
}

/// The friction cone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cone {
    /// A pyramid of that many sides inside the circle: a linear complementarity problem.
    Pyramid(usize),
    /// The circle: a problem with friction cones.
    Circular,
}

impl SpaceMethod {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::StewartTrinkle, Self::MoreauJean, Self::FirstOrder];

    /// Those in which forces make accelerations, f = m a.
    pub const SECOND_ORDER: [Self; 2] = [Self::StewartTrinkle, Self::MoreauJean];

    /// The word of it.
    pub fn word(self) -> &'static str {
        match self {
            Self::StewartTrinkle => "stewart-trinkle",
            Self::MoreauJean => "moreau-jean",
            Self::FirstOrder => "first-order",
        }
    }

    /// Whether all contacts near take part, and none may be closer than touching at the end of a step.
    pub fn keeps_gaps(self) -> bool {
        self != Self::MoreauJean
    }
}

impl fmt::Display for SpaceMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for SpaceMethod {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|method| method.word() == text);
        found.ok_or_else(|| {
            let words = Self::ALL.map(Self::word).join(", ");
            format!("{text:?} is no method of motion in space; they are {words}")
        })
    }
}

impl ImpactLaw {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Newton, Self::Poisson];

    /// The word of it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::Poisson => "poisson",
        }
    }
}

impl fmt::Display for ImpactLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for ImpactLaw {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|law| law.word() == text);
        found.ok_or_else(|| format!("{text:?} is no law of restitution: newton or poisson"))
    }
}

impl Cone {
    /// That of a method where nothing is said: a pyramid of 8 sides for complementarity, else the circle.
    pub fn of(method: SpaceMethod) -> Self {
        match method {
            SpaceMethod::StewartTrinkle | SpaceMethod::FirstOrder => Self::Pyramid(8),
            SpaceMethod::MoreauJean => Self::Circular,
        }
    }
}

impl fmt::Display for Cone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pyramid(sides) => write!(f, "pyramid:{sides}"),
            Self::Circular => f.write_str("circular"),
        }
    }
}

impl FromStr for Cone {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "circular" {
            return Ok(Self::Circular);
        }
        let sides = text.strip_prefix("pyramid:");
        let sides = sides.and_then(|sides| sides.parse().ok());
        let known = |sides: &usize| Directions::<Rational>::pythagorean(*sides).is_ok();
        sides.filter(known).map(Self::Pyramid).ok_or_else(|| {
            format!(
                "{text:?} is no friction cone: circular, or pyramid:K with K of 4, 8, 12, 16, 24"
            )
        })
    }
}

/// How steps are taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The length of a step, s.
    pub h: Rational,
    /// What a step makes of gaps and impacts.
    pub method: SpaceMethod,
    /// The friction cone.
    pub cone: Cone,
    /// What restitution gives back.
    pub impact: ImpactLaw,
    /// Where masses, contacts and joints are taken.
    pub scheme: Scheme,
    /// Which contacts take part.
    pub activation: Activation,
}

/// The most steps of a run: with some kilobytes a line, 1e6 of them are a few gigabytes.
pub const MAX_STEPS: u64 = 1_000_000;

impl Settings {
    /// Those of a method: its [cone](Cone::of), Newton's law, all at the start of the step, and all contacts near.
    pub fn new(h: Rational, method: SpaceMethod) -> Self {
        Self {
            h,
            method,
            cone: Cone::of(method),
            impact: ImpactLaw::default(),
            scheme: Scheme::Linear,
            activation: Activation::All,
        }
    }

    /// How far ahead of the state before the step masses, contacts and joints are taken, s.
    pub fn time_ahead(&self) -> Rational {
        self.scheme.time_ahead(&self.h).unwrap_or_default()
    }

    /// What the point of evaluation and the rule of activation do not go with.
    ///
    /// # Errors
    /// [`StepError::Setting`] with the setting and the remedy.
    pub fn check_rules(&self) -> Result<(), StepError> {
        let is_ahead = self.scheme != Scheme::Linear;
        let poisson = self.impact == ImpactLaw::Poisson;
        let waits = self.activation == Activation::WhenViolated;
        let (setting, range) = match self.method {
            _ if self.scheme.halves_ahead().is_none() => (
                "scheme",
                "linear, midpoint or predicted: a step of bodies in space has one point of evaluation, known before it",
            ),
            SpaceMethod::FirstOrder if is_ahead => (
                "scheme",
                "linear by the method first-order: its steps begin at rest, so that nothing is ahead of them",
            ),
            _ if is_ahead && poisson => (
                "scheme",
                "linear where the law of impacts is poisson: no time passes in a compression, so that nothing is ahead of it; or say newton",
            ),
            SpaceMethod::MoreauJean if waits => (
                "activation",
                "left out by the method moreau-jean: its own rule is that contacts take part that are closed, or close by the velocity without contacts; or take the method stewart-trinkle",
            ),
            _ if waits && self.cone == Cone::Circular => (
                "activation",
                "all in the circular cone: which contacts an answer violates would be decided by answers in binary64 that no line keeps, so that nobody could take the step again; or say the cone pyramid:8",
            ),
            _ if waits && poisson => (
                "activation",
                "all where the law of impacts is poisson: what closes takes part in both phases of an impact; or say newton",
            ),
            _ => return Ok(()),
        };
        let value = match setting {
            "scheme" => self.scheme.to_string(),
            _ => self.activation.to_string(),
        };
        Err(StepError::Setting {
            setting,
            value,
            range,
        })
    }

    /// Checks that h is positive, and that the others go together.
    ///
    /// # Errors
    /// [`StepError::Setting`].
    pub fn check(&self) -> Result<(), StepError> {
        self.check_rules()?;
        // Lines hold times in binary64. That excludes 0 and what is below 0, too.
        if self.h > 0 && self.h.to_f64().is_normal() {
            return Ok(());
        }
        Err(StepError::of_step_length(&self.h))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lead_to_what_they_name() {
        for method in SpaceMethod::ALL {
            assert_eq!(method.word().parse(), Ok(method));
        }
        for law in ImpactLaw::ALL {
            assert_eq!(law.word().parse(), Ok(law));
        }
        for cone in [Cone::Pyramid(8), Cone::Circular] {
            assert_eq!(cone.to_string().parse(), Ok(cone));
        }
        for wrong in ["pyramid:5", "pyramid", "circle", "pyramid:-4"] {
            assert!(wrong.parse::<Cone>().is_err(), "{wrong}");
        }
        assert!("euler".parse::<SpaceMethod>().is_err());
        assert!("hooke".parse::<ImpactLaw>().is_err());
    }
}
