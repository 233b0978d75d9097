//! Weights that show that Coulomb friction is weak beside its coupling.

use etalon_certify::Truth;
use etalon_lcp::{Certificate, Cone, Law, Number, Problem};
use nalgebra::DMatrix;
use rug::Rational;

use super::modes::tangents;

/// The largest problem that is tried: the eigenvalues are those of dense matrices. Chosen for its time.
const MAX_ROWS: usize = 120;

/// A proof that a Coulomb problem has a solution and that its velocities are unique, where h_c = lambda
/// S_cc serves: S the Schur complement of M on the normal rows, lambda the least eigenvalue of S scaled to
/// diagonal 1. None where the kernel does not confirm it.
pub(crate) fn contraction(problem: &Problem) -> Option<Certificate> {
    let (n, cones) = (problem.n(), problem.cones());
    let rows: usize = cones.iter().map(|cone| cone.rows().count()).sum();
    let is_coulomb = cones.iter().all(|cone| cone.law == Law::Coulomb);
    if !is_coulomb || rows != n || n > MAX_ROWS {
        return None;
    }
    let m = problem.m().to_dmatrix();
    let normals: Vec<_> = cones.iter().map(|cone| cone.normal).collect();
    let others: Vec<_> = (0..n).filter(|i| !normals.contains(i)).collect();
    let schur = schur(&m, &normals, &others)?;
    let scale: Vec<_> = (0..cones.len())
        .map(|c| schur[(c, c)].max(0.0).sqrt())
        .collect();
    // A normal row that resists with nothing has no unit, and h_c = 0 would say nothing.
    if scale.contains(&0.0) {
        return None;
    }
    let unit = DMatrix::from_fn(cones.len(), cones.len(), |i, j| {
        schur[(i, j)] / (scale[i] * scale[j])
    });
    let least = unit.symmetric_eigenvalues().min();
    // A little less, for rounding, and few digits: the certificate is written as text.
    let h: Vec<_> = scale
        .iter()
        .map(|own| rounded_down(0.999 * least * own * own))
        .collect::<Option<_>>()?;
    // More than the rounding of eigenvalues and of five digits: the kernel checks h and theta
    // exactly.
    let theta = rounded_down(1.002 * share(cones, &m, &h))?;
    let certificate = Certificate::Contraction {
        h: h.into_iter().map(Number::from_f64).collect::<Option<_>>()?,
        theta: Number::from_f64(theta)?,
    };
    Truth::default()
        .add_certificate(problem, &certificate)
        .ok()
        .map(|()| certificate)
}

/// The Schur complement on some rows.
fn schur(m: &DMatrix<f64>, on: &[usize], others: &[usize]) -> Option<DMatrix<f64>> {
    let part = |rows: &[usize], columns: &[usize]| {
        DMatrix::from_fn(rows.len(), columns.len(), |i, j| m[(rows[i], columns[j])])
    };
    if others.is_empty() {
        return Some(part(on, on));
    }
    let inner = part(others, others).lu().solve(&part(others, on))?;
    Some(part(on, on) - part(on, others) * inner)
}

/// The largest eigenvalue of W_TT scaled by h_c / (D_c mu_k^2).
fn share(cones: &[Cone], m: &DMatrix<f64>, h: &[f64]) -> f64 {
    let of_cone = |(cone, h): (&Cone, &f64)| {
        let (discs, h) = (cone.discs.len() as f64, *h);
        let rows: Vec<_> = cone.discs.iter().flat_map(tangents).collect();
        rows.into_iter()
            .map(move |(k, mu)| (k, mu * (discs / h).sqrt()))
    };
    let rows: Vec<_> = cones.iter().zip(h).flat_map(of_cone).collect();
    if rows.is_empty() {
        return 0.0;
    }
    let own = |i: usize, j: usize| m[(rows[i].0, rows[j].0)] * rows[i].1 * rows[j].1;
    DMatrix::from_fn(rows.len(), rows.len(), own)
        .symmetric_eigenvalues()
        .max()
}

/// A positive value with five digits, none where there is none.
fn rounded_down(value: f64) -> Option<f64> {
    let rounded: f64 = format!("{value:.4e}").parse().ok()?;
    (rounded >= 0.0 && Rational::from_f64(rounded).is_some()).then_some(rounded)
}

#[cfg(test)]
mod tests {
    use etalon_lcp::record;

    use super::*;

    /// So many contacts that have nothing to do with each other: friction is as weak as can be.
    fn apart(contacts: usize) -> Problem {
        let n = 3 * contacts;
        let row = |i: usize| {
            (0..n)
                .map(|j| u8::from(i == j).to_string())
                .collect::<Vec<_>>()
        };
        let rows: Vec<_> = (0..n).map(|i| format!("[{}]", row(i).join(","))).collect();
        let cone = |c: usize| {
            let rows = [3 * c, 3 * c + 1, 3 * c + 2];
            format!(r#"{{"rows": {rows:?}, "mu": 0.5, "law": "coulomb"}}"#)
        };
        let cones: Vec<_> = (0..contacts).map(cone).collect();
        let text = format!(
            r#"{{"name": "apart", "M": [{}], "q": {:?}, "cones": [{}]}}"#,
            rows.join(","),
            vec![-1; n],
            cones.join(",")
        );
        record::read_problem(&text).unwrap().record
    }

    #[test]
    fn contacts_apart_are_a_contraction_up_to_the_largest_problem() {
        assert!(contraction(&apart(1)).is_some());
        assert!(contraction(&apart(MAX_ROWS / 3)).is_some());
        assert!(contraction(&apart(MAX_ROWS / 3 + 1)).is_none());
    }
}
