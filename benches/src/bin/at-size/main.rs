//! Sparse problems of many rows by what people use for them, in turn, each answer judged by the exact checker.

mod contest;
mod sweeps;

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use etalon_benches::case::{Case, find};
use etalon_benches::machine::Machine;
use etalon_benches::table::render;
use etalon_conformance::process::CommandLine;

use contest::{Contest, Peer};

/// Solve sparse contact problems by fast-auto, by projected Gauss-Seidel, by conjugate gradients of Bullet's kind and by
/// other programs, and judge each answer. Takes some minutes and gigabytes.
#[derive(Parser)]
#[command(after_help = "\
Example: cargo run --release -p etalon-benches --bin at-size -- --page docs/at-size.md \\
    --solver 'clarabel=python3 adapters/at_size.py clarabel' --solver 'osqp=python3 adapters/at_size.py osqp'")]
struct Arguments {
    /// Seconds after which a contender has failed
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    limit: u64,

    /// The largest n
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    largest: usize,

    /// Only families whose generators have names with this in them
    #[arg(long, value_name = "TEXT", default_value = "")]
    family: String,

    /// Another solver: a command that is given three more words, the file of a problem, a file for its claim, and seconds.
    /// It ends with status 3 where it is not made for the problem
    #[arg(long, value_name = "NAME=COMMAND")]
    solver: Vec<String>,

    /// Write the page there and not to standard output
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

/// Families and sizes. Piles in space end at 30,000 rows without friction: beyond, one factor takes several seconds.
const PROBLEMS: [(&str, usize); 31] = [
    ("stack", 10_000),
    ("stack", 100_000),
    ("stack", 1_000_000),
    ("wall", 10_000),
    ("wall", 100_000),
    ("column", 10_000),
    ("column", 100_000),
    ("column", 1_000_000),
    ("pile-3d", 10_000),
    ("pile-3d", 30_000),
    ("mixed-stack", 10_000),
    ("mixed-stack", 100_000),
    ("mixed-stack", 1_000_000),
    ("mixed-wall", 10_000),
    ("mixed-wall", 100_000),
    ("mixed-column", 100_000),
    ("mixed-pile-3d", 10_000),
    ("mixed-pile-3d", 30_000),
    ("friction-wall", 10_000),
    ("friction-wall", 100_000),
    ("friction-column", 100_000),
    ("friction-pile-3d", 10_000),
    ("friction-pile-eight", 10_000),
    ("mixed-friction-wall", 10_000),
    ("mixed-friction-wall", 100_000),
    ("mixed-friction-column", 100_000),
    ("mixed-friction-pile-3d", 10_000),
    ("mixed-friction-pile-eight", 10_000),
    ("cone-wall", 3_000),
    ("cone-pile-3d", 3_000),
    ("cone-pile-3d", 10_000),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let machine = Machine::here();
    let peers = arguments.solver.iter().map(|text| peer(text));
    let contest = Contest {
        limit: Duration::from_secs(arguments.limit),
        peers: peers.collect::<Result<Vec<_>, _>>()?,
        folder: tempfile::tempdir()?,
    };
    let mut rows = Vec::new();
    for (name, n) in PROBLEMS {
        if n > arguments.largest || !name.contains(&arguments.family) {
            continue;
        }
        let family = find(name).ok_or("no such family")?;
        let case = Case::new(family, n, 0).ok_or("no such problem")?;
        eprintln!("{}, n = {}", family.label, case.problem.n());
        rows.extend(contest.run(family.label, &case)?);
    }
    let header = ["family", "n", "by", "time", "/ fast", "error", "verdict"];
    let table = render(&header, 3, rows);
    let page = include_str!("about.md")
        .replace("{machine}", &machine.to_string())
        .replace("{count}", &arguments.solver.len().to_string())
        .replace("{solvers}", &arguments.solver.join("`, `"))
        .replace("{limit}", &arguments.limit.to_string())
        .replace("{table}", &table);
    match &arguments.page {
        Some(path) => std::fs::write(path, page)?,
        None => print!("{page}"),
    }
    Ok(())
}

/// `NAME=COMMAND`.
fn peer(text: &str) -> Result<Peer, Box<dyn Error>> {
    let (name, command) = text
        .split_once('=')
        .ok_or_else(|| format!("{text:?}: write NAME=COMMAND"))?;
    Ok(Peer {
        name: name.to_owned(),
        command: CommandLine::parse(command)?,
    })
}
