//! Level C: states alone. Could any admissible impulse have done it?
//!
//! The least eps with |M dv - h f - J'λ|_i <= eps S_i for impulses λ in their cones is enclosed by two linear programmes,
//! with polygons inside and outside of the circles. The inner one's λ explains the step. The outer one's dual is a test
//! motion y: every admissible impulse does work of at least 0 on it, and what was observed does work below -eps |y|'S.
//! Whatever the programmes say, both are checked here by products and sums.

mod check;
mod polygon;
mod programme;
mod sets;

use rug::Rational;

use crate::assembly::Assembly;
use crate::exact::power;
use crate::findings::{Explanation, Interval, round_down_f64};
use crate::laws::ACCEPTED_UNITS;
use crate::settings::StepJudge;
use crate::step::EngineStep;
use crate::verdict::{Level, LevelFinding, StepVerdict, Word};

use check::{explained_within, scales, separates_beyond};
use programme::Programme;
use sets::ContactSet;

/// The largest linear programme, in rows and columns together.
const MAX_SIZE: usize = 1_200;

/// How often polygons are refined, where the tolerance lies between inside and outside.
const ROUNDS: usize = 4;

/// Judges a step by its states.
pub(crate) fn judge(step: &EngineStep, assembly: &Assembly, judge: &StepJudge) -> StepVerdict {
    let law = judge.law_of(step);
    let not = |why: String| StepVerdict::not_judged(step, Level::C, why);
    let unit = power(step.precision.unit_exponent());
    let tol = judge.tol.clone().unwrap_or(unit * ACCEPTED_UNITS);
    let declared = step.declared_error.as_ref().map(|own| own.to_rational());
    let tol = tol + declared.unwrap_or_default();
    let scales = scales(assembly);
    let sets = if judge.slip {
        sets::at_end_velocity(assembly, &tol)
    } else {
        Ok(sets::cones(assembly))
    };
    let mut sets = match sets {
        Ok(sets) => sets,
        Err(why) => return not(why),
    };
    let size = Programme::size(assembly, &sets);
    if size > MAX_SIZE {
        return not(format!(
            "a linear programme of {size} rows and columns is over the limit of {MAX_SIZE}"
        ));
    }
    let mut verdict = StepVerdict::new(step, Level::C);
    let slip = if judge.slip {
        " at the end velocity"
    } else {
        ", the cone alone"
    };
    verdict.law = Some(format!("{}{slip}", law.word()));
    match search(assembly, &scales, &mut sets, &tol) {
        Ok(found) => {
            verdict.word = found.word(&tol);
            verdict.reason = found.reason(verdict.word, &tol);
            verdict.finding = LevelFinding::Explanation(Box::new(found.explanation()));
        }
        Err(why) => {
            verdict.word = Word::Undecided;
            verdict.reason = Some(why);
        }
    }
    verdict
}

/// What is proved so far: the best of both sides.
#[derive(Default)]
struct Best {
    lower: Rational,
    y: Option<Vec<Rational>>,
    upper: Option<Rational>,
    impulse: Option<Vec<Vec<Rational>>>,
}

/// Both programmes, with finer polygons as long as the tolerance is between their ends.
fn search(
    assembly: &Assembly,
    scales: &[Rational],
    sets: &mut [ContactSet],
    tol: &Rational,
) -> Result<Best, String> {
    let mut best = Best::default();
    for _ in 0..ROUNDS {
        let outer = Programme::new(assembly, scales, sets, false).solve()?;
        // The polygons outside hold the cones, so what they cannot explain the cones cannot. Those inside
        // are held by them, so what they explain is explained.
        let lower = separates_beyond(assembly, scales, sets, &outer.y);
        if let Some(lower) = lower.filter(|lower| *lower > best.lower) {
            best.lower = lower;
            best.y = Some(outer.y);
        }
        let inner = Programme::new(assembly, scales, sets, true).solve()?;
        let upper = explained_within(assembly, scales, sets, &inner.impulse, &inner.joints);
        let is_less = |upper: &Rational| best.upper.as_ref().is_none_or(|own| upper < own);
        if let Some(upper) = upper.filter(is_less) {
            best.upper = Some(upper);
            best.impulse = Some(inner.impulse.clone());
        }
        let is_open = best.lower <= *tol && best.upper.as_ref().is_none_or(|own| own > tol);
        let mut refined = false;
        if is_open {
            // Where both solutions are: elsewhere the gap between the polygons costs nothing.
            refined |= sets::refine(sets, &outer.impulse);
            refined |= sets::refine(sets, &inner.impulse);
        }
        if !refined {
            break;
        }
    }
    Ok(best)
}

impl Best {
    fn word(&self, tol: &Rational) -> Word {
        if self.upper.as_ref().is_some_and(|own| own <= tol) {
            Word::Explained
        } else if self.lower > *tol {
            Word::Inexplicable
        } else {
            Word::Undecided
        }
    }

    fn reason(&self, word: Word, tol: &Rational) -> Option<String> {
        let tol = etalon_lcp::round_up_f64(tol);
        match word {
            Word::Inexplicable => Some(format!(
                "no admissible impulse explains it: on the test motion of the certificate the observed change does work that needs a relative change of {:.4e}, over {tol:.1e}",
                round_down_f64(&self.lower),
            )),
            Word::Undecided => Some(format!(
                "the tolerance {tol:.1e} is inside of the proved interval"
            )),
            _ => None,
        }
    }

    fn explanation(self) -> Explanation {
        let eps = match &self.upper {
            Some(upper) => Interval::of(&self.lower, upper),
            None => Interval {
                lower: round_down_f64(&self.lower),
                upper: f64::INFINITY,
            },
        };
        Explanation {
            eps,
            certificate: self.y,
            impulse: self.impulse,
        }
    }
}
