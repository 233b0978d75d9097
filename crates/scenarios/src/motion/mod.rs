//! Scenes in motion: a trajectory for each choice of values.
//!
//! ```
//! use etalon_exact::{Budget, ExactMethod};
//! use etalon_scenarios::find;
//! use etalon_scenarios::motion::Arithmetics;
//!
//! let slide = find("incline")?.motion_instance([("mu", "1/2")])?;
//! let solver = ExactMethod::Lemke.solver(&Budget::default());
//! let mut trajectory = slide.trajectory(Arithmetics::Exact, &*solver, None)?;
//! let mut q = trajectory.header().start.q;
//! while trajectory.k() < trajectory.steps() {
//!     q = trajectory.advance()?.q;
//! }
//! assert_eq!(q[0].to_string(), "-2409/15625");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod balls;
pub(crate) mod columns;
mod cornered;
pub(crate) mod corners;
pub(crate) mod elastic;
mod formed;
mod implicit;
mod lawful;
mod mechanics;
mod moving;
pub(crate) mod particles;
mod plane;
pub(crate) mod record;
pub(crate) mod recorded;
pub(crate) mod rods;
mod run;
pub(crate) mod scene;
pub(crate) mod shoved;
pub(crate) mod slabs;
mod solids;
mod starts;
pub(crate) mod surfaces;
mod touching;
pub mod tree;
pub(crate) mod turning;
#[cfg(test)]
mod view_tests;
pub(crate) mod wheels;
pub(crate) mod wholes;

use etalon_spatial::SpatialError;
use etalon_time_stepping::StepError;
use rug::Rational;

use crate::parameter::{Parameter, Values};
use crate::view::View;
pub use lawful::{
    ExactRow, LawfulContact, LawfulStep, LawfulTurn, MotionLaws, RecordedContact, RecordedState,
};
pub use mechanics::{
    BoundedRow, ContactMechanics, ForceRow, FrictionMechanics, SparseRow, StepMechanics,
};
pub use recorded::StepRecord;
pub use run::{Arithmetics, MotionRun};
use scene::Builder;
pub use touching::Touching;

/// A scene by time steps, for each choice of values.
#[derive(Debug, Clone, Copy)]
pub struct InMotion {
    /// What it shows, in one sentence.
    pub description: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What can be set.
    pub parameters: &'static [Parameter],
    pub(crate) builder: Builder,
    pub(crate) view: fn(&Values) -> Result<Vec<View>, StepError>,
}

/// A scene in motion with a value for each parameter.
#[derive(Debug, Clone)]
pub struct MotionInstance {
    /// The scenario's name.
    pub scenario: &'static str,
    /// What is said of the scene.
    pub part: InMotion,
    /// The values.
    pub values: Values,
}

/// Why a trajectory ends early, or does not begin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MotionError {
    /// The values make no scene.
    #[error("{scenario}: {source}")]
    Scene {
        /// The scenario.
        scenario: String,
        /// Why.
        source: StepError,
    },
    /// A step cannot be taken.
    #[error("{scenario}, step {step}: {source}")]
    Step {
        /// The scenario.
        scenario: String,
        /// The number of the step.
        step: u64,
        /// Why.
        source: StepError,
    },
    /// A scene in space that cannot move.
    #[error("{scenario}: {source}")]
    Space {
        /// The scenario.
        scenario: String,
        /// Why.
        source: Box<SpatialError>,
    },
    /// A step in space that cannot be taken.
    #[error("{scenario}, step {step}: {source}")]
    SpaceStep {
        /// The scenario.
        scenario: String,
        /// The number of the step.
        step: u64,
        /// Why.
        source: Box<SpatialError>,
    },
    /// A motion in space, which has laws of its own.
    #[error("a motion in space is held against the laws by its own oracle; `etalon verify` does")]
    InSpace,
    /// A line of a trajectory that is none of this scene.
    #[error("the trajectory does not go on from here: {0}")]
    Resume(String),
}

/// The parameters that say how long a run is; a scene has one of them.
pub const LENGTH: [&str; 2] = ["steps", "duration"];

impl MotionInstance {
    /// How the scene looks, from one side or from two.
    ///
    /// # Errors
    /// [`MotionError::Scene`].
    pub fn views(&self) -> Result<Vec<View>, MotionError> {
        (self.part.view)(&self.values).map_err(|source| MotionError::Scene {
            scenario: self.scenario.to_owned(),
            source,
        })
    }

    /// The views that pictures are drawn of: those of the scene, and silhouettes of bodies in space, which have none.
    ///
    /// # Errors
    /// [`MotionError::Scene`].
    pub fn drawn_views(&self) -> Result<Vec<View>, MotionError> {
        let own = self.views()?;
        match self.moving().filter(|_| own.is_empty()) {
            Some(scene) => Ok(scene.views()),
            None => Ok(own),
        }
    }

    /// The same scene with another number of steps, in the parameter that says it.
    fn of_steps(&self, steps: u64) -> Self {
        let mut own = self.clone();
        own.values.set("steps", Rational::from(steps));
        let duration = self.values.get("h") * steps;
        own.values.set("duration", duration);
        own
    }
}
