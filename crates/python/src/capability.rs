//! What a solver can do, so that it is asked nothing else.

use etalon::conformance::{self, InProcess, Skip, probe};
use pyo3::prelude::*;

use crate::callable::Callable;
use crate::error::Class;
use crate::problem::Problem;

/// The word for data that are no doubles: only Python can send them.
const EXACT: &str = "exact";

/// What a solver can do, so that it is asked nothing else.
///
/// Parameters
/// ----------
/// words : str or iterable of str
///     A list as the command line takes it with --can: "boxes" (bounds other than z >= 0, free rows among them), "friction" (rows
///     bounded by another row), "cones", "cones-convex", "cones-product" (friction cones), "unsolvable" (it notices that
///     there is no solution), "psd" (symmetric positive semidefinite M only), "n<=30" (no more rows than that), "pure" (none of
///     these: the default). Besides "exact": data that are no doubles, as Fractions.
///
/// Raises
/// ------
/// ArgumentError
///     For a word that is none of these.
#[pyclass(frozen, eq, module = "etalon.pytest")]
#[derive(Clone, PartialEq, Eq)]
pub struct Capabilities {
    can: conformance::Capabilities,
    exact: bool,
}

#[pymethods]
impl Capabilities {
    #[new]
    #[pyo3(signature = (words=None))]
    fn new(words: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let list = words.map_or(Ok(String::new()), list_of)?;
        let (exact, others): (Vec<_>, Vec<_>) =
            list.split([',', ' ']).partition(|word| *word == EXACT);
        let can = others.join(",").parse();
        let can = can.map_err(|error: conformance::UnknownCapability| {
            Class::Argument.error(format_args!("{error}, {EXACT} (data that are no doubles)"))
        })?;
        Ok(Self {
            can,
            exact: !exact.is_empty(),
        })
    }

    /// What a solver is asked where nobody says what it can do, as the command line and the kit do it: any M, problems without
    /// a solution, and bounds if it solves M = (1), q = (-2), 0 <= z <= 1. An exception counts as a wrong answer.
    #[staticmethod]
    fn of(solver: &Bound<'_, PyAny>) -> PyResult<Self> {
        let subject = InProcess(Callable(solver.clone().unbind()));
        let probed = probe(&subject).map_err(|failure| Class::Internal.error(failure))?;
        Ok(Self {
            can: probed.can,
            exact: false,
        })
    }

    /// Why the problem is not for such a solver, or None.
    fn lacks(&self, problem: &Problem) -> Option<String> {
        self.skip(problem).map(|skip| skip.to_string())
    }

    /// The list of capabilities that has what the problem needs and this one lacks; None where nothing is lacking, or where no
    /// such list is.
    fn with_what_lacks(&self, problem: &Problem) -> Option<Self> {
        let mut more = self.clone();
        // Each kind of thing is lacking once at most.
        while let Some(skip) = more.skip(problem) {
            if skip == Skip::ExactData {
                more.exact = true;
            } else {
                more.can = more.can.with(&skip)?;
            }
        }
        (more != *self).then_some(more)
    }

    fn __str__(&self) -> String {
        match (self.exact, self.can.to_string()) {
            (false, list) => list,
            (true, list) if list == "pure" => EXACT.to_owned(),
            (true, list) => format!("{list},{EXACT}"),
        }
    }

    fn __repr__(&self) -> String {
        format!("Capabilities({:?})", self.__str__())
    }
}

impl Capabilities {
    fn skip(&self, problem: &Problem) -> Option<Skip> {
        if self.exact {
            self.can.lacks_beside_data(&problem.inner)
        } else {
            self.can.lacks(&problem.inner)
        }
    }
}

/// The words in one list.
fn list_of(words: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(list) = words.extract::<String>() {
        return Ok(list);
    }
    let each = words.try_iter()?.map(|word| word?.extract::<String>());
    Ok(each.collect::<PyResult<Vec<_>>>()?.join(","))
}
