//! The ways in which a solver gives no answer, each with its name.

use std::fmt;

/// Why there is no answer that could be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubjectFailure {
    /// Which way.
    pub kind: FailureKind,
    /// The observation, for people.
    pub message: String,
}

/// The named ways of giving no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FailureKind {
    /// The problem cannot be sent: its data are not binary64 numbers.
    NotSent,
    /// The program cannot be started.
    NotStarted,
    /// The problem was read, and no answer came in time.
    Hung,
    /// No answer came in time, and the problem was not read either.
    NeverRead,
    /// The solver has ended, but a process that it started holds on to its output and says nothing.
    Forked,
    /// It ended by itself without an answer.
    Exited,
    /// A signal ended it: a crash, or a limit of memory.
    Crashed,
    /// It closed its output and went on.
    Closed,
    /// An answer over the limit of length.
    Flooded,
    /// An answer that is no claim.
    Garbage,
    /// A value that is no finite number.
    NotFinite,
    /// The answer to another question.
    OutOfOrder,
    /// An answer of another length than the problem has rows.
    WrongLength,
    /// A solver in this process panicked.
    Panicked,
}

impl FailureKind {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::NotSent,
        Self::NotStarted,
        Self::Hung,
        Self::NeverRead,
        Self::Forked,
        Self::Exited,
        Self::Crashed,
        Self::Closed,
        Self::Flooded,
        Self::Garbage,
        Self::NotFinite,
        Self::OutOfOrder,
        Self::WrongLength,
        Self::Panicked,
    ];

    /// Whether nothing came in time, so that a slower machine or more time might change it.
    pub fn is_silence(self) -> bool {
        matches!(self, Self::Hung | Self::NeverRead)
    }

    /// The word that stands in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::NotSent => "not-sent",
            Self::NotStarted => "not-started",
            Self::Hung => "hung",
            Self::NeverRead => "never-read",
            Self::Forked => "forked",
            Self::Exited => "exited",
            Self::Crashed => "crashed",
            Self::Closed => "closed",
            Self::Flooded => "flooded",
            Self::Garbage => "garbage",
            Self::NotFinite => "not-finite",
            Self::OutOfOrder => "out-of-order",
            Self::WrongLength => "wrong-length",
            Self::Panicked => "panicked",
        }
    }
}

impl SubjectFailure {
    /// A failure with what was seen.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl fmt::Display for SubjectFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SubjectFailure {}
