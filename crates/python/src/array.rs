//! Arrays of Python to exact matrices and vectors and back: numpy arrays of any numeric type and
//! layout, sparse matrices of scipy, nested lists.

use etalon::lcp::limits::MAX_ROWS;
use etalon::lcp::{Bound as Limit, Friction, Matrix, Number, round_up_f64};
use numpy::ndarray::{Array1, Array2};
use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use rug::Rational;

use crate::error::{Class, matrix_error};
use crate::number::{float, number, to_fraction};

/// The largest dense matrix that is read: 2 GiB of exact numbers.
pub const MAX_DENSE_ROWS: usize = 11_585;

/// A view of an array of doubles that may be read as it stands in memory, row by row.
pub fn as_doubles<'py>(value: &Bound<'py, PyAny>) -> Option<PyReadonlyArray2<'py, f64>> {
    let array = value.cast::<PyArray2<f64>>().ok()?;
    (array.is_c_contiguous() && is_plain(array)).then(|| array.try_readonly().ok())?
}

/// As [`as_doubles`], for a vector.
pub fn as_double_vector<'py>(value: &Bound<'py, PyAny>) -> Option<PyReadonlyArray1<'py, f64>> {
    let array = value.cast::<PyArray1<f64>>().ok()?;
    (array.is_c_contiguous() && is_plain(array)).then(|| array.try_readonly().ok())?
}

/// Whether the memory may be read as doubles. Subclasses may mean something else than their memory.
fn is_plain(array: &Bound<'_, PyAny>) -> bool {
    if !array.get_type().is(PyUntypedArray::type_object(array.py())) {
        return false;
    }
    let flag = array
        .getattr("flags")
        .and_then(|flags| flags.getattr("aligned"));
    flag.and_then(|flag| flag.extract()).unwrap_or(false)
}

/// The square matrix M.
pub fn matrix(value: &Bound<'_, PyAny>) -> PyResult<Matrix> {
    if let Some(array) = as_doubles(value) {
        let (rows, columns) = (array.shape()[0], array.shape()[1]);
        check_square(rows, columns)?;
        let values = array
            .as_slice()
            .map_err(|error| Class::Internal.error(error))?;
        return dense_doubles(rows, values);
    }
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        return match *array.shape() {
            [rows, columns] => {
                check_square(rows, columns)?;
                if is_float(array)? {
                    let doubles = plain_doubles(value)?;
                    let Some(array) = as_doubles(&doubles) else {
                        return Err(unreadable("M", value));
                    };
                    let values = array
                        .as_slice()
                        .map_err(|error| Class::Internal.error(error))?;
                    dense_doubles(rows, values)
                } else {
                    check_numeric("M", array)?;
                    rows_of(&value.call_method0("tolist")?, rows)
                }
            }
            _ => Err(Class::Shape.error(format_args!(
                "M has {} dimensions, but a square matrix has two",
                array.ndim()
            ))),
        };
    }
    if value.hasattr("tocoo")? {
        return sparse(value);
    }
    if is_sequence(value) {
        let rows = value.len()?;
        check_square(rows, rows)?;
        return rows_of(value, rows);
    }
    matrix(&converted("M", value)?)
}

fn dense_doubles(rows: usize, values: &[f64]) -> PyResult<Matrix> {
    let numbers = values.iter().enumerate().map(|(at, &value)| {
        let place = || format!("M[{}, {}]", at / rows, at % rows);
        float(value, &place)
    });
    let mut numbers = numbers;
    let mut whole = Vec::with_capacity(rows);
    for _ in 0..rows {
        whole.push(numbers.by_ref().take(rows).collect::<PyResult<Vec<_>>>()?);
    }
    Matrix::from_rows(whole).map_err(|error| matrix_error(&error))
}

fn rows_of(value: &Bound<'_, PyAny>, n: usize) -> PyResult<Matrix> {
    let mut rows = Vec::with_capacity(n);
    for (i, row) in value.try_iter()?.enumerate() {
        let row = row?;
        if !is_sequence(&row) && row.cast::<PyUntypedArray>().is_err() {
            return Err(Class::Shape.error(format_args!("M[{i}] is no row of numbers")));
        }
        if row.len()? != n {
            return Err(Class::Shape.error(format_args!(
                "M[{i}] has {} entries where {n} rows make a square matrix",
                row.len()?
            )));
        }
        let mut numbers = Vec::with_capacity(n);
        for (j, entry) in row.try_iter()?.enumerate() {
            numbers.push(number(&entry?, &|| format!("M[{i}, {j}]"))?);
        }
        rows.push(numbers);
    }
    Matrix::from_rows(rows).map_err(|error| matrix_error(&error))
}

/// A matrix of scipy.sparse; its values are read as they are stored.
fn sparse(value: &Bound<'_, PyAny>) -> PyResult<Matrix> {
    let (rows, columns): (usize, usize) = value.getattr("shape")?.extract().map_err(|_| {
        Class::Shape.error("M is a sparse array of another shape than two dimensions")
    })?;
    if rows != columns || rows > MAX_ROWS {
        check_square(rows, columns)?;
    }
    let triplets = value.call_method0("tocoo")?;
    let indices = |name: &str| -> PyResult<Vec<u64>> {
        let wide = triplets
            .getattr(name)?
            .call_method1("astype", ("uint64",))?;
        let indices = wide.extract::<PyReadonlyArray1<'_, u64>>()?;
        Ok(indices.as_array().to_vec())
    };
    let (row, column) = (indices("row")?, indices("col")?);
    let values = vector("M.data", &triplets.getattr("data")?)?;
    if row.len() != values.len() || column.len() != values.len() {
        return Err(Class::Shape.error("M has not as many indices as values"));
    }
    let entries = row.into_iter().zip(column).zip(values);
    let entries = entries.map(|((i, j), value)| (i, j, value)).collect();
    Matrix::from_entries((rows as u64, columns as u64), entries)
        .map_err(|error| matrix_error(&error))
}

/// A vector of exact numbers; `name` is what errors call it.
pub fn vector(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Number>> {
    let at = |i: usize| move || format!("{name}[{i}]");
    if let Some(array) = as_double_vector(value) {
        let values = array
            .as_slice()
            .map_err(|error| Class::Internal.error(error))?;
        let numbers = values.iter().enumerate();
        return numbers.map(|(i, &value)| float(value, &at(i))).collect();
    }
    let items = vector_items(name, value)?;
    let numbers = items.try_iter()?.enumerate();
    numbers.map(|(i, entry)| number(&entry?, &at(i))).collect()
}

/// Bounds: numbers, and infinities for none. One number stands for all rows.
pub fn bounds(name: &str, value: &Bound<'_, PyAny>, n: usize) -> PyResult<Vec<Limit>> {
    let is_scalar = value.cast::<PyString>().is_ok()
        || !(is_sequence(value) || value.hasattr("__len__")? || value.hasattr("__array__")?)
        || value.hasattr("dtype")? && value.getattr("shape")?.len()? == 0;
    if is_scalar {
        return Ok(vec![bound(value, &|| name.to_owned())?; n]);
    }
    let items = vector_items(name, value)?;
    let bounds = items.try_iter()?.enumerate();
    bounds
        .map(|(i, entry)| bound(&entry?, &|| format!("{name}[{i}]")))
        .collect()
}

fn bound(value: &Bound<'_, PyAny>, place: &dyn Fn() -> String) -> PyResult<Limit> {
    let infinite = match value.extract::<String>() {
        Ok(text) => match text.as_str() {
            "inf" | "+inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            _ => 0.0,
        },
        Err(_) => value.extract::<f64>().unwrap_or(0.0),
    };
    if infinite == f64::INFINITY {
        return Ok(Limit::Infinity);
    }
    if infinite == f64::NEG_INFINITY {
        return Ok(Limit::NegativeInfinity);
    }
    Ok(Limit::Finite(number(value, place)?))
}

/// Friction rows: (row, normal, mu) or a mapping of these names.
pub fn friction(value: &Bound<'_, PyAny>) -> PyResult<Vec<Friction>> {
    let mut all = Vec::new();
    let rows = value
        .try_iter()
        .map_err(|_| Class::Dtype.error("friction is a list of (row, normal, mu)"))?;
    for (k, entry) in rows.enumerate() {
        let entry = entry?;
        let part = |position: usize, key: &str| match entry.cast::<PyDict>() {
            Ok(entry) => entry.as_any().get_item(key),
            Err(_) => entry.get_item(position),
        };
        let shape = |_| Class::Shape.error(format_args!("friction[{k}] is no (row, normal, mu)"));
        let index = |position, key: &str| -> PyResult<usize> {
            part(position, key).map_err(shape)?.extract().map_err(|_| {
                Class::Dtype.error(format_args!("friction[{k}]: {key} is no row number"))
            })
        };
        let mu = part(2, "mu").map_err(shape)?;
        all.push(Friction {
            row: index(0, "row")?,
            normal: index(1, "normal")?,
            mu: number(&mu, &|| format!("friction[{k}].mu"))?,
        });
    }
    Ok(all)
}

/// The items of something one-dimensional.
fn vector_items<'py>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        if array.ndim() != 1 {
            return Err(Class::Shape.error(format_args!(
                "{name} has {} dimensions, but a vector has one",
                array.ndim()
            )));
        }
        if is_float(array)? {
            return plain_doubles(value)?.call_method0("tolist");
        }
        check_numeric(name, array)?;
        return value.call_method0("tolist");
    }
    if is_sequence(value) {
        return Ok(value.clone());
    }
    vector_items(name, &converted(name, value)?)
}

/// Whether the array is of floats that doubles hold exactly.
fn is_float(array: &Bound<'_, PyUntypedArray>) -> PyResult<bool> {
    if array.hasattr("mask")? {
        return Err(Class::Dtype.error("a masked array has entries that are no numbers"));
    }
    let dtype = array.dtype();
    let kind: String = dtype.getattr("kind")?.extract()?;
    let size: usize = dtype.getattr("itemsize")?.extract()?;
    Ok(kind == "f" && size <= 8)
}

/// The same values as doubles, row by row, in the machine's byte order.
fn plain_doubles<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let options = PyDict::new(array.py());
    options.set_item("order", "C")?;
    options.set_item("copy", true)?;
    options.set_item("subok", false)?;
    array.call_method("astype", ("float64",), Some(&options))
}

/// Types of numpy whose items are exact numbers: integers, objects, strings.
fn check_numeric(name: &str, array: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    let dtype = array.dtype();
    let kind: String = dtype.getattr("kind")?.extract()?;
    if matches!(kind.as_str(), "i" | "u" | "O" | "U" | "T") {
        return Ok(());
    }
    Err(Class::Dtype.error(format_args!(
        "{name} has the dtype {dtype}; give float64, float32, float16, integers, or Fractions and strings"
    )))
}

fn check_square(rows: usize, columns: usize) -> PyResult<()> {
    if rows != columns {
        return Err(Class::Shape.error(format_args!(
            "M has the shape {rows} x {columns}, which is not square"
        )));
    }
    if rows > MAX_DENSE_ROWS {
        return Err(Class::Limit.error(format_args!(
            "M has {rows} rows, over the limit of {MAX_DENSE_ROWS} for dense and {MAX_ROWS} for sparse matrices (scipy.sparse)"
        )));
    }
    Ok(())
}

fn is_sequence(value: &Bound<'_, PyAny>) -> bool {
    value.cast::<PyList>().is_ok() || value.cast::<PyTuple>().is_ok()
}

/// What numpy makes of something that says it is an array.
fn converted<'py>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if !value.hasattr("__array__")? {
        return Err(unreadable(name, value));
    }
    value
        .py()
        .import("numpy")?
        .call_method1("asarray", (value,))
}

fn unreadable(name: &str, value: &Bound<'_, PyAny>) -> PyErr {
    match value.get_type().name() {
        Ok(class) => Class::Dtype.error(format_args!(
            "{name} is a {class}; give a numpy array or a list of numbers"
        )),
        Err(error) => error,
    }
}

/// A vector for Python: doubles rounded to nearest, or `Fraction`s.
pub fn to_vector<'py>(
    py: Python<'py>,
    values: &[Number],
    exact: bool,
) -> PyResult<Bound<'py, PyAny>> {
    if !exact {
        let doubles = values.iter().map(Number::to_f64).collect();
        return Ok(PyArray1::from_vec(py, doubles).into_any());
    }
    let fractions = values.iter().map(|value| fraction(py, value));
    let fractions: Vec<_> = fractions.collect::<PyResult<_>>()?;
    let array = Array1::from_vec(fractions);
    Ok(PyArray1::from_owned_object_array(py, array).into_any())
}

/// k vectors of length n as the rows of an array for Python.
pub fn to_rows<'py>(
    py: Python<'py>,
    rows: &[Vec<Number>],
    n: usize,
    exact: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let shape = (rows.len(), n);
    let internal = |error: numpy::ndarray::ShapeError| Class::Internal.error(error);
    let values = rows.iter().flatten();
    if !exact {
        let array = Array2::from_shape_vec(shape, values.map(Number::to_f64).collect());
        return Ok(PyArray2::from_owned_array(py, array.map_err(internal)?).into_any());
    }
    let fractions = values.map(|value| fraction(py, value));
    let array = Array2::from_shape_vec(shape, fractions.collect::<PyResult<_>>()?);
    Ok(PyArray2::from_owned_object_array(py, array.map_err(internal)?).into_any())
}

fn fraction(py: Python<'_>, value: &Number) -> PyResult<Py<PyAny>> {
    Ok(to_fraction(py, &value.to_rational())?.unbind())
}

/// A measure for Python: a double rounded up, or a `Fraction`.
pub fn to_measure<'py>(
    py: Python<'py>,
    value: &Rational,
    exact: bool,
) -> PyResult<Bound<'py, PyAny>> {
    if exact {
        return to_fraction(py, value);
    }
    Ok(round_up_f64(value).into_pyobject(py)?.into_any())
}
