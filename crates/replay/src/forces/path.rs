//! The path of an exact method from a scene's problem to its answer, taken and taken again.

use etalon_contact_forces::{DriveOutcome, drive_to_zero};
use etalon_exact::{Budget, Lemke, LemkeOutcome};
use etalon_lcp::{Problem, Reduction};
use rug::Rational;

use super::recheck::response;
use super::trace::Trace;

/// Numbers along a path that is kept may have so many bits. Scenes of small numbers stay below it at
/// 300 contacts and more; with Pythagorean angles of many denominators numbers grow with every
/// contact, and the path of a large arch takes minutes.
const KEPT_BITS: u64 = 12_000;

/// So many where a path is taken again whenever a record is checked.
const QUICK_BITS: u64 = 2_000;

/// What that may cost: pivots times the square of rows.
const QUICK_WORK: u64 = 5_000_000;

/// A path with the point that it ends in; none where it ends in a ray.
pub(super) struct Path {
    pub trace: Trace,
    pub end: Option<Vec<Rational>>,
}

/// The budget of a path that is kept.
pub(super) fn kept(budget: &Budget) -> Budget {
    with_bits(budget, KEPT_BITS)
}

/// The budget of a path through n rows that can be taken again at any time.
pub(super) fn quick(n: usize, budget: &Budget) -> Budget {
    let n = n.max(1) as u64;
    Budget {
        pivots: budget.pivots.min(QUICK_WORK / (n * n)),
        ..with_bits(budget, QUICK_BITS)
    }
}

fn with_bits(budget: &Budget, bits: u64) -> Budget {
    Budget {
        bits: budget.bits.min(bits),
        ..budget.clone()
    }
}

/// Baraff's drive to zero where nothing rubs and it ends, otherwise Lemke's path; `None` where the
/// budget runs out.
pub(super) fn path(problem: &Problem, rubs: bool, budget: &Budget) -> Option<Path> {
    let driven = if rubs { None } else { drive(problem, budget) };
    driven.or_else(|| lemke(problem, budget))
}

/// Baraff's drive, contacts in the order of the scene.
pub(super) fn drive(problem: &Problem, budget: &Budget) -> Option<Path> {
    let order: Vec<usize> = (0..problem.n()).collect();
    let run = drive_to_zero(problem, &order, budget).ok()?;
    let DriveOutcome::Solved(z) = run.outcome else {
        return None;
    };
    Some(Path {
        trace: Trace::of_drive(&run.trace?.steps)?,
        end: Some(z),
    })
}

/// Lexicographic Lemke with the covering vector of ones.
pub(super) fn lemke(problem: &Problem, budget: &Budget) -> Option<Path> {
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
    Some(Path {
        trace: Trace::of_lemke(&run.trace?.steps, end.is_none()),
        end,
    })
}

/// Checks a path against its own end, and that against the accelerations of the answer, which are
/// the same for all answers where nothing rubs.
pub(super) fn check_end(
    problem: &Problem,
    path: &Path,
    answer: Option<&[Rational]>,
    joints: &[usize],
) -> Result<(), String> {
    let Some(z) = &path.end else {
        return path.trace.check(&[], &[], joints);
    };
    let w = response(problem, z);
    path.trace.check(z, &w, joints)?;
    match (&path.trace, answer) {
        (Trace::DriveToZero { .. }, Some(answer)) if response(problem, answer) != w => {
            Err("it ends in other accelerations than those of the answer".to_owned())
        }
        _ => Ok(()),
    }
}
