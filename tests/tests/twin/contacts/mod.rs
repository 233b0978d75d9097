//! Friction cones: the judge against the twin, on random contacts and on published problems.
//!
//! Both sides read the same text. Each error of the judge is held against the twin's decision: the problem holds
//! within it, and not within one that is smaller by a millionth. The twin's candidate is read as it is and moved into its cones.
//! The judge also reads it with forces snapped that are near to a bound in natural sizes, which the twin does not know:
//! where that made an error smaller, the twin holds that its own errors are no smaller.
//!
//! More than the usual 400 problems:
//! `CONTACTS=100000 cargo test --release -p etalon-tests --test twin contacts`.

mod bodies;
mod draw;
mod record;

use etalon_certify::{Measure, Tolerance};
use etalon_judge::Judge;
use etalon_lcp::VerdictKind;
use etalon_lcp::record::{read_claim, read_problem};
use etalon_tests::cores::on_all_cores;
use etalon_tests::twin::contact::{Between, Sizes};
use etalon_tests::twin::{Rational, parse};
use serde_json::Value;

use super::twins_number;

fn number(text: &str) -> Rational {
    parse(text).unwrap()
}

/// The error of the judge is one that the twin finds in some reading, unless entries were snapped for it, and the twin
/// finds no smaller one.
fn compare_error(
    sizes: Sizes,
    holds: &dyn Fn(&Rational) -> bool,
    error: &Rational,
    was_snapped: bool,
) -> Result<(), String> {
    // A factor that moves a force has 100 bits.
    let least = number("1e-28");
    if !was_snapped && !holds(&(error + &least)) {
        return Err(format!("{sizes:?}: {error} does not hold"));
    }
    let less = error * number("0.999999") - least;
    if less > 0 && holds(&less) {
        return Err(format!("{sizes:?}: {less} holds, and not only {error}"));
    }
    Ok(())
}

/// A figure of the judge is in the interval, or beyond it by a rounding of the factor that moves a force.
fn compare_figure(what: &str, here: &Rational, there: &Between) -> Result<(), String> {
    let slack = number("1e-20") * &there.high + number("2e-30");
    if *here >= &there.low - &slack && *here <= &there.high + slack {
        Ok(())
    } else {
        Err(format!(
            "{what}: {here} here, {} to {} there",
            there.low, there.high
        ))
    }
}

/// Everything that both sides say of one answer; the first difference as an error. Whether the twin finds it right by blocks
/// by itself (0), with free rows solved (1), or wrong (2).
fn compare(problem: &Value, claim: &Value) -> Result<usize, String> {
    let ours = read_problem(&problem.to_string())
        .map_err(|error| error.to_string())?
        .record;
    let answer = read_claim(&claim.to_string())
        .map_err(|error| error.to_string())?
        .record;
    let theirs = record::problem(problem);
    let z: Vec<Rational> = claim["z"]
        .as_array()
        .unwrap()
        .iter()
        .map(record::number)
        .collect();
    let tolerance = Tolerance::default();
    let [tol, snap] = [&tolerance.tol, &tolerance.snap].map(twins_number);
    let readings = &theirs.readings(&z, &snap)[..2];
    let negativity = theirs.negativity(&z);
    let mut kind = 2;
    for (measure, sizes) in [
        (Measure::Block, Sizes::Blocks),
        (Measure::Componentwise, Sizes::Entries),
    ] {
        let judge = Judge {
            tolerance: Tolerance {
                measure,
                ..tolerance.clone()
            },
            ..Judge::default()
        };
        let verdict = judge.verdict(&ours, &answer).verdict;
        let measures = verdict.measures.ok_or("no measures")?;
        let [moved, snapped] = [&measures.moved, &measures.snapped].map(|own| own.entries > 0);
        compare_figure(
            "negativity",
            &twins_number(&measures.negativity),
            &negativity,
        )?;
        // What is outside of its cone is so in any unit; the twin has no natural sizes.
        if (*measures.violation() > 0) != (negativity.high > 0) {
            let here = measures.violation();
            return Err(format!("outside: {here} here, {} there", negativity.high));
        }
        let is_inside = twins_number(measures.violation()) <= tol;
        let holds = |eps: &Rational| readings.iter().any(|own| theirs.holds(own, sizes, eps));
        let is_explained = is_inside
            && !readings
                .iter()
                .any(|own| theirs.holds(own, Sizes::Blocks, &tol))
            && theirs.holds_with_bodies(readings, &tol, &tol);
        let is_right = is_inside && holds(&tol) || is_explained && sizes == Sizes::Blocks;
        if sizes == Sizes::Blocks && is_right {
            kind = usize::from(is_explained);
        }
        let expected = match (theirs.solves(&z), is_right) {
            (true, _) => VerdictKind::Exact,
            (false, true) => VerdictKind::Accepted,
            (false, false) => VerdictKind::Rejected,
        };
        let is_near = verdict.kind == VerdictKind::Accepted && (moved || snapped);
        if verdict.kind != expected && !is_near {
            return Err(format!(
                "{sizes:?}: {:?} here, {expected:?} there: {:?}",
                verdict.kind, verdict.reason
            ));
        }
        let errors = [
            (Sizes::Entries, Some(measures.backward_error), snapped),
            (Sizes::Blocks, measures.block_error, moved),
        ];
        for (sizes, error, was_snapped) in errors {
            let error = twins_number(&error.ok_or("no block error")?);
            let holds = |eps: &Rational| {
                if is_explained && sizes == Sizes::Blocks {
                    return theirs.holds_with_bodies(readings, eps, &tol);
                }
                readings.iter().any(|own| theirs.holds(own, sizes, eps))
            };
            compare_error(sizes, &holds, &error, was_snapped)?;
        }
        match (measures.residual, theirs.residual(&z)) {
            (None, None) => {}
            (Some(here), Some(there)) => compare_figure("residual", &twins_number(&here), &there)?,
            (here, there) => return Err(format!("residual: {here:?} here, {there:?} there")),
        }
    }
    Ok(kind)
}

#[test]
fn contacts_drawn_at_random_measure_what_the_twin_finds() {
    let count = std::env::var("CONTACTS").ok();
    let count = count.and_then(|text| text.parse().ok()).unwrap_or(400_u64);
    let seeds: Vec<u64> = (0..count).collect();
    let kinds = on_all_cores(&seeds, |seed| {
        let (problem, claim) = draw::contact(*seed);
        if let Err(difference) = compare(&problem, &claim) {
            panic!("seed {seed}: {difference}\n{problem}\n{claim}");
        }
        draw::kind(&claim)
    });
    let mut found = [0; 3];
    kinds.iter().for_each(|kind| found[*kind] += 1);
    println!("{count} problems, drawn as solutions, near them and at random: {found:?}");
    assert!(found.iter().all(|kind| *kind * 10 > count), "{found:?}");
}

/// Of bodies at rest all is right or wrong by what the twin finds with their free rows solved.
#[test]
fn bodies_at_rest_measure_what_the_twin_finds() {
    let mut found = [0; 3];
    for seed in 0..400 {
        let (problem, claim) = bodies::at_rest(seed);
        let kind = compare(&problem, &claim)
            .unwrap_or_else(|difference| panic!("seed {seed}: {difference}\n{problem}\n{claim}"));
        found[kind] += 1;
    }
    // By themselves, with free rows solved, and not at all.
    println!("{found:?}");
    assert!(
        found[0] >= 10 && found[1] >= 100 && found[2] >= 100,
        "{found:?}"
    );
}

/// The same with soft joints, which the twin tells from bodies by itself.
#[test]
fn soft_joints_measure_what_the_twin_finds() {
    let mut found = [0; 3];
    for seed in 0..1200 {
        let (problem, claim) = bodies::with_soft_joints(seed);
        if problem["M"][3][3] == "0" {
            continue;
        }
        let kind = compare(&problem, &claim)
            .unwrap_or_else(|difference| panic!("seed {seed}: {difference}\n{problem}\n{claim}"));
        found[kind] += 1;
    }
    println!("{found:?}");
    assert!(found[1] >= 40 && found[2] >= 100, "{found:?}");
}

/// The same with rows of bodies that nothing but velocities enters.
#[test]
fn idle_rows_of_bodies_measure_what_the_twin_finds() {
    let mut found = [0; 3];
    for seed in 0..800 {
        let (problem, claim) = bodies::with_idle_rows(seed);
        let kind = compare(&problem, &claim)
            .unwrap_or_else(|difference| panic!("seed {seed}: {difference}\n{problem}\n{claim}"));
        found[kind] += 1;
    }
    println!("{found:?}");
    assert!(found[1] >= 100 && found[2] >= 100, "{found:?}");
}

#[test]
fn published_problems_measure_what_the_twin_finds() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/cones");
    let mut published: Vec<(Value, Value)> = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for line in text.lines().filter(|line| line.starts_with('{')) {
            let case: Value = serde_json::from_str(line).unwrap();
            let claims = case["claims"].as_array().unwrap().iter().cloned();
            published.extend(claims.map(|claim| (case["problem"].clone(), claim)));
        }
    }
    assert_eq!(published.len(), 315);
    on_all_cores(&published, |(problem, claim)| {
        let of = format!("{} {}", claim["name"], claim["label"]);
        compare(problem, claim).unwrap_or_else(|difference| panic!("{of}: {difference}"))
    });
}
