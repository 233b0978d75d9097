//! `etalon show`: a problem in words, with its truth, and how the solvers of Etalon fare on it.

mod proof;
mod source;

use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::ArgValueCandidates;
use etalon_exact::Budget;
use etalon_golden::files::exists;
use etalon_golden::{
    Golden, GoldenRecords, ProblemReport, SolverOutcome, find_problem, problem_names, read,
};
use etalon_judge::{Judge, show_vector};
use etalon_lcp::record::write_problem;
use etalon_lcp::{Number, Problem, Status, Unique};
use etalon_methods::all_methods;
use serde_json::{Value, json};

use self::proof::proof;
use self::source::source;
use super::colours::{self, bad, doubtful};
use super::completions::golden_names;
use super::console::Console;
use super::goldens::usual;
use super::intake::warn_of;
use super::similar::did_you_mean;
use super::system::{some, system};
use super::{Ending, Fatal, Result};

/// Pivots of an exact solver on the problem that is shown.
const PIVOTS: u64 = 20_000;

/// Solvers are asked about problems of at most so many rows. Chosen for seconds: the exact methods make dense systems of fractions,
/// and on 2,000 rows of zeros they take half a gigabyte.
const ASKED_ROWS: usize = 300;

/// Characters of a line.
const WIDTH: usize = 80;

/// Show a problem in words: M, q, bounds, its truth with the proof, its source, and how solvers fare on it.
///
/// The proof is checked anew, and all solvers of Etalon are asked and judged, up to 300 rows. The exit status is 1 where a statement of the
/// record does not hold.
#[derive(Args)]
#[command(after_help = "\
Example: etalon show reports/dart_dantzig_rounded_tie
         etalon show problem.json
         etalon gen degenerate --n 3 --count 2 --seed 1 | etalon show -")]
pub struct Show {
    /// Names of goldens, and files with problems; - for standard input
    #[arg(value_name = "NAME|FILE", required = true, add = ArgValueCandidates::new(golden_names))]
    what: Vec<String>,
}

impl Show {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        let mut ending = Ending::Accepted;
        for (at, golden) in self.found(console)?.iter().enumerate() {
            let budget = Budget {
                pivots: PIVOTS,
                ..etalon_judge::proof_budget()
            };
            let methods = all_methods(&budget);
            let asked = methods.iter().filter(|_| golden.problem.n() <= ASKED_ROWS);
            let assignments: Vec<_> = asked.map(|method| method.as_assignment()).collect();
            let report = golden.reprove(&assignments, &Judge::default());
            if report
                .findings
                .iter()
                .any(|finding| !finding.part.is_solver())
            {
                ending = Ending::NotAccepted;
            }
            if console.json {
                console.line(to_json(golden, &report).to_string())?;
            } else {
                let gap = if at == 0 { "" } else { "\n" };
                console.line(format!("{gap}{}", to_text(golden, &report)))?;
            }
        }
        Ok(ending)
    }

    /// The problems, in the order in which they are named.
    fn found(&self, console: &Console) -> Result<Vec<Golden>> {
        let mut found = Vec::new();
        let mut folder: Option<PathBuf> = None;
        for what in &self.what {
            let path = PathBuf::from(what);
            let is_input = what == "-";
            if is_input || exists(&path) {
                let before = found.len();
                let records = match is_input {
                    true => GoldenRecords::of_files(vec![path]),
                    false => read(&[path])?,
                };
                for record in records {
                    let golden = record?;
                    let unknown = golden.unknown_fields.iter();
                    unknown.for_each(|field| {
                        warn_of(&golden.origin, golden.problem.name(), field, console)
                    });
                    found.push(golden);
                }
                if found.len() == before {
                    return Err(Fatal::Usage(format!("{what}: there is no problem in it")));
                }
                continue;
            }
            // Once, as a note says where goldens come from.
            let folder = folder.get_or_insert_with(|| usual(console));
            match find_problem(folder, what)? {
                Some(golden) => found.push(golden),
                None => return Err(unknown(what, folder)?),
            }
        }
        Ok(found)
    }
}

/// Neither a file nor the name of a golden problem; the names that are nearest to it are said.
fn unknown(what: &str, folder: &Path) -> Result<Fatal> {
    let names = problem_names(folder)?;
    // A manifest may list what is gone.
    let others = names.iter().filter(|name| *name != what);
    let meant = did_you_mean(what, others.map(String::as_str));
    Ok(Fatal::Usage(format!(
        "{what}: there is no such file, and no golden problem of that name{meant}"
    )))
}

fn to_text(golden: &Golden, report: &ProblemReport) -> String {
    let problem = &golden.problem;
    let mut text = format!("{}  ({})\n", problem.name(), golden.origin);
    text += &format!("{}\n{}", size(problem), system(problem, WIDTH));
    text += &format!("\n{}", truth(problem));
    for finding in &report.findings {
        let finding = &finding.to_string();
        text += &format!("\n{}: {finding}", bad("DOES NOT HOLD"));
    }
    let remarks = &problem.remarks;
    if let Some(from) = &remarks.source {
        let said = source(from);
        let gap = if said.starts_with('\n') { "" } else { " " };
        text += &format!("\nsource:{gap}{said}");
    }
    if let Some(notes) = &remarks.notes {
        text += &format!("\nnotes: {notes}");
    }
    text += "\nsolvers:";
    if problem.n() > ASKED_ROWS {
        text += &format!(" not asked about more than {ASKED_ROWS} rows; see etalon solve");
    }
    for solver in &report.solvers {
        let kind = colours::verdict(solver.verdict.kind);
        text += &match &solver.outcome {
            SolverOutcome::Solved => format!("\n  {:<20} {kind}", solver.name),
            SolverOutcome::GaveUp(why) => {
                format!("\n  {:<20} {}: {why}", solver.name, doubtful("gave up"))
            }
            SolverOutcome::Wrong(why) => {
                format!("\n  {:<20} {}: {why}", solver.name, bad("WRONG"))
            }
        };
    }
    text
}

fn size(problem: &Problem) -> String {
    let n = problem.n();
    let rows = if n == 1 { "row" } else { "rows" };
    let mut size = format!("{n} {rows}");
    if problem.lower().is_some() || problem.upper().is_some() {
        size += ", with bounds";
    }
    if !problem.friction().is_empty() {
        size += &format!(", {} of friction", problem.friction().len());
    }
    if !problem.is_lcp() {
        let cones = problem.cones().len();
        let s = if cones == 1 { "" } else { "s" };
        size += &format!(", {cones} friction cone{s}");
    }
    size + "; long numbers are rounded here, --json has them whole"
}

fn truth(problem: &Problem) -> String {
    let Some(expect) = &problem.expect else {
        return "the record says nothing of its solutions (`etalon solve` finds one)".to_owned();
    };
    let mut text = match (expect.status, expect.unique) {
        (Status::Unsolvable, _) => "no solution".to_owned(),
        (Status::Perturbed, _) => {
            "the data as given have no sensible solution; a neighbour within rounding has"
                .to_owned()
        }
        (Status::Unknown, _) => "whether there is a solution is not proved".to_owned(),
        (_, Some(Unique::Z)) => "exactly one solution".to_owned(),
        (_, Some(Unique::W)) => "solvable; all solutions have the same w".to_owned(),
        (status, _) => status.word().to_owned(),
    };
    for z in expect.solutions.iter().take(4) {
        text += &format!("\n  z = ({})", some(z.iter().map(Number::to_string)));
    }
    if let Some(more) = expect
        .solutions
        .len()
        .checked_sub(4)
        .filter(|more| *more > 0)
    {
        text += &format!("\n  and {more} more");
    }
    if let Some(answer) = &expect.answer {
        let z: Vec<_> = answer.z.iter().map(Number::to_rational).collect();
        text += &format!("\n  the source's answer: {}", show_vector(&z));
    }
    if let Some(certificate) = &expect.certificate {
        text += &format!("\nstated proof: {}", proof(certificate, problem.is_pure()));
    }
    text
}

fn to_json(golden: &Golden, report: &ProblemReport) -> Value {
    let record: Value = serde_json::from_str(&write_problem(&golden.problem)).unwrap_or_default();
    let solvers = report.solvers.iter().map(|solver| {
        let (outcome, why) = match &solver.outcome {
            SolverOutcome::Solved => ("solved", None),
            SolverOutcome::GaveUp(why) => ("gave up", Some(why)),
            SolverOutcome::Wrong(why) => ("wrong", Some(why)),
        };
        json!({"name": solver.name, "outcome": outcome, "verdict": solver.verdict.kind.word(), "why": why})
    });
    let findings = report.findings.iter().map(ToString::to_string);
    json!({
        "file": golden.origin.to_string(),
        "problem": record,
        "findings": findings.collect::<Vec<_>>(),
        "solvers": solvers.collect::<Vec<_>>(),
    })
}
