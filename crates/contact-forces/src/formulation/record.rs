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
        let problem = match self.bounds()? {
            None => problem,
            Some((lower, upper)) => problem.with_bounds(Some(lower), upper)?,
        };
        Ok(problem.with_friction(self.friction_rows()?)?)
    }

    /// The lower and the upper bounds, where there are others than those of contacts.
    #[expect(clippy::type_complexity, reason = "a pair of lists, used once")]
    fn bounds(&self) -> Result<Option<(Vec<Bound>, Option<Vec<Bound>>)>, ForceError> {
        let bound = |i: usize| {
            let number = self.system.drives[i].bound.to_number();
            number.ok_or_else(|| ForceError::Problem("the bound of a drive overflowed".to_owned()))
        };
        let lower = |row: &RowKind| {
            Ok(match *row {
                RowKind::Joint(_) => Bound::NegativeInfinity,
                RowKind::Drive(i) => Bound::Finite(Number::from(-bound(i)?.to_rational())),
                _ => Bound::Finite(Number::from(0)),
            })
        };
        let upper = |row: &RowKind| {
            Ok(match *row {
                RowKind::Drive(i) => Bound::Finite(bound(i)?),
                _ => Bound::Infinity,
            })
        };
        if self.system.joints.is_empty() && !self.holds() {
            return Ok(None);
        }
        let lower: Result<_, ForceError> = self.rows.iter().map(lower).collect();
        let upper: Result<_, ForceError> = self.rows.iter().map(upper).collect();
        Ok(Some((lower?, self.holds().then_some(upper?))))
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
