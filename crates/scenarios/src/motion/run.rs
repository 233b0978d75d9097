//! Running a scene, line by line.

use etalon_exact::Budget;
use etalon_golden::trajectory::{Contact, FORMAT, Header, Line, Quantity, Start};
use etalon_lcp::{Problem, Solver};
use etalon_rigid::Scalar;
use etalon_spatial::{BounceGain, SpaceMethod};
use etalon_time_stepping::corner::{CornerStep, SolidStep, solver_name};
use etalon_time_stepping::implicit::{ImplicitStep, ImplicitStepper};
use etalon_time_stepping::{
    Arithmetic, Binary64, ContactImpulse, Energy, Fractions, Grid, Kind, Oracle, Settings, State,
    Step, StepError, Stepper, Violation, dissipated,
};
use rug::Rational;
use serde_json::{Value, json};

use super::cornered;
use super::implicit;
use super::mechanics::{StepMechanics, is_along_lines};
use super::record::{Writer, lcp, parameters};
use super::recorded::StepRecord;
use super::scene::{Builder, GRID, Scene, System};
use super::{MotionError, MotionInstance};
use crate::space::{MovingScene, SpaceRun, SpaceScene};

/// Why there is no system of coordinates.
pub(super) const IN_SPACE: &str = "bodies in space have rows of contacts in place of a system";

/// Which numbers a run is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arithmetics {
    /// Fractions where the scene allows, a grid elsewhere.
    #[default]
    Exact,
    /// binary64.
    Binary64,
}

/// A run: a header, then a line a step.
pub trait MotionRun {
    /// The first line.
    fn header(&self) -> Header;

    /// The number of steps that the parameters ask for.
    fn steps(&self) -> u64;

    /// The number of the last step taken.
    fn k(&self) -> u64;

    /// Takes a step and describes it.
    ///
    /// # Errors
    /// [`MotionError::Step`].
    fn advance(&mut self) -> Result<Line, MotionError>;

    /// Takes a step, describes it, and holds it against the theory
    /// ([`etalon_time_stepping::Oracle`]). What is allowed is in the line: the contacts at which a
    /// gap that is not concave gains energy.
    ///
    /// # Errors
    /// [`MotionError::Step`].
    fn advance_examined(&mut self) -> Result<(Line, Vec<Violation>), MotionError>;

    /// Takes a step, describes it, and keeps its (last) complementarity problem with the answer.
    ///
    /// # Errors
    /// [`MotionError::Step`].
    fn advance_recorded(&mut self) -> Result<(Line, StepRecord), MotionError>;

    /// Takes a step with all of this: its line, its problem with the answer, and what of theory it breaks.
    ///
    /// # Errors
    /// [`MotionError::Step`].
    fn advance_whole(&mut self) -> Result<(Line, StepRecord, Vec<Violation>), MotionError>;

    /// The (last) complementarity problem of the next step, as a record for other solvers; the step
    /// is not taken.
    ///
    /// # Errors
    /// [`MotionError::Step`].
    fn problem(&self) -> Result<Problem, MotionError>;

    /// Bounds what each problem may take that the run solves by itself, whatever solver it is given: those of corners.
    fn limit(&mut self, _budget: &Budget) {}

    /// What bounces by Newton's law gained in the last step taken; none where they gained nothing.
    fn bounce_gain(&self) -> Option<&BounceGain> {
        None
    }

    /// Why steps have no mechanics ([`StepRecord::mechanics`]) to be logged; none where they have.
    fn unlogged(&self) -> Option<&'static str> {
        None
    }

    /// Goes on from a line as if its step had just been taken.
    ///
    /// # Errors
    /// [`MotionError::Resume`].
    fn resume(&mut self, line: &Line) -> Result<(), MotionError>;
}

/// Where a run is from.
pub struct Origin {
    /// The name of the scene.
    pub name: String,
    /// The length of a step, exactly.
    pub h: Rational,
    /// Of a named scene.
    pub instance: Option<MotionInstance>,
    /// Of a file, as a record.
    pub scene: Option<Value>,
}

impl Origin {
    fn named(instance: &MotionInstance) -> Self {
        Self {
            name: instance.scenario.to_owned(),
            h: instance.values.get("h"),
            instance: Some(instance.clone()),
            scene: None,
        }
    }
}

/// A run in one kind of numbers.
pub struct Run<'a, S> {
    origin: Origin,
    arithmetic: Box<dyn Arithmetic<S>>,
    solver: &'a dyn Solver,
    system: System<S>,
    settings: Settings<S>,
    start: State<S>,
    state: State<S>,
    steps: u64,
    k: u64,
    writer: Writer,
    bounce_gain: Option<BounceGain>,
    budget: Budget,
}

impl MotionInstance {
    /// The arithmetic of an exact run.
    pub fn exact_kind(&self) -> Kind {
        match self.part.builder {
            Builder::System { kind, .. } => kind(&self.values),
            Builder::Space(_) | Builder::Implicit(_) | Builder::Corners(_) => GRID,
        }
    }

    /// The scene in space whose contacts have rows, where it is one.
    pub fn space(&self) -> Option<SpaceScene> {
        match self.moving() {
            Some(MovingScene::Space(scene)) => Some(scene),
            _ => None,
        }
    }

    /// The scene in space by any method, where it is one that a file can hold.
    pub fn moving(&self) -> Option<MovingScene> {
        match self.part.builder {
            Builder::System { .. } => None,
            Builder::Space(build) => Some(MovingScene::Space(build(&self.values))),
            Builder::Implicit(build) => Some(MovingScene::Implicit(build(&self.values))),
            Builder::Corners(build) => Some(MovingScene::Corners(build(&self.values))),
        }
    }

    /// The trajectory from its start, with a solver for the steps' problems. `steps` takes the
    /// place of what the parameters say, and the header says so in them.
    ///
    /// # Errors
    /// [`MotionError::Scene`].
    pub fn trajectory<'a>(
        &self,
        arithmetics: Arithmetics,
        solver: &'a dyn Solver,
        steps: Option<u64>,
    ) -> Result<Box<dyn MotionRun + 'a>, MotionError> {
        let scene = |source| MotionError::Scene {
            scenario: self.scenario.to_owned(),
            source,
        };
        let own = match steps {
            Some(steps) => &self.of_steps(steps),
            None => self,
        };
        if let Some(scene) = own.space() {
            let run = SpaceRun::new(scene, Some(own.clone()), solver)?;
            return Ok(Box::new(run));
        }
        let origin = Origin::named(own);
        let run: Box<dyn MotionRun + 'a> = match (arithmetics, self.exact_kind()) {
            (Arithmetics::Binary64, _) => {
                let built = own.in_binary64().map_err(scene)?;
                Box::new(Run::new(origin, Box::new(Binary64), solver, built, steps))
            }
            (Arithmetics::Exact, Kind::Grid(bits)) => {
                let grid = Grid::new(bits).map_err(scene)?;
                let built = own.exactly(&grid).map_err(scene)?;
                Box::new(Run::new(origin, Box::new(grid), solver, built, steps))
            }
            (Arithmetics::Exact, _) => {
                let built = own.exactly(&Fractions).map_err(scene)?;
                Box::new(Run::new(origin, Box::new(Fractions), solver, built, steps))
            }
        };
        Ok(run)
    }

    /// The scene in fractions.
    pub(super) fn exactly(
        &self,
        arithmetic: &dyn Arithmetic<Rational>,
    ) -> Result<Scene<Rational>, StepError> {
        match self.part.builder {
            Builder::System { exact, .. } => exact(&self.values, arithmetic),
            _ => self.moving_system(arithmetic),
        }
    }

    /// The system of a scene that a file can hold.
    fn moving_system<S: Scalar>(
        &self,
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<Scene<S>, StepError> {
        match self.moving() {
            Some(scene) => scene.system(arithmetic, None),
            None => Err(StepError::Problem(IN_SPACE.to_owned())),
        }
    }

    fn in_binary64(&self) -> Result<Scene<f64>, StepError> {
        match self.part.builder {
            Builder::System { binary64, .. } => binary64(&self.values, &Binary64),
            _ => self.moving_system(&Binary64),
        }
    }
}

impl<'a, S: Scalar> Run<'a, S> {
    /// The run from its start.
    pub fn new(
        origin: Origin,
        arithmetic: Box<dyn Arithmetic<S>>,
        solver: &'a dyn Solver,
        scene: Scene<S>,
        steps: Option<u64>,
    ) -> Self {
        let round = |values: &[S]| -> Vec<S> {
            values.iter().map(|v| arithmetic.round(v.clone())).collect()
        };
        let start = State::new(round(&scene.start.q), round(&scene.start.v));
        Self {
            origin,
            writer: Writer(arithmetic.kind()),
            budget: Budget::default(),
            arithmetic,
            solver,
            system: scene.system,
            settings: scene.settings,
            state: start.clone(),
            start,
            steps: steps.unwrap_or(scene.steps),
            k: 0,
            bounce_gain: None,
        }
    }

    /// Whether forces make velocities.
    fn is_first_order(&self) -> bool {
        matches!(&self.system, System::Solids(own) if own.is_first_order())
    }

    fn failed(&self, source: StepError) -> MotionError {
        MotionError::Step {
            scenario: self.origin.name.clone(),
            step: self.k + 1,
            source,
        }
    }

    fn coordinates(&self) -> Vec<String> {
        match &self.system {
            System::StewartTrinkle(model) => model.coordinates(),
            System::EganTrinkle(corners) => corners.coordinates.clone(),
            System::Solids(solids) => solids.coordinates(),
            System::ChakrabortyBerard(system) => system.coordinates(),
        }
    }

    fn energy(&self, state: &State<S>) -> Option<Energy<S>> {
        match &self.system {
            System::StewartTrinkle(model) => Some(Energy {
                kinetic: model
                    .mass(&state.q, &*self.arithmetic)
                    .ok()?
                    .kinetic_energy(&state.v),
                potential: model.potential(&state.q, &*self.arithmetic).ok()?,
            }),
            System::EganTrinkle(corners) => Some(cornered::energy(corners, &state.q, &state.v)),
            System::Solids(solids) => solids.energy(&state.q, &state.v, &*self.arithmetic).ok(),
            System::ChakrabortyBerard(system) => implicit::energy(system, &state.q, &state.v),
        }
    }

    /// The line of a Stewart-Trinkle step.
    fn line(&self, k: u64, step: &Step<S>, pairs: &[String]) -> Line {
        let writer = self.writer;
        let pair = |i: usize| pairs.get(i).cloned().unwrap_or_default();
        let contact = |contact: &ContactImpulse<S>| Contact {
            pair: pair(contact.index),
            gap: writer.derived(&contact.gap),
            normal: writer.derived(&contact.normal),
            friction: writer.deriveds(&contact.friction),
            ..Default::default()
        };
        let lost = &step.dissipation;
        let slack = -self.arithmetic.slack();
        let part = step.formulation.contacts.iter().zip(&lost.position);
        let gains = part.filter(|(contact, loss)| {
            contact.rebound.is_none() && loss.signum() < 0 && contact.old_gap < slack
        });
        let bounces = step.formulation.contacts.iter();
        let bounces = bounces.filter(|contact| contact.rebound.is_some());
        let bounces: Vec<_> = bounces.map(|contact| pair(contact.index)).collect();
        let dissipation = [
            ("friction", writer.derived(&lost.friction_total())),
            ("numerical", writer.derived(&lost.numerical)),
            ("position", writer.derived(&lost.position_total())),
            ("rounding", writer.derived(&lost.rounding)),
        ];
        let convergence = &step.convergence;
        Line {
            k,
            t: writer.time(k, &self.origin.h),
            q: writer.states(&step.after.q),
            v: writer.states(&step.after.v),
            contacts: step.contacts.iter().map(contact).collect(),
            lcp: lcp(&step.z, &step.basis, step.pivots),
            energy: writer.energy(&step.energy),
            dissipated: writer.derived(&dissipated(lost)),
            dissipation: Some(
                dissipation
                    .map(|(name, part)| (name.to_owned(), part))
                    .into(),
            ),
            gains: Some(gains.map(|(contact, _)| pair(contact.index)).collect()),
            bounces: Some(bounces).filter(|bounces| !bounces.is_empty()),
            problems: Some(convergence.problems as u64),
            iterations: Some(convergence.iterations as u64),
            dampings: Some(convergence.dampings as u64),
            converged: Some(convergence.converged),
            ..Default::default()
        }
    }
}

/// A step of either formulation.
enum Taken<S> {
    StewartTrinkle(Box<Step<S>>),
    EganTrinkle(Box<CornerStep<S>>),
    Solids(Box<SolidStep<S>>, Vec<S>),
    ChakrabortyBerard(Box<ImplicitStep<S>>),
}

impl<S: Scalar> Run<'_, S> {
    /// Who solves the problems: the rule for corners has its own solver, whatever is given.
    fn solver_name(&self) -> &str {
        match self.system {
            System::EganTrinkle(_) | System::Solids(_) => solver_name(),
            _ => self.solver.name(),
        }
    }

    /// The next step; the run stays where it is.
    fn next(&self) -> Result<Taken<S>, MotionError> {
        let taken = match &self.system {
            System::StewartTrinkle(model) => {
                let settings = self.settings.clone();
                let stepper = Stepper::new(&**model, &*self.arithmetic, self.solver, settings);
                let step = stepper.and_then(|stepper| stepper.step(&self.state));
                step.map(|step| Taken::StewartTrinkle(Box::new(step)))
            }
            System::EganTrinkle(corners) => {
                let before = (&*self.state.q, &*self.state.v);
                let step = corners.step_within(&self.budget, before, &self.settings.h);
                step.map(|step| Taken::EganTrinkle(Box::new(step)))
            }
            System::Solids(solids) => {
                let arithmetic = &*self.arithmetic;
                let h = &self.settings.h;
                let step = solids.step_within(&self.budget, &self.state, h, arithmetic);
                step.and_then(|step| {
                    let gaps = solids.gaps(&step.touched, &step.after.q, arithmetic)?;
                    Ok(Taken::Solids(Box::new(step), gaps))
                })
            }
            System::ChakrabortyBerard(system) => {
                let (arithmetic, settings) = (&*self.arithmetic, &self.settings);
                let stepper = ImplicitStepper::new(system, arithmetic, self.solver, settings);
                let step = stepper.and_then(|stepper| stepper.step(&self.state));
                step.map(|step| Taken::ChakrabortyBerard(Box::new(step)))
            }
        };
        taken.map_err(|source| self.failed(source))
    }

    /// Its line.
    fn describe(&self, taken: &Taken<S>) -> Line {
        let k = self.k + 1;
        match (&self.system, taken) {
            (System::StewartTrinkle(model), Taken::StewartTrinkle(step)) => {
                let pairs: Vec<_> = model.contacts().iter().map(|c| c.pair.clone()).collect();
                self.line(k, step, &pairs)
            }
            (System::EganTrinkle(corners), Taken::EganTrinkle(step)) => {
                cornered::line(self.writer, k, &self.origin.h, corners, step)
            }
            (_, Taken::Solids(step, gaps)) => {
                let drags = self.is_first_order();
                cornered::solid_line(self.writer, (k, &self.origin.h), step, gaps, drags)
            }
            (System::ChakrabortyBerard(_), Taken::ChakrabortyBerard(step)) => {
                implicit::line(self.writer, k, &self.origin.h, step)
            }
            // A system takes steps of its own formulation.
            _ => Line::default(),
        }
    }

    /// What of theory it breaks.
    fn examine(&self, taken: &Taken<S>) -> Result<Vec<Violation>, MotionError> {
        let k = self.k + 1;
        match (&self.system, taken) {
            (System::StewartTrinkle(model), Taken::StewartTrinkle(step)) => {
                let oracle = Oracle::new(&**model, &*self.arithmetic, S::ratio(1, 1 << 30));
                let found = oracle.examine(k, step);
                found.map_err(|source| self.failed(source))
            }
            (System::EganTrinkle(corners), Taken::EganTrinkle(step)) => {
                let (before, h) = ((&*self.state.q, &*self.state.v), &self.settings.h);
                Ok(corners.examine(k, before, h, step, &S::ratio(1, 1 << 30)))
            }
            (System::Solids(solids), Taken::Solids(step, _)) => {
                let (h, tolerance) = (&self.settings.h, S::ratio(1, 1 << 30));
                let arithmetic = &*self.arithmetic;
                let found = solids.examine(k, &self.state, h, step, arithmetic, &tolerance);
                found.map_err(|source| self.failed(source))
            }
            (_, Taken::ChakrabortyBerard(step)) => {
                Ok(step.examine(k, self.arithmetic.slack().to_f64()))
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Goes on to its end.
    fn settle(&mut self, taken: Taken<S>) {
        self.bounce_gain = bounce_gain(&taken);
        self.state = match taken {
            Taken::StewartTrinkle(step) => step.after,
            Taken::EganTrinkle(step) => State::new(step.q, step.v),
            Taken::Solids(step, _) => step.after,
            Taken::ChakrabortyBerard(step) => step.after,
        };
        self.k += 1;
    }

    /// Its problem with the answer.
    fn record(&self, taken: &Taken<S>) -> Result<StepRecord, MotionError> {
        let problem = self.problem_of(taken)?;
        Ok(match (&self.system, taken) {
            (_, Taken::StewartTrinkle(step)) => StepRecord::of_step(problem, step),
            (System::EganTrinkle(corners), Taken::EganTrinkle(step)) => {
                let (before, h) = ((&*self.state.q, &*self.state.v), &self.settings.h);
                let mechanics = StepMechanics::of_corners(corners, before, h, step);
                StepRecord::of_corner(problem, step, mechanics)
            }
            // A system takes steps of its own formulation.
            (_, Taken::EganTrinkle(step)) => StepRecord::of_corner(problem, step, None),
            (_, Taken::Solids(own, _)) => {
                let still = vec![S::zero(); self.state.v.len()];
                let velocity = match self.is_first_order() {
                    true => &still,
                    false => &self.state.v,
                };
                let (before, h) = ((&*still, &**velocity), &self.settings.h);
                let mechanics = StepMechanics::of_corners(&own.corners, before, h, &own.step);
                StepRecord::of_corner(problem, &own.step, mechanics)
            }
            (_, Taken::ChakrabortyBerard(step)) => StepRecord::of_implicit(problem, step),
        })
    }

    /// The problem of a step as a record.
    fn problem_of(&self, taken: &Taken<S>) -> Result<Problem, MotionError> {
        let name = format!("{}/step {}", self.origin.name, self.k + 1);
        let problem = match taken {
            Taken::StewartTrinkle(step) => step.lcp.problem(&name),
            Taken::EganTrinkle(step) => step.lcp.problem(&name),
            Taken::Solids(own, _) => own.step.lcp.problem(&name),
            Taken::ChakrabortyBerard(step) => step.last_problem().problem(&name),
        };
        let mut problem = problem.map_err(|source| self.failed(source))?;
        let origin = &self.origin;
        problem.remarks.tags = vec!["scenario".to_owned(), origin.name.clone()];
        problem.remarks.source = Some(json!({
            "scenario": origin.name,
            "parameters": origin.instance.as_ref().map(parameters),
            "step": self.k + 1,
            "arithmetic": self.writer.0.name(),
            "reference": origin.instance.as_ref().map(|own| own.part.source),
        }));
        Ok(problem)
    }
}

/// What bounces of implicit surfaces gained.
fn bounce_gain<S: Scalar>(taken: &Taken<S>) -> Option<BounceGain> {
    let Taken::ChakrabortyBerard(step) = taken else {
        return None;
    };
    let (contacts, energy) = step.bounce_gain()?;
    let energy = Rational::from_f64(energy)?;
    Some(BounceGain { contacts, energy })
}

impl<S: Scalar> MotionRun for Run<'_, S> {
    fn header(&self) -> Header {
        let kind = self.writer.0;
        let (formulation, scheme) = match &self.system {
            System::StewartTrinkle(_) => ("stewart-trinkle", Some(self.settings.scheme.name())),
            System::EganTrinkle(_) => ("egan-trinkle", None),
            System::Solids(own) if own.is_first_order() => (
                SpaceMethod::FirstOrder.word(),
                Some(self.settings.scheme.name()),
            ),
            System::Solids(_) => ("egan-trinkle", Some(self.settings.scheme.name())),
            System::ChakrabortyBerard(_) => ("chakraborty-berard", Some("implicit")),
        };
        let energy = self.energy(&self.start);
        Header {
            format: FORMAT.to_owned(),
            scenario: self.origin.name.clone(),
            parameters: self
                .origin
                .instance
                .as_ref()
                .map(parameters)
                .unwrap_or_default(),
            scene: self.origin.scene.clone(),
            h: self.writer.derived(&self.origin.h),
            steps: Some(self.steps),
            formulation: Some(formulation.to_owned()),
            scheme: scheme.map(str::to_owned),
            arithmetic: Some(kind.name().to_owned()),
            grid_bits: kind.grid_bits().map(u64::from),
            solver: Some(self.solver_name().to_owned()),
            coordinates: self.coordinates(),
            start: Start {
                q: self.writer.states(&self.start.q),
                v: self.writer.states(&self.start.v),
                energy: energy.map(|energy| self.writer.energy(&energy)),
                ..Default::default()
            },
            ..Default::default()
        }
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn k(&self) -> u64 {
        self.k
    }

    fn bounce_gain(&self) -> Option<&BounceGain> {
        self.bounce_gain.as_ref()
    }

    fn limit(&mut self, budget: &Budget) {
        self.budget = budget.clone();
    }

    fn advance(&mut self) -> Result<Line, MotionError> {
        let taken = self.next()?;
        let line = self.describe(&taken);
        self.settle(taken);
        Ok(line)
    }

    fn advance_examined(&mut self) -> Result<(Line, Vec<Violation>), MotionError> {
        let taken = self.next()?;
        let (line, violations) = (self.describe(&taken), self.examine(&taken)?);
        self.settle(taken);
        Ok((line, violations))
    }

    fn advance_recorded(&mut self) -> Result<(Line, StepRecord), MotionError> {
        let taken = self.next()?;
        let (line, record) = (self.describe(&taken), self.record(&taken)?);
        self.settle(taken);
        Ok((line, record))
    }

    fn advance_whole(&mut self) -> Result<(Line, StepRecord, Vec<Violation>), MotionError> {
        let taken = self.next()?;
        let (line, violations) = (self.describe(&taken), self.examine(&taken)?);
        let record = self.record(&taken)?;
        self.settle(taken);
        Ok((line, record, violations))
    }

    fn unlogged(&self) -> Option<&'static str> {
        match &self.system {
            System::ChakrabortyBerard(_) => Some("those with implicit surfaces are not"),
            System::StewartTrinkle(model) if !is_along_lines(model.bounded_friction()) => {
                Some("friction of a joint in several directions is not")
            }
            System::Solids(model) if model.drives() => {
                Some("those at obstacles that move have no masses")
            }
            _ => None,
        }
    }

    fn problem(&self) -> Result<Problem, MotionError> {
        self.problem_of(&self.next()?)
    }

    fn resume(&mut self, line: &Line) -> Result<(), MotionError> {
        if line.k == 0 {
            return Err(MotionError::Resume("k is missing".to_owned()));
        }
        let exact = |quantities: &[Quantity], what: &str| {
            let values: Option<Vec<_>> = quantities.iter().map(Quantity::exact).collect();
            values.ok_or_else(|| MotionError::Resume(format!("{what} has what is no number")))
        };
        let (q, v) = (exact(&line.q, "q")?, exact(&line.v, "v")?);
        if q.len() != self.start.q.len() || v.len() != self.start.v.len() {
            let why = "the number of coordinates is another";
            return Err(MotionError::Resume(why.to_owned()));
        }
        let presses = |contact: &Contact| contact.normal.exact().is_some_and(|normal| normal > 0);
        let contacts = line.contacts.iter().enumerate();
        let pressing = contacts.filter(|(_, contact)| presses(contact));
        self.state = State {
            pressing: pressing.map(|(i, _)| i).collect(),
            q: q.iter().map(S::from_rational).collect(),
            v: v.iter().map(S::from_rational).collect(),
        };
        self.k = line.k;
        Ok(())
    }
}
