//! Commands on one thread and on all cores: the same bytes, and how many times faster.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::thread;

use etalon_benches::table::{ratio, render, seconds};
use etalon_conformance::generate;
use etalon_lcp::record::write_problem;

use super::run::CheckCommand;

/// Runs of each command on one thread and on all cores, in turn; the page has their medians.
const RUNS: usize = 3;

/// What is run, and on what.
struct Task {
    what: &'static str,
    arguments: Vec<String>,
    /// The command that does what one thread has to do alone, and no more.
    serial: Option<Vec<String>>,
}

/// Medians of wall-clock times.
struct Measured {
    one: f64,
    all: f64,
    /// Of as many at once with one thread each as there are cores.
    at_once: f64,
    /// Of the serial part.
    serial: Option<f64>,
}

/// The tables of all commands that share their work, and of what is serial in those that have such a part.
///
/// # Errors
/// Where inputs cannot be written, a command fails, or its output depends on the number of threads.
pub fn cores(command: &CheckCommand, folder: &Path) -> Result<[String; 2], Box<dyn Error>> {
    let cores = thread::available_parallelism()?.get();
    let (mut rows, mut serial) = (Vec::new(), Vec::new());
    for task in tasks(command, folder)? {
        let found = measured(command, &task, folder, cores)?;
        let times = [found.one, found.all].map(|time| seconds(Some(time)));
        let faster = [
            found.one / found.all,
            cores as f64 * found.one / found.at_once,
        ];
        let faster = faster.map(|faster| ratio(Some(faster)));
        rows.push([&[task.what.to_owned()], &times[..], &faster[..]].concat());
        if let Some(alone) = found.serial {
            let share = alone / found.one;
            serial.push(vec![
                task.what.to_owned(),
                seconds(Some(alone)),
                format!("{:.0} %", 100.0 * share),
                ratio(Some(amdahl(share, cores))),
            ]);
        }
    }
    let header = [
        "command",
        "one thread",
        "all cores",
        "times faster",
        "one on each core",
    ];
    let of_serial = ["command", "serial", "of one thread", "at most times faster"];
    Ok([render(&header, 1, rows), render(&of_serial, 1, serial)])
}

/// How many times faster so many cores are at most where that share of the work is for one of them (Amdahl 1967).
fn amdahl(serial: f64, cores: usize) -> f64 {
    1.0 / (serial + (1.0 - serial) / cores as f64)
}

fn measured(
    command: &CheckCommand,
    task: &Task,
    folder: &Path,
    cores: usize,
) -> Result<Measured, Box<dyn Error>> {
    const ONE: &[&str] = &["--jobs", "1"];
    let (mut one, mut all, mut at_once, mut serial) = <(Vec<_>, Vec<_>, Vec<_>, Vec<_>)>::default();
    let mut said = None;
    for _ in 0..RUNS {
        for (times, jobs, copies) in [
            (&mut one, ONE, 1),
            (&mut all, &[], 1),
            (&mut at_once, ONE, cores),
        ] {
            let (time, output) = command.run(&task.arguments, jobs, folder, copies)?;
            let output = without_times(&output);
            if said.get_or_insert_with(|| output.clone()) != &output {
                return Err(format!("{}: another output on all cores", task.what).into());
            }
            times.push(time);
        }
        if let Some(arguments) = &task.serial {
            serial.push(command.run(arguments, ONE, folder, 1)?.0);
        }
    }
    Ok(Measured {
        one: median(one),
        all: median(all),
        at_once: median(at_once),
        serial: task.serial.is_some().then(|| median(serial)),
    })
}

fn tasks(command: &CheckCommand, folder: &Path) -> Result<Vec<Task>, Box<dyn Error>> {
    let file = |family, n, count| problems(folder, family, n, count);
    let small = file("friction-four", 12, 100_000)?;
    let dense = file("pd", 30, 2_000)?;
    let listed = file("copositive-friction", 12, 2_000)?;
    let answered = file("pd", 10, 2_000)?;
    let own = format!(
        "{} solve --quiet --jobs 1 --method fast-auto -",
        command.quoted()
    );
    let fuzz = |count| {
        let first = ["fuzz", "--quiet", "--method", "fast-auto", "--count", count];
        words(
            &[&first[..], &["--corpus"]].concat(),
            &folder.join("corpus"),
        )
    };
    let mut tasks = Vec::new();
    for (what, arguments) in [
        (
            "`solve`, `fast-auto`: 100,000 friction problems of 12 rows",
            solve("fast-auto", &small),
        ),
        (
            "`solve`, `certified`: 2,000 PD problems of 30 rows",
            solve("certified", &dense),
        ),
        (
            "`solve`, `enumerate`: 2,000 friction problems of 12 rows",
            solve("enumerate", &listed),
        ),
        (
            "`diff`: 2,000 PD problems of 10 rows, answered by `fast-auto`",
            words(&["diff", "--quiet", "--solver", &own], &answered),
        ),
        (
            "`fuzz`: 3,000 problems, answered by `fast-auto`",
            fuzz("3000"),
        ),
        (
            "`fuzz`: 30,000 problems, answered by `fast-auto`",
            fuzz("30000"),
        ),
        (
            "`verify`: all goldens inside `etalon`",
            words(&["verify", "--quiet", "--json"], Path::new("golden")),
        ),
    ] {
        tasks.push(Task {
            what,
            arguments,
            serial: None,
        });
    }
    tasks.extend(alone(folder)?);
    Ok(tasks)
}

/// Problems that are solved alone. Reading and proposing is for one thread.
fn alone(folder: &Path) -> Result<Vec<Task>, Box<dyn Error>> {
    let mut tasks = Vec::new();
    for (what, n) in [
        ("`solve`, `certified`: one PD problem of 300 rows", 300),
        ("`solve`, `certified`: one PD problem of 1,000 rows", 1_000),
        ("`solve`, `certified`: one PD problem of 2,000 rows", 2_000),
    ] {
        let file = problems(folder, "pd", n, 1)?;
        tasks.push(Task {
            what,
            arguments: solve("certified", &file),
            serial: Some(solve("fast-auto", &file)),
        });
    }
    Ok(tasks)
}

fn solve(method: &str, file: &Path) -> Vec<String> {
    words(&["solve", "--quiet", "--method", method], file)
}

fn words(words: &[&str], path: &Path) -> Vec<String> {
    let path = path.display().to_string();
    words
        .iter()
        .map(|word| (*word).to_owned())
        .chain([path])
        .collect()
}

/// A file of generated problems.
fn problems(folder: &Path, family: &str, n: usize, count: u64) -> Result<PathBuf, Box<dyn Error>> {
    let path = folder.join(format!("{family}-{n}-{count}.jsonl"));
    let mut file = BufWriter::new(File::create(&path)?);
    for problem in generate(family, n, count, 1)? {
        writeln!(file, "{}", write_problem(&problem))?;
    }
    file.flush()?;
    Ok(path)
}

/// What was said but for the seconds that it took.
fn without_times(output: &str) -> String {
    let mut parts = output.split("\"seconds\":");
    let mut without = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        without += part.trim_start_matches(|c: char| "0123456789.e-+".contains(c));
    }
    without
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_serial_part_is_what_more_cores_cannot_shorten() {
        assert_eq!([1, 2, 4].map(|cores| amdahl(0.0, cores)), [1.0, 2.0, 4.0]);
        assert_eq!([1, 2, 4].map(|cores| amdahl(1.0, cores)), [1.0; 3]);
        assert_eq!(amdahl(0.25, 3), 2.0);
    }
}
