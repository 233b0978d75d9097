//! Classes of matrices that decide uniqueness where bounds are numbers, by exact elimination.
//!
//! Of two solutions x, y and d = x - y, d_i (Md)_i <= 0 on every row. A P-matrix reverses no d != 0
//! in this way (Cottle, Pang, Stone, theorem 3.3.4), and then there is exactly one solution (theorem
//! 3.3.7; with bounds: Facchinei and Pang, Finite-Dimensional Variational Inequalities, 3.5).

use rug::{Integer, Rational};

use crate::{Checked, Refusal, budget::*, cone::*, ensure, exact::*, rows::*};

/// The largest n for which all 2^n - 1 principal minors are computed.
pub const MAX_MINORS: usize = 16;

/// The largest n that is eliminated densely.
pub const MAX_ELIMINATION: usize = 500;

/// Checks that all bounds are numbers, L_i <= U_i, and that friction cones, if any, have one of these
/// laws: where bounds move with z, M alone decides nothing.
fn check_fixed(problem: &impl Problem, laws: &[Law]) -> Checked {
    let decides = problem.cones().all(|cone| laws.contains(&cone.law));
    ensure(decides, "M alone decides nothing where there are such cones")?;
    for i in 0..problem.n() {
        let bounds = problem.bounds(i);
        let fixed = bounds.iter().flatten().all(|bound| bound.slope == 0);
        ensure(fixed, "a property of M proves nothing about a problem with friction rows")?;
        let crossed = matches!(bounds, [Some(low), Some(up)] if low.constant > up.constant);
        ensure(!crossed, "its bounds are crossed").map_err(|no| no.at_row(i))?;
    }
    Ok(())
}

/// Checks that M = M' and x'Mx >= 0 for all x: of two solutions x, y then (x - y)'M(x - y) <= 0, so
/// M(x - y) = 0, and both have one w (theorem 3.1.7). Or, strictly, that x'Mx > 0 for all x != 0,
/// of any M: no x is reversed.
pub(crate) fn check_quadratic(problem: &impl Problem, strictly: bool, budget: &Budget) -> Checked {
    // LDL' without fractions (Bareiss 1968), from the last row up.
    let (n, mut held) = (problem.n(), budget.hold(0, 0)?);
    ensure(n <= MAX_ELIMINATION, "too many rows to eliminate exactly (limit 500)")?;
    check_fixed(problem, &[Law::Convex])?;
    let m = integral(problem, &mut held)?;
    let other = (0..n).find(|&i| !strictly && (0..i).any(|j| m[i][j] != m[j][i]));
    other.map_or(Ok(()), |i| Err(Refusal::new("M is not symmetric here").at_row(i)))?;
    // The lower triangle of M + M', in entries one bit longer, has twice the same x'Mx.
    let lower = |i: usize| (0..=i).map(|j| Integer::from(&m[i][j] + &m[j][i])).collect();
    let mut rows: Vec<Vec<_>> = (0..n).map(lower).collect();
    let mut previous = Integer::from(1);
    while let Some(mut row) = rows.pop() {
        let pivot = row.pop().unwrap_or_default();
        ensure(pivot >= 0, "not positive semidefinite: a pivot is negative")?;
        ensure(pivot > 0 || !strictly, "not positive definite: a pivot is 0")?;
        let why = "not positive semidefinite: a zero on the diagonal meets a nonzero";
        ensure(pivot > 0 || row.iter().all(Integer::is_zero), why)?;
        if pivot > 0 {
            previous = eliminate(&mut rows, &row, &row, (pivot, &previous, budget))?;
        }
    }
    Ok(())
}

/// Checks that M_ii d_i > sum over j != i of |M_ij| d_j for weights d > 0. Of a vector x take the i
/// with the largest |x_i| / d_i: (Mx)_i has the sign of x_i, so x is not reversed.
pub(crate) fn check_dominant(problem: &impl Problem, d: &[Rational], budget: &Budget) -> Checked {
    check_fixed(problem, &[])?;
    ensure(d.len() == problem.n(), "there is not a weight for each row")?;
    ensure(d.iter().all(|weight| *weight > 0), "the weights must be positive")?;
    for i in 0..problem.n() {
        let mut held = budget.hold(0, 0)?;
        let against = |(j, own): (usize, Rational)| (j, if j == i { own } else { -own.abs() });
        let row = Exact::new(problem.row(i).map(against), &mut held)?;
        // Along the weights, so that q counts for nothing.
        let dominant = row.at((d, &Rational::new()), budget)?[0] > 0;
        ensure(dominant, "it is not dominated by its diagonal").map_err(|no| no.at_row(i))?;
    }
    Ok(())
}

/// Checks all principal minors: M is a P-matrix if and only if a diagonal entry is positive and
/// both M without its row and column and the Schur complement of the entry are (Tsatsomeros and
/// Li 2000). With S the pivots so far, a block holds the minors det M[S + i, S + j], all positive
/// multiples of the entries of the Schur complement.
pub(crate) fn check_minors(problem: &impl Problem, budget: &Budget) -> Checked {
    let (n, mut held) = (problem.n(), budget.hold(0, 0)?);
    ensure(n <= MAX_MINORS, "too many rows for all principal minors (limit 16)")?;
    // 2^k blocks have lost k rows, as pivots or without. Of each size one block waits.
    check_fixed(problem, &[])?;
    let rows = integral(problem, &mut held)?;
    let mut stack = vec![(rows, Integer::from(1))];
    while let Some((mut without, previous)) = stack.pop() {
        let Some(mut row) = without.pop() else { continue };
        let pivot = row.pop().unwrap_or_default();
        ensure(pivot > 0, "a principal minor is not positive")?;
        let column: Vec<_> = without.iter_mut().filter_map(Vec::pop).collect();
        let mut schur = without.clone();
        let pivot = eliminate(&mut schur, &column, &row, (pivot, &previous, budget))?;
        stack.extend([(schur, pivot), (without, previous)]);
    }
    Ok(())
}

/// The Schur complement of a pivot in a block, times the pivot and over the one before: minors
/// with one row more, so the quotients are integers (Sylvester's identity). Each operation is paid
/// for by the sizes that the numbers have, and the quotient as 7 words longer: 8 times 16 products
/// are an operation on short numbers ([`SHORT`]). Returns the pivot.
fn eliminate(
    block: &mut [Vec<Integer>], column: &[Integer], row: &[Integer],
    (pivot, previous, budget): (Integer, &Integer, &Budget),
) -> Checked<Integer> {
    for (left, factor) in block.iter_mut().zip(column) {
        for (value, above) in left.iter_mut().zip(row) {
            budget.multiply(2, bits(value).max(bits(factor)), bits(above).max(bits(&pivot)))?;
            *value *= &pivot;
            *value -= factor * above;
            let quotient = bits(value).saturating_sub(bits(previous)) + 7 * 64;
            budget.multiply(1, quotient, bits(previous) + DIVISION)?;
            value.div_exact_mut(previous);
        }
    }
    Ok(pivot)
}

/// M, zeros included, times the common denominator of its entries, with room for its minors. By
/// Hadamard's inequality a minor of k rows is at most k^(k / 2) times the longest entry to the power k:
/// five bits more than an entry for each row, as k < 1024; and one for sums of two entries.
fn integral(problem: &impl Problem, held: &mut Held<'_>) -> Checked<Vec<Vec<Integer>>> {
    let n = problem.n();
    // One row after the other, as if they were one.
    let of_m = |i| problem.row(i).filter_map(move |(j, own)| (j < n).then_some((i * n + j, own)));
    let Exact { entries, longest, .. } = Exact::new((0..n).flat_map(of_m), held)?;
    held.more(2 * (n * n) as u64, (n * n * n / 2) as u64 * (longest + 6))?;
    let mut m = vec![vec![Integer::new(); n]; n];
    entries.into_iter().for_each(|(place, value)| m[place / n][place % n] = value);
    Ok(m)
}
