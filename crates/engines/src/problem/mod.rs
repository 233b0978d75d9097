//! Level A: is the answer the solution of the problem that the engine itself states?

mod certificate;
mod exact;
mod factor;
mod filter;
mod newton;
mod norm;
mod reference;
mod view;

use etalon_certify::{root_above, root_below};
use etalon_lcp::short_text;
use rug::Rational;

use crate::exact::{ROOT_BITS, fractions};
use crate::judge::StepJudge;
use crate::step::{Answer, Generalised, Quantity, Step};
use crate::verdict::{By, Distance, Finding, Flag, Interval, Level, StepVerdict, Word};

use certificate::{certify, lawful};
use exact::ExactData;
use filter::Filter;
pub use filter::{FilterBound, filter_bound, filter_bound_of_pair};
use norm::DualNorm;
pub(crate) use reference::budget;
use view::Arrays;
pub use view::{RowSet, StepView, ViewError};

/// The largest problem that level A takes, in velocities and in constraint rows: M is factored densely.
const MAX_ROWS: usize = 3_000;

/// The forces may be so much further off than the motion: a solver of the motion takes them from it through 1 / R.
const FORCE_FACTOR: u32 = 100;

/// The law that is judged.
fn law(step: &Step) -> String {
    let model = step.model.map_or("soft-convex", |model| model.word());
    format!("the engine's own problem, {model}")
}

/// Judges the answer of a generalised step.
pub(crate) fn judge(step: &Step, own: &Generalised, judge: &StepJudge) -> StepVerdict {
    let not = |why: &str| StepVerdict::not_judged(step, Level::A, why);
    let Some(answer) = &own.answer else {
        return not("the record has no answer");
    };
    if let Some(why) = &step.not_judged {
        return not(why);
    }
    let rows = own.nv().max(own.nefc());
    if rows > MAX_ROWS {
        return not(&format!("{rows} rows are over the limit of {MAX_ROWS}"));
    }
    let tol = judge.tolerance(step.precision);
    let mut verdict = StepVerdict::new(step, Level::A);
    verdict.law = Some(law(step));
    if !judge.full && by_filter(step, own, answer, &tol, &mut verdict) {
        return verdict;
    }
    if let Err(why) = by_fractions(step, own, answer, (&tol, judge.full), &mut verdict) {
        verdict.word = Word::NotJudged;
        verdict.reason = Some(why);
    }
    verdict
}

/// Accepts by the bound in binary64, where that is enough.
fn by_filter(
    step: &Step,
    own: &Generalised,
    answer: &Answer,
    tol: &Rational,
    verdict: &mut StepVerdict,
) -> bool {
    let (Some(arrays), Some(h)) = (Arrays::of(own, answer), step.h.as_binary64()) else {
        return false;
    };
    let tol = crate::verdict::round_down_f64(tol);
    let view = arrays.view(h);
    let bound = Filter::new(&view).and_then(|filter| filter.bound_of_pair());
    let Some(bound) = bound.filter(|bound| bound.relative <= tol) else {
        return false;
    };
    let joule = match own.quantity {
        Quantity::Acceleration => (bound.acceleration * h).powi(2) / 2.0,
        Quantity::Velocity => bound.acceleration.powi(2) / 2.0,
    };
    let upper = |upper: f64| Interval { lower: 0.0, upper };
    verdict.finding = Finding::Distance(Box::new(Distance {
        relative: upper(bound.relative),
        // Four roundings.
        joule: upper(joule * (1.0 + 8.0 * f64::EPSILON)),
        pair: None,
        by: By::Filter,
        worst_row: bound.worst_row,
        unfelt: unfelt(own),
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
fn note(own: &Generalised, answer: &Answer, verdict: &mut StepVerdict) {
    if let (Some(taken), Some(limit)) = (answer.iterations, answer.iteration_limit) {
        if taken >= limit {
            verdict.flags.push(Flag::IterationLimit);
        } else if verdict.word == Word::Off {
            verdict.flags.push(Flag::ConvergedAndWrong);
        }
    }
    let unfelt = match &verdict.finding {
        Finding::Distance(found) => !found.unfelt.is_empty(),
        _ => false,
    };
    if unfelt {
        verdict.flags.push(Flag::Unfelt);
    }
    if own.r.iter().flatten().any(|r| r.to_f64() <= exact::FLOOR) {
        verdict.flags.push(Flag::Degenerate);
    }
}

/// Judges in exact arithmetic: by the bound, and where that leaves it open, or `full` asks, by a reference solution.
fn by_fractions(
    step: &Step,
    own: &Generalised,
    answer: &Answer,
    (tol, full): (&Rational, bool),
    verdict: &mut StepVerdict,
) -> Result<(), String> {
    let data = ExactData::of(own).ok_or("the record has no R or no target")?;
    let norm = DualNorm::of(&own.m).ok_or("M is no square matrix")?;
    let a = fractions(answer.motion.as_deref().unwrap_or_default());
    let scale = Scale::of(&data, &norm, &a)?;
    let given = answer.force.as_ref().map(|force| data.felt(force));
    let law = lawful(&data, &a);
    let by_law = certify(&data, &norm, &a, &law)?;
    let by_own = match &given {
        Some(force) => Some(certify(&data, &norm, &a, force)?),
        None => None,
    };
    let dynamics = by_own.as_ref().map(|own| own.dynamics.clone());
    let best = match by_own {
        Some(own) if own.motion <= by_law.motion => own,
        _ => by_law,
    };
    let mut found = Found {
        lower: Rational::new(),
        upper: best.motion.clone(),
        by: By::Certificate,
    };
    let is_accepted = scale.upper(&best.motion).is_some_and(|own| own <= *tol);
    let mut why_open = None;
    if !is_accepted || full {
        let start: Vec<_> = a
            .iter()
            .chain(given.as_ref().unwrap_or(&law))
            .cloned()
            .collect();
        match reference::solve(&data, &norm, &start) {
            Ok(reference) => found.narrow(&data, &a, &reference),
            Err(why) => why_open = Some(why),
        }
    }
    let h = match own.quantity {
        Quantity::Acceleration => step.h.to_rational(),
        Quantity::Velocity => Rational::from(1),
    };
    let joule = |own: &Rational| Rational::from(own * &h).square() / 2u32;
    let (lower, upper) = scale.relative(&found.lower, &found.upper);
    let pair = dynamics.map(|own| pair(own, &found.upper, &scale));
    verdict.word = word(&lower, upper.as_ref(), &found, tol);
    verdict.reason = reason(verdict.word, (&lower, upper.as_ref()), why_open);
    let forces_off = pair
        .as_ref()
        .is_some_and(|(lower, _)| *lower > Rational::from(tol * FORCE_FACTOR));
    if forces_off {
        verdict.flags.push(Flag::ForcesOff);
        if verdict.word.is_right() {
            verdict.word = Word::Off;
            let why = "the reported forces do not give the reported motion: M^-1 (q + J'f) is further off than 100 times the tolerance";
            verdict.reason = Some(why.to_owned());
        }
    }
    verdict.finding = Finding::Distance(Box::new(Distance {
        relative: interval(&lower, upper.as_ref()),
        joule: Interval::of(&joule(&found.lower), &joule(&found.upper)),
        pair: pair.map(|(lower, upper)| interval(&lower, upper.as_ref())),
        by: found.by,
        worst_row: best.worst_row,
        unfelt: data.unfelt.clone(),
    }));
    note(own, answer, verdict);
    if data.is_degenerate() && !verdict.word.is_right() {
        verdict.word = Word::NotJudged;
        let why = "degenerate: an R is at the floor of 1e-15, where the only solution and distances from it mean nothing";
        verdict.reason = Some(why.to_owned());
    }
    Ok(())
}

/// The distance, enclosed.
struct Found {
    lower: Rational,
    upper: Rational,
    by: By,
}

impl Found {
    /// Takes in what a reference solution says: |a - a*| is within its bound of |a - a^|.
    fn narrow(&mut self, data: &ExactData, a: &[Rational], reference: &reference::Reference) {
        let apart: Vec<_> = a
            .iter()
            .zip(&reference.a)
            .map(|(a, own)| Rational::from(a - own))
            .collect();
        let square = data.energy(&apart);
        let (below, above) = (
            root_below(&square, ROOT_BITS),
            root_above(&square, ROOT_BITS),
        );
        let (lower, upper) = (below - &reference.off, above + &reference.off);
        self.by = if reference.off.is_zero() {
            By::ExactSolution
        } else {
            By::Reference
        };
        if lower > self.lower {
            self.lower = lower;
        }
        if upper < self.upper {
            self.upper = upper;
        }
    }
}

/// max(|a|_M, |a0|_M), enclosed.
struct Scale {
    below: Rational,
    above: Rational,
}

impl Scale {
    fn of(data: &ExactData, norm: &DualNorm, a: &[Rational]) -> Result<Self, String> {
        let (free_below, free_above) = norm.enclose(&data.q)?;
        let square = data.energy(a);
        if square < 0 {
            return Err("M is not positive definite: a'Ma < 0".to_owned());
        }
        Ok(Self {
            below: free_below.max(root_below(&square, ROOT_BITS)),
            above: free_above.max(root_above(&square, ROOT_BITS)),
        })
    }

    /// An upper bound on a relative distance; `None` where the scale may be 0 and the distance is not.
    fn upper(&self, own: &Rational) -> Option<Rational> {
        crate::exact::ratio(own, &self.below)
    }

    fn relative(&self, lower: &Rational, upper: &Rational) -> (Rational, Option<Rational>) {
        // A distance without a scale is beyond all tolerances.
        let lower = crate::exact::ratio(lower, &self.above).unwrap_or_else(|| Rational::from(1));
        (lower, self.upper(upper))
    }
}

/// The relative distance of M^-1 (q + J'f) from a*: it is |M a - J'f - q|_(M^-1) from a.
fn pair(
    (below, above): (Rational, Rational),
    off: &Rational,
    scale: &Scale,
) -> (Rational, Option<Rational>) {
    let lower = Rational::from(&below - off).max(Rational::new());
    scale.relative(&lower, &(above + off))
}

fn interval(lower: &Rational, upper: Option<&Rational>) -> Interval {
    match upper {
        Some(upper) => Interval::of(lower, upper),
        None => Interval {
            lower: crate::verdict::round_down_f64(lower),
            upper: f64::INFINITY,
        },
    }
}

fn word(lower: &Rational, upper: Option<&Rational>, found: &Found, tol: &Rational) -> Word {
    if found.upper.is_zero() {
        Word::Exact
    } else if upper.is_some_and(|own| own <= tol) {
        Word::Accepted
    } else if lower > tol {
        Word::Off
    } else {
        Word::Undecided
    }
}

/// The reason of a word that is not `accepted`.
fn reason(
    word: Word,
    (lower, upper): (&Rational, Option<&Rational>),
    why_open: Option<String>,
) -> Option<String> {
    let upper = upper.map_or("infinity".to_owned(), short_text);
    match word {
        Word::Off => Some(format!(
            "the motion is off by at least {} of its size",
            etalon_lcp::format_f64(crate::verdict::round_down_f64(lower)),
        )),
        Word::Undecided => Some(why_open.unwrap_or_else(|| {
            format!("the tolerance is inside of the proved interval, which ends at {upper}")
        })),
        _ => None,
    }
}
