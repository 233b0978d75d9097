//! The solvers that goldens are held against, with what is asked of each.

use etalon_exact::Budget;
use etalon_golden::{Assignment, Duty};
use etalon_lcp::Solver;

use crate::Method;

/// Up to this many rows, enumeration must find all solutions.
const ENUMERABLE: usize = 8;

/// Enough pivots for that. On many more rows it would use up any budget in vain.
const ENUMERATION_PIVOTS: u64 = 1_200;

/// A solver with what is asked of it.
pub struct Assigned {
    method: Method,
    solver: Box<dyn Solver + Send + Sync>,
}

impl Assigned {
    /// The solver's name.
    pub fn name(&self) -> &str {
        self.solver.name()
    }

    /// Whether its answers must be exact.
    pub fn is_exact(&self) -> bool {
        self.method.is_exact()
    }

    /// As the goldens take it.
    pub fn as_assignment(&self) -> Assignment<'_> {
        Assignment {
            solver: &*self.solver,
            is_exact: self.is_exact(),
            duty: duty(self.method),
        }
    }
}

/// All methods, the exact ones with a budget for each problem.
pub fn all_methods(budget: &Budget) -> Vec<Assigned> {
    let assigned = Method::all().map(|method| Assigned {
        method,
        solver: method.solver(&share(method, budget)),
    });
    assigned.collect()
}

fn share(method: Method, budget: &Budget) -> Budget {
    let pivots = match method {
        Method::Exact(etalon_exact::ExactMethod::Enumerate) => {
            budget.pivots.min(ENUMERATION_PIVOTS)
        }
        _ => budget.pivots,
    };
    Budget {
        pivots,
        ..budget.clone()
    }
}

/// Where a method must not give up. A fast method may do so anywhere: what it must not do is
/// call a wrong answer solved.
fn duty(method: Method) -> Duty {
    use etalon_exact::ExactMethod as Exact;
    match method {
        Method::Exact(Exact::Certified) => Duty::Decided,
        Method::Exact(Exact::Enumerate) => Duty::UpTo(ENUMERABLE),
        Method::Exact(Exact::LeastIndex) => Duty::PMatrix,
        Method::Exact(_) => Duty::WellBehaved,
        Method::Fast(_) | Method::Cone => Duty::Free,
    }
}
