//! Asking all questions, so that a broken solver is told within seconds and a busy machine makes none guilty.

use std::time::Instant;

use etalon_conformance::{FIRST, FailureKind, Subject, always_the_same};
use etalon_evidence::outcome::how_judged;
use etalon_judge::Judge;
use etalon_lcp::Claim;

use super::answered::Answered;
use super::asked::Asked;
use crate::Result;
use crate::check::judging::judged;
use crate::console::Console;
use crate::jobs::JobArgs;
use crate::solver_args::{Pool, no_answers};

/// After so many questions in a row that were not answered in time when asked again, alone, the solver is at
/// fault and not the machine: the rest are not asked again, each of which takes the whole time limit.
const AGAIN: usize = 5;

/// Who asks what.
pub struct Asking<'a> {
    pub pool: &'a Pool,
    pub judge: &'a Judge,
    pub jobs: &'a JobArgs,
    pub console: &'a Console,
}

/// What came of all questions.
pub struct Heard {
    /// In the order of the questions.
    pub answers: Vec<Answered>,
    /// How many answers came only when asked again, alone.
    pub slow: usize,
}

impl Asking<'_> {
    /// Asks the first of them that are not answered yet, and ends where the solver is no solver.
    pub fn first(&self, asked: &[Asked], answers: &mut Vec<Answered>) -> Result<()> {
        for question in asked.iter().take(FIRST).skip(answers.len()) {
            let answered = self.one()(question);
            match &answered.failure {
                Some(failure) if failure.kind == FailureKind::NotStarted => {
                    return Err(no_answers(self.pool.command(), failure));
                }
                _ => answers.push(answered),
            }
        }
        let failures = answers.iter().map(|answered| answered.failure.as_ref());
        if let Some(failure) = always_the_same(failures) {
            return Err(no_answers(self.pool.command(), failure));
        }
        Ok(())
    }

    /// Asks all of them; these are the answers to those that were asked before.
    pub fn all(&self, asked: &[Asked], mut answers: Vec<Answered>) -> Result<Heard> {
        self.first(asked, &mut answers)?;
        let rest = &asked[answers.len()..];
        answers.extend(self.jobs.map(rest, self.console, self.one()));
        let slow = self.again_alone(asked, &mut answers);
        Ok(Heard { answers, slow })
    }

    /// What asks one of them, on any thread: the console stays on its own.
    fn one(&self) -> impl Fn(&Asked) -> Answered + Sync {
        let (pool, judge) = (self.pool, self.judge);
        move |asked| pool.with(|solver| answer(solver, judge, asked))
    }

    /// Asks again, one at a time, where no answer came in time; how many of these were answered then.
    fn again_alone(&self, asked: &[Asked], answers: &mut [Answered]) -> usize {
        let is_silent = |answered: &Answered| {
            let failure = answered.failure.as_ref();
            failure.is_some_and(|failure| failure.kind.is_silence())
        };
        let (mut slow, mut in_a_row) = (0, 0);
        for (asked, answered) in asked.iter().zip(answers) {
            if !is_silent(answered) || in_a_row == AGAIN {
                continue;
            }
            let again = self.one()(asked);
            if is_silent(&again) {
                in_a_row += 1;
            } else {
                (slow, in_a_row) = (slow + 1, 0);
            }
            *answered = again;
        }
        slow
    }
}

/// Asks one problem and judges the answer.
pub fn answer(solver: &dyn Subject, judge: &Judge, asked: &Asked) -> Answered {
    let start = Instant::now();
    let (claim, failure) = match solver.ask(&asked.problem) {
        Ok(claim) => (claim, None),
        Err(failure) => {
            let claim = Claim::failed(asked.problem.name(), failure.message.clone());
            (claim, Some(failure))
        }
    };
    let took = start.elapsed();
    let (seconds, pivots) = (claim.seconds, claim.pivots);
    let mut complaints = Vec::new();
    let judged = judged(
        judge,
        &asked.origin,
        &asked.problem,
        &claim,
        &mut complaints,
    );
    Answered {
        judged,
        failure,
        took,
        seconds,
        pivots,
        complaints,
        how: how_judged(judge),
    }
}
