//! Golden trajectories, reviewed: a readable digest of each, so that a change in any is seen.
//!
//! `cargo insta review` shows what changed. That every step is right is for `etalon verify`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fmt::Write as _;
use std::path::PathBuf;

use etalon::golden::trajectory::{Contact, Energy, Line, Quantity};
use etalon::golden::{Trajectory, read_trajectory, trajectory_files};

fn files() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/trajectories");
    trajectory_files(&[PathBuf::from(folder)]).unwrap()
}

/// The first digits of a number as it stands.
fn number(value: &Quantity) -> String {
    format!("{:.9}", value.finite().unwrap() + 0.0)
}

fn vector(values: &[Quantity]) -> String {
    let values: Vec<_> = values.iter().map(number).collect();
    values.join(" ")
}

fn energy(energy: &Energy) -> String {
    format!(
        "{} + {}",
        number(&energy.kinetic),
        number(&energy.potential)
    )
}

/// What a person can compare: the ends of the motion, and what it took.
fn digest(trajectory: &Trajectory) -> String {
    let (header, steps) = (&trajectory.header, &trajectory.steps);
    let (first, last) = (&header.start, steps.last().unwrap());
    let sum = |value: &dyn Fn(&Line) -> u64| steps.iter().map(value).sum::<u64>();
    let pivots = sum(&|line| line.lcp.pivots.unwrap_or(0));
    let largest = steps.iter().map(|line| line.lcp.n);
    let iterations = sum(&|line| line.iterations.unwrap_or(1));
    let zero = number(&Quantity::binary64(0.0));
    let presses = |contact: &Contact| number(&contact.normal) != zero;
    let touching = |line: &&Line| line.contacts.iter().any(presses);
    let contact = steps.iter().filter(touching).count();
    let gains = sum(&|line| line.gains.as_ref().map_or(0, Vec::len) as u64);
    let mut text = String::new();
    let word = |word: &Option<String>| word.as_deref().unwrap_or("-").to_owned();
    let parameters = serde_json::to_string(&header.parameters).unwrap();
    let mut line = |name: &str, value: String| writeln!(text, "{name}: {value}").unwrap();
    line("scenario", format!("{} {parameters}", header.scenario));
    line(
        "scheme",
        format!(
            "{}, {}, {}",
            word(&header.formulation),
            word(&header.scheme),
            word(&header.arithmetic)
        ),
    );
    line("steps", format!("{}, {contact} in contact", steps.len()));
    line("largest problem", largest.max().unwrap().to_string());
    line("pivots", pivots.to_string());
    line("iterations", iterations.to_string());
    line("gains", gains.to_string());
    line("energy at first", energy(first.energy.as_ref().unwrap()));
    line("energy at last", energy(&last.energy));
    line("q at last", vector(&last.q));
    line("v at last", vector(&last.v));
    text
}

#[test]
fn digests_of_golden_trajectories_are_those_that_were_reviewed() {
    let files = files();
    assert!(files.len() >= 61, "{}", files.len());
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let trajectory = read_trajectory(&file).unwrap();
        insta::assert_snapshot!(format!("trajectory-{name}"), digest(&trajectory));
    }
}

/// What free flight gains by turning, step by step: h^2/2 times the square of the torque of inertia over the
/// inertia, and as much again at most by the turning of M. A change of the integrator that gains more is seen here.
#[test]
fn the_energy_that_free_flight_gains_is_told_and_small() {
    // (file, largest gain of a step, gain of all steps), J.
    let bounds = [
        ("block-corner", 3.6e-3, 2.3e-2),
        ("crossed-bars", 2.0e-3, 4.7e-3),
        ("ellipsoid", 1.1e-5, 3.8e-4),
        // Its body never leaves the floor.
        ("superquadric-rocking", 0.0, 0.0),
    ];
    let mut seen = Vec::new();
    for file in files() {
        let stem = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let trajectory = read_trajectory(&file).unwrap();
        let told = trajectory.steps.iter();
        let told = told.filter_map(|line| line.flight_gain.as_ref());
        let gains: Vec<f64> = told.map(|gain| gain.finite().unwrap()).collect();
        if gains.is_empty() {
            continue;
        }
        assert_eq!(gains.len(), trajectory.steps.len(), "{stem}");
        let found = bounds.iter().find(|(name, ..)| *name == stem);
        let (_, step, all) = found.unwrap_or_else(|| panic!("no bound for {stem}"));
        let largest = gains.iter().copied().fold(f64::MIN, f64::max);
        assert!(largest <= *step, "{stem}: {largest:e}");
        let total: f64 = gains.iter().sum();
        assert!(total <= *all, "{stem}: {total:e}");
        seen.push(stem);
    }
    let turning = [
        "block-corner",
        "crossed-bars",
        "ellipsoid",
        "superquadric-rocking",
    ];
    assert_eq!(seen, turning);
}

#[test]
fn golden_trajectories_have_the_sizes_and_exactness_that_are_promised() {
    let mut bytes = 0;
    for file in files() {
        bytes += std::fs::metadata(&file).unwrap().len();
        let trajectory = read_trajectory(&file).unwrap();
        let arithmetic = trajectory.header.arithmetic.as_deref().unwrap();
        assert!(
            arithmetic == "rational" || arithmetic == "grid",
            "{}",
            file.display()
        );
        assert_eq!(trajectory.header.solver.as_deref(), Some("exact-lemke"));
        for (k, line) in (1..).zip(&trajectory.steps) {
            assert_eq!(line.k, k, "{}", file.display());
        }
    }
    assert!(bytes < 8 << 20, "{bytes}");
}
