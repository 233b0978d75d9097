//! What is said of a step.

use etalon_lcp::record::VERDICT_FORMAT;

use crate::findings::{By, Distance, Explanation, Laws};
use crate::json::{Object, list, quoted};
use crate::step::EngineStep;

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
    /// Level A: provably beyond the tolerance, and provably within the engine's own: its objective is as near to the
    /// minimum as it may stop at.
    Loose,
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
    pub const ALL: [Self; 8] = [
        Self::Exact,
        Self::Accepted,
        Self::Explained,
        Self::Loose,
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
            Self::Loose => "loose",
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

/// What a level has found.
#[derive(Debug, Clone, PartialEq)]
pub enum LevelFinding {
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
    pub finding: LevelFinding,
}

impl StepVerdict {
    pub(crate) fn new(step: &EngineStep, level: Level) -> Self {
        Self {
            name: step.name.clone(),
            level,
            word: Word::NotJudged,
            law: None,
            reason: None,
            flags: Vec::new(),
            finding: LevelFinding::Nothing,
        }
    }

    pub(crate) fn not_judged(step: &EngineStep, level: Level, reason: impl Into<String>) -> Self {
        Self {
            reason: Some(reason.into()),
            ..Self::new(step, level)
        }
    }

    /// How bad the step is, to find the worst of a log: the least distance, or the largest number of a law.
    pub fn badness(&self) -> f64 {
        match &self.finding {
            LevelFinding::Nothing => 0.0,
            LevelFinding::Distance(own) => match own.by {
                By::Filter | By::Certificate => own.relative.upper,
                By::Reference | By::ExactSolution => own.relative.lower,
            },
            LevelFinding::Laws(own) => own.worst(),
            LevelFinding::Explanation(own) => own.eps.lower,
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
            LevelFinding::Nothing => {}
            LevelFinding::Distance(found) => found.write(&mut own),
            LevelFinding::Laws(found) => found.write(&mut own),
            LevelFinding::Explanation(found) => found.write(&mut own),
        }
        own.end()
    }
}
