//! The fast solvers, in one program, so that it is linked once.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bases;
mod cones;
mod easy;
mod extremes;
#[path = "../families/mod.rs"]
mod families;
mod goldens;
mod graphs;
mod joints;
mod owned;
mod paths;
mod promises;
mod proofs;
mod rest;
mod time;
mod walls;
mod warm;
