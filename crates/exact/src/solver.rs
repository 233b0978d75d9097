//! The exact methods behind the shared [`Solver`] trait, by the names of the command line.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use etalon_lcp::{
    Basis, Certificate, Claim, ClaimedAnswer, Matrix, Number, Problem, Reduction, Row, Solver,
};
use rug::Rational;

use crate::budget::{Budget, Exhausted};
use crate::dantzig::{Dantzig, DantzigOutcome};
use crate::decide::{Answer, NO_CONES, farkas_from_ray, search};
use crate::enumerate::{enumerate, lifted};
use crate::least_index::{LeastIndex, LeastIndexOutcome};
use crate::lemke::{Lemke, LemkeOutcome};

/// An exact method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExactMethod {
    /// The method that fits the matrix, and a search for the proof where it finds no solution.
    Certified,
    /// Lexicographic Lemke.
    Lemke,
    /// Cottle-Dantzig principal pivoting: symmetric positive semidefinite and P-matrices.
    Dantzig,
    /// Murty's least-index principal pivoting: P-matrices.
    LeastIndex,
    /// All solutions, or a proof that there is none.
    Enumerate,
}

/// What Lemke's method says where its path ends in a ray that shows nothing of the problem: another method may find an answer.
pub const RAY_WITHOUT_PROOF: &str = "it ended in a secondary ray, which proves nothing here";

/// A name that no method has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{name:?} is no exact method; the methods are {}",
    ExactMethod::names()
)]
pub struct UnknownExactMethod {
    /// It.
    pub name: String,
}

impl ExactMethod {
    /// All methods, the default first.
    pub const ALL: [Self; 5] = [
        Self::Certified,
        Self::Lemke,
        Self::Dantzig,
        Self::LeastIndex,
        Self::Enumerate,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Certified => "certified",
            Self::Lemke => "exact-lemke",
            Self::Dantzig => "exact-dantzig",
            Self::LeastIndex => "exact-least-index",
            Self::Enumerate => "enumerate",
        }
    }

    fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// The method as a solver with a budget.
    pub fn solver(self, budget: &Budget) -> Box<dyn Solver + Send + Sync> {
        Box::new(ExactSolver {
            method: self,
            budget: budget.clone(),
        })
    }
}

impl fmt::Display for ExactMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ExactMethod {
    type Err = UnknownExactMethod;

    fn from_str(name: &str) -> Result<Self, UnknownExactMethod> {
        let known = Self::ALL.into_iter().find(|method| method.name() == name);
        known.ok_or_else(|| UnknownExactMethod {
            name: name.to_owned(),
        })
    }
}

struct ExactSolver {
    method: ExactMethod,
    budget: Budget,
}

impl Solver for ExactSolver {
    fn name(&self) -> &str {
        self.method.name()
    }

    fn solve(&self, problem: &Problem) -> Claim {
        let start = Instant::now();
        let task = Task {
            problem,
            budget: &self.budget,
        };
        let mut claim = match self.method {
            _ if !problem.is_lcp() => Claim::failed(problem.name(), NO_CONES),
            ExactMethod::Certified => task.certified(),
            ExactMethod::Lemke => task.lemke(),
            ExactMethod::Dantzig => task.dantzig(),
            ExactMethod::LeastIndex => task.least_index(),
            ExactMethod::Enumerate => task.enumerate(),
        };
        claim.method = Some(self.method.name().to_owned());
        claim.seconds = Some(start.elapsed().as_secs_f64());
        claim
    }
}

/// The claim of [`ExactMethod::Certified`], not timed.
pub(crate) fn reference(problem: &Problem, budget: &Budget) -> Claim {
    if !problem.is_lcp() {
        return Claim::failed(problem.name(), NO_CONES);
    }
    Task { problem, budget }.certified()
}

struct Task<'a> {
    problem: &'a Problem,
    budget: &'a Budget,
}

impl Task<'_> {
    /// Dantzig where M is symmetric, Lemke elsewhere and where that fails; then the search over
    /// complementary choices.
    fn certified(&self) -> Claim {
        let start = Instant::now();
        let problem = self.problem;
        if problem.friction().is_empty() && is_symmetric(problem.m()) {
            let claim = self.within(&self.budget.half_since(start)).dantzig();
            if claim.answer != ClaimedAnswer::Failed {
                return claim;
            }
        }
        // To write out a dense tableau takes up to a second at the largest size, so none is begun without time.
        if let Some(over) = self.within(&self.budget.left_since(start)).out_of_time() {
            return self.failed(over);
        }
        let claim = self.within(&self.budget.half_since(start)).lemke();
        let left = self.budget.left_since(start);
        match self.within(&left).out_of_time() {
            Some(over) if claim.answer == ClaimedAnswer::Failed => self.failed(over),
            _ => self.within(&left).or_search(claim),
        }
    }

    /// Whether nothing is left of a limited time.
    fn out_of_time(&self) -> Option<Exhausted> {
        let time = self.budget.time.filter(Duration::is_zero);
        time.map(Exhausted::Time)
    }

    fn within<'b>(&'b self, budget: &'b Budget) -> Task<'b> {
        let problem = self.problem;
        Task { problem, budget }
    }

    /// What the method could not answer, the search over complementary choices may.
    fn or_search(&self, claim: Claim) -> Claim {
        if claim.answer != ClaimedAnswer::Failed {
            return claim;
        }
        let reduction = Reduction::new(self.problem);
        match search(reduction.mixed(), self.budget) {
            Ok(Answer::Solution(z)) => self.solved(reduction.lift(&z), None),
            Ok(Answer::None(proof)) => self.unsolvable(proof),
            Err(exhausted) => self.failed(exhausted),
        }
    }

    fn lemke(&self) -> Claim {
        let reduction = Reduction::new(self.problem);
        let lemke = Lemke {
            budget: self.budget.clone(),
            ..Lemke::default()
        };
        let run = match lemke.solve(reduction.mixed()) {
            Ok(run) => run,
            Err(error) => return self.failed(error),
        };
        let mut claim = match run.outcome {
            LemkeOutcome::Solved { z, basis } => self.solved(reduction.lift(&z), Some(basis)),
            LemkeOutcome::Ray(ray) => match farkas_from_ray(reduction.mixed(), &ray.direction.z) {
                Some(proof) => self.unsolvable(proof),
                None => self.failed(RAY_WITHOUT_PROOF),
            },
            LemkeOutcome::Cycle => self.failed("a basis came up again"),
            LemkeOutcome::Exhausted(exhausted) => self.failed(exhausted),
        };
        claim.pivots = Some(run.pivots);
        claim
    }

    fn dantzig(&self) -> Claim {
        let dantzig = Dantzig {
            budget: self.budget.clone(),
            ..Dantzig::default()
        };
        let run = match dantzig.solve(self.problem) {
            Ok(run) => run,
            Err(error) => return self.failed(error),
        };
        let mut claim = match run.outcome {
            DantzigOutcome::Solved { z, basis } => self.solved(z, Some(basis)),
            // The mixed form holds z <= u as u - z >= 0, so such a row takes the direction with the other
            // sign.
            DantzigOutcome::Unbounded { direction } => {
                let reflected = self.problem.rows().into_iter().zip(direction);
                let y = reflected.map(|(row, value)| match row {
                    Row::AtMost(_) => -value,
                    _ => value,
                });
                let without = "a drive goes on for ever, which proves nothing here";
                self.farkas_or(y.collect(), without)
            }
            DantzigOutcome::Inconsistent { y } => {
                self.farkas_or(y, "the bilateral rows contradict each other")
            }
            DantzigOutcome::OutOfClass { minor } => self.failed(format!(
                "M is neither symmetric positive semidefinite nor a P-matrix: the principal minor of rows {minor:?}"
            )),
            DantzigOutcome::Exhausted(exhausted) => self.failed(exhausted),
        };
        claim.pivots = Some(run.steps);
        claim
    }

    /// A claim of `unsolvable` where the vector on the problem's rows is a Farkas vector of the
    /// mixed form.
    fn farkas_or(&self, mut y: Vec<Rational>, otherwise: &str) -> Claim {
        let reduction = Reduction::new(self.problem);
        y.resize(reduction.mixed().n(), Rational::new());
        match farkas_from_ray(reduction.mixed(), &y) {
            Some(proof) => self.unsolvable(proof),
            None => self.failed(otherwise),
        }
    }

    fn least_index(&self) -> Claim {
        let reduction = Reduction::new(self.problem);
        let method = LeastIndex {
            budget: self.budget.clone(),
            trace: false,
        };
        let run = method.solve(reduction.mixed());
        let mut claim = match run.outcome {
            LeastIndexOutcome::Solved { z, basis } => self.solved(reduction.lift(&z), Some(basis)),
            LeastIndexOutcome::OutOfClass { minor } => self.failed(format!(
                "M is no P-matrix: the principal minor of rows {minor:?}"
            )),
            LeastIndexOutcome::Cycle => self.failed("a basis came up again: M is no P-matrix"),
            LeastIndexOutcome::Exhausted(exhausted) => self.failed(exhausted),
        };
        claim.pivots = Some(run.pivots);
        claim
    }

    fn enumerate(&self) -> Claim {
        let start = Instant::now();
        let reduction = Reduction::new(self.problem);
        let set = match enumerate(reduction.mixed(), self.budget) {
            Ok(set) => set,
            Err(exhausted) => return self.failed(exhausted),
        };
        if set.is_empty() {
            return self.unsolvable(Certificate::of_empty_cover(set.cover));
        }
        let first = set.isolated.first();
        let first = first.or_else(|| set.faces.iter().flat_map(|face| &face.vertices).next());
        let Some(z) = first else {
            return self.failed("a face without a vertex");
        };
        let mut claim = self.solved(reduction.lift(z), None);
        let found = match lifted(set, &reduction, &self.budget.left_since(start)) {
            Ok(found) => found,
            Err(exhausted) => return self.failed(exhausted),
        };
        if !found.complete {
            let cut = "a face has more vertices than are listed; the certificate is whole";
            claim.message = Some(cut.to_owned());
        }
        claim.certificate = Some(Certificate::Enumeration(found.cover.clone()));
        claim.enumeration = Some(found);
        claim
    }

    fn solved(&self, z: Vec<Rational>, basis: Option<Basis>) -> Claim {
        let mut claim = Claim::new(self.problem.name(), ClaimedAnswer::Solved { z: numbers(z) });
        claim.basis = basis;
        claim
    }

    fn unsolvable(&self, proof: Certificate) -> Claim {
        let mut claim = Claim::new(self.problem.name(), ClaimedAnswer::Unsolvable);
        claim.certificate = Some(proof);
        claim
    }

    fn failed(&self, why: impl fmt::Display) -> Claim {
        Claim::failed(self.problem.name(), why.to_string())
    }
}

fn is_symmetric(m: &Matrix) -> bool {
    let value = |i, j| m.get(i, j).map(Number::to_rational).unwrap_or_default();
    (0..m.n()).all(|i| {
        m.row(i)
            .all(|(j, entry)| entry.to_rational() == value(j, i))
    })
}

fn numbers(values: Vec<Rational>) -> Vec<Number> {
    values.into_iter().map(Number::from).collect()
}
