//! Classes of matrices that decide uniqueness, by exact elimination.

use etalon_lcp::{Matrix, Number, PMatrixProof};
use rug::{Integer, Rational};

use crate::CertificateError;

/// The largest n for which all 2^n - 1 principal minors are computed.
pub const MAX_MINORS: usize = 16;

/// The largest n that is eliminated densely: numbers grow to n times the bits of the data, so
/// beyond this a certificate could take memory without measure.
pub const MAX_ELIMINATION: usize = 500;

/// The largest work of an exact elimination, as [`check_work`] reckons it: some ten seconds.
/// A certificate must not be able to keep the checker busy for ever.
const MAX_WORK: u128 = 1 << 36;

/// Checks that M is symmetric positive semidefinite, by a fraction-free LDL'. Then all solutions
/// share w: for two of them (z - y)'M(z - y) <= 0, so M(z - y) = 0 (CPS theorem 3.1.7; the same
/// argument holds for boxes and bilateral rows).
///
/// # Errors
/// The entry or the pivot that shows the contrary.
pub fn check_symmetric_psd(m: &Matrix) -> Result<(), CertificateError> {
    let dense = dense(m)?;
    for (i, row) in dense.iter().enumerate() {
        if let Some(j) = (0..i).find(|&j| row[j] != dense[j][i]) {
            return Err(CertificateError::new(format!(
                "M[{i}][{j}] and M[{j}][{i}] differ"
            )));
        }
    }
    definiteness(integral(dense)).map(|_| ())
}

/// Checks a proof that M is a P-matrix, so that every LCP with it has exactly one solution (CPS
/// theorem 3.3.7; for boxes: Facchinei and Pang, Finite-Dimensional Variational Inequalities,
/// section 3.5).
///
/// # Errors
/// What does not hold.
pub fn check_p_matrix(m: &Matrix, proof: &PMatrixProof) -> Result<(), CertificateError> {
    match proof {
        PMatrixProof::PositiveDefinite => check_positive_definite(m),
        PMatrixProof::DiagonallyDominant { weights } => check_dominant(m, weights),
        PMatrixProof::PrincipalMinors => check_minors(m),
        _ => Err(CertificateError::new(
            "a kind of proof that this checker does not know",
        )),
    }
}

/// x'Mx > 0 for x != 0 leaves no sign-reversing vector, so M is P (CPS theorem 3.3.4).
fn check_positive_definite(m: &Matrix) -> Result<(), CertificateError> {
    let dense = dense(m)?;
    let n = dense.len();
    let entry = |i: usize, j: usize| Rational::from(&dense[i][j] + &dense[j][i]);
    let symmetric = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect());
    let rank = definiteness(integral(symmetric.collect()))?;
    if rank == n {
        return Ok(());
    }
    Err(CertificateError::new(format!(
        "the symmetric part of M has rank {rank} < {n}"
    )))
}

/// M diag(d) is strictly diagonally dominant by rows with a positive diagonal, as is every
/// principal submatrix; their determinants are positive (Gershgorin, along the path to the
/// diagonal), and those of M differ by the factors d.
fn check_dominant(m: &Matrix, weights: &[Number]) -> Result<(), CertificateError> {
    if weights.len() != m.n() {
        return Err(CertificateError::new(
            "there must be one weight for each row",
        ));
    }
    let d: Vec<Rational> = weights.iter().map(Number::to_rational).collect();
    if let Some(j) = d.iter().position(|weight| *weight <= 0) {
        return Err(CertificateError::new(format!(
            "weights[{j}] is not positive"
        )));
    }
    for i in 0..m.n() {
        let mut excess = Rational::new();
        for (j, value) in m.row(i) {
            let term = value.to_rational() * &d[j];
            if j == i {
                excess += term;
            } else {
                excess -= term.abs();
            }
        }
        if excess <= 0 {
            return Err(CertificateError::new(format!(
                "row {i} is not dominated by its diagonal"
            )));
        }
    }
    Ok(())
}

/// M is P if and only if M_11 > 0 and both M without its first row and column and the Schur
/// complement of M_11 are P (Tsatsomeros and Li 2000): 2^n - 1 pivots in all.
fn check_minors(m: &Matrix) -> Result<(), CertificateError> {
    if m.n() > MAX_MINORS {
        let error = format!(
            "{} rows are too many for all principal minors (limit {MAX_MINORS})",
            m.n()
        );
        return Err(CertificateError::new(error));
    }
    let dense = dense(m)?;
    // 2^n Schur complements of ever smaller blocks, on fractions that grow with the depth.
    let bits = dense.iter().flatten().map(fraction_bits).max().unwrap_or(1);
    let n = m.n() as u128;
    check_work((n * n) << m.n(), bits)?;
    let mut stack = vec![dense];
    while let Some(block) = stack.pop() {
        let Some((first, rest)) = block.split_first() else {
            continue;
        };
        let pivot = &first[0];
        if *pivot <= 0 {
            return Err(CertificateError::new("a principal minor is not positive"));
        }
        let schur = |row: &Vec<Rational>| {
            let factor = Rational::from(&row[0] / pivot);
            let pairs = row[1..].iter().zip(&first[1..]);
            pairs
                .map(|(value, above)| value - Rational::from(&factor * above))
                .collect()
        };
        stack.push(rest.iter().map(schur).collect());
        stack.push(rest.iter().map(|row| row[1..].to_vec()).collect());
    }
    Ok(())
}

fn fraction_bits(value: &Rational) -> u32 {
    value.numer().significant_bits() + value.denom().significant_bits()
}

/// Refuses an elimination of n rows of integers of so many bits that would take too long: n^3
/// products of numbers that grow to n times the bits.
pub(crate) fn check_elimination_work(n: usize, bits: u32) -> Result<(), CertificateError> {
    let n = n as u128;
    check_work(n * n * n * n, bits)
}

/// Refuses so many products of numbers of so many bits, where that is too much.
fn check_work(products: u128, bits: u32) -> Result<(), CertificateError> {
    if products * u128::from(bits) > MAX_WORK {
        let error =
            format!("numbers of {bits} bits are too large for an exact elimination of this size");
        return Err(CertificateError::new(error));
    }
    Ok(())
}

fn dense(m: &Matrix) -> Result<Vec<Vec<Rational>>, CertificateError> {
    let n = check_elimination(m.n())?;
    let rows = (0..n).map(|i| {
        let mut row = vec![Rational::new(); n];
        for (j, value) in m.row(i) {
            row[j] = value.to_rational();
        }
        row
    });
    Ok(rows.collect())
}

/// Refuses what would be too large to eliminate.
pub(crate) fn check_elimination(n: usize) -> Result<usize, CertificateError> {
    if n > MAX_ELIMINATION {
        let error = format!("{n} rows are too many to eliminate exactly (limit {MAX_ELIMINATION})");
        return Err(CertificateError::new(error));
    }
    Ok(n)
}

/// The matrix times its common denominator.
fn integral(rows: Vec<Vec<Rational>>) -> Vec<Vec<Integer>> {
    let mut common = Integer::from(1);
    for value in rows.iter().flatten() {
        common.lcm_mut(value.denom());
    }
    let integer = |value: Rational| {
        let (numerator, denominator) = value.into_numer_denom();
        numerator * Integer::from(common.div_exact_ref(&denominator))
    };
    rows.into_iter()
        .map(|row| row.into_iter().map(integer).collect())
        .collect()
}

/// The rank of a symmetric positive semidefinite integer matrix; an error when it is none. Each
/// step pivots on a positive diagonal entry, if need be after others; a zero on the diagonal of
/// a positive semidefinite matrix has a zero row. Only the lower triangle is kept up.
fn definiteness(mut rows: Vec<Vec<Integer>>) -> Result<usize, CertificateError> {
    let bits = rows.iter().flatten().map(Integer::significant_bits).max();
    check_elimination_work(rows.len(), bits.unwrap_or(1))?;
    let mut previous = Integer::from(1);
    let mut active: Vec<usize> = (0..rows.len()).collect();
    let mut rank = 0;
    loop {
        if let Some(&i) = active.iter().find(|&&i| rows[i][i] < 0) {
            return Err(CertificateError::new(format!(
                "not positive semidefinite: a pivot of row {i} is negative"
            )));
        }
        let Some(position) = active.iter().position(|&i| rows[i][i] > 0) else {
            break;
        };
        let p = active.remove(position);
        let pivot = rows[p][p].clone();
        let column: Vec<Integer> = active
            .iter()
            .map(|&i| {
                if i > p {
                    rows[i][p].clone()
                } else {
                    rows[p][i].clone()
                }
            })
            .collect();
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
        if let Some(&j) = active[..a].iter().find(|&&j| rows[i][j] != 0) {
            let error = format!(
                "not positive semidefinite: a zero on the diagonal meets a nonzero at ({i}, {j})"
            );
            return Err(CertificateError::new(error));
        }
    }
    Ok(rank)
}
