//! What the workspace's tests share: the golden problems, and the oracle's independent twin.
//!
//! The promises themselves are in `tests/tests/`.

pub mod goldens;
pub mod twin;
