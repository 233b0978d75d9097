//! A solver in a process of its own on the questions: its answers judged, its failures shrunk.

use std::time::{Duration, Instant};

use etalon_conformance::process::{Command, Limits, Process};
use etalon_conformance::{Capabilities, FailureKind, ShrinkLimits, Subject};
use etalon_evidence::outcome::{Column, Outcome, SmallProblem};
use etalon_evidence::report::{Arithmetic, ReportedSolver};

use super::super::diff::{Asked, answer};
use super::super::finding::{examiner, made_small};
use super::super::solver_args::{not_started, quote};
use super::outcome_of;
use crate::Result;
use crate::console::Console;
use etalon_certify::Tolerance;
use etalon_judge::Judge;

/// Questions for making one problem small.
const QUESTIONS: u64 = 3_000;

/// A problem of more rows is not small, whatever was tried.
const SMALL: usize = 24;

/// A solver with its name.
#[derive(Debug, Clone)]
pub struct ProcessSubject {
    pub name: String,
    pub command: Command,
    pub can: Capabilities,
    /// Its version and settings.
    pub about: String,
}

/// `NAME=COMMAND`, or a command that is its own name.
pub fn named(text: &str) -> std::result::Result<(String, Command), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let (name, command) = match text.split_once('=') {
        Some((name, command)) if !name.is_empty() && name.chars().all(plain) => (name, command),
        _ => (text, text),
    };
    let command = Command::parse(command).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), command))
}

/// How it is asked.
pub struct Asking<'a> {
    pub judge: &'a Judge,
    pub tolerance: Tolerance,
    pub limits: Limits,
    /// The time for making failures small.
    pub shrinking: Duration,
    pub console: &'a Console,
}

/// The outcome.
pub struct Heard {
    pub reported: ReportedSolver,
    pub outcomes: Vec<Outcome>,
    pub notes: Vec<String>,
}

impl Asking<'_> {
    /// Asks a solver everything that it can do.
    pub fn ask(&self, solver: &ProcessSubject, questions: &[Asked]) -> Result<Heard> {
        let process = Process::new(solver.command.clone(), self.limits);
        let sent: Vec<&Asked> = questions
            .iter()
            .filter(|asked| solver.can.lacks(&asked.problem).is_none())
            .collect();
        let bar = self.console.bar(Some(sent.len()));
        let mut outcomes = Vec::new();
        for asked in &sent {
            let answered = answer(&process, self.judge, asked);
            for complaint in &answered.complaints {
                self.console.error(complaint);
            }
            outcomes.push(outcome_of(&answered, asked, &solver.name));
            bar.inc(1);
        }
        bar.finish_and_clear();
        let mut notes = Vec::new();
        let not_sent = questions.len() - sent.len();
        if not_sent > 0 {
            let all = questions.len();
            notes.push(format!(
                "{}: {not_sent} of {all} problems were not sent; it is asked what it can do ({}).",
                solver.name, solver.can
            ));
        }
        let outcomes = self.shrink(solver, &process, outcomes, &sent, &mut notes);
        let own_clock = outcomes.iter().any(|o| {
            let line: serde_json::Value = serde_json::from_str(&o.line()).unwrap_or_default();
            !line["solver_seconds"].is_null()
        });
        Ok(Heard {
            reported: ReportedSolver {
                name: solver.name.clone(),
                arithmetic: Arithmetic::Floating,
                about: solver.about.clone(),
                clock: if own_clock {
                    "as it says itself".to_owned()
                } else {
                    "until the answer came, pipes included".to_owned()
                },
            },
            outcomes,
            notes,
        })
    }

    /// A command that does not start is a slip of the user's and no failure of a solver.
    pub fn starts(&self, solver: &ProcessSubject, questions: &[Asked]) -> Result<()> {
        let Some(first) = questions.first() else {
            return Ok(());
        };
        let process = Process::new(solver.command.clone(), self.limits);
        match process.ask(&first.problem) {
            Err(failure) if failure.kind == FailureKind::NotStarted => {
                Err(not_started(solver.command.text(), &failure))
            }
            _ => Ok(()),
        }
    }

    /// Makes failures small, those of few rows first, until the time is over.
    fn shrink(
        &self,
        solver: &ProcessSubject,
        process: &Process,
        mut outcomes: Vec<Outcome>,
        sent: &[&Asked],
        notes: &mut Vec<String>,
    ) -> Vec<Outcome> {
        let deadline = Instant::now() + self.shrinking;
        let examiner = examiner(self.tolerance.clone(), solver.can.clone());
        let fails =
            |o: &Outcome| matches!(o.column(), Column::Wrong | Column::Crashed | Column::Hung);
        let mut order: Vec<usize> = (0..outcomes.len())
            .filter(|&k| fails(&outcomes[k]))
            .collect();
        order.sort_by_key(|&k| sent[k].problem.n());
        let bar = self.console.bar(Some(order.len()));
        let mut whole = 0;
        for &k in &order {
            bar.inc(1);
            if Instant::now() >= deadline {
                whole += 1;
                continue;
            }
            let limits = ShrinkLimits {
                questions: QUESTIONS,
                deadline: Some(deadline),
            };
            let made = made_small(process, &examiner, &sent[k].problem, limits);
            let Some(small) = made.filter(|small| small.problem.n() <= SMALL) else {
                whole += 1;
                continue;
            };
            let problem = etalon_lcp::record::write_problem_pretty(&small.problem);
            let small = SmallProblem {
                name: small.name().to_owned(),
                text: small.to_text(),
                problem: serde_json::from_str(&problem).unwrap_or_default(),
                command: Some(format!(
                    "etalon diff --solver {} {}.json",
                    quote(solver.command.text()),
                    small.name()
                )),
            };
            outcomes[k] = outcomes[k].clone().with_small(small);
        }
        bar.finish_and_clear();
        if whole > 0 {
            notes.push(format!(
                "{}: {whole} of {} failures were not made small: the time for that ended (--shrink), or nothing showed the same fault again.",
                solver.name,
                order.len()
            ));
        }
        outcomes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_stand_before_the_command() {
        let name =
            |text: &str| named(text).map(|(name, command)| (name, command.text().to_owned()));
        let pair = |a: &str, b: &str| Ok((a.to_owned(), b.to_owned()));
        assert_eq!(name("mine=python3 s.py"), pair("mine", "python3 s.py"));
        assert_eq!(name("./s --x=1"), pair("./s --x=1", "./s --x=1"));
        assert!(name("mine=").is_err());
    }
}
