//! Verdicts on many records at once: columns in, columns out, no Python in between.

use etalon::judge::{Judge, Judgement};
use etalon::lcp::record::{read_claim, read_problem};
use etalon::lcp::{Claim, ClaimedAnswer, Matrix, Number, Problem, round_up_f64};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::check::judge;
use crate::run::interruptible;
use crate::verdict::status_word;

/// What comes of one row.
#[derive(Default)]
struct Row {
    verdict: Option<&'static str>,
    accepted: Option<bool>,
    reason: Option<String>,
    natural_error: Option<f64>,
    backward_error: Option<f64>,
    negativity: Option<f64>,
    residual: Option<f64>,
    distance: Option<f64>,
    grade: Option<&'static str>,
    truth: Option<&'static str>,
    unique: Option<&'static str>,
    error: Option<String>,
}

impl Row {
    /// A row that is no problem with a claim.
    fn unreadable(why: impl std::fmt::Display) -> Self {
        Self {
            error: Some(why.to_string()),
            ..Self::default()
        }
    }

    fn judged(judgement: &Judgement) -> Self {
        let verdict = &judgement.verdict;
        let measures = verdict.measures.as_ref();
        Self {
            verdict: Some(verdict.kind.word()),
            accepted: Some(judgement.accepted),
            reason: verdict.reason.clone(),
            natural_error: measures.map(|m| round_up_f64(&m.error)),
            backward_error: measures.map(|m| round_up_f64(&m.backward_error)),
            negativity: measures.map(|m| round_up_f64(&m.negativity)),
            residual: measures.and_then(|m| m.residual.as_ref()).map(round_up_f64),
            distance: verdict.distance.as_ref().map(round_up_f64),
            grade: verdict.grade.map(etalon::lcp::Grade::word),
            truth: Some(status_word(verdict.truth.solvable)),
            unique: verdict.truth.unique.map(etalon::lcp::Unique::word),
            // A false `expect` is no fault of the claim, which has its verdict.
            error: judgement.false_expect.as_ref().map(ToString::to_string),
        }
    }
}

/// How rows are judged.
struct Bench {
    judge: Judge,
}

impl Bench {
    fn row(&self, problem: &Problem, claim: &Claim) -> Row {
        Row::judged(&self.judge.verdict(problem, claim))
    }

    /// Rows until the work is stopped.
    fn rows(&self, count: usize, row: impl Fn(usize) -> Row) -> Vec<Row> {
        let going = |_: &usize| !self.judge.budget.stop.is_stopped();
        (0..count).take_while(going).map(row).collect()
    }

    fn record(&self, problem: Option<&str>, claim: Option<&str>) -> Row {
        let Some(problem) = problem else {
            return Row::unreadable("no problem");
        };
        let problem = match read_problem(problem) {
            Ok(read) => read.record,
            Err(error) => return Row::unreadable(error),
        };
        let claim = match claim.map(read_claim) {
            Some(Ok(read)) => read.record,
            Some(Err(error)) => return Row::unreadable(error),
            None => Claim::failed(problem.name(), "no claim"),
        };
        if claim.name != problem.name() {
            let (own, other) = (problem.name(), &claim.name);
            return Row::unreadable(format_args!("the claim is about {other:?}, not {own:?}"));
        }
        self.row(&problem, &claim)
    }
}

/// A column of vectors: all values, and where each row's begin (k + 1 places).
struct Ragged {
    values: Vec<f64>,
    starts: Vec<usize>,
}

impl Ragged {
    fn read(values: &PyReadonlyArray1<'_, f64>, starts: Vec<usize>) -> Self {
        let values = values.as_array().to_vec();
        Self { values, starts }
    }

    fn row(&self, k: usize) -> &[f64] {
        let (from, to) = (self.starts.get(k), self.starts.get(k + 1));
        let range = from.copied().zip(to.copied());
        range
            .and_then(|(from, to)| self.values.get(from..to))
            .unwrap_or(&[])
    }
}

fn exact(values: &[f64], name: &str) -> Result<Vec<Number>, String> {
    let numbers = values.iter().enumerate().map(|(i, value)| {
        Number::from_f64(*value).ok_or_else(|| format!("{name}[{i}]: {value} is not finite"))
    });
    numbers.collect()
}

fn problem_of(name: &str, m: &[f64], q: &[f64]) -> Result<Problem, String> {
    let n = q.len();
    if m.len() != n * n {
        return Err(format!("M has {} entries where q has {n}", m.len()));
    }
    let numbers = exact(m, "M")?;
    let rows = numbers.chunks(n.max(1)).map(<[Number]>::to_vec).collect();
    let m = Matrix::from_rows(rows).map_err(|error| error.to_string())?;
    Problem::new(name, m, exact(q, "q")?).map_err(|error| error.to_string())
}

/// The columns of a list of rows.
fn columns<'py>(py: Python<'py>, rows: &[Row]) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    macro_rules! column {
        ($($name:ident),*) => {$(
            let values: Vec<_> = rows.iter().map(|row| row.$name.clone()).collect();
            columns.set_item(stringify!($name), values)?;
        )*};
    }
    column!(
        verdict,
        accepted,
        reason,
        natural_error,
        backward_error,
        negativity,
        residual,
        distance,
        grade,
        truth,
        unique,
        error
    );
    Ok(columns)
}

/// Verdicts on problem and claim records, both JSON texts: a dict of columns.
#[pyfunction]
#[pyo3(signature = (problems, claims, *, tol=None, measure=None, snap=None, prove=false, accept_perturbed=false,
    pivots=None, bits=None, time_limit=None))]
#[allow(clippy::too_many_arguments)]
pub fn judge_records<'py>(
    py: Python<'py>,
    problems: Vec<Option<String>>,
    claims: Vec<Option<String>>,
    tol: Option<&Bound<'_, PyAny>>,
    measure: Option<&str>,
    snap: Option<&Bound<'_, PyAny>>,
    prove: bool,
    accept_perturbed: bool,
    pivots: Option<u64>,
    bits: Option<u64>,
    time_limit: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let limits = (pivots, bits, time_limit);
    let bench = Bench {
        judge: judge((tol, measure, snap), (prove, accept_perturbed), limits)?,
    };
    let stop = bench.judge.budget.stop.clone();
    let rows = interruptible(py, &stop, move || {
        let text = |column: &[Option<String>], k: usize| column.get(k).cloned().flatten();
        bench.rows(problems.len(), |k| {
            bench.record(text(&problems, k).as_deref(), text(&claims, k).as_deref())
        })
    })?;
    columns(py, &rows)
}

/// Verdicts on columns of M (n * n doubles, row by row), q and z: a dict of columns.
#[pyfunction]
#[pyo3(signature = (m, q, z, names, gave_up, *, tol=None, measure=None, snap=None, prove=false,
    accept_perturbed=false, pivots=None, bits=None, time_limit=None))]
#[allow(clippy::too_many_arguments)]
pub fn judge_arrays<'py>(
    py: Python<'py>,
    m: (PyReadonlyArray1<'_, f64>, Vec<usize>),
    q: (PyReadonlyArray1<'_, f64>, Vec<usize>),
    z: (PyReadonlyArray1<'_, f64>, Vec<usize>),
    names: Vec<String>,
    gave_up: Vec<bool>,
    tol: Option<&Bound<'_, PyAny>>,
    measure: Option<&str>,
    snap: Option<&Bound<'_, PyAny>>,
    prove: bool,
    accept_perturbed: bool,
    pivots: Option<u64>,
    bits: Option<u64>,
    time_limit: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let limits = (pivots, bits, time_limit);
    let bench = Bench {
        judge: judge((tol, measure, snap), (prove, accept_perturbed), limits)?,
    };
    let stop = bench.judge.budget.stop.clone();
    let (m, q, z) = (
        Ragged::read(&m.0, m.1),
        Ragged::read(&q.0, q.1),
        Ragged::read(&z.0, z.1),
    );
    let rows = interruptible(py, &stop, move || {
        bench.rows(names.len(), |k| {
            let problem = match problem_of(&names[k], m.row(k), q.row(k)) {
                Ok(problem) => problem,
                Err(why) => return Row::unreadable(why),
            };
            let claim = match exact(z.row(k), "z") {
                _ if gave_up.get(k).is_some_and(|gave_up| *gave_up) => {
                    Claim::failed(problem.name(), "the solver gave up")
                }
                Ok(z) => Claim::new(problem.name(), ClaimedAnswer::Solved { z }),
                Err(why) => Claim::failed(problem.name(), format!("no claim: {why}")),
            };
            bench.row(&problem, &claim)
        })
    })?;
    columns(py, &rows)
}
