//! Level B: impulses are known. How well do momentum, the friction cone, the direction of friction, the declared
//! target and the energy fit?

mod contact;
mod convention;
mod energy;
mod joint;
mod momentum;

use etalon_lcp::{round_up_f64, short_text};
use rug::Rational;

use crate::assembly::Assembly;
use crate::exact::{power, ratio};
use crate::findings::{Laws, Measured};
use crate::settings::StepJudge;
use crate::step::{Bodies, ContactModel, EngineStep, Form, FrictionLaw};
use crate::verdict::{Level, LevelFinding, StepVerdict, Word};

/// A step within so many units of its precision is exact.
const EXACT_UNITS: u32 = 16;

/// So many units of rounding are accepted of the balance.
pub(crate) const ACCEPTED_UNITS: u32 = 32;

/// Judges a step by its impulses.
pub(crate) fn judge(step: &EngineStep, assembly: &Assembly, judge: &StepJudge) -> StepVerdict {
    let law = judge.law_of(step);
    let mut laws = Laws::default();
    if assembly.is_known() {
        laws.balance = Some(momentum::balance(assembly));
    }
    // A solver that takes all bodies together leaves rounding of the largest number on each of them. What is within that much must be within
    // the tolerance, so no group of bodies is measured by less than this share of the largest.
    let unit = power(step.precision.unit_exponent());
    let share = ratio(&(unit * ACCEPTED_UNITS), &judge.tolerance(step.precision));
    let share = share
        .unwrap_or_else(|| Rational::from(1))
        .min(Rational::from(1));
    contact::measure(assembly, law, (step, &share), &mut laws);
    joint::measure(assembly, &share, &mut laws);
    let mut verdict = StepVerdict::new(step, Level::B);
    verdict.law = Some(law_text(step, judge, law));
    decide(step, assembly, judge, law, &laws, &mut verdict);
    verdict.finding = LevelFinding::Laws(Box::new(laws));
    verdict
}

/// The declared law in words. Sets say themselves what bounds their forces.
fn law_text(step: &EngineStep, judge: &StepJudge, law: FrictionLaw) -> String {
    let is_by_sets = matches!(step.form, Form::Generalised(_)) && judge.law.or(step.law).is_none();
    let law = if is_by_sets { "its sets" } else { law.word() };
    match step.model {
        Some(model) => format!("{law}, {}", model.word()),
        None => law.to_owned(),
    }
}

/// The word and its reason.
fn decide(
    step: &EngineStep,
    assembly: &Assembly,
    judge: &StepJudge,
    law: FrictionLaw,
    laws: &Laws,
    verdict: &mut StepVerdict,
) {
    let unit = power(step.precision.unit_exponent());
    let declared = step.declared_error.as_ref();
    let declared = declared.map(|own| own.to_rational()).unwrap_or_default();
    let rounding = Rational::from(&unit * ACCEPTED_UNITS) + &declared;
    let tol = judge.tolerance(step.precision) + &declared;
    // One of both is the declared law; the other is shown beside it.
    let cone = if law.is_by_axis() {
        &laws.axes
    } else {
        &laws.cone
    };
    // Soft friction creeps by design: there the number is shown, and not judged.
    let is_soft = matches!(
        step.model,
        Some(ContactModel::SoftConvex | ContactModel::PositionBased)
    );
    let direction = if is_soft { &None } else { &laws.direction };
    let numbers = [
        ("balance", &laws.balance, &rounding),
        ("cone", cone, &tol),
        ("direction", direction, &tol),
        ("gap", &laws.gap, &tol),
        ("energy", &laws.energy, &tol),
    ];
    // The first that is over its tolerance, the balance before all others: where it does not hold, the
    // impulses are not those of the motion.
    let worst = numbers
        .iter()
        .filter_map(|(name, own, tol)| Some((name, own.as_ref()?, tol)))
        .find(|(name, own, tol)| {
            own.value > ***tol && !(**name == "balance" && momentum::is_rounding(assembly, tol))
        });
    if let Some((name, own, tol)) = worst {
        let mut reason = off(name, own, tol, &unit);
        if let Some(remedy) = convention::remedy(step, assembly, &rounding) {
            reason.push_str("; ");
            reason.push_str(&remedy);
        }
        verdict.word = Word::Off;
        verdict.reason = Some(reason);
        return;
    }
    if laws.balance.is_none() {
        verdict.word = Word::NotJudged;
        let why = "the record does not have all impulses, so momentum is left to level C";
        verdict.reason = Some(why.to_owned());
        return;
    }
    let exact = unit * EXACT_UNITS;
    let is_exact = |own: &Option<Measured>| own.as_ref().is_none_or(|own| own.value <= exact);
    verdict.word = if numbers.iter().all(|(_, own, _)| is_exact(own)) {
        Word::Exact
    } else {
        Word::Accepted
    };
}

/// The reason of a number that is over its tolerance.
fn off(name: &str, own: &Measured, tol: &Rational, unit: &Rational) -> String {
    let units = Rational::from(&own.value / unit);
    format!(
        "{name}: {}: {} ({:.3e} u), over {:.3e}",
        own.place,
        short_text(&own.value),
        round_up_f64(&units),
        round_up_f64(tol),
    )
}

/// Whether level B can be asked of bodies: some contact or joint has an impulse, or there is none of either.
pub(crate) fn has_impulses(own: &Bodies) -> bool {
    let contacts = own.contacts.iter().any(|contact| contact.impulse.is_some());
    let joints = own.joints.iter().any(|joint| joint.impulse.is_some());
    contacts || joints || (own.contacts.is_empty() && own.joints.is_empty())
}
