//! Steps of engines in memory: numpy arrays that the engine owns, judged without a record.

use etalon::engines::step::{Form, Precision};
use etalon::engines::{
    EngineStep, FilterBound, LevelFinding, RowSet, StepJudge, StepVerdict, StepView, ViewError,
    filter_bound_of_pair, judge_step,
};
use etalon::lcp::Number;
use numpy::{Element, PyArray, PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
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

/// What the bound in binary64 says of a step that it accepts: relative distance, joule, worst row, whether rows are unfelt,
/// and whether R is at its floor.
type Bounded = (f64, f64, Option<usize>, bool, bool);

/// The arrays of a step, by the names of the record's fields. They are copied: that takes less time than numpy's account of
/// what is borrowed.
#[derive(FromPyObject)]
pub struct Arrays<'py> {
    #[pyo3(attribute("M"))]
    m: Bound<'py, PyArray2<f64>>,
    #[pyo3(attribute("J"))]
    j: Bound<'py, PyArray2<f64>>,
    #[pyo3(attribute("R"))]
    r: Bound<'py, PyArray1<f64>>,
    target: Bound<'py, PyArray1<f64>>,
    smooth: Bound<'py, PyArray1<f64>>,
    acceleration: Bound<'py, PyArray1<f64>>,
    force: Bound<'py, PyArray1<f64>>,
    kinds: Bound<'py, PyArray1<i32>>,
    parameter: Bound<'py, PyArray1<f64>>,
}

/// The same in the order of the fields: a tuple takes less time than attributes.
type Given<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<f64>>,
);

impl<'py> From<Given<'py>> for Arrays<'py> {
    fn from(given: Given<'py>) -> Self {
        let (m, j, r, target, smooth, acceleration, force, kinds, parameter) = given;
        Self {
            m,
            j,
            r,
            target,
            smooth,
            acceleration,
            force,
            kinds,
            parameter,
        }
    }
}

/// The numbers of a step.
struct Numbers {
    m: Vec<f64>,
    j: Vec<f64>,
    r: Vec<f64>,
    target: Vec<f64>,
    smooth: Vec<f64>,
    acceleration: Vec<f64>,
    force: Vec<f64>,
    sets: Vec<RowSet>,
}

impl Numbers {
    fn of(step: &Arrays<'_>) -> PyResult<Self> {
        Ok(Self {
            m: matrix(&step.m, "M")?,
            j: matrix(&step.j, "J")?,
            r: copied(&step.r, "R")?,
            target: copied(&step.target, "target")?,
            smooth: copied(&step.smooth, "smooth")?,
            acceleration: copied(&step.acceleration, "acceleration")?,
            force: copied(&step.force, "force")?,
            sets: row_sets(step)?,
        })
    }

    /// The step, checked.
    fn view(&self, h: f64) -> PyResult<StepView<'_>> {
        let view = StepView {
            h,
            m: &self.m,
            force: &self.smooth,
            j: &self.j,
            r: &self.r,
            target: &self.target,
            rows: &self.sets,
            motion: &self.acceleration,
            constraint_force: Some(&self.force),
        };
        view.check().map_err(|error| view_error(&error))?;
        Ok(view)
    }
}

/// The bound of a step in binary64 with all rounding counted, level A, where it accepts motion and forces at once; None where
/// it leaves the step open.
///
/// `arrays` are the attributes of the step that `judge_step_arrays` takes, as a tuple.
#[pyfunction]
pub fn bound_step_arrays(arrays: Given<'_>, h: f64, tol: f64) -> PyResult<Option<Bounded>> {
    check_tolerance(tol)?;
    let numbers = Numbers::of(&arrays.into())?;
    let view = numbers.view(h)?;
    let bound = filter_bound_of_pair(&view).filter(|bound| bound.relative <= tol);
    Ok(bound.map(|bound| bounded(&view, &bound)))
}

/// Judges the answer of a step, level A, in exact arithmetic where the bound in binary64 does not accept it, or `full` asks.
///
/// `step` has the attributes M (nv, nv), J (nefc, nv), R, target, smooth, acceleration, force, kinds and parameter; kinds are
/// 0 equality, 1 box, 2 nonnegative, 3 normal row of a cone, 4 tangential row; parameter is the bound of a box, the coefficient
/// of a tangential row. `iterations`: used, and allowed. `stop_gap`: the engine may stop where its objective is at most this
/// above the minimum.
#[pyfunction]
#[pyo3(signature = (step, h, tol, iterations, full=false, stop_gap=None))]
pub fn judge_step_arrays(
    py: Python<'_>,
    step: Arrays<'_>,
    h: f64,
    tol: f64,
    iterations: (u64, u64),
    full: bool,
    stop_gap: Option<f64>,
) -> PyResult<Told> {
    check_tolerance(tol)?;
    if stop_gap.is_some_and(|own| !(own >= 0.0 && own.is_finite())) {
        return Err(Class::Argument.error("stop_gap is finite and at least 0"));
    }
    let numbers = Numbers::of(&step)?;
    let mut own = with_iterations(&numbers.view(h)?, iterations)?;
    if let Form::Generalised(form) = &mut own.form
        && let Some(answer) = &mut form.answer
    {
        answer.stop_gap = stop_gap.and_then(Number::from_f64);
    }
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

fn check_tolerance(tol: f64) -> PyResult<()> {
    if tol >= 0.0 && tol.is_finite() {
        return Ok(());
    }
    Err(Class::Argument.error(format_args!("tol is {tol}; a tolerance is at least 0")))
}

/// The record of the view, with the iterations of the solver.
fn with_iterations(view: &StepView<'_>, (used, allowed): (u64, u64)) -> PyResult<EngineStep> {
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
fn bounded(view: &StepView<'_>, bound: &FilterBound) -> Bounded {
    let nv = view.nv();
    let is_felt = |k: usize| view.j[k * nv..(k + 1) * nv].iter().any(|own| *own != 0.0);
    let is_unfelt = !(0..view.nefc()).all(is_felt);
    let is_degenerate = view.r.iter().any(|own| *own <= FLOOR);
    // Four roundings.
    let joule = (bound.acceleration * view.h).powi(2) / 2.0 * (1.0 + 8.0 * f64::EPSILON);
    (
        bound.relative,
        joule,
        bound.worst_row,
        is_unfelt,
        is_degenerate,
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
        LevelFinding::Distance(own) => {
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
    let kinds = copied(&step.kinds, "kinds")?;
    let parameter = copied(&step.parameter, "parameter")?;
    if kinds.len() != parameter.len() {
        let (found, expected) = (parameter.len(), kinds.len());
        return Err(Class::Shape.error(format_args!(
            "parameter has {found} numbers where {expected} belong"
        )));
    }
    let sets =
        kinds
            .iter()
            .zip(&parameter)
            .enumerate()
            .map(|(row, (kind, parameter))| match kind {
                0 => Ok(RowSet::Equality),
                1 => Ok(RowSet::Box(*parameter)),
                2 => Ok(RowSet::Nonnegative),
                3 => Ok(RowSet::Normal),
                4 => Ok(RowSet::Tangential(*parameter)),
                _ => {
                    Err(Class::Argument
                        .error(format_args!("kinds[{row}] is {kind}; kinds are 0 to 4")))
                }
            });
    sets.collect()
}

fn matrix(array: &Bound<'_, PyArray2<f64>>, name: &str) -> PyResult<Vec<f64>> {
    if array.is_c_contiguous() {
        return copied(array, name);
    }
    Err(Class::Shape.error(format_args!("{name} is not contiguous, row by row")))
}

fn copied<T: Element, D: numpy::ndarray::Dimension>(
    array: &Bound<'_, PyArray<T, D>>,
    name: &str,
) -> PyResult<Vec<T>> {
    let copy = array.to_vec();
    copy.map_err(|_| Class::Shape.error(format_args!("{name} is not contiguous")))
}

fn view_error(error: &ViewError) -> PyErr {
    let class = match error {
        ViewError::Length { .. } => Class::Shape,
        ViewError::NotFinite { .. } => Class::NotFinite,
        _ => Class::Argument,
    };
    class.error(error)
}
