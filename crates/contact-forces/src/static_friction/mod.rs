//! Static friction by index sets (Baraff 1994, section 5), contact by contact or all at once.
//!
//! Baraff could not prove that his method ends, and it does not always: with friction the path of
//! forces may turn back. So a run that cannot continue is data, [`StaticFailure`], with its steps.
//! Where a run ends, several answers may be right: [`Formulation::consistency`] lists them all.
//! His conjecture, that there is a solution, is true in the plane and for polyhedral cones as
//! long as nothing moves. The matrix of [`FrictionModel::Polyhedral`] is copositive. b is in the
//! range of J M^-1, so it is orthogonal to every f with J'f = 0. By CPS theorem 3.8.6 there is a
//! solution, and Lemke's method finds one.
//!
//! The two orders:
//!
//! * [`Order::OneAtATime`], Baraff's: the normal force of a contact is raised until its
//!   acceleration is zero, then its friction force until it does not slip or slips at its limit;
//!   then the next contact.
//! * [`Order::Simultaneous`], after Darwin2K, whose author found that in space friction forces
//!   found one at a time may oppose each other instead of the load: all contacts are clamped at
//!   once, one linear system is solved, and whatever breaks its condition changes its set.

mod circle;
mod drive;
mod exchange;
mod sets;
mod simultaneous;

use etalon_rigid::Scalar;

pub use circle::CircleRun;

use crate::error::ForceError;
use crate::forces::Forces;
use crate::formulation::{Formulation, FrictionModel};
use crate::path::DriveEvent;

/// In which order forces are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Contact by contact (Baraff).
    #[default]
    OneAtATime,
    /// All at once (after Darwin2K).
    Simultaneous,
}

/// The values of the problem's variables and the forces, or why there are none.
pub type StaticOutcome<S> = Result<(Vec<S>, Forces<S>), StaticFailure>;

/// A run of index sets.
#[derive(Debug, Clone, PartialEq)]
pub struct StaticRun<S> {
    /// The values of the problem's variables and the forces, or why there are none.
    pub outcome: StaticOutcome<S>,
    /// The work of the run.
    pub work: Work,
}

/// Counts of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// Linear systems solved.
    pub steps: u64,
    /// Steps of length zero.
    pub degenerate: u64,
    /// Steps in which the driven acceleration went away from zero: only friction does that.
    pub away: u64,
}

/// Why a run could not go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StaticFailure {
    /// Nothing stops the driven force.
    #[error("the force of row {row} grows for ever")]
    Unbounded {
        /// The driven row.
        row: usize,
    },
    /// The clamped block is singular, and no forces keep the clamped accelerations at zero.
    #[error("no change of forces keeps the accelerations of the clamped rows at zero")]
    Singular,
    /// Index sets came up again within a drive. Given the sets, the point depends linearly on the
    /// driven force, which never falls; so they can only come again at the same point, where the
    /// path turns back: to follow it, the driven force would have to fall.
    #[error("the index sets repeat after {steps} steps")]
    Cycle {
        /// Steps so far.
        steps: u64,
    },
    /// The path of forces turns back where friction turns with the acceleration: to follow it, what is
    /// driven would have to go back.
    #[error("the path of forces turns back after {steps} steps")]
    Back {
        /// Steps so far.
        steps: u64,
    },
    /// A path in the circular cone came to its end, but no forces near by were proved.
    #[error("no forces are proved near those that the path ends in")]
    Unproved,
    /// Too many steps.
    #[error("no end after {steps} steps")]
    Limit {
        /// The limit.
        steps: u64,
    },
    /// Rounding has led the drive astray: its forces break the conditions by more than rounding
    /// would explain. Never seen, nor possible, in exact arithmetic.
    #[error("rounding has led to forces that break the conditions at {contacts} places")]
    Astray {
        /// How many conditions are broken.
        contacts: usize,
    },
}

/// The largest number of steps of a run: far above what any run of n rows was seen to take.
fn limit(n: usize) -> u64 {
    100 + 20 * n as u64
}

/// A drive of rows in an order: its outcome with the forces checked, its trace, and where it goes on for ever the direction.
pub(crate) type InOrder<S> = (StaticRun<S>, Vec<DriveEvent<S>>, Option<Vec<S>>);

/// Drives rows in an order, with friction of both kinds.
pub(crate) fn in_order<S: Scalar>(
    formulation: &Formulation<S>,
    order: &[usize],
) -> Result<InOrder<S>, ForceError> {
    let ran = drive::run_in(formulation, order);
    let outcome = formulation.checked(ran.outcome)?;
    let run = StaticRun {
        outcome,
        work: ran.work,
    };
    Ok((run, ran.trace, ran.direction))
}

impl<S: Scalar> Formulation<S> {
    /// Finds contact forces with static friction by index sets. In space each tangent has limits
    /// of its own (a box, a pyramid of 4 sides around the circle), and that is what the forces satisfy;
    /// for the circular cone see [`Formulation::static_friction_in_circle`].
    ///
    /// # Errors
    /// [`ForceError::NotRows`] for a polyhedral formulation, [`ForceError::Circular`] where the circular
    /// cone is asked for, [`ForceError::Holds`] where a drive holds its speed.
    pub fn static_friction(&self, order: Order) -> Result<StaticRun<S>, ForceError> {
        if matches!(self.model(), FrictionModel::Polyhedral(_)) {
            return Err(ForceError::NotRows);
        }
        if self.is_circular() {
            return Err(ForceError::Circular);
        }
        self.without_drives()?;
        let (outcome, work) = match order {
            Order::OneAtATime => drive::run(self),
            Order::Simultaneous => simultaneous::run(self),
        };
        let outcome = self.checked(outcome)?;
        Ok(StaticRun { outcome, work })
    }

    /// Forces that satisfy their law, or that they do not.
    fn checked(
        &self,
        found: Result<Vec<S>, StaticFailure>,
    ) -> Result<StaticOutcome<S>, ForceError> {
        let f = match found {
            Ok(f) => f,
            Err(failure) => return Ok(Err(failure)),
        };
        let forces = self.forces(&f)?;
        Ok(match forces.violations_of(self.law()).len() {
            0 => Ok((f, forces)),
            contacts => Err(StaticFailure::Astray { contacts }),
        })
    }
}
