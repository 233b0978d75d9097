//! All solvers on all questions, within one budget of time.

use std::time::Duration;

use etalon_conformance::Deadline;
use etalon_evidence::report::Report;
use etalon_judge::Judge;

use super::super::args::ToleranceArgs;
use super::super::console::Console;
use super::super::diff::Asked;
use super::super::solver_args::AllowedArgs;
use super::own::Own;
use super::process_subject::{Asking, ProcessSubject};
use crate::Result;

/// What is measured, and how.
pub struct Measuring<'a> {
    /// Whether the solvers of this program are asked, too.
    pub own: bool,
    pub subjects: &'a [ProcessSubject],
    pub judge: &'a Judge,
    pub tolerance: &'a ToleranceArgs,
    pub allowed: &'a AllowedArgs,
    /// The longest time for making the failures of one solver small.
    pub shrinking: Duration,
    pub console: &'a Console,
}

impl Measuring<'_> {
    /// Asks the user's solvers first, each for its share of the time that is left. What one leaves over goes to the next,
    /// and the solvers of this program come last.
    pub fn run(
        &self,
        questions: &[Asked],
        deadline: &Deadline<'_>,
        report: &mut Report,
    ) -> Result<()> {
        let asking = Asking {
            judge: self.judge,
            tolerance: self.tolerance,
            allowed: self.allowed,
            shrinking: self.shrinking,
            console: self.console,
        };
        for solver in self.subjects {
            asking.starts(solver, questions, deadline)?;
        }
        for (k, solver) in self.subjects.iter().enumerate() {
            self.console.note(format_args!("{}", solver.name));
            let parties = self.subjects.len() - k + usize::from(self.own);
            let share = deadline.part(1, u32::try_from(parties).unwrap_or(u32::MAX));
            let heard = asking.ask(solver, questions, &share)?;
            report.solvers.push(heard.reported);
            report.outcomes.extend(heard.outcomes);
            report.notes.extend(heard.notes);
        }
        if self.own {
            self.console.note(format_args!(
                "the solvers of this program, {} problems",
                questions.len()
            ));
            let own = Own {
                judge: self.judge,
                tolerance: self.tolerance,
                allowed: self.allowed,
                deadline: &deadline.part(1, 1),
                console: self.console,
            };
            let measured = own.measure(questions);
            report.solvers.extend(measured.solvers);
            report.outcomes.extend(measured.outcomes);
            report.bits = measured.bits;
            report.notes.extend(measured.notes);
        }
        Ok(())
    }
}
