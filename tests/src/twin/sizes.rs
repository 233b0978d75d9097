//! The sizes by which the natural-scale error measures rows and unknowns at one point.
//!
//! Written from the definition in `docs/measure.md`: transversals by trying every set of rows for
//! every leading set of columns, heavy cycles by all walks at once, as powers of the matrix of
//! gains with the largest product for their sum.

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
        let sound = sound(problem, &plain);
        let tight = tight(problem, x, &plain, tol);
        let found = carried(problem, &plain, &tight);
        let or_own = |j: usize| found[j].clone().unwrap_or_else(|| magnitudes[j].clone());
        let carried: Vec<Rational> = (0..n).map(or_own).collect();
        let rows = row_sizes(problem, &carried);
        let mut unknowns: Vec<Rational> = (0..n)
            .map(|j| {
                let own = if let Some(size) = &found[j] {
                    size.clone()
                } else if tight[j] && sound[j] {
                    &plain[j] / &problem.m[j][j]
                } else {
                    Rational::ZERO
                };
                if own != 0 {
                    return own;
                }
                // Rows that hold nothing measure nothing.
                let noticing = (0..n).filter(|&i| problem.m[i][j] != 0 && rows[i] != 0);
                let first = noticing.map(|i| &rows[i] / (&problem.m[i][j]).abs()).min();
                first.unwrap_or(Rational::ZERO).max(magnitudes[j].clone())
            })
            .collect();
        for i in 0..n {
            if let Some((normal, mu)) = &problem.friction[i] {
                let reach = mu * &unknowns[*normal];
                if unknowns[i] < reach {
                    unknowns[i] = reach;
                }
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

/// The carried size of each loose unknown whose part of the loose block has a transversal.
fn carried(problem: &Problem, plain: &[Rational], tight: &[bool]) -> Vec<Option<Rational>> {
    let mut sizes = vec![None; problem.size()];
    for part in parts(problem, tight) {
        for (&j, size) in part.iter().zip(by_transversals(problem, plain, &part)) {
            sizes[j] = size;
        }
    }
    sizes
}

/// The loose rows, in parts that hang together by entries of the loose block that are not 0.
fn parts(problem: &Problem, tight: &[bool]) -> Vec<Vec<usize>> {
    let loose: Vec<usize> = (0..problem.size()).filter(|&i| !tight[i]).collect();
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for &i in &loose {
        let tied = |part: &Vec<usize>| {
            let tie = |&k: &usize| problem.m[i][k] != 0 || problem.m[k][i] != 0;
            part.iter().any(tie)
        };
        let (mine, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(tied);
        parts = others;
        parts.push(mine.into_iter().flatten().chain([i]).collect());
    }
    parts
}

/// `max_i s_i W_ij / W` for each unknown of a part; `None` where it has no transversal.
///
/// Sets of rows are numbers in binary. `first[set]` is the largest product of a transversal of those
/// rows and as many of the first columns, `last[set]` of those rows and as many of the last ones.
fn by_transversals(problem: &Problem, plain: &[Rational], part: &[usize]) -> Vec<Option<Rational>> {
    let count = part.len();
    let all = (1_usize << count) - 1;
    let members = |set: usize| (0..count).filter(move |r| set >> r & 1 == 1);
    let entry = |row: usize, column: usize| (&problem.m[part[row]][part[column]]).abs();
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
                size = size.max(&plain[part[row]] * without / heaviest);
            }
        }
        size
    };
    (0..count)
        .map(|column| (*heaviest != 0).then(|| size(column)))
        .collect()
}

/// Entry `(j, k)`: half of `|M_jk| / M_jj` where both unknowns are among the `chosen`, which have
/// positive diagonal entries; 0 elsewhere and on the diagonal. A cycle is heavy where the product
/// of its entries is above 1.
fn gains(problem: &Problem, chosen: &[bool]) -> Vec<Vec<Rational>> {
    let n = problem.size();
    let gain = |j: usize, k: usize| {
        if j != k && chosen[j] && chosen[k] {
            (&problem.m[j][k]).abs() / (Rational::from(2) * &problem.m[j][j])
        } else {
            Rational::ZERO
        }
    };
    (0..n)
        .map(|j| (0..n).map(|k| gain(j, k)).collect())
        .collect()
}

/// Entry `(j, k)`: the largest product of gains over all walks from unknown `k` to unknown `j` of at
/// most `2^t` steps, the least such number that is at least the number of unknowns. The walk of no
/// step is worth 1.
fn walks(step: &[Vec<Rational>]) -> Vec<Vec<Rational>> {
    let n = step.len();
    let mut best = step.to_vec();
    for (j, row) in best.iter_mut().enumerate() {
        row[j] = Rational::ONE;
    }
    let mut steps = 1;
    while steps < n {
        let mut longer = best.clone();
        for j in 0..n {
            for l in (0..n).filter(|&l| best[j][l] > 0) {
                for k in (0..n).filter(|&k| best[l][k] > 0) {
                    let product = &best[j][l] * &best[l][k];
                    if longer[j][k] < product {
                        longer[j][k] = product;
                    }
                }
            }
        }
        best = longer;
        steps *= 2;
    }
    best
}

/// Which unknowns are sound, where they are tight.
///
/// A heavy cycle through `j` is a closed walk from `j` whose gains have a product above 1. A closed
/// walk falls apart into simple cycles, and where its product is above 1 that of one of them is: so
/// an unknown on such a walk is on a heavy cycle or reached from one.
fn sound(problem: &Problem, plain: &[Rational]) -> Vec<bool> {
    let n = problem.size();
    let positive: Vec<bool> = (0..n).map(|j| problem.m[j][j] > 0).collect();
    let walks = walks(&gains(problem, &positive));
    let reaches = |k: usize, j: usize| positive[k] && positive[j] && walks[j][k] > 0;
    let counts: Vec<bool> = (0..n)
        .map(|j| walks[j][j] > 1 && (0..n).any(|k| plain[k] > 0 && reaches(k, j)))
        .collect();
    (0..n)
        .map(|j| positive[j] && !(0..n).any(|k| counts[k] && reaches(k, j)))
        .collect()
}
