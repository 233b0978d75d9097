//! A report for programs.

use serde_json::{Map, Value, json};

use super::series::{growing_suites, times};
use super::{Arithmetic, Report};
use crate::outcome::{Column, Tally};

/// The counts, medians, fitted exponents and failures of a report.
pub fn summary(report: &Report) -> Value {
    let solvers = report.solvers.iter().map(|solver| {
        let tally = Tally::of(report.of(&solver.name));
        let counts = Column::ALL.map(|c| (c.word().to_owned(), json!(tally.get(c))));
        json!({
            "name": solver.name,
            "exact": solver.arithmetic == Arithmetic::Exact,
            "sent": tally.sent(),
            "counts": counts.into_iter().collect::<Map<_, _>>(),
            "median_seconds": tally.median(),
            "worst_error": tally.worst(),
        })
    });
    let growth = growing_suites(report).into_iter().flat_map(|suite| {
        times(report, suite).into_iter().map(move |growth| {
            json!({
                "suite": suite,
                "solver": growth.name,
                "exponent": growth.law.map(|law| law.exponent),
                "points": growth.points,
            })
        })
    });
    let mut failures: Vec<_> = failures(report).collect();
    let rows = |n: Option<u64>| {
        n.and_then(|n| usize::try_from(n).ok())
            .unwrap_or(usize::MAX)
    };
    failures.sort_by_cached_key(|o| o.class().severity.key(rows(o.n), o.error.as_ref()));
    let failures = failures
        .into_iter()
        .map(|o| serde_json::from_str::<Value>(&o.line()).ok());
    let bits = report.bits.iter();
    let bits = bits.map(|run| json!({"suite": run.suite, "n": run.n, "most": run.most()}));
    json!({
        "solvers": solvers.collect::<Vec<_>>(),
        "growth": growth.collect::<Vec<_>>(),
        "bits": bits.collect::<Vec<_>>(),
        "trajectories": report.motions.iter().map(|m| &m.name).collect::<Vec<_>>(),
        "failures": failures.collect::<Vec<_>>(),
        "notes": report.notes,
    })
}

/// What counts as a failure: called solved and it is not, no answer, or nothing like one. An honest
/// refusal and the solution of a neighbour do not.
pub fn failures(report: &Report) -> impl Iterator<Item = &crate::outcome::Outcome> {
    let is_failure = |column| matches!(column, Column::Wrong | Column::Crashed | Column::Hung);
    report
        .outcomes
        .iter()
        .filter(move |o| is_failure(o.column()))
}
