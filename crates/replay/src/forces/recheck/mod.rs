//! A golden record re-checked from itself.

mod certificate;
mod fast;
mod trace;
mod unique;
mod words;

pub use certificate::read_certificate;
pub use fast::check as check_fast;
pub use words::{same, words};

use etalon_certify::{Truth, solves};
use etalon_contact_forces::{normal_velocities, velocity_after_impact};
use etalon_exact::Budget;
use etalon_golden::forces::{
    FORMAT, FractionText, ResolutionData, SMALL, SceneAnswer, SceneRecord, values,
};
use etalon_lcp::Problem;
use etalon_lcp::record::digest;
use etalon_scenarios::{Setup, read_scene};
use serde_json::Value;

use self::words::{equal, holds};
use super::data::forces_data;
use super::travel;

/// Why a field is refused that only deriving the record anew could check.
const UNCHECKED: &str = "it is not checked for so many rows, so it must not be there";

/// Re-checks a record and says what does not hold:
///
/// - the checksum is that of the record;
/// - the scene makes the complementarity problem of that checksum;
/// - the answer solves that problem exactly, the forces and accelerations are those that the
///   scene has under it, and no condition of Baraff's is broken; limits and drives of joints keep theirs, by formulas of their own;
///   proofs hold; impulses lead from
///   each velocity to the next, energy never rises, nothing approaches at the end;
/// - the trace keeps its invariants, and ends in the answer; a checksum is that of the path taken
///   again (where that is quick), which keeps them too, and ends in the same accelerations where
///   nothing rubs;
/// - what is stated of other answers is proved again;
/// - the binary64 answer is of the method that scenes are answered by, and has just the backward error
///   that is stated; where there is none, that method gives none;
/// - beyond [`SMALL`] rows, there are no lists of answers and no runs of index sets, which only deriving
///   the record anew would check.
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
    check("trace", trace::check(setup, &problem, record, budget));
    if let Some(stated) = &record.unique {
        let proved = unique::check(setup, &problem, &record.answer, stated);
        check("unique", proved);
    }
    check(
        "fast",
        fast::check(&scene, &problem, &record.answer, &record.fast),
    );
    let only_anew = !record.runs.is_empty();
    check("runs", holds(!only_anew || problem.n() <= SMALL, UNCHECKED));
    findings
}

fn answer(setup: &Setup, problem: &Problem, answer: &SceneAnswer) -> Result<(), String> {
    match answer {
        SceneAnswer::Solved { z, forces } => {
            exactly_solves(problem, z)?;
            let formulation = setup.formulation().map_err(words)?;
            let formulation = formulation.ok_or("the scene asks for impulses")?;
            let found = formulation.forces(&values(z)).map_err(words)?;
            same(forces, &forces_data(&found), "forces")?;
            travel::check(setup, forces)?;
            if formulation.is_planar()
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
            for own in solutions {
                travel::check(setup, own)?;
            }
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
            let velocity = velocity_after_impact(&system, &values(p));
            let found = normal_velocities(&system, &velocity);
            same(&values(after), &found, "velocities afterwards")?;
            let energy = [
                system.kinetic_energy(),
                system.mass.kinetic_energy(&velocity),
            ];
            same(kinetic_energy, &energy.map(FractionText), "energies")
        }
    }
}

fn exactly_solves(problem: &Problem, z: &[FractionText]) -> Result<(), String> {
    let right = solves(problem, &values(z)).map_err(words)?;
    holds(right, "z does not solve the problem exactly")
}

/// The certificate checked against the problem.
fn proved(problem: &Problem, certificate: &Value) -> Result<(), String> {
    let proof = read_certificate(certificate)?;
    let mut truth = Truth::default();
    truth.add_certificate(problem, &proof).map_err(words)
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
    same(
        &stated.kinetic_energy,
        &energy.map(FractionText),
        "energies",
    )?;
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
