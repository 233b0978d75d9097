//! The errors that prevent a contact force problem.

use etalon_lcp::ProblemError;
use etalon_rigid::SceneError;

/// Why there is no contact force problem, or no reading of an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForceError {
    /// The scene makes no system.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A contact whose bodies approach each other: an impulse must come first.
    #[error(
        "contact {contact:?}: the bodies approach at {velocity}; forces cannot stop them, an impulse must"
    )]
    Approaching {
        /// The contact.
        contact: String,
        /// Its normal velocity, negative.
        velocity: String,
    },
    /// A coefficient of restitution outside of 0 <= e <= 1: above 1 every impact would gain energy.
    #[error(
        "the coefficient of restitution is {restitution}, but must be at least 0 and at most 1: bodies do not leave faster than they came"
    )]
    Restitution {
        /// The coefficient.
        restitution: String,
    },
    /// Data that make no problem, such as infinities that arose by overflow.
    #[error("{0}")]
    Problem(String),
    /// Velocities asked for that no impulse can bring about: prescribed motions, or restitution at
    /// redundant contacts.
    #[error(
        "no impulse brings about all velocities asked for: prescribed motions or restitution contradict each other"
    )]
    Contradiction,
    /// An answer of another length than the problem.
    #[error("the answer has {length} values, but the problem has {n} rows")]
    Length {
        /// Its length.
        length: usize,
        /// Rows.
        n: usize,
    },
    /// A method that is for index sets of normal and tangential rows only.
    #[error("index sets need the friction model of rows: one tangential row a tangent")]
    NotRows,
    /// A method that has no set for a force between two bounds.
    #[error(
        "{drive} holds its speed by a force between two bounds, for which Baraff's drive to zero and index sets have no place; leave the order out, or give the drive another speed, at which it pushes with its bound"
    )]
    Holds {
        /// The drive.
        drive: String,
    },
    /// A complementarity problem asked for of static friction in the circular cone.
    #[error(
        "no complementarity problem states static friction in the circular cone; a pyramid in its place has one"
    )]
    Circular,
}

impl From<ProblemError> for ForceError {
    fn from(error: ProblemError) -> Self {
        Self::Problem(error.to_string())
    }
}
