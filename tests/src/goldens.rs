//! The repository's golden problems, for tests that need real ones.

use std::path::PathBuf;

use etalon_lcp::Problem;

/// The folder of golden problems.
pub fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../golden/problems"))
}

/// All golden problems of at most `rows` rows.
///
/// # Panics
/// When a golden cannot be read.
pub fn up_to(rows: usize) -> Vec<Problem> {
    let read = etalon_golden::read(&[folder()]).unwrap_or_else(|error| panic!("{error}"));
    let problems = read.map(|golden| match golden {
        Ok(golden) => golden.problem,
        Err(error) => panic!("{error}"),
    });
    problems.filter(|problem| problem.n() <= rows).collect()
}
