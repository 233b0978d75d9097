//! A Python function as a solver.

use etalon::lcp::{Claim, Problem as Lcp, Solver};
use pyo3::prelude::*;

use crate::claim::claim_of;
use crate::problem::Problem;

/// A Python function as a solver: what it raises is the message of a claim of `failed`.
pub struct Callable(pub Py<PyAny>);

impl Solver for Callable {
    fn name(&self) -> &str {
        "callable"
    }

    fn solve(&self, problem: &Lcp) -> Claim {
        Python::attach(|py| {
            let answer = || {
                let own = Problem::from(problem.clone()).into_pyobject(py)?;
                let answer = py
                    .import("etalon._ask")?
                    .call_method1("ask", (&self.0, own))?;
                claim_of(Some(&answer).filter(|answer| !answer.is_none()), problem)
            };
            answer().unwrap_or_else(|error| Claim::failed(problem.name(), error.to_string()))
        })
    }
}
