//! Exceptions: the classes are Python's (`etalon._errors`), so that one can be a `ValueError` too.

use std::fmt::Display;

use etalon::certify::CertificateError;
use etalon::lcp::record::RecordError;
use etalon::lcp::{MatrixError, NumberError, ProblemError};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// A class of `etalon._errors`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Arrays of a wrong shape.
    Shape,
    /// Values that are no numbers, or not exact ones.
    Dtype,
    /// NaN or an infinity.
    NotFinite,
    /// Text that is no number.
    Number,
    /// Too large.
    Limit,
    /// Bounds or friction rows that cannot be.
    Bounds,
    /// Text that is no record.
    Record,
    /// A name or a value that an argument does not have.
    Argument,
    /// A certificate that does not hold.
    Certificate,
    /// A budget ran out.
    Budget,
    /// A fault of this package.
    Internal,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Self::Shape => "ShapeError",
            Self::Dtype => "DtypeError",
            Self::NotFinite => "NotFiniteError",
            Self::Number => "NumberError",
            Self::Limit => "LimitError",
            Self::Bounds => "BoundsError",
            Self::Record => "RecordError",
            Self::Argument => "ArgumentError",
            Self::Certificate => "CertificateError",
            Self::Budget => "BudgetError",
            Self::Internal => "InternalError",
        }
    }

    /// An exception of the class.
    pub fn error(self, message: impl Display) -> PyErr {
        Python::attach(|py| {
            let class = || {
                let class = py.import("etalon._errors")?.getattr(self.name())?;
                Ok::<_, PyErr>(class.cast_into::<PyType>()?)
            };
            match class() {
                Ok(class) => PyErr::from_type(class, message.to_string()),
                Err(error) => error,
            }
        })
    }
}

/// The exception for a problem that cannot be.
pub fn problem_error(error: &ProblemError) -> PyErr {
    let class = match error {
        ProblemError::Length { .. } => Class::Shape,
        ProblemError::NotFinite => Class::NotFinite,
        _ => Class::Bounds,
    };
    class.error(error)
}

/// The exception for a matrix that cannot be.
pub fn matrix_error(error: &MatrixError) -> PyErr {
    let class = match error {
        MatrixError::TooManyRows { .. } => Class::Limit,
        _ => Class::Shape,
    };
    class.error(error)
}

/// The exception for the text of a number, with its place.
pub fn number_error(error: &NumberError, place: &str) -> PyErr {
    let class = match error {
        error if error.is_not_finite() => Class::NotFinite,
        NumberError::TooLong { .. } | NumberError::Exponent { .. } => Class::Limit,
        _ => Class::Number,
    };
    class.error(format_args!("{place}: {error}"))
}

/// The exception for the text of a record.
pub fn record_error(error: &RecordError) -> PyErr {
    Class::Record.error(error)
}

/// The exception for a certificate that does not hold.
pub fn certificate_error(error: &CertificateError) -> PyErr {
    Class::Certificate.error(error)
}
