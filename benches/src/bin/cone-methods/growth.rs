//! `fast-cone` on sparse problems of growing size.

use std::time::Instant;

use cpu_time::ThreadTime;
use etalon_benches::machine::peak_mebibytes;
use etalon_benches::table::{render, seconds};
use etalon_fast::{ConeProblem, solve_cones};
use etalon_lcp::Law;

use super::walls::wall;

/// Bricks in width and height: four contacts a brick.
pub const SHAPES: [(usize, usize); 6] =
    [(25, 1), (250, 1), (2500, 1), (10, 10), (25, 10), (250, 10)];

/// The table of walls.
pub fn table(shapes: &[(usize, usize)]) -> String {
    let mut rows = Vec::new();
    for (width, height) in shapes {
        for law in Law::ALL {
            rows.push(row(*width, *height, law));
        }
    }
    let header = [
        "bricks",
        "law",
        "contacts",
        "rows",
        "answer",
        "block error",
        "factorisations",
        "processor",
        "clock",
        "from the answer",
        "peak of the process",
    ];
    render(&header, 2, rows)
}

fn row(width: usize, height: usize, law: Law) -> Vec<String> {
    let problem = wall(width, height, 7, law);
    let (contacts, n) = (problem.cones().len(), problem.n());
    let data = ConeProblem::from_problem(&problem);
    drop(problem);
    let (start, clock) = (ThreadTime::now(), Instant::now());
    let answer = data.as_ref().ok().map(|data| solve_cones(data, None));
    let (processor, clock) = (start.elapsed().as_secs_f64(), clock.elapsed().as_secs_f64());
    let (word, error, factors, again) = match (&data, &answer) {
        (Ok(data), Some(Ok(answer))) => {
            let start = ThreadTime::now();
            let again = solve_cones(data, Some(&answer.z)).is_ok();
            let again = again.then(|| start.elapsed().as_secs_f64());
            (
                "solved".to_owned(),
                format!("{:.0e}", answer.block_error),
                answer.factors.to_string(),
                again,
            )
        }
        (_, Some(Err(failure))) => (
            format!("failed: {failure}"),
            "-".to_owned(),
            "-".to_owned(),
            None,
        ),
        _ => ("no data".to_owned(), "-".to_owned(), "-".to_owned(), None),
    };
    let peak = peak_mebibytes().map_or_else(|| "-".to_owned(), |peak| format!("{peak} MiB"));
    vec![
        format!("{width} x {height}"),
        law.word().to_owned(),
        contacts.to_string(),
        n.to_string(),
        word,
        error,
        factors,
        seconds(Some(processor)),
        seconds(Some(clock)),
        seconds(again),
        peak,
    ]
}
