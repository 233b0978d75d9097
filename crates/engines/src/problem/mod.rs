//! Level A: is the answer the solution of the problem that the engine itself states?

mod arrays;
mod certificate;
mod distance;
mod exact;
mod factor;
mod filter;
mod law;
mod newton;
mod norm;
mod reference;
mod view;

use etalon_lcp::{Number, round_up_f64};
use rug::Rational;

use crate::exact::fractions;
use crate::findings::{By, Distance, Interval, round_down_f64};
use crate::settings::StepJudge;
use crate::step::{EngineAnswer, EngineStep, Generalised, Precision, Quantity};
use crate::verdict::{Flag, Level, LevelFinding, StepVerdict, Word};

use arrays::Arrays;
use certificate::{Certificate, certify, lawful};
use distance::{Found, Scale, Stop, interval, pair, reason, word};
use exact::ExactData;
use filter::Filter;
pub use filter::{FilterBound, filter_bound, filter_bound_of_pair};
use norm::DualNorm;
pub(crate) use reference::budget;
pub use view::{RowSet, StepView, ViewError};

/// The largest problem that level A takes, in velocities and in constraint rows: M is factored densely.
const MAX_ROWS: usize = 3_000;

/// Forces may be so much further off than the motion, where they come from it through 1 / R.
const FORCE_FACTOR: u32 = 100;

/// The law that is judged.
fn law_text(step: &EngineStep) -> String {
    let model = step.model.map_or("soft-convex", |model| model.word());
    format!("the engine's own problem, {model}")
}

/// Judges the answer of a generalised step.
pub(crate) fn judge(step: &EngineStep, own: &Generalised, judge: &StepJudge) -> StepVerdict {
    let not = |why: &str| StepVerdict::not_judged(step, Level::A, why);
    let Some(answer) = &own.answer else {
        return not("the record has no answer");
    };
    if let Some(why) = &step.not_judged {
        return not(why);
    }
    if own.sets.iter().any(|set| set.bounded_by().is_some()) {
        return not(
            "friction that the normal force of another set bounds is no convex problem, and level A has theorems for these alone",
        );
    }
    let rows = own.nv().max(own.nefc());
    if rows > MAX_ROWS {
        return not(&format!("{rows} rows are over the limit of {MAX_ROWS}"));
    }
    let tol = judge.tolerance(step.precision);
    let mut verdict = StepVerdict::new(step, Level::A);
    verdict.law = Some(law_text(step));
    if !judge.full && by_filter(step, own, answer, &tol, &mut verdict) {
        return verdict;
    }
    if let Err(why) = by_fractions(step, own, answer, (&tol, judge.full), &mut verdict) {
        verdict.word = Word::NotJudged;
        verdict.reason = Some(why);
    }
    if verdict.flags.contains(&Flag::Degenerate) && !verdict.word.is_right() {
        verdict.word = Word::NotJudged;
        let why = "degenerate: an R is at the floor of 1e-15, where the only solution and distances from it mean nothing";
        verdict.reason = Some(why.to_owned());
    }
    verdict
}

/// Accepts by the bound in binary64, where that is enough.
fn by_filter(
    step: &EngineStep,
    own: &Generalised,
    answer: &EngineAnswer,
    tol: &Rational,
    verdict: &mut StepVerdict,
) -> bool {
    let (Some(arrays), Some(h)) = (Arrays::of(own, answer), step.h.as_binary64()) else {
        return false;
    };
    // Rounded down: a bound within this is within the tolerance itself.
    let tol = round_down_f64(tol);
    let view = arrays.view(h);
    let bound = Filter::new(&view).and_then(|filter| filter.bound_of_pair());
    // The bound can only accept. Above the tolerance it says nothing, and fractions decide.
    let Some(bound) = bound.filter(|bound| bound.relative <= tol) else {
        return false;
    };
    let joule = match own.quantity {
        Quantity::Acceleration => (bound.acceleration * h).powi(2) / 2.0,
        Quantity::Velocity => bound.acceleration.powi(2) / 2.0,
    };
    let upper = |upper: f64| Interval { lower: 0.0, upper };
    verdict.finding = LevelFinding::Distance(Box::new(Distance {
        relative: upper(bound.relative),
        // Four roundings.
        joule: upper(joule * (1.0 + 8.0 * f64::EPSILON)),
        pair: None,
        by: By::Filter,
        worst_row: bound.worst_row,
        unfelt: unfelt(own),
        objective: None,
    }));
    verdict.word = Word::Accepted;
    note(own, answer, verdict);
    true
}

/// Rows of sets that no velocity feels.
fn unfelt(own: &Generalised) -> Vec<usize> {
    let is_empty = |k: usize| own.j.rows[k].iter().all(|(_, value)| value.is_zero());
    let sets = own.sets.iter().filter(|set| set.rows().all(is_empty));
    sets.flat_map(|set| set.rows()).collect()
}

/// Flags that do not depend on the way of judging.
fn note(own: &Generalised, answer: &EngineAnswer, verdict: &mut StepVerdict) {
    if let (Some(taken), Some(limit)) = (answer.iterations, answer.iteration_limit) {
        if taken >= limit {
            verdict.flags.push(Flag::IterationLimit);
        } else if verdict.word == Word::Off {
            verdict.flags.push(Flag::ConvergedAndWrong);
        }
    }
    let unfelt = match &verdict.finding {
        LevelFinding::Distance(found) => !found.unfelt.is_empty(),
        _ => false,
    };
    if unfelt {
        verdict.flags.push(Flag::Unfelt);
    }
    // R = 0 is no floor: it is for bounded forces only, whose motion is unique without R.
    let is_at_floor = |r: &Number| !r.is_zero() && r.to_f64() <= exact::FLOOR;
    if own.r.iter().flatten().any(is_at_floor) {
        verdict.flags.push(Flag::Degenerate);
    }
}

/// What the theorem says with the reported forces, and with those of the law.
struct Bounds {
    best: Certificate,
    /// Bounds on |M a - J'f - q|_(M^-1) with the reported forces.
    dynamics: Option<(Rational, Rational)>,
    /// Whether the reported forces are those of the law at the motion, or no worse.
    are_lawful: bool,
}

impl Bounds {
    fn of(
        data: &ExactData,
        norm: &DualNorm,
        a: &[Rational],
        (given, law): (Option<&[Rational]>, &[Rational]),
    ) -> Result<Self, String> {
        let by_law = certify(data, norm, a, law)?;
        let by_own = given.map(|force| certify(data, norm, a, force));
        let by_own = by_own.transpose()?;
        let dynamics = by_own.as_ref().map(|own| own.dynamics.clone());
        // Where the engine stopped early, the law's own forces need not give the motion; forces no worse than those are its.
        let least = Rational::from(&by_law.objective * 2u32);
        // As they are reported, not as they are moved into their sets.
        let is_lawful = |own: &Certificate| {
            let raw = own.dynamics.0.clone().square() / 2u32;
            own.objective <= least && raw <= least
        };
        let are_lawful = by_own.as_ref().is_none_or(is_lawful);
        let best = match by_own {
            Some(own) if own.motion <= by_law.motion => own,
            _ => by_law,
        };
        Ok(Self {
            best,
            dynamics,
            are_lawful,
        })
    }
}

/// Judges in exact arithmetic: by the bound, and where that leaves it open, or `full` asks, by a reference solution.
fn by_fractions(
    step: &EngineStep,
    own: &Generalised,
    answer: &EngineAnswer,
    (tol, full): (&Rational, bool),
    verdict: &mut StepVerdict,
) -> Result<(), String> {
    let data = ExactData::of(own).ok_or("the record has no R or no target")?;
    let norm = DualNorm::of(&own.m).ok_or("M is no square matrix")?;
    let a = fractions(answer.motion.as_deref().unwrap_or_default());
    let scale = Scale::of(&data, &norm, &a)?;
    let given = answer.force.as_ref().map(|force| data.felt(force));
    let law = lawful(&data, &a);
    let Bounds {
        best,
        dynamics,
        are_lawful,
    } = Bounds::of(&data, &norm, &a, (given.as_deref(), &law))?;
    let start = given.as_ref().unwrap_or(&law);
    // The bound costs no solution of the problem: where it is within the tolerance, none is sought.
    let is_done = !full && scale.upper(&best.motion).is_some_and(|own| own <= *tol);
    let (found, why_open) = if is_done {
        (Found::by_bound(&best), None)
    } else {
        Found::by_reference(&data, &norm, &a, start, &best)
    };
    let h = match own.quantity {
        Quantity::Acceleration => step.h.to_rational(),
        Quantity::Velocity => Rational::from(1),
    };
    let joule = |own: &Rational| Rational::from(own * &h).square() / 2u32;
    let (lower, upper) = scale.relative(&found.lower, &found.upper);
    let pair = dynamics.map(|own| pair(own, &found.upper, &scale));
    let stop = Stop::of(answer, &found);
    verdict.word = word((&lower, upper.as_ref()), &found, stop.as_ref(), tol);
    verdict.reason = reason(
        verdict.word,
        (&lower, upper.as_ref()),
        stop.as_ref(),
        why_open,
    );
    let off_by = pair.as_ref().map(|(lower, _)| lower);
    note_forces(
        off_by,
        (tol, step.precision),
        are_lawful,
        stop.as_ref(),
        verdict,
    );
    verdict.finding = LevelFinding::Distance(Box::new(Distance {
        relative: interval(&lower, upper.as_ref()),
        joule: Interval::of(&joule(&found.lower), &joule(&found.upper)),
        pair: pair.map(|(lower, upper)| interval(&lower, upper.as_ref())),
        by: found.by,
        worst_row: best.worst_row,
        unfelt: data.unfelt.clone(),
        objective: stop.map(|stop| round_up_f64(&stop.gap)),
    }));
    note(own, answer, verdict);
    Ok(())
}

/// Says so where the reported forces do something else than the reported motion.
///
/// Forces that are the law's at the motion are as right as a solver of the motion has them: it takes them from there through
/// 1 / R. Others must give the motion within the tolerance.
fn note_forces(
    least: Option<&Rational>,
    (tol, precision): (&Rational, Precision),
    are_lawful: bool,
    stop: Option<&Stop>,
    verdict: &mut StepVerdict,
) {
    let is_rounded = are_lawful || precision == Precision::F32;
    let factor = if is_rounded { FORCE_FACTOR } else { 1 };
    let most = Rational::from(tol * factor);
    let Some(least) = least.filter(|least| **least > most) else {
        return;
    };
    verdict.flags.push(Flag::ForcesOff);
    if are_lawful && stop.is_some_and(Stop::is_met) {
        if verdict.word.is_right() {
            verdict.word = Word::Loose;
            let why = "the motion is right, and its forces are those of the law there: the engine's own tolerance lets them be off";
            verdict.reason = Some(why.to_owned());
        }
    } else if verdict.word.is_right() || verdict.word == Word::Loose {
        verdict.word = Word::Off;
        let least = etalon_lcp::format_f64(round_down_f64(least));
        verdict.reason = Some(format!(
            "the reported forces do not give the reported motion: M^-1 (q + J'f) is off by at least {least} of its size"
        ));
    }
}
