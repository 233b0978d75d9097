//! Contact forces, in one program, so that it is linked once.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;
mod cone;
mod mechanisms;
mod ordered;
mod properties;
mod space;
mod space_sweep;
mod static_sets;
mod sweep;
mod trees;
