//! Golden problems: read them, re-prove their statements, derive their derived fields.
//!
//! A golden is a problem record with its truth and the proof in the field `expect`. Its
//! `digest` catches a corrupted digit, also one that does not change the truth. [`read`] finds the records
//! below files and folders, [`reprove`] re-checks one from nothing and judges solvers on it, and
//! [`derive()`] fills in the derived fields. A [`Manifest`] lists all records of a
//! folder, so that a lost one is noticed.
//!
//! Golden scenes ([`forces`], `etalon-forces/1`) and trajectories ([`trajectory`], `etalon-trajectory/1`) are
//! read and written here, as data; they are derived and re-checked by `etalon-replay`.
//!
//! ```
//! use etalon_judge::Judge;
//! use etalon_golden::reprove;
//! use etalon_lcp::record;
//!
//! let line = r#"{"name": "p", "M": [[2]], "q": [-3],
//!     "expect": {"status": "solvable", "solutions": [["3/2"]], "unique": null}}"#;
//! let problem = record::read_problem(line)?.record;
//! let report = reprove(&problem, &[], &Judge::default());
//! assert!(report.findings.is_empty());
//! # Ok::<(), etalon_lcp::record::RecordError>(())
//! ```
//!
//! Reports are data; printing them is the command line's business. Nothing here panics on any
//! input.

mod agreement;
mod derive;
mod digest;
mod distinct;
mod error;
pub mod files;
pub mod forces;
mod format;
mod manifest;
mod named;
mod names;
mod open;
mod origin;
mod perturbed;
mod place;
mod read;
mod recipes;
mod report;
mod reprove;
pub mod trajectory;

pub use agreement::kernel_line;
pub use derive::{Contradiction, Decided, derive};
pub use distinct::distinct_value;
pub use error::ReadError;
pub use manifest::{Difference, MANIFEST, Manifest, ManifestError, ManifestPlace, manifest_place};
pub use named::{find_problem, problem_names};
pub use names::{DuplicateName, Names};
pub use open::{checked_texts, open, open_texts, read_trajectory};
pub use origin::Origin;
pub use place::{
    FoundFiles, Suite, record_files, scene_files, steps_of, suite_of, trajectory_files, verdicts_of,
};
pub use read::{Golden, GoldenRecords, GoldenText, GoldenTexts, first_difference, layout, read};
pub use recipes::TRAJECTORY_RECIPE;
pub use report::{Finding, Part, ProblemReport, SolverOutcome, SolverReport};
pub use reprove::{Assignment, Duty, reprove};
pub use trajectory::{Trajectory, TrajectoryError};
