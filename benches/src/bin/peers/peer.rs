//! A solver in a process of its own, and ours.

use std::hint::black_box;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use etalon_benches::case::{Case, Data};
use etalon_benches::elimination::{faer_solve, nalgebra_solve, to_faer, to_faer_column};
use etalon_benches::timing::{Contender, race};
use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_fast::{FastMethod, Start, Workspace};
use etalon_lcp::record::{read_claim, write_problem};
use etalon_lcp::{Matrix, Number, Problem, VerdictKind};
use nalgebra::DVector;

/// The name of what everything is measured in.
pub const LU: &str = "better LU";

/// One solver on one problem.
#[derive(Debug, Clone)]
pub struct Record {
    /// The family.
    pub family: &'static str,
    /// The size asked for.
    pub nominal: usize,
    /// Who.
    pub solver: String,
    /// The time it took.
    pub seconds: Option<f64>,
    /// Whether the answer is right.
    pub right: bool,
}

/// A running solver.
pub struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    name: String,
}

impl Peer {
    /// Starts it; words are split at spaces, no shell.
    pub fn start(command: &str) -> io::Result<Self> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or(io::ErrorKind::InvalidInput)?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let name = command.rsplit('/').next().unwrap_or(command).to_owned();
        Ok(Self {
            child,
            input,
            output: BufReader::new(output),
            name,
        })
    }

    /// Asks, and judges the answer. A line that is no claim is a wrong answer; a solver that ends
    /// is an error.
    pub fn answer(&mut self, case: &Case) -> io::Result<Record> {
        let problem = dense(case.problem.name(), &case.data)?;
        writeln!(self.input, "{}", write_problem(&problem))?;
        self.input.flush()?;
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            return Err(io::Error::other(format!("{} ended early", self.name)));
        }
        let claim = read_claim(&line).ok().map(|read| read.record);
        let right = claim.as_ref().is_some_and(|claim| {
            let verdict = check_claim(&problem, claim, &Truth::default(), &Tolerance::default());
            matches!(verdict.kind, VerdictKind::Exact | VerdictKind::Accepted)
        });
        Ok(Record {
            family: case.family.label,
            nominal: case.nominal,
            solver: self.name.clone(),
            seconds: claim.and_then(|claim| claim.seconds),
            right,
        })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // Whether it had ended by itself or not, nobody waits for it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The record that the protocol sends: dense, in binary64.
fn dense(name: &str, data: &Data) -> io::Result<Problem> {
    let m = Matrix::from_binary64(&data.matrix());
    let q: Option<Vec<Number>> = data.q.iter().copied().map(Number::from_f64).collect();
    let (Some(m), Some(q)) = (m, q) else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    Problem::new(name, m, q).map_err(io::Error::other)
}

/// `fast-auto` and the better LU.
pub fn ours(case: &Case, budget: Duration) -> Vec<Record> {
    let Some(lcp) = case.data.dense() else {
        return Vec::new();
    };
    let (m, q) = (case.data.matrix(), DVector::from_column_slice(&case.data.q));
    let (faer_m, faer_q) = (to_faer(&m), to_faer_column(&case.data.q));
    let mut workspace = Workspace::new();
    let solved = workspace.solve(lcp.view(), FastMethod::Auto, Start::Cold);
    let right = solved.is_ok();
    let fast = FastMethod::Auto.name();
    let contenders = vec![
        Contender::new(fast, || {
            let _ = black_box(workspace.solve(lcp.view(), FastMethod::Auto, Start::Cold));
        }),
        Contender::new(LU, || {
            black_box(nalgebra_solve(black_box(&m), &q));
        }),
        Contender::new(LU, || {
            black_box(faer_solve(black_box(&faer_m), &faer_q));
        }),
    ];
    let times = race(contenders, budget);
    let least = |name: &str| {
        let own = times.iter().filter(|(known, _)| *known == name);
        own.map(|(_, seconds)| *seconds).min_by(f64::total_cmp)
    };
    let record = |name: &str, right| Record {
        family: case.family.label,
        nominal: case.nominal,
        solver: name.to_owned(),
        seconds: least(name),
        right,
    };
    vec![record(fast, right), record(LU, true)]
}
