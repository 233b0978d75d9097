//! What the oracle finds, in the words of motions.

use etalon_engines::motion::{Breaches, MotionLaw};
use etalon_spatial::{Compression, LawAmount};
use etalon_time_stepping::{Term, Violation};
use rug::Rational;

use super::{RecordedSpace, figure};

impl RecordedSpace {
    /// A violation that the oracle found, in the words of motions.
    pub(super) fn report(
        &self,
        found: &mut Breaches,
        own: &Violation,
        measure: Option<&LawAmount>,
    ) {
        let place = self.place(own);
        let law = match own.term {
            Term::Missing if place.starts_with("joint ") => MotionLaw::Joint,
            term => law_of(term, measure),
        };
        let (amount, unit, tolerance) = match measure {
            Some(own) => (own.value.clone(), own.unit, own.allowed.clone()),
            None => (Rational::from(1), "1", Rational::new()),
        };
        // An impulse beside a velocity that its law does not have: what it gives beyond its law.
        if own.term == Term::Complementarity && unit == "J" && amount > 0 {
            let words = format!("gained {} J by a push that is too strong", figure(&amount));
            let at = (MotionLaw::EnergyGain, place.clone());
            found.report(at, amount.clone(), (unit, tolerance.clone()), words);
        }
        let amount = match law {
            MotionLaw::EnergyGain => amount.abs(),
            _ => amount,
        };
        let words = words(own, measure);
        found.report((law, place), amount, (unit, tolerance), words);
    }

    /// The body, joint or contact of a violation.
    fn place(&self, own: &Violation) -> String {
        let Some(name) = &own.contact else {
            return "the step".to_owned();
        };
        let bare = name.strip_suffix(&format!(", {}", Compression::NAME));
        let bare = bare.unwrap_or(name);
        let is_joint = || self.world.joints().iter().any(|own| own.name == *bare);
        let kind = match own.term {
            _ if name == Compression::NAME => return "the compression".to_owned(),
            Term::Momentum | Term::State | Term::Flight | Term::Attitude => "body",
            Term::Joint | Term::Limit | Term::Drive => "joint",
            _ if is_joint() => "joint",
            _ => "contact",
        };
        format!("{kind} {name}")
    }
}

/// The law of motions that a law of the oracle is.
fn law_of(term: Term, measure: Option<&LawAmount>) -> MotionLaw {
    match term {
        Term::Momentum => MotionLaw::Momentum,
        Term::State | Term::Flight | Term::Attitude => MotionLaw::State,
        Term::Complementarity | Term::Restitution | Term::Decompression => {
            MotionLaw::Complementarity
        }
        Term::FrictionBound => MotionLaw::Cone,
        Term::MaximalDissipation => MotionLaw::Dissipation,
        Term::Nonpenetration | Term::Depth | Term::Missing => MotionLaw::Penetration,
        Term::FrictionLoss | Term::NumericalLoss => MotionLaw::EnergyGain,
        Term::Joint | Term::Limit | Term::Drive => MotionLaw::Joint,
        Term::EnergyIdentity if measure.is_some_and(|own| own.value < 0) => MotionLaw::EnergyGain,
        Term::EnergyIdentity | Term::Rounding => MotionLaw::EnergyIdentity,
        _ => MotionLaw::Data,
    }
}

/// What a violation means.
fn words(own: &Violation, measure: Option<&LawAmount>) -> String {
    let plain = || format!("{}: {}", own.term, own.amount);
    let Some(measure) = measure else {
        return plain();
    };
    let size = figure(&Rational::from(measure.value.abs_ref()));
    let by = format!("{size} {}", measure.unit);
    let is_energy = measure.unit == "J";
    let of_missing = || own.amount.clone();
    match own.term {
        Term::Momentum => format!("it changes by {by} that no force and no impulse accounts for"),
        Term::State => format!("its position is off by {by}"),
        Term::Flight => format!(
            "its attitude is off by {size}, beside turning freely with its angular momentum"
        ),
        Term::Attitude => format!("the square of its quaternion's length is off 1 by {size}"),
        Term::Nonpenetration => format!("it closes by {by} more than its gap lets it in the step"),
        Term::Missing => of_missing(),
        Term::Restitution => format!("it parts by {by} less than its law says"),
        Term::Decompression => {
            format!("its decompression pushes with {by} less than e times its compression")
        }
        Term::Complementarity if is_energy => {
            format!("it pushes and leaves its law: impulse times the velocity that is left is {by}")
        }
        Term::Complementarity => format!("it pulls by {by}"),
        Term::FrictionBound => format!("friction is {by} beyond its bound"),
        Term::MaximalDissipation if measure.value < 0 => {
            format!("friction takes {by} more than its bound lets it")
        }
        Term::MaximalDissipation => format!("friction takes {by} less than its bound lets it"),
        Term::FrictionLoss => format!("gained {by} by friction that drives"),
        Term::EnergyIdentity if measure.value < 0 => format!("gained {by} that nothing gives"),
        Term::Joint => format!("it opens by {by}"),
        Term::Limit => format!("its limit is passed by {by}"),
        Term::Drive if is_energy => {
            format!("its drive is off by {by}, beside one that drives as hard as it may")
        }
        Term::Drive => format!("its drive is {by} beyond its bound"),
        _ => plain(),
    }
}
