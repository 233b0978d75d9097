//! Etalon: a standard that solvers of linear complementarity problems are checked against.
//!
//! The linear complementarity problem LCP(q, M) asks for z with w = Mz + q, z >= 0, w >= 0 and
//! z'w = 0. Contact forces, market equilibria and quadratic programs are such problems. Some solvers
//! answer "solved" where they are wrong. Etalon gives a [`lcp::Verdict`] on a solver's [`lcp::Claim`] in exact
//! arithmetic, with proof and with the right answer.
//!
//! ```
//! use etalon::judge::Judge;
//! use etalon::lcp::{VerdictKind, record};
//!
//! let problem = r#"{"name": "tie", "M": [[1.5859375, 1], [1, 1]], "q": [-0.75, -0.75]}"#;
//! let problem = record::read_problem(problem)?.record;
//! let claim = record::read_claim(r#"{"name": "tie", "status": "solved", "z": [0, 0]}"#)?.record;
//! let judgement = Judge::default().verdict(&problem, &claim);
//! assert_eq!(judgement.verdict.kind, VerdictKind::Rejected);
//! assert_eq!(format!("{:?}", judgement.solution.unwrap()), "[0, 3/4]"); // what is right
//! # Ok::<(), etalon::lcp::record::RecordError>(())
//! ```
//!
//! | module | holds | feature |
//! |---|---|---|
//! | [`lcp`] | the vocabulary: problems, claims, verdicts, certificates, exact numbers, records | |
//! | [`kernel`] | the trusted base: certificates checked in exact arithmetic | |
//! | [`certify`] | exact evaluation, the measures, what follows from certificates | |
//! | [`exact`] | reference solvers, and [`exact::decide()`] | |
//! | [`judge`] | the one judge: the verdict on a claim | |
//! | [`golden`] | reading and re-proving golden problems | |
//! | [`version`] | the version and revision of this build | |
//! | `rigid` | bodies, contacts, Jacobians, friction cones | `scenes` |
//! | `contact_forces` | contact forces and impulses at the acceleration level | `scenes` |
//! | `time_stepping` | steps in time as complementarity problems | `scenes` |
//! | `scenarios` | named scenes of the literature | `scenes` |
//! | `fast` | binary64 solvers that check their own answers | `fast` |
//! | `methods` | all methods by name | `fast` |
//! | `conformance` | a kit for one's own `cargo test`, generated problems, fuzzing, shrinking | `kit` |
//! | `planar` | the rigid-body engine of the plane, with an exact watch | `planar` |
//! | `replay` | stored scenes and trajectories derived anew, and solvers tested on their problems | `replay` |
//!
//! No feature is on by default: judging needs none, and each feature adds packages to the build. `full` is all of
//! them.
//!
//! The command `etalon` is the crate `etalon-cli`.
//!
//! Reading text never panics, whatever the text, and every error names its place. No statement of a claim is
//! believed without a check. The trusted code is [`kernel`], [`certify`] and the
//! integers of GMP below them. A decision may take exponential time, so solvers take a [`exact::Budget`], and
//! an exceeded budget is an answer of its own.

pub mod version;

pub use etalon_certify as certify;
#[cfg(feature = "kit")]
pub use etalon_conformance as conformance;
#[cfg(feature = "scenes")]
pub use etalon_contact_forces as contact_forces;
#[cfg(feature = "engines")]
pub use etalon_engines as engines;
pub use etalon_exact as exact;
#[cfg(feature = "fast")]
pub use etalon_fast as fast;
pub use etalon_golden as golden;
pub use etalon_judge as judge;
pub use etalon_kernel as kernel;
pub use etalon_lcp as lcp;
#[cfg(feature = "fast")]
pub use etalon_methods as methods;
#[cfg(feature = "planar")]
pub use etalon_planar as planar;
#[cfg(feature = "replay")]
pub use etalon_replay as replay;
#[cfg(feature = "scenes")]
pub use etalon_rigid as rigid;
#[cfg(feature = "scenes")]
pub use etalon_scenarios as scenarios;
#[cfg(feature = "scenes")]
pub use etalon_time_stepping as time_stepping;

/// The Rust code of README.md and of the book is compiled and run with the documentation tests.
#[cfg(all(doctest, feature = "full"))]
mod documents {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/judge-your-solver.md")]
    struct JudgeYourSolver;
}
