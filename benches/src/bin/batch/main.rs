//! What `etalon check` does with a million records, with a million rows and with a million contacts, and with a run that was
//! killed in the middle; and how commands share their work among all cores.

mod contacts;
mod cores;
mod inputs;
mod run;

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::Parser;
use etalon_benches::machine::Machine;
use etalon_benches::table::{ratio, render, seconds};

use inputs::Pair;
use run::{CheckCommand, Checked};

/// Measure `etalon check` on files of recorded problems and answers: time, memory, and what a killed
/// run loses. Takes some minutes and gigabytes of disk.
#[derive(Parser)]
#[command(after_help = "\
Example: cargo build --release -p etalon-cli && \\
    cargo run --release -p etalon-benches --bin batch -- --page docs/batch.md")]
struct Arguments {
    /// How many friction problems of 12 rows; 0 leaves them out, and the run that is killed
    #[arg(long, value_name = "K", default_value_t = 1_000_000)]
    records: u64,

    /// How many rows the one sparse problem has; 0 leaves it out
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    rows: usize,

    /// How many contacts the one problem with friction cones has; 0 leaves it out
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    contacts: usize,

    /// Leave out the other commands on one thread and on all cores
    #[arg(long)]
    check_only: bool,

    /// The command that is measured; by default the one built beside this program
    #[arg(long, value_name = "FILE")]
    etalon: Option<PathBuf>,

    /// Where the inputs are put while it runs; by default the system's place for temporary files
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,

    /// Write the page there and not to standard output
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

const MANY: &str = "many";
const WHOLE: &str = "whole";

const ABOUT: &str = "\
# Batches: time and memory of `etalon check`, and all cores

Written by

    cargo build --release -p etalon-cli
    cargo run --release -p etalon-benches --bin batch -- --page docs/batch.md

Time is wall-clock time from the start of the command to its end; memory is its peak. All answers are judged exactly.
";

const SHARED: &str = "
## One thread and all cores

Commands with `--jobs 1` and without, in turn; wall-clock medians of three runs each. Claims and verdicts go to a file. A run whose output
differs, but for `seconds`, would have ended the measurement.

The last column is what this machine allows: as many of the commands with `--jobs 1` as there are cores run at once. It says how many times more
they do together than one does alone. Cores share caches, memory and their clock, and other programs run beside them.
";

const SERIAL: &str = "
### What is serial

`solve --method certified` of one problem proves what `fast-auto` proposes, and one thread alone reads the problem and proposes. As long takes
`solve --method fast-auto --jobs 1` of the same problem, from the start of the program to its end. The other steps are shared: to
[lift](lifting.md) the solution, to bring its fractions to lowest terms, to decide signs, and to write decimal digits. Were nothing lost there, a command
would be as many times faster as the last column says (Amdahl 1967).
";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let machine = Machine::here();
    let command = CheckCommand::new(arguments.etalon)?;
    let folder = match &arguments.folder {
        Some(path) => tempfile::tempdir_in(path)?,
        None => tempfile::tempdir()?,
    };
    let (mut rows, mut resumed) = (Vec::new(), String::new());
    if arguments.records > 0 {
        rows.extend(many(&command, folder.path(), arguments.records)?);
    }
    if arguments.rows > 0 {
        rows.push(large(&command, folder.path(), arguments.rows)?);
    }
    if arguments.contacts > 0 {
        rows.push(in_contact(&command, folder.path(), arguments.contacts)?);
    }
    if arguments.records > 0 {
        resumed = format!("\n{}\n", killed(&command, folder.path())?);
    }
    let mut shared = String::new();
    if !arguments.check_only {
        let [table, serial] = cores::cores(&command, folder.path())?;
        shared = format!("{SHARED}\n{table}\n{SERIAL}\n{serial}");
    }
    let header = ["input", "size", "time", "rate", "memory", "accepted"];
    let table = render(&header, 1, rows);
    let page = format!("{ABOUT}\nMeasured on: {machine}.\n\n{table}\n{resumed}{shared}");
    match &arguments.page {
        Some(path) => std::fs::write(path, page)?,
        None => print!("{page}"),
    }
    Ok(())
}

/// Many small problems: as JSON lines and in CBOR, on one core and on all. The verdicts are the same, in the same order.
fn many(
    command: &CheckCommand,
    folder: &Path,
    records: u64,
) -> Result<Vec<Vec<String>>, Box<dyn Error>> {
    let (json, cbor) = (Pair::new(folder, MANY), Pair::in_cbor(folder, MANY));
    inputs::friction(&json, &cbor, records)?;
    let mut rows = Vec::new();
    for (k, (pair, form, jobs)) in [
        (&json, "JSON lines", &[][..]),
        (&json, "JSON lines", &ONE[..]),
        (&cbor, "CBOR", &[]),
        (&cbor, "CBOR", &ONE),
    ]
    .into_iter()
    .enumerate()
    {
        let whole = verdicts(folder, WHOLE);
        let out = if k == 0 {
            whole.clone()
        } else {
            verdicts(folder, "again")
        };
        let checked = command.check(pair, &out, jobs)?;
        if run::lines(&out)? != run::lines(&whole)? {
            return Err(format!("other verdicts from {form} {jobs:?}").into());
        }
        let rate = records as f64 / checked.seconds;
        let cores = if jobs.is_empty() {
            "all cores"
        } else {
            "one core"
        };
        let rows_each = inputs::ROWS;
        let input = format!("{records} friction problems of {rows_each} rows, {form}, {cores}");
        rows.push(line(input, pair, &checked, format!("{rate:.0} records/s"))?);
    }
    Ok(rows)
}

/// The option for one thread.
const ONE: [&str; 2] = ["--jobs", "1"];

/// One large problem.
fn large(
    command: &CheckCommand,
    folder: &Path,
    rows: usize,
) -> Result<Vec<String>, Box<dyn Error>> {
    let pair = Pair::new(folder, "large");
    let nonzeros = inputs::sparse(&pair, rows)?;
    let checked = command.check(&pair, &verdicts(folder, "large"), &[])?;
    let rate = ratio(Some(nonzeros as f64 / checked.seconds / 1e6));
    let input = format!("a sparse problem of {rows} rows and {nonzeros} nonzeros");
    line(input, &pair, &checked, format!("{rate} million nonzeros/s"))
}

/// One problem of many contacts.
fn in_contact(
    command: &CheckCommand,
    folder: &Path,
    count: usize,
) -> Result<Vec<String>, Box<dyn Error>> {
    let pair = Pair::new(folder, "contacts");
    let nonzeros = contacts::contacts(&pair, count)?;
    let checked = command.check(&pair, &verdicts(folder, "contacts"), &[])?;
    let rate = count as f64 / checked.seconds;
    let input = format!("a problem of {count} contacts and {nonzeros} nonzeros");
    line(input, &pair, &checked, format!("{rate:.0} contacts/s"))
}

/// A run killed half-way and taken up again must end with the verdicts of the undisturbed one.
fn killed(command: &CheckCommand, folder: &Path) -> Result<String, Box<dyn Error>> {
    let pair = Pair::new(folder, MANY);
    let (whole, parts) = (verdicts(folder, WHOLE), verdicts(folder, "parts"));
    let kept = command.kill_half_way(&pair, &whole, &parts)?;
    command.check(&pair, &parts, &["--resume"])?;
    let (mut expected, mut got) = (run::lines(&whole)?, run::lines(&parts)?);
    expected.sort_unstable();
    got.sort_unstable();
    if expected != got {
        return Err("the verdicts of the run taken up differ from those of the whole one".into());
    }
    Ok(format!(
        "A run was killed with {kept} verdicts in its file and resumed with `--resume`. It ended with the {} verdicts of an\n\
         uninterrupted run, none lost and none twice.",
        got.len()
    ))
}

fn verdicts(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}-verdicts.jsonl"))
}

fn line(
    input: String,
    pair: &Pair,
    checked: &Checked,
    rate: String,
) -> Result<Vec<String>, Box<dyn Error>> {
    let length = |path| std::fs::metadata(path).map(|file| file.len());
    let bytes = length(&pair.problems)? + length(&pair.claims)?;
    let peak = checked.peak_mebibytes;
    Ok(vec![
        input,
        format!("{} MB", bytes.div_ceil(1_000_000)),
        seconds(Some(checked.seconds)),
        rate,
        peak.map_or("-".to_owned(), |peak| format!("{peak} MiB")),
        if checked.accepted { "all" } else { "not all" }.to_owned(),
    ])
}
