//! The one judge of steps, which every door asks.

use crate::assembly::Assembly;
use crate::settings::StepJudge;
use crate::step::{EngineStep, Form, Generalised};
use crate::verdict::{Level, StepVerdict};
use crate::{explain, laws, problem};

/// Whether a step has all that level A needs.
fn has_problem(own: &Generalised) -> bool {
    let motion = own
        .answer
        .as_ref()
        .and_then(|answer| answer.motion.as_ref());
    own.r.is_some() && own.target.is_some() && motion.is_some()
}

/// Judges a step: a verdict for each level that is asked and that the record has data for. Where a level is asked by
/// name and its data are not there, the verdict is `not judged` and says what is missing.
pub fn judge_step(step: &EngineStep, judge: &StepJudge) -> Vec<StepVerdict> {
    let mut verdicts = Vec::new();
    let missing = |level: Level, why: &str| StepVerdict::not_judged(step, level, why);
    let by_name = |level: Level| judge.levels.contains(&level);
    if judge.asks(Level::A) {
        match &step.form {
            Form::Generalised(own) if has_problem(own) => {
                verdicts.push(problem::judge(step, own, judge));
            }
            Form::Generalised(_) if by_name(Level::A) => {
                verdicts.push(missing(
                    Level::A,
                    "level A needs R, target and the answer's motion",
                ));
            }
            Form::Bodies(_) if by_name(Level::A) => {
                let why =
                    "level A needs the generalised form: M, force, J, R, target, sets and answer";
                verdicts.push(missing(Level::A, why));
            }
            _ => {}
        }
    }
    if judge.asks(Level::B) {
        let assembly = Assembly::of(step, judge.law_of(step));
        let has_data = match &step.form {
            Form::Bodies(own) => laws::has_impulses(own),
            Form::Generalised(_) => assembly.is_some(),
        };
        match &assembly {
            Some(assembly) if has_data => verdicts.push(laws::judge(step, assembly, judge)),
            _ if by_name(Level::B) => {
                let why = "level B needs impulses, and velocities before and after the step";
                verdicts.push(missing(Level::B, why));
            }
            _ => {}
        }
    }
    if judge.asks(Level::C) {
        match &step.form {
            Form::Bodies(_) => verdicts.push(explain::judge(step, judge)),
            Form::Generalised(_) if by_name(Level::C) => {
                verdicts.push(missing(Level::C, explain::NO_BODIES));
            }
            Form::Generalised(_) => {}
        }
    }
    verdicts
}
