//! Golden trajectories as films for the page.

mod film;
mod library;
mod shown;
mod space;
#[cfg(test)]
mod tests;

pub use library::{GoldenError, Library};
pub use space::instance;
