//! What is said of a step.

use etalon_lcp::record::VERDICT_FORMAT;
use etalon_lcp::{format_f64, round_up_f64};
use rug::Rational;

use crate::explain::Explanation;
use crate::json::{Object, list, quoted};
use crate::laws::{Laws, Measured};
use crate::step::Step;

/// The three questions, from the strongest to the weakest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Is the answer the solution of the problem that the engine says it solves?
    A,
    /// Do the impulses obey momentum, cone, direction, target and energy?
    B,
    /// Could any admissible impulse have done it?
    C,
}

impl Level {
    /// All levels.
    pub const ALL: [Self; 3] = [Self::A, Self::B, Self::C];

    /// The letter that stands in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
        }
    }
}

/// The word of a verdict on a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Word {
    /// Right without any error (level A), or within the rounding of the engine (level B).
    Exact,
    /// Within the tolerance.
    Accepted,
    /// Level C: an admissible impulse does it.
    Explained,
    /// Provably beyond the tolerance.
    Off,
    /// Level C: provably no admissible impulse does it.
    Inexplicable,
    /// The tolerance is inside of the proved interval.
    Undecided,
    /// Not judged, for the reason given.
    NotJudged,
}

impl Word {
    /// All words.
    pub const ALL: [Self; 7] = [
        Self::Exact,
        Self::Accepted,
        Self::Explained,
        Self::Off,
        Self::Inexplicable,
        Self::Undecided,
        Self::NotJudged,
    ];

    /// The word that stands in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Accepted => "accepted",
            Self::Explained => "explained",
            Self::Off => "off",
            Self::Inexplicable => "inexplicable",
            Self::Undecided => "undecided",
            Self::NotJudged => "not judged",
        }
    }

    /// Whether the step is proved to be wrong.
    pub fn is_wrong(self) -> bool {
        matches!(self, Self::Off | Self::Inexplicable)
    }

    /// Whether it is proved to be right within the tolerance.
    pub fn is_right(self) -> bool {
        matches!(self, Self::Exact | Self::Accepted | Self::Explained)
    }
}

/// What is remarkable about a step, beside its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Flag {
    /// Off, though the solver stopped before its limit of iterations.
    ConvergedAndWrong,
    /// The solver stopped at its limit of iterations.
    IterationLimit,
    /// Rows that no velocity can feel (J = 0): their forces are left out.
    Unfelt,
    /// A row's R is at its floor, where distances mean nothing.
    Degenerate,
    /// The reported forces do not give the reported motion.
    ForcesOff,
}

impl Flag {
    /// The word that stands in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::ConvergedAndWrong => "converged-and-wrong",
            Self::IterationLimit => "iteration-limit",
            Self::Unfelt => "unfelt",
            Self::Degenerate => "degenerate",
            Self::ForcesOff => "forces-off",
        }
    }
}

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
}

/// What a level has found.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// Nothing: not judged.
    Nothing,
    /// Level A.
    Distance(Box<Distance>),
    /// Level B.
    Laws(Box<Laws>),
    /// Level C.
    Explanation(Box<Explanation>),
}

/// A verdict on a step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepVerdict {
    /// The step's name.
    pub name: String,
    /// The question.
    pub level: Level,
    /// The answer in a word.
    pub word: Word,
    /// The law that was judged.
    pub law: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// What else is remarkable.
    pub flags: Vec<Flag>,
    /// The figures.
    pub finding: Finding,
}

impl StepVerdict {
    pub(crate) fn new(step: &Step, level: Level) -> Self {
        Self {
            name: step.name.clone(),
            level,
            word: Word::NotJudged,
            law: None,
            reason: None,
            flags: Vec::new(),
            finding: Finding::Nothing,
        }
    }

    pub(crate) fn not_judged(step: &Step, level: Level, reason: impl Into<String>) -> Self {
        Self {
            reason: Some(reason.into()),
            ..Self::new(step, level)
        }
    }

    /// How bad the step is, to find the worst of a log: the least distance, or the largest number of a law.
    pub fn badness(&self) -> f64 {
        match &self.finding {
            Finding::Nothing => 0.0,
            Finding::Distance(own) => match own.by {
                By::Filter | By::Certificate => own.relative.upper,
                By::Reference | By::ExactSolution => own.relative.lower,
            },
            Finding::Laws(own) => own.worst(),
            Finding::Explanation(own) => own.eps.lower,
        }
    }

    /// The record `etalon-verdict/1` as one line.
    pub fn line(&self) -> String {
        let mut own = Object::new();
        own.text("format", VERDICT_FORMAT)
            .text("name", &self.name)
            .text("verdict", self.word.word())
            .text("level", self.level.word())
            .maybe("law", self.law.as_deref(), quoted)
            .maybe("reason", self.reason.as_deref(), quoted);
        if !self.flags.is_empty() {
            own.raw("flags", list(&self.flags, |flag| quoted(flag.word())));
        }
        match &self.finding {
            Finding::Nothing => {}
            Finding::Distance(found) => found.write(&mut own),
            Finding::Laws(found) => found.write(&mut own),
            Finding::Explanation(found) => found.write(&mut own),
        }
        own.end()
    }
}

/// A measure in JSON; what is beyond binary64 is the text of a power of ten above it.
fn measure(own: f64) -> String {
    if own.is_finite() {
        format_f64(own)
    } else {
        quoted("1e309")
    }
}

impl Distance {
    fn write(&self, own: &mut Object) {
        own.raw("distance", self.relative.json())
            .raw("joule", self.joule.json())
            .maybe("pair", self.pair, |pair| pair.json())
            .text("by", self.by.word())
            .maybe("worst_row", self.worst_row, |row| row.to_string());
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
    fn worst(&self) -> f64 {
        let numbers = self.numbers().into_iter();
        let values = numbers.filter_map(|(_, own)| Some(round_up_f64(&own?.value)));
        values.fold(0.0, f64::max)
    }

    fn write(&self, own: &mut Object) {
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
    fn write(&self, own: &mut Object) {
        let exact = |own: &Rational| quoted(&own.to_string());
        own.raw("eps", self.eps.json())
            .maybe("certificate", self.certificate.as_ref(), |y| list(y, exact))
            .maybe("impulse", self.impulse.as_ref(), |contacts| {
                list(contacts, |contact| list(contact, exact))
            });
    }
}
