//! Worlds in motion, each on a thread of its own.

mod beside;
mod complaints;
mod controls;
mod kept;
mod least_norm;
mod limits;
mod run;
mod stage;
mod thrusters;
mod watching;

use etalon_planar::CommandError;

use crate::protocol::{Complaint, ComplaintCode};

pub use run::{Simulation, Spawned};

/// The engine's result for a command.
fn refused(error: &CommandError) -> Complaint {
    let remedy = "change the number that the message names";
    Complaint::new(ComplaintCode::OutOfRange, None, error.to_string(), remedy)
}
