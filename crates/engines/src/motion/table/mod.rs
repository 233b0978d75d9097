//! Motions in tables: CSV with a map that says which column is what.

mod build;
mod cell;
mod contacts;
mod csv;
mod joints;
mod map;
mod pose;
mod row;
mod shapes;
mod unasked;

pub use csv::MotionTable;
pub use map::{MOTION_MAP_FORMAT, MotionMap, read_motion_map};
pub use row::TableError;
pub use unasked::Unasked;
