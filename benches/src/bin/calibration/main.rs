//! How often the measure is wrong: answers known to be right or wrong, and the verdicts on them.

mod case;
mod court;
mod displaced;
mod examine;
mod page;
mod problems;
mod scaling;
mod solvers;
mod system;

use std::error::Error;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Parser;
use etalon_benches::machine::Machine;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use examine::{Tally, examine, plan};
use page::{Run, page};
use solvers::Peers;

/// Answer problems of all classes in several units by solvers and by wrong answers made on purpose,
/// hold each answer against the exact solution, and count the verdicts that are false.
#[derive(Parser)]
#[command(after_help = "\
Example: cargo run --release -p etalon-benches --bin calibration -- --page docs/calibration.md")]
struct Arguments {
    /// How many problems, before they are put into other units
    #[arg(long, value_name = "N", default_value_t = 3_000)]
    count: u64,

    /// The seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Only families whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    family: String,

    /// A Python with numpy, scipy, clarabel and osqp; without it, nalgebra's LU in place of LAPACK's,
    /// and no quadratic programmes
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,

    /// How many threads work; all cores by default
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Write the page there and not to standard output
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,

    /// Write false verdicts there, a line of JSON each, one for each class, units, solver and tolerance
    #[arg(long, value_name = "FILE")]
    findings: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let peers = arguments.python.as_deref().map(Peers::new).transpose()?;
    let jobs = plan(arguments.count, &arguments.family);
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} ({eta} left)")?;
    let bar = ProgressBar::new(jobs.len() as u64).with_style(style);
    let threads = ThreadPoolBuilder::new()
        .num_threads(arguments.jobs.map_or(0, NonZeroUsize::get))
        .build()?;
    let tally = threads.install(|| {
        let tallies = jobs.par_iter().map(|job| {
            let tally = examine(*job, arguments.seed, peers.as_ref());
            bar.inc(1);
            tally
        });
        tallies.reduce(Tally::default, Tally::and)
    });
    bar.finish_and_clear();
    if let Some(path) = &arguments.findings {
        let lines: Vec<_> = tally
            .findings
            .values()
            .map(|line| format!("{line}\n"))
            .collect();
        std::fs::write(path, lines.concat())?;
    }
    let run = Run {
        machine: Machine::here(),
        count: jobs.len(),
        seed: arguments.seed,
        python: arguments.python.is_some(),
    };
    let page = page(&run, &tally);
    match &arguments.page {
        Some(path) => std::fs::write(path, page)?,
        None => print!("{page}"),
    }
    Ok(())
}
