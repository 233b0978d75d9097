//! Parts of records as Python objects.

use pyo3::prelude::*;
use pyo3::types::IntoPyDict;

/// A JSON text as Python's `json` module reads it.
pub fn loads<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}

/// A Python object as JSON text; arrays and numbers of numpy as lists and numbers.
pub fn dumps(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = value.py();
    let plain = py
        .import("operator")?
        .call_method1("methodcaller", ("tolist",))?;
    let settings = [("default", plain)].into_py_dict(py)?;
    let json = py.import("json")?;
    json.call_method("dumps", (value,), Some(&settings))?
        .extract()
}

/// A field of a record, or None.
pub fn field<'py>(py: Python<'py>, record: &str, name: &str) -> PyResult<Bound<'py, PyAny>> {
    loads(py, record)?.call_method1("get", (name,))
}
