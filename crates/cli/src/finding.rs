//! A small problem that a solver gets wrong, for people and for files.

use std::path::{Path, PathBuf};

use etalon_certify::Tolerance;
use etalon_conformance::{
    Examiner, Fault, KeptProperties, Language, Severity, ShrinkLimits, Shrinker, Shrunk, Subject,
    SubjectFailure, snippet,
};
use etalon_exact::{Budget, Decision, decide, enclose};
use etalon_fast::ConeSolver;
use etalon_golden::{Decided, derive};
use etalon_lcp::record::{digest, write_problem, write_problem_pretty};
use etalon_lcp::{Certificate, Claim, ClaimedAnswer, Grade, Number, Problem, Solver, format_f64};
use rug::Rational;
use serde_json::{Value, json};

use super::system::whole_system;
use super::{Fatal, Result};

/// Pivots for the exact answer.
const PIVOTS: u64 = 100_000;

/// A shrunk problem with its exact answer.
pub struct Small {
    /// The problem, with its truth and proof in `expect`.
    pub problem: Problem,
    /// The fault.
    pub fault: Fault,
    /// How bad it is.
    pub severity: Severity,
    /// Of a wrong answer: how wrong.
    grade: Option<Grade>,
    /// What the solver said.
    answer: String,
    /// What the judge says of that.
    verdict: String,
    /// What the solver says when it is asked again, where that shows another fault or none.
    again: Option<String>,
    solution: Option<Vec<Rational>>,
    /// Of contacts: the middle of a box that holds a solution, and how far it reaches.
    near: Option<(Vec<f64>, f64)>,
    solvable: Option<bool>,
    unique: bool,
}

impl Small {
    /// Finds the exact answer, and asks the solver once more: one that is wrong only now and then
    /// is to be called so.
    pub fn of(shrunk: &Shrunk, subject: &dyn Subject, examiner: &Examiner) -> Self {
        let stem = stem(&shrunk.problem, shrunk.fault);
        let mut problem = shrunk.problem.clone().renamed(stem);
        let shown = &shrunk.examination;
        let verdict = shown.judgement.as_ref().map(|judgement| &judgement.verdict);
        let grade = verdict.and_then(|verdict| verdict.grade);
        problem.remarks.notes = Some(format!(
            "{} by {:?}",
            described(shrunk.fault, grade),
            subject.name()
        ));
        let from = shrunk.problem.name();
        problem.remarks.source = Some(json!(format!("made by etalon: {from}")));
        let examined = examiner.examine(subject, &problem);
        // An answer that the end of the time cut short shows nothing.
        let stop = &examiner.judge.budget.stop;
        let steady = examined.fault == Some(shrunk.fault) || stop.is_stopped();
        let again = (!steady).then(|| {
            let fault = examined.fault.map_or("not at fault", Fault::word);
            format!("{}, {fault}", answer(&examined.claim))
        });
        // Of a solver that gives up, its answer says all.
        let gave_up = shown
            .claim
            .as_ref()
            .is_ok_and(|claim| claim.answer == ClaimedAnswer::Failed);
        let verdict = verdict.filter(|_| !gave_up).map(|verdict| {
            let reason = verdict.reason.clone();
            reason.unwrap_or_else(|| verdict.kind.word().to_owned())
        });
        let budget = Budget {
            pivots: PIVOTS,
            stop: stop.clone(),
            ..Budget::default()
        };
        let mut decision = decide(&problem, &budget);
        let near = if decision.truth.solutions().is_empty() {
            enclosed(&problem, &mut decision)
        } else {
            None
        };
        let decided = Decided {
            truth: decision.truth.clone(),
            certificate: decision.certificate,
            gave_up: decision.gave_up,
        };
        // Where nothing is decided the problem is kept without its truth.
        let problem = derive(&problem, decided).unwrap_or(problem);
        Self {
            problem,
            fault: shrunk.fault,
            severity: Severity::of_examination(shown),
            grade,
            answer: answer(&shown.claim),
            verdict: verdict.unwrap_or_default(),
            again,
            solution: decision.truth.solutions().first().cloned(),
            near,
            solvable: decision.truth.status().solvable,
            unique: decision.truth.status().unique == Some(etalon_lcp::Unique::Z),
        }
    }

    /// The name of its file, without an ending.
    pub fn name(&self) -> &str {
        self.problem.name()
    }

    /// What is known of its solutions, for a program's comment.
    pub fn answer(&self) -> String {
        match &self.solution {
            Some(z) => format!("an exact solution: z = ({})", joined(z)),
            None => self.truth(),
        }
    }

    fn truth(&self) -> String {
        match (&self.solution, &self.near, self.solvable) {
            (Some(z), ..) if self.unique => format!("the only solution is z = ({})", joined(z)),
            (Some(z), ..) => format!("a solution is z = ({})", joined(z)),
            (_, Some((z, radius)), _) => {
                let z = z.iter().map(|z| format_f64(*z)).collect::<Vec<_>>();
                format!(
                    "a solution, rounded to binary64, is z = ({}); it is enclosed to {radius:.0e}",
                    z.join(", ")
                )
            }
            (.., Some(false)) => "there is no solution".to_owned(),
            (.., Some(true)) => "there is a solution; none is stated by fractions".to_owned(),
            (.., None) => "not decided within the budget".to_owned(),
        }
    }

    /// For people: the problem, the answer, the truth.
    pub fn to_text(&self) -> String {
        let what = described(self.fault, self.grade);
        let mut text = format!("{what}\n{}", whole_system(&self.problem));
        text += &format!("\n  the solver: {}", self.answer);
        if !self.verdict.is_empty() {
            text += &format!("\n  but {}", &self.verdict);
        }
        if let Some(again) = &self.again {
            text += &format!("\n  asked again: {again}; the solver is not steady");
        }
        text + &format!("\n  exactly: {}", self.truth())
    }

    /// The record of the problem, for a file of that name: in lines of its own in a .json file, on one line elsewhere.
    pub fn record(&self, file: &Path) -> String {
        match file.extension() {
            Some(ending) if ending == "json" => write_problem_pretty(&self.problem),
            _ => write_problem(&self.problem),
        }
    }

    /// As Markdown, with the problem in three languages.
    pub fn to_markdown(&self, command: &str) -> String {
        let mut text = format!("# {}\n\n```text\n{}\n```\n", self.name(), self.to_text());
        text += &format!("\nTo see it again:\n\n```sh\n{command}\n```\n");
        for language in Language::ALL {
            let code = snippet(language, &self.problem, &self.answer());
            text += &format!("\n```{language}\n{code}\n```\n");
        }
        text
    }

    /// For programs.
    pub fn to_json(&self) -> Value {
        let record = write_problem_pretty(&self.problem);
        let snippets = Language::ALL.map(|language| {
            let code = snippet(language, &self.problem, &self.answer());
            (language.name().to_owned(), json!(code))
        });
        json!({
            "fault": self.fault.word(),
            "severity": self.severity.word(),
            "grade": self.grade.map(Grade::word),
            "problem": serde_json::from_str::<Value>(&record).unwrap_or_default(),
            "answer": self.answer,
            "verdict": self.verdict,
            "again": self.again,
            "truth": self.truth(),
            "snippets": snippets.into_iter().collect::<serde_json::Map<_, _>>(),
        })
    }

    /// Writes the problem and the words about it into a folder; the file of the problem.
    pub fn save(&self, folder: &Path, command: impl Fn(&Path) -> String) -> Result<PathBuf> {
        std::fs::create_dir_all(folder).map_err(Fatal::unwritten(folder))?;
        let file = folder.join(format!("{}.json", self.name()));
        let record = self.record(&file) + "\n";
        std::fs::write(&file, record).map_err(Fatal::unwritten(&file))?;
        let words = self.to_markdown(&command(&file));
        let beside = file.with_extension("md");
        std::fs::write(&beside, words).map_err(Fatal::unwritten(&beside))?;
        Ok(file)
    }
}

fn joined(z: &[Rational]) -> String {
    let z: Vec<_> = z.iter().map(ToString::to_string).collect();
    z.join(", ")
}

/// A box that holds a solution to a problem with friction cones, as the proof of what is decided: its middle and how far
/// it reaches. Solutions of contacts are seldom fractions.
fn enclosed(problem: &Problem, decision: &mut Decision) -> Option<(Vec<f64>, f64)> {
    if problem.is_lcp() || decision.truth.status().solvable == Some(false) {
        return None;
    }
    let ClaimedAnswer::Solved { z } = ConeSolver.solve(problem).answer else {
        return None;
    };
    let z: Vec<f64> = z.iter().map(Number::to_f64).collect();
    let found = enclose(problem, &z)?;
    decision.truth.add_certificate(problem, &found).ok()?;
    let Certificate::Enclosure(own) = &found else {
        return None;
    };
    let floats = |values: &[Number]| values.iter().map(Number::to_f64).collect::<Vec<_>>();
    let near = floats(&own.center);
    let radius = floats(&own.radius).into_iter().fold(0.0, f64::max);
    decision.certificate = Some(found);
    decision.gave_up = None;
    Some((near, radius))
}

/// The fault with the grade of a wrong answer: "wrong, gross: called solved, and it is not".
fn described(fault: Fault, grade: Option<Grade>) -> String {
    let grade = match (fault, grade) {
        (Fault::Wrong, Some(Grade::Wrong)) => ", beyond the tolerance".to_owned(),
        (Fault::Wrong, Some(grade)) => format!(", {}", grade.word()),
        _ => String::new(),
    };
    format!("{fault}{grade}: {}", fault.about())
}

/// What the solver said, for people.
fn answer(claim: &std::result::Result<Claim, SubjectFailure>) -> String {
    let claim = match claim {
        Ok(claim) => claim,
        Err(failure) => return format!("no answer: {failure}"),
    };
    match &claim.answer {
        ClaimedAnswer::Solved { z } => {
            let z: Vec<_> = z.iter().map(|v| format_f64(v.to_f64())).collect();
            format!("z = ({})", z.join(", "))
        }
        ClaimedAnswer::Unsolvable => "there is no solution".to_owned(),
        ClaimedAnswer::Failed => match &claim.message {
            Some(why) => format!("it gives up: {why}"),
            None => "it gives up".to_owned(),
        },
    }
}

/// The fault and a digest of the data, so that no problem is kept twice.
fn stem(problem: &Problem, fault: Fault) -> String {
    let mut bare = problem.clone().renamed("");
    bare.remarks = etalon_lcp::Remarks::default();
    bare.expect = None;
    let digest = digest(&bare);
    let hex = digest.trim_start_matches("sha256:");
    format!("{fault}-{}", &hex[..hex.len().min(10)])
}

/// The problem made as small as the limits allow; `None` where the solver gets it right now, or where more than
/// `rows` rows are left: nothing is proved of such a problem, which may take long.
pub fn made_small(
    subject: &dyn Subject,
    examiner: &Examiner,
    problem: &Problem,
    limits: ShrinkLimits,
    rows: usize,
) -> Option<Small> {
    let shrinker = Shrinker {
        subject,
        examiner,
        keep: KeptProperties::default(),
        limits,
    };
    let shrunk = shrinker.shrink(problem).ok()?;
    let is_small = shrunk.problem.n() <= rows;
    is_small.then(|| Small::of(&shrunk, subject, examiner))
}

/// An examiner with the user's tolerance.
pub fn examiner(tolerance: Tolerance, can: etalon_conformance::Capabilities) -> Examiner {
    let mut examiner = Examiner::default();
    examiner.judge.tolerance = tolerance;
    examiner.can = can;
    examiner
}
