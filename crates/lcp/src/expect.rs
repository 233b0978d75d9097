//! The known facts about a problem: the truth of a golden.

use crate::certificate::Certificate;
use crate::number::Number;

/// The `expect` field of a problem record.
#[derive(Debug, Clone, PartialEq)]
pub struct Expect {
    /// Whether there is a solution.
    pub status: Status,
    /// Exact solutions, each of n values.
    pub solutions: Vec<Vec<Number>>,
    /// The common part of all solutions.
    pub unique: Option<Unique>,
    /// The proof of `unsolvable`, or of what `unique` says.
    pub certificate: Option<Certificate>,
    /// The answer of the data's source, which solves a neighbour: for `perturbed`, and for `unknown` where there is one.
    pub answer: Option<SourceAnswer>,
}

/// An answer that is right up to rounding.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceAnswer {
    /// The n values.
    pub z: Vec<Number>,
    /// Its componentwise backward error, rounded up to binary64.
    pub backward_error: f64,
    /// Of a problem with friction cones: its block error, rounded up to binary64.
    pub block_error: Option<f64>,
}

/// Whether there is a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// At least one solution.
    Solvable,
    /// Provably none.
    Unsolvable,
    /// Real data that have, by rounding, no solution or only absurd ones; a neighbour within
    /// rounding has a sensible one.
    Perturbed,
    /// A problem with friction cones of which neither a solution nor its absence is proved; its answer, if it
    /// has one, solves a neighbour within rounding.
    Unknown,
}

/// The common part of all solutions of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unique {
    /// There is exactly one solution z.
    Z,
    /// All solutions have the same w = Mz + q.
    W,
}

impl Status {
    /// The word that stands in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Solvable => "solvable",
            Self::Unsolvable => "unsolvable",
            Self::Perturbed => "perturbed",
            Self::Unknown => "unknown",
        }
    }
}

impl Unique {
    /// The word that stands in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Z => "z",
            Self::W => "w",
        }
    }
}
