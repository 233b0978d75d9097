//! The sizes by which the natural-scale error measures rows and unknowns at one point.
//!
//! Written from the definition in `docs/measure.md`: transversals by trying every set of rows for
//! every leading set of columns.

use super::problem::Problem;
use malachite::Rational;
use malachite::base::num::arithmetic::traits::Abs;
use malachite::base::num::basic::traits::{One, Zero};

/// All sizes at one point within the bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    /// Plain sizes of the rows: `s_i = |q_i| + sum_j |M_ij| |x_j|`.
    pub(super) plain: Vec<Rational>,
    /// Carried sizes of the unknowns.
    pub(super) carried: Vec<Rational>,
    /// Natural sizes of the rows.
    pub(super) rows: Vec<Rational>,
    /// Natural sizes of the unknowns.
    pub(super) unknowns: Vec<Rational>,
}

impl Sizes {
    /// The sizes at `x`, rows tight where `w_i` has the sign of the bound by more than `tol` of
    /// their plain sizes.
    pub(super) fn at(problem: &Problem, x: &[Rational], tol: &Rational) -> Self {
        let n = problem.size();
        let magnitudes: Vec<Rational> = x.iter().map(Abs::abs).collect();
        let plain = row_sizes(problem, &magnitudes);
        let tight = tight(problem, x, &plain, tol);
        let found = carried(&sliding(problem, x, &tight), &plain, &tight);
        let or_own = |j: usize| found[j].clone().unwrap_or_else(|| magnitudes[j].clone());
        let carried: Vec<Rational> = (0..n).map(or_own).collect();
        let mut carried = carried;
        for i in (0..n).filter(|&i| tight[i]) {
            if let Some((normal, mu)) = &problem.friction[i] {
                let reach = mu * &carried[*normal];
                carried[i] = reach.max(carried[i].clone());
            }
        }
        let rows = row_sizes(problem, &carried);
        let mut unknowns: Vec<Rational> = (0..n)
            .map(|j| {
                let own = found[j].clone().unwrap_or(Rational::ZERO);
                if own != 0 {
                    return own;
                }
                // Rows that hold nothing measure nothing.
                let noticing = (0..n).filter(|&i| problem.m[i][j] != 0 && rows[i] != 0);
                let first = noticing.map(|i| &rows[i] / (&problem.m[i][j]).abs()).min();
                first.unwrap_or(Rational::ZERO).max(carried[j].clone())
            })
            .collect();
        hand_on(problem, &rows, &mut unknowns);
        let raw = unknowns.clone();
        for (i, size) in unknowns.iter_mut().enumerate() {
            if let Some((normal, mu)) = &problem.friction[i] {
                let reach = mu * &raw[*normal];
                if *size == 0 || (reach != 0 && reach < *size) {
                    *size = reach;
                }
                continue;
            }
            let bounds = [&problem.lower[i], &problem.upper[i]];
            let largest = bounds.into_iter().flatten().map(Abs::abs).max();
            if let Some(largest) = largest.filter(|largest| *largest != 0)
                && largest < *size
            {
                *size = largest;
            }
        }
        Self {
            plain,
            carried,
            rows,
            unknowns,
        }
    }
}

/// Rows that hold nothing tie their unknowns to each other: round by round, such a row is as large
/// as the largest of its measured unknowns in it, and an unmeasured one has the least size that a
/// row gives it.
fn hand_on(problem: &Problem, rows: &[Rational], unknowns: &mut [Rational]) {
    let all = 0..problem.size();
    loop {
        let before = unknowns.to_vec();
        let share = |i: usize, j: usize| {
            let others = before.iter().zip(&problem.m[i]);
            let largest = others.map(|(size, entry)| size * entry.abs()).max();
            largest.unwrap_or(Rational::ZERO) / (&problem.m[i][j]).abs()
        };
        for j in all.clone().filter(|&j| before[j] == 0) {
            let empty = all
                .clone()
                .filter(|&i| rows[i] == 0 && problem.m[i][j] != 0);
            let sizes = empty.map(|i| share(i, j)).filter(|size| *size != 0);
            unknowns[j] = sizes.min().unwrap_or(Rational::ZERO);
        }
        if before == unknowns {
            return;
        }
    }
}

/// `|q_i| + sum_j |M_ij| sizes_j` for each row.
fn row_sizes(problem: &Problem, sizes: &[Rational]) -> Vec<Rational> {
    let size = |i: usize| {
        let mut sum = (&problem.q[i]).abs();
        for (entry, size) in problem.m[i].iter().zip(sizes) {
            sum += entry.abs() * size;
        }
        sum
    };
    (0..problem.size()).map(size).collect()
}

/// The rows that changes of the data by `tol` leave at their bound.
fn tight(problem: &Problem, x: &[Rational], plain: &[Rational], tol: &Rational) -> Vec<bool> {
    let w = problem.w(x);
    let tight = |i: usize| {
        let (at_lower, at_upper) = problem.touches(i, x);
        let band = tol * &plain[i];
        match (at_lower, at_upper) {
            (true, true) => true,
            (true, false) => w[i] > band,
            (false, true) => w[i] < -band,
            (false, false) => false,
        }
    };
    (0..problem.size()).map(tight).collect()
}

/// The entries of M with the columns of tight friction rows counted to those of their normal rows, in
/// the direction in which friction is at its bound.
fn sliding(problem: &Problem, x: &[Rational], tight: &[bool]) -> Vec<Vec<Rational>> {
    let mut m = problem.m.clone();
    let w = problem.w(x);
    for f in (0..problem.size()).filter(|&f| tight[f]) {
        let Some((normal, mu)) = &problem.friction[f] else {
            continue;
        };
        let forwards = match problem.touches(f, x) {
            (true, true) if w[f] == 0 => continue,
            (true, true) => w[f] < 0,
            (_, at_upper) => at_upper,
        };
        for (row, entries) in m.iter_mut().enumerate() {
            let share = mu * &problem.m[row][f];
            entries[*normal] += if forwards { share } else { -share };
        }
    }
    m
}

/// The carried size of each loose unknown whose part of the loose block has a transversal.
fn carried(m: &[Vec<Rational>], plain: &[Rational], tight: &[bool]) -> Vec<Option<Rational>> {
    let mut sizes = vec![None; m.len()];
    for part in parts(m, tight) {
        let (rows, unknowns) = square(m, &part);
        let found = by_transversals(m, plain, (&rows, &unknowns));
        for (&j, size) in unknowns.iter().zip(found) {
            sizes[j] = size;
        }
    }
    sizes
}

/// The rows and the unknowns of a part that every largest transversal covers, without the rows in which
/// unknowns are that one of them leaves out, and without the unknowns of such rows.
fn square(m: &[Vec<Rational>], part: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let most = largest(m, part, part);
    if most == part.len() {
        return (part.to_vec(), part.to_vec());
    }
    let without = |list: &[usize], out: usize| -> Vec<usize> {
        list.iter().copied().filter(|&k| k != out).collect()
    };
    let spare_rows: Vec<usize> = (part.iter().copied())
        .filter(|&i| largest(m, &without(part, i), part) == most)
        .collect();
    let spare_unknowns: Vec<usize> = (part.iter().copied())
        .filter(|&j| largest(m, part, &without(part, j)) == most)
        .collect();
    let rows = part
        .iter()
        .copied()
        .filter(|&i| !spare_rows.contains(&i) && spare_unknowns.iter().all(|&j| m[i][j] == 0));
    let unknowns = part
        .iter()
        .copied()
        .filter(|&j| !spare_unknowns.contains(&j) && spare_rows.iter().all(|&i| m[i][j] == 0));
    (rows.collect(), unknowns.collect())
}

/// The number of entries of the largest transversal of these rows and unknowns: row by row, the most
/// that the rows so far have in each set of unknowns, which are numbers in binary.
fn largest(m: &[Vec<Rational>], rows: &[usize], unknowns: &[usize]) -> usize {
    let mut most = vec![0; 1 << unknowns.len()];
    for &row in rows {
        let before = most.clone();
        for (set, most) in most.iter_mut().enumerate() {
            let own = unknowns.iter().enumerate();
            let own = own.filter(|(k, j)| set >> k & 1 == 1 && m[row][**j] != 0);
            for (k, _) in own {
                *most = (*most).max(before[set & !(1 << k)] + 1);
            }
        }
    }
    most.last().copied().unwrap_or_default()
}

/// The loose rows, in parts that hang together by entries of the loose block that are not 0.
fn parts(m: &[Vec<Rational>], tight: &[bool]) -> Vec<Vec<usize>> {
    let loose: Vec<usize> = (0..m.len()).filter(|&i| !tight[i]).collect();
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for &i in &loose {
        let tied = |part: &Vec<usize>| {
            let tie = |&k: &usize| m[i][k] != 0 || m[k][i] != 0;
            part.iter().any(tie)
        };
        let (mine, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(tied);
        parts = others;
        parts.push(mine.into_iter().flatten().chain([i]).collect());
    }
    parts
}

/// `max_i s_i W_ij / W` for each of as many unknowns as rows; `None` where they have no transversal.
///
/// Sets of rows are numbers in binary. `first[set]` is the largest product of a transversal of those
/// rows and as many of the first columns, `last[set]` of those rows and as many of the last ones.
fn by_transversals(
    m: &[Vec<Rational>],
    plain: &[Rational],
    (rows, unknowns): (&[usize], &[usize]),
) -> Vec<Option<Rational>> {
    let count = rows.len();
    let all = (1_usize << count) - 1;
    let members = |set: usize| (0..count).filter(move |r| set >> r & 1 == 1);
    let entry = |row: usize, column: usize| (&m[rows[row]][unknowns[column]]).abs();
    let mut first = vec![Rational::ONE; all + 1];
    let mut last = vec![Rational::ONE; all + 1];
    for set in 1..=all {
        let size = members(set).count();
        let best = |products: &[Rational], column: usize| {
            let rest = members(set).map(|row| (row, &products[set & !(1 << row)]));
            let products = rest.map(|(row, rest)| rest * entry(row, column));
            products.max().unwrap_or(Rational::ZERO)
        };
        (first[set], last[set]) = (best(&first, size - 1), best(&last, count - size));
    }
    let heaviest = &first[all];
    let size = |column: usize| {
        let mut size = Rational::ZERO;
        for before in (0..=all).filter(|&set| members(set).count() == column) {
            for row in members(all & !before) {
                // Without this row and column.
                let without = &first[before] * &last[all & !before & !(1 << row)];
                size = size.max(&plain[rows[row]] * without / heaviest);
            }
        }
        size
    };
    (0..count)
        .map(|column| (*heaviest != 0).then(|| size(column)))
        .collect()
}
