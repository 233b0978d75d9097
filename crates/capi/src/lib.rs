//! The C interface of Etalon: exact checking and solving of linear complementarity problems from C, C++ and
//! all languages that can call C. Users read `include/etalon.h` and `docs/c.md`; this page is for changes of the crate.
//!
//! **Structure.** `ffi` alone touches pointers: every exported function turns them into references and
//! slices, calls a safe function of another module, and hands the result out. All of it runs inside
//! `status::guarded`, so that an error becomes an [`EtalonStatus`] with a message for
//! [`etalon_last_error`], and a panic too: nothing unwinds into C.
//!
//! **Promised.** These are errors with a status of their own: a null or misaligned pointer, NaN and infinities
//! where there must be none, sizes beyond the limits, crossed bounds, unknown methods and unreadable
//! records. The library cannot check that an array is as long as its size says, that a string ends,
//! and that a handle was not freed before. Memory that the system refuses to GMP ends the process.
//!
//! **Compatibility.** Structs are made by the library and only read (or, for [`EtalonOptions`], set) by the caller,
//! so fields can be appended. Every other change raises [`ETALON_ABI_VERSION`].

mod answer;
mod ffi;
mod options;
mod problem;
mod status;
mod verdict;

pub use answer::{EtalonAnswer, EtalonAnswerKind};
pub use ffi::*;
pub use options::EtalonOptions;
pub use problem::{EtalonFriction, EtalonProblem};
pub use status::EtalonStatus;
pub use verdict::{EtalonTruth, EtalonUnique, EtalonVerdict, EtalonVerdictKind};
