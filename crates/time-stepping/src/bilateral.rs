//! Equations that hold at the end of a step: joints (Stewart and Trinkle 1996, equation 8).
//!
//! A joint f_j(q) = 0 enters a step linearised, as nu_j'v^(l+1) + f_j/h = 0 with nu_j its gradient, and with a
//! multiplier of any sign. With G the rows nu_j' and A = G M^-1 G' the multipliers follow from what else acts,
//!
//! > lambda = -A^-1 (G v + f/h),  v the velocity without joints,
//!
//! so they are eliminated, and contacts see (1 - M^-1 G'A^-1 G) M^-1 in place of M^-1.

use etalon_rigid::{Covector, Dense, MassMatrix, Scalar};

/// Bilateral rows with all that eliminating them takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Bilateral<S> {
    rows: Vec<BilateralRow<S>>,
    /// M^-1 nu_j.
    responses: Vec<Covector<S>>,
    /// A^-1.
    inverse: Dense<S>,
}

/// One equation nu'v^(l+1) + offset = 0.
#[derive(Debug, Clone, PartialEq)]
pub struct BilateralRow<S> {
    /// nu: the gradient of f, and the generalised force of a unit multiplier.
    pub row: Covector<S>,
    /// f/h, m/s or 1/s.
    pub offset: S,
}

/// A row that is a combination of the rows before it: no step can tell their multipliers apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the bilateral row {0} depends on those before it")]
pub struct Dependent(pub usize);

impl<S: Scalar> Bilateral<S> {
    /// No rows.
    pub fn none() -> Self {
        Self {
            rows: Vec::new(),
            responses: Vec::new(),
            inverse: Dense::zeros(0, 0),
        }
    }

    /// Rows on a system of that mass.
    ///
    /// # Errors
    /// [`Dependent`] with the first row that depends on those before it.
    pub fn new(mass: &MassMatrix<S>, rows: Vec<BilateralRow<S>>) -> Result<Self, Dependent> {
        let answers = rows.iter().map(|own| mass.inverse_times_row(&own.row));
        let responses: Vec<Covector<S>> = answers.collect();
        let n = rows.len();
        let gram = Dense::from_fn(n, n, |i, j| rows[i].row.dot(&responses[j]));
        if let Some(first) = gram.first_dependent() {
            return Err(Dependent(first));
        }
        let inverse = gram.inverse().ok_or(Dependent(n.saturating_sub(1)))?;
        Ok(Self {
            rows,
            responses,
            inverse,
        })
    }

    /// The rows.
    pub fn rows(&self) -> &[BilateralRow<S>] {
        &self.rows
    }

    /// The multipliers that a velocity without them asks for.
    pub fn multipliers(&self, velocity: &[S]) -> Vec<S> {
        let error = |own: &BilateralRow<S>| -(own.row.times(velocity) + &own.offset);
        let errors: Vec<S> = self.rows.iter().map(error).collect();
        self.inverse.times(&errors)
    }

    /// Adds what the multipliers do to a velocity without them.
    pub(crate) fn hold(&self, velocity: &mut [S]) {
        for (multiplier, response) in self.multipliers(velocity).iter().zip(&self.responses) {
            response.add_to(multiplier, velocity);
        }
    }

    /// What a generalised force does to the velocity, from what it does without joints.
    pub(crate) fn held(&self, response: Covector<S>) -> Covector<S> {
        if self.rows.is_empty() {
            return response;
        }
        let rates: Vec<S> = self.rows.iter().map(|own| own.row.dot(&response)).collect();
        let shares = self.inverse.times(&rates);
        let back = shares.into_iter().zip(&self.responses);
        back.fold(response, |sum, (share, own)| sum.plus(&-share, own))
    }
}
