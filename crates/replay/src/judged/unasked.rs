//! Fields of trajectories that [`judge_motion`](super::judge_motion) holds against nothing: they say how a step came about, which its
//! states and impulses do not show. `etalon verify` takes steps of exact runs again, and compares all fields.

/// Of runs with coordinates of their own.
pub const COORDINATES: &[&str] = &[
    "solver",
    "grid_bits beyond that states are on it",
    "lcp.n",
    "lcp.pivots",
    "lcp.basis",
    "lcp.sha256",
    "problems",
    "iterations",
    "dampings",
];

/// Of Egan and Trinkle's steps.
pub const CORNERS: &[&str] = &[
    "solver",
    "grid_bits beyond that states are on it",
    "lcp.n",
    "lcp.pivots",
    "lcp.basis",
    "lcp.sha256",
    "entry of what does not push",
    "family beyond the impulses of the line",
    "pieces beyond their places in family",
];

/// Of bodies in space.
pub const SPACE: &[&str] = &[
    "solver",
    "grid_bits beyond that states are on it",
    "lcp.n",
    "lcp.pivots",
    "lcp.basis",
    "lcp.sha256",
    "verdict",
    "compression.lcp",
    "compression.verdict",
    "joints[].redundant of rows without an impulse",
];

/// Of implicit surfaces.
pub const SURFACES: &[&str] = &[
    "solver",
    "grid_bits beyond that states are on it",
    "lcp.n",
    "lcp.pivots",
    "lcp.basis",
    "lcp.sha256",
    "contacts[].mode",
    "dissipation but for its sum",
    "flight_gain",
    "gains but for its names",
    "verified",
    "problems",
    "iterations",
    "dampings",
];

/// Of the planar engine.
pub const WORLD: &[&str] = &[
    "scenario",
    "parameters",
    "scheme",
    "solver",
    "h",
    "coordinates",
    "start.q",
    "start.v",
    "start.energy.potential",
    "t",
    "q",
    "v but for the kinetic energy",
    "contacts[].pair",
    "contacts[].force",
    "contacts[].friction",
    "contacts[].point",
    "contacts[].direction",
    "contacts[].joint",
    "lcp",
    "collisions",
    "jams",
    "seed",
];
