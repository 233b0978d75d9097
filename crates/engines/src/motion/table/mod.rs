//! Motions in tables: CSV with a map that says which column is what.

mod build;
mod cell;
mod csv;
mod map;
mod row;

pub use csv::MotionTable;
pub use map::{MOTION_MAP_FORMAT, MotionMap, read_motion_map};
pub use row::TableError;
