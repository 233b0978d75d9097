//! The data of figures, computed from outcomes.

use std::collections::{BTreeMap, BTreeSet};

use super::{Arithmetic, Report};
use crate::measure::profile::{Profile, profiles};
use crate::measure::statistics::{PowerLaw, median};
use crate::outcome::{Column, Outcome};

/// Medians against n, with the power law through them.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// Whose.
    pub name: String,
    /// n and the median at n.
    pub points: Vec<(f64, f64)>,
    /// How many problems they are from.
    pub problems: usize,
    /// The law.
    pub law: Option<PowerLaw>,
}

/// A profile with what it is over.
#[derive(Debug, Clone, PartialEq)]
pub struct Race {
    /// Of each solver.
    pub profiles: Vec<Profile>,
    /// The number of problems that all of them were asked.
    pub problems: usize,
}

/// Sizes below this are said to be few.
const SIZES: usize = 3;

impl Growth {
    /// From (n, value), as they come.
    pub fn new(name: &str, values: &[(u64, f64)]) -> Self {
        let mut by_n: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        let usable = values.iter().filter(|(n, v)| *n > 0 && *v > 0.0);
        for &(n, value) in usable {
            by_n.entry(n).or_default().push(value);
        }
        let points: Vec<_> = by_n
            .iter()
            .filter_map(|(n, values)| Some((*n as f64, median(values)?)))
            .collect();
        Self {
            name: name.to_owned(),
            problems: by_n.values().map(Vec::len).sum(),
            law: PowerLaw::fit(&points).filter(|_| points.len() >= SIZES),
            points,
        }
    }
}

/// The suites in which growth can be seen: at least three sizes, the largest four times the least.
pub fn growing_suites(report: &Report) -> Vec<&str> {
    let mut sizes: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    let mut order = Vec::new();
    for outcome in &report.outcomes {
        if let (Some(n), Some(_)) = (outcome.n, outcome.seconds) {
            sizes.entry(&outcome.suite).or_default().insert(n);
            if !order.contains(&&*outcome.suite) {
                order.push(&*outcome.suite);
            }
        }
    }
    let grows = |suite: &&str| {
        let sizes = &sizes[suite];
        let ends = sizes.first().zip(sizes.last());
        sizes.len() >= SIZES && ends.is_some_and(|(least, most)| most / least.max(&1) >= 4)
    };
    order.into_iter().filter(grows).collect()
}

/// Times of right answers against n, of each solver on a suite.
pub fn times(report: &Report, suite: &str) -> Vec<Growth> {
    let growths = report.solvers.iter().map(|solver| {
        let of_suite = report.of(&solver.name).filter(|o| o.suite == suite);
        let right = of_suite.filter(|o| o.column() == Column::Solved);
        let values: Vec<_> = right.filter_map(|o| Some((o.n?, o.seconds?))).collect();
        Growth::new(&solver.name, &values)
    });
    growths.filter(|growth| !growth.points.is_empty()).collect()
}

/// Times of one solver over those of another on the same problems, by suite.
pub fn ratios(report: &Report, slow: &str, fast: &str) -> Vec<Growth> {
    let right = |solver| {
        let right = report.of(solver).filter(|o| o.column() == Column::Solved);
        right.map(|o| ((&*o.suite, &*o.name), o))
    };
    let beside: BTreeMap<(&str, &str), &Outcome> = right(fast).collect();
    let mut values: BTreeMap<&str, Vec<(u64, f64)>> = BTreeMap::new();
    for (key, own) in right(slow) {
        let times = beside.get(&key).and_then(|o| o.seconds).zip(own.seconds);
        if let (Some((fast, slow)), Some(n)) = (times, own.n) {
            values.entry(key.0).or_default().push((n, slow / fast));
        }
    }
    let growths = values.iter().map(|(suite, v)| Growth::new(suite, v));
    growths
        .filter(|growth| growth.points.len() >= SIZES)
        .collect()
}

/// The performance profiles of the solvers of one arithmetic over the problems that all of them
/// were asked. An answer that is not right is a failure.
pub fn race(report: &Report, arithmetic: Arithmetic) -> Option<Race> {
    let of_kind = report.solvers.iter().filter(|e| e.arithmetic == arithmetic);
    let names: Vec<&str> = of_kind.map(|e| &*e.name).collect();
    let mut asked: BTreeMap<(&str, &str), Vec<Option<Option<f64>>>> = BTreeMap::new();
    for outcome in &report.outcomes {
        let Some(k) = names.iter().position(|name| *name == outcome.solver) else {
            continue;
        };
        let key = (&*outcome.suite, &*outcome.name);
        let row = asked.entry(key).or_insert_with(|| vec![None; names.len()]);
        let right = outcome.column() == Column::Solved;
        row[k] = Some(outcome.seconds.filter(|s| right && *s > 0.0));
    }
    // A row with a gap belongs to a problem that some solver was not sent.
    let whole = |row: Vec<Option<Option<f64>>>| row.into_iter().collect::<Option<Vec<_>>>();
    let common: Vec<Vec<Option<f64>>> = asked.into_values().filter_map(whole).collect();
    let found = profiles(&names, &common);
    (names.len() > 1 && !common.is_empty()).then_some(Race {
        profiles: found,
        problems: common.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::ReportedSolver;
    use super::*;
    use crate::outcome::{Beside, record};

    fn outcome(solver: &str, name: &str, n: usize, seconds: f64, verdict: &str) -> Outcome {
        let line = format!(r#"{{"name": "{name}", "verdict": "{verdict}"}}"#);
        let beside = Beside {
            solver,
            suite: "pd",
            n,
            passed: verdict == "exact",
            seconds: Some(seconds),
            ..Beside::default()
        };
        Outcome::new(record(&line, &beside), "").unwrap()
    }

    fn report(outcomes: Vec<Outcome>) -> Report {
        let mut report = Report {
            outcomes,
            ..Report::default()
        };
        report.complete("");
        report
    }

    #[test]
    fn growth_is_a_median_and_a_law() {
        let mut outcomes = Vec::new();
        for n in [10, 20, 40] {
            let time = 1e-9 * (n as f64).powi(3);
            for (k, factor) in [(0, 1.0), (1, 1.1), (2, 90.0)] {
                outcomes.push(outcome("s", &format!("{n}/{k}"), n, time * factor, "exact"));
            }
            // Wrong answers have no time.
            outcomes.push(outcome("s", &format!("{n}/3"), n, 1e-12, "rejected"));
        }
        let report = report(outcomes);
        assert_eq!(growing_suites(&report), ["pd"]);
        let growth = &times(&report, "pd")[0];
        assert_eq!((growth.points.len(), growth.problems), (3, 9));
        assert!((growth.law.unwrap().exponent - 3.0).abs() < 1e-9);
    }

    #[test]
    fn a_race_is_over_what_all_were_asked() {
        let outcomes = vec![
            outcome("a", "1", 5, 1.0, "exact"),
            outcome("b", "1", 5, 2.0, "exact"),
            outcome("a", "2", 5, 1.0, "exact"),
            outcome("b", "2", 5, 0.1, "rejected"),
            outcome("a", "3", 5, 1.0, "exact"),
        ];
        let race = race(&report(outcomes), Arithmetic::Floating).unwrap();
        assert_eq!(race.problems, 2);
        assert_eq!(race.profiles[0].solved(), 1.0);
        assert_eq!(race.profiles[1].within(1.0), 0.0);
        assert_eq!(race.profiles[1].solved(), 0.5);
    }

    #[test]
    fn ratios_are_of_the_same_problems() {
        let mut outcomes = Vec::new();
        for n in [5, 10, 20] {
            outcomes.push(outcome("fast-auto", &n.to_string(), n, 1.0, "exact"));
            outcomes.push(outcome("certified", &n.to_string(), n, n as f64, "exact"));
        }
        outcomes.push(outcome("certified", "alone", 40, 9.0, "exact"));
        let report = report(outcomes);
        let ratio = &ratios(&report, "certified", "fast-auto")[0];
        assert_eq!(ratio.points, [(5.0, 5.0), (10.0, 10.0), (20.0, 20.0)]);
        let exact = |e: &&ReportedSolver| e.arithmetic == Arithmetic::Exact;
        assert_eq!(report.solvers.iter().filter(exact).count(), 1);
    }
}
