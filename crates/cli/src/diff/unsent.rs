//! Problems that were not sent to a solver, in words.

use std::collections::BTreeMap;

use etalon_conformance::{Capabilities, Skip};

use crate::solver_args::quote;

/// What is said of problems that were not sent: at most two lines.
pub fn not_sent(skips: &BTreeMap<Skip, u64>, can: &Capabilities) -> Vec<String> {
    let told = |(skip, count): (&Skip, &u64)| hint(*count, skip, can);
    if skips.len() <= 2 {
        return skips.iter().map(told).collect();
    }
    let (boxes, others): (Vec<_>, Vec<_>) = skips
        .iter()
        .partition(|(skip, _)| matches!(skip, Skip::Boxes));
    let mut lines: Vec<String> = boxes.into_iter().map(told).collect();
    let count: u64 = others.iter().map(|(_, count)| **count).sum();
    let with_can = others
        .iter()
        .filter_map(|(skip, count)| Some(format!("{} {count}", skip.word()?)));
    let with_can = with_can.collect::<Vec<_>>().join(", ");
    let never = (others.iter()).filter(|(skip, _)| skip.word().is_none());
    let never = never.map(|(skip, count)| format!("{skip} {count}"));
    let mut parts: Vec<String> = never.collect();
    if !with_can.is_empty() {
        parts.insert(0, with_can);
    }
    lines.push(format!("{count} not sent (--can): {}", parts.join("; ")));
    lines
}

/// What is said of problems that were not sent to a solver that `can` do so much, with what to type where they are
/// to be. `--can` is the whole list, so what the solver can do already is in it.
fn hint(count: u64, skip: &Skip, can: &Capabilities) -> String {
    let Some(more) = can.with(skip) else {
        return format!("{count} not sent: {skip}");
    };
    let what = match skip {
        Skip::Boxes => "with bounds",
        Skip::Friction => "with friction rows",
        Skip::Cones => "with cones",
        Skip::ConvexCones => "with cones under the convex law",
        Skip::ProductCones => "with cones of several discs",
        _ => "without a solution",
    };
    let problems = if count == 1 { "problem" } else { "problems" };
    let list = quote(&more.to_string());
    format!("{count} {problems} {what} not sent; --can {list} sends them")
}
