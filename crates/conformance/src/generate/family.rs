//! Families and their theory.

use std::fmt;

use etalon_lcp::{Problem, Remarks, Unique};

use super::draft::Draft;
use super::draw::Draw;

/// The most rows of a dense family: beyond this a problem as text passes 80 MB.
pub(super) const MAX: usize = 2_000;

/// The most rows of the dense families at which exact solvers are measured at size: 25 million full mantissas are
/// some 500 MB of text and 200 MB of CBOR.
pub(super) const MAX_DENSE: usize = 5_000;

/// A family of problems.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Family {
    /// The name, in kebab-case.
    pub name: &'static str,
    /// The description of its problems, in one sentence or two.
    pub description: &'static str,
    /// Where they come from, or the theorem behind the theory.
    pub reference: &'static str,
    /// The property of every problem of the family.
    pub theory: Theory,
    /// The sizes n that it has.
    pub sizes: Sizes,
    pub(super) tags: &'static [&'static str],
    pub(crate) draft: fn(&mut Draw, usize, u64) -> Draft,
}

impl Family {
    /// A problem that the family drew, as a record.
    #[allow(
        clippy::expect_used,
        reason = "the families draw finite, square, well bounded data; a test draws every family"
    )]
    pub(crate) fn problem(&self, draft: Draft, name: String) -> Problem {
        let tags = self.tags(&draft.tags);
        let mut problem = draft
            .into_problem(name)
            .expect("generated data are finite, square and well bounded");
        problem.remarks = Remarks {
            tags,
            notes: Some(self.description.to_owned()),
            ..Remarks::default()
        };
        problem
    }
}

/// The theoretical property of every problem of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Theory {
    /// There is exactly one solution z.
    UniqueZ,
    /// There is a solution, and all solutions have the same w.
    UniqueW,
    /// There is a solution.
    Solvable,
    /// There is no solution: even z >= 0, Mz + q >= 0 is empty, as a Farkas vector proves.
    Infeasible,
    /// There is no solution, although z >= 0, Mz + q >= 0 is not empty.
    NoSolution,
    /// Nothing: there may be no solution, one, or many.
    Open,
}

impl Theory {
    /// Whether there is a solution, where that is known.
    pub fn solvable(self) -> Option<bool> {
        match self {
            Self::UniqueZ | Self::UniqueW | Self::Solvable => Some(true),
            Self::Infeasible | Self::NoSolution => Some(false),
            Self::Open => None,
        }
    }

    /// The common part of all solutions, where it is known.
    pub fn unique(self) -> Option<Unique> {
        match self {
            Self::UniqueZ => Some(Unique::Z),
            Self::UniqueW => Some(Unique::W),
            _ => None,
        }
    }

    /// The word that stands among a problem's tags.
    pub fn word(self) -> &'static str {
        match self {
            Self::UniqueZ => "unique-z",
            Self::UniqueW => "unique-w",
            Self::Solvable => "solvable",
            Self::Infeasible => "infeasible",
            Self::NoSolution => "no-solution",
            Self::Open => "open",
        }
    }
}

/// The sizes that a family has: `min`, `min + step`, and so on up to `max`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sizes {
    /// The least n.
    pub min: usize,
    /// No n is greater.
    pub max: usize,
    /// The distance from one n to the next, at least 1.
    pub step: usize,
}

impl Sizes {
    pub(super) const fn all(min: usize, max: usize) -> Self {
        Self { min, max, step: 1 }
    }

    /// Whether n is among them.
    pub fn contains(self, n: usize) -> bool {
        (self.min..=self.max).contains(&n) && (n - self.min).is_multiple_of(self.step.max(1))
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { min, max, step } = self;
        if *step <= 1 {
            return write!(f, "{min} to {max}");
        }
        write!(
            f,
            "{min}, {}, {}, ... up to {max}",
            min + step,
            min + 2 * step
        )
    }
}

impl Family {
    /// The tags of a problem: the family, its theory, its class, and what the problem adds.
    pub(super) fn tags(&self, more: &[&str]) -> Vec<String> {
        let own = ["generated", self.name, self.theory.word()];
        let mut tags: Vec<String> = Vec::new();
        for tag in own.iter().chain(self.tags).chain(more) {
            if !tags.iter().any(|known| known == tag) {
                tags.push((*tag).to_owned());
            }
        }
        tags
    }
}
