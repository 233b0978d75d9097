//! A golden record re-checked from itself.

use etalon_certify::{Truth, solves};
use etalon_contact_forces::{Formulation, RowKind, impact_rows, normal_velocities};
use etalon_exact::Budget;
use etalon_lcp::record::{digest, read_claim};
use etalon_lcp::{Certificate, Problem};
use etalon_scenarios::{SceneFile, Setup, read_scene};
use rug::Rational;
use serde_json::{Value, json};

use super::exact::{Exact, values};
use super::record::{FORMAT, FastAnswer, ForcesData, ResolutionData, SceneAnswer, SceneRecord};
use super::{SMALL, derive, path, unique};

/// The largest backward error of a binary64 answer.
const FAST: f64 = 1e-9;

/// Why a field is refused that only deriving the record anew could check.
const UNCHECKED: &str = "it is not checked for so many rows, so it must not be there";

/// Re-checks a record and says what does not hold:
///
/// - the checksum is that of the record;
/// - the scene makes the complementarity problem of that checksum;
/// - the answer solves that problem exactly, the forces and accelerations are those that the
///   scene has under it, and no condition of Baraff's is broken; proofs hold; impulses lead from
///   each velocity to the next, energy never rises, nothing approaches at the end;
/// - the trace keeps its invariants, and ends in the answer; a checksum is that of the path taken
///   again (where that is quick), which keeps them too, and ends in the same accelerations where
///   nothing rubs;
/// - what is stated of other answers is proved again;
/// - the binary64 answer is of the method that scenes are answered by, and has just the backward error
///   that is stated; where there is none, that method gives none;
/// - up to [`SMALL`] rows, deriving the record anew changes nothing exact in it; beyond, there are
///   no lists of answers and no runs of index sets, which nothing else would check.
pub fn recheck(record: &SceneRecord, budget: &Budget) -> Vec<String> {
    let mut findings = Vec::new();
    let mut check = |place: &str, outcome: Result<(), String>| {
        findings.extend(outcome.err().map(|why| format!("{place}: {why}")));
    };
    check("format", equal(&record.format, &FORMAT.to_owned()));
    check("digest", equal(&record.digest, &record.checksum()));
    let scene = match read_scene(&record.scene.to_string()) {
        Ok(scene) if scene.name == record.name => scene,
        Ok(_) => {
            check("scene", Err("it has another name".to_owned()));
            return findings;
        }
        Err(error) => {
            check("scene", Err(error.to_string()));
            return findings;
        }
    };
    let setup = &scene.setup;
    let problem = match setup.problem(&record.name) {
        Ok(problem) => problem,
        Err(error) => {
            check("scene", Err(error.to_string()));
            return findings;
        }
    };
    check("lcp.n", equal(&record.lcp.n, &problem.n()));
    check("lcp.digest", equal(&record.lcp.digest, &digest(&problem)));
    check("answer", answer(setup, &problem, &record.answer));
    check("trace", trace(setup, &problem, record, budget));
    if let Some(stated) = &record.unique {
        let proved = unique::check(setup, &problem, &record.answer, stated);
        check("unique", proved);
    }
    check("fast", fast(&scene, &problem, &record.answer, &record.fast));
    let only_anew = !record.runs.is_empty();
    check("runs", holds(!only_anew || problem.n() <= SMALL, UNCHECKED));
    if problem.n() <= SMALL {
        for (place, outcome) in anew(setup, &problem, record, budget) {
            check(place, outcome);
        }
    }
    findings
}

fn equal<T: PartialEq + std::fmt::Display>(stated: &T, found: &T) -> Result<(), String> {
    if stated == found {
        return Ok(());
    }
    Err(format!("it is {found}, not {stated}"))
}

fn same<T: PartialEq>(stated: &T, found: &T, what: &str) -> Result<(), String> {
    if stated == found {
        return Ok(());
    }
    Err(format!("{what}: not those of the scene"))
}

fn holds(condition: bool, otherwise: &str) -> Result<(), String> {
    if condition {
        Ok(())
    } else {
        Err(otherwise.to_owned())
    }
}

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn answer(setup: &Setup, problem: &Problem, answer: &SceneAnswer) -> Result<(), String> {
    match answer {
        SceneAnswer::Solved { z, forces } => {
            exactly_solves(problem, z)?;
            let formulation = setup.formulation().map_err(words)?;
            let formulation = formulation.ok_or("the scene asks for impulses")?;
            let found = derive::forces_of(&formulation, z).map_err(words)?;
            same(forces, &ForcesData::new(&found), "forces")?;
            if derive::is_planar(&formulation)
                && let Some(violation) = found.violations().first()
            {
                return Err(violation.to_string());
            }
            Ok(())
        }
        SceneAnswer::Indeterminate {
            solutions,
            certificate,
            ..
        } => {
            holds(problem.n() <= SMALL, UNCHECKED)?;
            holds(!solutions.is_empty(), "there is no solution in it")?;
            proved(problem, certificate)
        }
        SceneAnswer::Inconsistent {
            certificate,
            resolution,
        } => {
            proved(problem, certificate)?;
            let anew = resolution.is_none() || problem.n() <= SMALL;
            holds(anew, UNCHECKED)?;
            match resolution {
                Some(resolution) => self::resolution(setup, resolution),
                None => Ok(()),
            }
        }
        SceneAnswer::Impulses {
            p,
            after,
            kinetic_energy,
        } => {
            exactly_solves(problem, p)?;
            let system = setup.system().map_err(words)?;
            let velocity = system.velocity_after(impact_rows(&system).iter().zip(&values(p)));
            let found = normal_velocities(&system, &velocity);
            same(&values(after), &found, "velocities afterwards")?;
            let energy = [
                system.kinetic_energy(),
                system.mass.kinetic_energy(&velocity),
            ];
            same(kinetic_energy, &energy.map(Exact), "energies")
        }
    }
}

fn exactly_solves(problem: &Problem, z: &[Exact]) -> Result<(), String> {
    let right = solves(problem, &values(z)).map_err(words)?;
    holds(right, "z does not solve the problem exactly")
}

/// The certificate checked against the problem.
fn proved(problem: &Problem, certificate: &Value) -> Result<(), String> {
    let proof = read_certificate(certificate)?;
    let mut truth = Truth::default();
    truth.add_certificate(problem, &proof).map_err(words)
}

/// A certificate as claims carry it.
pub(super) fn read_certificate(certificate: &Value) -> Result<Certificate, String> {
    let claim = json!({"name": "proof", "status": "unsolvable", "certificate": certificate});
    let claim = read_claim(&claim.to_string()).map_err(words)?.record;
    Ok(claim.certificate.ok_or("there is no certificate")?)
}

fn resolution(setup: &Setup, stated: &ResolutionData) -> Result<(), String> {
    let system = setup.system().map_err(words)?;
    let velocity = stated.velocity.each_ref().map(|v| values(v));
    let lengths = velocity.iter().all(|v| v.len() == system.dofs());
    holds(lengths, "velocities of another length")?;
    same(&velocity[0], &system.velocity, "the first velocity")?;
    let energy = velocity.each_ref().map(|v| system.mass.kinetic_energy(v));
    holds(
        energy.is_sorted_by(|a, b| a >= b),
        "the kinetic energy rises",
    )?;
    same(&stated.kinetic_energy, &energy.map(Exact), "energies")?;
    let end = normal_velocities(&system, &velocity[2]);
    holds(
        end.iter().all(|v| *v >= 0),
        "a contact approaches at the end",
    )?;
    holds(!stated.stopped.is_empty(), "no contact has stopped sliding")?;
    for &i in &stated.stopped {
        let contact = system.contacts.get(i).ok_or("there is no such contact")?;
        let now = contact.tangential_velocity(&velocity[1]);
        holds(now.iter().all(|v| *v == 0), "a stopped contact slides")?;
    }
    let middle = normal_velocities(&system, &velocity[1]);
    let approaching: Vec<usize> = (0..middle.len()).filter(|&i| middle[i] < 0).collect();
    same(&stated.approaching, &approaching, "approaching contacts")
}

fn trace(
    setup: &Setup,
    problem: &Problem,
    record: &SceneRecord,
    budget: &Budget,
) -> Result<(), String> {
    let z = match &record.answer {
        SceneAnswer::Solved { z, .. } => Some(values(z)),
        SceneAnswer::Impulses { p, .. } => Some(values(p)),
        _ => None,
    };
    let z = z.filter(|z| z.len() == problem.n());
    let joints = match setup.formulation().map_err(words)? {
        Some(formulation) => joints(&formulation),
        None => (setup.system().map_err(words)?.contacts.len()..problem.n()).collect(),
    };
    match (&record.trace, &record.trace_digest) {
        (Some(_), Some(_)) => Err("there is a trace and a checksum of one".to_owned()),
        (Some(trace), None) => {
            let z = z.unwrap_or_default();
            let w = if z.is_empty() {
                Vec::new()
            } else {
                response(problem, &z)
            };
            trace.check(&z, &w, &joints)
        }
        (None, Some(stated)) => {
            let rubs = derive::rubs(setup).map_err(words)?;
            let Some(path) = path::path(problem, rubs, &path::quick(problem.n(), budget)) else {
                // It takes long: only deriving the record anew takes it again.
                return Ok(());
            };
            same(stated, &path.trace.digest(), "the path taken again")?;
            path::check_end(problem, &path, z.as_deref(), &joints)
        }
        (None, None) => {
            let rubs = derive::rubs(setup).map_err(words)?;
            let path = path::path(problem, rubs, &path::quick(problem.n(), budget));
            holds(path.is_none(), "there is neither a trace nor a checksum")
        }
    }
}

/// M z + q.
pub(super) fn response(problem: &Problem, z: &[Rational]) -> Vec<Rational> {
    let row = |(i, q): (usize, &etalon_lcp::Number)| {
        let mut sum = q.to_rational();
        for (j, m) in problem.m().row(i) {
            if z[j] != 0 {
                sum += m.to_rational() * &z[j];
            }
        }
        sum
    };
    problem.q().iter().enumerate().map(row).collect()
}

fn joints(formulation: &Formulation<Rational>) -> Vec<usize> {
    let rows = formulation.rows().iter().enumerate();
    let joints = rows.filter(|(_, row)| matches!(row, RowKind::Joint(_)));
    joints.map(|(i, _)| i).collect()
}

/// The binary64 answer measured anew.
pub(super) fn fast(
    scene: &SceneFile,
    problem: &Problem,
    answer: &SceneAnswer,
    stated: &FastAnswer,
) -> Result<(), String> {
    let setup = &scene.setup;
    holds(
        stated.method == derive::FAST_METHOD.name(),
        &format!("the method is {}", derive::FAST_METHOD.name()),
    )?;
    let Some(z) = &stated.z else {
        let without = stated.backward_error.is_none() && stated.difference.is_none();
        holds(without, "measures without an answer")?;
        let own = derive::fast_answer(scene, problem, answer).map_err(words)?;
        return holds(
            own.z.is_none(),
            "there is no answer, but the method gives one",
        );
    };
    holds(z.len() == problem.n(), "an answer of another length")?;
    let (error, difference) = derive::measure(setup, problem, answer, z).map_err(words)?;
    holds(
        stated.backward_error == Some(error),
        &format!("the backward error is {error:e}"),
    )?;
    holds(error <= FAST, "the backward error is over the tolerance")?;
    holds(
        stated.difference == difference,
        "the difference from the exact accelerations is another",
    )
}

/// The exact part derived anew: what of each field is not the same.
fn anew(
    setup: &Setup,
    problem: &Problem,
    record: &SceneRecord,
    budget: &Budget,
) -> Vec<(&'static str, Result<(), String>)> {
    let (answer, trace) = match derive::exact_answer(setup, problem, budget) {
        Ok(found) => found,
        Err(error) => return vec![("answer", Err(error.to_string()))],
    };
    let unique = unique::derive(setup, problem, &answer, budget).map_err(words);
    let unique = unique.and_then(|u| same(&record.unique, &u, "what is known of other answers"));
    let runs = derive::runs(setup).map_err(words);
    let runs = runs.and_then(|runs| same(&record.runs, &runs, "the runs derived anew"));
    vec![
        (
            "answer",
            same(&record.answer, &answer, "the answer derived anew"),
        ),
        ("unique", unique),
        (
            "trace",
            same(&record.trace, &trace, "the trace derived anew"),
        ),
        ("runs", runs),
    ]
}
