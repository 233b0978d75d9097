//! Scenarios, in one program, so that it is linked once.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod another;
mod closed_forms;
mod corner_files;
mod corner_solutions;
mod evaluated_files;
mod first_order_plane;
mod golden_problems;
mod held_out;
mod hole;
mod implicit;
mod implicit_exponents;
mod implicit_files;
mod implicit_impacts;
mod implicit_refused;
mod joints_at_rest;
mod laws;
mod mechanisms;
mod motion;
mod published;
mod registry;
mod silhouettes;
mod space;
mod strikes;
mod travel_at_rest;
mod whole_pairs;
mod worlds;
