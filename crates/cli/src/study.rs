//! `etalon study`: tables and plots of papers, made from runs.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::ArgValueCandidates;
use etalon_evidence::study::{Page, Study as Named, find_study, studies};
use serde_json::json;

use super::completions::study_names;
use super::console::{Console, table};
use super::jobs::JobArgs;
use super::similar::did_you_mean;
use super::{Ending, Fatal, Result};

/// Make the tables and plots of papers from runs: Markdown with each table beside the published
/// one, the differences, and their reasons.
///
/// The repository's own are in docs/studies. Pages have no times, so the same runs make the
/// same pages. With --check nothing is written, and the exit status is 1 if a file would change.
#[derive(Args)]
#[command(after_help = "\
Example: etalon study rod --out studies
         etalon study all --out docs/studies --check")]
pub struct Study {
    /// The study (--list names them), or all
    #[arg(required_unless_present = "list", value_name = "NAME", add = ArgValueCandidates::new(study_names))]
    name: Option<String>,

    /// List the studies
    #[arg(long)]
    list: bool,

    /// Write NAME.md and its plots into this folder; without it the page goes to standard output,
    /// and no plots are written
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write nothing; exit with 1 if a file in the folder of --out would change
    #[arg(long, requires = "out")]
    check: bool,

    /// Only studies that take seconds
    #[arg(long)]
    quick: bool,

    #[command(flatten)]
    jobs: JobArgs,
}

impl Study {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        if self.list {
            return self.list(console);
        }
        let chosen = self.chosen()?;
        if let (Some(folder), false) = (&self.out, self.check) {
            // Before anything is computed.
            fs::create_dir_all(folder).map_err(Fatal::unwritten(folder))?;
        }
        let pages = self.jobs.map(&chosen, console, |study| study.page());
        let mut changed = false;
        for (study, page) in chosen.iter().zip(pages) {
            let page = page.map_err(|error| Fatal::Usage(error.to_string()))?;
            if let Some(folder) = &self.out {
                changed |= self.settle(folder, study.name, &page, console)?;
            }
            if console.json {
                let mut value = page.json();
                value["study"] = json!(study.name);
                console.line(value)?;
            } else if self.out.is_none() {
                console.line(page.markdown().trim_end())?;
            }
        }
        Ok(if self.check && changed {
            Ending::NotAccepted
        } else {
            Ending::Accepted
        })
    }

    fn chosen(&self) -> Result<Vec<&'static Named>> {
        let name = self.name.as_deref().unwrap_or("all");
        let mut chosen = if name == "all" {
            studies().iter().collect()
        } else {
            vec![find_study(name).map_err(|error| {
                let meant = did_you_mean(name, studies().iter().map(|study| study.name));
                Fatal::Usage(format!("{error}{meant}"))
            })?]
        };
        chosen.retain(|study: &&Named| study.quick || !self.quick);
        Ok(chosen)
    }

    fn list(&self, console: &Console) -> Result<Ending> {
        console.line(if console.json {
            let list = studies().iter().map(
                |study| json!({"name": study.name, "about": study.about, "quick": study.quick}),
            );
            serde_json::Value::from(list.collect::<Vec<_>>()).to_string()
        } else {
            let rows = studies().iter();
            let rows = rows.map(|study| vec![study.name.to_owned(), study.about.to_owned()]);
            table(&["study", "what it shows"], 0..0, rows)
        })?;
        Ok(Ending::Accepted)
    }

    /// Writes the files of a page that change, or says that they would; whether any does.
    fn settle(&self, folder: &Path, name: &str, page: &Page, console: &Console) -> Result<bool> {
        let (markdown, text) = (format!("{name}.md"), page.markdown());
        let plots = page.plots();
        let files = [(&*markdown, &*text)].into_iter().chain(plots);
        let mut changed = false;
        for (file, content) in files {
            let file = folder.join(file);
            if fs::read(&file).is_ok_and(|present| present == content.as_bytes()) {
                continue;
            }
            changed = true;
            let would = if self.check {
                "would change"
            } else {
                "changed"
            };
            if !self.check {
                fs::write(&file, content).map_err(Fatal::unwritten(&file))?;
            }
            if !console.json {
                console.line(format_args!("{} {would}", file.display()))?;
            }
        }
        Ok(changed)
    }
}
