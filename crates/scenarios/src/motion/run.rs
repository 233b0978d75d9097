//! Running a scene, line by line.

use etalon_lcp::{Basis, Problem, Solver, parse_rational};
use etalon_rigid::Scalar;
use etalon_time_stepping::corner::{Corner, CornerStep, Entry};
use etalon_time_stepping::{
    Arithmetic, Binary64, ContactImpulse, Energy, Fractions, Grid, Kind, Oracle, Settings, State,
    Step, StepError, Stepper, Violation, dissipated,
};
use rug::Rational;
use serde_json::{Map, Value, json};

use super::record::{FORMAT, Writer, lcp, parameters};
use super::scene::{Scene, System};
use super::{MotionError, MotionInstance};

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
pub trait Trajectory {
    /// The first line.
    fn header(&self) -> Value;

    /// The number of steps that the parameters ask for.
    fn steps(&self) -> u64;

    /// The number of the last step taken.
    fn k(&self) -> u64;

    /// Takes a step and describes it.
    ///
    /// # Errors
    /// [`MotionError::Step`].
    fn advance(&mut self) -> Result<Value, MotionError>;

    /// Takes a step, describes it, and holds it against the theory
    /// ([`etalon_time_stepping::Oracle`]). What is allowed is in the line: the contacts at which a
    /// gap that is not concave gains energy.
    ///
    /// # Errors
    /// [`MotionError::Step`].
    fn advance_examined(&mut self) -> Result<(Value, Vec<Violation>), MotionError>;

    /// The (last) complementarity problem of the next step, as a record for other solvers; the step
    /// is not taken.
    ///
    /// # Errors
    /// [`MotionError::Step`].
    fn problem(&self) -> Result<Problem, MotionError>;

    /// Goes on from a line as if its step had just been taken.
    ///
    /// # Errors
    /// [`MotionError::Resume`].
    fn resume(&mut self, line: &Value) -> Result<(), MotionError>;
}

/// A run in one kind of numbers.
struct Run<'a, S> {
    instance: MotionInstance,
    arithmetic: Box<dyn Arithmetic<S>>,
    solver: &'a dyn Solver,
    system: System<S>,
    settings: Settings<S>,
    start: State<S>,
    state: State<S>,
    steps: u64,
    k: u64,
    h: Rational,
    writer: Writer,
}

impl MotionInstance {
    /// The arithmetic of an exact run.
    pub fn exact_kind(&self) -> Kind {
        (self.scenario.builder.kind)(&self.values)
    }

    /// The trajectory from its start, with a solver for the steps' problems. `steps` takes the
    /// place of what the parameters say.
    ///
    /// # Errors
    /// [`MotionError::Scene`].
    pub fn trajectory<'a>(
        &self,
        arithmetics: Arithmetics,
        solver: &'a dyn Solver,
        steps: Option<u64>,
    ) -> Result<Box<dyn Trajectory + 'a>, MotionError> {
        let scene = |source| MotionError::Scene {
            scenario: self.scenario.name,
            source,
        };
        let builder = self.scenario.builder;
        let run: Box<dyn Trajectory + 'a> = match (arithmetics, self.exact_kind()) {
            (Arithmetics::Binary64, _) => {
                let built = (builder.binary64)(&self.values, &Binary64).map_err(scene)?;
                Box::new(Run::new(self, Box::new(Binary64), solver, built, steps))
            }
            (Arithmetics::Exact, Kind::Grid(bits)) => {
                let grid = Grid::new(bits).map_err(scene)?;
                let built = (builder.exact)(&self.values, &grid).map_err(scene)?;
                Box::new(Run::new(self, Box::new(grid), solver, built, steps))
            }
            (Arithmetics::Exact, _) => {
                let built = (builder.exact)(&self.values, &Fractions).map_err(scene)?;
                Box::new(Run::new(self, Box::new(Fractions), solver, built, steps))
            }
        };
        Ok(run)
    }
}

impl<'a, S: Scalar> Run<'a, S> {
    fn new(
        instance: &MotionInstance,
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
            h: instance.values.get("h"),
            instance: instance.clone(),
            writer: Writer(arithmetic.kind()),
            arithmetic,
            solver,
            system: scene.system,
            settings: scene.settings,
            state: start.clone(),
            start,
            steps: steps.unwrap_or(scene.steps),
            k: 0,
        }
    }

    fn failed(&self, source: StepError) -> MotionError {
        MotionError::Step {
            scenario: self.instance.scenario.name,
            step: self.k + 1,
            source,
        }
    }

    fn coordinates(&self) -> Vec<String> {
        match &self.system {
            System::StewartTrinkle(model) => model.coordinates(),
            System::EganTrinkle(corner) => corner.coordinates.clone(),
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
            System::EganTrinkle(corner) => Some(corner_energy(corner, &state.q, &state.v)),
        }
    }

    /// The line of a Stewart-Trinkle step.
    fn line(&self, k: u64, step: &Step<S>, pairs: &[String]) -> Value {
        let writer = self.writer;
        let contact = |contact: &ContactImpulse<S>| {
            json!({
                "pair": pairs.get(contact.index),
                "gap": writer.derived(&contact.gap),
                "normal": writer.derived(&contact.normal),
                "friction": writer.deriveds(&contact.friction),
            })
        };
        let lost = &step.dissipation;
        let slack = -self.arithmetic.slack();
        let part = step.formulation.contacts.iter().zip(&lost.position);
        let gains = part.filter(|(contact, loss)| loss.signum() < 0 && contact.old_gap < slack);
        let gains: Vec<_> = gains.map(|(contact, _)| pairs.get(contact.index)).collect();
        json!({
            "k": k,
            "t": writer.time(k, &self.h),
            "q": writer.states(&step.after.q),
            "v": writer.states(&step.after.v),
            "contacts": step.contacts.iter().map(contact).collect::<Vec<_>>(),
            "lcp": lcp(&step.z, &step.basis, step.pivots),
            "energy": writer.energy(&step.energy),
            "dissipated": writer.derived(&dissipated(lost)),
            "dissipation": {
                "friction": writer.derived(&lost.friction_total()),
                "numerical": writer.derived(&lost.numerical),
                "position": writer.derived(&lost.position_total()),
                "rounding": writer.derived(&lost.rounding),
            },
            "gains": gains,
            "problems": step.convergence.problems,
            "iterations": step.convergence.iterations,
            "dampings": step.convergence.dampings,
            "converged": step.convergence.converged,
        })
    }

    /// The line of an Egan-Trinkle step.
    fn corner_line(&self, k: u64, corner: &Corner<S>, step: &CornerStep<S>) -> Value {
        let writer = self.writer;
        let gaps = corner.gaps(&step.q);
        let contact = |i: usize| {
            json!({
                "pair": corner.faces[i].name,
                "gap": writer.derived(&gaps[i]),
                "normal": writer.derived(&step.z[i + 1]),
                "friction": [],
            })
        };
        let basis = Basis::new(step.z.iter().map(|z| z.signum() > 0).collect());
        let position = step.position[0].clone() + &step.position[1];
        let vertices = step.family.iter().flat_map(|family| &family.vertices);
        json!({
            "k": k,
            "t": writer.time(k, &self.h),
            "q": writer.states(&step.q),
            "v": writer.states(&step.v),
            "contacts": [contact(0), contact(1)],
            "lcp": lcp(&step.z, &basis, None),
            "energy": writer.energy(&corner_energy(corner, &step.q, &step.v)),
            "dissipated": writer.derived(&(position.clone() + &step.numerical)),
            "dissipation": {
                "friction": writer.derived(&S::zero()),
                "numerical": writer.derived(&step.numerical),
                "position": writer.derived(&position),
                "rounding": writer.derived(&S::zero()),
            },
            "entry": match step.entry {
                Entry::Outside => Value::Null,
                Entry::Face(i) => corner.faces[i].name.clone().into(),
            },
            "family": vertices.map(|p| writer.deriveds(p)).collect::<Vec<_>>(),
        })
    }
}

impl<S: Scalar> Run<'_, S> {
    /// Takes a step, and examines it where asked for.
    fn take(&mut self, examine: bool) -> Result<(Value, Vec<Violation>), MotionError> {
        let k = self.k + 1;
        let (line, state, violations) = match &self.system {
            System::StewartTrinkle(model) => {
                let settings = self.settings.clone();
                let stepper = Stepper::new(&**model, &*self.arithmetic, self.solver, settings);
                let step = stepper.and_then(|stepper| stepper.step(&self.state));
                let step = step.map_err(|source| self.failed(source))?;
                let pairs: Vec<_> = model.contacts().iter().map(|c| c.pair.clone()).collect();
                let violations = if examine {
                    let oracle = Oracle::new(&**model, &*self.arithmetic, S::ratio(1, 1 << 30));
                    let found = oracle.examine(k, &step);
                    found.map_err(|source| self.failed(source))?
                } else {
                    Vec::new()
                };
                (self.line(k, &step, &pairs), step.after, violations)
            }
            System::EganTrinkle(corner) => {
                let step = corner.step(&self.state.q, &self.state.v, &self.settings.h);
                let step = step.map_err(|source| self.failed(source))?;
                let line = self.corner_line(k, corner, &step);
                (line, State::new(step.q, step.v), Vec::new())
            }
        };
        self.state = state;
        self.k = k;
        Ok((line, violations))
    }
}

fn corner_energy<S: Scalar>(corner: &Corner<S>, q: &[S], v: &[S]) -> Energy<S> {
    Energy {
        kinetic: corner.mass.kinetic_energy(v),
        potential: corner.potential(q),
    }
}

impl<S: Scalar> Trajectory for Run<'_, S> {
    fn header(&self) -> Value {
        let kind = self.writer.0;
        let (formulation, scheme) = match &self.system {
            System::StewartTrinkle(_) => ("stewart-trinkle", Some(self.settings.scheme.name())),
            System::EganTrinkle(_) => ("egan-trinkle", None),
        };
        let energy = self.energy(&self.start);
        json!({
            "format": FORMAT,
            "scenario": self.instance.scenario.name,
            "parameters": parameters(&self.instance),
            "h": self.writer.derived(&self.h),
            "steps": self.steps,
            "formulation": formulation,
            "scheme": scheme,
            "arithmetic": kind.name(),
            "grid_bits": kind.grid_bits(),
            "solver": self.solver.name(),
            "coordinates": self.coordinates(),
            "start": {
                "q": self.writer.states(&self.start.q),
                "v": self.writer.states(&self.start.v),
                "energy": energy.map(|energy| self.writer.energy(&energy)),
            },
        })
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn k(&self) -> u64 {
        self.k
    }

    fn advance(&mut self) -> Result<Value, MotionError> {
        self.take(false).map(|(line, _)| line)
    }

    fn advance_examined(&mut self) -> Result<(Value, Vec<Violation>), MotionError> {
        self.take(true)
    }

    fn problem(&self) -> Result<Problem, MotionError> {
        let failed = |source| self.failed(source);
        let lcp = match &self.system {
            System::StewartTrinkle(model) => {
                let settings = self.settings.clone();
                let stepper = Stepper::new(&**model, &*self.arithmetic, self.solver, settings);
                let step = stepper.and_then(|stepper| stepper.step(&self.state));
                step.map_err(failed)?.lcp
            }
            System::EganTrinkle(corner) => {
                let step = corner.step(&self.state.q, &self.state.v, &self.settings.h);
                step.map_err(failed)?.lcp
            }
        };
        let name = format!("{}/step {}", self.instance.scenario.name, self.k + 1);
        let mut problem = lcp.problem(&name).map_err(failed)?;
        problem.remarks.tags = vec![
            "scenario".to_owned(),
            self.instance.scenario.name.to_owned(),
        ];
        problem.remarks.source = Some(json!({
            "scenario": self.instance.scenario.name,
            "parameters": parameters(&self.instance),
            "step": self.k + 1,
            "arithmetic": self.writer.0.name(),
            "reference": self.instance.scenario.source,
        }));
        Ok(problem)
    }

    fn resume(&mut self, line: &Value) -> Result<(), MotionError> {
        let bad = |what: &str| MotionError::Resume(format!("{what} is missing or unreadable"));
        let fields = line.as_object().ok_or_else(|| bad("the line"))?;
        let k = fields.get("k").and_then(Value::as_u64);
        let q = numbers(fields, "q").ok_or_else(|| bad("q"))?;
        let v = numbers(fields, "v").ok_or_else(|| bad("v"))?;
        if q.len() != self.start.q.len() || v.len() != self.start.v.len() {
            let why = "the number of coordinates is another";
            return Err(MotionError::Resume(why.to_owned()));
        }
        let contacts = fields.get("contacts").and_then(Value::as_array);
        let contacts = contacts.ok_or_else(|| bad("contacts"))?.iter().enumerate();
        let pressing = contacts.filter_map(|(i, contact)| {
            let normal = number(contact.get("normal")?)?;
            (normal > 0).then_some(i)
        });
        self.state = State {
            pressing: pressing.collect(),
            q: q.iter().map(S::from_rational).collect(),
            v: v.iter().map(S::from_rational).collect(),
        };
        self.k = k.ok_or_else(|| bad("k"))?;
        Ok(())
    }
}

fn numbers(fields: &Map<String, Value>, name: &str) -> Option<Vec<Rational>> {
    fields.get(name)?.as_array()?.iter().map(number).collect()
}

/// A number as it stands in a trajectory, exactly.
fn number(value: &Value) -> Option<Rational> {
    match value {
        Value::String(text) => parse_rational(text).ok(),
        Value::Number(number) => Rational::from_f64(number.as_f64()?),
        _ => None,
    }
}
