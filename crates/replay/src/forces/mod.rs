//! Golden scenes: the record `etalon-forces/1`, derived from a scene and re-checked from itself.
//!
//! [`etalon_golden::forces`] says what a record holds. [`derive()`] makes one, [`recheck()`] believes nothing
//! of it: the two share the laws of [`etalon_contact_forces`] and how a record writes a result, and no
//! decision. Where records are small, deriving one anew must change nothing exact in it.

mod again;
mod data;
mod derive;
mod problem;
mod recheck;
mod travel;

pub use again::{derive, is_sound, recheck};
pub use derive::DeriveError;
pub use problem::problem;

#[cfg(test)]
mod tests;
