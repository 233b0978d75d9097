//! What can be proved of problems with friction cones: proposals for the kernel, which checks them.

mod enclose;
mod modes;
mod system;

pub use enclose::enclose;
