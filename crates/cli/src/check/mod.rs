//! `etalon check`: a verdict per claim.

mod ahead;
mod items;
pub mod judging;
mod pairing;
mod shard;
mod verdicts;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::Builder;

use clap::Args;
use etalon_evidence::heading::{Heading, digest_of_file};
use etalon_exact::at_work;
use etalon_golden::{Origin, checked_texts, open_texts};
use etalon_judge::{Judge, Judgement, show_vector};
use etalon_lcp::VerdictKind;
use etalon_lcp::record::read_problem;
use etalon_lcp::record::stream::{InputError, Texts};
use serde_json::{Map, Value, json};

use self::ahead::Ahead;
use self::items::{Item, Items};
use self::judging::{Judged, Outcome, judge_pair};
use self::pairing::{Files, Pair, PairTexts, Pairing};
use self::shard::Shard;
use self::verdicts::{Done, Verdicts};
use super::args::{BudgetArgs, ToleranceArgs};
use super::colours;
use super::complaints::Complaints;
use super::console::Console;
use super::intake::unread;
use super::jobs::JobArgs;
use super::outputs::check_outputs;
use super::summary::Summary;
use super::{Ending, Fatal, Result};

/// Judge the claims of a solver: a verdict per claim on standard output, a summary on standard
/// error.
///
/// Claims are matched with problems by name, and verdicts come in the order of the claims. A
/// problem without a claim counts as `failed`. Claims of `unsolvable` are proved or refuted;
/// claims of `solved` are evaluated exactly, and compared with the truth where the problem has
/// `expect` or --prove is given.
///
/// Both inputs are read as streams, and all cores judge. Memory grows with the number of
/// records by some 100 bytes a name only, where problems and claims come in the same order
/// or the problems in a file. Verdicts do not depend on the number of threads.
///
/// Of two pipes, each is read up to 64 MiB ahead, so that a single program can fill both in any order. One that
/// writes more of one before the other has to write it to a file: it would wait for ever.
///
/// The first line of the file of --out names the inputs (SHA-256), the options and the version of
/// the verdicts. --resume refuses a file with another first line, and names the difference.
#[derive(Args)]
#[command(after_help = "\
Example: etalon check problems.jsonl claims.jsonl --prove
         etalon check problems.jsonl claims.jsonl --shard 2/8 --out verdicts-2.jsonl --resume

A proof may take 60s per problem, unless --time-limit says otherwise.")]
pub struct Check {
    /// Problems, one JSON line each (or one record in a .json file), or in CBOR; - for standard input
    problems: PathBuf,

    /// Claims, one JSON line each, or in CBOR; - for standard input
    claims: PathBuf,

    /// Search for the truth of every problem, and show the right answer where a claim is wrong
    #[arg(long)]
    prove: bool,

    #[command(flatten)]
    tolerance: ToleranceArgs,

    /// Judge only part K of N; each name belongs to one part
    #[arg(
        long,
        value_name = "K/N",
        default_value = "1/1",
        hide_default_value = true
    )]
    shard: Shard,

    /// Write the verdicts to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Resume a run of the same inputs and options that was cut short: keep the verdicts in the
    /// file. Both inputs must be files, not pipes
    #[arg(long, requires = "out")]
    resume: bool,

    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    budget: BudgetArgs,
}

/// A run of the command.
struct Run<'a> {
    command: &'a Check,
    console: &'a Console,
    files: Arc<Files>,
    judge: Arc<Judge>,
    verdicts: Verdicts<'a>,
    summary: Summary,
    complaints: Complaints<'a>,
    warned: HashSet<String>,
    /// How many verdicts of an earlier run belong to these inputs.
    taken_up: usize,
}

/// What became of an item.
enum Settled {
    Complaint(String),
    /// A verdict of an earlier run, and whether it is accepted.
    Done(Pair, Done, bool),
    Judged(Pair, Box<Outcome>),
}

impl Check {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        if self.problems.as_os_str() == "-" && self.claims.as_os_str() == "-" {
            let both = "problems and claims cannot both come from standard input";
            return Err(Fatal::Usage(both.to_owned()));
        }
        // All are opened before the first is read: a missing file should not cost a long wait.
        let (problems, claims) = self.inputs()?;
        let mut pairing = Pairing::new(problems, claims, self.shard);
        let mut complaints = Complaints::new(console);
        let begun = pairing.begin();
        for complaint in pairing.take_complaints() {
            complaints.add(complaint);
        }
        if !begun {
            // Said why already; a complaint about every claim would only bury that.
            return Ok(Ending::Unreadable);
        }
        let run = Run {
            command: self,
            console,
            files: Arc::clone(&pairing.files),
            judge: Arc::new(self.judge()),
            // Not before there is a problem: of a file that is refused no verdicts are begun.
            verdicts: self.verdicts(console)?,
            summary: Summary::default(),
            complaints,
            warned: HashSet::new(),
            taken_up: 0,
        };
        run.run(pairing)
    }

    /// Both inputs. Of two pipes, that which is not needed yet is read, too: one program may fill both.
    fn inputs(&self) -> Result<(Texts, Texts)> {
        let is_pipe = |path: &Path| {
            let named = || std::fs::metadata(path).is_ok_and(|own| is_fifo(&own));
            path.as_os_str() == "-" || named()
        };
        if !is_pipe(&self.problems) || !is_pipe(&self.claims) {
            return Ok((open_texts(&self.problems)?, open_texts(&self.claims)?));
        }
        // Both begin before either is waited for.
        let [problems, claims] = [&self.problems, &self.claims].map(|path| {
            let name = match path.as_os_str() == "-" {
                true => "standard input".to_owned(),
                false => path.display().to_string(),
            };
            Texts::new(&name, Box::new(Ahead::open(path)))
        });
        Ok((checked_texts(problems)?, checked_texts(claims)?))
    }

    fn judge(&self) -> Judge {
        Judge {
            tolerance: self.tolerance.tolerance(),
            prove: self.prove,
            accept_perturbed: self.tolerance.accept_perturbed,
            budget: self.budget.proof_budget(),
        }
    }

    fn verdicts<'a>(&self, console: &'a Console) -> Result<Verdicts<'a>> {
        let Some(out) = &self.out else {
            return Ok(Verdicts::shown(console));
        };
        let name = out.display();
        if std::fs::metadata(out).is_ok_and(|there| !there.is_file()) {
            return Err(Fatal::Usage(format!(
                "{name} is no file; without --out the verdicts go to standard output"
            )));
        }
        check_outputs(&[("--out", Some(out))], &[&self.problems, &self.claims])?;
        let (paths, options) = self.heading_of();
        if self.jobs.threads() > 1 && !self.resume {
            // No earlier verdicts are looked for, so judging can begin.
            let make = {
                let (paths, options) = (paths.clone(), options.clone());
                move || heading(paths, options)
            };
            if let Ok(late) = Builder::new().spawn(make) {
                return Verdicts::in_new_file(console, out, late);
            }
        }
        let heading = heading(paths, options)?;
        let is_pipe = |name: &&'static str| heading.inputs.get(*name).is_some_and(Option::is_none);
        if self.resume
            && let Some(name) = ["problems", "claims"].into_iter().find(is_pipe)
        {
            return Err(Fatal::Usage(format!(
                "--resume needs {} in a file: what comes through a pipe cannot be compared with what the earlier run has judged",
                name.to_uppercase()
            )));
        }
        Verdicts::in_file(console, out, &heading, self.resume)
    }

    /// Of what the first line of the file of --out is made: the inputs, and whatever changes a verdict.
    fn heading_of(&self) -> ([(&'static str, PathBuf); 2], Map<String, Value>) {
        let inputs = [("problems", &self.problems), ("claims", &self.claims)];
        let mut options = self.tolerance.record();
        options.extend(self.budget.record());
        options.insert("prove".to_owned(), json!(self.prove));
        options.insert("shard".to_owned(), json!(self.shard.to_string()));
        (inputs.map(|(name, path)| (name, path.clone())), options)
    }
}

/// The first line of the file of --out.
fn heading(
    paths: [(&str, PathBuf); 2],
    options: Map<String, Value>,
) -> std::result::Result<Heading, InputError> {
    let mut inputs = BTreeMap::new();
    for (name, path) in paths {
        let file = path.display().to_string();
        let digest = digest_of_file(&path).map_err(|source| InputError::Io { file, source })?;
        inputs.insert(name.to_owned(), digest);
    }
    Ok(Heading::new(inputs, options))
}

impl Run<'_> {
    fn run(mut self, pairing: Pairing) -> Result<Ending> {
        let mut items = Items::new(pairing, self.verdicts.earlier());
        let (judge, files) = (Arc::clone(&self.judge), Arc::clone(&self.files));
        self.console.watch(None);
        let mut results = self.command.jobs.stream(
            move |most| items.few(most),
            Item::bytes,
            move |item| match item {
                Item::Complaint(complaint) => Settled::Complaint(complaint),
                Item::Done(pair, done) => at_work(|| taken_up(&judge, pair, done)),
                Item::Pair(pair) => at_work(|| judged(&judge, &files, pair)),
            },
        );
        while let Some(settled) = results.next() {
            match settled {
                Settled::Complaint(complaint) => self.complaints.add(complaint),
                Settled::Done(pair, done, accepted) => self.take_up(&pair, &done, accepted),
                Settled::Judged(pair, outcome) => self.settle(&pair, *outcome)?,
            }
            if !results.is_ready() {
                self.verdicts.flush()?;
            }
        }
        self.console.end_watch();
        self.finish()
    }

    /// Counts a record on which an earlier run has left its verdict.
    fn take_up(&mut self, pair: &Pair, done: &Done, accepted: bool) {
        self.taken_up += 1;
        self.summary.count(done.kind, accepted, done.error.as_ref());
        if !accepted {
            let (origin, word) = (self.origin(pair), colours::verdict(done.kind));
            self.summary
                .list(|| format!("{origin}: {word} in an earlier run"));
        }
        self.console.done();
    }

    /// Reports what came of a pair.
    fn settle(&mut self, pair: &Pair, outcome: Outcome) -> Result<()> {
        self.warn(pair, &outcome.unknown_fields);
        for complaint in outcome.complaints {
            self.complaints.add(complaint);
        }
        if let Some(judged) = outcome.judged {
            self.report(pair, judged)?;
        }
        self.console.done();
        Ok(())
    }

    /// A misspelt `lower` is a field that is not known, and a different problem; say it once.
    fn warn(&mut self, pair: &Pair, unknown_fields: &[String]) {
        for field in unknown_fields {
            if self.warned.insert(field.clone()) {
                let origin = self.files.problem(&pair.problem);
                self.console
                    .warning(format_args!("{origin}: {}", unread(field)));
            }
        }
    }

    /// Where the claim stands, or the problem that has none.
    fn origin(&self, pair: &Pair) -> Origin {
        match &pair.claim {
            Some(claim) => self.files.claim(claim),
            None => self.files.problem(&pair.problem),
        }
    }

    fn report(&mut self, pair: &Pair, judged: Judged) -> Result<()> {
        let verdict = &judged.judgement.verdict;
        self.summary
            .count(verdict.kind, judged.judgement.accepted, verdict.figure());
        if !judged.judgement.accepted {
            let origin = self.origin(pair);
            self.summary.list(|| failure(&judged.judgement, &origin));
        }
        self.verdicts.add(judged.line)
    }

    fn finish(mut self) -> Result<Ending> {
        self.verdicts.finish()?;
        let strangers = self.verdicts.earlier().len().saturating_sub(self.taken_up);
        if strangers > 0 {
            let out = self.command.out.as_deref().unwrap_or(Path::new("-"));
            self.complaints.add(format!(
                "{}: {strangers} of the verdicts that stood there belong to other inputs",
                out.display()
            ));
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
}

/// Whether a verdict of an earlier run is accepted. The texts are dropped, so that results that wait take little memory.
fn taken_up(judge: &Judge, mut pair: Pair, done: Done) -> Settled {
    let text = pair.take_texts().problem;
    // Only there the problem's own record has a say.
    let read = (done.kind == VerdictKind::Perturbed).then(|| read_problem(&text));
    let expect = read
        .and_then(|read| read.ok())
        .and_then(|read| read.record.expect);
    let accepted = judge.accepts(done.kind, expect.as_ref());
    Settled::Done(pair, done, accepted)
}

/// Judges a pair. Its texts are dropped once they are read.
fn judged(judge: &Judge, files: &Files, mut pair: Pair) -> Settled {
    let PairTexts { problem, claim } = pair.take_texts();
    let origin = pair.claim.as_ref().map(|claim| files.claim(claim));
    let problem = (&files.problem(&pair.problem), problem);
    let outcome = judge_pair(judge, problem, origin.zip(claim));
    Settled::Judged(pair, Box::new(outcome))
}

/// One line for people: where, what, why, and what would have been right.
fn failure(judgement: &Judgement, origin: &Origin) -> String {
    let Judgement {
        verdict, solution, ..
    } = judgement;
    let (name, word) = (&verdict.name, colours::verdict(verdict.kind));
    let mut text = format!("{origin}: record {name:?}: {word}");
    if let Some(reason) = &verdict.reason {
        text += &format!(": {}", reason);
    }
    match solution {
        Some(z) => text += &format!("; an exact solution: z = {}", &show_vector(z)),
        None if verdict.truth.solvable == Some(false) => text += "; there is no solution",
        None => {}
    }
    text
}

#[cfg(unix)]
fn is_fifo(data: &std::fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&data.file_type())
}

#[cfg(not(unix))]
fn is_fifo(_: &std::fs::Metadata) -> bool {
    false
}
