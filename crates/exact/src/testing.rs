//! What the tests of the pivoting methods share: small problems, and answers by brute force.

use etalon_lcp::{Bound, Matrix, MixedLcp, Number, Problem, Row};
use proptest::prelude::*;
use rug::Rational;

/// A square matrix of small integers.
pub(crate) type Integers = Vec<Vec<i64>>;

pub(crate) fn problem(m: &[Vec<i64>], q: &[i64]) -> Problem {
    let row = |row: &Vec<i64>| row.iter().map(|&v| Number::from(v)).collect();
    let m = Matrix::from_rows(m.iter().map(row).collect()).unwrap();
    Problem::new("test", m, q.iter().map(|&v| Number::from(v)).collect()).unwrap()
}

/// A problem with bounds (`None` for infinite ones).
pub(crate) fn boxed(m: &[Vec<i64>], q: &[i64], bounds: &[(Option<i64>, Option<i64>)]) -> Problem {
    let finite = |value: i64| Bound::Finite(Number::from(value));
    let lower = bounds
        .iter()
        .map(|(l, _)| l.map_or(Bound::NegativeInfinity, finite));
    let upper = bounds
        .iter()
        .map(|(_, u)| u.map_or(Bound::Infinity, finite));
    problem(m, q)
        .with_bounds(Some(lower.collect()), Some(upper.collect()))
        .unwrap()
}

/// The mixed LCP of a problem that has no bounds but zero.
pub(crate) fn mixed(problem: &Problem) -> MixedLcp {
    let free = problem.rows().iter().map(|row| *row == Row::Free).collect();
    MixedLcp::new(problem.m().clone(), problem.q().to_vec(), free).unwrap()
}

/// The problem of the repository's goldens in that file.
pub(crate) fn golden(path: &str) -> Problem {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/problems/");
    let text = std::fs::read_to_string(format!("{root}{path}")).unwrap();
    etalon_lcp::record::read_problem(&text).unwrap().record
}

/// M z + q.
pub(crate) fn w(problem: &Problem, z: &[Rational]) -> Vec<Rational> {
    let row = |i: usize| {
        let entries = problem.m().row(i);
        entries.fold(problem.q()[i].to_rational(), |sum, (j, v)| {
            sum + v.to_rational() * &z[j]
        })
    };
    (0..problem.n()).map(row).collect()
}

/// M'y.
pub(crate) fn transposed(problem: &Problem, y: &[Rational]) -> Vec<Rational> {
    let mut sums = vec![Rational::new(); problem.n()];
    for (i, y) in y.iter().enumerate() {
        for (j, v) in problem.m().row(i) {
            sums[j] += v.to_rational() * y;
        }
    }
    sums
}

pub(crate) fn dot(a: &[Number], b: &[Rational]) -> Rational {
    let products = a.iter().zip(b).map(|(a, b)| a.to_rational() * b);
    products.fold(Rational::new(), |sum, product| sum + product)
}

pub(crate) fn determinant(m: &Matrix, rows: &[usize]) -> Rational {
    crate::trace::principal_minor(m, rows)
}

/// All solutions in regular cells: each row at its lower bound, at its upper bound or between.
pub(crate) fn brute_force(problem: &Problem) -> Vec<Vec<Rational>> {
    let rows = problem.rows();
    let n = rows.len();
    let ends = |row: &Row<'_>| match row {
        Row::Nonnegative => vec![Some(Rational::new())],
        Row::AtLeast(b) | Row::AtMost(b) => vec![Some(b.to_rational())],
        Row::Between(l, u) => vec![Some(l.to_rational()), Some(u.to_rational())],
        _ => vec![],
    };
    let choices = rows.iter().map(|row| {
        let mut ends = ends(row);
        ends.push(None);
        ends
    });
    let mut cells: Vec<Vec<Option<Rational>>> = vec![vec![]];
    for choice in choices {
        let longer = |cell: &Vec<Option<Rational>>| {
            let longer = choice
                .iter()
                .map(|end| [&cell[..], std::slice::from_ref(end)].concat());
            longer.collect::<Vec<_>>()
        };
        cells = cells.iter().flat_map(longer).collect();
    }
    let mut found: Vec<Vec<Rational>> = cells
        .iter()
        .filter_map(|cell| cell_point(problem, cell))
        .filter(|z| etalon_certify::solves(problem, z).unwrap())
        .collect();
    found.sort();
    found.dedup();
    assert!(found.iter().all(|z| z.len() == n));
    found
}

/// The point with z_i as given or else w_i = 0, if there is just one.
fn cell_point(problem: &Problem, cell: &[Option<Rational>]) -> Option<Vec<Rational>> {
    let n = cell.len();
    let mut rows: Vec<Vec<Rational>> = (0..n)
        .map(|i| {
            let mut row = vec![Rational::new(); n + 1];
            if let Some(value) = &cell[i] {
                row[i] = Rational::from(1);
                row[n].clone_from(value);
            } else {
                for (j, value) in problem.m().row(i) {
                    row[j] = value.to_rational();
                }
                row[n] = -problem.q()[i].to_rational();
            }
            row
        })
        .collect();
    for k in 0..n {
        let p = (k..n).find(|&i| rows[i][k] != 0)?;
        rows.swap(k, p);
        let pivot = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = Rational::from(&row[k] / &pivot[k]);
            for (value, above) in row.iter_mut().zip(&pivot) {
                *value -= Rational::from(&factor * above);
            }
        }
    }
    Some(
        (0..n)
            .map(|k| Rational::from(&rows[k][n] / &rows[k][k]))
            .collect(),
    )
}

/// Rows in which the diagonal entry exceeds the sum of the others: a P-matrix, not symmetric.
pub(crate) fn p_matrix(n: usize) -> impl Strategy<Value = Integers> {
    let entries = prop::collection::vec(prop::collection::vec(-4_i64..=4, n), n);
    let excess = prop::collection::vec(1_i64..=3, n);
    (entries, excess).prop_map(|(mut m, excess)| {
        for (i, row) in m.iter_mut().enumerate() {
            row[i] = 0;
            row[i] = row.iter().map(|v| v.abs()).sum::<i64>() + excess[i];
        }
        m
    })
}

/// A'A with A of rank at most k.
pub(crate) fn psd_matrix(n: usize, k: usize) -> impl Strategy<Value = Integers> {
    prop::collection::vec(prop::collection::vec(-3_i64..=3, n), k).prop_map(move |a| gram(&a, n))
}

pub(crate) fn gram(a: &[Vec<i64>], n: usize) -> Integers {
    let entry = |i: usize, j: usize| a.iter().map(|row| row[i] * row[j]).sum();
    (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect()
}

/// Any matrix of small integers.
pub(crate) fn any_matrix(n: usize) -> impl Strategy<Value = Integers> {
    prop::collection::vec(prop::collection::vec(-3_i64..=3, n), n)
}

pub(crate) fn vector(n: usize) -> impl Strategy<Value = Vec<i64>> {
    prop::collection::vec(-6_i64..=6, n)
}

/// M z for an integer z.
pub(crate) fn times(m: &[Vec<i64>], z: &[i64]) -> Vec<i64> {
    let row = |row: &Vec<i64>| row.iter().zip(z).map(|(a, b)| a * b).sum();
    m.iter().map(row).collect()
}

/// Murty's triangular matrix: 1 on the diagonal, 2 above.
pub(crate) fn murty(n: usize) -> Integers {
    let entry = |i: usize, j: usize| match i.cmp(&j) {
        std::cmp::Ordering::Less => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 0,
    };
    (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect()
}

/// The q of Murty (1978) for [`murty`]: 2^(i + 1) - 2^(n + 1) at row i = 0, 1, ...
pub(crate) fn murty_powers(n: usize) -> Vec<i64> {
    (0..n).map(|i| (2 << i) - (2 << n)).collect()
}
