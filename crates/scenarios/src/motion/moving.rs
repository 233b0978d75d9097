//! Runs of scenes in files.

use etalon_lcp::Solver;
use etalon_rigid::Scalar;
use etalon_time_stepping::{Arithmetic, Binary64, Grid, Kind, StepError};

use super::MotionError;
use super::run::{Arithmetics, IN_SPACE, MotionRun, Origin, Run};
use super::scene::{GRID, Scene};
use super::{formed, solids};
use crate::scene_file::{corner_value, implicit_value, space_value};
use crate::space::{MovingScene, SpaceRun};

impl MovingScene {
    /// The run from its start, with a solver for the steps' problems. `steps` takes the place of what the scene says.
    /// Bodies whose contacts have rows are on their grid, whatever the arithmetic.
    ///
    /// # Errors
    /// [`MotionError::Space`], [`MotionError::Scene`].
    pub fn run<'a>(
        &self,
        arithmetics: Arithmetics,
        solver: &'a dyn Solver,
        steps: Option<u64>,
    ) -> Result<Box<dyn MotionRun + 'a>, MotionError> {
        if let Self::Space(scene) = self {
            let mut scene = scene.clone();
            scene.steps = steps.unwrap_or(scene.steps);
            return Ok(Box::new(SpaceRun::new(scene, None, solver)?));
        }
        let origin = self.origin();
        let wrong = |source| MotionError::Scene {
            scenario: origin.name.clone(),
            source,
        };
        Ok(match (arithmetics, GRID) {
            (Arithmetics::Exact, Kind::Grid(bits)) => {
                let grid = Grid::new(bits).map_err(wrong)?;
                let built = self.system(&grid, steps).map_err(wrong)?;
                Box::new(Run::new(origin, Box::new(grid), solver, built, steps))
            }
            _ => {
                let built = self.system(&Binary64, steps).map_err(wrong)?;
                Box::new(Run::new(origin, Box::new(Binary64), solver, built, steps))
            }
        })
    }

    /// The scene as a system with its start. `steps` takes the place of its own.
    pub(super) fn system<S: Scalar>(
        &self,
        arithmetic: &dyn Arithmetic<S>,
        steps: Option<u64>,
    ) -> Result<Scene<S>, StepError> {
        match self {
            Self::Space(_) => Err(StepError::Problem(IN_SPACE.to_owned())),
            Self::Implicit(scene) => {
                let mut scene = scene.clone();
                scene.steps = steps.unwrap_or(scene.steps);
                formed::build(&scene, arithmetic)
            }
            Self::Corners(scene) => {
                let mut scene = scene.clone();
                scene.steps = steps.unwrap_or(scene.steps);
                solids::build(&scene, arithmetic)
            }
        }
    }

    fn origin(&self) -> Origin {
        let (name, h, value) = match self {
            Self::Space(scene) => (&scene.name, &scene.settings.h, space_value(scene)),
            Self::Implicit(scene) => (&scene.name, &scene.h, implicit_value(scene)),
            Self::Corners(scene) => (&scene.name, &scene.h, corner_value(scene)),
        };
        Origin {
            name: name.clone(),
            h: h.clone(),
            instance: None,
            scene: Some(value),
        }
    }
}
