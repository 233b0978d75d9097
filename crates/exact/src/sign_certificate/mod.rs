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
#[cfg(test)]
mod engines;
mod general;
mod residual;
pub(crate) mod simd;
#[cfg(test)]
mod tests;

use etalon_lcp::{Basis, MixedLcp};

use bounds::{gamma, up};
use data::System;
use simd::{Kernel, dispatch};

/// The proved signs of a basis.
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
    prove(lcp, basis, None).unwrap_or(SignProof::Undecided)
}

/// The same, from an approximate solution z of n values, such as the one that the basis came with:
/// if it is good, nothing has to be solved anew. What is proved does not depend on it, but whether
/// something is proved may; of another length, it is ignored.
pub fn sign_certificate_near(lcp: &MixedLcp, basis: &Basis, z: &[f64]) -> SignProof {
    let near = (z.len() == lcp.n()).then_some(z);
    prove(lcp, basis, near).unwrap_or(SignProof::Undecided)
}

/// An approximate solution x of A x = b in the scaled units, and what it may be off by.
struct Enclosure {
    x: Vec<f64>,
    /// |x_j - exact x_j| <= radius for all j. Never NaN.
    radius: f64,
}

fn prove(lcp: &MixedLcp, basis: &Basis, near: Option<&[f64]>) -> Option<SignProof> {
    if basis.n() != lcp.n() {
        return None;
    }
    let system = System::new(lcp, basis)?;
    let near = near.map(|z| system.scaled(z));
    let definite = system.symmetric.then(|| cholesky::enclose(&system, near));
    let enclosure = definite.flatten().or_else(|| general::enclose(&system))?;
    let rounding = Rounding::of(system.k, &enclosure)?;
    let mut row = vec![0.0; system.k];
    let mut places = system.alpha.iter().enumerate().peekable();
    let mut undecided = false;
    for i in 0..lcp.n() {
        let (value, radius) = match places.next_if(|(_, j)| **j == i) {
            Some((k, _)) => (enclosure.x[k], enclosure.radius),
            None => {
                data::gather(lcp, i, &system.alpha, &mut row)?;
                let q = lcp.q()[i].as_binary64()?;
                dispatch(RowValue {
                    q,
                    row: &row,
                    columns: &system.columns,
                    enclosure: &enclosure,
                    rounding: &rounding,
                })?
            }
        };
        // The exact value is within `radius` of the computed one: at least 0 here, and below 0 in the next
        // case.
        if value >= radius || lcp.bilateral()[i] {
            continue;
        }
        if value < -radius {
            return Some(SignProof::Wrong { row: i });
        }
        undecided = true;
    }
    (!undecided).then_some(SignProof::Solved)
}

/// The common data of all rows off the basis.
struct Rounding {
    gamma: f64,
    lost: f64,
}

impl Rounding {
    /// For sums of k products.
    fn of(k: usize, enclosure: &Enclosure) -> Option<Self> {
        Some(Self {
            gamma: gamma(k + 2)?,
            lost: bounds::underflow(3 * k) * (1.0 + enclosure.largest()),
        })
    }
}

/// w_i at the approximate solution, and what it may be off by.
struct RowValue<'a> {
    q: f64,
    row: &'a [f64],
    columns: &'a [f64],
    enclosure: &'a Enclosure,
    rounding: &'a Rounding,
}

impl Kernel for RowValue<'_> {
    type Output = Option<(f64, f64)>;

    #[inline(always)]
    fn run<const FUSED: bool>(self) -> Self::Output {
        let terms = self.row.len();
        // Multiplied by a power of two, an entry stays exact unless it underflows; then, as for
        // the product, the loss is below the least positive number.
        let x = &self.enclosure.x;
        let [sum, size] = simd::fold3(self.row, self.columns, x, |m, c, x| {
            let product = m * c * x;
            [product, product.abs()]
        });
        let weight = simd::fold(self.row, self.columns, |m, c| [(m * c).abs()])[0];
        // An m c of 0 may be an underflow, so zeros are looked for in the row itself.
        if weight == 0.0 && self.row.iter().all(|m| *m == 0.0) {
            return Some((self.q, 0.0));
        }
        let rounding = self.rounding.gamma * up(self.q.abs() + size, terms + 1);
        let distance = up(weight, terms) * self.enclosure.radius;
        let radius = up(rounding + distance + self.rounding.lost, terms + 8);
        radius.is_finite().then_some((self.q + sum, radius))
    }
}

impl Enclosure {
    /// At least the largest |x_j| + radius.
    fn largest(&self) -> f64 {
        let largest = self.x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        up(largest + self.radius, 2)
    }
}
