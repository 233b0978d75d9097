//! The verdict on a claim.

use rug::Rational;

use crate::expect::Unique;

/// The verdict on one claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The problem's name.
    pub name: String,
    /// The verdict itself.
    pub kind: VerdictKind,
    /// For what was not accepted: one phrase, with the worst row.
    pub reason: Option<String>,
    /// How far the candidate is from exact, where there is a candidate.
    pub measures: Option<Measures>,
    /// The distance from the nearest exact solution that is known, in natural sizes: 0 for an exact
    /// answer. An upper bound of the distance from the nearest one where not all are known.
    pub distance: Option<Rational>,
    /// How the verdict was reached, where not by the error alone.
    pub reached: Option<Reached>,
    /// How wrong an answer is that one of the measures does not accept.
    pub grade: Option<Grade>,
    /// For an accepted answer far from the only solution there is: the distance. Nothing is wrong
    /// with the answer then; small changes of the data have far solutions.
    pub ill_conditioned: Option<Rational>,
    /// Of a regularised convex contact problem, where the judge was asked to prove: a bound on the distance from its only
    /// solution, in the norm of the energy and relative to the answer (`docs/cones.md`, "The energy error").
    pub energy_error: Option<Rational>,
    /// The proved facts about the problem.
    pub truth: TruthStatus,
    /// Whether the truth was looked for.
    pub asked: bool,
}

impl Verdict {
    /// The figure that decides, where there is a candidate: the distance where that acquits it,
    /// otherwise the error.
    pub fn figure(&self) -> Option<&Rational> {
        let by_distance = self.reached == Some(Reached::Distance);
        if by_distance && self.kind == VerdictKind::Accepted {
            return self.distance.as_ref();
        }
        self.measures.as_ref().map(|measures| &measures.error)
    }
}

/// How a verdict on a candidate was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reached {
    /// By the distance from an exact solution, after the error was over the tolerance.
    Distance,
    /// By the error alone, over the tolerance: no exact solution is known.
    Error,
    /// By the loose rows solved for their unknowns: each row is right within its natural size,
    /// and together they determine an unknown otherwise.
    SolvedRows,
}

impl Reached {
    /// The words that stand in records.
    pub fn words(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Error => "backward error",
            Self::SolvedRows => "solved rows",
        }
    }
}

/// How wrong an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Grade {
    /// Only the componentwise backward error or what is outside is over the tolerance.
    Noise,
    /// Wrong in the row's own natural size.
    Wrong,
    /// Wrong even against the largest size of a row in the whole problem.
    Gross,
}

impl Grade {
    /// All grades, the worst first.
    pub const ALL: [Self; 3] = [Self::Gross, Self::Wrong, Self::Noise];

    /// The word that stands in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Noise => "noise",
            Self::Wrong => "wrong",
            Self::Gross => "gross",
        }
    }
}

/// The words of a verdict; `docs/formats.md` says what each means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum VerdictKind {
    /// z solves the problem exactly.
    Exact,
    /// The error is within the tolerance, or the distance from an exact solution is.
    Accepted,
    /// Within the tolerance, but this very problem provably has no solution.
    Perturbed,
    /// Claimed solved, and it is not.
    Rejected,
    /// Claimed unsolvable, and provably so.
    Proved,
    /// Claimed unsolvable, with neither a proof nor a solution at hand.
    Unproved,
    /// Claimed unsolvable, and the judge has an exact solution.
    Refuted,
    /// It gave up, crashed, timed out, or answered something that is no claim.
    Failed,
}

impl VerdictKind {
    /// All verdicts, in the contract's order.
    pub const ALL: [Self; 8] = [
        Self::Exact,
        Self::Accepted,
        Self::Perturbed,
        Self::Rejected,
        Self::Proved,
        Self::Unproved,
        Self::Refuted,
        Self::Failed,
    ];

    /// The word that stands in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Accepted => "accepted",
            Self::Perturbed => "perturbed",
            Self::Rejected => "rejected",
            Self::Proved => "proved",
            Self::Unproved => "unproved",
            Self::Refuted => "refuted",
            Self::Failed => "failed",
        }
    }

    /// Whether the claim counts as right; `perturbed_expected` where the problem's truth or the
    /// user allows an answer to a neighbour of an unsolvable problem.
    pub fn is_accepted(self, perturbed_expected: bool) -> bool {
        match self {
            Self::Exact | Self::Accepted | Self::Proved => true,
            Self::Perturbed => perturbed_expected,
            Self::Rejected | Self::Unproved | Self::Refuted | Self::Failed => false,
        }
    }
}

/// How far a candidate is from exact; every value is computed exactly.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measures {
    /// The natural-scale error: row by row, z is exact for data changed by at most this, relatively,
    /// and unknowns changed by at most this times their natural size.
    pub error: Rational,
    /// The smallest eps for which z, moved onto its bounds, exactly solves an LCP with
    /// |dM| <= eps |M| and |dq| <= eps |q| componentwise.
    pub backward_error: Rational,
    /// The row that sets the error, where it is not 0.
    pub worst_row: Option<usize>,
    /// The largest violation of a bound, in the natural size of the unknown; with friction cones of a bound or a
    /// cone, relative to the largest force, as it is published. It depends on units then, and decides nothing.
    pub negativity: Rational,
    /// With friction cones the largest violation of a bound or a cone in natural sizes, which decides.
    pub outside: Option<Rational>,
    /// The row of the violation that decides.
    pub negative_row: Option<usize>,
    /// With friction cones the block error, which stands in `error` too: the smallest eps for which z, moved
    /// into its cones, exactly solves a problem with changes of at most eps times the largest
    /// entry of their block.
    pub block_error: Option<Rational>,
    /// The natural residual max_i |z_i - mid(l_i, z_i - w_i, u_i)|; with friction cones the Euclidean norm
    /// of r - P_K(r - u - g e_N), rounded up, and none for products of discs under the convex law.
    pub residual: Option<Rational>,
    /// Entries moved onto a bound for the error.
    pub moved: Snapped,
    /// Entries moved onto a bound for the backward error.
    pub snapped: Snapped,
    /// With friction cones, whether an entry was moved further for the error than sizes of blocks excuse.
    pub moves_far: bool,
}

impl Measures {
    /// The largest violation of a bound or a cone in natural sizes, which a verdict holds against the tolerance.
    pub fn violation(&self) -> &Rational {
        self.outside.as_ref().unwrap_or(&self.negativity)
    }
}

/// How many entries were moved onto a bound, and how far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snapped {
    /// The number of entries.
    pub entries: usize,
    /// The largest move, in the natural size of its unknown.
    pub furthest: Rational,
}

/// The proved facts about a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TruthStatus {
    /// `Some(true)`: solvable, `Some(false)`: unsolvable, `None`: not known.
    pub solvable: Option<bool>,
    /// The common part of all solutions.
    pub unique: Option<Unique>,
}
