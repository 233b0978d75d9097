//! The problem, friction rows included, and the check straight from its definition.

use super::linear::dot;
use malachite::Rational;
use malachite::base::num::basic::traits::Zero;

/// A box-constrained linear complementarity problem, with friction rows.
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
    /// For a friction row its normal row `n` and its coefficient `mu`: its bounds are `-mu z_n` and
    /// `mu z_n`, in place of its own. No normal row is a friction row.
    pub friction: Vec<Option<(usize, Rational)>>,
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
        Ok(Self {
            m,
            q,
            lower,
            upper,
            friction: vec![None; n],
        })
    }

    /// The same problem with friction rows, given as row, normal row and coefficient.
    ///
    /// # Errors
    /// Refuses rows that there are not, rows named twice, normal rows that are friction rows or may
    /// be negative, and negative coefficients.
    pub fn with_friction(mut self, rows: &[(usize, usize, Rational)]) -> Result<Self, String> {
        let n = self.size();
        for (row, normal, mu) in rows {
            if *row >= n || *normal >= n || *mu < 0 {
                return Err(format!("friction of row {row}: normal {normal}, mu {mu}"));
            }
            if self.friction[*row].replace((*normal, mu.clone())).is_some() {
                return Err(format!("friction row {row} is named twice"));
            }
        }
        for (_, normal, _) in rows {
            let positive = self.lower[*normal].as_ref().is_some_and(|low| *low >= 0);
            if self.friction[*normal].is_some() || !positive {
                return Err(format!("row {normal} is no normal row"));
            }
        }
        Ok(self)
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
            let (at_lower, at_upper) = self.touches(i, z);
            self.within(i, z) && (at_lower || w[i] <= 0) && (at_upper || w[i] >= 0)
        })
    }

    /// The bounds of row `i`, those of a friction row taken at `z`.
    pub(super) fn bounds(&self, i: usize, z: &[Rational]) -> (Option<Rational>, Option<Rational>) {
        match &self.friction[i] {
            Some((normal, mu)) => {
                let reach = mu * &z[*normal];
                (Some(-&reach), Some(reach))
            }
            None => (self.lower[i].clone(), self.upper[i].clone()),
        }
    }

    /// Whether `z_i` is within the bounds of row `i`.
    pub(super) fn within(&self, i: usize, z: &[Rational]) -> bool {
        let (low, high) = self.bounds(i, z);
        low.is_none_or(|bound| z[i] >= bound) && high.is_none_or(|bound| z[i] <= bound)
    }

    /// Whether `z_i` is at the lower and at the upper bound of row `i`.
    pub(super) fn touches(&self, i: usize, z: &[Rational]) -> (bool, bool) {
        let (low, high) = self.bounds(i, z);
        let at = |bound: Option<Rational>| bound.is_some_and(|bound| bound == z[i]);
        (at(low), at(high))
    }
}
