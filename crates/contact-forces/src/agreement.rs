//! A bound on the distance of approximate accelerations from the exact ones.
//!
//! Frictionless forces are not unique, accelerations are, and they depend on the forces
//! monotonically. Let z solve w = A z + b exactly. Let z' >= 0 be an approximation with
//! w' = A z' + b, s = |A||z'| + |b| and the backward error eps. That means w'_i >= -eps s_i, and
//! |w'_i| <= eps s_i where z'_i > 0 or the row is bilateral. With A = J M^-1 J',
//!
//! > (acc' - acc)'M (acc' - acc) = (z' - z)'A (z' - z) = (z' - z)'(w' - w)
//! > <= eps (sum of (z'_i + z_i) s_i + sum of |z'_j - z_j| s_j),
//!
//! i over contacts and j over bilateral rows: of the four products z'_i w'_i, -z'_i w_i, -z_i w'_i
//! and z_i w_i the second is not positive and the last is zero. So an answer of backward error eps has
//! the exact accelerations within the square root of eps times the sizes of the problem, however
//! singular A is.

use rug::Rational;

use crate::error::ForceError;
use crate::formulation::{Formulation, RowKind};

/// The difference of two accelerations with its bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreement {
    /// The componentwise backward error of the approximation.
    pub backward_error: Rational,
    /// (acc' - acc)'M (acc' - acc), kg m^2/s^4.
    pub difference: Rational,
    /// The bound on the difference.
    pub bound: Rational,
}

impl Agreement {
    /// Whether the difference is within the bound; anything else is an error of the program.
    pub fn holds(&self) -> bool {
        self.difference <= self.bound
    }
}

impl Formulation<Rational> {
    /// Compares the accelerations of approximate forces with those of exact ones. `None` where there
    /// is friction, static or of sliding: accelerations need not be unique then. Nor where a drive holds its speed: the bound is
    /// derived for rows with one bound or none.
    ///
    /// # Errors
    /// [`ForceError::Length`].
    pub fn agreement(
        &self,
        exact: &[Rational],
        approximate: &[Rational],
    ) -> Result<Option<Agreement>, ForceError> {
        let n = self.n();
        for length in [exact.len(), approximate.len()] {
            if length != n {
                return Err(ForceError::Length { length, n });
            }
        }
        if self.rubs() || self.holds() {
            return Ok(None);
        }
        let (mut error, mut weight) = (Rational::new(), Rational::new());
        let mut difference = Rational::new();
        let gap: Vec<Rational> = approximate
            .iter()
            .zip(exact)
            .map(|(own, exact)| own.clone() - exact)
            .collect();
        for (i, kind) in self.rows().iter().enumerate() {
            let mut w = self.b()[i].clone();
            let mut size = w.clone().abs();
            let mut moved = Rational::new();
            for (j, a) in self.a().row(i).iter().enumerate() {
                if *a == 0 {
                    continue;
                }
                let product = a.clone() * &approximate[j];
                size += Rational::from(product.abs_ref());
                w += product;
                moved += a.clone() * &gap[j];
            }
            difference += moved * &gap[i];
            let joint = matches!(kind, RowKind::Joint(_));
            weight += if joint {
                gap[i].clone().abs() * &size
            } else {
                (approximate[i].clone() + &exact[i]) * &size
            };
            // A positive w counts only where z > 0, which is what complementarity forbids.
            let wrong = joint || w < 0 || approximate[i] > 0;
            // `size` adds the sizes of the terms of w: it is not 0 where w is not.
            if wrong && w != 0 {
                error = error.max(w.abs() / size);
            }
            // The bound is derived for z' >= 0; 1 is the largest backward error that a row can
            // have.
            if !joint && approximate[i] < 0 {
                error = error.max(Rational::from(1));
            }
        }
        Ok(Some(Agreement {
            bound: error.clone() * weight,
            backward_error: error,
            difference,
        }))
    }
}
