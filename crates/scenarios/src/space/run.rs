//! Running a scene in space, line by line.

use etalon_golden::trajectory::{FORMAT, Header, Line};
use etalon_lcp::{Problem, Solver};
use etalon_spatial::{
    BounceGain, Energy, ImpactLaw, MAX_STEPS, SpaceOracle, SpaceState, SpaceStep, SpaceStepper,
    SpaceWorld, SpatialError,
};
use etalon_time_stepping::{Scheme, StepError, Violation};
use serde_json::{Value, json};

use super::SpaceScene;
use super::line::{WRITER, coordinates, line, start, state};
use crate::motion::record::parameters;
use crate::motion::{MotionError, MotionInstance, MotionRun, StepRecord};
use crate::scene_file::space_value;

/// A run of a scene in space.
pub struct SpaceRun<'a> {
    scene: SpaceScene,
    /// Of a named scene.
    instance: Option<MotionInstance>,
    solver: &'a dyn Solver,
    world: SpaceWorld,
    state: SpaceState,
    k: u64,
    bounce_gain: Option<BounceGain>,
}

impl<'a> SpaceRun<'a> {
    /// The run from its start.
    ///
    /// # Errors
    /// [`MotionError::Space`].
    pub fn new(
        scene: SpaceScene,
        instance: Option<MotionInstance>,
        solver: &'a dyn Solver,
    ) -> Result<Self, MotionError> {
        let wrong = |source| MotionError::Space {
            scenario: scene.name.clone(),
            source: Box::new(source),
        };
        if scene.steps > MAX_STEPS {
            return Err(wrong(SpatialError::Step(StepError::Setting {
                setting: "steps",
                value: scene.steps.to_string(),
                range: "at most 1000000; take a longer step h, or fewer of them",
            })));
        }
        let world = scene.world().map_err(wrong)?;
        // Settings out of range are told before a line is written.
        SpaceStepper::new(&world, scene.settings.clone(), solver).map_err(wrong)?;
        Ok(Self {
            state: world.start(),
            scene,
            instance,
            solver,
            world,
            k: 0,
            bounce_gain: None,
        })
    }

    fn failed(&self, source: SpatialError) -> MotionError {
        MotionError::SpaceStep {
            scenario: self.scene.name.clone(),
            step: self.k + 1,
            source: Box::new(source),
        }
    }

    fn stepper(&self) -> Result<SpaceStepper<'_>, MotionError> {
        let stepper = SpaceStepper::new(&self.world, self.scene.settings.clone(), self.solver);
        stepper.map_err(|source| self.failed(source))
    }

    fn next(&self) -> Result<SpaceStep, MotionError> {
        let step = self.stepper()?.step(&self.state);
        step.map_err(|source| self.failed(source))
    }

    fn describe(&self, step: &SpaceStep) -> Line {
        line(&self.world, self.k + 1, &self.scene.settings.h, step)
    }

    fn record(&self, step: &SpaceStep) -> Result<StepRecord, MotionError> {
        let problem = step.posed.problem(&self.name());
        let problem = self.named(problem.map_err(|source| self.failed(source))?);
        Ok(StepRecord::of_space(problem, step))
    }

    fn settle(&mut self, step: SpaceStep) {
        self.bounce_gain = step.bounce_gain();
        self.state = step.after;
        self.k += 1;
    }

    /// The problem of a step as a record, with where it is from.
    fn named(&self, mut problem: Problem) -> Problem {
        let parameters = self.instance.as_ref().map(parameters);
        let reference = self.instance.as_ref().map(|own| own.part.source);
        problem.remarks.tags = vec!["scenario".to_owned(), self.scene.name.clone()];
        problem.remarks.source = Some(json!({
            "scenario": self.scene.name,
            "parameters": parameters,
            "step": self.k + 1,
            "arithmetic": WRITER.0.name(),
            "reference": reference,
        }));
        problem
    }

    fn name(&self) -> String {
        format!("{}/step {}", self.scene.name, self.k + 1)
    }
}

impl MotionRun for SpaceRun<'_> {
    fn header(&self) -> Header {
        let settings = &self.scene.settings;
        let begin = self.world.start();
        let scene: Option<Value> = match &self.instance {
            Some(_) => None,
            None => Some(space_value(&self.scene)),
        };
        Header {
            format: FORMAT.to_owned(),
            scenario: self.scene.name.clone(),
            parameters: self.instance.as_ref().map(parameters).unwrap_or_default(),
            h: WRITER.derived(&settings.h),
            steps: Some(self.scene.steps),
            formulation: Some(settings.method.to_string()),
            scheme: (settings.scheme != Scheme::Linear).then(|| settings.scheme.to_string()),
            arithmetic: Some(WRITER.0.name().to_owned()),
            grid_bits: WRITER.0.grid_bits().map(u64::from),
            solver: Some(self.solver.name().to_owned()),
            cone: Some(settings.cone.to_string()),
            impact: (settings.impact != ImpactLaw::default()).then(|| settings.impact.to_string()),
            scene,
            coordinates: coordinates(&self.world),
            start: start(&self.world, &begin, &Energy::of(&self.world, &begin)),
            ..Default::default()
        }
    }

    fn steps(&self) -> u64 {
        self.scene.steps
    }

    fn k(&self) -> u64 {
        self.k
    }

    fn advance(&mut self) -> Result<Line, MotionError> {
        let step = self.next()?;
        let line = self.describe(&step);
        self.settle(step);
        Ok(line)
    }

    fn advance_examined(&mut self) -> Result<(Line, Vec<Violation>), MotionError> {
        let step = self.next()?;
        let line = self.describe(&step);
        let oracle = SpaceOracle::new(&self.world, &self.scene.settings);
        let violations = oracle.examine(self.k + 1, &step);
        self.settle(step);
        Ok((line, violations))
    }

    fn advance_recorded(&mut self) -> Result<(Line, StepRecord), MotionError> {
        let step = self.next()?;
        let line = self.describe(&step);
        let record = self.record(&step)?;
        self.settle(step);
        Ok((line, record))
    }

    fn advance_whole(&mut self) -> Result<(Line, StepRecord, Vec<Violation>), MotionError> {
        let step = self.next()?;
        let line = self.describe(&step);
        let record = self.record(&step)?;
        let oracle = SpaceOracle::new(&self.world, &self.scene.settings);
        let violations = oracle.examine(self.k + 1, &step);
        self.settle(step);
        Ok((line, record, violations))
    }

    fn bounce_gain(&self) -> Option<&BounceGain> {
        self.bounce_gain.as_ref()
    }

    fn problem(&self) -> Result<Problem, MotionError> {
        let problem = self.stepper()?.problem(&self.state, &self.name());
        Ok(self.named(problem.map_err(|source| self.failed(source))?))
    }

    fn resume(&mut self, line: &Line) -> Result<(), MotionError> {
        if line.k == 0 {
            return Err(MotionError::Resume("k is missing".to_owned()));
        }
        self.state = state(&self.world, line).map_err(MotionError::Resume)?;
        self.k = line.k;
        Ok(())
    }
}
