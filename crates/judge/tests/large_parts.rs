//! Loose rows that hang together in parts of any size, solved for their unknowns.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_judge::Judge;
use etalon_lcp::{Claim, ClaimedAnswer, Matrix, Number, Problem, Reached, VerdictKind};

/// A row of `n`: its entries, and q.
type Rows = Vec<(Vec<(usize, f64)>, f64)>;

fn problem(rows: Rows) -> Problem {
    let n = rows.len() as u64;
    let (rows, q): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    let entries = rows.into_iter().enumerate().flat_map(|(i, row)| {
        let row = row.into_iter();
        row.map(move |(j, value)| (i as u64, j as u64, number(value)))
    });
    let m = Matrix::from_entries((n, n), entries.collect()).unwrap();
    Problem::new("p", m, q.into_iter().map(number).collect()).unwrap()
}

fn number(value: f64) -> Number {
    Number::from_f64(value).unwrap()
}

fn judged(problem: &Problem, z: &[f64]) -> etalon_judge::Judgement {
    let z = z.iter().copied().map(number).collect();
    let claim = Claim::new("p", ClaimedAnswer::Solved { z });
    Judge::default().verdict(problem, &claim)
}

/// The example of the book: z_4 = 1, which row 4 does not see beside the 1e15 that z_2 and z_3 may carry.
fn example() -> (Rows, Vec<f64>) {
    let rows = vec![
        (vec![(0, 1.0)], -1e15),
        (vec![(0, -1.0), (1, 1.0)], 999_999_999_999_999.0),
        (vec![(1, -1.0), (2, 1.0)], 0.0),
        (vec![(1, -1.0), (3, 1.0)], 0.0),
        (vec![(2, -1.0), (3, 1.0), (4, 1.0)], -1.0),
    ];
    (rows, vec![1e15, 1.0, 1.0, 1.0, 1.0])
}

fn rejected_by_solved_rows(problem: &Problem, z: &[f64], unknown: usize) {
    let verdict = judged(problem, z).verdict;
    assert_eq!(verdict.kind, VerdictKind::Rejected, "{verdict:?}");
    assert_eq!(verdict.reached, Some(Reached::SolvedRows));
    let reason = verdict.reason.unwrap();
    let found = format!("the rows solved for z_{unknown} give ");
    assert!(reason.starts_with(&found), "{reason}");
}

/// Rows z_k - z_0 + c = 0 beside the example: none of them says anything of z_4.
#[test]
fn rows_beside_the_example_hide_nothing() {
    for more in [60, 500, 3000] {
        let (mut rows, mut z) = example();
        for k in 5..5 + more {
            rows.push((vec![(0, -1.0), (k, 1.0)], 1.0));
            z.push(1e15 - 1.0);
        }
        let problem = problem(rows);
        assert_eq!(judged(&problem, &z).verdict.kind, VerdictKind::Exact);
        z[4] = 4.0;
        rejected_by_solved_rows(&problem, &z, 4);
    }
}

/// A chain in which each row hangs on the next one, both ways: nothing can be taken off it beforehand.
#[test]
fn rows_in_a_long_chain_hide_nothing() {
    let (mut rows, mut z) = example();
    let last = 5 + 400;
    for k in 5..last {
        let before = if k == 5 { 0 } else { k - 1 };
        let mut row = vec![(before, -1.0), (k, 3.0)];
        // z_k = z_0 / 2^(k - 4) or so: what the row has too much goes into q.
        z.push(f64::from((k % 7) as u32 + 1));
        let mut sum = 3.0 * z[k] - z[before];
        if k + 1 < last {
            let next = f64::from(((k + 1) % 7) as u32 + 1);
            row.push((k + 1, -1.0));
            sum -= next;
        }
        rows.push((row, -sum));
    }
    let problem = problem(rows);
    assert_eq!(judged(&problem, &z).verdict.kind, VerdictKind::Exact);
    z[4] = 4.0;
    rejected_by_solved_rows(&problem, &z, 4);
}

/// Copies of rows and unknowns: blocks of many rows that are singular.
#[test]
fn singular_parts_of_many_rows_are_solved() {
    let (mut rows, mut z) = example();
    for k in (5..205).step_by(2) {
        let row = vec![(0, -1.0), (k, 1.0), (k + 1, 1.0)];
        rows.push((row.clone(), 1.0));
        rows.push((row, 1.0));
        z.extend([5e14, 5e14 - 1.0]);
    }
    let problem = problem(rows);
    assert_eq!(judged(&problem, &z).verdict.kind, VerdictKind::Exact);
    z[4] = 4.0;
    rejected_by_solved_rows(&problem, &z, 4);
}
