//! Evidence about solvers: the measurements of the command line and the benches, and their presentation.
//!
//! | module | holds |
//! |---|---|
//! | [`measure`] | clocks, medians, fits, performance profiles |
//! | [`outcome`] | judged answers as lines |
//! | [`heading`] | the first line of a file of verdicts |
//! | [`ink`] | the colours, dashes and arrows of plots and pictures |
//! | [`picture`] | runs of the engine as SVG: bodies at several times, energies |
//! | [`plot`] | plots as SVG |
//! | [`study`] | tables and plots of papers, made from runs |
//! | [`table`] | tables as Markdown |
//! | [`report`] | one page of all figures |
//!
//! This crate decides no verdict: all verdicts that it shows come from `etalon-judge`.

pub mod heading;
pub mod ink;
pub mod measure;
pub mod outcome;
pub mod picture;
pub mod plot;
pub mod report;
pub mod study;
pub mod table;
