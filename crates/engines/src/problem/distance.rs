//! The distance of an answer from the solution, enclosed, and the word for it.

use etalon_certify::{root_above, root_below};
use etalon_lcp::{round_up_f64, short_text};
use rug::Rational;

use super::certificate::{Certificate, certify};
use super::exact::ExactData;
use super::norm::DualNorm;
use super::reference;
use crate::exact::ROOT_BITS;
use crate::findings::{By, Interval, round_down_f64};
use crate::step::EngineAnswer;
use crate::verdict::Word;

/// The distance, enclosed.
pub(super) struct Found {
    pub lower: Rational,
    pub upper: Rational,
    /// The objective is at most this above its minimum.
    pub objective: Rational,
    pub by: By,
}

impl Found {
    pub fn by_bound(bound: &Certificate) -> Self {
        Self {
            lower: Rational::new(),
            upper: bound.motion.clone(),
            objective: bound.objective.clone(),
            by: By::Certificate,
        }
    }

    /// The bound, narrowed by a reference solution; why not, where there is none.
    pub fn by_reference(
        data: &ExactData,
        norm: &DualNorm,
        a: &[Rational],
        force: &[Rational],
        bound: &Certificate,
    ) -> (Self, Option<String>) {
        let mut found = Self::by_bound(bound);
        let start: Vec<_> = a.iter().chain(force).cloned().collect();
        match reference::solve(data, norm, &start) {
            Ok(reference) => {
                found.narrow(data, a, &reference);
                // The forces of the solution give the best bound on the objective, too.
                if let Ok(own) = certify(data, norm, a, &reference.f) {
                    found.objective = found.objective.min(own.objective);
                }
                (found, None)
            }
            Err(why) => (found, Some(why)),
        }
    }

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
        // The triangle inequality, both ways, about the reference.
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
pub(super) struct Scale {
    below: Rational,
    above: Rational,
}

impl Scale {
    pub fn of(data: &ExactData, norm: &DualNorm, a: &[Rational]) -> Result<Self, String> {
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
    pub fn upper(&self, own: &Rational) -> Option<Rational> {
        crate::exact::ratio(own, &self.below)
    }

    pub fn relative(&self, lower: &Rational, upper: &Rational) -> (Rational, Option<Rational>) {
        // A distance without a scale is beyond all tolerances.
        let lower = crate::exact::ratio(lower, &self.above).unwrap_or_else(|| Rational::from(1));
        (lower, self.upper(upper))
    }
}

/// The relative distance of M^-1 (q + J'f) from a*: it is |M a - J'f - q|_(M^-1) from a.
pub(super) fn pair(
    (below, above): (Rational, Rational),
    off: &Rational,
    scale: &Scale,
) -> (Rational, Option<Rational>) {
    let lower = Rational::from(&below - off).max(Rational::new());
    scale.relative(&lower, &(above + off))
}

pub(super) fn interval(lower: &Rational, upper: Option<&Rational>) -> Interval {
    match upper {
        Some(upper) => Interval::of(lower, upper),
        None => Interval {
            lower: round_down_f64(lower),
            upper: f64::INFINITY,
        },
    }
}

/// What the engine's own criterion for stopping allows, beside what is proved of the answer.
pub(super) struct Stop {
    /// The objective is at most this above its minimum.
    pub gap: Rational,
    /// The engine may stop where it is at most this above.
    allowed: Rational,
}

impl Stop {
    /// Of an answer whose engine says where it may stop.
    pub fn of(answer: &EngineAnswer, found: &Found) -> Option<Self> {
        let allowed = answer.stop_gap.as_ref()?.to_rational();
        let gap = found.objective.clone();
        Some(Self { gap, allowed })
    }

    /// Whether no further iteration could lower the objective by more than the engine may leave.
    pub fn is_met(&self) -> bool {
        self.gap <= self.allowed
    }
}

/// The word for an interval of the relative distance.
pub(super) fn word(
    (lower, upper): (&Rational, Option<&Rational>),
    found: &Found,
    stop: Option<&Stop>,
    tol: &Rational,
) -> Word {
    if found.upper.is_zero() {
        Word::Exact
    } else if upper.is_some_and(|own| own <= tol) {
        Word::Accepted
    // The tolerance is inside of the interval: neither side is proved.
    } else if lower <= tol {
        Word::Undecided
    } else if stop.is_some_and(Stop::is_met) {
        Word::Loose
    } else {
        Word::Off
    }
}

/// The reason of a word that is not `accepted`.
pub(super) fn reason(
    word: Word,
    (lower, upper): (&Rational, Option<&Rational>),
    stop: Option<&Stop>,
    why_open: Option<String>,
) -> Option<String> {
    let upper = upper.map_or("infinity".to_owned(), short_text);
    let least = etalon_lcp::format_f64(round_down_f64(lower));
    match (word, stop) {
        (Word::Loose, Some(stop)) => Some(format!(
            "the motion is off by at least {least} of its size, and the objective by at most {} of {}, where the \
             engine's own tolerance lets it stop",
            etalon_lcp::format_f64(round_up_f64(&stop.gap)),
            etalon_lcp::format_f64(round_down_f64(&stop.allowed)),
        )),
        (Word::Off, _) => Some(format!("the motion is off by at least {least} of its size")),
        (Word::Undecided, _) => Some(why_open.unwrap_or_else(|| {
            format!("the tolerance is inside of the proved interval, which ends at {upper}")
        })),
        _ => None,
    }
}
