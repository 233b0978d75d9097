//! What the workspace's tests share: the golden problems, the oracle's independent twin, and the checker
//! of the mixed form.
//!
//! The promises themselves are in `tests/tests/`.

pub mod goldens;
pub mod mixed_form;
pub mod twin;
