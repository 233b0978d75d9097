//! The solver under test as a process, asked one problem at a time.
//!
//! The protocol: the solver reads problems from standard input, one JSON line each, and answers
//! each with one claim line on standard output, in order, flushed. Before its first claim it may say what it can
//! do: `{"format": "etalon-solver/1", "can": ["boxes", "n<=30"]}`. The command is split into
//! words and started without a shell, when the first problem is asked. A problem that takes too
//! long ends the whole process group, and on Linux whatever has left it; the solver is started again for the next one, and so it is
//! after a crash or an answer that is no claim. Whatever ends the program that asks, SIGKILL included, ends
//! the group, too (a shell sees to that; where there is no `/bin/sh` only Ctrl-C does). Whatever goes wrong has a
//! [name](crate::FailureKind), and as a [`Solver`] is a claim `failed` that says what was read.
//!
//! ```no_run
//! use etalon_conformance::process::{CommandLine, Limits, Process};
//! use etalon_lcp::Solver;
//!
//! let solver = Process::new(CommandLine::parse("python3 'my solver.py' --fast")?, Limits::default());
//! let problem = etalon_conformance::generate("murty", 3, 1, 1)?.next().ok_or("none")?;
//! println!("{:?}", solver.solve(&problem).answer);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod child;
mod offer;
mod strays;
mod warden;
mod words;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use etalon_lcp::record::{read_claim, write_problem};
use etalon_lcp::{Claim, Matrix, Number, Problem, Remarks, Solver};

use crate::capability::Capabilities;
use crate::failure::{FailureKind, SubjectFailure};
use crate::subject::{MAX_DENSE, Subject, is_too_large, of_right_length};
pub use child::end_all;
use child::{Child, Heard};
pub use words::{CommandLine, CommandLineError};

/// The limits of a solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How long it may take over one problem, its start included; 10 s.
    pub timeout: Duration,
    /// The longest answer, in bytes; 64 MiB.
    pub line_bytes: usize,
    /// The most memory it may write to, in bytes, in each of its processes; 4 GiB. Only Linux
    /// knows this limit (RLIMIT_DATA).
    pub memory_bytes: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(10),
            line_bytes: 64 << 20,
            memory_bytes: Some(4 << 30),
        }
    }
}

/// How much of an answer that is no claim is quoted, in characters.
const QUOTED: usize = 200;

/// A solver in a process of its own.
pub struct Process {
    command: CommandLine,
    limits: Limits,
    /// After this moment no answer is waited for.
    end: Option<Instant>,
    session: Mutex<Option<Session>>,
    offered: Mutex<Option<Capabilities>>,
}

/// A running process, and the names that it has been asked: no two in its stream may be the same.
struct Session {
    child: Child,
    asked: HashMap<String, u64>,
}

impl Session {
    /// Whether this is the first question.
    fn is_new(&self) -> bool {
        self.asked.values().sum::<u64>() == 1
    }

    /// The name under which to ask: its own, from the second time on with a number.
    fn name(&mut self, name: &str) -> String {
        let count = self.asked.entry(name.to_owned()).or_default();
        *count += 1;
        match *count {
            1 => name.to_owned(),
            count => format!("{name} ({count})"),
        }
    }
}

impl Process {
    /// The solver, not started yet.
    pub fn new(command: CommandLine, limits: Limits) -> Self {
        let session = Mutex::new(None);
        Self {
            command,
            limits,
            end: None,
            session,
            offered: Mutex::default(),
        }
    }

    /// The same, and after some moment no answer is waited for, whatever the limit of time. Silence that the moment
    /// cut short is no fault of the solver: whoever sets it drops answers that come after it.
    #[must_use]
    pub fn until(mut self, end: Option<Instant>) -> Self {
        self.end = end;
        self
    }

    /// The last 64 KiB of what the present process has written to standard error.
    pub fn standard_error(&self) -> String {
        let session = self.session.lock();
        let session = session.unwrap_or_else(PoisonError::into_inner);
        let complaints = session.as_ref().map(|session| session.child.complaints());
        complaints.unwrap_or_default()
    }

    /// Asks one problem; the process stays only if it answered with a line.
    fn ask_in(
        &self,
        slot: &mut Option<Session>,
        problem: &Problem,
    ) -> Result<Claim, SubjectFailure> {
        let question = question(problem)?;
        let deadline = Instant::now() + self.limits.timeout;
        let deadline = self.end.map_or(deadline, |end| deadline.min(end));
        let mut session = match slot.take() {
            Some(session) => session,
            None => Session {
                child: Child::start(&self.command, &self.limits)
                    .map_err(|why| SubjectFailure::new(FailureKind::NotStarted, why))?,
                asked: HashMap::new(),
            },
        };
        let name = session.name(problem.name());
        let question = question.renamed(&name);
        let mut heard = session.child.ask(write_problem(&question), deadline);
        if session.is_new() {
            heard = self.hear_offer(&mut session.child, heard, deadline)?;
        }
        let mut claim = self.understand(&mut session.child, heard)?;
        if claim.name != name {
            let (asked, answered) = (name, &claim.name);
            let message = format!("the answer is to {answered:?}, but the question was {asked:?}");
            return Err(SubjectFailure::new(FailureKind::OutOfOrder, message));
        }
        // Only a solver in step is asked again.
        *slot = Some(session);
        problem.name().clone_into(&mut claim.name);
        of_right_length(problem, claim)
    }

    /// Takes an offer for what it is, and hears what comes after it: the first line of a process may be one.
    fn hear_offer(
        &self,
        child: &mut Child,
        heard: Heard,
        deadline: Instant,
    ) -> Result<Heard, SubjectFailure> {
        let Heard::Line(line) = &heard else {
            return Ok(heard);
        };
        let Some(offered) = offer::read(line) else {
            return Ok(heard);
        };
        let garbage = |why| {
            let message = format!("the offer {} cannot be read: {why}", quote(line));
            SubjectFailure::new(FailureKind::Garbage, message)
        };
        *self.offered.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(offered.map_err(garbage)?);
        Ok(child.hear(deadline))
    }

    /// The answer as a claim.
    fn understand(&self, child: &mut Child, heard: Heard) -> Result<Claim, SubjectFailure> {
        match heard {
            Heard::Line(line) => read_claim(&line).map(|read| read.record).map_err(|error| {
                let kind = if error.is_not_finite() {
                    FailureKind::NotFinite
                } else {
                    FailureKind::Garbage
                };
                let message = format!("{}; it reads {}", error.of_claim(), quote(&line));
                SubjectFailure::new(kind, message)
            }),
            Heard::Nothing => Err(self.silence(child)),
            Heard::Cbor => {
                let message = format!(
                    "the answer is in CBOR, and the protocol asks for a line of JSON{}",
                    child.last_words()
                );
                Err(SubjectFailure::new(FailureKind::Garbage, message))
            }
            Heard::TooLong(start) => {
                let limit = self.limits.line_bytes;
                let start = quote(&start);
                let message = format!("an answer of over {limit} bytes; it begins {start}");
                Err(SubjectFailure::new(FailureKind::Flooded, message))
            }
            Heard::End(read) => {
                let read = if read.is_empty() {
                    String::new()
                } else {
                    format!("; it had written {}", quote(&read))
                };
                let (kind, status) = child.ending();
                let message = format!("{status}{read}{}", child.last_words());
                Err(SubjectFailure::new(kind, message))
            }
        }
    }

    /// No answer in time: whose fault, as far as that can be seen.
    fn silence(&self, child: &mut Child) -> SubjectFailure {
        let seconds = self.limits.timeout.as_secs_f64();
        let (kind, more) = if child.has_ended() {
            let more = ": the solver has ended, but a process that it started holds its output";
            (FailureKind::Forked, more)
        } else if child.has_not_read() {
            (FailureKind::NeverRead, ": the problem was not read either")
        } else {
            (FailureKind::Hung, "")
        };
        let message = format!("no answer within {seconds} s{more}{}", child.last_words());
        SubjectFailure::new(kind, message)
    }
}

/// The problem as a float solver gets it: binary64 numbers, dense, and no word of the truth.
fn question(problem: &Problem) -> Result<Problem, SubjectFailure> {
    let not_sent = |why: String| SubjectFailure::new(FailureKind::NotSent, why);
    if !problem.is_binary64() {
        let why = "the problem's data are not binary64 numbers, as the protocol asks";
        return Err(not_sent(why.to_owned()));
    }
    if is_too_large(problem) {
        return Err(not_sent(format!(
            "a sparse M of more than {MAX_DENSE} rows is not written out with its zeros, as the protocol asks"
        )));
    }
    let mut bare = problem.clone();
    bare.expect = None;
    bare.remarks = Remarks::default();
    let (n, m) = (problem.n(), problem.m());
    if !m.is_sparse() {
        return Ok(bare);
    }
    let zero = || Number::from_f64(0.0).unwrap_or_else(|| Number::from(0));
    let entry = |i, j| m.get(i, j).cloned().unwrap_or_else(zero);
    let rows = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect());
    let dense = Matrix::from_rows(rows.collect()).map_err(|error| not_sent(error.to_string()))?;
    let dense = bare.with_m(dense);
    dense.map_err(|error| not_sent(error.to_string()))
}

impl Subject for Process {
    fn name(&self) -> &str {
        self.command.text()
    }

    fn ask(&self, problem: &Problem) -> Result<Claim, SubjectFailure> {
        let mut slot = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        self.ask_in(&mut slot, problem)
    }

    fn offers(&self) -> Option<Capabilities> {
        let offered = self.offered.lock().unwrap_or_else(PoisonError::into_inner);
        offered.clone()
    }
}

impl Solver for Process {
    fn name(&self) -> &str {
        self.command.text()
    }

    /// Asks the process; what is no claim comes back as `failed`.
    fn solve(&self, problem: &Problem) -> Claim {
        match self.ask(problem) {
            Ok(claim) => claim,
            Err(failure) => Claim::failed(problem.name(), failure.message),
        }
    }
}

fn quote(text: &str) -> String {
    let start: String = text.chars().take(QUOTED).collect();
    let more = if start.len() < text.len() { "..." } else { "" };
    format!("{start:?}{more}")
}

#[cfg(test)]
mod tests;
