//! Methods for problems with friction cones on the same problems, and how `fast-cone` grows.

mod admm;
mod contest;
mod gauss_seidel;
mod growth;
mod interior;
mod local;
mod sets;
#[path = "../../../../crates/fast/tests/it/walls/mod.rs"]
mod walls;

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use cpu_time::ThreadTime;
use etalon_benches::machine::Machine;

/// Compare methods for problems with friction cones, each answer judged exactly, and measure `fast-cone` on walls of
/// growing size. Takes some ten minutes.
#[derive(Parser)]
#[command(after_help = "\
Example: cargo run --release -p etalon-benches --bin cone-methods -- --page docs/cone-methods.md")]
struct Arguments {
    /// How many generated problems of each family and number of rows
    #[arg(long, value_name = "K", default_value_t = 20)]
    count: u64,

    /// Processor time for one problem and method, in seconds
    #[arg(long, value_name = "S", default_value_t = 5.0)]
    patience: f64,

    /// Only walls of at most so many bricks; 0 leaves them out
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    bricks: usize,

    /// Write the page there and not to standard output
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

impl Arguments {
    /// What changes the figures.
    fn options(&self) -> String {
        let Self {
            count,
            patience,
            bricks,
            ..
        } = self;
        format!("--count {count} --patience {patience} --bricks {bricks}")
    }
}

/// Processor time that a method may take.
struct Clock {
    start: ThreadTime,
    limit: Duration,
}

impl Clock {
    fn new(limit: Duration) -> Self {
        Self {
            start: ThreadTime::now(),
            limit,
        }
    }

    fn is_over(&self) -> bool {
        self.start.elapsed() > self.limit
    }

    fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

const ABOUT: &str = include_str!("about.md");

/// How this program was built: without optimisation the times are several times longer.
fn build() -> &'static str {
    match cfg!(debug_assertions) {
        true => "a build for development, several times slower than a release build",
        false => "a release build",
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let machine = Machine::here();
    let shapes = growth::SHAPES
        .iter()
        .copied()
        .filter(|(width, height)| width * height <= arguments.bricks);
    let walls = growth::table(&shapes.collect::<Vec<_>>());
    let sets = sets::all(arguments.count)?;
    let contest = contest::table(&sets, Duration::from_secs_f64(arguments.patience));
    let page = ABOUT
        .replace("{machine}", &format!("{machine}, {}", build()))
        .replace("{options}", &arguments.options())
        .replace("{patience}", &arguments.patience.to_string())
        .replace("{contest}", contest.trim_end())
        .replace("{walls}", walls.trim_end());
    match &arguments.page {
        Some(path) => std::fs::write(path, page)?,
        None => print!("{page}"),
    }
    Ok(())
}
