//! Steps in time, in one program, so that it is linked once.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bilateral;
mod common;
mod corner;
mod curved;
mod four_balls;
mod half_spaces;
mod implicit;
mod implicit_energy;
mod implicit_proof;
mod rod;
mod rod_truth;
mod solids;
mod superquadric;
mod superquadric_exponents;
mod wholes;
