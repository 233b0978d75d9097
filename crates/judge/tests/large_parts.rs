//! Loose rows that hang together in parts of any size, solved for their unknowns.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_exact::{Budget, solved_rows};
use etalon_judge::Judge;
use etalon_lcp::{Claim, ClaimedAnswer, Matrix, Number, Problem, Reached, VerdictKind};
use rug::Rational;

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

/// Pseudorandom numbers below 1 in size, of few bits.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 48) as f64 - 32768.0) / 32768.0
    }
}

/// The example with dense rows of so many unknowns on each of which z_0 hangs, and they on z_0.
fn dense(more: usize) -> (Problem, Vec<f64>) {
    let (mut rows, mut z) = example();
    let mut random = Random(more as u64);
    z.extend((0..more).map(|k| f64::from((k % 5) as u32 + 1)));
    for i in 0..more {
        let mut row: Vec<(usize, f64)> = (5..5 + more).map(|j| (j, random.next())).collect();
        row[i].1 += more as f64;
        row.insert(0, (0, -0.5));
        let sum: f64 = row.iter().map(|(j, value)| value * z[*j]).sum();
        rows.push((row, -sum));
    }
    (problem(rows), z)
}

#[test]
fn dense_rows_beside_the_example_hide_nothing() {
    let sizes = std::env::var("ROWS").ok();
    let sizes = sizes.and_then(|rows| rows.parse().ok());
    for more in [65].into_iter().chain(sizes) {
        let (problem, mut z) = dense(more);
        let right = judged(&problem, &z);
        assert!(right.accepted, "{}", right.line());
        z[4] = 4.0;
        rejected_by_solved_rows(&problem, &z, 4);
    }
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

/// The primes of the factorisation divide this entry. The block is not called singular: its row is not solved, and
/// that is said.
#[test]
fn entries_that_no_prime_sees_are_no_zeros() {
    let mut entry = Rational::from(1);
    for delta in [27, 35, 51] {
        entry *= (1_u64 << 50) - delta;
    }
    let m = |entry: Rational| Matrix::from_rows(vec![vec![Number::from(entry)]]).unwrap();
    let solved = |entry: &Rational| {
        let q = vec![Number::from(Rational::from(-entry))];
        let problem = Problem::new("p", m(entry.clone()), q).unwrap();
        let [zero, two] = [0, 2].map(|value| vec![Rational::from(value)]);
        solved_rows(&problem, &[true], &two, &two, &zero[0], &Budget::default())
    };
    let open = solved(&entry);
    assert_eq!((open.unsolved, open.worst), (1, None));
    let found = solved(&(entry + 1));
    assert_eq!((found.unsolved, found.point), (0, vec![Rational::from(1)]));
    assert_eq!(found.worst.unwrap().error, Rational::from((1, 3)));
}

/// Whatever the budget of work: the answer is rejected, or the verdict says how many rows were not solved.
#[test]
fn what_is_over_the_budget_is_said() {
    let (problem, mut z) = dense(30);
    z[4] = 4.0;
    let values: Vec<_> = z.into_iter().map(number).collect();
    let kinds = (2..8).map(|power| {
        let judge = Judge {
            budget: Budget {
                work: 10_u64.pow(power),
                ..Budget::default()
            },
            ..Judge::default()
        };
        let z = values.clone();
        let claim = Claim::new("p", ClaimedAnswer::Solved { z });
        let verdict = judge.verdict(&problem, &claim).verdict;
        if verdict.kind == VerdictKind::Accepted {
            let reason = "35 rows were not solved for their unknowns: over the budget of work";
            assert_eq!(verdict.reason.as_deref(), Some(reason), "{power}");
        }
        verdict.kind
    });
    let kinds: Vec<_> = kinds.collect();
    assert_eq!(kinds.first(), Some(&VerdictKind::Accepted));
    assert_eq!(kinds.last(), Some(&VerdictKind::Rejected));
}
