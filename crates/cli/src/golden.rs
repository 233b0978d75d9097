//! `etalon golden`: the derived fields of goldens, regenerated.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use etalon_certify::Truth;
use etalon_exact::{Budget, decide_knowing, enclose};
use etalon_golden::{Contradiction, Decided, FoundFiles, derive, files, layout};
use etalon_lcp::record::stream::is_cbor;
use etalon_lcp::{Certificate, Number, Problem};
use etalon_methods::Method;

use super::console::Console;
use super::drafts::{Draft, Drafts};
use super::jobs::JobArgs;
use super::manifest;
use super::scene_goldens;
use super::step_goldens;
use super::trajectories;
use super::{Ending, Fatal, Result};

/// Regenerate the derived fields of golden problems, the generated ones by their recipe, and verdicts on steps.
///
/// The derived fields are expect (status, solutions, uniqueness, certificate, the answer's backward error)
/// and the digest; a new golden needs none of them. A stated status that the exact solvers
/// contradict is an error, and its file stays as it is. A recipe.json is a list of
/// {"family", "n", "count", "seed"} or {"scenario", "set"}. Its folder gets a stream for each family and each
/// scenario. Below golden/scenes those are scenes with their forces and traces. A trajectories.json is a list of
/// {"file", "scenario", "set", "steps"}. Its folder gets a FILE.jsonl for each. Steps of engines in X.jsonl get their
/// verdicts in X.verdicts.jsonl. The MANIFEST of the golden folder lists all files and records below it, so that `verify` notices when one is
/// dropped. This command writes the entries of the given paths anew.
#[derive(Args)]
#[command(after_help = "\
Example: etalon golden golden/problems/statics/my_case.json")]
pub struct Golden {
    /// Problem files, and folders of them
    #[arg(value_name = "PATH", default_value = "golden")]
    paths: Vec<PathBuf>,

    /// Write nothing; exit with 1 if anything would change
    #[arg(long)]
    check: bool,

    /// Largest number of pivots to decide a problem with
    #[arg(long, value_name = "COUNT", default_value_t = Budget::default().pivots)]
    pivots: u64,

    #[command(flatten)]
    jobs: JobArgs,
}

/// Files by what belongs in them.
type Contents = BTreeMap<PathBuf, String>;

impl Golden {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        self.refuse_unwritable()?;
        let found = FoundFiles::or_recipes_in_each(&self.paths)?;
        let drafts = Drafts::collect(&found, console)?;
        let derived = (self.jobs).map(&drafts.list, console, |draft| self.derive(draft));
        let mut contents = Contents::new();
        let mut contradicted = BTreeSet::new();
        for (draft, derived) in drafts.list.iter().zip(derived) {
            match derived {
                Ok(problem) => {
                    let content = contents.entry(draft.file.clone()).or_default();
                    *content += &layout(&draft.file, &problem);
                }
                Err(error) => {
                    let (origin, name) = (&draft.origin, draft.problem.name());
                    console.error(format_args!("{origin}: record {name:?}: {error}"));
                    contradicted.insert(&draft.file);
                }
            }
        }
        let recipes = &found.trajectory_recipes;
        contents.extend(trajectories::regenerate(recipes, &self.jobs, console)?);
        contents.retain(|file, _| !contradicted.contains(file) && !drafts.spoilt.contains(file));
        let mut undecided = Vec::new();
        for (file, content) in scene_goldens::contents(&found, &self.jobs, console)? {
            match content {
                Ok(content) => {
                    contents.insert(file, content);
                }
                Err(error) => {
                    console.error(format_args!("{}: {error}", file.display()));
                    undecided.push(file);
                }
            }
        }
        let (verdicts, unjudged) = step_goldens::contents(&found, &self.jobs, console)?;
        contents.extend(verdicts);
        let left = contradicted.iter().copied().chain(&drafts.spoilt);
        let left: Vec<&PathBuf> = left.chain(&undecided).chain(&unjudged).collect();
        contents.extend(manifest::regenerate(&self.paths, &contents, &left)?);
        let changed = self.settle(&contents, console)?;
        Ok(if !drafts.spoilt.is_empty() || !unjudged.is_empty() {
            Ending::Unreadable
        } else if !contradicted.is_empty() || !undecided.is_empty() || self.check && changed {
            Ending::NotAccepted
        } else {
            Ending::Accepted
        })
    }

    /// What cannot be rewritten in place is no golden for this command.
    fn refuse_unwritable(&self) -> Result<()> {
        if let Some(path) = self
            .paths
            .iter()
            .find(|path| files::built_in(path).is_some())
        {
            let path = path.display();
            return Err(Fatal::Usage(format!(
                "{path}: there is no such file on disk, and goldens inside of etalon cannot be rewritten: go to a checkout, or name files"
            )));
        }
        if self.paths.iter().any(|path| path.as_os_str() == "-") {
            let stdin = "goldens are rewritten in place, which standard input cannot be";
            return Err(Fatal::Usage(stdin.to_owned()));
        }
        Ok(())
    }

    fn derive(&self, draft: &Draft) -> std::result::Result<Problem, Contradiction> {
        // No time limit: what is derived must not depend on the machine.
        let budget = Budget {
            pivots: self.pivots,
            ..Budget::default()
        };
        let decision = decide_knowing(&draft.problem, stated_solutions(&draft.problem), &budget);
        let decided = Decided {
            truth: decision.truth,
            certificate: decision.certificate,
            gave_up: decision.gave_up,
        };
        if draft.problem.is_lcp() {
            return derive(&draft.problem, decided);
        }
        derive(&draft.problem, with_proof(&draft.problem, decided, budget))
    }

    /// Writes the files that change, or says that they would; whether any does.
    fn settle(&self, contents: &Contents, console: &Console) -> Result<bool> {
        let mut changed = 0;
        for (file, content) in contents {
            let present = fs::read(file).unwrap_or_default();
            if present == content.as_bytes() {
                continue;
            }
            changed += 1;
            let name = file.display();
            if is_cbor(&present) {
                return Err(Fatal::Usage(format!(
                    "{name}: the file holds CBOR, and goldens are JSON: write the problem as JSON first"
                )));
            }
            if self.check {
                console.line(format_args!("{name} would change"))?;
            } else {
                replace(file, content)
                    .map_err(|source| Fatal::Usage(format!("{name}: {source}")))?;
                console.line(format_args!("{name} changed"))?;
            }
        }
        let files = contents.len();
        let verb = if self.check {
            "would change"
        } else {
            "changed"
        };
        console.note(format_args!("{changed} of {files} files {verb}"));
        Ok(changed > 0)
    }
}

/// The stated solutions that hold of a problem with friction cones: its proof is then one of uniqueness, since solutions
/// need none that they exist. Linear complementarity problems are decided anew.
fn stated_solutions(problem: &Problem) -> Truth {
    let mut truth = Truth::default();
    let stated = problem.expect.iter().flat_map(|expect| &expect.solutions);
    for z in stated.filter(|_| !problem.is_lcp()) {
        // One that does not hold is a contradiction, which `derive` reports.
        let _ = truth.add_solution(problem, z.iter().map(Number::to_rational).collect());
    }
    truth
}

/// The decision about a problem with friction cones, with the proof that its record is to carry. A stated proof stays:
/// it was found by floats, whose last digits depend on the machine. An exact solution needs none but that of uniqueness. Elsewhere
/// a box that holds a solution says most, and then what else `certified` proves.
fn with_proof(problem: &Problem, mut decided: Decided, budget: Budget) -> Decided {
    let stated = problem.expect.as_ref();
    if let Some(own) = stated.and_then(|expect| expect.certificate.clone()) {
        decided.certificate = Some(own);
        return decided;
    }
    let has_solutions = !decided.truth.solutions().is_empty();
    if has_solutions || decided.truth.status().solvable == Some(false) {
        return decided;
    }
    let answer = stated.and_then(|expect| expect.answer.as_ref());
    let near = answer.and_then(|answer| {
        let z: Vec<_> = answer.z.iter().map(Number::to_f64).collect();
        enclose(problem, &z)
    });
    let found = near.or_else(|| Method::default().solver(&budget).solve(problem).certificate);
    let is_box = |own: &Certificate| matches!(own, Certificate::Enclosure(_));
    if found.as_ref().is_some_and(is_box) || decided.certificate.is_none() {
        decided.certificate = found;
    }
    decided
}

/// Replaces a file in one step, so that a run cut short leaves no half of one.
fn replace(file: &Path, content: &str) -> io::Result<()> {
    let mut beside = file.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    fs::write(&beside, content)?;
    fs::rename(&beside, file)
}
