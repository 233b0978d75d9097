//! The exact answer to a scene, with the path to it.

use etalon_contact_forces::{
    Consistency, Formulation, FrictionModel, Resolution, Resolved, StoppingImpulse, drive_path,
    lemke_path, resolve,
};
use etalon_exact::{Budget, ExactMethod};
use etalon_golden::forces::{FractionText, ResolutionData, SMALL, SceneAnswer, Trace, exacts};
use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem, Solver};
use etalon_methods::Method;
use etalon_scenarios::{Question, ScenarioAnswer, Setup};
use rug::Rational;

use super::certificate::certificate;
use super::error::DeriveError;
use super::limits::{SEARCHED, TRACED, search};
use crate::forces::data::{forces_data, trace};

/// The exact answer with the path to it.
pub fn exact_answer(
    setup: &Setup,
    problem: &Problem,
    budget: &Budget,
) -> Result<(SceneAnswer, Option<Trace>), DeriveError> {
    match &setup.question {
        Question::Impact(_) => {
            let (z, trace) = driven(problem, budget)?;
            let answer = impulses(setup, problem, z)?;
            Ok((answer, trace))
        }
        Question::Forces(model) => {
            let formulation = Formulation::new(setup.system()?, *model)?;
            if formulation.rubs() || formulation.holds() {
                return with_friction(setup, *model, &formulation, problem, budget);
            }
            match driven(problem, budget) {
                Ok((z, trace)) => Ok((solved(&formulation, z)?, trace)),
                Err(DeriveError::Undecided(_)) => {
                    with_friction(setup, *model, &formulation, problem, budget)
                }
                Err(error) => Err(error),
            }
        }
        _ => Err(DeriveError::Undecided("an unknown question".to_owned())),
    }
}

fn solved(
    formulation: &Formulation<Rational>,
    z: Vec<Rational>,
) -> Result<SceneAnswer, DeriveError> {
    let forces = formulation.forces(&z)?;
    Ok(SceneAnswer::Solved {
        z: exacts(&z),
        forces: forces_data(&forces),
    })
}

/// By Baraff's drive to zero, up to a size at which its path can be read.
fn driven(
    problem: &Problem,
    budget: &Budget,
) -> Result<(Vec<Rational>, Option<Trace>), DeriveError> {
    if problem.n() > TRACED {
        return Ok((answered(problem, budget)?, None));
    }
    let path = drive_path(problem, budget);
    let end = path
        .as_ref()
        .and_then(|path| Some((path.end()?.to_vec(), trace(path))));
    let (z, trace) =
        end.ok_or_else(|| DeriveError::Undecided("the drive does not end".to_owned()))?;
    Ok((z, Some(trace)))
}

fn impulses(
    setup: &Setup,
    problem: &Problem,
    p: Vec<Rational>,
) -> Result<SceneAnswer, DeriveError> {
    let given = Given(problem.name().to_owned(), p.clone());
    match setup.answer(&given, &Budget::default())? {
        ScenarioAnswer::Impulses(impact) => Ok(SceneAnswer::Impulses {
            p: exacts(&p),
            after: exacts(&impact.after),
            kinetic_energy: impact.kinetic_energy.map(FractionText),
        }),
        _ => Err(DeriveError::Undecided("no impulses".to_owned())),
    }
}

/// A solver that knows the answer.
struct Given(String, Vec<Rational>);

impl Solver for Given {
    fn name(&self) -> &str {
        &self.0
    }

    fn solve(&self, problem: &Problem) -> Claim {
        let z = self.1.iter().cloned().map(Number::from).collect();
        Claim::new(problem.name(), ClaimedAnswer::Solved { z })
    }
}

fn with_friction(
    setup: &Setup,
    model: FrictionModel,
    formulation: &Formulation<Rational>,
    problem: &Problem,
    budget: &Budget,
) -> Result<(SceneAnswer, Option<Trace>), DeriveError> {
    if problem.n() <= SEARCHED {
        match formulation.consistency(&search(problem.n(), budget))? {
            Consistency::Inconsistent(proof) => {
                let answer = SceneAnswer::Inconsistent {
                    certificate: certificate(proof),
                    resolution: resolution(setup, model, budget)?,
                };
                return Ok((answer, lemke_trace(problem, budget)));
            }
            Consistency::Indeterminate(found) => {
                let answer = SceneAnswer::Indeterminate {
                    solutions: found.solutions.iter().map(forces_data).collect(),
                    families: found.families,
                    motions: found.motions,
                    certificate: certificate(found.proof),
                };
                return Ok((answer, lemke_trace(problem, budget)));
            }
            _ => {}
        }
    }
    let z = answered(problem, budget)?;
    Ok((solved(formulation, z)?, lemke_trace(problem, budget)))
}

/// By Lemke's method, and where that would take long by a binary64 basis that is made exact.
fn answered(problem: &Problem, budget: &Budget) -> Result<Vec<Rational>, DeriveError> {
    let method = if problem.n() > SMALL {
        ExactMethod::Certified
    } else {
        ExactMethod::Lemke
    };
    let claim = Method::Exact(method).solver(budget).solve(problem);
    match claim.answer {
        ClaimedAnswer::Solved { z } => Ok(z.iter().map(Number::to_rational).collect()),
        _ => Err(DeriveError::Undecided(claim.message.unwrap_or_default())),
    }
}

fn lemke_trace(problem: &Problem, budget: &Budget) -> Option<Trace> {
    if problem.n() > SMALL {
        return None;
    }
    Some(trace(&lemke_path(problem, budget)?))
}

fn resolution(
    setup: &Setup,
    model: FrictionModel,
    budget: &Budget,
) -> Result<Option<Box<ResolutionData>>, DeriveError> {
    let Resolved::Impulse(found) = resolve(&setup.mechanics, model, budget)? else {
        return Ok(None);
    };
    let Resolution {
        ray,
        impulse,
        stop,
        report,
        ..
    } = *found;
    let (k, single) = match &impulse {
        StoppingImpulse::Ray { k, .. } => (Some(FractionText(k.clone())), None),
        StoppingImpulse::Consistency {
            contact, impulse, ..
        } => (None, Some((*contact, exacts(impulse)))),
        _ => (None, None),
    };
    Ok(Some(Box::new(ResolutionData {
        ray: ray.map(|ray| [exacts(&ray.z), exacts(&ray.response)]),
        k,
        impulse: single,
        velocity: [
            exacts(&setup.system()?.velocity),
            exacts(impulse.velocity()),
            exacts(&stop.velocity),
        ],
        kinetic_energy: report.kinetic_energy.map(FractionText),
        stopped: report.stopped,
        approaching: report.approaching.into_iter().map(|(i, _)| i).collect(),
        outside_cone: report.outside_cone,
    })))
}
