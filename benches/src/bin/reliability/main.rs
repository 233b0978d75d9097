//! Generated problems of every family, answered by the fast and the certified solvers, every
//! answer judged by the exact checker.

mod examine;
mod page;
mod plan;

use std::error::Error;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use etalon_benches::machine::Machine;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use examine::{Tally, examine};
use page::page;
use plan::plan;

/// Solve generated problems of every family with the fast methods, some of them with the certified
/// route too, and judge every answer exactly. The same counts whatever the number of threads.
///
/// Exit status: 0 no wrong answer, 1 a wrong answer, which is saved, 2 wrong usage.
#[derive(Parser)]
#[command(after_help = "\
Example: cargo run --release -p etalon-benches --bin reliability -- --page docs/reliability.md")]
struct Arguments {
    /// How many problems, shared evenly among the families
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    count: u64,

    /// The seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Only families whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    family: String,

    /// The certified route answers one problem in so many; 0 for none
    #[arg(long, value_name = "K", default_value_t = 4)]
    certified: u64,

    /// How many threads work; all cores by default
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Write the page there and not to standard output
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,

    /// Where to save problems that were answered wrongly, with the answer
    #[arg(long, value_name = "FOLDER", default_value = "wrong-answers")]
    save: PathBuf,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::parse();
    let machine = Machine::here();
    let jobs = plan(&arguments.family, arguments.count);
    let bar = bar(jobs.iter().map(|job| job.count).sum())?;
    let threads = ThreadPoolBuilder::new()
        .num_threads(arguments.jobs.map_or(0, NonZeroUsize::get))
        .build()?;
    let tallies = threads.install(|| {
        let assigned = jobs
            .par_iter()
            .map(|job| examine(job, arguments.seed, arguments.certified, || bar.inc(1)));
        assigned.collect::<Result<Vec<Tally>, _>>()
    })?;
    bar.finish_and_clear();
    let wrong: Vec<_> = tallies.iter().flat_map(|tally| &tally.wrong).collect();
    for finding in &wrong {
        let path = finding.save(&arguments.save)?;
        eprintln!("wrong: {finding}, saved as {}", path.display());
    }
    show_remarks(&tallies);
    let page = page(&machine, arguments.seed, arguments.certified, &tallies);
    match &arguments.page {
        Some(path) => std::fs::write(path, page)?,
        None => print!("{page}"),
    }
    Ok(ExitCode::from(u8::from(!wrong.is_empty())))
}

/// At most so many a family and size.
const REMARKS: usize = 3;

fn show_remarks(tallies: &[Tally]) {
    for tally in tallies {
        for remark in tally.remarks.iter().take(REMARKS) {
            eprintln!("{remark}");
        }
        let more = tally.remarks.len().saturating_sub(REMARKS);
        if more > 0 {
            eprintln!("... and {more} more of {} at this size", tally.family.name);
        }
    }
}

fn bar(length: u64) -> Result<ProgressBar, Box<dyn Error>> {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} ({eta} left)")?;
    Ok(ProgressBar::new(length).with_style(style))
}
