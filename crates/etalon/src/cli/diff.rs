//! `etalon diff`: somebody's solver over the goldens.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use etalon_conformance::process::{Command, Limits, Process};
use etalon_golden::{Golden, Suite, read};
use etalon_lcp::{Solver, VerdictKind};
use serde_json::{Map, Value, json};

use super::args::{BudgetArgs, ToleranceArgs, duration};
use super::check::judging::{Judge, Judged};
use super::console::Console;
use super::intake::Intake;
use super::jobs::JobArgs;
use super::oracle::{Oracle, show_vector};
use super::table::render;
use super::verify::look_for_goldens;
use super::{Ending, Result};

/// Longest time for a proof that a verdict needs, unless the user says otherwise.
const PROOF_TIME: Duration = Duration::from_secs(60);

/// Run somebody's solver over the goldens, or over problems of your own, and judge every answer.
///
/// The solver reads a problem a line and answers each with a claim on one line, flushed. It is
/// started without a shell, and again after a crash, a hang or an answer that is no claim, which
/// count as `failed`. Sent are problems in binary64 numbers; those with friction rows only on
/// request.
#[derive(Args)]
#[command(after_help = "\
Example: etalon diff --solver 'python3 my_solver.py' golden/problems/statics")]
pub struct Diff {
    /// The solver's command, its words as a shell would split them
    #[arg(long, value_name = "CMD", value_parser = Command::parse)]
    solver: Command,

    /// Problem files, and folders of them
    #[arg(value_name = "PATH", default_value = "golden")]
    paths: Vec<PathBuf>,

    /// Send only the problem of this name
    #[arg(long, value_name = "NAME")]
    only: Option<String>,

    /// Send problems with friction rows, too
    #[arg(long)]
    friction: bool,

    /// How long the solver may take over one problem
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    timeout: Duration,

    #[command(flatten)]
    tolerance: ToleranceArgs,

    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    budget: BudgetArgs,
}

/// What came of the solver, by suite.
#[derive(Default)]
struct Scores {
    suites: BTreeMap<Suite, Row>,
    failures: Vec<Failure>,
}

#[derive(Default)]
struct Row {
    sent: u64,
    accepted: u64,
    verdicts: [u64; VerdictKind::ALL.len()],
}

/// An answer that was not accepted.
struct Failure {
    verdict: VerdictKind,
    text: String,
    /// What to type to see it again.
    again: String,
    line: String,
}

impl Diff {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        look_for_goldens(&self.paths)?;
        let mut intake = Intake::new(read(&self.paths)?, console);
        let goldens: Vec<Golden> = intake.by_ref().filter(|g| self.is_asked(g)).collect();
        let (sent, kept): (Vec<_>, Vec<_>) =
            goldens.into_iter().partition(|golden| self.is_sent(golden));
        let judge = self.judge();
        let idle = Mutex::new(Vec::new());
        let judged = self.jobs.map(&sent, console, |golden: &Golden| {
            let problem = &golden.problem;
            let mut complaints = Vec::new();
            let claim = self.with_process(&idle, |solver| solver.solve(problem));
            let judged = judge.verdict(&golden.origin, problem, &claim, &mut complaints);
            (judged, complaints)
        });
        let mut scores = Scores::default();
        for (golden, (judged, complaints)) in sent.iter().zip(&judged) {
            for complaint in complaints {
                console.error(complaint);
            }
            scores.count(golden, judged, &self.again(golden));
        }
        console.line(if console.json {
            scores.to_json(kept.len())
        } else {
            scores.to_text(kept.len())
        })?;
        let broken = judged.iter().any(|(_, complaints)| !complaints.is_empty());
        Ok(
            match (
                intake.failed() || broken || sent.is_empty(),
                scores.failures.is_empty(),
            ) {
                (true, _) => Ending::Unreadable,
                (false, false) => Ending::NotAccepted,
                (false, true) => Ending::Accepted,
            },
        )
    }

    fn is_asked(&self, golden: &Golden) -> bool {
        let only = self.only.as_ref();
        only.is_none_or(|name| name == golden.problem.name())
    }

    fn is_sent(&self, golden: &Golden) -> bool {
        let problem = &golden.problem;
        problem.is_binary64() && (self.friction || problem.friction().is_empty())
    }

    fn judge(&self) -> Judge {
        Judge {
            oracle: Oracle {
                tolerance: self.tolerance.tolerance(),
                prove: false,
                budget: self.budget.budget(Some(PROOF_TIME)),
            },
            accept_perturbed: self.tolerance.accept_perturbed,
        }
    }

    /// Asks a process that nobody else is asking; there come to be as many as there are threads.
    fn with_process<R>(&self, idle: &Mutex<Vec<Process>>, ask: impl Fn(&Process) -> R) -> R {
        let pop = || idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let limits = Limits {
            timeout: self.timeout,
            ..Limits::default()
        };
        let process = pop().unwrap_or_else(|| Process::new(self.solver.clone(), limits));
        let answer = ask(&process);
        idle.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(process);
        answer
    }

    fn again(&self, golden: &Golden) -> String {
        let (solver, file) = (quote(self.solver.text()), quote(&golden.origin.file));
        let name = quote(golden.problem.name());
        let friction = if golden.problem.friction().is_empty() {
            ""
        } else {
            " --friction"
        };
        format!("etalon diff --solver {solver}{friction} {file} --only {name}")
    }
}

/// A word for a shell.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

impl Scores {
    fn count(&mut self, golden: &Golden, judged: &Judged, again: &str) {
        let kind = judged.judgement.verdict.kind;
        let row = self.suites.entry(golden.suite.clone()).or_default();
        row.sent += 1;
        row.accepted += u64::from(judged.accepted);
        if let Some(k) = VerdictKind::ALL.iter().position(|other| *other == kind) {
            row.verdicts[k] += 1;
        }
        if judged.accepted {
            return;
        }
        let (origin, name, word) = (&golden.origin, golden.problem.name(), kind.word());
        let mut text = format!("{origin}: record {name:?}: {word}");
        if let Some(reason) = &judged.judgement.verdict.reason {
            text += &format!(": {reason}");
        }
        if let Some(z) = &judged.judgement.solution {
            text += &format!("; an exact solution: z = {}", show_vector(z));
        }
        self.failures.push(Failure {
            verdict: kind,
            text,
            again: again.to_owned(),
            line: judged.line.clone(),
        });
    }

    fn total(&self) -> Row {
        let mut total = Row::default();
        for row in self.suites.values() {
            total.sent += row.sent;
            total.accepted += row.accepted;
            for (sum, count) in total.verdicts.iter_mut().zip(row.verdicts) {
                *sum += count;
            }
        }
        total
    }

    /// For people. Wrong answers come before those that say nothing.
    fn to_text(&self, kept: usize) -> String {
        let mut header = vec!["suite", "sent", "accepted"];
        header.extend(VerdictKind::ALL.iter().map(|kind| kind.word()));
        let total = self.total();
        let named = self
            .suites
            .iter()
            .map(|(suite, row)| (suite.to_string(), row));
        let rows = named.chain([("all".to_owned(), &total)]);
        let mut text = render(
            &header,
            1..header.len(),
            rows.map(|(name, row)| row.cells(name)),
        );
        let says_nothing = |failure: &&Failure| failure.verdict == VerdictKind::Failed;
        let (quiet, wrong): (Vec<_>, Vec<_>) = self.failures.iter().partition(says_nothing);
        for failure in wrong.into_iter().chain(quiet) {
            text += &format!("\n{}\n  {}", failure.text, failure.again);
        }
        text += &format!("\n{} of {} accepted", total.accepted, total.sent);
        if kept > 0 {
            text += &format!("; {kept} not sent (exact data, or friction rows without --friction)");
        }
        text
    }

    /// For programs.
    fn to_json(&self, kept: usize) -> String {
        let named = self
            .suites
            .iter()
            .map(|(suite, row)| (suite.to_string(), row));
        let suites: Vec<_> = named.map(|(name, row)| row.to_json(Some(name))).collect();
        let failures = self.failures.iter().map(|failure| {
            let verdict: Value = serde_json::from_str(&failure.line).unwrap_or_default();
            json!({"verdict": verdict, "command": failure.again})
        });
        let failures: Vec<_> = failures.collect();
        let total = self.total().to_json(None);
        json!({"suites": suites, "total": total, "not_sent": kept, "failures": failures})
            .to_string()
    }
}

impl Row {
    fn cells(&self, name: String) -> Vec<String> {
        let mut cells = vec![name, self.sent.to_string(), self.accepted.to_string()];
        cells.extend(self.verdicts.iter().map(ToString::to_string));
        cells
    }

    fn to_json(&self, name: Option<String>) -> Value {
        let words = VerdictKind::ALL.iter().map(|kind| kind.word().to_owned());
        let counts = words.zip(self.verdicts.iter().map(|count| json!(count)));
        let mut row: Map<_, _> = name
            .map(|name| ("suite".to_owned(), json!(name)))
            .into_iter()
            .collect();
        row.insert("sent".to_owned(), json!(self.sent));
        row.insert("accepted".to_owned(), json!(self.accepted));
        row.insert("verdicts".to_owned(), Value::Object(counts.collect()));
        Value::Object(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_shells() {
        assert_eq!(quote("a/b-c.json"), "a/b-c.json");
        assert_eq!(quote("python3 s.py"), "'python3 s.py'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote(""), "''");
    }
}
