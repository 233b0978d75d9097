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

/// The part of the time, one in so many, that it may take to see that a solver starts.
const FIRST: u32 = 8;

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
            asking.starts(solver, questions, &deadline.part(1, FIRST))?;
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Instant;

    use clap::Parser;
    use etalon_conformance::process::CommandLine;
    use etalon_conformance::{Capabilities, Clock};
    use etalon_evidence::outcome::Outcome;

    use super::super::plan::Plan;
    use super::*;

    /// A second goes by whenever somebody looks.
    struct Ticking(Instant, AtomicU64);

    impl Clock for Ticking {
        fn now(&self) -> Instant {
            self.0 + Duration::from_secs(self.1.fetch_add(1, Ordering::Relaxed))
        }
    }

    /// The arguments where none were given.
    #[derive(Parser)]
    struct Defaults {
        #[command(flatten)]
        tolerance: ToleranceArgs,
        #[command(flatten)]
        allowed: AllowedArgs,
    }

    /// A report of a solver that dies at once, and of ours, when a budget of so many looks at the clock ends.
    fn run(looks: u64) -> (Report, usize) {
        let families = ["pd".to_owned()];
        let plan = Plan {
            families: &families,
            sizes: &[2, 3],
            count: 3,
            seed: 1,
        };
        let questions = plan
            .questions(&Deadline::never(), &mut 0)
            .unwrap_or_default();
        let defaults = Defaults::parse_from(["etalon"]);
        let subject = ProcessSubject {
            name: "dies".to_owned(),
            command: CommandLine::parse("sh -c exit").unwrap_or_else(|_| unreachable!("a command")),
            can: Capabilities::default(),
            said: None,
            about: String::new(),
        };
        let measuring = Measuring {
            own: true,
            subjects: &[subject],
            judge: &Judge::default(),
            tolerance: &defaults.tolerance,
            allowed: &defaults.allowed,
            shrinking: Duration::from_secs(1),
            console: &Console::new(true, false),
        };
        // An hour ahead: nothing that looks at the machine's own clock is cut short.
        let start = Instant::now() + Duration::from_secs(3600);
        let clock = Ticking(start, AtomicU64::new(0));
        let deadline = Deadline::on(&clock, Some(Duration::from_secs(looks)));
        let mut report = Report::default();
        let ran = measuring.run(&questions, &deadline, &mut report);
        assert!(ran.is_ok());
        (report, questions.len())
    }

    #[test]
    fn every_phase_looks_at_the_clock_and_says_what_was_not_run() {
        let of = |report: &Report, own: bool| {
            let is_own = |o: &&Outcome| (o.solver != "dies") == own;
            report.outcomes.iter().filter(is_own).count()
        };
        let said = |report: &Report, what: &str| {
            let mut notes = report.notes.iter();
            notes.any(|note| note.starts_with("Not run: out of budget.") && note.contains(what))
        };
        // Nothing is left for anyone.
        let (none, all) = run(1);
        assert_eq!((of(&none, false), of(&none, true)), (0, 0));
        assert!(said(
            &none,
            &format!("dies was not asked the last {all} of {all} problems")
        ));
        assert!(said(
            &none,
            &format!("did not reach the last {all} of {all} problems")
        ));
        // Wherever the end falls, the page names what came after it, and nothing else.
        let (mut cut_short, mut ours_cut_short) = (false, false);
        for looks in [4, 6, 8, 10, 12, 16, 20, 25, 30, 40, 60] {
            let (some, _) = run(looks);
            let asked = of(&some, false);
            let missing = format!(
                "dies was not asked the last {} of {all} problems",
                all - asked
            );
            assert_eq!(said(&some, &missing), asked < all, "{:?}", some.notes);
            cut_short |= (1..all).contains(&asked);
            ours_cut_short |= of(&some, true) > 0 && said(&some, "did not reach the last");
        }
        assert!(cut_short && ours_cut_short);
        // Enough for all.
        let (whole, _) = run(100_000);
        assert_eq!(of(&whole, false), all);
        assert!(
            whole
                .notes
                .iter()
                .all(|note| !note.contains("not asked the last"))
        );
        assert!(!said(&whole, "did not reach"));
    }
}
