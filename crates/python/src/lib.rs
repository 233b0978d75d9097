//! The Python module `etalon._etalon`: exact answers and verdicts for linear complementarity
//! problems, numpy arrays in and out.
//!
//! Users import the package `etalon` (`python/etalon`), which re-exports this module. Its
//! documentation is on the Python objects, its types in `_etalon.pyi`. This crate only
//! translates: it reads Python's data exactly (`number`, `array`), calls the workspace's
//! crates without Python's lock (`run`), and wraps what they return. Errors become exceptions of
//! `etalon._errors`; a panic anywhere below becomes `InternalError`.

// What is public here is public to Python: cdylib crates have no other users.
#![allow(missing_docs)]

mod array;
mod batch;
mod callable;
mod capability;
mod check;
mod claim;
mod error;
mod generate;
mod html;
mod json;
mod number;
mod problem;
mod run;
mod scenario;
mod solve;
mod step;
mod step_arrays;
mod timing;
mod truth;
mod verdict;

/// Exact answers and verdicts for linear complementarity problems.
#[pyo3::pymodule]
mod _etalon {
    #[pymodule_export]
    use crate::batch::{judge_arrays, judge_records};
    #[pymodule_export]
    use crate::capability::Capabilities;
    #[pymodule_export]
    use crate::check::check;
    #[pymodule_export]
    use crate::claim::Claim;
    #[pymodule_export]
    use crate::generate::{Problems, families, generate, goldens};
    #[pymodule_export]
    use crate::problem::Problem;
    #[pymodule_export]
    use crate::scenario::{scenarios, scene, step_problem, trajectory};
    #[pymodule_export]
    use crate::solve::{methods, solve};
    #[pymodule_export]
    use crate::step::judge_step;
    #[pymodule_export]
    use crate::step_arrays::{bound_step_arrays, judge_step_arrays};
    #[pymodule_export]
    use crate::timing::_rust_seconds;
    #[pymodule_export]
    use crate::truth::{Face, SolutionSet, Truth, certify, enumerate};
    #[pymodule_export]
    use crate::verdict::Verdict;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
