//! The exact solvers, in one program, so that it is linked once.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod contacts;
mod methods;
mod no_contact;
mod solution_sets;
mod solved_rows;
mod traces;
