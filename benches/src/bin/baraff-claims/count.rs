//! Pivots and operations of Baraff's method, counted on the exact run.

use etalon_exact::{Budget, Dantzig, DantzigOutcome};
use etalon_lcp::Problem;

/// Exact pivoting on larger scenes takes too long.
const LARGEST: usize = 110;

/// What the drive to zero took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drive {
    /// Baraff's maxstep calls: all pivots.
    pub steps: u64,
    /// Multiplications and additions, as [`flops`] counts them.
    pub flops: f64,
}

/// Counts; `None` where the scene is too large or has no forces.
pub fn count(problem: &Problem) -> Option<Drive> {
    let n = problem.n();
    if n > LARGEST {
        return None;
    }
    let dantzig = Dantzig {
        trace: true,
        budget: Budget::default(),
        ..Dantzig::default()
    };
    let run = dantzig.solve(problem).ok()?;
    if !matches!(run.outcome, DantzigOutcome::Solved { .. }) {
        return None;
    }
    let steps = run.trace?.steps;
    // The step goes out from the set that the one before left.
    let mut clamped = 0;
    let mut total = 0.0;
    for step in &steps {
        total += flops(n, clamped);
        clamped = step.clamped().len();
    }
    Some(Drive {
        steps: run.steps,
        flops: total,
    })
}

/// One step with k clamped contacts: two triangular solutions with the factors of A_CC, 2 k^2; the
/// accelerations of all contacts, 2 n (k + 1); the step to take, 2 n; forces and accelerations
/// moved along it, 2 (n + k); the factors updated by one row, 2 k^2.
fn flops(n: usize, k: usize) -> f64 {
    let (n, k) = (n as f64, k as f64);
    4.0 * k * k + 2.0 * n * (k + 1.0) + 2.0 * n + 2.0 * (n + k)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_that_rests_takes_one_step_for_each_block() {
        let stack = etalon_scenarios::find("stack").unwrap();
        let blocks = stack.instance([("blocks", "5")]).unwrap();
        let drive = count(&blocks.problem().unwrap()).unwrap();
        assert_eq!(drive.steps, 5);
        let by_hand: f64 = (0..5).map(|k| flops(5, k)).sum();
        assert_eq!(drive.flops, by_hand);
    }
}
