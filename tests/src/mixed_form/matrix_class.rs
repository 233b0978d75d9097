//! Classes of matrices that decide uniqueness, by exact elimination.

use etalon_lcp::{Matrix, Number, PMatrixProof};
use rug::Integer;

use super::budget::{Budget, Held, OverBudget, bits};
use super::farkas::check_length;
use super::integers::{ExactVector, IntegerRow, exact, numerators};
use super::{CertificateError, ensure};

/// The largest n for which all 2^n - 1 principal minors are computed.
pub const MAX_MINORS: usize = 16;

/// The largest n that is eliminated densely.
pub const MAX_ELIMINATION: usize = 500;

/// Checks that M is symmetric positive semidefinite, by a fraction-free LDL'. Then all solutions
/// share w: for two of them (z - y)'M(z - y) <= 0, so M(z - y) = 0 (CPS theorem 3.1.7; the same
/// argument holds for boxes and bilateral rows).
///
/// # Errors
/// The entry or the pivot that shows the contrary.
pub(crate) fn check_symmetric_psd(m: &Matrix, budget: &Budget) -> Result<(), CertificateError> {
    let (rows, _held) = integral(m, budget)?;
    for (i, row) in rows.iter().enumerate() {
        let differs = (0..i).find(|&j| row[j] != rows[j][i]);
        let j = differs.unwrap_or(0);
        let why = format_args!("M[{i}][{j}] and M[{j}][{i}] differ");
        ensure(differs.is_none(), why)?;
    }
    definiteness(rows, budget).map(|_| ())
}

/// Checks a proof that M is a P-matrix, so that every LCP with it has exactly one solution (CPS
/// theorem 3.3.7; for boxes: Facchinei and Pang, Finite-Dimensional Variational Inequalities,
/// section 3.5).
///
/// # Errors
/// What does not hold.
pub(crate) fn check_p_matrix(
    m: &Matrix,
    proof: &PMatrixProof,
    budget: &Budget,
) -> Result<(), CertificateError> {
    match proof {
        PMatrixProof::PositiveDefinite => check_positive_definite(m, budget),
        PMatrixProof::DiagonallyDominant { weights } => check_dominant(m, weights, budget),
        PMatrixProof::PrincipalMinors => check_minors(m, budget),
        _ => Err(CertificateError::new(
            "a kind of proof that this checker does not know",
        )),
    }
}

/// x'Mx > 0 for x != 0 leaves no sign-reversing vector, so M is P (CPS theorem 3.3.4).
fn check_positive_definite(m: &Matrix, budget: &Budget) -> Result<(), CertificateError> {
    let (rows, _held) = integral(m, budget)?;
    let n = rows.len();
    // Sums that are one bit longer than the entries.
    let _symmetric = budget.hold((n * n) as u64, 2 * (n * n) as u64 * longest(&rows))?;
    let entry = |i: usize, j: usize| Integer::from(&rows[i][j] + &rows[j][i]);
    let symmetric = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect());
    let rank = definiteness(symmetric.collect(), budget)?;
    let why = format!("the symmetric part of M has rank {rank} < {n}");
    ensure(rank == n, why)
}

/// M diag(d) is strictly diagonally dominant by rows with a positive diagonal, as is every
/// principal submatrix; their determinants are positive (Gershgorin, along the path to the
/// diagonal), and those of M differ by the factors d.
fn check_dominant(m: &Matrix, weights: &[Number], budget: &Budget) -> Result<(), CertificateError> {
    check_length("weights", weights.len(), m.n())?;
    let (d, _weights) = exact(weights, budget)?;
    let is_positive = d.iter().all(|weight| *weight > 0);
    ensure(is_positive, "the weights must be positive")?;
    let (d, zero) = (ExactVector::new(&d, budget)?, Number::from(0));
    for i in 0..m.n() {
        let mut row = IntegerRow::new(m.row(i), &zero, budget)?;
        for (j, value) in &mut row.entries {
            if *j != i {
                *value = -Integer::from(value.abs_ref());
            }
        }
        let why = format_args!("row {i} is not dominated by its diagonal");
        ensure(d.sums(&row, budget)?.w > 0, why)?;
    }
    Ok(())
}

/// M is P if and only if M_11 > 0 and both M without its first row and column and the Schur
/// complement of M_11 are P (Tsatsomeros and Li 2000): 2^n - 1 pivots in all. With S the pivots
/// so far, a block holds the minors det M[S + i, S + j], all positive multiples of its entries.
fn check_minors(m: &Matrix, budget: &Budget) -> Result<(), CertificateError> {
    let n = m.n();
    let why = format!("{n} rows are too many for all principal minors (limit {MAX_MINORS})");
    ensure(n <= MAX_MINORS, why)?;
    let (rows, _held) = integral(m, budget)?;
    // 2^k blocks have lost k rows, as pivots or without.
    let _minors = spend_elimination(&rows, |left| (left * left) << (n as u64 - left), budget)?;
    let mut stack = vec![(rows, Integer::from(1))];
    while let Some((block, previous)) = stack.pop() {
        let Some((first, rest)) = block.split_first() else {
            continue;
        };
        let pivot = &first[0];
        ensure(*pivot > 0, "a principal minor is not positive")?;
        let schur = |row: &Vec<Integer>| {
            let pairs = row[1..].iter().zip(&first[1..]);
            pairs
                .map(|(value, above)| {
                    let minor = Integer::from(value * pivot) - Integer::from(&row[0] * above);
                    minor.div_exact(&previous)
                })
                .collect()
        };
        stack.push((rest.iter().map(schur).collect(), pivot.clone()));
        let without = rest.iter().map(|row| row[1..].to_vec()).collect();
        stack.push((without, previous));
    }
    Ok(())
}

/// Spends what it takes to eliminate such rows without fractions, `changed(left)` entries in the
/// step that begins with so many rows left. After k steps entries are minors of k + 1 rows, by
/// Hadamard's inequality at most (k + 1)^((k + 1) / 2) times the longest entry to the power k + 1: five
/// bits more than an entry for each row, as k < 1024.
fn spend_elimination<'b>(
    rows: &[Vec<Integer>],
    changed: impl Fn(u64) -> u64,
    budget: &'b Budget,
) -> Result<Held<'b>, OverBudget> {
    let (n, entry) = (rows.len() as u64, longest(rows) + 5);
    let mut held = budget.hold(0, 0)?;
    for left in 1..=n {
        let size = (n - left + 2) * entry;
        // Two products and a division for each; one row and column then keep their size. (The
        // blocks of minors that wait are at most 16, of less than 16 rows.)
        budget.multiply(3 * changed(left), size, size)?;
        held.more(2 * left, 2 * left * size)?;
    }
    Ok(held)
}

fn longest(rows: &[Vec<Integer>]) -> u64 {
    rows.iter().flatten().map(bits).max().unwrap_or(0)
}

/// M times the common denominator of its entries, zeros included.
fn integral<'b>(
    m: &Matrix,
    budget: &'b Budget,
) -> Result<(Vec<Vec<Integer>>, Held<'b>), CertificateError> {
    let n = check_elimination(m.n())?;
    let (places, numbers): (Vec<_>, Vec<_>) = (0..n)
        .flat_map(|i| m.row(i).map(move |(j, number)| ((i, j), number)))
        .unzip();
    let (values, _values) = exact(numbers, budget)?;
    let (numerators, _, held) = numerators(&values, u64::MAX, budget)?;
    let mut rows = vec![vec![Integer::new(); n]; n];
    for ((i, j), numerator) in places.into_iter().zip(numerators) {
        rows[i][j] = numerator;
    }
    Ok((rows, held))
}

/// Refuses what would be too large to eliminate.
pub(crate) fn check_elimination(n: usize) -> Result<usize, CertificateError> {
    let why = format!("{n} rows are too many to eliminate exactly (limit {MAX_ELIMINATION})");
    ensure(n <= MAX_ELIMINATION, why)?;
    Ok(n)
}

/// The rank of a symmetric positive semidefinite integer matrix; an error when it is none. Each
/// step pivots on a positive diagonal entry, if need be after others; a zero on the diagonal of
/// a positive semidefinite matrix has a zero row. Only the lower triangle is kept up.
fn definiteness(mut rows: Vec<Vec<Integer>>, budget: &Budget) -> Result<usize, CertificateError> {
    let _minors = spend_elimination(&rows, |left| left * (left + 1) / 2, budget)?;
    let mut active: Vec<usize> = (0..rows.len()).collect();
    let mut previous = Integer::from(1);
    let mut rank = 0;
    loop {
        let why = "not positive semidefinite: a pivot is negative";
        ensure(active.iter().all(|&i| rows[i][i] >= 0), why)?;
        let Some(position) = active.iter().position(|&i| rows[i][i] > 0) else {
            break;
        };
        let p = active.remove(position);
        let pivot = rows[p][p].clone();
        let entry = |&i: &usize| rows[i.max(p)][i.min(p)].clone();
        let column: Vec<Integer> = active.iter().map(entry).collect();
        for (a, &i) in active.iter().enumerate() {
            for (b, &j) in active.iter().enumerate().take(a + 1) {
                let value = &mut rows[i][j];
                *value *= &pivot;
                *value -= &column[a] * &column[b];
                value.div_exact_mut(&previous);
            }
        }
        previous = pivot;
        rank += 1;
    }
    // All diagonal entries left are 0; so must be all else.
    for (a, &i) in active.iter().enumerate() {
        let why = "not positive semidefinite: a zero on the diagonal meets a nonzero";
        ensure(active[..a].iter().all(|&j| rows[i][j] == 0), why)?;
    }
    Ok(rank)
}
