//! The path of an exact method from a contact problem to its answer.
//!
//! Both methods are deterministic: a repeated path in exact arithmetic has the same steps.

use etalon_exact::{Budget, Lemke, LemkeOutcome, PivotStep, Progress, Variable};
use etalon_lcp::{Problem, Reduction};
use rug::Rational;

use crate::frictionless::{DriveOutcome, drive_to_zero};

/// A step of Baraff's drive to zero, his maxstep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriveStep {
    /// The row d that is driven.
    pub driven: usize,
    /// The row that blocks: d itself where its acceleration has reached zero.
    pub blocking: usize,
    /// By how much f_d grows, N.
    pub length: Rational,
}

/// What ends a step of a drive, Baraff's maxstep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriveEnd {
    /// The driven acceleration is zero: the drive is over.
    Goal,
    /// Another acceleration falls to zero: its contact begins to push.
    Acceleration,
    /// A force falls to zero: its contact pushes no more.
    Force,
    /// Friction comes to its limit.
    Limit,
}

/// A step of a drive.
#[derive(Debug, Clone, PartialEq)]
pub struct DriveEvent<S> {
    /// The row that is driven.
    pub driven: usize,
    /// The row that ends the step.
    pub blocking: usize,
    /// How.
    pub end: DriveEnd,
    /// By how much the driven force changes, N.
    pub length: S,
}

/// A path with the point that it ends in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForcePath {
    /// Baraff's drive to zero.
    Drive {
        /// All steps of all drives.
        steps: Vec<DriveStep>,
        /// The forces at its end.
        end: Vec<Rational>,
    },
    /// Lexicographic Lemke with the covering vector of ones, on the pure form of the problem.
    Lemke {
        /// The variable that enters and the one that leaves, pivot by pivot.
        pivots: Vec<(Variable, Variable)>,
        /// The values of the problem's variables at its end; none where it ends in a ray.
        end: Option<Vec<Rational>>,
    },
}

impl ForcePath {
    /// The values of the problem's variables at its end; none where it ends in a ray.
    pub fn end(&self) -> Option<&[Rational]> {
        match self {
            Self::Drive { end, .. } => Some(end),
            Self::Lemke { end, .. } => end.as_deref(),
        }
    }
}

/// The path by which a contact problem is answered: Baraff's drive where nothing `rubs` and it ends,
/// otherwise Lemke's. `None` where the budget runs out.
pub fn reference_path(problem: &Problem, rubs: bool, budget: &Budget) -> Option<ForcePath> {
    let driven = if rubs {
        None
    } else {
        drive_path(problem, budget)
    };
    driven.or_else(|| lemke_path(problem, budget))
}

/// Baraff's drive to zero, contacts in the order of the scene. `None` where it does not end in forces, or
/// the budget runs out.
pub fn drive_path(problem: &Problem, budget: &Budget) -> Option<ForcePath> {
    let order: Vec<usize> = (0..problem.n()).collect();
    let run = drive_to_zero(problem, &order, budget).ok()?;
    let DriveOutcome::Solved(end) = run.outcome else {
        return None;
    };
    let steps: Option<_> = run.trace?.steps.into_iter().map(drive_step).collect();
    let steps = steps?;
    Some(ForcePath::Drive { steps, end })
}

fn drive_step(step: PivotStep) -> Option<DriveStep> {
    let Progress::Driven(driven) = step.progress else {
        return None;
    };
    let (Variable::W(blocking) | Variable::Z(blocking)) = step.leaving else {
        return None;
    };
    Some(DriveStep {
        driven,
        blocking,
        length: step.length,
    })
}

/// Lexicographic Lemke with the covering vector of ones. `None` where the budget runs out.
pub fn lemke_path(problem: &Problem, budget: &Budget) -> Option<ForcePath> {
    let lemke = Lemke {
        budget: budget.clone(),
        trace: true,
        ..Lemke::default()
    };
    let reduction = Reduction::new(problem);
    let run = lemke.solve(reduction.mixed()).ok()?;
    let end = match run.outcome {
        LemkeOutcome::Solved { z, .. } => Some(reduction.lift(&z)),
        LemkeOutcome::Ray(_) => None,
        _ => return None,
    };
    let steps = run.trace?.steps.into_iter();
    Some(ForcePath::Lemke {
        pivots: steps.map(|step| (step.entering, step.leaving)).collect(),
        end,
    })
}
