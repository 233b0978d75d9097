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
    object.maybe("by", verdict.reached.map(|by| text(by.words())));
    object.maybe("grade", verdict.grade.map(|grade| text(grade.word())));
    let far = verdict.ill_conditioned.as_ref();
    object.maybe("ill_conditioned", far.map(measure));
    let energy = verdict.energy_error.as_ref();
    object.maybe("energy_error", energy.map(measure));
    object.raw("truth", truth(&verdict.truth, verdict.asked));
    object
}

fn write_measures(measures: &Measures, object: &mut Object) {
    object.raw("error", measure(&measures.error));
    object.maybe("block_error", measures.block_error.as_ref().map(measure));
    object.raw("backward_error", measure(&measures.backward_error));
    object.raw("negativity", measure(&measures.negativity));
    object.maybe("outside", measures.outside.as_ref().map(measure));
    let residual = measures.residual.as_ref();
    object.raw(
        "residual",
        residual.map_or_else(|| "null".to_owned(), measure),
    );
    for (field, moves) in [("moved", &measures.moved), ("snapped", &measures.snapped)] {
        if moves.entries > 0 {
            let mut snapped = Object::compact();
            snapped.raw("entries", moves.entries.to_string());
            snapped.raw("furthest", measure(&moves.furthest));
            object.raw(field, snapped.finish());
        }
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

fn truth(truth: &TruthStatus, asked: bool) -> String {
    let status = match truth.solvable {
        Some(true) => "solvable",
        Some(false) => "unsolvable",
        None => "unknown",
    };
    let unique = truth
        .unique
        .map_or("null".to_owned(), |unique| text(unique.word()));
    // Unknown without a search differs from unknown after a search.
    let unasked = match truth.solvable {
        None if !asked => ",\"asked\":false",
        _ => "",
    };
    format!("{{\"status\":\"{status}\",\"unique\":{unique}{unasked}}}")
}
