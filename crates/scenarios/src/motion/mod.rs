//! Scenes in motion: a name, parameters, and a trajectory for each choice of values.
//!
//! ```
//! use etalon_exact::{Budget, Method};
//! use etalon_scenarios::motion::{Arithmetics, find_motion};
//!
//! let slide = find_motion("incline")?.instance([("mu", "1/2")])?;
//! let solver = Method::Lemke.solver(&Budget::default());
//! let mut trajectory = slide.trajectory(Arithmetics::Exact, &*solver, None)?;
//! let mut q = trajectory.header().start.q;
//! while trajectory.k() < trajectory.steps() {
//!     q = trajectory.advance()?.q;
//! }
//! assert_eq!(q[0].to_string(), "-2409/15625");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod balls;
mod bodies;
mod cornered;
mod corners;
mod elastic;
mod implicit;
mod particles;
mod record;
mod recorded;
mod run;
mod scene;
mod surfaces;

use etalon_time_stepping::StepError;
use rug::Rational;

use crate::registry::{Parameter, ScenarioError, Values};
pub use recorded::StepRecord;
pub use run::{Arithmetics, Trajectory};
use scene::Builder;

/// A named scene in motion.
#[derive(Debug, Clone, Copy)]
pub struct MotionScenario {
    /// The name, unique among scenes in motion.
    pub name: &'static str,
    /// What it shows, in one sentence.
    pub description: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What can be set.
    pub parameters: &'static [Parameter],
    pub(crate) builder: Builder,
}

/// A scene in motion with a value for each parameter.
#[derive(Debug, Clone)]
pub struct MotionInstance {
    /// The scenario.
    pub scenario: MotionScenario,
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
        scenario: &'static str,
        /// Why.
        source: StepError,
    },
    /// A step cannot be taken.
    #[error("{scenario}, step {step}: {source}")]
    Step {
        /// The scenario.
        scenario: &'static str,
        /// The number of the step.
        step: u64,
        /// Why.
        source: StepError,
    },
    /// A line of a trajectory that is none of this scene.
    #[error("the trajectory does not go on from here: {0}")]
    Resume(String),
}

impl MotionScenario {
    /// The scene for the values given as text (exact: `1/3`, `0.1`, `2e-3`), defaults elsewhere.
    ///
    /// # Errors
    /// [`ScenarioError`] for unknown parameters and values out of range.
    pub fn instance<'a>(
        &self,
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<MotionInstance, ScenarioError> {
        let values = Values::read(self.name, self.parameters, settings)?;
        Ok(MotionInstance {
            scenario: *self,
            values,
        })
    }
}

/// The parameters that say how long a run is; a scene has one of them.
pub const LENGTH: [&str; 2] = ["steps", "duration"];

impl MotionInstance {
    /// The same scene with another number of steps, in the parameter that says it.
    fn of_steps(&self, steps: u64) -> Self {
        let mut own = self.clone();
        own.values.set("steps", Rational::from(steps));
        let duration = self.values.get("h") * steps;
        own.values.set("duration", duration);
        own
    }
}

/// All scenes in motion.
pub fn motions() -> &'static [MotionScenario] {
    const ALL: &[MotionScenario] = &[
        bodies::ROD,
        balls::FOUR_BALLS,
        particles::INCLINE,
        particles::STACK_DROP,
        particles::PARTICLE_3D,
        particles::WEDGE,
        particles::ELLIPSE,
        bodies::POLYGON,
        bodies::DISC,
        corners::CORNER,
        corners::HOLE,
        bodies::PAINLEVE_INCONSISTENT,
        bodies::PAINLEVE_INDETERMINATE,
        bodies::LADDER_SLIDE,
        bodies::PLATE_ON_SLOPE,
        bodies::BALLS_IN_A_ROW,
        particles::BOUNCE_CHAIN,
        particles::JOINT_SLIDE,
        surfaces::ROLLING_ELLIPSE,
        surfaces::IMPLICIT_SPHERE,
        surfaces::ELLIPSOID,
        elastic::BOUNCING_BALL,
        elastic::ELASTIC_CRADLE,
        elastic::CENTRAL_IMPACT,
        balls::SPHERE_ON_SLOPE,
    ];
    ALL
}

/// The scene in motion of that name.
///
/// # Errors
/// [`ScenarioError::Unknown`].
pub fn find_motion(name: &str) -> Result<&'static MotionScenario, ScenarioError> {
    let found = motions().iter().find(|scenario| scenario.name == name);
    found.ok_or_else(|| ScenarioError::Unknown {
        name: name.to_owned(),
    })
}
