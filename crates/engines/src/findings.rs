//! What each level finds, as data and in records.

use etalon_lcp::{format_f64, round_up_f64};
use rug::Rational;
use serde_json::Value;

use crate::json::{Object, list, quoted};

/// An interval of binary64 numbers that a value is proved to be in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Not above the value.
    pub lower: f64,
    /// Not below it; infinite where nothing is known.
    pub upper: f64,
}

impl Interval {
    /// Rounded outwards.
    pub(crate) fn of(lower: &Rational, upper: &Rational) -> Self {
        Self {
            lower: round_down_f64(lower),
            upper: round_up_f64(upper),
        }
    }

    /// Reads the list of two ends.
    pub fn of_json(own: &Value) -> Option<Self> {
        let end = |own: &Value| match own {
            Value::String(text) => text.parse().ok(),
            own => own.as_f64(),
        };
        let [lower, upper] = &own.as_array()?[..] else {
            return None;
        };
        let (lower, upper) = (end(lower)?, end(upper)?);
        Some(Self { lower, upper })
    }

    fn json(&self) -> String {
        format!("[{},{}]", measure(self.lower), measure(self.upper))
    }
}

/// The largest binary64 not above a number >= 0.
pub(crate) fn round_down_f64(value: &Rational) -> f64 {
    // rug truncates towards zero.
    value.to_f64()
}

/// The way a distance was proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum By {
    /// The bound in binary64, its rounding counted.
    Filter,
    /// The bound in exact arithmetic.
    Certificate,
    /// A reference solution with its own bound.
    Reference,
    /// The exact solution.
    ExactSolution,
}

impl By {
    /// The word that stands in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Filter => "filter",
            Self::Certificate => "certificate",
            Self::Reference => "reference",
            Self::ExactSolution => "exact solution",
        }
    }
}

/// The distance of an answer from the only solution of its problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Distance {
    /// |a - a*|_M / max(|a|_M, |a0|_M).
    pub relative: Interval,
    /// (h |a - a*|_M)^2 / 2 in joule.
    pub joule: Interval,
    /// The same relative distance of M^-1 (q + J'f) from a*: what the reported forces do.
    pub pair: Option<Interval>,
    /// The way it was proved.
    pub by: By,
    /// The row that the bound owes most to.
    pub worst_row: Option<usize>,
    /// Rows with J = 0.
    pub unfelt: Vec<usize>,
    /// What the objective is at most above its minimum, where the engine says at which gap it may stop.
    pub objective: Option<f64>,
}

/// A number for a law, with the place that sets it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measured {
    /// The violation, relative; 0 where the law holds.
    pub value: Rational,
    /// Where it is largest, in words.
    pub place: String,
}

impl Measured {
    pub(crate) fn raise(&mut self, value: Rational, place: impl FnOnce() -> String) {
        if value > self.value {
            self.value = value;
            self.place = place();
        }
    }
}

/// The numbers of level B. Absent is what the record does not let one ask.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Laws {
    /// The least relative change of the data that makes momentum balance, largest over translations and rotations.
    pub balance: Option<Measured>,
    /// How far an impulse is outside of the circular (or elliptic) cone, in parts of the largest normal impulse.
    pub cone: Option<Measured>,
    /// The same axis by axis, where that is the declared law.
    pub axes: Option<Measured>,
    /// How far friction is from opposing the slip at the end of the step.
    pub direction: Option<Measured>,
    /// The largest speed of slip at the end of the step, in m/s.
    pub slip: Option<Rational>,
    /// How far normal velocities are from the declared targets, relative to the largest speed.
    pub gap: Option<Measured>,
    /// The largest normal velocity at the end of the step of a contact that presses, less its target, in m/s.
    pub gap_speed: Option<Rational>,
    /// The energy that contact impulses create, relative to the sum of their parts.
    pub energy: Option<Measured>,
    /// The work of contact impulses, in joule.
    pub work: Option<Rational>,
    /// Why the sign of the work is not judged.
    pub work_unjudged: Option<&'static str>,
}

/// What level C has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The least relative change of the balance that an admissible impulse needs.
    pub eps: Interval,
    /// A test motion y over the velocities of all bodies: it proves the lower end.
    pub certificate: Option<Vec<Rational>>,
    /// Impulses of each contact, normal first: they prove the upper end.
    pub impulse: Option<Vec<Vec<Rational>>>,
}

/// What may act at a contact, by the law that level C asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Admissible {
    /// The normal, and the tangents, in the world: those of the record, or the ones that it is judged by.
    pub directions: Vec<Vec<Rational>>,
    /// Corners of the frictions for a normal impulse of 1, on its tangents: of one corner the friction is that, of
    /// several it is in their hull. A circle has the polygon around it.
    pub friction: Vec<Vec<Rational>>,
    /// The largest normal impulse, where there is one.
    pub cap: Option<Rational>,
}

/// How a contact moves on a test motion.
#[derive(Debug, Clone, PartialEq)]
pub struct MovedContact {
    /// Its velocities: normal, tangents, torsion, rolling.
    pub u: Vec<Rational>,
    /// The least work on it of an impulse with the normal part 1.
    pub least: Rational,
}

/// The sides of the inequality by which a test motion y proves that no admissible impulse explains a step below eps.
#[derive(Debug, Clone, PartialEq)]
pub struct Separation {
    /// The contacts on y.
    pub contacts: Vec<MovedContact>,
    /// The work of the observed change of momentum, y'(M dv - h f).
    pub observed: Rational,
    /// What admissible impulses work at least: 0, or less where contacts have caps.
    pub admissible: Rational,
    /// |y|'S.
    pub size: Rational,
    /// (admissible - observed) / size, positive.
    pub eps: Rational,
}

/// A measure in JSON; what is beyond binary64 is the text of a power of ten above it.
pub(crate) fn measure(own: f64) -> String {
    if own.is_finite() {
        format_f64(own)
    } else {
        quoted("1e309")
    }
}

impl Distance {
    pub(crate) fn write(&self, own: &mut Object) {
        own.raw("distance", self.relative.json())
            .raw("joule", self.joule.json())
            .maybe("pair", self.pair, |pair| pair.json())
            .text("by", self.by.word())
            .maybe("worst_row", self.worst_row, |row| row.to_string())
            .maybe("objective_gap", self.objective, measure);
        if !self.unfelt.is_empty() {
            own.raw("unfelt", list(&self.unfelt, |row| row.to_string()));
        }
    }
}

impl Laws {
    /// The numbers, with their names in records.
    pub fn numbers(&self) -> [(&'static str, Option<&Measured>); 6] {
        [
            ("balance", self.balance.as_ref()),
            ("cone", self.cone.as_ref()),
            ("axes", self.axes.as_ref()),
            ("direction", self.direction.as_ref()),
            ("gap", self.gap.as_ref()),
            ("energy", self.energy.as_ref()),
        ]
    }

    /// The largest of the numbers.
    pub(crate) fn worst(&self) -> f64 {
        let numbers = self.numbers().into_iter();
        let values = numbers.filter_map(|(_, own)| Some(round_up_f64(&own?.value)));
        values.fold(0.0, f64::max)
    }

    pub(crate) fn write(&self, own: &mut Object) {
        let up = |value: &Rational| measure(round_up_f64(value));
        for (name, number) in self.numbers() {
            own.maybe(name, number, |number| up(&number.value));
        }
        own.maybe("slip", self.slip.as_ref(), up)
            .maybe("gap_speed", self.gap_speed.as_ref(), up)
            .maybe("work", self.work.as_ref(), |work| measure(work.to_f64()))
            .maybe("energy_not_judged", self.work_unjudged, quoted);
    }
}

impl Explanation {
    /// Reads what [`StepVerdict::line`](crate::StepVerdict::line) writes.
    ///
    /// # Errors
    /// The field that is none of an explanation.
    pub fn of_json(verdict: &Value) -> Result<Self, &'static str> {
        let list = |own: &Value| -> Option<Vec<Rational>> {
            let entries = own.as_array()?.iter();
            let read = |entry: &Value| etalon_lcp::parse_rational(entry.as_str()?).ok();
            entries.map(read).collect()
        };
        let lists = |own: &Value| -> Option<Vec<Vec<Rational>>> {
            own.as_array()?.iter().map(list).collect()
        };
        let certificate = verdict.get("certificate").map(list);
        let impulse = verdict.get("impulse").map(lists);
        Ok(Self {
            eps: verdict
                .get("eps")
                .and_then(Interval::of_json)
                .ok_or("eps")?,
            certificate: certificate
                .map(|own| own.ok_or("certificate"))
                .transpose()?,
            impulse: impulse.map(|own| own.ok_or("impulse")).transpose()?,
        })
    }

    pub(crate) fn write(&self, own: &mut Object) {
        let exact = |own: &Rational| quoted(&own.to_string());
        own.raw("eps", self.eps.json())
            .maybe("certificate", self.certificate.as_ref(), |y| list(y, exact))
            .maybe("impulse", self.impulse.as_ref(), |contacts| {
                list(contacts, |contact| list(contact, exact))
            });
    }
}
