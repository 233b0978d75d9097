//! Commands on one thread and on all cores: the same bytes, and how many times faster.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

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
}

/// The table of all commands that share their work.
///
/// # Errors
/// Where inputs cannot be written, a command fails, or its output depends on the number of threads.
pub fn cores(command: &CheckCommand, folder: &Path) -> Result<String, Box<dyn Error>> {
    let mut rows = Vec::new();
    for task in tasks(command, folder)? {
        let (mut one, mut all) = (Vec::new(), Vec::new());
        let mut said = None;
        for _ in 0..RUNS {
            for (times, jobs) in [(&mut one, &["--jobs", "1"][..]), (&mut all, &[])] {
                let (time, output) = command.run(&task.arguments, jobs, folder)?;
                let output = without_times(&output);
                if said.get_or_insert_with(|| output.clone()) != &output {
                    return Err(format!("{}: another output on all cores", task.what).into());
                }
                times.push(time);
            }
        }
        let (one, all) = (median(one), median(all));
        rows.push(vec![
            task.what.to_owned(),
            seconds(Some(one)),
            seconds(Some(all)),
            ratio(Some(one / all)),
        ]);
    }
    let header = ["command", "one thread", "all cores", "times faster"];
    Ok(render(&header, 1, rows))
}

fn tasks(command: &CheckCommand, folder: &Path) -> Result<Vec<Task>, Box<dyn Error>> {
    let file = |family, n, count| problems(folder, family, n, count);
    let solve = |method: &str, file: &Path| words(&["solve", "--quiet", "--method", method], file);
    let small = file("friction-four", 12, 100_000)?;
    let dense = file("pd", 30, 2_000)?;
    let listed = file("copositive-friction", 12, 2_000)?;
    let answered = file("pd", 10, 2_000)?;
    let own = format!(
        "{} solve --quiet --jobs 1 --method fast-auto -",
        command.quoted()
    );
    let mut tasks = vec![
        Task {
            what: "`solve`, `fast-auto`: 100,000 friction problems of 12 rows",
            arguments: solve("fast-auto", &small),
        },
        Task {
            what: "`solve`, `certified`: 2,000 PD problems of 30 rows",
            arguments: solve("certified", &dense),
        },
        Task {
            what: "`solve`, `enumerate`: 2,000 friction problems of 12 rows",
            arguments: solve("enumerate", &listed),
        },
        Task {
            what: "`diff`: 2,000 PD problems of 10 rows, answered by `fast-auto`",
            arguments: words(&["diff", "--quiet", "--solver", &own], &answered),
        },
        Task {
            what: "`fuzz`: 3,000 problems, answered by `fast-auto`",
            arguments: words(
                &[
                    "fuzz",
                    "--quiet",
                    "--method",
                    "fast-auto",
                    "--count",
                    "3000",
                    "--corpus",
                ],
                &folder.join("corpus"),
            ),
        },
        Task {
            what: "`verify`: all goldens inside `etalon`",
            arguments: words(&["verify", "--quiet", "--json"], Path::new("golden")),
        },
    ];
    for (what, n) in [
        ("`solve`, `certified`: one PD problem of 300 rows", 300),
        ("`solve`, `certified`: one PD problem of 1,000 rows", 1_000),
        ("`solve`, `certified`: one PD problem of 2,000 rows", 2_000),
    ] {
        tasks.push(Task {
            what,
            arguments: solve("certified", &file("pd", n, 1)?),
        });
    }
    Ok(tasks)
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
