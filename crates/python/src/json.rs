//! Parts of records as Python objects.

use pyo3::prelude::*;

/// A JSON text as Python's `json` module reads it.
pub fn loads<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}

/// A Python object as JSON text.
pub fn dumps(value: &Bound<'_, PyAny>) -> PyResult<String> {
    value
        .py()
        .import("json")?
        .call_method1("dumps", (value,))?
        .extract()
}

/// A field of a record, or None.
pub fn field<'py>(py: Python<'py>, record: &str, name: &str) -> PyResult<Bound<'py, PyAny>> {
    loads(py, record)?.call_method1("get", (name,))
}
