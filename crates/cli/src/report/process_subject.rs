//! A solver in a process of its own on the questions: its answers judged, its failures shrunk.

use std::time::Duration;

use etalon_conformance::process::{CommandLine, Process};
use etalon_conformance::{Capabilities, Deadline, FailureKind, ShrinkLimits, Subject};
use etalon_evidence::outcome::{Column, Outcome, SmallProblem};
use etalon_evidence::report::{Arithmetic, ReportedSolver};

use super::super::again::Again;
use super::super::args::ToleranceArgs;
use super::super::diff::{Asked, answer};
use super::super::finding::{examiner, made_small};
use super::super::solver_args::{AllowedArgs, not_started};
use super::outcome::outcome_of;
use crate::Result;
use crate::console::Console;
use etalon_judge::Judge;

/// Questions for making one problem small.
const QUESTIONS: u64 = 3_000;

/// A problem of more rows is not small, whatever was tried.
const SMALL: usize = 24;

/// A solver with its name.
#[derive(Debug, Clone)]
pub struct ProcessSubject {
    pub name: String,
    pub command: CommandLine,
    pub can: Capabilities,
    /// What it can do, where the user or its adapter says it.
    pub said: Option<Capabilities>,
    /// Its version and settings.
    pub about: String,
}

/// `NAME=COMMAND`, or a command that is its own name.
pub fn named(text: &str) -> std::result::Result<(String, CommandLine), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let (name, command) = match text.split_once('=') {
        Some((name, command)) if !name.is_empty() && name.chars().all(plain) => (name, command),
        _ => (text, text),
    };
    let command = CommandLine::parse(command).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), command))
}

/// How it is asked.
pub struct Asking<'a> {
    pub judge: &'a Judge,
    pub tolerance: &'a ToleranceArgs,
    pub allowed: &'a AllowedArgs,
    /// The longest time for making failures small.
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
    /// Asks a solver everything that it can do, until its share of the time is over. A quarter of the share is kept for
    /// making failures small.
    pub fn ask(
        &self,
        solver: &ProcessSubject,
        questions: &[Asked],
        share: &Deadline<'_>,
    ) -> Result<Heard> {
        let sent: Vec<&Asked> = questions
            .iter()
            .filter(|asked| solver.can.lacks(&asked.problem).is_none())
            .collect();
        let outcomes = self.answers(solver, &sent, &share.part(3, 4));
        let mut notes = Vec::new();
        let not_sent = questions.len() - sent.len();
        if not_sent > 0 {
            let all = questions.len();
            notes.push(format!(
                "{}: {not_sent} of {all} problems were not sent; it is asked what it can do ({}).",
                solver.name, solver.can
            ));
        }
        let unreached = sent.len() - outcomes.len();
        if unreached > 0 {
            notes.push(format!(
                "Not run: out of budget. {} was not asked the last {unreached} of {} problems, the largest; --budget gives more time.",
                solver.name,
                sent.len()
            ));
        }
        let outcomes = self.shrink(solver, share, outcomes, &sent, &mut notes);
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

    fn process(&self, solver: &ProcessSubject, deadline: &Deadline<'_>) -> Process {
        Process::new(solver.command.clone(), self.allowed.limits()).until(deadline.end())
    }

    fn again<'b>(&'b self, solver: &'b ProcessSubject) -> Again<'b> {
        Again {
            solver: solver.command.text(),
            can: solver.said.as_ref(),
            allowed: self.allowed,
            tolerance: self.tolerance,
            by_name: false,
        }
    }

    /// The answers in the order of the questions, as many as there was time for. One that the end of the time overtakes
    /// is dropped: the solver or the judge may have been cut short.
    fn answers(
        &self,
        solver: &ProcessSubject,
        sent: &[&Asked],
        deadline: &Deadline<'_>,
    ) -> Vec<Outcome> {
        let process = self.process(solver, deadline);
        let mut judge = self.judge.clone();
        judge.budget.stop = deadline.stop();
        let bar = self.console.bar(Some(sent.len()));
        let mut outcomes = Vec::new();
        for asked in sent {
            if deadline.is_over() {
                break;
            }
            let answered = answer(&process, &judge, asked);
            if deadline.is_over() {
                break;
            }
            for complaint in &answered.complaints {
                self.console.error(complaint);
            }
            let again = self.again(solver);
            outcomes.push(outcome_of(&answered, asked, &solver.name, &again));
            bar.inc(1);
        }
        bar.finish_and_clear();
        outcomes
    }

    /// A command that does not start is a slip of the user's and no failure of a solver.
    pub fn starts(
        &self,
        solver: &ProcessSubject,
        questions: &[Asked],
        deadline: &Deadline<'_>,
    ) -> Result<()> {
        let Some(first) = questions.first().filter(|_| !deadline.is_over()) else {
            return Ok(());
        };
        let process = self.process(solver, deadline);
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
        share: &Deadline<'_>,
        mut outcomes: Vec<Outcome>,
        sent: &[&Asked],
        notes: &mut Vec<String>,
    ) -> Vec<Outcome> {
        let deadline = share.at_most(self.shrinking);
        let process = self.process(solver, &deadline);
        let mut examiner = examiner(self.tolerance.tolerance(), solver.can.clone());
        examiner.judge.budget.stop = deadline.stop();
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
            if deadline.is_over() {
                whole += 1;
                continue;
            }
            let limits = ShrinkLimits {
                questions: QUESTIONS,
                deadline: deadline.end(),
            };
            let problem = &sent[k].problem;
            let Some(small) = made_small(&process, &examiner, problem, limits, SMALL) else {
                whole += 1;
                continue;
            };
            let file = format!("{}.json", small.name());
            let command = self.again(solver).on_file(&small.problem, &file);
            let problem = etalon_lcp::record::write_problem_pretty(&small.problem);
            let small = SmallProblem {
                name: small.name().to_owned(),
                text: small.to_text(),
                problem: serde_json::from_str(&problem).unwrap_or_default(),
                command: Some(command),
            };
            outcomes[k] = outcomes[k].clone().with_small(small);
        }
        bar.finish_and_clear();
        if whole > 0 {
            let (name, all) = (&solver.name, order.len());
            notes.push(if deadline.is_over() {
                format!("Not run: out of budget. {whole} of the {all} failures of {name} were not made small; --budget and --shrink give more time.")
            } else {
                format!("{name}: {whole} of {all} failures were not made small: nothing showed the same fault again, or the problem stayed large.")
            });
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
