//! Arguments for the solver under test: its command, its limits, and its capabilities.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use clap_complete::ArgValueCompleter;
use etalon_conformance::process::{CommandLine, Limits, Process};
use etalon_conformance::{
    Capabilities, Deadline, FIRST, FailureKind, Known, Subject, SubjectFailure, UnknownCapability,
    nobody_answers, probe,
};
use etalon_lcp::{Claim, Problem};

use super::args::duration;
use super::completions::capabilities;
use super::console::Console;
use super::similar::did_you_mean;
use super::{Fatal, Result};

/// The question of [`probe`], in words.
const BOX: &str = "M = (1), q = (-2), 0 <= z <= 1";

/// The solver under test.
#[derive(Debug, Clone, Args)]
pub struct SolverArgs {
    /// The solver's command, its words as a shell would split them
    #[arg(long, value_name = "CMD", value_parser = CommandLine::parse)]
    pub solver: CommandLine,

    #[command(flatten)]
    pub allowed: AllowedArgs,
}

/// The limits and capabilities of the solver under test.
#[derive(Debug, Clone, Args)]
pub struct AllowedArgs {
    /// Longest time of the solver for one problem
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub timeout: Duration,

    /// Largest memory that each process of the solver may write to (Linux)
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = size)]
    pub memory: u64,

    /// The longest answer
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = size)]
    pub answer: u64,

    /// Capabilities of the solver, which decide what it is sent. The words of the list are boxes, friction, cones, cones-convex,
    /// cones-product, unsolvable, n<=N and psd (only symmetric positive semidefinite M), or pure for none of these. Without
    /// the list the solver's own word counts: a first line {"format":"etalon-solver/1","can":[...]}. A solver that says nothing
    /// is sent unsolvable problems, and boxes if it solves one of one row
    #[arg(long, value_name = "LIST", value_parser = can, add = ArgValueCompleter::new(capabilities))]
    pub can: Option<Capabilities>,
}

impl AllowedArgs {
    /// The limits of a process.
    pub fn limits(&self) -> Limits {
        Limits {
            timeout: self.timeout,
            line_bytes: usize::try_from(self.answer).unwrap_or(usize::MAX),
            memory_bytes: Some(self.memory),
        }
    }

    /// The limits that are not the defaults, each with a blank before it. They belong to the command that repeats
    /// a failure, because a failure under a tight limit need not be one without it.
    pub fn words(&self) -> String {
        let (own, usual) = (self.limits(), Limits::default());
        let mut words = String::new();
        if own.timeout != usual.timeout {
            words += &format!(" --timeout {}s", own.timeout.as_secs_f64());
        }
        if own.memory_bytes != usual.memory_bytes {
            words += &format!(" --memory {}", self.memory);
        }
        if own.line_bytes != usual.line_bytes {
            words += &format!(" --answer {}", self.answer);
        }
        words
    }

    /// What the solver is asked: what the user says that it can do, else what it says itself, else what a
    /// box of one row shows.
    pub fn capabilities(&self, subject: &dyn Subject, console: &Console) -> Result<Capabilities> {
        if let Some(can) = &self.can {
            return Ok(can.clone());
        }
        let probed = probe(subject).map_err(|failure| not_started(subject.name(), &failure))?;
        match probed.how {
            Known::Offered | Known::SolvedABox => {}
            Known::FailedOnABox => console.note(format_args!(
                "the solver does not solve {BOX}, so problems with bounds are not sent"
            )),
            Known::SilentOnABox => {
                let seconds = self.timeout.as_secs_f64();
                console.note(format_args!(
                    "no answer within {seconds} s, the start included, to {BOX}, so problems with bounds are not sent; --timeout gives more time"
                ));
            }
        }
        Ok(probed.can)
    }
}

impl SolverArgs {
    /// The solver, not started yet.
    pub fn pool(&self) -> Pool {
        Pool::new(self.solver.clone(), self.allowed.limits())
    }
}

/// A solver in as many processes as threads ask it, each asked one problem at a time.
pub struct Pool {
    command: CommandLine,
    limits: Limits,
    /// After this moment no answer is waited for.
    end: Option<Instant>,
    idle: Mutex<Vec<Process>>,
}

impl Pool {
    /// The solver, not started yet.
    pub fn new(command: CommandLine, limits: Limits) -> Self {
        Self {
            command,
            limits,
            end: None,
            idle: Mutex::default(),
        }
    }

    /// The same, and after some moment no answer is waited for ([`Process::until`]).
    pub fn until(mut self, end: Option<Instant>) -> Self {
        self.end = end;
        self
    }

    /// The command, as the user wrote it.
    pub fn command(&self) -> &str {
        self.command.text()
    }

    /// Asks the process that answered last of those that are idle; a new one where there is none.
    pub fn with<R>(&self, ask: impl Fn(&Process) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let process = idle().pop();
        let process = process
            .unwrap_or_else(|| Process::new(self.command.clone(), self.limits).until(self.end));
        let answer = ask(&process);
        idle().push(process);
        answer
    }
}

impl Subject for Pool {
    fn name(&self) -> &str {
        self.command()
    }

    fn ask(&self, problem: &Problem) -> std::result::Result<Claim, SubjectFailure> {
        self.with(|process| process.ask(problem))
    }

    fn offers(&self) -> Option<Capabilities> {
        self.with(Process::offers)
    }
}

/// Ends the command where the solver fails on its first problems in the same way: after a failure that is known, on these. What
/// the deadline cut short says nothing.
pub fn check_alive(
    subject: &dyn Subject,
    known: Option<SubjectFailure>,
    problems: impl IntoIterator<Item = Problem>,
    deadline: &Deadline<'_>,
) -> Result<()> {
    match nobody_answers(subject, known, problems) {
        Some(failure) if !deadline.is_over() => Err(no_answers(subject.name(), &failure)),
        _ => Ok(()),
    }
}

/// A command that does not start is a slip of the user's and no failure of a solver.
pub fn not_started(command: &str, failure: &SubjectFailure) -> Fatal {
    let command = quote(command);
    Fatal::Usage(format!(
        "--solver {command}: {failure}; its words are split as a shell would, but there is no shell"
    ))
}

/// A solver that cannot start, or that has failed on all of its first problems in one way, is not asked more.
pub fn no_answers(command: &str, failure: &SubjectFailure) -> Fatal {
    if failure.kind == FailureKind::NotStarted {
        return not_started(command, failure);
    }
    let (kind, words) = (failure.kind, &failure.message);
    Fatal::Usage(format!(
        "the solver failed on each of its first {FIRST} problems in the same way, so it was not asked more: {kind}: {words}"
    ))
}

/// The list of --can; of a word that is none, what was meant.
fn can(list: &str) -> std::result::Result<Capabilities, String> {
    list.parse().map_err(|unknown: UnknownCapability| {
        let words = Capabilities::WORDS.iter().map(|(word, _)| *word);
        format!("{unknown}{}", did_you_mean(unknown.word(), words))
    })
}

/// A word for a shell.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A number of bytes: 512MiB, 4GiB, 2000000.
pub fn size(text: &str) -> std::result::Result<u64, String> {
    let digits = text.find(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = text.split_at(digits.unwrap_or(text.len()));
    let shift = match unit {
        "" | "B" => 0,
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        _ => {
            return Err(format!(
                "{unit:?} is no unit of memory; write KiB, MiB or GiB"
            ));
        }
    };
    let bytes = number.trim().parse::<u64>().ok();
    let bytes = bytes.and_then(|number| number.checked_mul(1 << shift));
    bytes
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| "write a size above 0, such as 512MiB".to_owned())
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

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("4GiB"), Ok(4 << 30));
        assert_eq!(size("12"), Ok(12));
        for wrong in ["", "0", "-1", "GiB", "1GB", "99999999999GiB"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
