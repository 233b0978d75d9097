//! Steps of engines, judged, in one program, so that it is linked once.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod apart;
mod bounded;
mod common;
mod laws;
mod motion_joints;
mod problem;
mod record;
mod sets;
mod states;
