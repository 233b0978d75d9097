//! Golden trajectories as films for the page.

mod film;
mod library;
mod shown;
#[cfg(test)]
mod tests;

pub use library::{GoldenError, Library};
