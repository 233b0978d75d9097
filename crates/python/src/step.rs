//! `judge_step`: verdicts on a step of a physics engine.

use etalon::engines::step::FrictionLaw;
use etalon::engines::{Level, StepJudge, StepVerdict, judge_step as judge, read_step};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::check::relative;
use crate::error::Class;
use crate::json::loads;
use crate::run::unlocked;

/// Judge a step of a physics engine, a record etalon-step/1.
///
/// Parameters
/// ----------
/// record : str
///     The record as JSON text (`etalon schema step`).
/// level : str or list of str, optional
///     The levels that are asked, "A", "B" or "C"; without it all that the record has data for.
/// tol : number or str, optional
///     The largest relative distance, and violation of a law, that is accepted, taken exactly; 1e-5,
///     of binary32 1e-4.
/// law : str, optional
///     The law of friction to judge by, not the declared one: "coulomb", "pyramid", "box", "ellipse".
/// full : bool
///     Level A: the distance from an exact or reference solution in any case.
/// slip : bool
///     Level C: Coulomb's law at the velocity after the step, not the cone alone.
///
/// Returns
/// -------
/// list of dict
///     The records etalon-verdict/1, one for each level.
///
/// Examples
/// --------
/// >>> import etalon
/// >>> record = '{"name": "s", "h": 1, "M": [[1]], "force": [-1], "J": [[1]], "R": [1], "target": [0],'
/// >>> record += '"sets": [{"kind": "nonnegative", "rows": [0]}], "answer": {"acceleration": [-0.5], "force": [0.5]}}'
/// >>> [verdict["verdict"] for verdict in etalon.judge_step(record, full=True)]
/// ['exact']
#[pyfunction]
#[pyo3(signature = (record, *, level=None, tol=None, law=None, full=false, slip=false))]
pub fn judge_step<'py>(
    py: Python<'py>,
    record: &str,
    level: Option<&Bound<'py, PyAny>>,
    tol: Option<&Bound<'py, PyAny>>,
    law: Option<&str>,
    full: bool,
    slip: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let own = StepJudge {
        levels: levels(level)?,
        tol: match tol {
            None => None,
            Some(_) => Some(relative("tol", tol, rug::Rational::new())?),
        },
        law: match law {
            None => None,
            Some(word) => Some(
                word.parse::<FrictionLaw>()
                    .map_err(|why| Class::Argument.error(format_args!("law: {why}")))?,
            ),
        },
        full,
        slip,
    };
    let step = read_step(record).map_err(|error| Class::Record.error(error))?;
    let verdicts = unlocked(py, || judge(&step.record, &own))?;
    let lines: Vec<_> = verdicts.iter().map(StepVerdict::line).collect();
    loads(py, &format!("[{}]", lines.join(",")))
}

/// A letter, or a list of them.
fn levels(given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Level>> {
    let Some(given) = given else {
        return Ok(Vec::new());
    };
    let words: Vec<String> = match given.extract::<String>() {
        Ok(one) => vec![one],
        Err(_) => given.extract()?,
    };
    let level = |word: &String| {
        let found = Level::ALL.into_iter().find(|level| level.word() == word);
        found.ok_or_else(|| {
            Class::Argument.error(format_args!(
                "level: {word:?} is none of \"A\", \"B\", \"C\""
            ))
        })
    };
    words.iter().map(level).collect()
}
