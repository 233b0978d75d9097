//! A solver's claim about a problem, and the trait of solvers.

use crate::basis::Basis;
use crate::certificate::{Certificate, Cover};
use crate::number::Number;
use crate::problem::Problem;

/// A solver's claim about one problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The problem's name.
    pub name: String,
    /// The answer.
    pub answer: ClaimedAnswer,
    /// A proof that goes with it.
    pub certificate: Option<Certificate>,
    /// The complementary basis of the answer, on the rows of the mixed form.
    pub basis: Option<Basis>,
    /// All solutions, where the solver enumerated them.
    pub enumeration: Option<Enumeration>,
    /// Which method answered.
    pub method: Option<String>,
    /// How many pivots it took.
    pub pivots: Option<u64>,
    /// How long it took.
    pub seconds: Option<f64>,
    /// For people.
    pub message: Option<String>,
}

/// The three things a solver can say.
#[derive(Debug, Clone, PartialEq)]
pub enum ClaimedAnswer {
    /// This z solves the problem.
    Solved {
        /// The n values.
        z: Vec<Number>,
    },
    /// There is no solution.
    Unsolvable,
    /// It gave up, which says nothing about the problem.
    Failed,
}

/// The solution set, as far as a solver found it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Enumeration {
    /// Whether the list is complete: every solution is isolated or on a face as listed. If not, some
    /// face has more vertices than are listed; the cover is whole all the same.
    pub complete: bool,
    /// Isolated solutions: on no face.
    pub isolated: Vec<Vec<Number>>,
    /// Faces of more than one solution.
    pub faces: Vec<SolutionFace>,
    /// The proof of completeness, on the mixed form.
    pub cover: Cover,
}

/// A set of solutions: convex combinations of the vertices plus nonnegative multiples of rays.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SolutionFace {
    /// Solutions.
    pub vertices: Vec<Vec<Number>>,
    /// Directions.
    pub rays: Vec<Vec<Number>>,
}

impl Claim {
    /// A claim with nothing but its answer.
    pub fn new(name: impl Into<String>, answer: ClaimedAnswer) -> Self {
        Self {
            name: name.into(),
            answer,
            certificate: None,
            basis: None,
            enumeration: None,
            method: None,
            pivots: None,
            seconds: None,
            message: None,
        }
    }

    /// A claim of `failed` with the reason.
    pub fn failed(name: impl Into<String>, why: impl Into<String>) -> Self {
        let mut claim = Self::new(name, ClaimedAnswer::Failed);
        claim.message = Some(why.into());
        claim
    }
}

/// Anything that answers problems: the workspace's solvers and those under test.
pub trait Solver {
    /// The method's name, as `etalon solve --method` knows it.
    fn name(&self) -> &str;

    /// Answers one problem. Giving up is an answer too: [`ClaimedAnswer::Failed`].
    fn solve(&self, problem: &Problem) -> Claim;

    /// As [`solve`](Self::solve), of a problem that nobody needs any more. A solver may let go of it once it has a form of its own, which saves
    /// memory where there are millions of entries.
    fn solve_owned(&self, problem: Problem) -> Claim {
        self.solve(&problem)
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn solve(&self, problem: &Problem) -> Claim {
        (**self).solve(problem)
    }

    fn solve_owned(&self, problem: Problem) -> Claim {
        (**self).solve_owned(problem)
    }
}
