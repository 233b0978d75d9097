//! What the benchmarks and the measuring commands share: problems, opponents, clocks, statistics,
//! tables and plots.

pub mod case;
pub mod elimination;
pub mod machine;
pub mod plot;
pub mod profile;
mod rational_lemke;
pub mod statistics;
pub mod table;
pub mod timing;

pub use rational_lemke::rational_lemke;
