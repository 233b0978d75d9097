//! A search for problems that a solver gets wrong.
//!
//! The problems are adversarial on purpose ([`recipes`]). They have exact ties, ranks that are deficient
//! exactly or by rounding, right-hand sides of 1e-17, mass ratios, bad units, friction near Painleve's
//! paradox, the same contact twice, no solution, or several. Others are golden problems with one change.
//! Problem k of a seed is the same in every run and on every machine, for all solvers that are asked of friction cones, and
//! for all that are not. A time budget decides only how many problems a run reaches.
//!
//! ```
//! use etalon_conformance::{Fuzz, FuzzLimits, Function};
//!
//! // Right wherever the solution is 0 or has no contact in the way.
//! let naive = Function::new("naive", |m, q| {
//!     Some((0..q.len()).map(|i| (-q[i] / m[i][i]).max(0.0)).collect())
//! });
//! let report = Fuzz::new(&naive, 1).run(&FuzzLimits::count(60), &mut |_| {});
//! assert!(!report.findings.is_empty());
//! let smallest = report.findings.iter().map(|found| found.small.problem.n()).min();
//! assert!(smallest <= Some(2));
//! ```

mod mutate;
mod recipes;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use etalon_certify::on_threads;
use etalon_lcp::Problem;
use etalon_lcp::record::write_problem;

use crate::deadline::Deadline;
use crate::examine::{Examination, Examiner, Fault};
use crate::generate::draft::Draft;
use crate::generate::draw::Draw;
use crate::shrink::{KeptProperties, ShrinkLimits, Shrinker, Shrunk};
use crate::subject::Subject;

/// The number of findings of one fault and recipe that are shrunk; the rest are counted. Chosen for its time.
const SHRUNK: u64 = 3;

/// The largest number of questions for one shrinking. Chosen for its time.
const QUESTIONS: u64 = 4_000;

/// Problems for each thread that are sent before what came of them is noted: the slowest of a few should not be waited for at
/// every turn, and those after the last finding are sent in vain.
const BATCH: u64 = 4;

/// After problems that took less together, twice as many are sent. Chosen: to start the threads takes a tenth of a millisecond, and what is sent
/// in vain takes no longer than two such times.
const SOON: Duration = Duration::from_millis(5);

/// So many problems in a row are asked again, alone, that were not answered in time beside others. Then the solver is at fault and not the
/// machine, and each more would take the whole time limit.
const AGAIN: u32 = 5;

/// A problem with what came of it; none where it was beyond the solver's capabilities.
struct Asked {
    problem: Problem,
    recipe: &'static str,
    shown: Option<Examination>,
}

impl Asked {
    /// Whether no answer came in time.
    fn is_silent(&self) -> bool {
        let fault = self.shown.as_ref().and_then(|shown| shown.fault);
        matches!(fault, Some(Fault::Failure(kind)) if kind.is_silence())
    }
}

/// A search for problems that a solver gets wrong.
pub struct Fuzz<'a> {
    subject: &'a dyn Subject,
    seed: u64,
    /// How answers are examined, and what the solver is asked.
    pub examiner: Examiner,
    /// Problems to change one thing of; without any, generated ones are taken.
    pub goldens: Vec<Problem>,
    /// The properties that shrinking must keep.
    pub keep: KeptProperties,
    /// Whether findings are shrunk.
    pub shrinks: bool,
    /// Problems that are sent side by side; 1 by default. What is found does not depend on it, as long as the solver's answers
    /// depend on the numbers of a problem alone: not on what it was asked before, and not on names, which a process gets with a number where
    /// it is asked the same again.
    pub threads: usize,
}

/// The limits of a search; it ends at the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FuzzLimits {
    /// The longest time.
    pub budget: Option<Duration>,
    /// The number of problems.
    pub count: Option<u64>,
    /// The number of findings.
    pub findings: Option<u64>,
}

/// A problem that the solver gets wrong, with its smallest relative.
#[derive(Debug, Clone)]
pub struct FuzzFinding {
    /// The index of the problem in the seed.
    pub k: u64,
    /// The recipe that made it.
    pub recipe: &'static str,
    /// The fault.
    pub fault: Fault,
    /// As it was found.
    pub found: Problem,
    /// After shrinking, or as it was found where that is not wanted.
    pub small: Shrunk,
}

/// The result of a search.
#[derive(Debug, Clone, Default)]
pub struct FuzzReport {
    /// The number of problems drawn.
    pub drawn: u64,
    /// The number of problems sent; the others are beyond the solver's capabilities.
    pub sent: u64,
    /// The number of faulty answers, by recipe and fault.
    pub faults: BTreeMap<(&'static str, Fault), u64>,
    /// The findings, no two of which are the same problem.
    pub findings: Vec<FuzzFinding>,
    /// Whether the time ended it.
    pub out_of_budget: bool,
}

impl FuzzLimits {
    /// A number of problems, whatever the time.
    pub fn count(problems: u64) -> Self {
        Self {
            count: Some(problems),
            ..Self::default()
        }
    }

    /// A time.
    pub fn budget(time: Duration) -> Self {
        Self {
            budget: Some(time),
            ..Self::default()
        }
    }
}

impl<'a> Fuzz<'a> {
    /// A search with the default tolerances, from generated problems only.
    pub fn new(subject: &'a dyn Subject, seed: u64) -> Self {
        Self {
            subject,
            seed,
            examiner: Examiner::default(),
            goldens: Vec::new(),
            keep: KeptProperties::default(),
            shrinks: true,
            threads: 1,
        }
    }

    /// Problem k of this search with the name of its recipe.
    pub fn problem(&self, k: u64) -> (Problem, &'static str) {
        let (draft, recipe) = self.draft(k);
        let name = format!("fuzz/{recipe}/s{}/{k}", self.seed);
        let problem = draft.into_problem(name);
        #[allow(
            clippy::expect_used,
            reason = "recipes draw finite, square, well bounded data; a test draws thousands"
        )]
        let problem = problem.expect("drawn data are finite, square and well bounded");
        (problem, recipe)
    }

    fn draft(&self, k: u64) -> (Draft, &'static str) {
        let mut draw = Draw::new("fuzz", 0, self.seed, k);
        let can = &self.examiner.can;
        let with_cones = can.cones || can.convex_cones || can.product_cones;
        let recipe = recipes::of(k, with_cones);
        (recipe.draft(&mut draw, k, &self.goldens), recipe.name)
    }

    /// Searches, telling of each new finding at once.
    pub fn run(&self, limits: &FuzzLimits, tell: &mut dyn FnMut(&FuzzFinding)) -> FuzzReport {
        let deadline = limits.budget.map_or_else(Deadline::never, Deadline::after);
        self.run_until(limits, &deadline, tell)
    }

    /// The same with a deadline in place of the budget. The answer that the deadline overtakes is dropped: the solver
    /// or the judge may have been cut short.
    pub fn run_until(
        &self,
        limits: &FuzzLimits,
        deadline: &Deadline<'_>,
        tell: &mut dyn FnMut(&FuzzFinding),
    ) -> FuzzReport {
        let mut examiner = self.examiner.clone();
        examiner.judge.budget.stop = deadline.stop();
        let mut report = FuzzReport::default();
        let mut known = BTreeSet::new();
        let end = limits.count.unwrap_or(u64::MAX);
        let mut many = if self.threads > 1 {
            BATCH * self.threads as u64
        } else {
            1
        };
        let mut next = 0;
        let mut silent = 0;
        while next < end {
            let batch = many.min(end - next);
            let begin = Instant::now();
            let asked = on_threads(batch as usize, self.threads, |i| {
                self.asked(next + i as u64, &examiner, deadline)
            });
            if self.threads > 1 && begin.elapsed() < SOON {
                many *= 2;
            }
            for (k, asked) in (next..).zip(asked) {
                let found = report.findings.len() as u64;
                if limits.findings.is_some_and(|most| found >= most) {
                    return report;
                }
                let again = asked.as_ref().is_some_and(Asked::is_silent)
                    && self.threads > 1
                    && silent < AGAIN;
                let asked = if again {
                    self.asked(k, &examiner, deadline)
                } else {
                    asked
                };
                let Some(asked) = asked else {
                    report.out_of_budget = true;
                    return report;
                };
                if again {
                    silent = if asked.is_silent() { silent + 1 } else { 0 };
                }
                let Some(finding) = self.noted(k, asked, &mut report, &examiner, deadline) else {
                    continue;
                };
                if known.insert(write_problem(&finding.small.problem.clone().renamed(""))) {
                    tell(&finding);
                    report.findings.push(finding);
                }
            }
            next += batch;
        }
        report
    }

    /// Sends problem k; `None` where the deadline overtook it.
    fn asked(&self, k: u64, examiner: &Examiner, deadline: &Deadline<'_>) -> Option<Asked> {
        if deadline.is_over() {
            return None;
        }
        let (problem, recipe) = self.problem(k);
        let is_sent = self.examiner.can.lacks(&problem).is_none();
        let shown = is_sent.then(|| examiner.examine(self.subject, &problem));
        let asked = Asked {
            problem,
            recipe,
            shown,
        };
        (!is_sent || !deadline.is_over()).then_some(asked)
    }

    /// Counts what came of problem k, and shrinks it where it is one of the first of its kind.
    fn noted(
        &self,
        k: u64,
        asked: Asked,
        report: &mut FuzzReport,
        examiner: &Examiner,
        deadline: &Deadline<'_>,
    ) -> Option<FuzzFinding> {
        let Asked {
            problem,
            recipe,
            shown,
        } = asked;
        report.drawn += 1;
        let shown = shown?;
        report.sent += 1;
        let fault = shown.fault?;
        let times = report.faults.entry((recipe, fault)).or_default();
        *times += 1;
        if *times > SHRUNK {
            return None;
        }
        // Before the finding is told: two problems that shrink to one are one mistake.
        let small = self.small(&problem, examiner, fault, shown, deadline);
        Some(FuzzFinding {
            k,
            recipe,
            fault,
            found: problem,
            small,
        })
    }

    fn small(
        &self,
        problem: &Problem,
        examiner: &Examiner,
        fault: Fault,
        shown: Examination,
        deadline: &Deadline<'_>,
    ) -> Shrunk {
        let shrinker = Shrinker {
            subject: self.subject,
            examiner,
            keep: self.keep,
            limits: ShrinkLimits {
                questions: if self.shrinks { QUESTIONS } else { 0 },
                deadline: deadline.end(),
            },
        };
        // A solver that answers differently when asked again leaves the problem as it is.
        match shrinker.shrink(problem) {
            Ok(small) if small.fault == fault => small,
            _ => Shrunk::whole(problem, fault, shown),
        }
    }
}

#[cfg(test)]
mod tests;
