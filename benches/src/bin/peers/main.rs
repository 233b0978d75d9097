//! Other people's solvers beside ours: any program that speaks the protocol of `etalon-claim/1`.

mod peer;

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use etalon_benches::case::Case;
use etalon_benches::machine::Machine;
use etalon_benches::table::{ratio, render};

use peer::{Peer, Record, ours};

/// Time other solvers on the cases of the command `performance`, judge their answers, and set them
/// beside fast-auto and the better LU. A claim's `seconds` is taken for the time.
#[derive(Parser)]
#[command(after_help = "\
Example: cargo run --release -p etalon-benches --bin peers -- \\
    --solver 'python3 adapters/quantecon_lemke.py' --solver 'python3 adapters/clarabel_qp.py'")]
struct Arguments {
    /// A command that answers problem lines with claim lines; its words are split at spaces
    #[arg(long, value_name = "COMMAND", required = true)]
    solver: Vec<String>,

    /// The sizes of problems
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "10,30,100,300"
    )]
    sizes: Vec<usize>,

    /// How many problems of each family and size
    #[arg(long, value_name = "K", default_value_t = 3)]
    count: u64,

    /// Write the page there and not to standard output
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

const ABOUT: &str = "\
# Other solvers on the same problems

Processor times as each solver reports them, in units of the better LU here (see [performance](performance.md)), as medians over the
problems with a right answer. In parentheses: right answers, those that `etalon-certify` accepts at 1e-9, of all. Written by

    cargo run --release -p etalon-benches --bin peers -- --solver 'python3 adapters/quantecon_lemke.py' \\
        --solver 'python3 adapters/clarabel_qp.py' --page docs/peers.md

with the Python packages that the adapters name. Calls through Python cost some microseconds, which matters for n = 10.
";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let machine = Machine::here();
    let mut records = Vec::new();
    for command in &arguments.solver {
        let mut peer = Peer::start(command)?;
        for &n in &arguments.sizes {
            for case in Case::all(n, arguments.count) {
                records.push(peer.answer(&case)?);
            }
        }
    }
    for &n in &arguments.sizes {
        for case in Case::all(n, arguments.count) {
            records.extend(ours(&case, Duration::from_millis(50)));
        }
    }
    let page = format!("{ABOUT}\nMeasured on: {machine}.\n\n{}\n", table(&records));
    match &arguments.page {
        Some(path) => std::fs::write(path, page)?,
        None => print!("{page}"),
    }
    Ok(())
}

/// A row for each family and size, a column for each solver.
fn table(records: &[Record]) -> String {
    let mut solvers: Vec<&str> = Vec::new();
    let mut rows: Vec<(&str, usize)> = Vec::new();
    for record in records {
        if !solvers.contains(&record.solver.as_str()) {
            solvers.push(&record.solver);
        }
        if !rows.contains(&(record.family, record.nominal)) {
            rows.push((record.family, record.nominal));
        }
    }
    solvers.retain(|name| *name != peer::LU);
    rows.sort_by_key(|row| row.0);
    let lines = rows.iter().map(|&(family, n)| {
        let of = |solver: &str| -> Vec<&Record> {
            let chosen = records
                .iter()
                .filter(|r| r.family == family && r.nominal == n);
            chosen.filter(|r| r.solver == solver).collect()
        };
        let lu = typical(&of(peer::LU));
        let cells = solvers.iter().map(|solver| {
            let asked = of(solver);
            let right = asked.iter().filter(|r| r.right).count();
            let units = typical(&asked).zip(lu).map(|(time, lu)| time / lu);
            format!("{} ({right}/{})", ratio(units), asked.len())
        });
        [family.to_owned(), n.to_string()]
            .into_iter()
            .chain(cells)
            .collect()
    });
    let header: Vec<_> = ["family", "n"]
        .into_iter()
        .chain(solvers.iter().copied())
        .collect();
    render(&header, 1, lines)
}

fn typical(records: &[&Record]) -> Option<f64> {
    let right = records.iter().filter(|record| record.right);
    let times: Vec<f64> = right.filter_map(|record| record.seconds).collect();
    etalon_benches::statistics::median(&times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_answers_have_no_time() {
        let record = |solver: &str, seconds, right| Record {
            family: "pd",
            nominal: 10,
            solver: solver.to_owned(),
            seconds: Some(seconds),
            right,
        };
        let records = [
            record("quick", 1.0, false),
            record("quick", 6.0, true),
            record(peer::LU, 2.0, true),
        ];
        assert!(table(&records).contains("3.00 (1/2)"));
    }
}
