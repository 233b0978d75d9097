//! Claims as Python sees them.

use std::sync::Arc;

use etalon::lcp::record::{read_claim, write_claim};
use etalon::lcp::{self, Certificate, ClaimedAnswer};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::array::{to_vector, vector};
use crate::error::{Class, record_error};
use crate::json;
use crate::number::to_fraction;

/// What a solver says of one problem: status "solved" (with z), "unsolvable" (there is no
/// solution) or "failed" (it gave up, which says nothing).
///
/// Parameters
/// ----------
/// status : "solved", "unsolvable" or "failed"
/// z : array_like, shape (n,)
///     For "solved".
/// certificate : dict, optional
///     A proof, as `certify` and `solve` return it.
/// message, name : str, optional
#[pyclass(frozen, module = "etalon")]
#[derive(Clone)]
pub struct Claim {
    pub inner: Arc<lcp::Claim>,
    /// Whether z is given as Fractions.
    pub exact: bool,
}

impl Claim {
    pub fn of(claim: lcp::Claim, exact: bool) -> Self {
        Self {
            inner: Arc::new(claim),
            exact,
        }
    }

    fn vector<'py>(&self, py: Python<'py>, exact: bool) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.inner.answer {
            ClaimedAnswer::Solved { z } => to_vector(py, z, exact).map(Some),
            _ => Ok(None),
        }
    }
}

#[pymethods]
impl Claim {
    #[new]
    #[pyo3(signature = (status, z=None, *, certificate=None, message=None, name="problem"))]
    fn new(
        status: &str,
        z: Option<&Bound<'_, PyAny>>,
        certificate: Option<&Bound<'_, PyAny>>,
        message: Option<String>,
        name: &str,
    ) -> PyResult<Self> {
        let answer = match (status, z) {
            ("solved", Some(z)) => ClaimedAnswer::Solved { z: vector("z", z)? },
            ("unsolvable", None) => ClaimedAnswer::Unsolvable,
            ("failed", None) => ClaimedAnswer::Failed,
            ("solved", None) => return Err(Class::Argument.error("a claim of solved needs z")),
            ("unsolvable" | "failed", _) => {
                return Err(Class::Argument.error("only a claim of solved has a z"));
            }
            _ => {
                return Err(Class::Argument.error(format_args!(
                    "{status:?} is not solved, unsolvable or failed"
                )));
            }
        };
        let mut claim = lcp::Claim::new(name, answer);
        claim.certificate = certificate.map(read_certificate).transpose()?;
        claim.message = message;
        Ok(Self::of(claim, false))
    }

    /// The claim of a record `etalon-claim/1`, a JSON object.
    ///
    /// Raises RecordError, which names the field.
    #[staticmethod]
    #[pyo3(signature = (record, *, exact=false))]
    fn from_json(record: &str, exact: bool) -> PyResult<Self> {
        let read = read_claim(record).map_err(|error| record_error(&error))?;
        Ok(Self::of(read.record, exact))
    }

    /// The record `etalon-claim/1` on one line.
    fn to_json(&self) -> String {
        write_claim(&self.inner)
    }

    /// The problem's name.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    /// "solved", "unsolvable" or "failed".
    #[getter]
    fn status(&self) -> &'static str {
        match self.inner.answer {
            ClaimedAnswer::Solved { .. } => "solved",
            ClaimedAnswer::Unsolvable => "unsolvable",
            ClaimedAnswer::Failed => "failed",
        }
    }

    /// Whether the status is "solved".
    #[getter]
    fn solved(&self) -> bool {
        matches!(self.inner.answer, ClaimedAnswer::Solved { .. })
    }

    /// z of shape (n,), or None: float64, each entry rounded to nearest, or Fractions where
    /// exact=True was asked for.
    #[getter]
    fn z<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.vector(py, self.exact)
    }

    /// z of shape (n,) as Fractions, or None.
    #[getter]
    fn z_exact<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.vector(py, true)
    }

    /// The proof that goes with the claim, a dict as in etalon-claim/1, or None.
    #[getter]
    fn certificate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::field(py, &self.to_json(), "certificate")
    }

    /// The complementary basis, "1" where z_i is basic, or None.
    #[getter]
    fn basis(&self) -> Option<String> {
        self.inner.basis.as_ref().map(ToString::to_string)
    }

    /// The method that answered.
    #[getter]
    fn method(&self) -> Option<&str> {
        self.inner.method.as_deref()
    }

    /// How many pivots it took.
    #[getter]
    fn pivots(&self) -> Option<u64> {
        self.inner.pivots
    }

    /// How long it took.
    #[getter]
    fn seconds(&self) -> Option<f64> {
        self.inner.seconds
    }

    /// For people.
    #[getter]
    fn message(&self) -> Option<&str> {
        self.inner.message.as_deref()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    fn __repr__(&self) -> String {
        let claim = &self.inner;
        let mut text = format!("<Claim {}", self.status());
        if let ClaimedAnswer::Solved { z } = &claim.answer {
            text.push_str(&format!(", z = {}", show(z, self.exact)));
        }
        if let Some(method) = &claim.method {
            text.push_str(&format!(", by {method}"));
        }
        if let Some(message) = &claim.message {
            text.push_str(&format!(": {message}"));
        }
        text + ">"
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, bool))> {
        let restore = py.import("etalon")?.getattr("_restore_claim")?;
        Ok((restore, (self.to_json(), self.exact)))
    }
}

/// A vector for people, cut where it is long.
pub fn show(z: &[lcp::Number], exact: bool) -> String {
    const SHOWN: usize = 8;
    let shown = z.iter().take(SHOWN).map(|value| entry(value, exact));
    let mut parts: Vec<_> = shown.collect();
    if z.len() > SHOWN {
        parts.push("...".to_owned());
    }
    format!("({})", parts.join(", "))
}

/// A number for people: as a fraction where that is short and asked for, else in digits.
pub fn entry(value: &lcp::Number, exact: bool) -> String {
    let digits = || lcp::format_f64(value.to_f64());
    if !exact {
        return digits();
    }
    let text = value.to_rational().to_string();
    match text.len() {
        1..=20 => text,
        _ => format!("~{}", digits()),
    }
}

/// A certificate from the dict that stands in records.
pub fn read_certificate(certificate: &Bound<'_, PyAny>) -> PyResult<Certificate> {
    let text = json::dumps(certificate).map_err(|error| {
        Class::Record.error(format_args!("the certificate is no JSON: {error}"))
    })?;
    let record = format!(r#"{{"name": "proof", "status": "failed", "certificate": {text}}}"#);
    let read = read_claim(&record).map_err(|error| record_error(&error))?;
    read.record
        .certificate
        .ok_or_else(|| Class::Record.error("the certificate is null"))
}

/// A certificate as the dict that stands in records.
pub fn certificate_dict<'py>(
    py: Python<'py>,
    certificate: Option<&Certificate>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut claim = lcp::Claim::new("proof", ClaimedAnswer::Failed);
    claim.certificate = certificate.cloned();
    json::field(py, &write_claim(&claim), "certificate")
}

/// The answer of a solver as a claim about a problem: a vector, None where it gave up,
/// "unsolvable", or a Claim. An answer that is no claim is `failed`, with the reason.
pub fn claim_of(answer: Option<&Bound<'_, PyAny>>, problem: &lcp::Problem) -> PyResult<lcp::Claim> {
    let name = problem.name();
    let Some(answer) = answer else {
        return Ok(lcp::Claim::failed(name, "the solver gave up"));
    };
    if let Ok(claim) = answer.cast::<Claim>() {
        let mut claim = (*claim.get().inner).clone();
        claim.name = name.to_owned();
        return Ok(claim);
    }
    if let Ok(word) = answer.cast::<PyString>() {
        return match word.to_str()? {
            "unsolvable" => Ok(lcp::Claim::new(name, ClaimedAnswer::Unsolvable)),
            "failed" => Ok(lcp::Claim::failed(name, "the solver gave up")),
            other => Err(Class::Argument.error(format_args!(
                "{other:?} is no answer; give z, \"unsolvable\", \"failed\" or None"
            ))),
        };
    }
    match vector("z", answer) {
        Ok(z) => Ok(lcp::Claim::new(name, ClaimedAnswer::Solved { z })),
        Err(error) if is_not_finite(&error, answer.py()) => Ok(lcp::Claim::failed(
            name,
            format!("no claim: {}", error.value(answer.py())),
        )),
        Err(error) => Err(error),
    }
}

fn is_not_finite(error: &PyErr, py: Python<'_>) -> bool {
    error
        .get_type(py)
        .name()
        .is_ok_and(|name| name == "NotFiniteError")
}

/// A Fraction of a measure, where there is one.
pub fn fraction_or_none<'py>(
    py: Python<'py>,
    value: Option<&rug::Rational>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    value.map(|value| to_fraction(py, value)).transpose()
}
