//! Measures the fast solvers against LU of the same matrices and against the exact ones, and
//! writes the page of figures with its plots.

mod allocations;
mod further;
mod growth;
mod measure;
mod outliers;
mod page;
mod peers;
mod ratios;
mod real;

use std::alloc::System;
use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use clap::Parser;
use etalon_benches::case::Case;
use etalon_benches::machine::{Machine, peak_mebibytes};
use indicatif::{ProgressBar, ProgressStyle};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

use measure::{Measurement, measure};
use page::Figures;
use peers::Peer;

/// Counts allocations; the methods that are timed make none.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Measure the fast solvers against dense LU of the same matrices in the same run, cold and warm,
/// and what certainty costs beside them; write docs/performance.md and its plots.
///
/// Contenders take turns on each problem and medians are compared, so that what else the machine
/// does disturbs them alike. The tables of targets and families are measured twice: on the problems of
/// seed 1, and on those of a seed that is drawn when the program starts.
#[derive(Parser)]
#[command(after_help = "\
Example: cargo run --release -p etalon-benches --bin performance -- --dgesv target/openblas_dgesv \\
    --solver 'quantecon-lemke=python3 adapters/quantecon_lemke.py'
In half a minute, to see whether it works: ... --bin performance -- --budget 20 --outliers 2 --largest 100 --largest-sparse 3000 --docs /some/folder")]
struct Arguments {
    /// Milliseconds for each problem, if its rounds of three runs take no longer
    #[arg(long, value_name = "MS", default_value_t = 300)]
    budget: u64,

    /// The largest n of dense problems, of 10, 30, 100, 300, 1000
    #[arg(long, value_name = "N", default_value_t = 1000)]
    largest: usize,

    /// The largest n of sparse problems
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    largest_sparse: usize,

    /// The seed of the second measurement; drawn from the clock unless given
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// How many problems of each family and size the table of outliers has, a quarter of them at n = 300
    #[arg(long, value_name = "COUNT", default_value_t = 120)]
    outliers: u64,

    /// OpenBLAS's dgesv as one more LU: the program that adapters/openblas_dgesv.cpp makes
    #[arg(long, value_name = "COMMAND")]
    dgesv: Option<String>,

    /// Another solver on the problems of seed 1: a command that answers problem lines with claims
    #[arg(long, value_name = "[NAME=]COMMAND")]
    solver: Vec<String>,

    /// The golden problems
    #[arg(long, value_name = "FOLDER", default_value = "golden/problems")]
    golden: PathBuf,

    /// Where the page goes
    #[arg(long, value_name = "FOLDER", default_value = "docs")]
    docs: PathBuf,
}

/// The sizes of dense problems, with how many of each family.
const SIZES: [(usize, u64); 5] = [(10, 3), (30, 3), (100, 3), (300, 3), (1000, 1)];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let machine = Machine::here();
    let dgesv = arguments.dgesv.as_deref().map(Peer::parse).transpose()?;
    let peers = arguments.solver.iter().map(|text| Peer::parse(text));
    let peers = peers.collect::<Result<Vec<_>, _>>()?;
    let budget = Duration::from_millis(arguments.budget);
    // First, while this process has held nothing else.
    let sparse = growth::sparse(arguments.largest_sparse, budget);
    let sparse_mebibytes = peak_mebibytes();
    let seed = arguments.seed.unwrap_or_else(drawn_seed);
    let first = cases(arguments.largest, 1);
    let measurements = measure_all(&first, budget, dgesv.as_ref())?;
    let again = measure_all(&cases(arguments.largest, seed), budget, dgesv.as_ref())?;
    let figures = Figures {
        machine,
        peak: [sparse_mebibytes, peak_mebibytes()],
        has_dgesv: dgesv.is_some(),
        solvers: arguments.solver.clone(),
        peers: peers::ask_all(&peers, &first, &measurements),
        outliers: outliers(&arguments, seed, budget / 20),
        real: real::measure(&arguments.golden, budget / 20)?,
        allocations: allocations::count(),
        measurements,
        seed,
        again,
        sparse,
    };
    figures.write(&arguments.docs)
}

/// A seed that nobody has chosen: the seconds of the clock.
fn drawn_seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(2, |now| now.as_secs())
}

fn cases(largest: usize, seed: u64) -> Vec<Case> {
    let sizes = SIZES.into_iter().filter(|(n, _)| *n <= largest);
    sizes
        .flat_map(|(n, count)| Case::all_seeded(n, count, seed))
        .collect()
}

fn measure_all(
    cases: &[Case],
    budget: Duration,
    dgesv: Option<&Peer>,
) -> Result<Vec<Measurement>, Box<dyn Error>> {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}")?;
    let bar = ProgressBar::new(cases.len() as u64).with_style(style);
    let measurements = cases.iter().map(|case| {
        bar.set_message(case.problem.name().to_owned());
        let measurement = measure(case, budget, dgesv);
        bar.inc(1);
        measurement
    });
    let measurements = measurements.collect::<Result<Vec<_>, String>>()?;
    bar.finish_and_clear();
    Ok(measurements)
}

/// Says on the standard error which family is being measured: single problems can take a minute.
fn outliers(arguments: &Arguments, seed: u64, budget: Duration) -> Vec<outliers::Spread> {
    outliers::measure(
        arguments.outliers,
        arguments.largest,
        seed,
        budget,
        &|label, n| eprintln!("outliers: {label}, n = {n}"),
    )
}
