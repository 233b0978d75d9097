//! Where energy goes between events: the work of forces that have no potential.

/// Work, J: the integrals of powers, by the integrator of the motion.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Accounts {
    /// What pushes and thrusters did to the bodies.
    pub pushes: f64,
    /// What damping took.
    pub damping: f64,
    /// What friction between collisions took.
    pub friction: f64,
    /// What the other forces of contacts and joints took: they open gaps that are too small, and stop what still moves.
    pub contacts: f64,
}

impl Accounts {
    /// This plus `factor` times other accounts.
    #[must_use]
    pub fn plus(self, factor: f64, other: Self) -> Self {
        Self {
            pushes: self.pushes + factor * other.pushes,
            damping: self.damping + factor * other.damping,
            friction: self.friction + factor * other.friction,
            contacts: self.contacts + factor * other.contacts,
        }
    }
}
