//! Evidence about solvers: what the command line and the benches measure, and how it is shown.
//!
//! | module | holds |
//! |---|---|
//! | [`measure`] | clocks, medians, fits, performance profiles |
//! | [`outcome`] | judged answers as lines |
//! | [`heading`] | the first line of a file of verdicts |
//! | [`picture`] | runs of the engine as SVG: bodies at several times, energies |
//! | [`plot`] | plots as SVG |
//! | [`study`] | tables and plots of papers, made from runs |
//! | [`table`] | tables as Markdown |
//! | [`report`] | one page of all figures |
//!
//! Nothing here decides a verdict: what an answer is worth is said by `etalon-judge`, and what is
//! shown here comes from its judgements.

pub mod heading;
pub mod measure;
pub mod outcome;
pub mod picture;
pub mod plot;
pub mod report;
pub mod study;
pub mod table;
