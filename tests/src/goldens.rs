//! The repository's golden problems, for tests that need real ones.

use std::path::PathBuf;

use etalon_golden::Golden;
use etalon_lcp::Problem;

/// The folder of golden problems.
pub fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../golden/problems"))
}

/// All goldens.
///
/// # Panics
/// When one cannot be read.
pub fn all() -> Vec<Golden> {
    let read = etalon_golden::read(&[folder()]).unwrap_or_else(|error| panic!("{error}"));
    read.map(|golden| golden.unwrap_or_else(|error| panic!("{error}")))
        .collect()
}

/// All golden problems of at most `rows` rows.
///
/// # Panics
/// When one cannot be read.
pub fn up_to(rows: usize) -> Vec<Problem> {
    let problems = all().into_iter().map(|golden| golden.problem);
    problems.filter(|problem| problem.n() <= rows).collect()
}
