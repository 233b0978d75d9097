//! Verdicts as Python sees them.

use etalon::judge::Judgement;
use etalon::lcp::record::{write_verdict, write_verdict_with_solution};
use etalon::lcp::{self, Number};
use pyo3::prelude::*;

use crate::array::{to_measure, to_vector};
use crate::claim::{fraction_or_none, show};
use crate::html;

/// What the judge says of an answer. True where the answer is accepted, so that
/// `assert etalon.check(M, q, z)` is a test, and prints well.
#[pyclass(frozen, module = "etalon")]
pub struct Verdict {
    verdict: lcp::Verdict,
    solution: Option<Vec<Number>>,
    accepted: bool,
    false_expect: Option<String>,
    exact: bool,
}

impl Verdict {
    pub fn of(judgement: Judgement, exact: bool) -> Self {
        let solution = judgement.solution;
        Self {
            verdict: judgement.verdict,
            solution: solution.map(|z| z.into_iter().map(Number::from).collect()),
            accepted: judgement.accepted,
            false_expect: judgement.false_expect.map(|error| error.to_string()),
            exact,
        }
    }

    fn measure<'py>(
        &self,
        py: Python<'py>,
        of: fn(&lcp::Measures) -> Option<&rug::Rational>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let measures = self.verdict.measures.as_ref();
        measures
            .and_then(of)
            .map(|value| to_measure(py, value, self.exact))
            .transpose()
    }
}

#[pymethods]
impl Verdict {
    /// Why what the problem's record states of itself (``expect``) is false, where it is: no fault of
    /// the claim, which is judged as if nothing was stated.
    #[getter]
    fn false_expect(&self) -> Option<&str> {
        self.false_expect.as_deref()
    }

    /// The problem's name.
    #[getter]
    fn name(&self) -> &str {
        &self.verdict.name
    }

    /// "exact", "accepted", "perturbed", "rejected", "proved", "unproved", "refuted" or "failed".
    #[getter]
    fn verdict(&self) -> &'static str {
        self.verdict.kind.word()
    }

    /// Whether the answer counts as right.
    #[getter]
    fn accepted(&self) -> bool {
        self.accepted
    }

    /// For what was not accepted: one phrase, with the worst row.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.verdict.reason.as_deref()
    }

    /// The natural-scale error, as backward_error: row by row, z is exact for data changed by at
    /// most this, relatively, and unknowns changed by at most this times their natural size.
    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.measure(py, |measures| Some(&measures.error))
    }

    /// The componentwise backward error, computed exactly: a float rounded up, or a Fraction
    /// where exact=True was asked for. None without a z.
    #[getter]
    fn backward_error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.measure(py, |measures| Some(&measures.backward_error))
    }

    /// The largest violation of a bound in the natural size of its unknown, as backward_error. With friction cones
    /// that of a bound or a cone relative to the largest force, which decides nothing.
    #[getter]
    fn negativity<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.measure(py, |measures| Some(&measures.negativity))
    }

    /// With friction cones the largest violation of a bound or a cone in natural sizes, as backward_error. It
    /// decides, together with the error. None without friction cones.
    #[getter]
    fn outside<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.measure(py, |measures| measures.outside.as_ref())
    }

    /// The block error, as backward_error. None without friction cones, unless measure="block" was asked for.
    #[getter]
    fn block_error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.measure(py, |measures| measures.block_error.as_ref())
    }

    /// The natural residual max_i |z_i - mid(l_i, z_i - w_i, u_i)|, as backward_error; with friction cones the
    /// Euclidean norm of r - P_K(r - u - g e_N), and None where that is not defined.
    #[getter]
    fn residual<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.measure(py, |measures| measures.residual.as_ref())
    }

    /// The distance from the nearest exact solution that is known, in natural sizes.
    #[getter]
    fn distance<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.exact {
            return fraction_or_none(py, self.verdict.distance.as_ref());
        }
        let distance = self.verdict.distance.as_ref();
        distance
            .map(|distance| to_measure(py, distance, false))
            .transpose()
    }

    /// How the verdict was reached, where not by the error alone: "distance", or "backward error"
    /// where no exact solution is known.
    #[getter]
    fn by(&self) -> Option<&'static str> {
        self.verdict.reached.map(lcp::Reached::words)
    }

    /// How wrong an answer is that one of the measures does not accept: "gross", "wrong" or "noise".
    #[getter]
    fn grade(&self) -> Option<&'static str> {
        self.verdict.grade.map(lcp::Grade::word)
    }

    /// For an accepted answer far from the only solution: the distance.
    #[getter]
    fn ill_conditioned<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let distance = self.verdict.ill_conditioned.as_ref();
        distance
            .map(|distance| to_measure(py, distance, self.exact))
            .transpose()
    }

    /// Of a regularised convex contact problem, with prove=True: a bound on the distance from its only solution, in
    /// the norm of the energy and relative to the answer.
    #[getter]
    fn energy_error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let bound = self.verdict.energy_error.as_ref();
        bound
            .map(|bound| to_measure(py, bound, self.exact))
            .transpose()
    }

    /// The row that sets the error, or None.
    #[getter]
    fn worst_row(&self) -> Option<usize> {
        self.verdict
            .measures
            .as_ref()
            .and_then(|measures| measures.worst_row)
    }

    /// How many entries of z were moved onto a nearby bound before it was judged.
    #[getter]
    fn snapped(&self) -> usize {
        self.verdict
            .measures
            .as_ref()
            .map_or(0, |measures| measures.snapped.entries)
    }

    /// What is proved of the problem: "solvable", "unsolvable" or "unknown".
    #[getter]
    fn truth(&self) -> &'static str {
        status_word(self.verdict.truth.solvable)
    }

    /// What all solutions are proved to share: "z", "w" or None.
    #[getter]
    fn unique(&self) -> Option<&'static str> {
        self.verdict.truth.unique.map(lcp::Unique::word)
    }

    /// For an answer that is not accepted: the nearest exact solution known, shape (n,), or None.
    #[getter]
    fn solution<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let solution = self.solution.as_ref();
        solution.map(|z| to_vector(py, z, self.exact)).transpose()
    }

    /// The record `etalon-verdict/1` on one line.
    fn to_json(&self) -> String {
        match &self.solution {
            Some(z) => {
                let z: Vec<_> = z.iter().map(Number::to_rational).collect();
                write_verdict_with_solution(&self.verdict, &z)
            }
            None => write_verdict(&self.verdict),
        }
    }

    fn __bool__(&self) -> bool {
        self.accepted
    }

    fn __repr__(&self) -> String {
        let mut text = format!("<Verdict {}", self.verdict());
        if let Some(reason) = self.reason() {
            text.push_str(&format!(": {reason}"));
        } else if let Some(measures) = &self.verdict.measures {
            let error = lcp::round_up_f64(&measures.error);
            text.push_str(&format!(", error {error:.2e}"));
        }
        if let Some(z) = &self.solution {
            text.push_str(&format!("; right is z = {}", show(z, true)));
        }
        text + ">"
    }

    fn __str__(&self) -> String {
        let lines = self.lines().into_iter();
        let lines = lines.map(|(name, value)| format!("\n  {name:<15} {value}"));
        self.title() + &lines.collect::<String>()
    }

    /// What a notebook shows: the same as `str`.
    fn _repr_html_(&self) -> String {
        html::pairs(&self.title(), &self.lines())
    }
}

impl Verdict {
    fn title(&self) -> String {
        format!("{}: {}", self.verdict.name, self.verdict())
    }

    /// What people are told beside the word of the verdict, each with its name.
    fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = Vec::new();
        let mut line = |name, value| lines.push((name, value));
        if let Some(reason) = self.reason() {
            line("reason", reason.to_owned());
        }
        if let Some(measures) = &self.verdict.measures {
            let shown = |value| format!("{:.2e}", lcp::round_up_f64(value));
            line("error", shown(&measures.error));
            line("backward error", shown(&measures.backward_error));
            line("negativity", shown(&measures.negativity));
            for (name, value) in [
                ("outside", &measures.outside),
                ("block error", &measures.block_error),
                ("residual", &measures.residual),
            ] {
                if let Some(value) = value {
                    line(name, shown(value));
                }
            }
        }
        if let Some(distance) = &self.verdict.distance {
            line("distance", format!("{:.2e}", lcp::round_up_f64(distance)));
        }
        let unique = self
            .unique()
            .map_or(String::new(), |what| format!(", {what} is unique"));
        line("the problem is", format!("{}{unique}", self.truth()));
        if let Some(z) = &self.solution {
            line("a solution", show(z, true));
        }
        lines
    }
}

/// The word for what is known.
pub fn status_word(solvable: Option<bool>) -> &'static str {
    match solvable {
        Some(true) => "solvable",
        Some(false) => "unsolvable",
        None => "unknown",
    }
}
