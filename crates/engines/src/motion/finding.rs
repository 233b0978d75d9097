//! What a motion breaks: step, place, term, amount and unit.

use std::fmt;

use etalon_lcp::{format_f64, round_up_f64};
use rug::Rational;

use crate::findings::measure;
use crate::json::Object;

/// A number for people: four digits. It decides nothing.
pub(super) fn figure(own: &Rational) -> String {
    let nearest = own.to_f64();
    let four = format!("{nearest:.3e}");
    match four.parse::<f64>() {
        Ok(four) if four.is_finite() => format_f64(four),
        _ => etalon_lcp::short_text(own),
    }
}

/// Two numbers for people, with as many digits as tell them apart: four at least, seventeen at most. They decide nothing.
pub(super) fn figures(own: &Rational, other: &Rational) -> [String; 2] {
    let digits = |count: usize| {
        let one = |own: &Rational| match format!("{:.count$e}", own.to_f64()).parse::<f64>() {
            Ok(near) if near.is_finite() => format_f64(near),
            _ => etalon_lcp::short_text(own),
        };
        [one(own), one(other)]
    };
    let apart = |pair: &[String; 2]| pair[0] != pair[1];
    let found = (3..16).map(digits).find(apart);
    found.unwrap_or_else(|| digits(16))
}

/// The laws that a motion can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum MotionLaw {
    /// M (v' - v) is not the sum of all impulses.
    Momentum,
    /// q' is not what the velocities make of q.
    State,
    /// A contact pushes over an opening gap, closes without a push, or pulls.
    Complementarity,
    /// Friction is outside of its cone.
    Cone,
    /// Friction does not take all the energy that its bound allows.
    Dissipation,
    /// Bodies overlap.
    Penetration,
    /// Bodies that a joint holds part, or it holds what it should not.
    Joint,
    /// Energy comes from nowhere: a contact gives more than its law lets it, or momentum changes for no reason.
    EnergyGain,
    /// A recorded energy is not that of the recorded motion.
    EnergyIdentity,
    /// A recorded number is not what the others make it: the time, a gap.
    Data,
}

impl MotionLaw {
    /// All terms.
    pub const ALL: [Self; 10] = [
        Self::Momentum,
        Self::State,
        Self::Complementarity,
        Self::Cone,
        Self::Dissipation,
        Self::Penetration,
        Self::Joint,
        Self::EnergyGain,
        Self::EnergyIdentity,
        Self::Data,
    ];

    /// The words that stand in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Momentum => "momentum",
            Self::State => "state",
            Self::Complementarity => "complementarity",
            Self::Cone => "cone",
            Self::Dissipation => "maximal dissipation",
            Self::Penetration => "penetration",
            Self::Joint => "joint",
            Self::EnergyGain => "energy gain",
            Self::EnergyIdentity => "energy identity",
            Self::Data => "data",
        }
    }
}

/// A law that a motion provably breaks.
#[derive(Debug, Clone, PartialEq)]
pub struct Breach {
    /// The number of the step.
    pub step: u64,
    /// The contact, body or coordinate.
    pub place: String,
    /// The law.
    pub term: MotionLaw,
    /// How much is too much or too little, with its sign.
    pub amount: Rational,
    /// The unit of the amount.
    pub unit: &'static str,
    /// The largest size that rounding explains.
    pub tolerance: Rational,
    /// What that means, in words.
    pub words: String,
}

impl Breach {
    /// How often the amount has the tolerance in it, rounded up; infinite where nothing is tolerated.
    pub fn times_over(&self) -> f64 {
        if self.tolerance.is_zero() {
            return f64::INFINITY;
        }
        round_up_f64(&(self.amount.clone().abs() / &self.tolerance))
    }

    /// All but the step, in words.
    pub fn told(&self) -> String {
        let known = if self.tolerance.is_zero() {
            "nothing is tolerated".to_owned()
        } else {
            let tolerance = figure(&self.tolerance);
            format!("rounding explains {tolerance} {}", self.unit)
        };
        let (place, law, words) = (&self.place, self.term.word(), &self.words);
        format!("{place}: {law}: {words} ({known})")
    }

    /// As a line of JSON.
    pub fn line(&self) -> String {
        let mut own = Object::new();
        own.raw("step", self.step)
            .text("place", &self.place)
            .text("term", self.term.word())
            .raw("amount", measure(self.amount.to_f64()))
            .text("unit", self.unit)
            .raw("tolerance", measure(round_up_f64(&self.tolerance)))
            .text("words", &self.words);
        own.end()
    }
}

/// The breaches of a step, as they are found.
#[derive(Debug, Clone, PartialEq)]
pub struct Breaches {
    step: u64,
    list: Vec<Breach>,
}

impl Breaches {
    /// None so far, of the step of that number.
    pub fn of(step: u64) -> Self {
        let list = Vec::new();
        Self { step, list }
    }

    /// Adds one: the law and where it is broken, by how much, the unit with the largest size that rounding explains, and what
    /// that means in words.
    pub fn report(
        &mut self,
        (term, place): (MotionLaw, String),
        amount: Rational,
        (unit, tolerance): (&'static str, Rational),
        words: String,
    ) {
        self.list.push(Breach {
            step: self.step,
            place,
            term,
            amount,
            unit,
            tolerance,
            words,
        });
    }

    /// All, in the order in which they were found.
    pub fn into_list(self) -> Vec<Breach> {
        self.list
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.place.is_empty() { "" } else { ", " };
        write!(f, "step {}{separator}{}", self.step, self.told())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_numbers_have_as_many_digits_as_tell_them_apart() {
        let of = |a: f64, b: f64| {
            let number = |own| Rational::from_f64(own).unwrap_or_default();
            figures(&number(a), &number(b))
        };
        assert_eq!(of(0.25, 1.0 / 3.0), ["0.25", "0.3333"]);
        assert_eq!(of(1.0, 1.000_000_2), ["1", "1.0000002"]);
        assert_eq!(of(0.1, 0.1), ["0.1", "0.1"]);
        let next = 1.0 + f64::EPSILON;
        assert_eq!(of(1.0, next), ["1", "1.0000000000000002"]);
    }
}
