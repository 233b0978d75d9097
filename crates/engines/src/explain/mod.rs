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

use crate::assembly::{Assembly, ContactRows};
use crate::exact::power;
use crate::findings::{Admissible, Explanation, Interval, Separation, round_down_f64};
use crate::laws::ACCEPTED_UNITS;
use crate::settings::StepJudge;
use crate::step::{EngineStep, Form};
use crate::verdict::{Level, LevelFinding, StepVerdict, Word};

use check::{explained_within, scales, separation};
use programme::Programme;
use sets::ContactSet;

/// The largest linear programme, in rows and columns together.
const MAX_SIZE: usize = 1_200;

/// How often polygons are refined, where the tolerance lies between inside and outside.
const ROUNDS: usize = 4;

/// Level C asked of a step of bodies: what it observed, and the impulses that its law admits.
pub struct StatesQuestion {
    assembly: Assembly,
    scales: Vec<Rational>,
    sets: Vec<ContactSet>,
    tol: Rational,
    law: String,
}

impl StatesQuestion {
    /// The question that a judge asks of a step.
    ///
    /// # Errors
    /// Why level C cannot be asked of it.
    pub fn of(step: &EngineStep, judge: &StepJudge) -> Result<Self, String> {
        let Form::Bodies(_) = &step.form else {
            return Err(NO_BODIES.to_owned());
        };
        let law = judge.law_of(step);
        let assembly = Assembly::of(step, law).ok_or(NO_BODIES)?;
        let unit = power(step.precision.unit_exponent());
        let tol = judge.tol.clone().unwrap_or(unit * ACCEPTED_UNITS);
        let declared = step.declared_error.as_ref().map(|own| own.to_rational());
        let tol = tol + declared.unwrap_or_default();
        let (sets, slip) = if judge.slip {
            let sets = sets::at_end_velocity(&assembly, &tol)?;
            (sets, " at the end velocity")
        } else {
            (sets::cones(&assembly), ", the cone alone")
        };
        Ok(Self {
            scales: scales(&assembly),
            law: format!("{}{slip}", law.word()),
            assembly,
            sets,
            tol,
        })
    }

    /// The law that is judged, in words.
    pub fn law(&self) -> &str {
        &self.law
    }

    /// The eps up to which a step is explained.
    pub fn tolerance(&self) -> &Rational {
        &self.tol
    }

    /// M (v1 - v0) - h f over the velocities of all bodies: the observed change of momentum that contacts and joints are to explain.
    pub fn observed(&self) -> &[Rational] {
        &self.assembly.change
    }

    /// What a test motion y over the velocities of all bodies proves, by products and sums; `None` where it proves nothing.
    pub fn separation(&self, y: &[Rational]) -> Option<Separation> {
        let fits = y.len() == self.assembly.change.len();
        let proves = || separation(&self.assembly, &self.scales, &self.sets, y);
        fits.then(proves).flatten()
    }

    /// The interval of eps that a certificate and impulses prove, whoever found them; `None` where one of them proves
    /// nothing. With joints impulses alone prove nothing: those of the joints are not in a verdict.
    pub fn proved(&self, found: &Explanation) -> Option<Interval> {
        let lower = match &found.certificate {
            Some(y) => self.separation(y)?.eps,
            None => Rational::new(),
        };
        let Some(impulse) = &found.impulse else {
            let (lower, upper) = (round_down_f64(&lower), f64::INFINITY);
            return Some(Interval { lower, upper });
        };
        let contacts = &self.assembly.contacts;
        let pairs = || contacts.iter().zip(impulse);
        let fits = contacts.len() == impulse.len()
            && pairs().all(|(contact, own)| contact.rows.len() == own.len());
        if !fits || !self.assembly.joints.is_empty() {
            return None;
        }
        let upper = explained_within(&self.assembly, &self.scales, &self.sets, impulse, &[])?;
        Some(Interval::of(&lower, &upper))
    }

    /// What may act at each contact.
    pub fn contacts(&self) -> Vec<Admissible> {
        let pairs = self.assembly.contacts.iter().zip(&self.sets);
        let of = |(contact, set): (&ContactRows, &ContactSet)| Admissible {
            directions: contact.directions.clone(),
            friction: sets::sliding(contact, set),
            cap: set.cap.clone(),
        };
        pairs.map(of).collect()
    }
}

/// Level C is asked of bodies.
pub(crate) const NO_BODIES: &str = "level C needs bodies and contacts";

/// Judges a step by its states.
pub(crate) fn judge(step: &EngineStep, judge: &StepJudge) -> StepVerdict {
    let not = |why: String| StepVerdict::not_judged(step, Level::C, why);
    let mut question = match StatesQuestion::of(step, judge) {
        Ok(question) => question,
        Err(why) => return not(why),
    };
    let size = Programme::size(&question.assembly, &question.sets);
    if size > MAX_SIZE {
        return not(format!(
            "a linear programme of {size} rows and columns is over the limit of {MAX_SIZE}"
        ));
    }
    let mut verdict = StepVerdict::new(step, Level::C);
    verdict.law = Some(question.law.clone());
    match search(&mut question) {
        Ok(found) => {
            let tol = &question.tol;
            verdict.word = found.word(tol);
            verdict.reason = found.reason(verdict.word, tol);
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
fn search(question: &mut StatesQuestion) -> Result<Best, String> {
    let StatesQuestion {
        assembly,
        scales,
        sets,
        tol,
        ..
    } = question;
    let (assembly, scales, tol) = (&*assembly, &**scales, &*tol);
    let mut best = Best::default();
    for _ in 0..ROUNDS {
        let outer = Programme::new(assembly, scales, sets, false).solve()?;
        // The polygons outside hold the cones, so what they cannot explain the cones cannot. Those inside
        // are held by them, so what they explain is explained.
        let proof = separation(assembly, scales, sets, &outer.y);
        if let Some(proof) = proof.filter(|proof| proof.eps > best.lower) {
            best.lower = proof.eps;
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

/// Five digits of a number >= 0, the others cut: at least this is proved.
fn five_digits_down(value: f64) -> String {
    let text = format!("{value:.40e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{mantissa:.6}e{exponent}"),
        None => text,
    }
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
                "no admissible impulse explains it: on the test motion of the certificate the observed change does work that needs a relative change of {}, over {tol:.1e}",
                five_digits_down(round_down_f64(&self.lower)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_said_than_is_proved() {
        assert_eq!(five_digits_down(0.557_256_40), "5.5725e-1");
        assert_eq!(five_digits_down(0.25), "2.5000e-1");
        assert_eq!(five_digits_down(1.999_999_9e-6), "1.9999e-6");
    }
}
