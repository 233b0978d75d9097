//! Etalon: a standard that solvers of linear complementarity problems are checked against.
//!
//! The linear complementarity problem LCP(q, M) asks for z with w = Mz + q, z >= 0, w >= 0 and
//! z'w = 0; contact forces, market equilibria and quadratic programs are such problems. Solvers
//! of it say "solved" and are wrong more often than one would think. Etalon says what is right,
//! by exact arithmetic and with proof: a [`lcp::Claim`] goes in, a [`lcp::Verdict`] comes out.
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
//! | module | holds |
//! |---|---|
//! | [`lcp`] | the vocabulary: problems, claims, verdicts, certificates, exact numbers, records |
//! | [`certify`] | the trusted base: exact evaluation, the measures, every certificate |
//! | [`exact`] | reference solvers, and [`exact::decide()`] |
//! | [`fast`] | binary64 solvers that check their own answers |
//! | [`judge`] | the one judge: what a claim is worth |
//! | [`golden`] | reading and re-proving golden problems |
//! | [`conformance`] | generators of problems |
//! | [`methods`] | all methods by name |
//! | [`rigid`] | bodies, contacts, Jacobians, friction cones |
//! | [`contact_forces`] | contact forces and impulses at the acceleration level |
//! | [`planar`] | the rigid-body engine of the plane, with an exact watch |
//! | [`scenarios`] | named scenes of the literature |
//! | [`scenario_json`] | what came of a scene at rest, as JSON |
//! | [`scene_goldens`] | scenes with their forces, derived and re-checked |
//! | [`study`] | tables and plots of papers, made from runs |
//! | [`replay`] | a solver on the problems of a trajectory, and in closed loop |
//! | [`measure`] | clocks, medians, fits, performance profiles |
//! | [`outcome`] | judged answers as lines |
//! | [`heading`] | the first line of a file of verdicts |
//! | [`plot`] | plots as SVG |
//! | [`report`] | one page of all figures |
//! | [`examination`] | the solvers that goldens are held against |
//! | [`version`] | what this build is |
//!
//! This crate is also the binary `etalon`, whose commands are described by `etalon help`.
//!
//! Reading text never panics, whatever the text, and every error names its place. What a claim
//! asserts is never believed; what is trusted is `etalon-certify` and the integers of GMP below
//! it. Deciding a problem may take exponential time, so solvers take a [`exact::Budget`], and
//! running out of it is an answer of its own.

pub mod examination;
pub mod heading;
pub mod measure;
pub mod methods;
pub mod outcome;
pub mod plot;
pub mod replay;
pub mod report;
pub mod scenario_json;
pub mod scene_goldens;
pub mod study;
pub mod trajectories;
pub mod version;

pub use etalon_certify as certify;
pub use etalon_conformance as conformance;
pub use etalon_contact_forces as contact_forces;
pub use etalon_exact as exact;
pub use etalon_fast as fast;
pub use etalon_golden as golden;
pub use etalon_judge as judge;
pub use etalon_lcp as lcp;
pub use etalon_planar as planar;
pub use etalon_rigid as rigid;
pub use etalon_scenarios as scenarios;
pub use etalon_time_stepping as time_stepping;

/// The Rust code of README.md and of the book is compiled and run with the documentation tests.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/judge-your-solver.md")]
    struct JudgeYourSolver;
}
