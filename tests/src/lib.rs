//! What the workspace's tests share: the golden problems, the checker's independent twin, the checker
//! of the mixed form, the sources as text, and work on all cores.
//!
//! The promises themselves are in `tests/tests/`.

pub mod cores;
pub mod goldens;
pub mod mixed_form;
pub mod sources;
pub mod twin;
