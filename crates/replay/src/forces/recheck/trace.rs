//! The path of a record: what must hold along it, and whether it is taken again.

use std::collections::{BTreeSet, HashSet};

use etalon_contact_forces::{ForcePath, reference_path};
use etalon_exact::Budget;
use etalon_golden::forces::{FractionText, SceneAnswer, SceneRecord, Trace, complement, values};
use etalon_lcp::Problem;
use etalon_scenarios::Setup;
use rug::Rational;

use super::words::{holds, same, words};
use crate::forces::data;

/// So many where a path is taken again whenever a record is checked.
const QUICK_BITS: u64 = 2_000;

/// What that may cost: pivots times the square of rows.
const QUICK_WORK: u64 = 5_000_000;

/// Checks the trace of a record, or its checksum against the path taken again.
pub fn check(
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
    let formulation = setup.formulation().map_err(words)?;
    let joints = match &formulation {
        Some(formulation) => formulation.joint_rows(),
        None => (setup.system().map_err(words)?.contacts.len()..problem.n()).collect(),
    };
    let rubs = formulation.is_some_and(|own| own.rubs() || own.holds());
    let again = || reference_path(problem, rubs, &quick(problem.n(), budget));
    match (&record.trace, &record.trace_digest) {
        (Some(_), Some(_)) => Err("there is a trace and a checksum of one".to_owned()),
        (Some(trace), None) => {
            let z = z.unwrap_or_default();
            let w = if z.is_empty() {
                Vec::new()
            } else {
                response(problem, &z)
            };
            keeps(trace, &z, &w, &joints)
        }
        (None, Some(stated)) => {
            let Some(path) = again() else {
                // It takes long: only deriving the record anew takes it again.
                return Ok(());
            };
            let digest = data::trace(&path).digest();
            same(stated, &digest, "the path taken again")?;
            check_end(problem, &path, z.as_deref(), &joints)
        }
        (None, None) => holds(again().is_none(), "there is neither a trace nor a checksum"),
    }
}

/// The budget of a path through n rows that can be taken again at any time.
fn quick(n: usize, budget: &Budget) -> Budget {
    let n = n.max(1) as u64;
    Budget {
        pivots: budget.pivots.min(QUICK_WORK / (n * n)),
        bits: budget.bits.min(QUICK_BITS),
        ..budget.clone()
    }
}

/// Checks a path against its own end, and that against the accelerations of the answer, which are
/// the same for all answers where nothing rubs.
fn check_end(
    problem: &Problem,
    path: &ForcePath,
    answer: Option<&[Rational]>,
    joints: &[usize],
) -> Result<(), String> {
    let trace = data::trace(path);
    let Some(z) = path.end() else {
        return keeps(&trace, &[], &[], joints);
    };
    let w = response(problem, z);
    keeps(&trace, z, &w, joints)?;
    match (path, answer) {
        (ForcePath::Drive { .. }, Some(answer)) if response(problem, answer) != w => {
            Err("it ends in other accelerations than those of the answer".to_owned())
        }
        _ => Ok(()),
    }
}

/// M z + q.
fn response(problem: &Problem, z: &[Rational]) -> Vec<Rational> {
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

/// Checks what theory promises of the path: of Baraff's drive that steps are not negative, that
/// the clamped set C never comes again within a drive, and that at the end forces vanish
/// outside C and accelerations in it; of Lemke's path that it is complementary, begins and ends
/// with the artificial variable (or in a ray), and never meets a basis twice.
fn keeps(trace: &Trace, f: &[Rational], a: &[Rational], joints: &[usize]) -> Result<(), String> {
    match trace {
        Trace::DriveToZero { steps } => check_drive(steps, f, a, joints),
        Trace::Lemke { pivots, ray } => check_lemke(pivots, ray.as_deref()),
    }
}

fn check_drive(
    steps: &[(usize, usize, FractionText)],
    f: &[Rational],
    a: &[Rational],
    joints: &[usize],
) -> Result<(), String> {
    let mut clamped: BTreeSet<usize> = joints.iter().copied().collect();
    let mut driven = None;
    let mut seen = HashSet::new();
    for (k, (d, j, length)) in steps.iter().enumerate() {
        if *d >= f.len() || *j >= f.len() {
            return Err(format!("step {k}: there is no such row"));
        }
        if length.0 < 0 {
            return Err(format!("step {k} is negative"));
        }
        if driven != Some(*d) {
            if driven.is_some() {
                return Err(format!("step {k}: a drive ends before its row is at zero"));
            }
            if clamped.contains(d) {
                return Err(format!(
                    "step {k}: row {d} is driven, but is clamped already"
                ));
            }
            driven = Some(*d);
            seen.clear();
        }
        if !seen.insert(clamped.clone()) {
            return Err(format!(
                "step {k}: the clamped set comes again within a drive"
            ));
        }
        if j == d {
            driven = None;
        }
        if !clamped.remove(j) {
            clamped.insert(*j);
        }
    }
    if driven.is_some() {
        return Err("the last drive does not end".to_owned());
    }
    for (i, (f, a)) in f.iter().zip(a).enumerate() {
        if clamped.contains(&i) && *a != 0 {
            return Err(format!("row {i} is clamped, but accelerates"));
        }
        if !clamped.contains(&i) && *f != 0 {
            return Err(format!("row {i} is not clamped, but has a force"));
        }
    }
    Ok(())
}

fn check_lemke(pivots: &[(String, String)], ray: Option<&str>) -> Result<(), String> {
    let mut expected = "z".to_owned();
    // The basis as its difference from the first one.
    let mut basis = BTreeSet::new();
    let mut seen = HashSet::from([basis.clone()]);
    for (k, (entering, leaving)) in pivots.iter().enumerate() {
        if *entering != expected {
            return Err(format!("pivot {k}: {entering} enters, not {expected}"));
        }
        for variable in [entering, leaving] {
            if !basis.remove(variable) {
                basis.insert(variable.clone());
            }
        }
        if !seen.insert(basis.clone()) {
            return Err(format!("pivot {k}: a basis comes again"));
        }
        let last = k + 1 == pivots.len();
        match (complement(leaving), leaving.as_str()) {
            (Some(next), _) if !last => expected = next,
            (Some(next), _) if ray == Some(&*next) => return Ok(()),
            (None, "z") if last && ray.is_none() => return Ok(()),
            _ => return Err(format!("pivot {k}: {leaving} leaves")),
        }
    }
    // Nothing to do: q >= 0.
    match ray {
        Some(_) => Err("a ray without a pivot before it".to_owned()),
        None => Ok(()),
    }
}
