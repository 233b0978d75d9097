//! From a scene to its golden record.

use etalon_certify::evaluate;
use etalon_contact_forces::{
    Consistency, ForceError, Forces, Formulation, FrictionModel, Motion, Order, Resolution,
    Resolved, RowKind, StoppingImpulse, resolve,
};
use etalon_exact::{Budget, Method as ExactMethod};
use etalon_lcp::record::{digest, write_claim};
use etalon_lcp::{Certificate, Claim, ClaimedAnswer, Number, Problem, Solver, round_up_f64};
use etalon_rigid::Scalar;
use etalon_scenarios::{Answer, Question, SceneFile, Setup, write_scene};
use rug::Rational;
use serde_json::Value;

use super::exact::{Exact, exacts, values};
use super::path::{self, path};
use super::record::{
    FORMAT, FastAnswer, ForcesData, Lcp, ResolutionData, Run, SceneAnswer, SceneRecord,
};
use super::trace::{Trace, TraceDigest};
use super::{SEARCHED, SMALL, recheck, unique};
use etalon_methods::Method;

/// Why there is no record.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DeriveError {
    /// The scene has no problem.
    #[error(transparent)]
    Force(#[from] ForceError),
    /// The exact solvers gave up.
    #[error("no exact answer: {0}")]
    Undecided(String),
}

/// How much a search for other answers may cost: pivots times the square of rows.
const SEARCH: u64 = 1_000_000;

/// Scenes are answered in binary64 by this.
pub(super) const FAST_METHOD: Method = Method::Fast(etalon_fast::Method::Auto);

/// Rows up to which frictionless scenes have their trace in full.
const TRACED: usize = 60;

/// Derives the record of a scene. The binary64 answer of an earlier record of the same scene is
/// kept as long as it holds: the last bits of a fast solver may differ from machine to machine.
///
/// # Errors
/// [`DeriveError`].
pub fn derive(
    scene: &SceneFile,
    earlier: Option<&SceneRecord>,
    budget: &Budget,
) -> Result<SceneRecord, DeriveError> {
    let problem = scene.setup.problem(&scene.name)?;
    let (answer, trace) = exact_answer(&scene.setup, &problem, budget)?;
    let unique = unique::derive(&scene.setup, &problem, &answer, budget)?;
    let text = write_scene(scene);
    let scene_value: Value = serde_json::from_str(&text).unwrap_or_default();
    let earlier = earlier.filter(|earlier| earlier.scene == scene_value);
    let trace_digest = match trace {
        Some(_) => None,
        None => long_path(&scene.setup, &problem, budget)?,
    };
    let kept = earlier.map(|earlier| earlier.fast.clone());
    let fast = match kept {
        Some(fast) if recheck::fast(scene, &problem, &answer, &fast).is_ok() => fast,
        _ => fast_answer(scene, &problem, &answer)?,
    };
    let mut record = SceneRecord {
        format: FORMAT.to_owned(),
        name: scene.name.clone(),
        scene: scene_value,
        lcp: Lcp {
            n: problem.n(),
            digest: digest(&problem),
        },
        runs: runs(&scene.setup)?,
        answer,
        trace,
        trace_digest,
        unique,
        fast,
        digest: String::new(),
    };
    record.digest = record.checksum();
    Ok(record)
}

/// The exact answer with the path to it.
pub(super) fn exact_answer(
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
            let rubs =
                |motion: &Motion<Rational>| matches!(motion, Motion::Static | Motion::Sliding(_));
            if formulation.motions().iter().any(rubs) {
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

/// A short search: one of many rows would use up any budget.
pub(super) fn search(n: usize, budget: &Budget) -> Budget {
    let n = n.max(1) as u64;
    Budget {
        pivots: budget.pivots.min(SEARCH / (n * n)),
        ..budget.clone()
    }
}

fn solved(
    formulation: &Formulation<Rational>,
    z: Vec<Rational>,
) -> Result<SceneAnswer, DeriveError> {
    let forces = formulation.forces(&z)?;
    Ok(SceneAnswer::Solved {
        z: exacts(&z),
        forces: ForcesData::new(&forces),
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
    let path = path::drive(problem, budget);
    match path.map(|path| (path.end, path.trace)) {
        Some((Some(z), trace)) => Ok((z, Some(trace))),
        _ => Err(DeriveError::Undecided("the drive does not end".to_owned())),
    }
}

/// A path that is too long to be read, by its checksum; none where it would take minutes.
fn long_path(
    setup: &Setup,
    problem: &Problem,
    budget: &Budget,
) -> Result<Option<TraceDigest>, DeriveError> {
    let path = path(problem, rubs(setup)?, &path::kept(budget));
    Ok(path.map(|path| path.trace.digest()))
}

/// Whether any contact has friction, static or of sliding.
pub(super) fn rubs(setup: &Setup) -> Result<bool, ForceError> {
    let rubs = |motion: &Motion<Rational>| matches!(motion, Motion::Static | Motion::Sliding(_));
    let formulation = setup.formulation()?;
    Ok(formulation.is_some_and(|formulation| formulation.motions().iter().any(rubs)))
}

fn impulses(
    setup: &Setup,
    problem: &Problem,
    p: Vec<Rational>,
) -> Result<SceneAnswer, DeriveError> {
    let given = Given(problem.name().to_owned(), p.clone());
    match setup.answer(&given, &Budget::default())? {
        Answer::Impulses(impact) => Ok(SceneAnswer::Impulses {
            p: exacts(&p),
            after: exacts(&impact.after),
            kinetic_energy: impact.kinetic_energy.map(Exact),
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
                    solutions: found.solutions.iter().map(ForcesData::new).collect(),
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
    Some(path::lemke(problem, budget)?.trace)
}

/// A certificate as claims carry it.
pub(super) fn certificate(proof: Certificate) -> Value {
    let mut claim = Claim::new("proof", ClaimedAnswer::Unsolvable);
    claim.certificate = Some(proof);
    let record: Value = serde_json::from_str(&write_claim(&claim)).unwrap_or_default();
    record["certificate"].clone()
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
        StoppingImpulse::Ray { k, .. } => (Some(Exact(k.clone())), None),
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
        kinetic_energy: report.kinetic_energy.map(Exact),
        stopped: report.stopped,
        approaching: report.approaching.into_iter().map(|(i, _)| i).collect(),
        outside_cone: report.outside_cone,
    })))
}

/// Static friction by index sets, for small scenes at rest with friction rows.
pub(super) fn runs(setup: &Setup) -> Result<Vec<Run>, DeriveError> {
    let Some(formulation) = setup.formulation()? else {
        return Ok(Vec::new());
    };
    let tangent = |row: &RowKind| matches!(row, RowKind::Tangent { .. });
    if formulation.n() > SMALL || !formulation.rows().iter().any(tangent) {
        return Ok(Vec::new());
    }
    let orders = [
        ("one-at-a-time", Order::OneAtATime),
        ("simultaneous", Order::Simultaneous),
    ];
    let run = |(name, order): (&str, Order)| {
        let run = formulation.static_friction(order)?;
        Ok(Run {
            order: name.to_owned(),
            outcome: match run.outcome {
                Ok(_) => "solved".to_owned(),
                Err(failure) => failure.to_string(),
            },
            steps: run.work.steps,
            degenerate: run.work.degenerate,
            away: run.work.away,
        })
    };
    orders.into_iter().map(run).collect()
}

pub(super) fn fast_answer(
    scene: &SceneFile,
    problem: &Problem,
    answer: &SceneAnswer,
) -> Result<FastAnswer, DeriveError> {
    let method = FAST_METHOD;
    let rounded = scene.setup.rounded(&scene.name)?;
    let claim = method.solver(&Budget::default()).solve(&rounded.problem);
    let gave_up = FastAnswer {
        method: method.name().to_owned(),
        z: None,
        backward_error: None,
        difference: None,
    };
    let ClaimedAnswer::Solved { z } = &claim.answer else {
        return Ok(gave_up);
    };
    let z: Vec<f64> = z.iter().map(Number::to_f64).collect();
    let (error, difference) = measure(&scene.setup, problem, answer, &z)?;
    Ok(FastAnswer {
        z: Some(z),
        backward_error: Some(error),
        difference,
        ..gave_up
    })
}

/// Backward error of a binary64 answer in the exact problem, and how far its accelerations are from
/// the nearest exact ones.
pub(super) fn measure(
    setup: &Setup,
    problem: &Problem,
    answer: &SceneAnswer,
    z: &[f64],
) -> Result<(f64, Option<f64>), DeriveError> {
    let z: Vec<Rational> = z
        .iter()
        .map(|z| Rational::from_f64(*z).unwrap_or_default())
        .collect();
    let evaluation = evaluate(problem, &z, &etalon_certify::Tolerance::default());
    let evaluation = evaluation.map_err(|error| DeriveError::Undecided(error.to_string()))?;
    let error = round_up_f64(&evaluation.measures.backward_error);
    let far = |own: &[Rational], exact: &[Exact]| {
        let pairs = own.iter().zip(values(exact));
        let gaps = pairs.map(|(own, exact)| (own.clone() - exact).abs());
        gaps.max().unwrap_or_default()
    };
    let own = match setup.formulation()? {
        Some(formulation) => formulation.forces(&z)?.acceleration,
        None => {
            let system = setup.system()?;
            let rows = etalon_contact_forces::impact_rows(&system);
            let velocity = system.velocity_after(rows.iter().zip(&z));
            etalon_contact_forces::normal_velocities(&system, &velocity)
        }
    };
    let difference = match answer {
        SceneAnswer::Solved { forces, .. } => Some(far(&own, &forces.acceleration)),
        SceneAnswer::Indeterminate { solutions, .. } => {
            let each = solutions
                .iter()
                .map(|forces| far(&own, &forces.acceleration));
            each.min()
        }
        SceneAnswer::Impulses { after, .. } => Some(far(&own, after)),
        SceneAnswer::Inconsistent { .. } => None,
    };
    Ok((error, difference.as_ref().map(round_up_f64)))
}

/// The forces of an answer, where it has a single one.
pub(super) fn forces_of(
    formulation: &Formulation<Rational>,
    z: &[Exact],
) -> Result<Forces<Rational>, ForceError> {
    formulation.forces(&values(z))
}

/// Whether all tangential coordinates agree with the laws of the plane, so that Baraff's conditions
/// are just those of the problem.
pub(super) fn is_planar(formulation: &Formulation<Rational>) -> bool {
    let contacts = &formulation.system().contacts;
    contacts.iter().all(|contact| contact.tangents.len() == 1)
        || formulation
            .motions()
            .iter()
            .all(|motion| !matches!(motion, Motion::Static))
        || contacts.iter().all(|contact| Scalar::is_zero(&contact.mu))
}
