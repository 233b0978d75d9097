//! What the benchmarks and the measuring commands share: problems, opponents, clocks, statistics
//! and tables.

pub mod atlas;
pub mod case;
pub mod elimination;
mod rational_lemke;
pub mod splitmix;
pub mod table;

pub use etalon_evidence::measure::{machine, profile, statistics, timing};
pub use rational_lemke::rational_lemke;
