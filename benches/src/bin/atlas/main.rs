//! The atlas of small problems: runs what is missing of it, compares the two engines, writes the
//! histogram and the page.

mod blocks;
mod lessons;
mod page;

use std::error::Error;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use etalon_benches::atlas::grid::Grid;
use etalon_benches::atlas::survey::Ask;
use etalon_benches::atlas::tally::Tally;
use etalon_benches::machine::Machine;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use blocks::{Block, BlockError, Folder};
use page::Run;

/// The grids of the page: rows and the largest entry.
const GRIDS: [Grid; 4] = [
    Grid { n: 1, bound: 4 },
    Grid { n: 2, bound: 4 },
    Grid { n: 3, bound: 1 },
    Grid { n: 3, bound: 2 },
];

/// Up to so many problems of a grid the solvers are asked all, beyond only those of representatives.
const ALL_UP_TO: u64 = 1_000_000;

/// Answer every problem of small integer grids with two engines that share no code, and compare.
///
/// Finished blocks of matrices are kept, so a run that was stopped goes on where it was.
/// The histogram is the same whatever the number of threads.
///
/// Exit status: 0 no disagreement, 1 a disagreement, 2 wrong usage.
#[derive(Parser)]
#[command(after_help = "\
Example: cargo run --release -p etalon-benches --bin atlas -- --page docs/atlas.md")]
struct Arguments {
    /// Only the grid of N rows with entries from -B to B, as N:B; by default 1:4, 2:4, 3:1 and 3:2
    #[arg(long, value_name = "N:B", value_parser = grid)]
    grid: Option<Grid>,

    /// Which problems the solvers of etalon-exact are asked; by default all of grids up to a million problems, of
    /// larger ones those of representatives
    #[arg(long)]
    ask: Option<Ask>,

    /// Where finished blocks are kept
    #[arg(long, value_name = "FOLDER", default_value = "target/atlas")]
    blocks: PathBuf,

    /// Write the page there and the histogram beside it, as atlas.tsv; all grids must be finished
    #[arg(long, value_name = "FILE", conflicts_with = "grid")]
    page: Option<PathBuf>,

    /// How many threads work; all cores by default
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

fn grid(text: &str) -> Result<Grid, String> {
    let parts = text.split_once(':');
    let parsed = parts.and_then(|(n, bound)| Some((n.parse().ok()?, bound.parse().ok()?)));
    match parsed {
        Some((n @ 1..=3, bound @ 1..=4)) => Ok(Grid { n, bound }),
        _ => Err("is not N:B with N from 1 to 3 and B from 1 to 4, as 2:4".to_owned()),
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::parse();
    let threads = ThreadPoolBuilder::new()
        .num_threads(arguments.jobs.map_or(0, NonZeroUsize::get))
        .build()?;
    let folder = Folder::new(&arguments.blocks)?;
    let grids = arguments.grid.map_or(GRIDS.to_vec(), |grid| vec![grid]);
    let mut differ = 0;
    for &grid in &grids {
        let least = if grid.problems() <= ALL_UP_TO {
            Ask::All
        } else {
            Ask::Representatives
        };
        let bar = bar(grid)?;
        differ += threads.install(|| run(&folder, grid, arguments.ask.unwrap_or(least), &bar))?;
        bar.finish_and_clear();
    }
    if differ == 0
        && let Some(path) = &arguments.page
    {
        write(path, &folder, &grids)?;
    }
    Ok(ExitCode::from(u8::from(differ > 0)))
}

/// Writes the page and the histogram from finished blocks.
fn write(path: &Path, folder: &Folder, grids: &[Grid]) -> Result<(), Box<dyn Error>> {
    let mut histogram = Tally::default();
    let mut runs = Vec::new();
    for &grid in grids {
        let mut run = Run {
            grid,
            asked: 0,
            milliseconds: 0,
        };
        for block in Block::all(grid) {
            let finished = folder.read(&block, Ask::None)?;
            let finished = finished.ok_or("a block is missing")?;
            run.asked += finished.asked;
            run.milliseconds += finished.milliseconds;
            for (line, count) in finished.tally.lines() {
                histogram.add(&format!("{grid}\t{line}"), count);
            }
        }
        runs.push(run);
    }
    std::fs::write(path.with_file_name("atlas.tsv"), histogram.text())?;
    std::fs::write(path, page::page(&Machine::here(), &runs, &histogram))?;
    Ok(())
}

/// Runs the blocks that are missing. Returns how many problems differ.
fn run(folder: &Folder, grid: Grid, ask: Ask, bar: &ProgressBar) -> Result<usize, BlockError> {
    let blocks: Vec<Block> = Block::all(grid).collect();
    bar.set_length(blocks.len() as u64);
    let one = |block: Block| {
        let differ = match folder.read(&block, ask)? {
            Some(_) => Vec::new(),
            None => folder.run(&block, ask)?,
        };
        for own in &differ {
            bar.suspend(|| eprintln!("differ: {own}"));
        }
        bar.inc(1);
        Ok(differ.len())
    };
    blocks.into_par_iter().map(one).sum()
}

fn bar(grid: Grid) -> Result<ProgressBar, Box<dyn Error>> {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} ({eta} left)")?;
    Ok(ProgressBar::new(0)
        .with_style(style)
        .with_message(grid.to_string()))
}
