//! The C interface of Etalon: checking and solving linear complementarity problems, exactly, from C, C++ and
//! everything that can call C. Users read `include/etalon.h` and `docs/c.md`; this page is for those who change it.
//!
//! **How it is cut.** `ffi` alone touches pointers: every exported function turns them into references and
//! slices, calls a safe function of another module, and hands the result out. All of it runs inside
//! `status::guarded`, so that an error becomes an [`EtalonStatus`] with a message for
//! [`etalon_last_error`], and a panic too: nothing unwinds into C.
//!
//! **What is promised.** A null or misaligned pointer, NaN and infinities where there must be none, sizes
//! beyond the limits, crossed bounds, unknown methods and unreadable records are errors with a status of
//! their own. What nobody can check: that an array is as long as its size says, that a string ends,
//! and that a handle was not freed before. Memory that the system refuses to GMP ends the process.
//!
//! **Compatibility.** Structs are made by the library and only read (or, for [`EtalonOptions`], set) by the caller,
//! so fields can be appended. [`ETALON_ABI_VERSION`] goes up with every change that is no such addition.

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
