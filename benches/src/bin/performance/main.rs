//! Measures the fast solvers against LU of the same matrices and against the exact ones, and
//! writes the page of figures with its plots.

mod allocations;
mod further;
mod growth;
mod measure;
mod page;
mod ratios;
mod real;

use std::alloc::System;
use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use etalon_benches::case::Case;
use etalon_benches::machine::{Machine, peak_mebibytes};
use indicatif::{ProgressBar, ProgressStyle};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

use measure::{Measurement, measure};
use page::Figures;

/// Counts allocations; the methods that are timed make none.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Measure the fast solvers against dense LU of the same matrices in the same run, cold and warm,
/// and what certainty costs beside them; write docs/performance.md and its plots.
///
/// Contenders take turns on each problem and medians are compared, so that what else the machine
/// does disturbs them alike.
#[derive(Parser)]
#[command(after_help = "\
Example: cargo run --release -p etalon-benches --bin performance
In half a minute, to see whether it works: ... --bin performance -- --budget 20 --largest 100 --docs /some/folder")]
struct Arguments {
    /// Milliseconds for each problem, if its rounds of three runs take no longer
    #[arg(long, value_name = "MS", default_value_t = 600)]
    budget: u64,

    /// The largest n of dense problems, of 10, 30, 100, 300, 1000
    #[arg(long, value_name = "N", default_value_t = 1000)]
    largest: usize,

    /// The largest n of sparse problems
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    largest_sparse: usize,

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
    let budget = Duration::from_millis(arguments.budget);
    // First, while this process has held nothing else.
    let sparse = growth::sparse(arguments.largest_sparse, budget);
    let sparse_mebibytes = peak_mebibytes();
    let measurements = measure_all(arguments.largest, budget)?;
    let figures = Figures {
        machine,
        peak: [sparse_mebibytes, peak_mebibytes()],
        real: real::measure(&arguments.golden, budget / 20)?,
        allocations: allocations::count(),
        measurements,
        sparse,
    };
    figures.write(&arguments.docs)
}

fn measure_all(largest: usize, budget: Duration) -> Result<Vec<Measurement>, Box<dyn Error>> {
    let sizes = SIZES.into_iter().filter(|(n, _)| *n <= largest);
    let cases: Vec<_> = sizes.flat_map(|(n, count)| Case::all(n, count)).collect();
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}")?;
    let bar = ProgressBar::new(cases.len() as u64).with_style(style);
    let measurements = cases.iter().map(|case| {
        bar.set_message(case.problem.name().to_owned());
        let measurement = measure(case, budget);
        bar.inc(1);
        measurement
    });
    let measurements = measurements.collect();
    bar.finish_and_clear();
    Ok(measurements)
}
