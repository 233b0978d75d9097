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
///
/// Rows may depend on those before them, as in a closed loop of joints. Then multipliers are not unique, while velocities are: those
/// of dependent rows are 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Bilateral<S> {
    rows: Vec<BilateralRow<S>>,
    dependent: Vec<Dependence<S>>,
    /// The positions of the others.
    independent: Vec<usize>,
    /// M^-1 nu_j of the independent rows.
    responses: Vec<Covector<S>>,
    /// A^-1, of the independent rows.
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

/// A row that is a combination of rows before it: no step can tell their multipliers apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Dependence<S> {
    /// Its position.
    pub row: usize,
    /// Positions of independent rows with their shares: nu of this row is the sum of share times nu of those, to `near` of its size.
    pub shares: Vec<(usize, S)>,
    /// What its offset has beside the same sum of theirs, m/s or 1/s: the speed that the row misses its target by, since the step heeds
    /// the others alone. Zero where the equations are consistent.
    pub missed: S,
}

impl<S: Scalar> Bilateral<S> {
    /// No rows.
    pub fn none() -> Self {
        Self {
            rows: Vec::new(),
            dependent: Vec::new(),
            independent: Vec::new(),
            responses: Vec::new(),
            inverse: Dense::zeros(0, 0),
        }
    }

    /// Rows on a system of that mass. One whose sine to the span of those before it is at most `near` counts
    /// as dependent: the rows of a closed loop that has opened by a little nearly depend, and multipliers that tell them apart
    /// would hold the loop still. The sine is that of the gradients as they are, in metres and radians. By the inverse masses the rows of
    /// a heavy body would be near those of a light one, although no loop closes.
    pub fn new(mass: &MassMatrix<S>, rows: Vec<BilateralRow<S>>, near: &S) -> Self {
        let answers = rows.iter().map(|own| mass.inverse_times_row(&own.row));
        let all: Vec<Covector<S>> = answers.collect();
        let n = rows.len();
        let gram = Dense::from_fn(n, n, |i, j| rows[i].row.dot(&rows[j].row));
        let left = gram.dependent_rows(&(near.clone() * near));
        let independent: Vec<usize> = (0..n).filter(|i| !left.contains(i)).collect();
        let count = independent.len();
        // Scalar products of independent rows are definite.
        let inverted = |products: &Dense<S>| {
            let inverse = products.inverse();
            inverse.unwrap_or_else(|| Dense::zeros(count, count))
        };
        let coupling = Dense::from_fn(count, count, |i, j| {
            rows[independent[i]].row.dot(&all[independent[j]])
        });
        let alike = match left.is_empty() {
            true => Dense::zeros(0, 0),
            false => inverted(&gram.block(&independent, &independent)),
        };
        let dependent = left.into_iter().map(|row| {
            let products: Vec<S> = independent
                .iter()
                .map(|&i| gram[(row, i)].clone())
                .collect();
            let shares = independent.iter().copied().zip(alike.times(&products));
            let shares: Vec<_> = shares.filter(|(_, share)| !share.is_zero()).collect();
            let own = rows[row].offset.clone();
            let missed = shares.iter().fold(own, |left, (i, share)| {
                left - share.clone() * &rows[*i].offset
            });
            Dependence {
                row,
                shares,
                missed,
            }
        });
        Self {
            dependent: dependent.collect(),
            responses: independent.iter().map(|&i| all[i].clone()).collect(),
            inverse: inverted(&coupling),
            independent,
            rows,
        }
    }

    /// The rows.
    pub fn rows(&self) -> &[BilateralRow<S>] {
        &self.rows
    }

    /// The offsets that the step heeds: those of dependent rows follow from the others.
    pub fn heeded_offsets(&self) -> Vec<S> {
        let mut all: Vec<S> = self.rows.iter().map(|own| own.offset.clone()).collect();
        for own in &self.dependent {
            all[own.row] -= &own.missed;
        }
        all
    }

    /// The rows that depend on those before them.
    pub fn dependent(&self) -> &[Dependence<S>] {
        &self.dependent
    }

    /// The independent rows.
    fn held_rows(&self) -> impl Iterator<Item = &BilateralRow<S>> {
        self.independent.iter().map(|&i| &self.rows[i])
    }

    /// The multipliers of the independent rows that a velocity without them asks for.
    fn own_multipliers(&self, velocity: &[S]) -> Vec<S> {
        let error = |own: &BilateralRow<S>| -(own.row.times(velocity) + &own.offset);
        let errors: Vec<S> = self.held_rows().map(error).collect();
        self.inverse.times(&errors)
    }

    /// The multipliers that a velocity without them asks for; those of dependent rows are 0.
    pub fn multipliers(&self, velocity: &[S]) -> Vec<S> {
        let mut all = vec![S::zero(); self.rows.len()];
        for (i, own) in self.independent.iter().zip(self.own_multipliers(velocity)) {
            all[*i] = own;
        }
        all
    }

    /// Adds what the multipliers do to a velocity without them.
    pub(crate) fn hold(&self, velocity: &mut [S]) {
        for (multiplier, response) in self.own_multipliers(velocity).iter().zip(&self.responses) {
            response.add_to(multiplier, velocity);
        }
    }

    /// What a generalised force does to the velocity, from what it does without joints.
    pub(crate) fn held(&self, response: Covector<S>) -> Covector<S> {
        if self.rows.is_empty() {
            return response;
        }
        let rates: Vec<S> = self.held_rows().map(|own| own.row.dot(&response)).collect();
        let shares = self.inverse.times(&rates);
        let back = shares.into_iter().zip(&self.responses);
        back.fold(response, |sum, (share, own)| sum.plus(&-share, own))
    }
}
