//! Scenes of rigid bodies in contact, at rest and in motion.

use etalon::exact::ExactMethod as Exact;
use etalon::golden::trajectory::line_text;
use etalon::lcp::Solver;
use etalon::lcp::record::write_problem;
use etalon::methods::Method;
use etalon::scenarios::json as scenario_json;
use etalon::scenarios::motion::Arithmetics;
use etalon::scenarios::{Scenario, find, scenarios as registry};
use etalon::time_stepping::FirstOf;
use pyo3::prelude::*;

use crate::callable::Callable;
use crate::error::Class;
use crate::json::loads;
use crate::problem::Problem;
use crate::run::{budget, interruptible};

/// All scenarios, a list of dicts, one for each part of each: name, kind ("rest", "motion" or
/// "world"), description, source, trajectory (whether it moves) and parameters (name, default, unit,
/// meaning, range).
#[pyfunction]
pub fn scenarios(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    loads(py, &scenario_json::list(registry()).to_string())
}

/// A scene at rest: its problem, its name and values, and the exact answer as a JSON text.
#[pyfunction]
#[pyo3(signature = (name, settings, method, *, pivots=None, bits=None, time_limit=None))]
pub fn scene(
    py: Python<'_>,
    name: &str,
    settings: Vec<(String, String)>,
    method: &str,
    pivots: Option<u64>,
    bits: Option<u64>,
    time_limit: Option<f64>,
) -> PyResult<(Problem, String)> {
    let method = match method {
        "exact" => Method::default(),
        other => other
            .parse()
            .map_err(|error| Class::Argument.error(error))?,
    };
    if !method.is_exact() {
        return Err(Class::Argument.error(
            "forces are exact: choose an exact method, and hold others against the scene's problem with check",
        ));
    }
    let settings = settings.iter().map(|(key, value)| (&**key, &**value));
    let scenario = find(name).map_err(|error| Class::Argument.error(error))?;
    let instance = scenario
        .instance(settings)
        .map_err(|error| Class::Argument.error(error))?;
    let problem = instance
        .problem()
        .map_err(|error| Class::Argument.error(error))?;
    let budget = budget(pivots, bits, time_limit)?;
    let stop = budget.stop.clone();
    let answer = interruptible(py, &stop, move || {
        let answer = instance.answer(&*method.solver(&budget), &budget);
        answer.map(|answer| scenario_json::answer(&answer).to_string())
    })?;
    let answer = answer.map_err(|error| Class::Argument.error(error))?;
    Ok((problem.into(), answer))
}

/// A scene in motion: the lines of `etalon-trajectory/1`, the header first.
#[pyfunction]
#[pyo3(signature = (name, settings, solver, steps=None, *, pivots=None, bits=None, time_limit=None))]
#[allow(clippy::too_many_arguments)]
pub fn trajectory(
    py: Python<'_>,
    name: &str,
    settings: Vec<(String, String)>,
    solver: &Bound<'_, PyAny>,
    steps: Option<u64>,
    pivots: Option<u64>,
    bits: Option<u64>,
    time_limit: Option<f64>,
) -> PyResult<Vec<String>> {
    let scenario = find(name).map_err(|error| Class::Argument.error(error))?;
    let budget = budget(pivots, bits, time_limit)?;
    let (arithmetics, solver) = match solver.extract::<String>() {
        Ok(word) => named(&word, &budget)?,
        Err(_) if solver.is_callable() => {
            let solver = Callable(solver.clone().unbind());
            (
                Arithmetics::Binary64,
                Box::new(solver) as Box<dyn Solver + Send + Sync>,
            )
        }
        Err(_) => return Err(Class::Argument.error("a solver is a name or a callable")),
    };
    let stop = budget.stop.clone();
    let going = stop.clone();
    interruptible(py, &stop, move || {
        let still = || !going.is_stopped();
        run(scenario, &settings, arithmetics, &*solver, steps, &still)
    })?
    .map_err(|why| Class::Argument.error(why))
}

/// The solvers of the command line: exact, fast, or a method.
fn named(
    word: &str,
    budget: &etalon::exact::Budget,
) -> PyResult<(Arithmetics, Box<dyn Solver + Send + Sync>)> {
    let method = match word {
        // Its pivots fix z also where it is not unique, so that trajectories are the same everywhere.
        "exact" => Method::Exact(Exact::Lemke),
        "fast" => Method::Fast(etalon::fast::FastMethod::Auto),
        other => other
            .parse()
            .map_err(|error| Class::Argument.error(error))?,
    };
    if method.is_exact() {
        return Ok((Arithmetics::Exact, method.solver(budget)));
    }
    let solvers = vec![method.solver(budget), Exact::Lemke.solver(budget)];
    Ok((
        Arithmetics::Binary64,
        Box::new(FirstOf::new("fast", solvers)),
    ))
}

fn run(
    scenario: &Scenario,
    settings: &[(String, String)],
    arithmetics: Arithmetics,
    solver: &dyn Solver,
    steps: Option<u64>,
    still: &dyn Fn() -> bool,
) -> Result<Vec<String>, String> {
    let settings = settings.iter().map(|(key, value)| (&**key, &**value));
    let instance = scenario
        .motion_instance(settings)
        .map_err(|error| error.to_string())?;
    let trajectory = instance.trajectory(arithmetics, solver, steps);
    let mut trajectory = trajectory.map_err(|error| error.to_string())?;
    let mut lines = vec![line_text(&trajectory.header())];
    while trajectory.k() < trajectory.steps() && still() {
        let line = trajectory.advance().map_err(|error| error.to_string())?;
        lines.push(line_text(&line));
    }
    Ok(lines)
}

/// The record of the problem of a step of a trajectory.
#[pyfunction]
#[pyo3(signature = (name, settings, step=1))]
pub fn step_problem(
    py: Python<'_>,
    name: &str,
    settings: Vec<(String, String)>,
    step: u64,
) -> PyResult<Problem> {
    let scenario = find(name).map_err(|error| Class::Argument.error(error))?;
    let budget = budget(None, None, None)?;
    let stop = budget.stop.clone();
    let record = interruptible(py, &stop, move || {
        let solver = Exact::Lemke.solver(&budget);
        let settings = settings.iter().map(|(key, value)| (&**key, &**value));
        let instance = scenario
            .motion_instance(settings)
            .map_err(|error| error.to_string())?;
        let trajectory = instance.trajectory(Arithmetics::Exact, &*solver, None);
        let mut trajectory = trajectory.map_err(|error| error.to_string())?;
        while trajectory.k() + 1 < step && !budget.stop.is_stopped() {
            trajectory.advance().map_err(|error| error.to_string())?;
        }
        let problem = trajectory.problem().map_err(|error| error.to_string())?;
        Ok::<_, String>(write_problem(&problem))
    })?;
    let record = record.map_err(|why| Class::Argument.error(why))?;
    Problem::from_json(&record, None)
}
