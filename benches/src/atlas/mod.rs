//! The atlas: every linear complementarity problem of a small integer grid, answered twice.
//!
//! [`cramer`] answers in plain integers from determinants; [`exact`] asks the solvers of
//! `etalon-exact`. They share no line of code, and [`survey`] compares what they say of each problem:
//! all solutions, the outcome and the pivots of Lemke's method. `docs/atlas.md` is the page.

pub mod cramer;
pub mod exact;
pub mod grid;
pub mod statements;
pub mod survey;
pub mod tally;
