//! The JSON Schemas (draft 2020-12) of the records, as published in this folder.

/// Of problem records.
pub const PROBLEM: &str = include_str!("problem.schema.json");
/// Of claim records.
pub const CLAIM: &str = include_str!("claim.schema.json");
/// Of verdict records.
pub const VERDICT: &str = include_str!("verdict.schema.json");
/// Of the lines of trajectories.
pub const TRAJECTORY: &str = include_str!("trajectory.schema.json");
