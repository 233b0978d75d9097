//! Bodies that approach each other: an impulse before forces are asked for.

use etalon_contact_forces::{ForceError, Impulse, StopSettings, normal_velocities, stop_approach};
use etalon_rigid::Model;
use rug::Rational;

use crate::instance::{Question, Setup};

/// A scene after the impulse that stops approaching bodies.
#[derive(Debug, Clone)]
pub struct Stopped {
    /// The scene with the new velocities.
    pub setup: Setup,
    /// Normal velocity of each contact before, m/s; negative where the bodies approach.
    pub before: Vec<Rational>,
    /// The impulse: frictionless, without restitution, on as many contacts as it takes.
    pub impulse: Impulse<Rational>,
}

impl Setup {
    /// Where contact forces are asked for and bodies approach: the scene after the impulse that
    /// stops them (Darwin2K), with constraints added until none is violated. `None` where nothing
    /// approaches.
    ///
    /// # Errors
    /// [`ForceError::Scene`]; [`ForceError::Contradiction`] where prescribed motions leave no such
    /// impulse.
    pub fn stopped(&self) -> Result<Option<Stopped>, ForceError> {
        let Question::Forces(_) = self.question else {
            return Ok(None);
        };
        let system = self.system()?;
        let before = normal_velocities(&system, &system.velocity);
        if before.iter().all(|v| *v >= 0) {
            return Ok(None);
        }
        let impulse = stop_approach(&system, &StopSettings::plain())?;
        Ok(Some(Stopped {
            setup: Setup {
                mechanics: self.mechanics.with_velocity(&impulse.velocity)?,
                question: self.question.clone(),
            },
            before,
            impulse,
        }))
    }
}
