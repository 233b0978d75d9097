//! Problems of other projects and of papers: the goldens that were not generated.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use etalon_benches::elimination::{faer_solve, nalgebra_solve, to_faer, to_faer_column};
use etalon_benches::statistics::median;
use etalon_benches::table::{ratio, render};
use etalon_benches::timing::{Contender, race};
use etalon_fast::{FastMethod, Lcp, Start, Workspace};
use etalon_golden::{ReadError, read};
use etalon_lcp::{Number, Problem};
use nalgebra::DVector;

/// A suite of real problems.
#[derive(Debug, Clone, Default)]
pub struct Suite {
    problems: usize,
    solved: usize,
    sizes: Vec<f64>,
    ratios: Vec<f64>,
}

/// Whether a golden of that suite came out of a generator or is no work at all.
fn is_real(suite: &str, problem: &Problem) -> bool {
    suite != "generated" && (2..=1000).contains(&problem.n())
}

/// Times every real golden problem, `budget` each.
pub fn measure(golden: &Path, budget: Duration) -> Result<BTreeMap<String, Suite>, ReadError> {
    let mut suites: BTreeMap<String, Suite> = BTreeMap::new();
    for golden in read(&[PathBuf::from(golden)])? {
        let golden = golden?;
        if !is_real(&golden.suite.name, &golden.problem) {
            continue;
        }
        let suite = suites.entry(golden.suite.name).or_default();
        suite.problems += 1;
        suite.sizes.push(golden.problem.n() as f64);
        if let Some(ratio) = fast_over_lu(&golden.problem, budget) {
            suite.solved += 1;
            suite.ratios.push(ratio);
        }
    }
    Ok(suites)
}

/// `None` where there is no answer.
fn fast_over_lu(problem: &Problem, budget: Duration) -> Option<f64> {
    let lcp = Lcp::from_problem(problem).ok()?;
    let mut workspace = Workspace::new();
    workspace
        .solve(lcp.view(), FastMethod::Auto, Start::Cold)
        .ok()?;
    let m = problem.m().to_dmatrix();
    let q: Vec<f64> = problem.q().iter().map(Number::to_f64).collect();
    let (faer_m, faer_q) = (to_faer(&m), to_faer_column(&q));
    let q = DVector::from_vec(q);
    let contenders = vec![
        Contender::new((), || {
            let _ =
                std::hint::black_box(workspace.solve(lcp.view(), FastMethod::Auto, Start::Cold));
        }),
        Contender::new((), || {
            std::hint::black_box(nalgebra_solve(&m, &q));
        }),
        Contender::new((), || {
            std::hint::black_box(faer_solve(&faer_m, &faer_q));
        }),
    ];
    let times = race(contenders, budget);
    match times[..] {
        [(_, fast), (_, one), (_, two)] => Some(fast / one.min(two)),
        _ => None,
    }
}

/// The table.
pub fn table(suites: &BTreeMap<String, Suite>) -> String {
    let rows = suites.iter().map(|(name, suite)| {
        let most = suite.ratios.iter().copied().max_by(f64::total_cmp);
        vec![
            name.clone(),
            suite.problems.to_string(),
            suite.solved.to_string(),
            median(&suite.sizes).map_or_else(String::new, |n| format!("{n:.0}")),
            ratio(median(&suite.ratios)),
            ratio(most),
        ]
    });
    let header = [
        "suite",
        "problems",
        "solved",
        "median n",
        "fast / best LU, median",
        "worst",
    ];
    render(&header, 1, rows)
}
