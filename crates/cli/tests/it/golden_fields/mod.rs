//! Whatever a golden says is checked by `verify`, or named here as commentary, with the reason.
//!
//! Each field and each value of a golden of each kind is changed in turn, the digest made to fit. The manifest, which
//! notices every change of a file, plays no part: what counts is what a record proves by itself.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod edits;
mod problems;
mod scenes;
mod steps;
mod trajectories;
