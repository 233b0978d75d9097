//! Index sets with the circular cone.
//!
//! In space the friction of a contact is a vector, and its bound a circle: a contact that sticks leaves
//! it where a quadratic equation says so, and one that slips follows the acceleration round it. Neither
//! the places where sets change nor the forces there are fractions. So the path is followed in binary64,
//! with a quadratic equation for each step of maxstep and Newton's method where friction turns, and
//! what it ends in is proved: see [`Formulation::prove_coulomb`]. A path may end in nothing, and then
//! says why; what is returned satisfies Coulomb's law.

mod drive;
mod path;
mod simultaneous;

use rug::Rational;

use super::{Order, StaticFailure, Work, limit};
use crate::coulomb::Coulomb;
use crate::error::ForceError;
use crate::formulation::{Formulation, FrictionModel};

/// A run of index sets with the circular cone.
#[derive(Debug, Clone, PartialEq)]
pub struct CircleRun {
    /// Forces that satisfy Coulomb's law, with proof, or why there are none.
    pub outcome: Result<Coulomb, StaticFailure>,
    /// The work of the run.
    pub work: Work,
}

impl Formulation<Rational> {
    /// Finds contact forces with static friction in the circular cone by index sets, and proves them.
    ///
    /// # Errors
    /// [`ForceError::NotRows`] for a polyhedral formulation, [`ForceError::Holds`] where a drive holds its speed, [`ForceError::Scene`] where rounding to
    /// binary64 leaves no system.
    pub fn static_friction_in_circle(&self, order: Order) -> Result<CircleRun, ForceError> {
        if matches!(self.model(), FrictionModel::Polyhedral(_)) {
            return Err(ForceError::NotRows);
        }
        self.without_drives()?;
        let rounded = Formulation::new(self.system().rounded()?, FrictionModel::Rows)?;
        let mut work = Work::default();
        let most = limit(self.n());
        let found = match order {
            Order::OneAtATime => drive::run(&rounded, most, &mut work),
            Order::Simultaneous => simultaneous::run(&rounded, most, &mut work),
        };
        let outcome = match found {
            Ok(f) => self.prove_coulomb(&f)?.ok_or(StaticFailure::Unproved),
            Err(failure) => Err(failure),
        };
        Ok(CircleRun { outcome, work })
    }
}
