//! What can go wrong, as a number for programs and as a text for people.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use etalon::lcp::record::RecordError;
use etalon::lcp::{MatrixError, ProblemError};
use etalon::methods::UnknownMethod;

/// How a call ended. etalon_last_error() says more.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EtalonStatus {
    /// It did what it should.
    Ok = 0,
    /// A pointer is NULL or misaligned.
    Pointer = 1,
    /// A size is over the limits, or another than the problem's.
    Size = 2,
    /// NaN, or an infinity that is no bound.
    NotFinite = 3,
    /// A row's bounds leave it no value.
    Bounds = 4,
    /// A friction row that cannot be.
    Friction = 5,
    /// An entry of a sparse matrix outside of it, or given twice.
    Entry = 6,
    /// An option out of its range, or a method that does not exist.
    Option = 7,
    /// A text that is no record, or not UTF-8.
    Record = 8,
    /// There is no such thing: no entry of that index, or no solution to show.
    Absent = 9,
    /// The memory does not suffice.
    Memory = 10,
    /// A defect of the library: please report it.
    Internal = 11,
}

/// An error on its way to the caller.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{0} is NULL")]
    Null(&'static str),
    #[error("{0} is not aligned as its type asks for")]
    Misaligned(&'static str),
    #[error("{what} = {size} is over the limit of {limit}")]
    TooLarge {
        what: &'static str,
        size: usize,
        limit: usize,
    },
    #[error("{what} has {length} entries, but the problem has {n} rows")]
    Length {
        what: &'static str,
        length: usize,
        n: usize,
    },
    #[error("{place} is {value}, but must be finite")]
    NotFinite { place: String, value: f64 },
    #[error("{place} is {value}, which is no bound")]
    NoBound { place: String, value: f64 },
    #[error(transparent)]
    Problem(#[from] ProblemError),
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    #[error("options: {0}")]
    Option(String),
    #[error("options: {0}")]
    Method(#[from] UnknownMethod),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("{0} is not UTF-8")]
    Utf8(&'static str),
    #[error("there is no {0}")]
    Absent(String),
    #[error("{0} bytes of memory are not to be had")]
    Memory(usize),
    #[error("a defect of the library (please report it): {0}")]
    Internal(String),
}

impl Error {
    fn status(&self) -> EtalonStatus {
        match self {
            Self::Null(_) | Self::Misaligned(_) => EtalonStatus::Pointer,
            Self::TooLarge { .. } | Self::Length { .. } => EtalonStatus::Size,
            Self::NotFinite { .. } => EtalonStatus::NotFinite,
            Self::NoBound { .. } => EtalonStatus::Bounds,
            Self::Problem(error) => of_problem(error),
            Self::Matrix(error) => of_matrix(error),
            Self::Option(_) | Self::Method(_) => EtalonStatus::Option,
            Self::Record(_) | Self::Utf8(_) => EtalonStatus::Record,
            Self::Absent(_) => EtalonStatus::Absent,
            Self::Memory(_) => EtalonStatus::Memory,
            Self::Internal(_) => EtalonStatus::Internal,
        }
    }
}

fn of_problem(error: &ProblemError) -> EtalonStatus {
    match error {
        ProblemError::Length { .. } => EtalonStatus::Size,
        ProblemError::ImpossibleBound { .. } | ProblemError::CrossedBounds { .. } => {
            EtalonStatus::Bounds
        }
        ProblemError::Friction { .. } => EtalonStatus::Friction,
        ProblemError::NotFinite => EtalonStatus::NotFinite,
        _ => EtalonStatus::Internal,
    }
}

fn of_matrix(error: &MatrixError) -> EtalonStatus {
    match error {
        MatrixError::Outside { .. } | MatrixError::Duplicate { .. } => EtalonStatus::Entry,
        _ => EtalonStatus::Size,
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// The last error of this thread; it stays where it is until the next one.
pub(crate) fn last_error() -> *const c_char {
    // On a thread that is about to end there may be none left.
    let last = LAST.try_with(|last| last.borrow().as_ptr());
    last.unwrap_or(c"".as_ptr())
}

/// Runs `work`. What goes wrong, a panic included, becomes a status and the last error of this thread.
pub(crate) fn guarded(work: impl FnOnce() -> Result<(), Error>) -> EtalonStatus {
    // After a panic nothing of what `work` held is used again: outputs are written at its end only.
    let ended = catch_unwind(AssertUnwindSafe(work));
    let error = match ended {
        Ok(Ok(())) => return EtalonStatus::Ok,
        Ok(Err(error)) => error,
        Err(panic) => Error::Internal(words_of(&*panic)),
    };
    let text = c_text(&error.to_string());
    // A thread that is about to end keeps no message; the status tells.
    let _ = LAST.try_with(|last| *last.borrow_mut() = text);
    error.status()
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic").to_owned()
}

/// A text for C, without the NULs that would end it early.
pub(crate) fn c_text(text: &str) -> CString {
    let bytes: Vec<u8> = text.bytes().filter(|byte| *byte != 0).collect();
    // No NUL is left, so the other case does not occur.
    CString::new(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said() -> String {
        LAST.with(|last| last.borrow().to_string_lossy().into_owned())
    }

    #[test]
    fn a_panic_is_a_status() {
        let status = guarded(|| panic!("row {} is odd", 3));
        assert_eq!(status, EtalonStatus::Internal);
        assert!(said().ends_with("row 3 is odd"), "{}", said());
        assert_eq!(guarded(|| panic!("plain")), EtalonStatus::Internal);
        assert!(said().ends_with("plain"));
    }

    #[test]
    fn each_thread_has_its_own_last_error() {
        let fail = |what| guarded(|| Err(Error::Null(what)));
        assert_eq!(fail("here"), EtalonStatus::Pointer);
        let there = std::thread::spawn(move || {
            let before = said();
            guarded(|| Err(Error::Null("there")));
            (before, said())
        });
        assert_eq!(
            there.join().unwrap(),
            (String::new(), "there is NULL".to_owned())
        );
        assert_eq!(said(), "here is NULL");
        // Success leaves it as it is, as errno does.
        assert_eq!(guarded(|| Ok(())), EtalonStatus::Ok);
        assert_eq!(said(), "here is NULL");
    }

    #[test]
    fn a_nul_inside_does_not_cut_a_text() {
        assert_eq!(c_text("a\0b").as_c_str(), c"ab");
    }
}
