//! `etalon golden`: the derived fields of goldens, regenerated.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use etalon_exact::{Budget, decide};
use etalon_golden::{
    Contradiction, Decided, Names, Origin, ReadError, Records, derive, record_files,
};
use etalon_lcp::Problem;
use etalon_lcp::record::{write_problem, write_problem_pretty};

use super::console::Console;
use super::intake::Intake;
use super::jobs::JobArgs;
use super::recipe::{self, Generated};
use super::verify::look_for_goldens;
use super::{Ending, Fatal, Result};

/// Regenerate the derived fields of golden problems, and the generated ones by their recipe.
///
/// Derived are expect (status, solutions, uniqueness, certificate, the answer's backward error)
/// and the digest; a new golden needs none of them. A stated status that the exact solvers
/// contradict is an error, and its file stays as it is. A folder with a recipe.json, a list of
/// {"family", "n", "count", "seed"}, gets a stream FAMILY.jsonl for each family.
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

/// A problem on its way into a file.
struct Draft {
    file: PathBuf,
    origin: Origin,
    problem: Problem,
}

/// Files by what belongs in them; `None` where a record of the file is in error.
type Contents = BTreeMap<PathBuf, Option<String>>;

impl Golden {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        look_for_goldens(&self.paths)?;
        if self.paths.iter().any(|path| path.as_os_str() == "-") {
            let stdin = "goldens are rewritten in place, which standard input cannot be";
            return Err(Fatal::Usage(stdin.to_owned()));
        }
        let mut contents = Contents::new();
        let mut drafts = self.generated()?;
        let unreadable = self.written(console, &mut drafts, &mut contents)?;
        take_names(&drafts)?;
        let derived = self.jobs.map(&drafts, console, |draft| self.derive(draft));
        let mut ending = Ending::Accepted;
        for (draft, derived) in drafts.iter().zip(derived) {
            let content = contents.entry(draft.file.clone());
            let content = content.or_insert_with(|| Some(String::new()));
            match derived {
                Ok(problem) => {
                    if let Some(text) = content {
                        *text += &layout(&draft.file, &problem);
                    }
                }
                Err(error) => {
                    let (origin, name) = (&draft.origin, draft.problem.name());
                    console.error(format_args!("{origin}: record {name:?}: {error}"));
                    *content = None;
                    ending = Ending::NotAccepted;
                }
            }
        }
        let changed = self.settle(&contents, console)?;
        if self.check && changed {
            ending = Ending::NotAccepted;
        }
        Ok(if unreadable {
            Ending::Unreadable
        } else {
            ending
        })
    }

    /// The problems that recipes ask for.
    fn generated(&self) -> Result<Vec<Draft>> {
        let mut drafts = Vec::new();
        for folder in recipe_folders(&self.paths)? {
            for Generated { file, problems } in recipe::follow(&folder)? {
                let name = file.display().to_string();
                drafts.extend(problems.into_iter().zip(1..).map(|(problem, line)| Draft {
                    origin: Origin::new(&name, line),
                    file: file.clone(),
                    problem,
                }));
            }
        }
        Ok(drafts)
    }

    /// Adds the problems that are in files, but for those that recipes make; whether some could
    /// not be read.
    fn written(
        &self,
        console: &Console,
        drafts: &mut Vec<Draft>,
        contents: &mut Contents,
    ) -> Result<bool> {
        let folders = recipe_folders(&self.paths)?;
        let mut failed = false;
        for file in record_files(&self.paths)? {
            if file
                .parent()
                .is_some_and(|parent| folders.iter().any(|folder| folder == parent))
            {
                if !drafts.iter().any(|draft| draft.file == file) {
                    let file = file.display();
                    console.error(format_args!(
                        "{file}: the recipe beside it makes no such file"
                    ));
                    failed = true;
                }
                continue;
            }
            let mut intake = Intake::new(Records::of_files(vec![file.clone()]), console);
            for golden in intake.by_ref() {
                if let Some(field) = golden.unknown_fields.first() {
                    let (origin, name) = (&golden.origin, golden.problem.name());
                    console.error(format_args!(
                        "{origin}: record {name:?}: the field {field:?} is not known and would be lost"
                    ));
                    contents.insert(file.clone(), None);
                    failed = true;
                }
                drafts.push(Draft {
                    file: file.clone(),
                    origin: golden.origin,
                    problem: golden.problem,
                });
            }
            if intake.failed() {
                contents.insert(file.clone(), None);
                failed = true;
            }
        }
        Ok(failed)
    }

    fn derive(&self, draft: &Draft) -> std::result::Result<Problem, Contradiction> {
        // No time limit: what is derived must not depend on the machine.
        let budget = Budget {
            pivots: self.pivots,
            ..Budget::default()
        };
        let decision = decide(&draft.problem, &budget);
        let decided = Decided {
            truth: decision.truth,
            certificate: decision.certificate,
            gave_up: decision.gave_up,
        };
        derive(&draft.problem, decided)
    }

    /// Writes the files that change, or says that they would; whether any does.
    fn settle(&self, contents: &Contents, console: &Console) -> Result<bool> {
        let mut changed = 0;
        for (file, content) in contents {
            let Some(content) = content else {
                continue;
            };
            if fs::read(file).is_ok_and(|present| present == content.as_bytes()) {
                continue;
            }
            changed += 1;
            let name = file.display();
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

/// The folders with a recipe, at and below the paths.
fn recipe_folders(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let files = etalon_lcp::record::stream::record_files(paths)?;
    let recipes = files.iter().filter(|file| file.ends_with(recipe::FILE));
    Ok(recipes
        .filter_map(|file| file.parent())
        .map(Path::to_owned)
        .collect())
}

fn take_names(drafts: &[Draft]) -> Result<()> {
    let mut names = Names::default();
    for draft in drafts {
        let taken = names.take(draft.problem.name(), &draft.origin);
        taken.map_err(ReadError::from)?;
    }
    Ok(())
}

/// A `.json` file holds one record for people, a stream one line each.
fn layout(file: &Path, problem: &Problem) -> String {
    let is_stream = file
        .extension()
        .is_some_and(|extension| extension == "jsonl");
    let record = if is_stream {
        write_problem(problem)
    } else {
        write_problem_pretty(problem)
    };
    record + "\n"
}

/// Replaces a file in one step, so that a run cut short leaves no half of one.
fn replace(file: &Path, content: &str) -> io::Result<()> {
    let mut beside = file.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    fs::write(&beside, content)?;
    fs::rename(&beside, file)
}
