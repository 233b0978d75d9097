//! What measuring commands and reports share: clocks, the machine, medians, fits, profiles, and how
//! figures are written.

pub mod figures;
pub mod machine;
pub mod profile;
pub mod statistics;
pub mod timing;
