//! One named test for each golden problem, in the `cargo test` of a solver's own crate.
//!
//! A solver is a function of M and q, or anything that implements [`Solver`](etalon_lcp::Solver) (for
//! bounds, friction and claims of `unsolvable`). In a test target without the usual harness
//! (`harness = false` in `Cargo.toml`):
//!
//! ```no_run
//! use etalon_conformance::{Capabilities, Function, kit::{Kit, KitError}};
//! use std::process::ExitCode;
//!
//! fn main() -> Result<ExitCode, KitError> {
//!     let mine = Function::new("mine", |m: &[Vec<f64>], q: &[f64]| Some(vec![0.0; q.len()]));
//!     Ok(Kit::golden()?
//!         .capabilities(Capabilities::pure())
//!         .known_failure("issues/tie", "a tie is broken by rounding")
//!         .run(mine))
//! }
//! ```
//!
//! Each case is a test of its own: `cargo test -- statics/` runs those whose name contains the word,
//! `--list` names them all, each with the version of the suite since which it exists. What the solver is
//! not made for is ignored with the reason beside the name. A known failure must fail: a test says
//! so when it passes, and another when its name is that of no case. What a case's `expect` says falsely is
//! no fault of the solver: the case is judged without it, and a test of its own says so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use etalon_certify::{Tolerance, known};
use etalon_exact::Budget;
use etalon_golden::files::BUILT_IN;
use etalon_golden::{ReadError, read};
use etalon_judge::{Judge, show_vector};
use etalon_lcp::{Claim, Problem};
use libtest_mimic::{Arguments, Failed, Trial};

use crate::capability::{Capabilities, Skip};
use crate::probe::probe;
use crate::subject::{Subject, ask_again_if_hung};

/// The version of the suite that this crate comes with.
pub const SUITE: &str = env!("CARGO_PKG_VERSION");

/// The version of the suite since which cases exist, by the beginnings of their names; the longest that fits counts.
/// Each added case gets a line here, so that an older version of the suite does not contain it.
const SINCE: &[(&str, &str)] = &[("", "0.1.0")];

/// Pivots for the proof that a verdict needs.
const PIVOTS: u64 = 100_000;

/// A problem of the suite.
#[derive(Debug, Clone)]
pub struct Case {
    /// The problem, whose name is the test's.
    pub problem: Problem,
    /// The version of the suite since which it exists.
    pub since: String,
}

/// The suite, and what is asked of a solver.
#[derive(Debug, Clone)]
pub struct Kit {
    cases: Vec<Case>,
    can: Option<Capabilities>,
    tolerance: Tolerance,
    known: BTreeMap<String, String>,
    until: Option<[u64; 3]>,
}

/// Why there is no suite to run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KitError {
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Scenes and trajectories only: a suite of nothing would always pass.
    #[error("there is no problem among the files named")]
    NoProblem,
    /// A text that is no version.
    #[error("{0:?} is no version of the suite, such as 0.1.0")]
    Version(String),
}

impl Case {
    /// A case with the version since which the suite has it.
    pub fn new(problem: Problem) -> Self {
        let fits = SINCE
            .iter()
            .filter(|(start, _)| problem.name().starts_with(start));
        let since = fits.max_by_key(|(start, _)| start.len());
        Self {
            since: since.map_or(SUITE, |(_, version)| version).to_owned(),
            problem,
        }
    }
}

impl Kit {
    /// The golden problems that are built into this crate.
    ///
    /// # Errors
    /// [`KitError`].
    pub fn golden() -> Result<Self, KitError> {
        Self::read(&[Path::new(BUILT_IN).join("problems")])
    }

    /// The problems under some paths: files, and folders of them.
    ///
    /// # Errors
    /// [`KitError::Read`], [`KitError::NoProblem`].
    pub fn read(paths: &[PathBuf]) -> Result<Self, KitError> {
        let cases = read(paths)?.map(|golden| golden.map(|golden| Case::new(golden.problem)));
        let cases = cases.collect::<Result<Vec<_>, _>>()?;
        if cases.is_empty() {
            return Err(KitError::NoProblem);
        }
        Ok(Self::of(cases))
    }

    /// Some cases.
    pub fn of(cases: Vec<Case>) -> Self {
        Self {
            cases,
            can: None,
            tolerance: Tolerance::default(),
            known: BTreeMap::new(),
            until: None,
        }
    }

    /// The suite with more cases, such as the steps of a trajectory.
    #[must_use]
    pub fn with_cases(mut self, cases: impl IntoIterator<Item = Case>) -> Self {
        self.cases.extend(cases);
        self
    }

    /// What the solver can do; the rest is ignored, each case with the reason. Without it the solver is
    /// asked ([`probe()`]).
    #[must_use]
    pub fn capabilities(mut self, can: Capabilities) -> Self {
        self.can = Some(can);
        self
    }

    /// How far an answer may be from exact.
    #[must_use]
    pub fn tolerance(mut self, tolerance: Tolerance) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// A case that the solver gets wrong, and why.
    #[must_use]
    pub fn known_failure(mut self, name: &str, why: &str) -> Self {
        self.known.insert(name.to_owned(), why.to_owned());
        self
    }

    /// Known failures as lines `NAME: reason`; empty lines and those that begin with # say nothing.
    #[must_use]
    pub fn known_failures(mut self, lines: &str) -> Self {
        for line in lines.lines().map(str::trim) {
            if !line.is_empty() && !line.starts_with('#') {
                let (name, why) = line.split_once(": ").unwrap_or((line, ""));
                self = self.known_failure(name, why);
            }
        }
        self
    }

    /// Only cases that existed in that version of the suite: so a growing suite does not break existing tests.
    ///
    /// # Errors
    /// [`KitError::Version`].
    pub fn as_of(mut self, version: &str) -> Result<Self, KitError> {
        let parsed = parse(version).ok_or_else(|| KitError::Version(version.to_owned()))?;
        self.until = Some(parsed);
        Ok(self)
    }

    /// Runs the tests that the command line asks for.
    pub fn run(self, subject: impl Subject + Send + 'static) -> ExitCode {
        let arguments = Arguments::from_args();
        libtest_mimic::run(&arguments, self.trials(subject)).exit_code()
    }

    /// The tests, to be run beside others.
    pub fn trials(self, subject: impl Subject + Send + 'static) -> Vec<Trial> {
        let subject = Arc::new(subject);
        // A solver that cannot be started fails every case, and says why.
        let asked = || probe(&*subject).map_or_else(|_| Capabilities::default(), |found| found.can);
        let can = self.can.clone().unwrap_or_else(asked);
        let judge = Arc::new(Judge {
            tolerance: self.tolerance.clone(),
            budget: Budget {
                pivots: PIVOTS,
                ..Budget::default()
            },
            ..Judge::default()
        });
        let names: Vec<&str> = self.cases.iter().map(|case| case.problem.name()).collect();
        let stale: Vec<String> = (self.known.keys())
            .filter(|name| !names.contains(&name.as_str()))
            .cloned()
            .collect();
        let mut trials = vec![Trial::test("known failures are cases", move || {
            if stale.is_empty() {
                return Ok(());
            }
            Err(Failed::from(format!(
                "no case is called {}",
                stale.join(", ")
            )))
        })];
        let stated = self.cases.iter().map(|case| case.problem.clone());
        let stated: Vec<Problem> = stated.filter(|p| p.expect.is_some()).collect();
        if !stated.is_empty() {
            trials.push(Trial::test("what cases expect holds", move || {
                let all: Vec<String> = stated.iter().filter_map(false_expect).collect();
                if all.is_empty() {
                    return Ok(());
                }
                Err(Failed::from(all.join("\n")))
            }));
        }
        for case in self.cases.iter().filter(|case| self.existed(case)) {
            let name = case.problem.name().to_owned();
            let skip = can.lacks(&case.problem);
            let why = self.known.get(&name).cloned();
            let kind = kind(&case.since, skip.as_ref(), why.is_some());
            let (problem, judge) = (case.problem.clone(), Arc::clone(&judge));
            let subject = Arc::clone(&subject);
            let trial = Trial::test(name, move || {
                hold(&judge, &*subject, &problem, why.as_deref())
            });
            trials.push(trial.with_kind(kind).with_ignored_flag(skip.is_some()));
        }
        trials
    }

    fn existed(&self, case: &Case) -> bool {
        self.until
            .is_none_or(|until| parse(&case.since).is_none_or(|since| since <= until))
    }
}

/// The prefix of a test's name.
fn kind(since: &str, skip: Option<&Skip>, is_known: bool) -> String {
    let mut kind = format!("since {since}");
    if let Some(skip) = skip {
        kind += &format!("; not for this solver: {skip}");
    } else if is_known {
        kind += "; known failure";
    }
    kind
}

/// The false statement in a problem's `expect`.
fn false_expect(problem: &Problem) -> Option<String> {
    let error = known(problem, problem.expect.as_ref()?).err()?;
    Some(format!("{}: {error}", problem.name()))
}

/// Whether the solver holds on a problem; on a known failure it must not.
fn hold(
    judge: &Judge,
    subject: &dyn Subject,
    problem: &Problem,
    known: Option<&str>,
) -> Result<(), Failed> {
    match (verdict(judge, subject, problem), known) {
        (Ok(()), None) | (Err(_), Some(_)) => Ok(()),
        (Err(why), None) => Err(Failed::from(why)),
        (Ok(()), Some(why)) => Err(Failed::from(format!(
            "a known failure ({why}) passes: take it off the list"
        ))),
    }
}

/// Why the solver's answer is not accepted, where it is not.
fn verdict(judge: &Judge, subject: &dyn Subject, problem: &Problem) -> Result<(), String> {
    let claim = ask_again_if_hung(subject, problem);
    let claim = claim.unwrap_or_else(|failure| Claim::failed(problem.name(), failure.message));
    let judgement = judge.verdict(problem, &claim);
    if judgement.accepted {
        return Ok(());
    }
    let mut why = judgement.verdict.kind.word().to_owned();
    if let Some(reason) = judgement.verdict.reason {
        why += &format!(": {reason}");
    }
    if let Some(z) = judgement.solution {
        why += &format!("; an exact solution: z = {}", show_vector(&z));
    }
    Err(why)
}

fn parse(version: &str) -> Option<[u64; 3]> {
    let mut parts = version.split('.').map(str::parse);
    let mut next = || parts.next()?.ok();
    let parsed = [next()?, next()?, next()?];
    parts.next().is_none().then_some(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Function;
    use etalon_lcp::record::read_problem;

    fn case(text: &str) -> Case {
        Case::new(read_problem(text).unwrap().record)
    }

    #[test]
    fn a_suite_without_a_problem_is_an_error() {
        for folder in ["scenes", "trajectories"] {
            let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden");
            let kit = Kit::read(&[golden.join(folder)]);
            assert!(matches!(kit, Err(KitError::NoProblem)), "{folder}");
        }
    }

    fn kit() -> Kit {
        Kit::of(vec![
            case(r#"{"name": "a", "M": [[1]], "q": [1]}"#),
            case(r#"{"name": "b", "M": [[1]], "q": [-1]}"#),
            case(r#"{"name": "c", "M": [[1]], "q": [-1], "lower": ["-inf"]}"#),
        ])
        .capabilities(Capabilities::pure())
    }

    fn zeros(_: &[Vec<f64>], q: &[f64]) -> Option<Vec<f64>> {
        Some(vec![0.0; q.len()])
    }

    fn run(kit: Kit) -> (u64, u64, u64) {
        // Their words in a file: "FAILED" in the log of tests that pass is nothing to read.
        let log = tempfile::NamedTempFile::new().unwrap();
        let arguments = Arguments {
            logfile: Some(log.path().display().to_string()),
            ..Arguments::default()
        };
        let ended = libtest_mimic::run(&arguments, kit.trials(Function::new("zeros", zeros)));
        (ended.num_passed, ended.num_failed, ended.num_ignored)
    }

    #[test]
    fn wrong_answers_fail_and_what_is_not_for_the_solver_is_ignored() {
        assert_eq!(run(kit()), (2, 1, 1));
    }

    #[test]
    fn known_failures_must_fail_and_be_cases() {
        assert_eq!(run(kit().known_failure("b", "zero")), (3, 0, 1));
        assert_eq!(
            run(kit().known_failures("# list\n\nb: zero\na: zero")),
            (2, 1, 1)
        );
        assert_eq!(run(kit().known_failures("b: zero\nx: gone")), (2, 1, 1));
    }

    #[test]
    fn an_older_suite_has_the_cases_of_its_time() {
        let mut kit = kit();
        kit.cases[0].since = "0.2.0".to_owned();
        assert_eq!(run(kit.clone().as_of("0.1.9").unwrap()), (1, 1, 1));
        assert_eq!(run(kit.clone().as_of("0.2.0").unwrap()), (2, 1, 1));
        assert!(kit.as_of("0.2").is_err());
    }

    #[test]
    fn every_version_is_one_of_the_past_or_present() {
        let now = parse(SUITE).unwrap();
        assert!(
            SINCE
                .iter()
                .all(|(_, version)| parse(version).unwrap() <= now)
        );
    }
}
