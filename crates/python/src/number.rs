//! Numbers of Python to exact numbers and back.

use etalon::lcp::Number;
use etalon::lcp::limits::MAX_NUMBER_CHARS;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString, PyType};
use rug::{Integer, Rational};

use crate::error::{Class, number_error};

/// Where a number stands, told only when something is wrong with it.
pub type Location<'a> = &'a dyn Fn() -> String;

/// Integers up to here are binary64 numbers, and so is what they stand for.
const EXACT_INTEGERS: i64 = 1 << 53;

/// A limit on the integers that are read, as that on their text: some four bits a character.
const MAX_BITS: u64 = 4 * MAX_NUMBER_CHARS as u64;

/// An exact number: a float as the dyadic rational it is, an `int`, a `Fraction`, a `Decimal`, a
/// scalar of numpy, or a string such as `"1/3"`.
pub fn number(value: &Bound<'_, PyAny>, place: Location<'_>) -> PyResult<Number> {
    if let Ok(value) = value.cast::<PyFloat>() {
        return float(value.extract()?, place);
    }
    if let Ok(text) = value.cast::<PyString>() {
        let text: String = text.extract()?;
        return Number::parse_exact(&text).map_err(|error| number_error(&error, &place()));
    }
    if value.cast::<PyBool>().is_err() {
        if value.cast::<PyInt>().is_ok() {
            return Ok(whole(integer(value, place)?));
        }
        if let Some(number) = ratio(value, place)? {
            return Ok(number);
        }
    }
    let name = value.get_type().name()?;
    Err(Class::Dtype.error(format_args!(
        "{}: a {name} is no exact number; give a float, int, Fraction, Decimal or a string such as \"1/3\"",
        place()
    )))
}

/// A double as an exact number.
pub fn float(value: f64, place: Location<'_>) -> PyResult<Number> {
    Number::from_f64(value)
        .ok_or_else(|| Class::NotFinite.error(format_args!("{}: {value} is not finite", place())))
}

/// Numbers with a numerator and a denominator, or with `as_integer_ratio`.
fn ratio(value: &Bound<'_, PyAny>, place: Location<'_>) -> PyResult<Option<Number>> {
    let py = value.py();
    if let Ok(numerator) = value.getattr("numerator") {
        let denominator = value.getattr("denominator")?;
        let fraction = fraction(&numerator, &denominator, place)?;
        let is_fraction = value.is_instance(fraction_class(py)?)?;
        // An integer of numpy is a number of its array; a Fraction means what it says.
        return Ok(Some(if is_fraction {
            fraction.into()
        } else {
            nearest_kind(fraction)
        }));
    }
    let Ok(method) = value.getattr("as_integer_ratio") else {
        return Ok(None);
    };
    // What is not finite has no ratio.
    let ratio = method.call0().map_err(|error| {
        Class::NotFinite.error(format_args!("{}: {value} is not finite ({error})", place()))
    })?;
    let (numerator, denominator): (Bound<'_, PyAny>, Bound<'_, PyAny>) = ratio.extract()?;
    Ok(Some(nearest_kind(fraction(
        &numerator,
        &denominator,
        place,
    )?)))
}

fn fraction(
    numerator: &Bound<'_, PyAny>,
    denominator: &Bound<'_, PyAny>,
    place: Location<'_>,
) -> PyResult<Rational> {
    let denominator = integer(denominator, place)?;
    if denominator.is_zero() {
        return Err(Class::Number.error(format_args!("{}: a zero denominator", place())));
    }
    Ok(Rational::from((integer(numerator, place)?, denominator)))
}

/// Binary64 where that is exact.
fn nearest_kind(value: Rational) -> Number {
    let rounded = value.to_f64();
    match Number::from_f64(rounded) {
        Some(number) if number.to_rational() == value => number,
        _ => value.into(),
    }
}

fn whole(value: Integer) -> Number {
    match value.to_i64() {
        Some(small) if small.abs() <= EXACT_INTEGERS => {
            // Exact: it has at most 53 bits.
            Number::from_f64(small as f64).unwrap_or_else(|| Number::from(small))
        }
        _ => Number::from(value),
    }
}

fn integer(value: &Bound<'_, PyAny>, place: Location<'_>) -> PyResult<Integer> {
    if let Ok(small) = value.extract::<i64>() {
        return Ok(Integer::from(small));
    }
    let py = value.py();
    let value = py.import("operator")?.call_method1("index", (value,))?;
    let bits: u64 = value.call_method0("bit_length")?.extract()?;
    if bits > MAX_BITS {
        return Err(Class::Limit.error(format_args!(
            "{}: an integer of {bits} bits is over the limit of {MAX_BITS}",
            place()
        )));
    }
    let digits: String = value.call_method1("__format__", ("x",))?.extract()?;
    Integer::from_str_radix(&digits, 16)
        .map_err(|error| Class::Internal.error(format_args!("{}: {error}", place())))
}

fn fraction_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "fractions", "Fraction")
}

/// A `fractions.Fraction`.
pub fn to_fraction<'py>(py: Python<'py>, value: &Rational) -> PyResult<Bound<'py, PyAny>> {
    let (numerator, denominator) = (to_int(py, value.numer())?, to_int(py, value.denom())?);
    fraction_class(py)?.call1((numerator, denominator))
}

fn to_int<'py>(py: Python<'py>, value: &Integer) -> PyResult<Bound<'py, PyAny>> {
    if let Some(small) = value.to_i64() {
        return Ok(small.into_pyobject(py)?.into_any());
    }
    py.get_type::<PyInt>()
        .call1((value.to_string_radix(16), 16))
}
