//! The problem of contact forces as a record.

use etalon_lcp::{Bound, Friction, Matrix, Number, Problem};
use etalon_rigid::Scalar;

use super::{Formulation, RowKind};
use crate::error::ForceError;

impl<S: Scalar> Formulation<S> {
    /// The problem w = A z + b as a record, with bilateral and friction rows.
    ///
    /// # Errors
    /// [`ForceError::Problem`] when binary64 data overflowed, [`ForceError::Circular`] where the
    /// circular cone is asked for.
    pub fn problem(&self, name: &str) -> Result<Problem, ForceError> {
        if self.is_circular() {
            return Err(ForceError::Circular);
        }
        let row = |i: usize| self.a.row(i).iter().map(S::to_number).collect();
        let rows: Option<Vec<Vec<Number>>> = (0..self.n()).map(row).collect();
        let q: Option<Vec<Number>> = self.b.iter().map(S::to_number).collect();
        let (Some(rows), Some(q)) = (rows, q) else {
            return Err(ForceError::Problem("A or b overflowed".to_owned()));
        };
        let matrix = Matrix::from_rows(rows).map_err(|e| ForceError::Problem(e.to_string()))?;
        let problem = Problem::new(name, matrix, q)?;
        let problem = match self.lower() {
            None => problem,
            lower => problem.with_bounds(lower, None)?,
        };
        Ok(problem.with_friction(self.friction_rows()?)?)
    }

    fn lower(&self) -> Option<Vec<Bound>> {
        let bound = |row: &RowKind| match row {
            RowKind::Joint(_) => Bound::NegativeInfinity,
            _ => Bound::Finite(Number::from(0)),
        };
        let any = !self.system.joints.is_empty();
        any.then(|| self.rows.iter().map(bound).collect())
    }

    fn friction_rows(&self) -> Result<Vec<Friction>, ForceError> {
        let mut friction = Vec::new();
        for (row, kind) in self.rows.iter().enumerate() {
            let RowKind::Tangent { contact, .. } = *kind else {
                continue;
            };
            let mu = self.system.contacts[contact].mu.to_number();
            if let (Some(mu), Some(normal)) = (mu, self.row(RowKind::Normal(contact))) {
                friction.push(Friction { row, normal, mu });
            }
        }
        Ok(friction)
    }
}
