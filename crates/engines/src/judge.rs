//! The one judge of steps, which every door asks.

use etalon_lcp::parse_rational;
use rug::Rational;

use crate::assembly::Assembly;
use crate::step::{Form, FrictionLaw, Generalised, Precision, Step};
use crate::verdict::{Level, StepVerdict};
use crate::{explain, laws, problem};

/// What steps are asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepJudge {
    /// The levels that are asked; none means all that the record has data for.
    pub levels: Vec<Level>,
    /// The largest relative distance that is accepted; by the precision where there is none.
    pub tol: Option<Rational>,
    /// A law to judge by in place of the declared one.
    pub law: Option<FrictionLaw>,
    /// Whether level A computes the exact distance of every step, not only of those that the bound leaves open.
    pub full: bool,
    /// Whether level C asks for Coulomb's law at the velocity after the step, not for the cone alone.
    pub slip: bool,
}

impl StepJudge {
    /// The tolerance of level A, and of the laws of level B that rounding does not explain: 1e-5, binary32 1e-4.
    pub fn tolerance(&self, precision: Precision) -> Rational {
        let default = match precision {
            Precision::F64 => (1, 100_000),
            Precision::F32 => (1, 10_000),
        };
        self.tol.clone().unwrap_or_else(|| Rational::from(default))
    }

    /// The default tolerance in words, for help texts.
    pub fn parse_tolerance(text: &str) -> Result<Rational, String> {
        let own = parse_rational(text).map_err(|error| error.to_string())?;
        if own < 0 {
            return Err("a tolerance is not negative".to_owned());
        }
        Ok(own)
    }

    /// The law that a step is judged by.
    pub(crate) fn law_of(&self, step: &Step) -> FrictionLaw {
        self.law.or(step.law).unwrap_or(FrictionLaw::Coulomb)
    }

    fn asks(&self, level: Level) -> bool {
        self.levels.is_empty() || self.levels.contains(&level)
    }
}

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
pub fn judge_step(step: &Step, judge: &StepJudge) -> Vec<StepVerdict> {
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
    let assembly = Assembly::of(step, judge.law_of(step));
    if judge.asks(Level::B) {
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
        match (&step.form, &assembly) {
            (Form::Bodies(_), Some(assembly)) => {
                verdicts.push(explain::judge(step, assembly, judge));
            }
            _ if by_name(Level::C) => {
                verdicts.push(missing(Level::C, "level C needs bodies and contacts"));
            }
            _ => {}
        }
    }
    verdicts
}
