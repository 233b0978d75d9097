//! Runs of scenes in files.

use etalon_lcp::Solver;
use etalon_time_stepping::{Binary64, Grid, Kind};

use super::MotionError;
use super::formed::build;
use super::run::{Arithmetics, MotionRun, Origin, Run};
use super::scene::GRID;
use crate::scene_file::implicit_value;
use crate::space::{ImplicitScene, MovingScene, SpaceRun};

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
        let mut scene = match self {
            Self::Space(scene) => {
                let mut scene = scene.clone();
                scene.steps = steps.unwrap_or(scene.steps);
                return Ok(Box::new(SpaceRun::new(scene, None, solver)?));
            }
            Self::Implicit(scene) => scene.clone(),
        };
        scene.steps = steps.unwrap_or(scene.steps);
        let name = scene.name.clone();
        let wrong = |source| MotionError::Scene {
            scenario: name.clone(),
            source,
        };
        let origin = origin(&scene);
        Ok(match (arithmetics, GRID) {
            (Arithmetics::Exact, Kind::Grid(bits)) => {
                let grid = Grid::new(bits).map_err(wrong)?;
                let built = build(&scene, &grid).map_err(wrong)?;
                Box::new(Run::new(origin, Box::new(grid), solver, built, steps))
            }
            _ => {
                let built = build(&scene, &Binary64).map_err(wrong)?;
                Box::new(Run::new(origin, Box::new(Binary64), solver, built, steps))
            }
        })
    }
}

fn origin(scene: &ImplicitScene) -> Origin {
    Origin {
        name: scene.name.clone(),
        h: scene.h.clone(),
        instance: None,
        scene: Some(implicit_value(scene)),
    }
}
