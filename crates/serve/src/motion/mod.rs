//! Motions of bodies in space for the page: computed step by step, or recorded ones taken again, each step held against
//! the laws.

mod cast;
mod corners;
mod frame;
mod numbers;
mod play;
mod source;
#[cfg(test)]
mod tests;

pub use play::Motions;
