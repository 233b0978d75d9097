//! Solvers under test, as physics engines have them. The page lets them move a world, and the judge says what their
//! forces are worth. They are here to be judged: Etalon recommends none of them, and no other part of it uses them.

mod gauss_seidel;
mod naive_dantzig;

use etalon_exact::Budget;
use etalon_lcp::ClaimedAnswer;
use etalon_methods::Method;
use etalon_planar::{LcpEvent, RowBound, problem};

use crate::limits::ROWS_EXACT;
use crate::protocol::SolverName;

/// What one exact answer may cost. Counted and not timed, so that a run repeats itself: some hundredths of a second.
const WORK: u64 = 100_000_000;
/// Exact forces that are so many times larger than the engine's own are no forces for a world: rounded data of redundant
/// contacts ask for forces that cancel each other. Cancelling leaves 2^-52 of them, 2e-12 of the engine's own.
const IMMODERATE: f64 = 1e4;

/// A solver with its setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChosenSubject {
    /// Which.
    pub name: SolverName,
    /// Sweeps of projected Gauss-Seidel.
    pub sweeps: u32,
}

impl Default for ChosenSubject {
    fn default() -> Self {
        Self {
            name: SolverName::default(),
            sweeps: 10,
        }
    }
}

impl ChosenSubject {
    /// Its forces for a problem of the run, in place of the engine's own; `None` where it has none to give, and the
    /// engine's own act.
    pub fn forces(self, event: &LcpEvent<'_>) -> Option<Vec<f64>> {
        match self.name {
            SolverName::Fast => None,
            SolverName::Exact => exact(event),
            SolverName::GaussSeidel => Some(gauss_seidel::forces(event, self.sweeps)),
            SolverName::NaiveDantzig => Some(naive_dantzig::forces(event)),
        }
    }
}

/// The exact answer, rounded to binary64: the basis of a fast one, proved or repaired.
fn exact(event: &LcpEvent<'_>) -> Option<Vec<f64>> {
    if event.b.len() > ROWS_EXACT {
        return None;
    }
    let budget = Budget {
        work: WORK,
        ..Budget::default()
    };
    let problem = problem(event, "exact").ok()?;
    let claim = Method::default().solver(&budget).solve(&problem);
    let ClaimedAnswer::Solved { z } = claim.answer else {
        return None;
    };
    let largest = |f: &[f64]| f.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
    let f: Vec<f64> = z.iter().map(etalon_lcp::Number::to_f64).collect();
    (largest(&f) <= IMMODERATE * largest(event.f)).then_some(f)
}

/// The least and the largest force of a row, for these normal forces.
fn range(bound: &RowBound, f: &[f64]) -> (f64, f64) {
    match *bound {
        RowBound::AtLeast(least) => (least, f64::INFINITY),
        RowBound::Free => (f64::NEG_INFINITY, f64::INFINITY),
        RowBound::Within(most) => (-most, most),
        RowBound::Coulomb { normal, mu } => {
            let most = mu * f[normal].max(0.0);
            (-most, most)
        }
    }
}

#[cfg(test)]
mod tests;
