//! The planar engine, in one program, so that it is linked once.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod chains;
mod commands;
mod common;
mod edges;
mod engine2d;
mod forces;
mod friction;
mod impulses;
mod instead;
mod paths;
mod rest;
mod sources;
mod starts;
mod sweep;
mod tabulated;
mod units;
