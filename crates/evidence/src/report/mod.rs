//! One page of all figures: who is right, how fast, how exact, how numbers grow, how things move.
//!
//! A [`Report`] holds what was measured or read; [`Report::html`] makes one HTML file of it that
//! needs nothing else: no network, no fonts, no other file. Every text in it that comes from a
//! solver or a file is escaped. What each figure means stands in `docs/report.md`.

mod bits;
mod motion;
mod page;
mod series;
mod summary;

use std::time::Duration;

use crate::measure::machine::Machine;
use crate::outcome::Outcome;
use crate::plot::PlotError;

pub use bits::BitRun;
pub use motion::{Bodies, Moment, Placed, ReportedTrajectory};
pub use summary::summary;

/// The parts of a report.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// How it came about.
    pub about: About,
    /// Who was asked, in the order of the tables. Solvers of outcomes that are not here are added
    /// by [`Report::complete`].
    pub solvers: Vec<ReportedSolver>,
    /// Every answer.
    pub outcomes: Vec<Outcome>,
    /// How numbers grow along exact pivoting.
    pub bits: Vec<BitRun>,
    /// Trajectories.
    pub motions: Vec<ReportedTrajectory>,
    /// The notes for a reader: omissions and their reasons.
    pub notes: Vec<String>,
    /// How many failures of each kind and solver the page shows.
    pub shown: Shown,
}

/// How many failures of each kind and solver are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Every one.
    All,
    /// So many.
    Most(usize),
}

impl Default for Shown {
    fn default() -> Self {
        Self::Most(5)
    }
}

/// How a report came about.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// The command that made it.
    pub command: String,
    /// The version of this program.
    pub version: String,
    /// The seed of generated problems, where there were any.
    pub seed: Option<u64>,
    /// The tolerance of the verdicts.
    pub tolerance: String,
    /// The machine and the day on which it was made.
    pub machine: Option<Machine>,
    /// Whether this program was built without optimisation, so that its times mean little.
    pub unoptimised: bool,
    /// How long the measuring took.
    pub took: Duration,
}

/// A solver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedSolver {
    /// Its name in all outcomes.
    pub name: String,
    /// Its arithmetic.
    pub arithmetic: Arithmetic,
    /// Its identity: its version, its command.
    pub about: String,
    /// The meaning of its times.
    pub clock: String,
}

/// The arithmetic of a solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    /// Integers and fractions.
    Exact,
    /// Floating point, or not stated.
    Floating,
}

impl ReportedSolver {
    /// Whether it is a solver of this program.
    pub fn is_own(&self) -> bool {
        self.name.parse::<etalon_methods::Method>().is_ok()
    }
}

impl Report {
    /// Adds a solver for each solver that has outcomes and is not listed.
    pub fn complete(&mut self, about: &str) {
        for outcome in &self.outcomes {
            if self.solvers.iter().all(|e| e.name != outcome.solver) {
                let method = outcome.solver.parse::<etalon_methods::Method>();
                let exact = method.is_ok_and(etalon_methods::Method::is_exact);
                self.solvers.push(ReportedSolver {
                    name: outcome.solver.clone(),
                    arithmetic: if exact {
                        Arithmetic::Exact
                    } else {
                        Arithmetic::Floating
                    },
                    about: about.to_owned(),
                    clock: "as its records say".to_owned(),
                });
            }
        }
    }

    /// Puts the solvers that are not of this program first, in the order in which they came: the page is about them.
    pub fn users_first(&mut self) {
        self.solvers.sort_by_key(ReportedSolver::is_own);
    }

    /// The outcomes of a solver.
    pub fn of<'a>(&'a self, solver: &'a str) -> impl Iterator<Item = &'a Outcome> {
        self.outcomes.iter().filter(move |o| o.solver == solver)
    }

    /// The page.
    ///
    /// # Errors
    /// [`PlotError`] where a plot cannot be drawn.
    pub fn html(&self) -> Result<String, PlotError> {
        page::html(self)
    }
}
