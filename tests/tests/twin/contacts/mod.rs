//! Friction cones: the judge against the twin, on random contacts and on published problems.
//!
//! Both sides read the same text. Each figure of the judge is held against the twin's decision: the problem holds
//! within an error, and not within one that is smaller by 2^-20 of it.
//!
//! More than the usual 400 problems:
//! `CONTACTS=100000 cargo test --release -p etalon-tests --test twin contacts`.

mod draw;
mod record;

use etalon_certify::{Measure, Tolerance};
use etalon_judge::Judge;
use etalon_lcp::VerdictKind;
use etalon_lcp::record::{read_claim, read_problem};
use etalon_tests::twin::contact::{Between, Contacts, Reading, Sizes};
use etalon_tests::twin::{Rational, parse};
use serde_json::Value;

use super::twins_number;

fn number(text: &str) -> Rational {
    parse(text).unwrap()
}

/// The error of the judge is one that the twin finds in some reading, and the twin finds no smaller one.
fn compare_error(
    problem: &Contacts,
    readings: &[Reading],
    sizes: Sizes,
    error: &Rational,
) -> Result<(), String> {
    let holds = |eps: &Rational| {
        readings
            .iter()
            .any(|reading| problem.holds(reading, sizes, eps))
    };
    // A factor that moves a force has 100 bits.
    let least = number("1e-28");
    if !holds(&(error + &least)) {
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

/// Everything that both sides say of one answer; the first difference as an error.
fn compare(problem: &Value, claim: &Value) -> Result<(), String> {
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
    let readings = theirs.readings(&z, &snap);
    let negativity = theirs.negativity(&z);
    // The judge rounds the factor of a force to 100 bits: it need not decide a tie as the twin does.
    let is_tie =
        |figure: &Rational| *figure > &tol - number("2e-30") && *figure < &tol + number("2e-30");
    let is_right = |sizes: Sizes| {
        let holds = readings
            .iter()
            .any(|reading| theirs.holds(reading, sizes, &tol));
        holds && negativity.high <= tol
    };
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
        let expected = match (theirs.solves(&z), is_right(sizes)) {
            (true, _) => VerdictKind::Exact,
            (false, true) => VerdictKind::Accepted,
            (false, false) => VerdictKind::Rejected,
        };
        if verdict.kind != expected && !is_tie(&negativity.high) {
            return Err(format!(
                "{sizes:?}: {:?} here, {expected:?} there: {:?}",
                verdict.kind, verdict.reason
            ));
        }
        let measures = verdict.measures.ok_or("no measures")?;
        compare_error(
            &theirs,
            &readings,
            Sizes::Entries,
            &twins_number(&measures.backward_error),
        )?;
        let block = measures.block_error.ok_or("no block error")?;
        compare_error(&theirs, &readings, Sizes::Blocks, &twins_number(&block))?;
        compare_figure(
            "negativity",
            &twins_number(&measures.negativity),
            &negativity,
        )?;
        match (measures.residual, theirs.residual(&z)) {
            (None, None) => {}
            (Some(here), Some(there)) => compare_figure("residual", &twins_number(&here), &there)?,
            (here, there) => return Err(format!("residual: {here:?} here, {there:?} there")),
        }
    }
    Ok(())
}

/// Problems by their seeds from `first` on, every `step`th: how many of each kind were drawn.
fn compare_drawn(first: u64, step: usize, count: u64) -> [u64; 3] {
    let mut found = [0; 3];
    for seed in (first..count).step_by(step) {
        let (problem, claim) = draw::contact(seed);
        if let Err(difference) = compare(&problem, &claim) {
            panic!("seed {seed}: {difference}\n{problem}\n{claim}");
        }
        found[draw::kind(&claim)] += 1;
    }
    found
}

#[test]
fn contacts_drawn_at_random_measure_what_the_twin_finds() {
    let count = std::env::var("CONTACTS").ok();
    let count = count.and_then(|text| text.parse().ok()).unwrap_or(400_u64);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let parts: Vec<_> = std::thread::scope(|scope| {
        let own = |first: usize| scope.spawn(move || compare_drawn(first as u64, threads, count));
        let running: Vec<_> = (0..threads).map(own).collect();
        running.into_iter().map(|part| part.join()).collect()
    });
    let mut found = [0; 3];
    for part in parts {
        let part = part.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (0..3).for_each(|kind| found[kind] += part[kind]);
    }
    println!("{count} problems, drawn as solutions, near them and at random: {found:?}");
    assert!(found.iter().all(|kind| *kind * 10 > count), "{found:?}");
}

#[test]
fn published_problems_measure_what_the_twin_finds() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/cones");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for line in text.lines().filter(|line| line.starts_with('{')) {
            let case: Value = serde_json::from_str(line).unwrap();
            for claim in case["claims"].as_array().unwrap() {
                let of = format!("{} {}", claim["name"], claim["label"]);
                compare(&case["problem"], claim)
                    .unwrap_or_else(|difference| panic!("{of}: {difference}"));
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 315);
}
