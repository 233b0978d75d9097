//! Golden trajectories as films for the page.

mod film;
mod flat;
mod library;
mod pieces;
mod spatial;
mod stage;
#[cfg(test)]
mod tests;

pub use library::{GoldenError, Library};
