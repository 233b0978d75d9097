//! `etalon check`: a verdict per claim.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use etalon_certify::{Tolerance, Truth, judge, known};
use etalon_golden::{DuplicateName, Golden, Origin, Records, open};
use etalon_lcp::record::stream::Located;
use etalon_lcp::record::{read_claim, write_verdict, write_verdict_with_solution};
use etalon_lcp::{Claim, Status};
use rug::Rational;

use super::args::{BudgetArgs, tolerance};
use super::complaints::Complaints;
use super::console::Console;
use super::intake::Intake;
use super::oracle::{Judgement, Oracle, show_vector};
use super::summary::Summary;
use super::{Ending, Fatal, Result};

/// Longest time for a proof that a verdict needs, unless the user says otherwise.
const PROOF_TIME: Duration = Duration::from_secs(60);

/// Judge the claims of a solver: a verdict per claim on standard output, a summary on standard
/// error.
///
/// Claims are matched with problems by name, and verdicts come in the order of the claims. A
/// problem without a claim counts as `failed`. Claims of `unsolvable` are proved or refuted;
/// claims of `solved` are evaluated exactly, and held against the truth where the problem carries
/// `expect` or --prove asks for it.
#[derive(Args)]
#[command(after_help = "\
Example: etalon check problems.jsonl claims.jsonl --prove

A proof may take 60s per problem, unless --time-limit says otherwise.")]
pub struct Check {
    /// Problems, one JSON line each (or one record in a .json file); - for standard input
    problems: PathBuf,

    /// Claims, one JSON line each; - for standard input
    claims: PathBuf,

    /// Look for the truth of every problem, and show what is right where a claim is wrong
    #[arg(long)]
    prove: bool,

    /// Largest backward error and negativity of an accepted answer
    #[arg(long, value_name = "T", default_value = "1e-9", value_parser = tolerance, allow_hyphen_values = true)]
    tol: Rational,

    /// Entries within T max|z| of a bound may count as on it; 0 for none
    #[arg(long, value_name = "T", default_value = "1e-12", value_parser = tolerance, allow_hyphen_values = true)]
    snap: Rational,

    /// Accept answers to a neighbour of an unsolvable problem (verdict `perturbed`)
    #[arg(long)]
    accept_perturbed: bool,

    #[command(flatten)]
    budget: BudgetArgs,
}

/// A problem with the claim about it, once that has come.
struct Entry {
    golden: Golden,
    claimed: Option<Origin>,
}

/// A run of the command.
struct Run<'a> {
    command: &'a Check,
    console: &'a Console,
    oracle: Oracle,
    entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
    summary: Summary,
    complaints: Complaints<'a>,
}

impl Check {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        if self.problems.as_os_str() == "-" && self.claims.as_os_str() == "-" {
            let both = "problems and claims cannot both come from standard input";
            return Err(Fatal::Usage(both.to_owned()));
        }
        // Both are opened before the first is read: a missing file should not cost a long wait.
        let claims = open(&self.claims, read_claim)?;
        let mut run = self.start(console);
        if run.entries.is_empty() {
            // Said why already; a complaint about every claim would only bury that.
            return Ok(Ending::Unreadable);
        }
        console.watch(Some(run.entries.len()));
        for claim in claims {
            match claim {
                Ok(claim) => run.claim(self.origin(&claim), &claim.read.record)?,
                Err(error) => run.complaints.add(error),
            }
            console.done();
        }
        console.end_watch();
        run.finish()
    }

    fn origin(&self, claim: &Located<Claim>) -> Origin {
        let file = match self.claims.display().to_string() {
            dash if dash == "-" => "standard input".to_owned(),
            file => file,
        };
        Origin::new(file, claim.line)
    }

    fn start<'a>(&'a self, console: &'a Console) -> Run<'a> {
        let mut intake = Intake::new(Records::of_files(vec![self.problems.clone()]), console);
        let entries: Vec<_> = intake
            .by_ref()
            .map(|golden| Entry {
                golden,
                claimed: None,
            })
            .collect();
        let names = entries.iter().enumerate();
        let by_name = names.map(|(k, entry)| (entry.golden.problem.name().to_owned(), k));
        Run {
            command: self,
            console,
            oracle: Oracle {
                tolerance: Tolerance {
                    tol: self.tol.clone(),
                    snap: self.snap.clone(),
                },
                prove: self.prove,
                budget: self.budget.budget(Some(PROOF_TIME)),
            },
            by_name: by_name.collect(),
            entries,
            summary: Summary::default(),
            complaints: intake.into_complaints(),
        }
    }
}

impl Run<'_> {
    fn readable(&self) -> &'static str {
        if self.complaints.any() {
            "readable "
        } else {
            ""
        }
    }

    /// Judges one claim.
    fn claim(&mut self, origin: Origin, claim: &Claim) -> Result<()> {
        let Some(&k) = self.by_name.get(&claim.name) else {
            let (name, readable) = (&claim.name, self.readable());
            self.complaints.add(format_args!(
                "{origin}: record {name:?}: there is no {readable}problem of that name"
            ));
            return Ok(());
        };
        if let Some(first) = self.entries[k].claimed.replace(origin.clone()) {
            let twice = DuplicateName {
                name: claim.name.clone(),
                first: first.clone(),
                second: origin,
            };
            self.entries[k].claimed = Some(first);
            self.complaints.add(twice);
            return Ok(());
        }
        let mut known = self.known(k);
        let problem = &self.entries[k].golden.problem;
        // A stated truth without its proof is a question, not an answer.
        let stated = problem.expect.as_ref().map(|expect| expect.status);
        if known.status.solvable.is_none() && stated.is_some_and(|s| s != Status::Solvable) {
            self.oracle.find_out(problem, &mut known);
        }
        let judgement = self.oracle.judge(problem, known, claim);
        self.report(k, &judgement, &origin)
    }

    /// What the problem's record proves of it.
    fn known(&mut self, k: usize) -> Truth {
        let golden = &self.entries[k].golden;
        let Some(expect) = &golden.problem.expect else {
            return Truth::default();
        };
        match known(&golden.problem, expect) {
            Ok(truth) => truth,
            Err(error) => {
                let (origin, name) = (&golden.origin, golden.problem.name());
                let error = format!("{origin}: record {name:?}: {error}");
                self.complaints.add(error);
                Truth::default()
            }
        }
    }

    fn report(&mut self, k: usize, judgement: &Judgement, origin: &Origin) -> Result<()> {
        let Judgement { verdict, solution } = judgement;
        let expect = self.entries[k].golden.problem.expect.as_ref();
        let expected = expect.is_some_and(|expect| expect.status == Status::Perturbed);
        let accepted = (verdict.kind).is_accepted(expected || self.command.accept_perturbed);
        self.summary.count(verdict, accepted);
        if !accepted {
            self.summary.list(|| failure(judgement, origin));
        }
        self.console.line(match solution {
            Some(solution) => write_verdict_with_solution(verdict, solution),
            None => write_verdict(verdict),
        })
    }

    /// Counts the problems without a claim, and sums up.
    fn finish(mut self) -> Result<Ending> {
        for k in 0..self.entries.len() {
            if self.entries[k].claimed.is_none() {
                self.unclaimed(k)?;
            }
        }
        if self.console.json {
            self.console.note(self.summary.to_json());
        } else {
            self.console.note(self.summary.to_text());
        }
        Ok(match (self.complaints.any(), self.summary.all_accepted()) {
            (true, _) => Ending::Unreadable,
            (false, false) => Ending::NotAccepted,
            (false, true) => Ending::Accepted,
        })
    }

    fn unclaimed(&mut self, k: usize) -> Result<()> {
        let known = self.known(k);
        let golden = &self.entries[k].golden;
        let claim = Claim::failed(golden.problem.name(), "no claim");
        let verdict = judge(&golden.problem, &claim, &known, &self.oracle.tolerance);
        let origin = golden.origin.clone();
        let solution = None;
        self.report(k, &Judgement { verdict, solution }, &origin)
    }
}

/// One line for people: where, what, why, and what would have been right.
fn failure(judgement: &Judgement, origin: &Origin) -> String {
    let Judgement { verdict, solution } = judgement;
    let (name, word) = (&verdict.name, verdict.kind.word());
    let mut text = format!("{origin}: record {name:?}: {word}");
    if let Some(reason) = &verdict.reason {
        text += &format!(": {reason}");
    }
    match solution {
        Some(z) => text += &format!("; an exact solution: z = {}", show_vector(z)),
        None if verdict.truth.solvable == Some(false) => text += "; there is no solution",
        None => {}
    }
    text
}
