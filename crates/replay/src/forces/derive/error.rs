//! Why there is no record.

use etalon_contact_forces::ForceError;

/// Why there is no record.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DeriveError {
    /// The scene has no problem.
    #[error(transparent)]
    Force(#[from] ForceError),
    /// The exact solvers gave up.
    #[error("no exact answer: {0}")]
    Undecided(String),
}
