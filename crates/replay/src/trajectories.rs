//! Golden trajectories: each step taken again from the line before it, and held against theory; and the
//! problem of each step, for a solver under test.

use std::path::Path;

use etalon_certify::Truth;
use etalon_conformance::kit::Case;
use etalon_exact::{Budget, ExactMethod, decide_knowing};
use etalon_golden::trajectory::{Header, Line, Quantity, differences, line_text};
use etalon_golden::{Decided, Trajectory, derive, first_difference, read_trajectory};
use etalon_lcp::{Claim, ClaimedAnswer, Matrix, Number, Problem, Solver};
use etalon_methods::Method as Named;
use etalon_scenarios::motion::{Arithmetics, LENGTH, MotionInstance, MotionRun, StepRecord};
use etalon_scenarios::space::{MovingScene, stated, stated_compression};
use etalon_scenarios::{find, read_moving};
use etalon_spatial::{BounceGain, Compression};

use crate::termination::broken_path;

/// Why a stored trajectory cannot be taken again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotRepeatable(String);

impl NotRepeatable {
    pub(crate) fn of_header(why: &str) -> Self {
        Self(format!("the header: {why}"))
    }
}

/// A stored trajectory with the scene that its header names.
pub struct Replay<'a> {
    stored: &'a Trajectory,
    source: Source,
    solver: Box<dyn Solver + Send + Sync>,
    /// Answers are taken from the lines: friction in the circular cone, solved in binary64.
    stated: bool,
}

/// The scene of a trajectory.
enum Source {
    /// By its name in the registry.
    Named(MotionInstance),
    /// As the header has it.
    Moving(Box<MovingScene>),
}

/// Who answers the problem of a step.
enum Answering<'a> {
    Solver(&'a dyn Solver),
    /// The line itself, with what it states.
    Line {
        name: String,
        z: Option<Vec<Number>>,
        /// Of the compression of an impact.
        compression: Option<Vec<Number>>,
    },
}

impl Solver for Answering<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Solver(solver) => solver.name(),
            Self::Line { name, .. } => name,
        }
    }

    fn solve(&self, problem: &Problem) -> Claim {
        let (z, compression) = match self {
            Self::Solver(solver) => return solver.solve(problem),
            Self::Line { z, compression, .. } => (z, compression),
        };
        let of_first = problem.name() == Compression::NAME;
        match if of_first { compression } else { z } {
            Some(z) => Claim::new(problem.name(), ClaimedAnswer::Solved { z: z.clone() }),
            None => Claim::failed(problem.name(), "the line states no impulses"),
        }
    }
}

/// The problems of all steps of a stored trajectory as cases of the [test kit](etalon_conformance::kit),
/// named `STEM/step K` after the file; see [`Replay::problem`].
///
/// # Errors
/// [`NotRepeatable`].
pub fn cases(file: &Path) -> Result<Vec<Case>, NotRepeatable> {
    let stored = read_trajectory(file).map_err(|error| NotRepeatable(error.to_string()))?;
    let replay = Replay::new(&stored)?;
    let stem = file
        .file_stem()
        .unwrap_or(file.as_os_str())
        .to_string_lossy();
    let steps = 1..=stored.steps.len() as u64;
    let case = |k: u64| {
        let problem = replay.problem(k, &format!("{stem}/step {k}"));
        let problem = problem.map_err(|why| NotRepeatable(format!("{}: {why}", stored.origin(k))));
        problem.map(Case::new)
    };
    steps.map(case).collect()
}

impl<'a> Replay<'a> {
    /// Reads the header. Only exact trajectories can be taken again to the digit.
    ///
    /// # Errors
    /// [`NotRepeatable`].
    pub fn new(stored: &'a Trajectory) -> Result<Self, NotRepeatable> {
        let bad = |why: String| NotRepeatable(format!("the header: {why}"));
        let header = &stored.header;
        if header.arithmetic.as_deref() == Some("binary64") {
            let why = "the field \"arithmetic\" is \"binary64\", which differs from machine to machine; `etalon trajectory check` judges such steps by their numbers";
            return Err(bad(why.to_owned()));
        }
        let source = match &header.scene {
            Some(scene) => {
                let scene = read_moving(&scene.to_string(), None);
                Source::Moving(Box::new(scene.map_err(|error| bad(error.to_string()))?))
            }
            None => {
                let scenario = find(&header.scenario).map_err(|error| bad(error.to_string()))?;
                let settings = header.parameters.iter();
                let settings = settings.map(|(name, value)| (&**name, &**value));
                let instance = scenario.motion_instance(settings);
                Source::Named(instance.map_err(|error| bad(error.to_string()))?)
            }
        };
        let space = match &source {
            Source::Named(instance) => instance.space().is_some(),
            Source::Moving(scene) => matches!(**scene, MovingScene::Space(_)),
        };
        let stated = header.cone.as_deref() == Some("circular");
        let lemke = || ExactMethod::Lemke.solver(&Budget::default());
        let named = header.solver.as_deref().filter(|_| !(space && stated));
        let solver = match named.map(|name| (name, exact_solver(name))) {
            Some((_, Some(solver))) => solver,
            Some((name, None)) if space => {
                return Err(bad(format!(
                    "the field \"solver\" is {name:?}, whose answers in binary64 differ from machine to machine; run it with an exact solver, or in the circular cone"
                )));
            }
            // That the header has another name is told with what else it has.
            _ => lemke(),
        };
        Ok(Self {
            stored,
            source,
            solver,
            stated: space && stated,
        })
    }

    /// The trajectory of the scene from its start.
    ///
    /// # Errors
    /// Why there is none.
    pub fn run<'b>(
        &self,
        arithmetics: Arithmetics,
        solver: &'b dyn Solver,
        steps: Option<u64>,
    ) -> Result<Box<dyn MotionRun + 'b>, String> {
        let run = match &self.source {
            Source::Named(instance) => instance.trajectory(arithmetics, solver, steps),
            Source::Moving(scene) => scene.run(arithmetics, solver, steps),
        };
        run.map_err(|error| error.to_string())
    }

    /// Who answers the problem of step k.
    fn solver(&self, k: u64) -> Answering<'_> {
        if !self.stated {
            return Answering::Solver(&*self.solver);
        }
        Answering::Line {
            name: self.stored.header.solver.clone().unwrap_or_default(),
            z: self.stored(k).and_then(stated),
            compression: self.stored(k).and_then(stated_compression),
        }
    }

    /// What does not hold of the header: empty where it comes out as it stands, with as many steps
    /// as its parameters ask for and as follow it.
    pub fn header(&self) -> Vec<String> {
        let stored = &self.stored.header;
        let steps = stored.steps;
        let said = LENGTH
            .iter()
            .any(|name| stored.parameters.contains_key(*name));
        let solver = self.solver(0);
        let steps_asked = if said { None } else { steps };
        let run = self.run(Arithmetics::Exact, &solver, steps_asked);
        let mut found = match run {
            Ok(run) => differences(stored, &as_old_as(stored, run.header())),
            Err(error) => vec![error],
        };
        found.extend(self.not_as_written(0));
        let lines = self.stored.steps.len() as u64;
        if steps != Some(lines) {
            found.push(format!(
                "the header has {} steps, but {lines} follow",
                steps.map_or("no".to_owned(), |steps| steps.to_string())
            ));
        }
        found
    }

    /// What does not hold of step k, counted from 1: taken again from the line before, it must come
    /// out as it stands, and satisfy the theory. The one term that theory leaves open, energy that
    /// a gap which is not concave gains, must be told by the line.
    pub fn step(&self, k: u64) -> Vec<String> {
        let Some(stored) = self.stored(k) else {
            return vec!["there is no such step".to_owned()];
        };
        match self.again(k) {
            Err(why) => vec![why],
            Ok((own, mut found)) => {
                found.splice(0..0, differences(stored, &own));
                found.extend(self.not_as_written(k));
                found
            }
        }
    }

    /// What bounces by Newton's law gained in step k, counted from 1; none where they gained nothing, and where the step
    /// cannot be taken.
    pub fn bounce_gain(&self, k: u64) -> Option<BounceGain> {
        // Most lines say at once that nothing was gained.
        let parts = self.stored(k)?.dissipation.as_ref()?;
        let part = |name: &str| parts.get(name).map_or(0.0, Quantity::to_f64);
        if part("numerical") + part("position") >= 0.0 {
            return None;
        }
        let solver = self.solver(k);
        let mut run = self.run_up_to(k, &solver).ok()?;
        run.advance().ok()?;
        run.bounce_gain().cloned()
    }

    /// That line k, the header being 0, has another text than its values are written with: a digit may be
    /// wrong and the number, which is rounded to binary64, the same.
    fn not_as_written(&self, k: u64) -> Option<String> {
        let written = match k {
            0 => line_text(&self.stored.header),
            _ => line_text(self.stored(k)?),
        };
        let index = usize::try_from(k).ok()?;
        let text = self.stored.texts.get(index)?.trim_end();
        let byte = first_difference(&written, text)?;
        Some(format!(
            "byte {byte} of the line is not what `etalon golden` would write, although all values may be the same"
        ))
    }

    /// The (last) complementarity problem of step k, counted from 1, as the step before it stands in
    /// the file, under the given name, its data rounded to binary64: what a float solver that drives
    /// the simulation would be asked. It is a problem of its own, judged as it is.
    ///
    /// # Errors
    /// Why the step cannot be had.
    pub fn problem(&self, k: u64, name: &str) -> Result<Problem, String> {
        let solver = self.solver(k);
        let run = self.run_up_to(k, &solver)?;
        let exact = run.problem().map_err(|error| error.to_string())?;
        let too_large = || format!("{name}: a number is beyond the range of binary64");
        let round = |value: &Number| Number::from_f64(value.to_f64()).ok_or_else(too_large);
        let n = exact.n();
        let mut rows = vec![vec![Number::from(0); n]; n];
        for (i, row) in rows.iter_mut().enumerate() {
            for (j, value) in row.iter_mut().enumerate() {
                let exact = exact.m().get(i, j).cloned();
                *value = round(&exact.unwrap_or_else(|| Number::from(0)))?;
            }
        }
        let q = exact.q().iter().map(round).collect::<Result<_, _>>()?;
        let m = Matrix::from_rows(rows).map_err(|error| error.to_string())?;
        let mut rounded = Problem::new(name, m, q).map_err(|error| error.to_string())?;
        if !exact.is_lcp() {
            let cones = crate::rounded_cones(&exact)?;
            rounded = rounded
                .with_cones(cones)
                .map_err(|error| error.to_string())?;
        }
        rounded.remarks = exact.remarks;
        Ok(rounded)
    }

    /// The formulation that the header names.
    pub fn formulation(&self) -> &str {
        self.stored
            .header
            .formulation
            .as_deref()
            .unwrap_or_default()
    }

    /// Whether steps are those of corners, whose rule has a solver of its own.
    pub fn is_at_corners(&self) -> bool {
        let of_scene = match &self.source {
            Source::Named(instance) => matches!(instance.moving(), Some(MovingScene::Corners(_))),
            Source::Moving(scene) => matches!(**scene, MovingScene::Corners(_)),
        };
        of_scene || self.formulation() == "egan-trinkle"
    }

    /// The number of steps that are stored.
    pub fn len(&self) -> u64 {
        self.stored.steps.len() as u64
    }

    /// Whether no step is stored.
    pub fn is_empty(&self) -> bool {
        self.stored.steps.is_empty()
    }

    /// The line of step k, counted from 1.
    pub fn stored(&self, k: u64) -> Option<&Line> {
        let index = usize::try_from(k.checked_sub(1)?).ok()?;
        self.stored.steps.get(index)
    }

    /// Each line says that it is the step that stands there.
    ///
    /// # Errors
    /// The first line that does not.
    pub fn check_order(&self) -> Result<(), String> {
        for (k, line) in (1..).zip(&self.stored.steps) {
            let why = check_k(k, line);
            why.map_err(|why| format!("{}: {why}", self.stored.origin(k)))?;
        }
        Ok(())
    }

    /// Step k taken again from the line before it, with its problem and solution.
    ///
    /// # Errors
    /// Why it cannot be taken.
    pub fn recorded(&self, k: u64) -> Result<(Line, StepRecord), String> {
        let solver = self.solver(k);
        let mut run = self.run_up_to(k, &solver)?;
        run.advance_recorded().map_err(|error| error.to_string())
    }

    /// The (last) complementarity problem of step k, counted from 1, with its solution and what is proved of others
    /// within the budget; `None` where the step has none (nothing touches). So other checkers of problems can hold
    /// what this one holds.
    ///
    /// # Errors
    /// Why the step cannot be taken, or its problem not be decided.
    pub fn golden(&self, k: u64, name: &str, budget: &Budget) -> Result<Option<Problem>, String> {
        let (_, record) = self.recorded(k)?;
        if record.problem.n() == 0 {
            return Ok(None);
        }
        let problem = record.problem.renamed(name);
        let mut known = Truth::default();
        let z = record.z.iter().map(Number::to_rational).collect();
        // Of implicit surfaces it is one problem of an iteration, which z need not solve; then it is decided anew.
        let _ = known.add_solution(&problem, z);
        let decision = decide_knowing(&problem, known, budget);
        let decided = Decided {
            truth: decision.truth,
            certificate: decision.certificate,
            gave_up: decision.gave_up,
        };
        let derived = derive(&problem, decided);
        derived.map(Some).map_err(|error| error.to_string())
    }

    /// The run after step k - 1.
    fn run_up_to<'b>(
        &self,
        k: u64,
        solver: &'b dyn Solver,
    ) -> Result<Box<dyn MotionRun + 'b>, String> {
        let mut run = self.run(Arithmetics::Exact, solver, Some(k))?;
        if let Some(before) = self.stored(k.saturating_sub(1)) {
            run.resume(before).map_err(|error| error.to_string())?;
        }
        Ok(run)
    }

    fn again(&self, k: u64) -> Result<(Line, Vec<String>), String> {
        let solver = self.solver(k);
        let mut run = self.run_up_to(k, &solver)?;
        let whole = run.advance_whole().map_err(|error| error.to_string())?;
        let (line, record, violations) = whole;
        let gains = line.gains.as_deref().unwrap_or_default();
        let broken = violations.iter().filter(|own| !own.is_told(gains));
        let broken = broken.map(ToString::to_string);
        let mut broken: Vec<String> = broken.collect();
        if solver.name() == ExactMethod::Lemke.name() && record.problem.is_pure() {
            broken.extend(broken_path(&record.problem, &line.lcp));
        }
        Ok((line, broken))
    }
}

/// The exact method of that name, as `etalon scenario run` takes steps with it: `certified` without a proposal in binary64, whose
/// choice among several solutions might be another one on another machine.
fn exact_solver(name: &str) -> Option<Box<dyn Solver + Send + Sync>> {
    match name.parse().ok()? {
        Named::Exact(method) => Some(method.solver(&Budget::default())),
        _ => None,
    }
}

/// The header without parameters that the stored one does not name: a file may be older than a
/// parameter of its scene, and the run has the default in its place.
fn as_old_as(stored: &Header, mut header: Header) -> Header {
    let own = &mut header.parameters;
    own.retain(|name, _| stored.parameters.contains_key(name));
    header
}

/// The line of step k says that it is.
pub(crate) fn check_k(k: u64, line: &Line) -> Result<(), String> {
    if line.k == k {
        return Ok(());
    }
    let own = line.k;
    Err(format!(
        "the field \"k\" is {own}, and this is step {k}: is a line missing, or in another place?"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_a_case_of_binary64_numbers() {
        let folder = Path::new(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../golden/trajectories"
        ));
        let cases = cases(&folder.join("wedge.jsonl")).unwrap();
        let stored = read_trajectory(&folder.join("wedge.jsonl")).unwrap();
        assert_eq!(cases.len(), stored.steps.len());
        assert_eq!(cases[1].problem.name(), "wedge/step 2");
        for (case, step) in cases.iter().zip(&stored.steps) {
            assert!(case.problem.is_binary64() && case.since == "0.1.0");
            assert_eq!(step.lcp.n, case.problem.n() as u64);
        }
    }

    #[test]
    fn a_file_that_is_older_than_a_parameter_of_its_scene_is_taken_again_with_its_default() {
        let folder = Path::new(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../golden/trajectories"
        ));
        let mut stored = read_trajectory(&folder.join("hole-et-level.jsonl")).unwrap();
        let without = |stored: &mut Trajectory, name: &str| {
            let value = stored.header.parameters.remove(name).unwrap();
            stored.texts[0] = line_text(&stored.header);
            value
        };
        assert_eq!(without(&mut stored, "mu"), "0");
        let replay = Replay::new(&stored).unwrap();
        assert_eq!(replay.header(), Vec::<String>::new());
        assert_eq!(replay.step(4), Vec::<String>::new());
        // Where it had another value, the steps are others.
        assert_eq!(without(&mut stored, "half_angle"), "0");
        assert!(!Replay::new(&stored).unwrap().step(4).is_empty());
    }
}
