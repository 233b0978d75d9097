//! The signs of a basis proved in floating point, where they are far enough from zero.
//!
//! A filter before [`basis_solution`](crate::basis_solution), at about the price of one more
//! factorisation: it says that the point of a basis solves the problem, or that it does not, or
//! nothing. What it says is proved by bounds on every rounding error, derived in
//! `docs/sign-certificate.md`; rounding is to nearest throughout. It gives no exact values and
//! finds no exact zeros, on which it is always undecided.
//!
//! `etalon-certify` never uses it, and no verdict rests on it.

mod bounds;
mod cholesky;
mod data;
mod general;
#[cfg(test)]
mod tests;

use etalon_lcp::{Basis, MixedLcp};

use bounds::{gamma, up};
use data::System;

/// What the signs of a basis were proved to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignProof {
    /// The basis matrix is regular, z >= 0 on the complementary rows of the basis and w >= 0
    /// off the basis: its point solves the problem.
    Solved,
    /// The basis matrix is regular and this row has a negative z (in the basis) or w (off it).
    Wrong {
        /// The first such row.
        row: usize,
    },
    /// Nothing was proved: a sign too close to zero, an ill-conditioned or singular basis
    /// matrix, data that are not binary64 or beyond the range of a product, more than 4096 rows.
    Undecided,
}

/// Proves the signs of the point of a basis (see [`basis_solution`](crate::basis_solution)) in
/// floating point. The rows of the basis are those whose bit is set, and all bilateral ones.
///
/// For a basis of k rows: k^3 / 6 multiplications for a symmetric positive definite basis
/// matrix, 2 k^3 for others, and k n more.
///
/// ```
/// use etalon_exact::{SignProof, sign_certificate};
/// use etalon_lcp::{Matrix, MixedLcp, Number};
///
/// let row = |row: [f64; 2]| row.iter().map(|&v| Number::from_f64(v)).collect::<Option<_>>();
/// let rows = [[2.0, 1.0], [1.0, 2.0]].into_iter().map(row).collect::<Option<_>>().ok_or("finite")?;
/// let q = row([-5.0, -6.0]).ok_or("finite")?;
/// let lcp = MixedLcp::new(Matrix::from_rows(rows)?, q, vec![false; 2]).ok_or("lengths")?;
/// assert_eq!(sign_certificate(&lcp, &"11".parse()?), SignProof::Solved);
/// assert_eq!(sign_certificate(&lcp, &"01".parse()?), SignProof::Wrong { row: 0 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sign_certificate(lcp: &MixedLcp, basis: &Basis) -> SignProof {
    prove(lcp, basis).unwrap_or(SignProof::Undecided)
}

/// An approximate solution x of A x = b in the scaled units, and what it may be off by.
struct Enclosure {
    x: Vec<f64>,
    /// |x_j - exact x_j| <= radius for all j. Never NaN.
    radius: f64,
}

fn prove(lcp: &MixedLcp, basis: &Basis) -> Option<SignProof> {
    if basis.n() != lcp.n() {
        return None;
    }
    let system = System::new(lcp, basis)?;
    let symmetric = system.is_symmetric().then(|| cholesky::enclose(&system));
    let enclosure = symmetric.flatten().or_else(|| general::enclose(&system))?;
    let mut undecided = false;
    for i in (0..lcp.n()).filter(|&i| !lcp.bilateral()[i]) {
        let (value, radius) = match system.place(i) {
            Some(k) => (enclosure.x[k], enclosure.radius),
            None => row_value(lcp, &system, i, &enclosure)?,
        };
        if value >= radius {
            continue;
        }
        if value < -radius {
            return Some(SignProof::Wrong { row: i });
        }
        undecided = true;
    }
    (!undecided).then_some(SignProof::Solved)
}

/// w_i at the approximate solution, and what it may be off by.
fn row_value(
    lcp: &MixedLcp,
    system: &System,
    i: usize,
    enclosure: &Enclosure,
) -> Option<(f64, f64)> {
    let q = lcp.q()[i].as_binary64()?;
    let (mut sum, mut size, mut weight) = (q, q.abs(), 0.0);
    let mut terms = 0;
    for (j, value) in lcp.m().row(i) {
        let Some(k) = system.place(j) else {
            continue;
        };
        let value = value.as_binary64()? * system.column_unit(k);
        let product = value * enclosure.x[k];
        // Multiplied by a power of two, an entry stays exact unless it underflows; then, as
        // for the product, the loss is below the least positive number.
        sum += product;
        size += product.abs();
        weight += value.abs();
        terms += 1;
    }
    if terms == 0 {
        return Some((q, 0.0));
    }
    let rounding = gamma(terms + 2)? * size;
    let underflow = bounds::underflow(3 * terms) * (1.0 + enclosure.largest());
    let radius = up(
        rounding + up(weight, terms) * enclosure.radius + underflow,
        terms + 8,
    );
    radius.is_finite().then_some((sum, radius))
}

impl Enclosure {
    /// At least the largest |x_j| + radius.
    fn largest(&self) -> f64 {
        let largest = self.x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        up(largest + self.radius, 2)
    }
}
