//! Problems as Python sees them.

use std::sync::Arc;

use etalon::lcp::record::{read_cones, read_problem, write_problem};
use etalon::lcp::{self, Bound as Limit, Number, Row};
use numpy::PyArray2;
use numpy::ndarray::Array2;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::array::{MAX_DENSE_ROWS, bounds, friction, matrix, to_rows, to_vector, vector};
use crate::error::{Class, matrix_error, problem_error, record_error};
use crate::html;
use crate::json;
use crate::number::to_fraction;

/// A linear complementarity problem: z with w = M z + q, w_i >= 0 where z_i is at its lower bound,
/// w_i <= 0 where it is at its upper bound, w_i = 0 between. Without bounds: z >= 0, w >= 0,
/// z'w = 0. Data are kept exactly.
///
/// Parameters
/// ----------
/// M : array_like, shape (n, n)
///     A numpy array, a matrix of scipy.sparse, or rows of numbers: floats (taken as the dyadic
///     rationals they are), ints, Fractions, Decimals, or strings such as "1/3" (taken exactly).
/// q : array_like, shape (n,)
/// lower, upper : array_like of shape (n,), or one number for all rows, optional
///     Bounds on z, infinite where there is none; 0 and inf by default.
/// friction : list of (row, normal, mu), optional
///     -mu z[normal] <= z[row] <= mu z[normal], in place of the row's own bounds.
/// name : str, optional
/// cones : list of dicts, optional
///     Friction cones, as records have them: {"rows": [n, t1, t2], "mu": 0.5, "law": "coulomb"}, or
///     {"normal": n, "discs": [{"rows": [...], "mu": ...}, ...]}; rows and mu may be numpy arrays.
///     Such a problem is no linear complementarity problem: of the methods "certified", "fast-cone" and
///     "fast-auto" solve it, and check judges it.
/// blocks : list of rows, optional
///     Lists or integer arrays of rows that are components of one vector quantity in one unit, a
///     body's force for instance; no row twice. The block error measures them together.
/// scale : array_like, shape (n,), optional
///     Numbers >= 0: the size of the quantities that w is the difference of, where q does not show it.
///
/// Raises
/// ------
/// InputError
///     ShapeError, NotFiniteError, NumberError, BoundsError, LimitError; DtypeError (a TypeError);
///     RecordError for cones.
#[pyclass(frozen, module = "etalon")]
#[derive(Clone)]
pub struct Problem {
    pub inner: Arc<lcp::Problem>,
    /// The suite of a golden problem.
    pub suite: Option<String>,
}

impl From<lcp::Problem> for Problem {
    fn from(problem: lcp::Problem) -> Self {
        Self {
            inner: Arc::new(problem),
            suite: None,
        }
    }
}

/// The data of a problem as Python gives them.
pub struct Data<'a, 'py> {
    pub m: &'a Bound<'py, PyAny>,
    pub q: Option<&'a Bound<'py, PyAny>>,
    pub lower: Option<&'a Bound<'py, PyAny>>,
    pub upper: Option<&'a Bound<'py, PyAny>>,
    pub friction: Option<&'a Bound<'py, PyAny>>,
    pub name: Option<&'a str>,
}

impl Data<'_, '_> {
    /// The problem: M itself where it is one already.
    pub fn problem(&self) -> PyResult<Problem> {
        if let Ok(problem) = self.m.cast::<Problem>() {
            if self.q.is_some() || !self.is_pure() {
                return Err(
                    Class::Argument.error("a Problem has its q, bounds and friction already")
                );
            }
            return Ok(problem.get().clone());
        }
        let Some(q) = self.q else {
            return Err(Class::Argument.error("q is missing"));
        };
        let m = matrix(self.m)?;
        let n = m.n();
        let name = self.name.unwrap_or("problem");
        let mut problem =
            lcp::Problem::new(name, m, vector("q", q)?).map_err(|e| problem_error(&e))?;
        if self.lower.is_some() || self.upper.is_some() {
            let lower = self
                .lower
                .map(|value| bounds("lower", value, n))
                .transpose()?;
            let upper = self
                .upper
                .map(|value| bounds("upper", value, n))
                .transpose()?;
            problem = problem
                .with_bounds(lower, upper)
                .map_err(|e| problem_error(&e))?;
        }
        if let Some(rows) = self.friction {
            problem = problem
                .with_friction(friction(rows)?)
                .map_err(|e| problem_error(&e))?;
        }
        Ok(problem.into())
    }

    /// Whether nothing but M and q is given.
    pub fn is_pure(&self) -> bool {
        self.lower.is_none() && self.upper.is_none() && self.friction.is_none()
    }
}

/// What pickle keeps: the function that reads, the record and the suite.
type Pickled<'py> = (Bound<'py, PyAny>, (String, Option<String>));

#[pymethods]
impl Problem {
    #[new]
    #[pyo3(signature = (M, q, lower=None, upper=None, friction=None, *, name="problem", cones=None, blocks=None, scale=None))]
    #[allow(non_snake_case, clippy::too_many_arguments)]
    fn new(
        M: &Bound<'_, PyAny>,
        q: &Bound<'_, PyAny>,
        lower: Option<&Bound<'_, PyAny>>,
        upper: Option<&Bound<'_, PyAny>>,
        friction: Option<&Bound<'_, PyAny>>,
        name: &str,
        cones: Option<&Bound<'_, PyAny>>,
        blocks: Option<&Bound<'_, PyAny>>,
        scale: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let data = Data {
            m: M,
            q: Some(q),
            lower,
            upper,
            friction,
            name: Some(name),
        };
        if cones.is_none() && blocks.is_none() && scale.is_none() {
            return data.problem();
        }
        let mut problem = Arc::unwrap_or_clone(data.problem()?.inner);
        if let Some(cones) = cones {
            let cones = read_cones(&json::dumps(cones)?).map_err(|error| record_error(&error))?;
            let with_cones = problem.with_cones(cones);
            problem = with_cones.map_err(|error| problem_error(&error))?;
        }
        if let Some(given) = blocks {
            let with_blocks = problem.with_blocks(rows_of_blocks(given)?);
            problem = with_blocks.map_err(|error| problem_error(&error))?;
        }
        if let Some(scale) = scale {
            let with_scale = problem.with_scale(vector("scale", scale)?);
            problem = with_scale.map_err(|error| problem_error(&error))?;
        }
        Ok(problem.into())
    }

    /// The problem of a record `etalon-problem/1`, a JSON object.
    ///
    /// Raises RecordError, which names the field.
    #[staticmethod]
    #[pyo3(signature = (record, suite=None))]
    pub fn from_json(record: &str, suite: Option<String>) -> PyResult<Self> {
        let read = read_problem(record).map_err(|error| record_error(&error))?;
        Ok(Self {
            inner: Arc::new(read.record),
            suite,
        })
    }

    /// The record `etalon-problem/1` on one line.
    fn to_json(&self) -> String {
        write_problem(&self.inner)
    }

    /// The number of rows.
    #[getter]
    fn n(&self) -> usize {
        self.inner.n()
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// The suite, for a golden problem.
    #[getter]
    fn suite(&self) -> Option<&str> {
        self.suite.as_deref()
    }

    /// M, float64 of shape (n, n), rounded to nearest where the data are no doubles.
    #[getter(M)]
    fn m<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dense(py, self.inner.m(), false)
    }

    /// q, float64 of shape (n,), rounded to nearest where the data are no doubles.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_vector(py, self.inner.q(), false)
    }

    /// Lower bounds, float64 of shape (n,), -inf where there is none; None where all are 0 by
    /// default.
    #[getter]
    fn lower<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.inner
            .lower()
            .map(|bounds| limits(py, bounds, false))
            .transpose()
    }

    /// Upper bounds, float64 of shape (n,), inf where there is none; None where there is none at
    /// all.
    #[getter]
    fn upper<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.inner
            .upper()
            .map(|bounds| limits(py, bounds, false))
            .transpose()
    }

    /// Friction rows, a list of (row, normal, mu).
    #[getter]
    fn friction<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        friction_rows(py, &self.inner, false)
    }

    /// All data: (M, q, lower, upper, friction) as the properties give them, or with exact=True
    /// as arrays of Fractions (infinite bounds stay floats).
    #[pyo3(signature = (*, exact=false))]
    fn data<'py>(&self, py: Python<'py>, exact: bool) -> PyResult<Bound<'py, PyTuple>> {
        let bounds = |bounds: Option<&[Limit]>| match bounds {
            Some(bounds) => limits(py, bounds, exact),
            None => Ok(py.None().into_bound(py)),
        };
        let parts = [
            dense(py, self.inner.m(), exact)?,
            to_vector(py, self.inner.q(), exact)?,
            bounds(self.inner.lower())?,
            bounds(self.inner.upper())?,
            friction_rows(py, &self.inner, exact)?.into_any(),
        ];
        PyTuple::new(py, parts)
    }

    /// Whether z >= 0 is all that bounds z.
    #[getter]
    fn is_pure(&self) -> bool {
        self.inner.is_pure()
    }

    /// Whether all data are doubles, so that a float solver sees just this problem.
    #[getter]
    fn is_binary64(&self) -> bool {
        self.inner.is_binary64()
    }

    /// Whether it has bounds other than z >= 0 (friction rows apart).
    #[getter]
    fn has_bounds(&self) -> bool {
        let rows = self.inner.rows();
        let plain =
            |row: &Row<'_>| matches!(row, Row::Nonnegative | Row::Friction { .. } | Row::Cone);
        !rows.iter().all(plain)
    }

    /// Whether M is symmetric positive semidefinite, found out exactly (n^3 operations).
    ///
    /// The check is left out above 300 rows, and False returned.
    #[getter]
    fn is_symmetric_psd(&self) -> bool {
        self.inner.n() <= 300 && etalon::certify::check_symmetric_psd(self.inner.m()).is_ok()
    }

    /// Its friction cones, as the record has them: a list of dicts, empty for none.
    #[getter]
    fn cones<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.inner.is_lcp() {
            return Ok(PyList::empty(py).into_any());
        }
        json::field(py, &self.to_json(), "cones")
    }

    /// Lists of rows that are components of one vector quantity, empty for none.
    #[getter]
    fn blocks(&self) -> Vec<Vec<usize>> {
        self.inner.blocks().to_vec()
    }

    /// The sizes of rows, float64 of shape (n,), rounded to nearest where they are no doubles; None
    /// where none are given.
    #[getter]
    fn scale<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let scale = self.inner.scale();
        scale.map(|scale| to_vector(py, scale, false)).transpose()
    }

    /// What is known of the problem, as the record says: a dict, or None.
    #[getter]
    fn expect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::field(py, &self.to_json(), "expect")
    }

    /// Words to select problems by.
    #[getter]
    fn tags(&self) -> Vec<String> {
        self.inner.remarks.tags.clone()
    }

    /// Where the data come from, as the record says, or None.
    #[getter]
    fn source<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::field(py, &self.to_json(), "source")
    }

    /// For people.
    #[getter]
    fn notes(&self) -> Option<&str> {
        self.inner.remarks.notes.as_deref()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.inner.name().hash(&mut hasher);
        self.inner.q().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let problem = &self.inner;
        let mut words = Vec::new();
        if self.has_bounds() {
            words.push(", with bounds".to_owned());
        }
        if !problem.friction().is_empty() {
            words.push(format!(", {} friction rows", problem.friction().len()));
        }
        if !problem.is_lcp() {
            words.push(format!(", {} friction cones", problem.cones().len()));
        }
        if !problem.is_binary64() {
            words.push(", exact data".to_owned());
        }
        format!(
            "<Problem {:?}, n = {}{}>",
            problem.name(),
            problem.n(),
            words.concat()
        )
    }

    /// What a notebook shows: M, q and bounds, the first ten rows of them.
    fn _repr_html_(&self) -> String {
        html::problem(&self.inner)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let read = py.get_type::<Self>().getattr("from_json")?;
        Ok((read, (self.to_json(), self.suite.clone())))
    }
}

/// The rows of blocks as Python gives them.
fn rows_of_blocks(value: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<usize>>> {
    let wrong = |what: &str| Class::Dtype.error(format_args!("{what}"));
    let blocks = value
        .try_iter()
        .map_err(|_| wrong("blocks is a list of lists of rows"))?;
    let block = |(k, block): (usize, PyResult<Bound<'_, PyAny>>)| {
        let rows = block?
            .try_iter()
            .map_err(|_| wrong(&format!("blocks[{k}] is no list of rows")))?;
        let row = |(i, row): (usize, PyResult<Bound<'_, PyAny>>)| {
            let no_row = || wrong(&format!("blocks[{k}][{i}] is no row number"));
            row?.extract::<usize>().map_err(|_| no_row())
        };
        rows.enumerate().map(row).collect()
    };
    blocks.enumerate().map(block).collect()
}

/// M as an array, exact or rounded.
fn dense<'py>(py: Python<'py>, m: &lcp::Matrix, exact: bool) -> PyResult<Bound<'py, PyAny>> {
    let n = m.n();
    if n > MAX_DENSE_ROWS {
        let rows = n as u64;
        return Err(matrix_error(&lcp::MatrixError::TooManyRows { rows }));
    }
    if exact {
        let zero = || Number::from(0);
        let row = |i: usize| {
            let mut row = vec![zero(); n];
            m.row(i).for_each(|(j, value)| row[j] = value.clone());
            row
        };
        return to_rows(py, &(0..n).map(row).collect::<Vec<_>>(), n, true);
    }
    let mut values = Array2::zeros((n, n));
    for i in 0..n {
        m.row(i)
            .for_each(|(j, value)| values[(i, j)] = value.to_f64());
    }
    Ok(PyArray2::from_owned_array(py, values).into_any())
}

/// Bounds as an array of doubles, or of Fractions and infinities.
fn limits<'py>(py: Python<'py>, bounds: &[Limit], exact: bool) -> PyResult<Bound<'py, PyAny>> {
    let double = |bound: &Limit| match bound {
        Limit::NegativeInfinity => f64::NEG_INFINITY,
        Limit::Finite(value) => value.to_f64(),
        Limit::Infinity => f64::INFINITY,
    };
    if !exact {
        let values = bounds.iter().map(double).collect();
        return Ok(numpy::PyArray1::<f64>::from_vec(py, values).into_any());
    }
    let items = bounds.iter().map(|bound| match bound {
        Limit::Finite(value) => Ok(to_fraction(py, &value.to_rational())?.unbind()),
        _ => Ok(double(bound).into_pyobject(py)?.into_any().unbind()),
    });
    let items = numpy::ndarray::Array1::from_vec(items.collect::<PyResult<Vec<_>>>()?);
    Ok(numpy::PyArray1::from_owned_object_array(py, items).into_any())
}

fn friction_rows<'py>(
    py: Python<'py>,
    problem: &lcp::Problem,
    exact: bool,
) -> PyResult<Bound<'py, PyList>> {
    let rows = problem.friction().iter().map(|f| {
        let mu = if exact {
            to_fraction(py, &f.mu.to_rational())?
        } else {
            f.mu.to_f64().into_pyobject(py)?.into_any()
        };
        (f.row, f.normal, mu).into_pyobject(py)
    });
    PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
}
