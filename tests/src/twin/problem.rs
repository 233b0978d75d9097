//! The problem, and the check straight from its definition.

use super::linear::dot;
use malachite::Rational;
use malachite::base::num::basic::traits::Zero;

/// A box-constrained linear complementarity problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The rows of the square matrix.
    pub m: Vec<Vec<Rational>>,
    /// The constant term of `w = M z + q`.
    pub q: Vec<Rational>,
    /// Lower bounds; `None` is minus infinity.
    pub lower: Vec<Option<Rational>>,
    /// Upper bounds; `None` is plus infinity.
    pub upper: Vec<Option<Rational>>,
}

impl Problem {
    /// The pure problem: `z >= 0`, `w >= 0`, `z'w = 0`.
    ///
    /// # Errors
    /// Refuses a matrix that is not square or not of the size of `q`.
    pub fn pure(m: Vec<Vec<Rational>>, q: Vec<Rational>) -> Result<Self, String> {
        let n = q.len();
        Self::boxed(m, q, vec![Some(Rational::ZERO); n], vec![None; n])
    }

    /// A problem with its own bounds on every entry.
    ///
    /// # Errors
    /// Refuses sizes that do not fit together and bounds that cross.
    pub fn boxed(
        m: Vec<Vec<Rational>>,
        q: Vec<Rational>,
        lower: Vec<Option<Rational>>,
        upper: Vec<Option<Rational>>,
    ) -> Result<Self, String> {
        let n = q.len();
        if m.len() != n || lower.len() != n || upper.len() != n {
            let found = (m.len(), lower.len(), upper.len());
            return Err(format!(
                "q has {n} entries; rows of M and bounds: {found:?}"
            ));
        }
        if let Some(i) = m.iter().position(|row| row.len() != n) {
            return Err(format!("row {i} of M has {} entries, not {n}", m[i].len()));
        }
        for i in 0..n {
            if let (Some(low), Some(high)) = (&lower[i], &upper[i])
                && low > high
            {
                return Err(format!("the bounds of row {i} cross: {low} > {high}"));
            }
        }
        Ok(Self { m, q, lower, upper })
    }

    /// The number of rows.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q.len()
    }

    /// `w = M z + q`; `z` must have [`Problem::size`] entries.
    #[must_use]
    pub fn w(&self, z: &[Rational]) -> Vec<Rational> {
        let rows = self.m.iter().zip(&self.q);
        rows.map(|(row, constant)| dot(row, z) + constant).collect()
    }

    /// Whether `z` solves the problem exactly, straight from the definition. A `z` of another
    /// length does not.
    #[must_use]
    pub fn solves(&self, z: &[Rational]) -> bool {
        if z.len() != self.size() {
            return false;
        }
        let w = self.w(z);
        (0..self.size()).all(|i| {
            let (at_lower, at_upper) = self.touches(i, &z[i]);
            self.within(i, &z[i]) && (at_lower || w[i] <= 0) && (at_upper || w[i] >= 0)
        })
    }

    /// Whether `value` is within the bounds of row `i`.
    pub(super) fn within(&self, i: usize, value: &Rational) -> bool {
        self.lower[i].as_ref().is_none_or(|bound| value >= bound)
            && self.upper[i].as_ref().is_none_or(|bound| value <= bound)
    }

    /// Whether `value` is at the lower and at the upper bound of row `i`.
    pub(super) fn touches(&self, i: usize, value: &Rational) -> (bool, bool) {
        let at = |bound: &Option<Rational>| bound.as_ref() == Some(value);
        (at(&self.lower[i]), at(&self.upper[i]))
    }
}
