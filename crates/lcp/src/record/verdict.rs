//! Verdict records.

use rug::Rational;

use super::VERDICT_FORMAT;
use super::write::{Object, text};
use crate::number::{Number, format_f64, round_up_f64};
use crate::verdict::{Measures, TruthStatus, Verdict};

/// Writes a verdict as one line (without the line's end). Measures are rounded up.
pub fn write_verdict(verdict: &Verdict) -> String {
    write(verdict).finish()
}

/// As [`write_verdict`], with an exact solution to show what would have been right.
pub fn write_verdict_with_solution(verdict: &Verdict, solution: &[Rational]) -> String {
    let mut object = write(verdict);
    let numbers: Vec<_> = solution.iter().cloned().map(Number::from).collect();
    object.numbers("solution", &numbers);
    object.finish()
}

fn write(verdict: &Verdict) -> Object {
    let mut object = Object::compact();
    object.text("format", VERDICT_FORMAT);
    object.text("name", &verdict.name);
    object.text("verdict", verdict.kind.word());
    object.maybe("reason", verdict.reason.as_deref().map(text));
    if let Some(measures) = &verdict.measures {
        write_measures(measures, &mut object);
    }
    object.maybe("distance", verdict.distance.as_ref().map(measure));
    object.raw("truth", truth(&verdict.truth));
    object
}

fn write_measures(measures: &Measures, object: &mut Object) {
    object.raw("backward_error", measure(&measures.backward_error));
    object.raw("negativity", measure(&measures.negativity));
    object.raw("residual", measure(&measures.residual));
    if measures.snapped.entries > 0 {
        let mut snapped = Object::compact();
        snapped.raw("entries", measures.snapped.entries.to_string());
        snapped.raw("furthest", measure(&measures.snapped.furthest));
        object.raw("snapped", snapped.finish());
    }
}

/// A measure rounded up; beyond the range of binary64, a power of ten above it as a string.
fn measure(value: &Rational) -> String {
    let rounded = round_up_f64(value);
    if rounded.is_finite() {
        return format_f64(rounded);
    }
    let digits = Rational::from(value.abs_ref())
        .ceil()
        .numer()
        .to_string_radix(10)
        .len();
    format!("\"1e{digits}\"")
}

fn truth(truth: &TruthStatus) -> String {
    let status = match truth.solvable {
        Some(true) => "solvable",
        Some(false) => "unsolvable",
        None => "unknown",
    };
    let unique = truth
        .unique
        .map_or("null".to_owned(), |unique| text(unique.word()));
    format!("{{\"status\":\"{status}\",\"unique\":{unique}}}")
}
