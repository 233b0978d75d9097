//! One problem by all contenders.

use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use etalon_benches::case::{Case, Data};
use etalon_benches::table::{ratio, seconds};
use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_conformance::process::CommandLine;
use etalon_fast::{ConeProblem, SparseLcp, Start, solve_cones, solve_sparse};
use etalon_lcp::record::{read_claim, write_problem};
use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem};

use crate::sweeps::{Rows, Swept, conjugate_gradients, gauss_seidel};

/// The exit status of a program that is not made for a problem.
const UNFIT: i32 = 3;

/// Another solver, by files.
pub struct Peer {
    pub name: String,
    pub command: CommandLine,
}

/// Who takes part, and for how long.
pub struct Contest {
    pub limit: Duration,
    pub peers: Vec<Peer>,
    /// Where problems and claims are put.
    pub folder: tempfile::TempDir,
}

/// What one contender has to show.
struct Entry {
    name: String,
    /// Its time; none where it does not say.
    seconds: Option<f64>,
    claim: Claim,
}

impl Contest {
    /// The rows of the table for one problem, in the order of the contenders.
    ///
    /// # Errors
    /// Where files cannot be written, or the fast method fails.
    pub fn run(&self, label: &str, case: &Case) -> Result<Vec<Vec<String>>, Box<dyn Error>> {
        let problem = &case.problem;
        let mut entries = vec![fast(case)?];
        if let Some(rows) = Rows::new(&case.data)
            && problem.is_lcp()
        {
            let swept = gauss_seidel(&rows, self.limit);
            entries.push(of_sweeps("projected Gauss-Seidel", problem, swept)?);
            let swept = conjugate_gradients(&rows, self.limit);
            entries.push(of_sweeps("conjugate gradients", problem, swept)?);
        }
        if !self.peers.is_empty() {
            let file = self.folder.path().join("problem.jsonl");
            std::fs::write(&file, write_problem(problem) + "\n")?;
            for peer in &self.peers {
                entries.extend(self.ask(peer, problem, &file)?);
            }
        }
        let own = entries.first().and_then(|entry| entry.seconds);
        let rows = entries.iter().map(|entry| {
            let (error, verdict) = judged(problem, &entry.claim);
            let over = own.zip(entry.seconds).map(|(own, other)| other / own);
            vec![
                label.to_owned(),
                problem.n().to_string(),
                entry.name.clone(),
                seconds(entry.seconds),
                ratio(over),
                error,
                verdict,
            ]
        });
        Ok(rows.collect())
    }

    /// Runs a program to its end. One that writes no claim has failed, and one that is not made for the problem has no entry.
    fn ask(
        &self,
        peer: &Peer,
        problem: &Problem,
        file: &Path,
    ) -> Result<Option<Entry>, Box<dyn Error>> {
        let answer = self.folder.path().join("claim.json");
        if answer.exists() {
            std::fs::remove_file(&answer)?;
        }
        let mut command = Command::new(peer.command.program());
        command.args(peer.command.arguments()).args([file, &answer]);
        command.arg(self.limit.as_secs().to_string());
        let status = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()?;
        if status.code() == Some(UNFIT) {
            return Ok(None);
        }
        let claim = match std::fs::read_to_string(&answer) {
            Ok(text) => read_claim(text.trim_end())?.record,
            Err(_) => Claim::failed(problem.name(), format!("no claim: {status}")),
        };
        Ok(Some(Entry {
            name: peer.name.clone(),
            seconds: claim.seconds,
            claim,
        }))
    }
}

/// fast-auto, its time without that of reading.
fn fast(case: &Case) -> Result<Entry, Box<dyn Error>> {
    let problem = &case.problem;
    let (found, took) = if problem.is_lcp() {
        let Data { entries, q, free } = &case.data;
        let lcp = SparseLcp::mixed(entries, q, free)?;
        let (found, took) = timed(|| solve_sparse(&lcp, Start::Cold));
        (found.map(|own| own.z), took)
    } else {
        let cones = ConeProblem::from_problem(problem)?;
        let (found, took) = timed(|| solve_cones(&cones, None));
        (found.map(|own| own.z), took)
    };
    let claim = match &found {
        Ok(z) => solved(problem, z)?,
        Err(failure) => Claim::failed(problem.name(), failure.to_string()),
    };
    Ok(Entry {
        name: "fast-auto".to_owned(),
        seconds: found.is_ok().then_some(took.as_secs_f64()),
        claim,
    })
}

fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let answer = run();
    (answer, start.elapsed())
}

fn of_sweeps(name: &str, problem: &Problem, swept: Swept) -> Result<Entry, Box<dyn Error>> {
    let end = if swept.has_converged {
        format!("{name}, {} sweeps", swept.sweeps)
    } else {
        format!("{name}, stopped after {} sweeps", swept.sweeps)
    };
    Ok(Entry {
        name: end,
        seconds: Some(swept.seconds),
        claim: solved(problem, &swept.z)?,
    })
}

fn solved(problem: &Problem, z: &[f64]) -> Result<Claim, Box<dyn Error>> {
    let z: Option<Vec<Number>> = z.iter().copied().map(Number::from_f64).collect();
    let z = z.ok_or("an answer is not finite")?;
    Ok(Claim::new(problem.name(), ClaimedAnswer::Solved { z }))
}

/// The error and the verdict of a claim.
fn judged(problem: &Problem, claim: &Claim) -> (String, String) {
    if let ClaimedAnswer::Failed = claim.answer {
        return ("-".to_owned(), "failed".to_owned());
    }
    let verdict = check_claim(problem, claim, &Truth::default(), &Tolerance::default());
    let error = verdict.figure().map(|own| format!("{:.1e}", own.to_f64()));
    let error = error.unwrap_or_else(|| "-".to_owned());
    (error, verdict.kind.word().to_owned())
}
