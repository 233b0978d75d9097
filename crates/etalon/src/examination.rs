//! The solvers that goldens are held against, with what is asked of each.

use etalon_exact::{Budget, Method};
use etalon_golden::{Duty, Examinee};
use etalon_lcp::Solver;

/// Up to this many rows, enumeration must find all solutions.
const ENUMERABLE: usize = 8;

/// Enough pivots for that. On many more rows it would use up any budget in vain.
const ENUMERATION_PIVOTS: u64 = 1_200;

/// A solver with what is asked of it.
pub struct Examined {
    solver: Box<dyn Solver + Send + Sync>,
    duty: Duty,
}

impl Examined {
    /// The solver's name.
    pub fn name(&self) -> &str {
        self.solver.name()
    }

    /// As the goldens take it.
    pub fn as_examinee(&self) -> Examinee<'_> {
        Examinee {
            solver: &*self.solver,
            is_exact: true,
            duty: self.duty,
        }
    }
}

/// All exact methods, each with a budget for one problem.
pub fn exact_methods(budget: &Budget) -> Vec<Examined> {
    let examined = Method::ALL.into_iter().map(|method| Examined {
        solver: method.solver(&share(method, budget)),
        duty: duty(method),
    });
    examined.collect()
}

fn share(method: Method, budget: &Budget) -> Budget {
    let pivots = match method {
        Method::Enumerate => budget.pivots.min(ENUMERATION_PIVOTS),
        _ => budget.pivots,
    };
    Budget {
        pivots,
        ..budget.clone()
    }
}

/// Where a method must not give up.
fn duty(method: Method) -> Duty {
    match method {
        Method::Certified => Duty::Decided,
        Method::Enumerate => Duty::UpTo(ENUMERABLE),
        Method::LeastIndex => Duty::PMatrix,
        _ => Duty::WellBehaved,
    }
}
