//! What the workspace's tests share: the oracle's independent twin.
//!
//! The promises themselves are in `tests/tests/`.

pub mod twin;
