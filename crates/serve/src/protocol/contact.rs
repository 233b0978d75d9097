//! One contact in space with friction: what the page asks of it, and what it is told.

use serde::{Deserialize, Serialize};

/// A contact u = M r + q whose rows are the normal and two tangents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskContact {
    /// M, row by row: velocity for force (or impulse).
    pub m: [[f64; 3]; 3],
    /// The velocity without force.
    pub q: [f64; 3],
    /// The coefficient of friction, 0 to 10.
    pub mu: f64,
    /// What ties force and velocity.
    #[serde(default)]
    pub law: ContactLaw,
    /// A force of the page's own, to be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r: Option<[f64; 3]>,
}

/// The law of friction: `docs/cones.md`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContactLaw {
    /// Coulomb's.
    #[default]
    Coulomb,
    /// The associated one.
    Convex,
}

/// The answers to a contact, each with its verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContactShown {
    /// What was asked.
    pub ask: AskContact,
    /// The answers that were found: there may be none, one or several.
    pub answers: Vec<AnswerShown>,
    /// The page's own force, if it sent one.
    pub own: Option<AnswerShown>,
}

/// A force with the velocity that it leaves, and the verdict on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerShown {
    /// `open`, `stick` or `slide`; none of a force of the page's own.
    pub mode: Option<String>,
    /// Whether a solution of that mode is proved to be at the force; not so where the mode is about to change.
    pub proved: bool,
    /// The force.
    pub r: [f64; 3],
    /// u = M r + q, rounded.
    pub u: [f64; 3],
    /// The exact verdict: `exact`, `accepted`, `rejected`.
    pub verdict: String,
    /// Whether it counts as right.
    pub accepted: bool,
    /// The block error, rounded up.
    pub error: Option<f64>,
    /// How far the force is outside of its cone, rounded up.
    pub negativity: Option<f64>,
    /// The judge's reason, for what was not accepted.
    pub reason: Option<String>,
}
