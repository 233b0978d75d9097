//! The command that repeats one failure, to be copied into a shell.

use etalon_conformance::Capabilities;
use etalon_lcp::Problem;

use super::args::ToleranceArgs;
use super::solver_args::{AllowedArgs, quote};

/// Who was asked, and how it was judged.
pub struct Again<'a> {
    /// The solver's command.
    pub solver: &'a str,
    /// What it was said to be able to do, where that was said.
    pub can: Option<&'a Capabilities>,
    /// Its limits: a failure under a tight limit need not be one without it.
    pub allowed: &'a AllowedArgs,
    /// How it was judged.
    pub tolerance: &'a ToleranceArgs,
    /// Whether problems are found by their names alone, because no files were named.
    pub by_name: bool,
}

impl Again<'_> {
    /// The command for a problem of a file; one that stands in no file is made first, by the command `made_by`.
    pub fn of(&self, problem: &Problem, file: &str, made_by: Option<&str>) -> String {
        let name = quote(problem.name());
        match made_by {
            Some(command) => {
                let diff = self.on_file(problem, "-");
                format!("{command} | {diff} --only {name}")
            }
            None => format!("{} --only {name}", self.on_file(problem, file)),
        }
    }

    /// The command that makes it small: with `gave_up` one that the solver gave up on.
    pub fn shrink(&self, problem: &Problem, file: &str, gave_up: bool) -> String {
        let giving_up = if gave_up { " --giving-up" } else { "" };
        let (words, file) = (self.words(), self.place(file));
        let name = quote(problem.name());
        format!("etalon shrink{words}{giving_up}{file} --only {name}")
    }

    /// The file with a blank before it, where it is needed.
    fn place(&self, file: &str) -> String {
        if self.by_name {
            return String::new();
        }
        format!(" {}", quote(file))
    }

    /// Who was asked and how it was judged, with a blank before.
    fn words(&self) -> String {
        let solver = quote(self.solver);
        let can = self.can.map_or_else(String::new, |can| {
            format!(" --can {}", quote(&can.to_string()))
        });
        let limits = self.allowed.words();
        let tolerance = self.tolerance.words();
        format!(" --solver {solver}{can}{limits}{tolerance}")
    }

    /// The command for a problem that stands alone in a file.
    pub fn on_file(&self, problem: &Problem, file: &str) -> String {
        let friction = if problem.friction().is_empty() {
            ""
        } else {
            " --friction"
        };
        let (words, file) = (self.words(), self.place(file));
        format!("etalon diff{words}{friction}{file}")
    }
}
