//! Steps of engines in memory: numpy arrays that the engine owns, judged without a record.

use etalon::engines::step::{Form, Precision};
use etalon::engines::{
    FilterBound, Finding, RowSet, Step, StepJudge, StepVerdict, StepView, ViewError, Word,
    filter_bound_of_pair, judge_step,
};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use rug::Rational;

use crate::error::Class;
use crate::run::unlocked;

/// R at or below this is MuJoCo's floor: the row asks for a force without a limit.
const FLOOR: f64 = 1e-15;

/// Two proved bounds.
type Bounds = Option<(f64, f64)>;

/// A verdict as Python takes it: word, distance, energy, reason, flags, worst row, way.
type Told = (
    String,
    Bounds,
    Bounds,
    Option<String>,
    Vec<String>,
    Option<usize>,
    String,
);

/// The arrays of a step, by the names of the record's fields.
#[derive(FromPyObject)]
pub struct Arrays<'py> {
    #[pyo3(attribute("M"))]
    m: PyReadonlyArray2<'py, f64>,
    #[pyo3(attribute("J"))]
    j: PyReadonlyArray2<'py, f64>,
    #[pyo3(attribute("R"))]
    r: PyReadonlyArray1<'py, f64>,
    target: PyReadonlyArray1<'py, f64>,
    smooth: PyReadonlyArray1<'py, f64>,
    acceleration: PyReadonlyArray1<'py, f64>,
    force: PyReadonlyArray1<'py, f64>,
    kinds: PyReadonlyArray1<'py, i32>,
    parameter: PyReadonlyArray1<'py, f64>,
}

/// Judges the answer of a step, level A: by the bound in binary64 with all rounding counted, and where that does not accept,
/// or `full` asks, in exact arithmetic.
///
/// `step` has the attributes M (nv, nv), J (nefc, nv), R, target, smooth, acceleration, force, kinds and parameter; kinds are
/// 0 equality, 1 box, 2 nonnegative, 3 normal row of a cone, 4 tangential row; parameter is the bound of a box, the coefficient
/// of a tangential row. `iterations`: used, and allowed.
#[pyfunction]
#[pyo3(signature = (step, h, tol, iterations, full=false))]
pub fn judge_step_arrays(
    py: Python<'_>,
    step: Arrays<'_>,
    h: f64,
    tol: f64,
    iterations: (u64, u64),
    full: bool,
) -> PyResult<Told> {
    if !(tol >= 0.0 && tol.is_finite()) {
        return Err(Class::Argument.error(format_args!("tol is {tol}; a tolerance is at least 0")));
    }
    let sets = row_sets(&step)?;
    let view = StepView {
        h,
        m: slice(&step.m, "M")?,
        force: slice1(&step.smooth, "smooth")?,
        j: slice(&step.j, "J")?,
        r: slice1(&step.r, "R")?,
        target: slice1(&step.target, "target")?,
        rows: &sets,
        motion: slice1(&step.acceleration, "acceleration")?,
        constraint_force: Some(slice1(&step.force, "force")?),
    };
    view.check().map_err(|error| view_error(&error))?;
    if !full {
        // The bound of the pair accepts motion and forces at once, as the judge of records does.
        let bound = filter_bound_of_pair(&view).filter(|bound| bound.relative <= tol);
        if let Some(bound) = bound {
            return Ok(accepted(&view, &bound, iterations));
        }
    }
    let own = with_iterations(&view, iterations)?;
    let judge = StepJudge {
        tol: Rational::from_f64(tol),
        full,
        levels: vec![etalon::engines::Level::A],
        ..StepJudge::default()
    };
    let verdicts = unlocked(py, || judge_step(&own, &judge))?;
    let verdict = verdicts.first();
    verdict.map_or_else(
        || Err(Class::Internal.error("a step without a verdict")),
        |one| Ok(told(one)),
    )
}

/// The record of the view, with the iterations of the solver.
fn with_iterations(view: &StepView<'_>, (used, allowed): (u64, u64)) -> PyResult<Step> {
    let mut step = view
        .to_step("step", Precision::F64)
        .map_err(|error| view_error(&error))?;
    if let Form::Generalised(own) = &mut step.form
        && let Some(answer) = &mut own.answer
    {
        answer.iterations = Some(used);
        answer.iteration_limit = Some(allowed);
    }
    Ok(step)
}

/// What the bound alone says.
fn accepted(view: &StepView<'_>, bound: &FilterBound, (used, allowed): (u64, u64)) -> Told {
    let nv = view.nv();
    let mut flags = Vec::new();
    if used >= allowed {
        flags.push("iteration-limit".to_owned());
    }
    let is_felt = |k: usize| view.j[k * nv..(k + 1) * nv].iter().any(|own| *own != 0.0);
    if !(0..view.nefc()).all(is_felt) {
        flags.push("unfelt".to_owned());
    }
    if view.r.iter().any(|own| *own <= FLOOR) {
        flags.push("degenerate".to_owned());
    }
    // Four roundings.
    let joule = (bound.acceleration * view.h).powi(2) / 2.0 * (1.0 + 8.0 * f64::EPSILON);
    let word = Word::Accepted.word().to_owned();
    let distance = Some((0.0, bound.relative));
    (
        word,
        distance,
        Some((0.0, joule)),
        None,
        flags,
        bound.worst_row,
        "filter".to_owned(),
    )
}

fn told(verdict: &StepVerdict) -> Told {
    let flags = verdict
        .flags
        .iter()
        .map(|flag| flag.word().to_owned())
        .collect();
    let word = verdict.word.word().to_owned();
    match &verdict.finding {
        Finding::Distance(own) => {
            let distance = Some((own.relative.lower, own.relative.upper));
            let joule = Some((own.joule.lower, own.joule.upper));
            (
                word,
                distance,
                joule,
                verdict.reason.clone(),
                flags,
                own.worst_row,
                own.by.word().to_owned(),
            )
        }
        _ => (
            word,
            None,
            None,
            verdict.reason.clone(),
            flags,
            None,
            String::new(),
        ),
    }
}

fn row_sets(step: &Arrays<'_>) -> PyResult<Vec<RowSet>> {
    let (kinds, parameter) = (step.kinds.as_slice(), slice1(&step.parameter, "parameter")?);
    let kinds = kinds.map_err(|_| Class::Shape.error("kinds is not contiguous"))?;
    if kinds.len() != parameter.len() {
        let (found, expected) = (parameter.len(), kinds.len());
        return Err(Class::Shape.error(format_args!(
            "parameter has {found} numbers where {expected} belong"
        )));
    }
    let sets = kinds
        .iter()
        .zip(parameter)
        .enumerate()
        .map(|(row, (kind, parameter))| match kind {
            0 => Ok(RowSet::Equality),
            1 => Ok(RowSet::Box(*parameter)),
            2 => Ok(RowSet::Nonnegative),
            3 => Ok(RowSet::Normal),
            4 => Ok(RowSet::Tangential(*parameter)),
            _ => {
                Err(Class::Argument.error(format_args!("kinds[{row}] is {kind}; kinds are 0 to 4")))
            }
        });
    sets.collect()
}

fn slice<'a>(array: &'a PyReadonlyArray2<'_, f64>, name: &str) -> PyResult<&'a [f64]> {
    match array.is_c_contiguous() {
        true => array
            .as_slice()
            .map_err(|error| Class::Internal.error(error)),
        false => Err(Class::Shape.error(format_args!("{name} is not contiguous, row by row"))),
    }
}

fn slice1<'a>(array: &'a PyReadonlyArray1<'_, f64>, name: &str) -> PyResult<&'a [f64]> {
    array
        .as_slice()
        .map_err(|_| Class::Shape.error(format_args!("{name} is not contiguous")))
}

fn view_error(error: &ViewError) -> PyErr {
    let class = match error {
        ViewError::Length { .. } => Class::Shape,
        ViewError::NotFinite { .. } => Class::NotFinite,
        _ => Class::Argument,
    };
    class.error(error)
}
