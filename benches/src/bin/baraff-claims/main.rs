//! Two claims about driving contact forces to zero, measured: "about three times the work required
//! to solve a linear system of size n by Gaussian elimination" (Baraff 1994), "about 4n/3 pivots"
//! (Drumwright).

mod count;
mod measure;
mod page;
mod scene;

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use etalon_benches::machine::Machine;
use indicatif::{ProgressBar, ProgressStyle};

use measure::measure;
use scene::scenes;

/// Count the pivots and the work of Baraff's method on frictionless scenes, and time it and the
/// faster methods against elimination, cold and warm from the previous frame.
#[derive(Parser)]
#[command(after_help = "\
Example: cargo run --release -p etalon-benches --bin baraff-claims -- --page docs/baraff-claims.md")]
struct Arguments {
    /// Milliseconds for each scene, if its rounds of three runs take no longer
    #[arg(long, value_name = "MS", default_value_t = 600)]
    budget: u64,

    /// The largest n, of 10, 30, 100, 300, 1000
    #[arg(long, value_name = "N", default_value_t = 1000)]
    largest: usize,

    /// Write the page there and not to standard output
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let machine = Machine::here();
    let scenes = scenes(arguments.largest)?;
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}")?;
    let bar = ProgressBar::new(scenes.len() as u64).with_style(style);
    let budget = Duration::from_millis(arguments.budget);
    let measured = scenes.iter().filter_map(|scene| {
        let measured = measure(scene, budget);
        bar.inc(1);
        measured
    });
    let page = page::page(&machine, &measured.collect::<Vec<_>>());
    bar.finish_and_clear();
    match &arguments.page {
        Some(path) => std::fs::write(path, page)?,
        None => print!("{page}"),
    }
    Ok(())
}
