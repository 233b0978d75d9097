//! Proposals for what `etalon-certify` can prove about a matrix.

use etalon_certify::{MAX_MINORS, check_p_matrix, check_symmetric_psd};
use etalon_lcp::{Certificate, Matrix, Number, PMatrixProof, Problem};

/// The largest matrix of binary64 data for dense elimination. Chosen for its time.
pub(crate) const MAX_ELIMINATION: usize = 120;

/// The largest matrix of which all principal minors are computed, 2^10. Chosen for its time.
const QUICK_MINORS: usize = 10;

/// The largest number of sweeps for the weights of a diagonally dominant matrix. Chosen: the checker tests the
/// weights exactly, so the number decides only when to stop.
const MAX_SWEEPS: usize = 200;

/// A certificate that the problem's z is unique, by the class of its matrix alone.
pub fn unique_z(problem: &Problem) -> Option<Certificate> {
    if !problem.friction().is_empty() {
        return None;
    }
    let m = problem.m();
    // In the order of what the checker pays: a product, an elimination, 2^n minors.
    let proofs = [
        dominant_weights(m).map(|weights| PMatrixProof::DiagonallyDominant { weights }),
        (m.n() <= MAX_ELIMINATION).then_some(PMatrixProof::PositiveDefinite),
        (m.n() <= QUICK_MINORS.min(MAX_MINORS)).then_some(PMatrixProof::PrincipalMinors),
    ];
    let holds = |proof: &PMatrixProof| check_p_matrix(m, proof).is_ok();
    proofs
        .into_iter()
        .flatten()
        .find(holds)
        .map(Certificate::PMatrix)
}

/// A certificate that the problem's w is unique, by the class of its matrix alone.
pub fn unique_w(problem: &Problem) -> Option<Certificate> {
    let quick = problem.friction().is_empty() && problem.n() <= MAX_ELIMINATION;
    let holds = quick && check_symmetric_psd(problem.m()).is_ok();
    holds.then_some(Certificate::SymmetricPsd)
}

/// Weights d with M_ii d_i = 1 + sum of |M_ij| d_j, nearly, by Gauss-Seidel sweeps, which settle
/// exactly where such weights exist. Floats only propose here.
fn dominant_weights(m: &Matrix) -> Option<Vec<Number>> {
    let n = m.n();
    let rows: Vec<Vec<(usize, f64)>> = (0..n)
        .map(|i| m.row(i).map(|(j, value)| (j, value.to_f64())).collect())
        .collect();
    let diagonal: Option<Vec<f64>> = (0..n)
        .map(|i| m.get(i, i).map(Number::to_f64).filter(|value| *value > 0.0))
        .collect();
    let diagonal = diagonal?;
    let mut d = vec![0.0; n];
    for _ in 0..MAX_SWEEPS {
        let before = d.clone();
        for i in 0..n {
            let others = rows[i].iter().filter(|(j, _)| *j != i);
            let sum: f64 = others.map(|(j, value)| value.abs() * d[*j]).sum();
            d[i] = (1.0 + sum) / diagonal[i];
        }
        // 1e-3 is chosen: the checker tests the weights exactly. Above 1e60 they grow without end.
        let settled = d
            .iter()
            .zip(&before)
            .all(|(new, old)| (new - old).abs() <= 1e-3 * new);
        if settled || d.iter().any(|value| *value > 1e60) {
            break;
        }
    }
    d.into_iter()
        .map(|value| Number::from_f64(short(value)))
        .collect()
}

/// The value with eight significant bits: certificates are read by people too.
fn short(value: f64) -> f64 {
    // To nearest. A carry into the exponent is right: the value rounds to a power of two.
    let bits = value.to_bits() + (1 << 44);
    f64::from_bits(bits & !((1 << 45) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A matrix with |M_ii| d_i > sum of |M_ij| d_j for d_j = 1 / `units[j]`.
    fn dominant(entries: &[Vec<i64>], units: &[i64]) -> Problem {
        let n = units.len();
        let rows: Vec<Vec<i64>> = (0..n)
            .map(|i| {
                let sum: i64 = (0..n)
                    .filter(|&j| j != i)
                    .map(|j| entries[i][j].abs())
                    .sum();
                let value = |j: usize| if i == j { sum + 1 } else { entries[i][j] };
                (0..n).map(|j| value(j) * units[j]).collect()
            })
            .collect();
        crate::testing::problem(&rows, &vec![-1; n])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// A matrix that is dominant in some units of its columns is a P-matrix, and weights prove it.
        #[test]
        fn dominant_matrices_in_any_units_are_told_by_their_weights(
            entries in prop::collection::vec(prop::collection::vec(-3i64..=3, 12), 12),
            powers in prop::collection::vec(0u32..6, 12),
        ) {
            let units: Vec<i64> = powers.iter().map(|&power| 1 << power).collect();
            let problem = dominant(&entries, &units);
            let proof = unique_z(&problem);
            let told = matches!(
                proof,
                Some(Certificate::PMatrix(PMatrixProof::DiagonallyDominant { .. }))
            );
            prop_assert!(told, "{:?}", proof);
        }

        /// No number of eight significant bits is nearer.
        #[test]
        fn what_is_short_is_the_nearest_number_of_eight_bits(value in 1e-3f64..1e12) {
            let near = short(value);
            let unit = 2f64.powi(value.log2().floor() as i32 - 7);
            prop_assert_eq!((near / unit).fract(), 0.0);
            prop_assert!((near - value).abs() <= unit / 2.0, "{} for {}", near, value);
        }
    }
}
