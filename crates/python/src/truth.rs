//! `certify` and `enumerate`: what can be proved of a problem.

use etalon::certify::Truth as Proved;
use etalon::exact::{ExactMethod, decide};
use etalon::lcp::{Certificate, ClaimedAnswer, Enumeration, Number, SolutionFace, Unique};
use pyo3::prelude::*;
use rug::Rational;

use crate::array::to_rows;
use crate::claim::{certificate_dict, read_certificate};
use crate::error::{Class, certificate_error};
use crate::problem::Data;
use crate::run::{budget, interruptible};
use crate::verdict::status_word;

/// What is proved of a problem; everything in it was checked by the independent checker.
#[pyclass(frozen, module = "etalon")]
pub struct Truth {
    solvable: Option<bool>,
    uniqueness: Option<Unique>,
    solutions: Vec<Vec<Number>>,
    n: usize,
    complete: bool,
    certificate: Option<Certificate>,
    gave_up: Option<String>,
    exact: bool,
}

impl Truth {
    fn of(
        truth: Proved,
        certificate: Option<Certificate>,
        gave_up: Option<String>,
        n: usize,
        exact: bool,
    ) -> Self {
        Self {
            solvable: truth.status().solvable,
            uniqueness: truth.status().unique,
            solutions: truth.solutions().iter().cloned().map(numbers).collect(),
            n,
            complete: truth.has_all_solutions(),
            certificate,
            gave_up,
            exact,
        }
    }
}

fn numbers(z: Vec<Rational>) -> Vec<Number> {
    z.into_iter().map(Number::from).collect()
}

#[pymethods]
impl Truth {
    /// "solvable", "unsolvable" or "unknown".
    #[getter]
    fn status(&self) -> &'static str {
        status_word(self.solvable)
    }

    /// True, False, or None where it is not known.
    #[getter]
    fn solvable(&self) -> Option<bool> {
        self.solvable
    }

    /// What all solutions share: "z", "w" or None.
    #[getter]
    fn unique(&self) -> Option<&'static str> {
        self.uniqueness.map(Unique::word)
    }

    /// Exact solutions, an array of shape (k, n): float64, or Fractions where exact=True was
    /// asked for.
    #[getter]
    fn solutions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_rows(py, &self.solutions, self.n, self.exact)
    }

    /// Whether it is proved that there are no other solutions.
    #[getter]
    fn complete(&self) -> bool {
        self.complete
    }

    /// The proof of `status` "unsolvable" or of `unique`, a dict as in etalon-claim/1, or None.
    #[getter]
    fn certificate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        certificate_dict(py, self.certificate.as_ref())
    }

    /// Why no more is known, where the budget ran out.
    #[getter]
    fn gave_up(&self) -> Option<&str> {
        self.gave_up.as_deref()
    }

    fn __repr__(&self) -> String {
        let mut text = format!("<Truth {}", self.status());
        if let Some(what) = self.unique() {
            text.push_str(&format!(", {what} is unique"));
        }
        match self.solutions.len() {
            0 => {}
            1 => text.push_str(", 1 solution known"),
            count => text.push_str(&format!(", {count} solutions known")),
        }
        if let Some(why) = &self.gave_up {
            text.push_str(&format!(": {why}"));
        }
        text + ">"
    }
}

/// Find out what can be proved of a problem: solvable or not, unique or not, with certificates.
///
/// Parameters
/// ----------
/// M, q, lower, upper, friction
///     As for `solve`; M may be a Problem.
/// certificate : dict, optional
///     A proof to check. Nothing is then searched for: the independent checker alone decides
///     what the certificate proves.
/// exact : bool
///     Whether `solutions`, an array of shape (k, n), are Fractions instead of floats.
/// pivots, bits, time_limit
///     Budget, as for `solve`.
///
/// Returns
/// -------
/// Truth
///
/// Raises
/// ------
/// CertificateError
///     When the certificate given does not hold.
///
/// Examples
/// --------
/// >>> import etalon
/// >>> truth = etalon.certify([[-1]], [-1])
/// >>> truth
/// <Truth unsolvable>
/// >>> truth.certificate
/// {'kind': 'farkas', 'y': ['1']}
/// >>> etalon.certify([[-1]], [-1], certificate=truth.certificate)
/// <Truth unsolvable>
#[pyfunction]
#[pyo3(signature = (M, q=None, lower=None, upper=None, friction=None, *, certificate=None,
    exact=false, pivots=None, bits=None, time_limit=None))]
#[allow(non_snake_case, clippy::too_many_arguments)]
pub fn certify(
    py: Python<'_>,
    M: &Bound<'_, PyAny>,
    q: Option<&Bound<'_, PyAny>>,
    lower: Option<&Bound<'_, PyAny>>,
    upper: Option<&Bound<'_, PyAny>>,
    friction: Option<&Bound<'_, PyAny>>,
    certificate: Option<&Bound<'_, PyAny>>,
    exact: bool,
    pivots: Option<u64>,
    bits: Option<u64>,
    time_limit: Option<f64>,
) -> PyResult<Truth> {
    let data = Data {
        m: M,
        q,
        lower,
        upper,
        friction,
        name: None,
    };
    let problem = data.problem()?.inner;
    let n = problem.n();
    let budget = budget(pivots, bits, time_limit)?;
    let stop = budget.stop.clone();
    if let Some(certificate) = certificate {
        let proof = read_certificate(certificate)?;
        let checked = interruptible(py, &stop, move || {
            let mut truth = Proved::default();
            let added = truth.add_certificate(&problem, &proof);
            added.map(|()| (truth, proof))
        })?;
        let (truth, proof) = checked.map_err(|error| certificate_error(&error))?;
        return Ok(Truth::of(truth, Some(proof), None, n, exact));
    }
    let decision = interruptible(py, &stop, move || decide(&problem, &budget))?;
    Ok(Truth::of(
        decision.truth,
        decision.certificate,
        decision.gave_up,
        n,
        exact,
    ))
}

/// A set of solutions: convex combinations of `vertices` plus nonnegative multiples of `rays`.
#[pyclass(frozen, module = "etalon")]
#[derive(Clone)]
pub struct Face {
    face: SolutionFace,
    n: usize,
    exact: bool,
}

#[pymethods]
impl Face {
    /// Solutions, an array of shape (k, n).
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_rows(py, &self.face.vertices, self.n, self.exact)
    }

    /// Directions, an array of shape (k, n).
    #[getter]
    fn rays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_rows(py, &self.face.rays, self.n, self.exact)
    }

    fn __repr__(&self) -> String {
        let (vertices, rays) = (self.face.vertices.len(), self.face.rays.len());
        format!("<Face with {vertices} vertices and {rays} rays>")
    }
}

/// All solutions of a problem, with the proof that there are no others.
#[pyclass(frozen, module = "etalon")]
pub struct SolutionSet {
    isolated: Vec<Vec<Number>>,
    faces: Vec<Face>,
    complete: bool,
    certificate: Option<Certificate>,
    n: usize,
    exact: bool,
}

#[pymethods]
impl SolutionSet {
    /// Solutions with no other solution near them, an array of shape (k, n): float64, or
    /// Fractions where exact=True was asked for.
    #[getter]
    fn isolated<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_rows(py, &self.isolated, self.n, self.exact)
    }

    /// Sets of infinitely many solutions, a list of Face.
    #[getter]
    fn faces(&self) -> Vec<Face> {
        self.faces.clone()
    }

    /// Whether every solution is isolated or on a face as listed. False where a face has more
    /// vertices than a list can hold; the certificate is whole all the same.
    #[getter]
    fn complete(&self) -> bool {
        self.complete
    }

    /// Whether there is no solution.
    #[getter]
    fn is_empty(&self) -> bool {
        self.isolated.is_empty() && self.faces.is_empty()
    }

    /// The proof that these are all, a dict as in etalon-claim/1.
    #[getter]
    fn certificate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        certificate_dict(py, self.certificate.as_ref())
    }

    fn __bool__(&self) -> bool {
        !self.is_empty()
    }

    fn __repr__(&self) -> String {
        if self.is_empty() {
            return "<SolutionSet: none, as the certificate proves>".to_owned();
        }
        let (isolated, faces) = (self.isolated.len(), self.faces.len());
        format!("<SolutionSet: {isolated} isolated, {faces} faces>")
    }
}

/// Find all solutions of a problem, or prove that there is none. Exponential in n, in the worst
/// case.
///
/// Parameters
/// ----------
/// M, q, lower, upper, friction
///     As for `solve`; M may be a Problem.
/// exact : bool
///     Whether solutions, arrays of shape (k, n), are Fractions instead of floats.
/// pivots, bits, time_limit
///     Budget, as for `solve`.
///
/// Returns
/// -------
/// SolutionSet
///
/// Raises
/// ------
/// BudgetError
///     When the budget runs out; then nothing is known.
///
/// Examples
/// --------
/// >>> import etalon
/// >>> etalon.enumerate([[1, 2], [2, 1]], [-1, -1]).isolated
/// array([[0.        , 1.        ],
///        [1.        , 0.        ],
///        [0.33333333, 0.33333333]])
#[pyfunction]
#[pyo3(signature = (M, q=None, lower=None, upper=None, friction=None, *, exact=false, pivots=None,
    bits=None, time_limit=None))]
#[allow(non_snake_case, clippy::too_many_arguments)]
pub fn enumerate(
    py: Python<'_>,
    M: &Bound<'_, PyAny>,
    q: Option<&Bound<'_, PyAny>>,
    lower: Option<&Bound<'_, PyAny>>,
    upper: Option<&Bound<'_, PyAny>>,
    friction: Option<&Bound<'_, PyAny>>,
    exact: bool,
    pivots: Option<u64>,
    bits: Option<u64>,
    time_limit: Option<f64>,
) -> PyResult<SolutionSet> {
    let data = Data {
        m: M,
        q,
        lower,
        upper,
        friction,
        name: None,
    };
    let problem = data.problem()?.inner;
    let n = problem.n();
    let budget = budget(pivots, bits, time_limit)?;
    let solver = ExactMethod::Enumerate.solver(&budget);
    let claim = interruptible(py, &budget.stop, move || solver.solve(&problem))?;
    if claim.answer == ClaimedAnswer::Failed {
        let why = claim.message.unwrap_or_default();
        return Err(Class::Budget.error(format_args!("not all solutions were found: {why}")));
    }
    // No enumeration: there is no solution, and the list of none is complete.
    let found = claim.enumeration.unwrap_or_else(|| Enumeration {
        complete: true,
        ..Enumeration::default()
    });
    let faces = found.faces.into_iter().map(|face| Face { face, n, exact });
    Ok(SolutionSet {
        isolated: found.isolated,
        faces: faces.collect(),
        complete: found.complete,
        certificate: claim.certificate,
        n,
        exact,
    })
}
