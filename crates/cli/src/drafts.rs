//! Problems on their way into golden files: those that stand there, and those that recipes ask
//! for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use etalon_golden::{FoundFiles, Golden, GoldenRecords, Names, Origin, ReadError};
use etalon_lcp::Problem;

use super::Result;
use super::console::Console;
use super::intake::Intake;
use super::recipe::{self, Generated};

/// A problem that belongs in a file.
pub struct Draft {
    /// The file.
    pub file: PathBuf,
    /// Where the problem stands, or will stand.
    pub origin: Origin,
    /// The problem.
    pub problem: Problem,
}

/// All problems of some golden files.
pub struct Drafts<'a> {
    console: &'a Console,
    folders: Vec<PathBuf>,
    /// The problems, file by file and in order.
    pub list: Vec<Draft>,
    /// The files that must stay as they are, because something in them could not be read.
    pub spoilt: BTreeSet<PathBuf>,
}

impl<'a> Drafts<'a> {
    /// Collects them; names are unique.
    pub fn collect(found: &FoundFiles, console: &'a Console) -> Result<Self> {
        let mut drafts = Self {
            console,
            folders: recipe_folders(found),
            list: Vec::new(),
            spoilt: BTreeSet::new(),
        };
        drafts.generate()?;
        let generated: BTreeSet<_> = drafts.list.iter().map(|draft| draft.file.clone()).collect();
        for file in &found.problems {
            if !drafts.is_beside_recipe(file) {
                drafts.read(file);
            } else if !generated.contains(file) {
                drafts.spoil(file, "the recipe beside it makes no such file");
            }
        }
        drafts.take_names()?;
        Ok(drafts)
    }

    /// Adds what the recipes ask for.
    fn generate(&mut self) -> Result<()> {
        for folder in &self.folders {
            for Generated { file, problems } in recipe::follow(folder)? {
                let name = file.display().to_string();
                let problems = problems.into_iter().zip(1..);
                self.list.extend(problems.map(|(problem, line)| Draft {
                    origin: Origin::new(&name, line),
                    file: file.clone(),
                    problem,
                }));
            }
        }
        Ok(())
    }

    fn is_beside_recipe(&self, file: &Path) -> bool {
        let parent = file.parent();
        parent.is_some_and(|parent| self.folders.iter().any(|folder| folder == parent))
    }

    /// Adds what stands in a file.
    fn read(&mut self, file: &Path) {
        let mut intake = Intake::new(GoldenRecords::of_files(vec![file.to_owned()]), self.console);
        for golden in intake.by_ref() {
            self.refuse_losses(file, &golden);
            self.list.push(Draft {
                file: file.to_owned(),
                origin: golden.origin,
                problem: golden.problem,
            });
        }
        if intake.failed() {
            self.spoilt.insert(file.to_owned());
        }
    }

    /// Data that are not read would not be written again.
    fn refuse_losses(&mut self, file: &Path, golden: &Golden) {
        if let Some(field) = golden.unknown_fields.first() {
            let (origin, name) = (&golden.origin, golden.problem.name());
            self.console.error(format_args!(
                "{origin}: record {name:?}: the field {field:?} is not known and would be lost"
            ));
            self.spoilt.insert(file.to_owned());
        }
    }

    fn spoil(&mut self, file: &Path, why: &str) {
        self.console
            .error(format_args!("{}: {why}", file.display()));
        self.spoilt.insert(file.to_owned());
    }

    fn take_names(&self) -> Result<()> {
        let mut names = Names::default();
        for draft in &self.list {
            let taken = names.take(draft.problem.name(), &draft.origin);
            taken.map_err(ReadError::from)?;
        }
        Ok(())
    }
}

/// The folders with a recipe of problems.
fn recipe_folders(found: &FoundFiles) -> Vec<PathBuf> {
    let recipes = found.problem_recipes.iter();
    let folders = recipes.filter_map(|file| file.parent());
    folders.map(Path::to_owned).collect()
}
