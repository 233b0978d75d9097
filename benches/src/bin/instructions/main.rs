//! Instructions of the solvers beside those of dense LU, counted by valgrind.

mod contenders;

use std::error::Error;
use std::path::PathBuf;
use std::process::Command;

use clap::{Parser, ValueEnum};
use etalon_benches::case::{Case, find};
use etalon_benches::table::{ratio, render};

use contenders::Contender;

/// Count instructions of fast solutions and of dense LU by `valgrind --tool=callgrind`, which has to be installed. Takes two minutes.
#[derive(Parser)]
#[command(after_help = "\
Example: cargo run --release -p etalon-benches --bin instructions -- --page docs/instructions.md")]
struct Arguments {
    /// Write the page there and not to standard output
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,

    /// Run this so many times on three problems, and count nothing: what valgrind is given
    #[arg(long, num_args = 4, value_names = ["CONTENDER", "FAMILY", "N", "TIMES"], hide = true)]
    run: Option<Vec<String>>,
}

/// Families and sizes with a target that is missed, or was, and the runs that are counted.
const CASES: [(&str, usize, usize); 7] = [
    ("pd", 10, 100),
    ("pd", 30, 50),
    ("pd", 100, 5),
    ("stack", 100, 5),
    ("wall", 100, 5),
    ("friction-four", 100, 5),
    ("friction-eight", 100, 5),
];

/// Problems of each, of seed 1.
const PROBLEMS: u64 = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    if let Some(run) = &arguments.run {
        return contend(run);
    }
    let mut rows = Vec::new();
    for (family, n, times) in CASES {
        eprintln!("{family} {n}");
        let mut counts = Vec::new();
        for contender in Contender::value_variants() {
            counts.push(count(*contender, family, n, times)?);
        }
        rows.push(row(family, n, &counts)?);
    }
    let header = [
        "family",
        "n",
        "LU",
        "fast",
        "fast / LU",
        "z = 0",
        "z = 0 / LU",
        "warm",
        "warm / LU",
        "certified",
        "certified / fast",
    ];
    let page = include_str!("about.md").replace("{table}", &render(&header, 1, rows));
    match &arguments.page {
        Some(path) => std::fs::write(path, page)?,
        None => print!("{page}"),
    }
    Ok(())
}

/// Counts are those of the contenders in their order: both LUs first.
fn row(family: &str, n: usize, counts: &[f64]) -> Result<Vec<String>, Box<dyn Error>> {
    let [nalgebra, faer, fast, at_zero, warm, certified] = counts else {
        return Err("a contender without a column".into());
    };
    let lu = nalgebra.min(*faer);
    let label = find(family).ok_or("an unknown family")?.label;
    let cell = |value: f64| format!("{value:.0}");
    let over = |value: f64, unit: f64| ratio(Some(value / unit));
    Ok(vec![
        label.to_owned(),
        n.to_string(),
        cell(lu),
        cell(*fast),
        over(*fast, lu),
        cell(*at_zero),
        over(*at_zero, lu),
        cell(*warm),
        over(*warm, lu),
        cell(fast + certified),
        over(fast + certified, *fast),
    ])
}

fn contend(run: &[String]) -> Result<(), Box<dyn Error>> {
    let [contender, family, n, times] = run else {
        return Err("--run takes four values".into());
    };
    let contender = Contender::from_str(contender, false)?;
    let family = find(family).ok_or("an unknown family")?;
    let (n, times) = (n.parse()?, times.parse()?);
    for k in 0..PROBLEMS {
        let case = Case::new(family, n, k).ok_or("no problem of that size")?;
        contender.run(&case, times)?;
    }
    Ok(())
}

/// Instructions a problem: those of twice as many runs less those of so many, which leaves out reading and the first run.
fn count(
    contender: Contender,
    family: &str,
    n: usize,
    times: usize,
) -> Result<f64, Box<dyn Error>> {
    let of = |times: usize| collected(contender, family, n, times);
    let (once, twice) = (of(times)?, of(2 * times)?);
    let runs = times as u64 * PROBLEMS;
    Ok((twice - once) as f64 / runs as f64)
}

/// Instructions of a whole run.
fn collected(
    contender: Contender,
    family: &str,
    n: usize,
    times: usize,
) -> Result<u64, Box<dyn Error>> {
    let name = contender.to_possible_value().ok_or("a hidden contender")?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["--run", name.get_name(), family])
        .args([n.to_string(), times.to_string()])
        .output()
        .map_err(|error| format!("valgrind: {error}; Debian's package is `valgrind`"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().find(|line| line.contains("Collected"));
    let digits = line.and_then(|line| line.rsplit(' ').next());
    match digits.and_then(|digits| digits.parse().ok()) {
        Some(collected) if output.status.success() => Ok(collected),
        _ => Err(format!("valgrind counted nothing: {text}").into()),
    }
}
