//! Other people's solvers on the same problems in the same run, and OpenBLAS's `dgesv` as yardstick. Each is a process that
//! answers problem lines with claims.

use std::collections::HashSet;
use std::time::Duration;

use etalon_benches::case::{Case, Data, FAMILIES};
use etalon_benches::statistics::median;
use etalon_benches::table::{ratio, render};
use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_conformance::Subject;
use etalon_conformance::process::{CommandLine, CommandLineError, Limits, Process};
use etalon_lcp::{Claim, ClaimedAnswer, Matrix, Number, Problem, VerdictKind};

use crate::measure::Measurement;

/// A solver is asked each problem so often, and the median of its times counts.
const ASKED: usize = 3;
/// A solver that takes longer than this over one problem is not asked it again.
const LONG: f64 = 0.5;
/// A solver that takes longer than this gets no larger problem of the family.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A program with the name that the page gives it.
pub struct Peer {
    name: String,
    process: Process,
}

impl Peer {
    /// `NAME=COMMAND`, or a command, whose name is then its program's. Nothing is started yet.
    ///
    /// # Errors
    /// Where the command has no words, or an open quotation.
    pub fn parse(text: &str) -> Result<Self, CommandLineError> {
        let named = text.split_once('=').filter(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '-')
        });
        let (name, command) = named.map_or((None, text), |(name, command)| (Some(name), command));
        let command = CommandLine::parse(command)?;
        let program = command.program().rsplit('/').next().unwrap_or_default();
        let name = name.unwrap_or(program).to_owned();
        let limits = Limits {
            timeout: TIMEOUT,
            ..Limits::default()
        };
        Ok(Self {
            name,
            process: Process::new(command, limits),
        })
    }

    /// The seconds that `dgesv` takes for the equations of a case.
    ///
    /// # Errors
    /// The program's failure, in words: ratios to a yardstick need its time on every problem.
    pub fn yardstick(&self, case: &Case) -> Result<f64, String> {
        let problem = dense(case).ok_or("the problem is not dense")?;
        let claim = self
            .process
            .ask(&problem)
            .map_err(|failure| failure.message)?;
        named_seconds(&claim)
            .ok_or_else(|| format!("{} names no seconds for {}", self.name, claim.name))
    }
}

/// The time that a claim names.
fn named_seconds(claim: &Claim) -> Option<f64> {
    claim.seconds.filter(|seconds| *seconds > 0.0)
}

/// One solver on one problem.
#[derive(Debug, Clone)]
pub struct Record {
    family: &'static str,
    nominal: usize,
    name: String,
    /// Its time, in units of the best LU, where its answer is right.
    over_lu: Option<f64>,
}

/// Asks all peers all problems of seed 1 up to n = 300, right after the measurement of ours.
pub fn ask_all(peers: &[Peer], cases: &[Case], measurements: &[Measurement]) -> Vec<Record> {
    let mut slow = HashSet::new();
    let mut records = Vec::new();
    for (case, measurement) in cases.iter().zip(measurements) {
        let Some((problem, lu)) = dense(case).zip(measurement.lu()) else {
            continue;
        };
        for peer in peers {
            let key = (peer.name.clone(), case.family.name);
            let seconds = (!slow.contains(&key))
                .then(|| right(peer, &problem))
                .flatten();
            if seconds.is_none() {
                slow.insert(key);
            }
            records.push(Record {
                family: case.family.name,
                nominal: case.nominal,
                name: peer.name.clone(),
                over_lu: seconds.map(|seconds| seconds / lu),
            });
        }
    }
    records
}

/// The median of the seconds that it reports, where every answer is accepted.
fn right(peer: &Peer, problem: &Problem) -> Option<f64> {
    let mut times = Vec::new();
    let mut judged: Option<ClaimedAnswer> = None;
    for _ in 0..ASKED {
        let claim = peer.process.ask(problem).ok()?;
        // The same answer again is right again.
        if judged.as_ref() != Some(&claim.answer) && !is_right(problem, &claim) {
            return None;
        }
        judged = Some(claim.answer.clone());
        times.push(named_seconds(&claim)?);
        if times.last() > Some(&LONG) {
            break;
        }
    }
    median(&times)
}

/// Of a wrong answer nobody asks here how far it is from a solution, which takes long on 1000 rows.
fn is_right(problem: &Problem, claim: &Claim) -> bool {
    let verdict = check_claim(problem, claim, &Truth::default(), &Tolerance::default());
    matches!(verdict.kind, VerdictKind::Exact | VerdictKind::Accepted)
}

/// The record that the protocol sends: dense, in binary64.
fn dense(case: &Case) -> Option<Problem> {
    let data: &Data = &case.data;
    let m = Matrix::from_binary64(&data.matrix())?;
    let q: Option<Vec<Number>> = data.q.iter().copied().map(Number::from_f64).collect();
    Problem::new(case.problem.name(), m, q?).ok()
}

/// For each family and size the peer that was fastest of those that were right on every problem, and all of these.
pub fn table(records: &[Record]) -> String {
    let mut rows = Vec::new();
    for family in &FAMILIES {
        for nominal in [10, 30, 100, 300, 1000] {
            let here: Vec<_> = records
                .iter()
                .filter(|r| r.family == family.name && r.nominal == nominal)
                .collect();
            if here.is_empty() {
                continue;
            }
            let mut right = always_right(&here);
            right.sort_by(|one, two| one.1.total_cmp(&two.1));
            let shown: Vec<_> = right
                .iter()
                .map(|(name, over)| format!("{name} {}", ratio(Some(*over))))
                .collect();
            let shown = if shown.is_empty() {
                "nobody".to_owned()
            } else {
                shown.join(", ")
            };
            rows.push(vec![family.label.to_owned(), nominal.to_string(), shown]);
        }
    }
    render(
        &["family", "n", "right on every problem, time / best LU"],
        3,
        rows,
    )
}

/// The medians of those who have a right answer to each of these problems.
fn always_right<'a>(here: &[&'a Record]) -> Vec<(&'a str, f64)> {
    let mut names: Vec<&str> = here.iter().map(|record| record.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let of = |name: &&'a str| {
        let own = here.iter().filter(|record| record.name == *name);
        let times: Option<Vec<f64>> = own.map(|record| record.over_lu).collect();
        Some((*name, median(&times?)?))
    };
    names.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(name: &str, over_lu: Option<f64>) -> Record {
        Record {
            family: "pd",
            nominal: 10,
            name: name.to_owned(),
            over_lu,
        }
    }

    #[test]
    fn one_wrong_answer_takes_a_solver_out() {
        let records = [
            record("slow", Some(9.0)),
            record("slow", Some(7.0)),
            record("quick", Some(2.0)),
            record("quick", Some(2.0)),
            record("sometimes", Some(1.0)),
            record("sometimes", None),
        ];
        let table = table(&records);
        assert!(table.contains("| quick 2.00, slow 8.00 "), "{table}");
        assert!(!table.contains("sometimes"));
    }

    #[test]
    fn a_name_stands_before_its_command() {
        let name = |text| Peer::parse(text).unwrap().name;
        assert_eq!(name("quantecon=python3 lemke.py"), "quantecon");
        assert_eq!(name("bin/dgesv"), "dgesv");
        assert_eq!(name("env A=b solver"), "env");
    }

    #[test]
    fn a_claim_without_a_time_has_none() {
        let claim = Claim::failed("tie", "no solver");
        let timed = |seconds| {
            named_seconds(&Claim {
                seconds,
                ..claim.clone()
            })
        };
        assert_eq!(timed(Some(0.5)), Some(0.5));
        assert_eq!((timed(Some(0.0)), timed(None)), (None, None));
    }
}
