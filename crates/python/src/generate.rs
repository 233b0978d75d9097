//! Generated and golden problems.

use std::path::Path;

use etalon::conformance::{all_families, generate as generated};
use etalon::golden::files::BUILT_IN;
use etalon::golden::{ReadError, read};
use pyo3::prelude::*;

use crate::error::Class;
use crate::problem::Problem;
use crate::run::unlocked;

/// Problems, made one at a time.
#[pyclass(module = "etalon")]
pub struct Problems {
    rest: Box<dyn Iterator<Item = etalon::lcp::Problem> + Send + Sync>,
    left: u64,
}

#[pymethods]
impl Problems {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Problem>> {
        let rest = &mut self.rest;
        let next = unlocked(py, || rest.next())?;
        self.left = self.left.saturating_sub(1);
        Ok(next.map(Problem::from))
    }

    fn __length_hint__(&self) -> usize {
        usize::try_from(self.left).unwrap_or(usize::MAX)
    }
}

/// Generate problems of a family; the same arguments give the same problems on every machine.
///
/// Parameters
/// ----------
/// family : str
///     One of `families()`.
/// n : int
///     The number of rows.
/// count : int
///     How many problems.
/// seed : int
///
/// Returns
/// -------
/// iterator of Problem
///
/// Examples
/// --------
/// >>> import etalon
/// >>> [problem] = etalon.generate("murty", 3)
/// >>> problem.M
/// array([[1., 0., 0.],
///        [2., 1., 0.],
///        [2., 2., 1.]])
#[pyfunction]
#[pyo3(signature = (family, n, count=1, seed=1))]
pub fn generate(family: &str, n: usize, count: u64, seed: u64) -> PyResult<Problems> {
    let error = |error: etalon::conformance::GenerateError| Class::Argument.error(error);
    // The name that lives for ever, where there is one.
    let known = all_families().find(|known| known.name == family);
    let rest: Box<dyn Iterator<Item = _> + Send + Sync> = match known {
        Some(known) => Box::new(generated(known.name, n, count, seed).map_err(error)?),
        None => {
            return Err(generated(family, n, 0, seed).err().map_or_else(
                || Class::Internal.error("a family that is not listed"),
                error,
            ));
        }
    };
    Ok(Problems { rest, left: count })
}

/// The families of generated problems, a list of dicts: name, description, reference, theory, and
/// sizes (min, max, step).
#[pyfunction]
pub fn families(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyAny>>> {
    let one = |family: &etalon::conformance::Family| {
        let record = serde_json::json!({
            "name": family.name,
            "description": family.description,
            "reference": family.reference,
            "theory": family.theory.word(),
            "sizes": [family.sizes.min, family.sizes.max, family.sizes.step],
        });
        crate::json::loads(py, &record.to_string())
    };
    all_families().map(one).collect()
}

/// The golden problems that come with the package, each with its truth and its proof.
///
/// Parameters
/// ----------
/// suite : str, optional
///     Only those of one suite; "generated" and "generated/murty" both name suites.
///
/// Returns
/// -------
/// list of Problem
#[pyfunction]
#[pyo3(signature = (suite=None))]
pub fn goldens(suite: Option<&str>) -> PyResult<Vec<Problem>> {
    let mut problems = Vec::new();
    for golden in read(&[Path::new(BUILT_IN).join("problems")]).map_err(unreadable)? {
        let golden = golden.map_err(unreadable)?;
        let name = golden.suite.to_string();
        if suite.is_none_or(|wanted| wanted == name || wanted == golden.suite.name) {
            let mut problem = Problem::from(golden.problem);
            problem.suite = Some(name);
            problems.push(problem);
        }
    }
    if problems.is_empty() {
        let name = suite.unwrap_or_default();
        return Err(Class::Argument.error(format_args!("there is no suite {name:?}")));
    }
    Ok(problems)
}

/// The package was damaged: what is built in reads without an error.
fn unreadable(error: ReadError) -> PyErr {
    Class::Record.error(error)
}
