//! The complementarity problem of one step, mixed (14)-(15) or as a Schur complement (17), (29).
//!
//! Unknowns in order: the weights beta of all contacts, contact by contact; those of bounded
//! friction (section 3.5); the normal impulses c_n; the lambda of the contacts; those of bounded
//! friction. With d_j the directions, E the incidence of weights and lambdas and b as below
//!
//! > | D'M^-1 D  D'M^-1 n   E |        | D'(v + h M^-1 k)            |
//! > | n'M^-1 D  n'M^-1 n   0 |,  q =  | gap/h + n'(v + h M^-1 k)    |
//! > | -E'       mu         0 |        | 0 (contacts), h (section 3.5) |
//!
//! where gap = f(p) + n'(q^l - p) is the old gap of the linearisation at the evaluation point p,
//! that is n'q^l - alpha_0. A contact that bounces has e n'v^l in place of gap/h. A contact of k directions has k + 2 rows, one without friction 2.

use etalon_lcp::{Matrix, MixedLcp, Number, Problem};
use etalon_rigid::{Covector, MassMatrix, Scalar, dot};

use crate::bilateral::Bilateral;
use crate::error::StepError;
use crate::model::{BoundedFriction, ContactFrame, FrictionBound};

/// A contact that takes part in a step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepContact<S> {
    /// Its number in the model.
    pub index: usize,
    /// The coefficient of friction.
    pub mu: S,
    /// Gap, normal and directions at the evaluation point.
    pub frame: ContactFrame<S>,
    /// n'q^l - alpha_0: the old gap of the linearisation, m.
    pub old_gap: S,
    /// e n'v^l where the contact bounces in this step: Newton's n'v^(l+1) + e n'v^l >= 0 then stands
    /// in place of the gap. It is negative, m/s.
    pub rebound: Option<S>,
}

impl<S: Scalar> StepContact<S> {
    /// What the row of the normal impulse adds to n'v^(l+1): gap/h, or e n'v^l where the contact
    /// bounces, m/s.
    pub fn offset(&self, h: &S) -> S {
        match &self.rebound {
            Some(rebound) => rebound.clone(),
            None => self.old_gap.clone() / h,
        }
    }
}

/// The data of one step's problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Formulation<S> {
    /// M.
    pub mass: MassMatrix<S>,
    /// h, s.
    pub h: S,
    /// v^l.
    pub velocity: Vec<S>,
    /// h k: the impulse of the applied forces, N s.
    pub impulse: Vec<S>,
    /// Those that take part.
    pub contacts: Vec<StepContact<S>>,
    /// Friction of no contact.
    pub bounded: Vec<BoundedFriction<S>>,
    /// Joints.
    pub bilateral: Bilateral<S>,
}

/// Which unknown is which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Where the weights of each contact, then of each bounded friction, begin, and where the last
    /// ones end.
    pub weights: Vec<usize>,
    /// The number of contacts.
    pub contacts: usize,
    /// The number of bounded frictions.
    pub bounded: usize,
}

impl Layout {
    /// The number of unknowns.
    pub fn n(&self) -> usize {
        self.normal(0) + 2 * self.contacts + self.bounded
    }

    /// The weights of owner i: a contact, or a bounded friction after all contacts.
    ///
    /// # Panics
    /// When there is no such owner.
    pub fn weights(&self, i: usize) -> std::ops::Range<usize> {
        self.weights[i]..self.weights[i + 1]
    }

    /// The normal impulse of contact i.
    pub fn normal(&self, i: usize) -> usize {
        self.weights.last().copied().unwrap_or(0) + i
    }

    /// The lambda of owner i.
    pub fn lambda(&self, i: usize) -> usize {
        self.normal(self.contacts) + i
    }

    /// Contacts and bounded frictions.
    pub fn owners(&self) -> usize {
        self.contacts + self.bounded
    }
}

/// w = M z + q with M dense, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct StepLcp<S> {
    /// M.
    pub matrix: Vec<Vec<S>>,
    /// q.
    pub q: Vec<S>,
}

impl<S: Scalar> StepLcp<S> {
    /// w = M z + q.
    pub fn w(&self, z: &[S]) -> Vec<S> {
        let rows = self.matrix.iter().zip(&self.q);
        rows.map(|(row, q)| dot(row, z) + q).collect()
    }

    /// As a record.
    ///
    /// # Errors
    /// [`StepError::Problem`] for numbers that are not finite.
    pub fn problem(&self, name: &str) -> Result<Problem, StepError> {
        let rows = self.matrix.iter().map(|row| numbers(row));
        let matrix = matrix(rows.collect::<Result<_, _>>()?)?;
        Ok(Problem::new(name, matrix, numbers(&self.q)?)?)
    }
}

fn numbers<S: Scalar>(values: &[S]) -> Result<Vec<Number>, StepError> {
    let number = |value: &S| {
        value
            .to_number()
            .ok_or_else(|| StepError::Problem("a number is not finite".to_owned()))
    };
    values.iter().map(number).collect()
}

fn matrix(rows: Vec<Vec<Number>>) -> Result<Matrix, StepError> {
    Matrix::from_rows(rows).map_err(|error| StepError::Problem(error.to_string()))
}

impl<S: Scalar> Formulation<S> {
    /// Which unknown is which.
    pub fn layout(&self) -> Layout {
        let contacts = self.contacts.iter().map(|c| c.frame.directions.len());
        let counts = contacts.chain(self.bounded.iter().map(|b| b.directions.len()));
        let mut weights = vec![0];
        let mut end = 0;
        for count in counts {
            end += count;
            weights.push(end);
        }
        Layout {
            weights,
            contacts: self.contacts.len(),
            bounded: self.bounded.len(),
        }
    }

    /// The columns of (D, n): what one unit of each weight and normal impulse does.
    pub fn columns(&self) -> Vec<&Covector<S>> {
        let directions = |c: &'_ StepContact<S>| c.frame.directions.len();
        let mut columns = Vec::with_capacity(self.contacts.iter().map(directions).sum());
        for contact in &self.contacts {
            columns.extend(contact.frame.directions.iter().map(|d| &d.row));
        }
        for friction in &self.bounded {
            columns.extend(&friction.directions);
        }
        columns.extend(self.contacts.iter().map(|c| &c.frame.normal));
        columns
    }

    /// v + h M^-1 k with what joints add: the velocity without contacts and friction.
    pub fn free_velocity(&self) -> Vec<S> {
        self.held_velocity(&self.impulse)
    }

    /// The velocity after an impulse and those of the joints.
    fn held_velocity(&self, impulse: &[S]) -> Vec<S> {
        let mut velocity = self.unheld_velocity(impulse);
        self.bilateral.hold(&mut velocity);
        velocity
    }

    fn unheld_velocity(&self, impulse: &[S]) -> Vec<S> {
        let change = self.mass.inverse_times(impulse);
        let pairs = self.velocity.iter().zip(&change);
        pairs.map(|(v, dv)| v.clone() + dv).collect()
    }

    /// What a generalised force does to the velocity, joints included.
    pub fn response(&self, row: &Covector<S>) -> Covector<S> {
        self.bilateral.held(self.mass.inverse_times_row(row))
    }

    /// The impulses of the joints for a solution of the Schur complement.
    pub fn joint_impulses(&self, z: &[S]) -> Vec<S> {
        let velocity = self.unheld_velocity(&self.impulse_with(z));
        self.bilateral.multipliers(&velocity)
    }

    /// h k + (D, n) z.
    fn impulse_with(&self, z: &[S]) -> Vec<S> {
        let mut impulse = self.impulse.clone();
        for (column, z) in self.columns().into_iter().zip(z) {
            if !z.is_zero() {
                column.add_to(z, &mut impulse);
            }
        }
        impulse
    }

    /// v^(l+1) for a solution of the Schur complement.
    pub fn velocity_after(&self, z: &[S]) -> Vec<S> {
        self.held_velocity(&self.impulse_with(z))
    }

    /// gap/h of each contact, or what stands in its place.
    fn gap_rates(&self) -> impl Iterator<Item = S> {
        self.contacts.iter().map(|c| c.offset(&self.h))
    }

    /// The Schur complement (17), (29).
    pub fn schur(&self) -> StepLcp<S> {
        let layout = self.layout();
        let n = layout.n();
        let mut matrix = vec![vec![S::zero(); n]; n];
        self.fill_delassus(&mut matrix);
        self.fill_cones(&layout, 0, &mut matrix);
        let free = self.free_velocity();
        let mut q: Vec<S> = self.columns().iter().map(|c| c.times(&free)).collect();
        self.add_offsets(&layout, &mut q);
        // In fractions an entry is 0 or it is not, and nothing is cut off.
        if !S::EXACT {
            q.iter_mut().for_each(clamp);
        }
        q.resize(n, S::zero());
        self.fill_bounds(&layout, 0, &mut q);
        StepLcp { matrix, q }
    }

    /// What the rows of weights and normal impulses have beside the rates: targets of bounded friction, and gaps over h.
    fn add_offsets(&self, layout: &Layout, q: &mut [S]) {
        for (i, friction) in self.bounded.iter().enumerate() {
            for (k, j) in layout.weights(layout.contacts + i).enumerate() {
                q[j] -= &friction.target(k);
            }
        }
        for (q, rate) in q[layout.normal(0)..].iter_mut().zip(self.gap_rates()) {
            *q += &rate;
        }
    }

    /// The bounds of friction that do not depend on unknowns.
    fn fill_bounds(&self, layout: &Layout, from: usize, q: &mut [S]) {
        for (i, friction) in self.bounded.iter().enumerate() {
            if friction.bound == FrictionBound::Step {
                q[from + layout.lambda(layout.contacts + i)] = self.h.clone();
            }
        }
    }

    /// (D, n)'M^-1 (D, n), symmetric also after rounding.
    fn fill_delassus(&self, matrix: &mut [Vec<S>]) {
        let columns = self.columns();
        let opposite = opposites(&columns);
        let answers: Vec<_> = columns
            .iter()
            .enumerate()
            .map(|(j, c)| opposite[j].is_none().then(|| self.response(c)))
            .collect();
        for i in 0..columns.len() {
            for j in 0..=i {
                let value = match (opposite[i], opposite[j]) {
                    (None, None) => answers[j].as_ref().map(|answer| columns[i].dot(answer)),
                    // Equal weights on a direction and its opposite must cancel: their quadratic
                    // form, rounded, could be negative, and the matrix not copositive, which
                    // Lemke's method relies on.
                    // A column that is the opposite of an earlier one is negated, not computed.
                    (Some(k), _) => Some(-matrix[k.max(j)][k.min(j)].clone()),
                    (_, Some(k)) => Some(-matrix[i.max(k)][i.min(k)].clone()),
                };
                let value = value.unwrap_or_else(S::zero);
                matrix[j][i] = value.clone();
                matrix[i][j] = value;
            }
        }
    }

    /// E, -E' and mu, with the weights beginning at `from`.
    fn fill_cones(&self, layout: &Layout, from: usize, matrix: &mut [Vec<S>]) {
        for i in 0..layout.owners() {
            let lambda = from + layout.lambda(i);
            for j in layout.weights(i) {
                // E and -E' cancel in z'Mz and mu adds to it, so these entries keep the matrix
                // copositive.
                matrix[from + j][lambda] = S::one();
                matrix[lambda][from + j] = -S::one();
            }
            // The normal impulse bounds friction and not the other way round: mu stands in the row of
            // lambda alone, and the matrix is not symmetric.
            if let Some((normal, mu)) = self.bound_of(i) {
                matrix[lambda][from + layout.normal(normal)] = mu.clone();
            }
        }
    }

    /// The contact whose normal impulse bounds the weights of owner i, and the coefficient.
    fn bound_of(&self, i: usize) -> Option<(usize, &S)> {
        match i.checked_sub(self.contacts.len()) {
            None => Some((i, &self.contacts[i].mu)),
            Some(friction) => match &self.bounded[friction].bound {
                FrictionBound::Normal { contact, mu } => Some((*contact, mu)),
                FrictionBound::Step => None,
            },
        }
    }

    /// The mixed problem (14)-(15), (25)-(26). v^(l+1) is free, with the balance of momentum
    /// M v^(l+1) - G'lambda - D beta - n c_n = M v^l + h k as bilateral rows, and so are the multipliers of the
    /// joints, with G v^(l+1) + f/h = 0. The unknowns of the Schur complement follow.
    ///
    /// # Errors
    /// [`StepError::Problem`] for numbers that are not finite.
    pub fn mixed(&self) -> Result<MixedLcp, StepError> {
        let layout = self.layout();
        let dofs = self.mass.dofs();
        let joints = self.bilateral.rows();
        // Where the unknowns of the Schur complement begin.
        let from = dofs + joints.len();
        let n = from + layout.n();
        let mut matrix = vec![vec![S::zero(); n]; n];
        let mut unit = vec![S::zero(); dofs];
        for j in 0..dofs {
            unit[j] = S::one();
            for (i, value) in self.mass.times(&unit).into_iter().enumerate() {
                matrix[i][j] = value;
            }
            unit[j] = S::zero();
        }
        let rows = joints.iter().map(|joint| &joint.row);
        for (j, column) in rows.chain(self.columns()).enumerate() {
            for (i, value) in column.entries() {
                matrix[*i][dofs + j] = -value.clone();
                matrix[dofs + j][*i] = value.clone();
            }
        }
        self.fill_cones(&layout, from, &mut matrix);
        let momentum = self.mass.times(&self.velocity);
        let momentum = momentum.into_iter().zip(&self.impulse);
        let mut q: Vec<S> = momentum.map(|(p, i)| -(p + i)).collect();
        q.extend(self.bilateral.heeded_offsets());
        q.resize(n, S::zero());
        self.add_offsets(&layout, &mut q[from..]);
        self.fill_bounds(&layout, from, &mut q);
        let rows = matrix.iter().map(|row| numbers(row));
        let matrix = self::matrix(rows.collect::<Result<_, _>>()?)?;
        let bilateral = (0..n).map(|i| i < from).collect();
        MixedLcp::new(matrix, numbers(&q)?, bilateral)
            .ok_or_else(|| StepError::Problem("lengths differ".to_owned()))
    }
}

/// In binary64 free velocities of rows below this count as zero, m/s. Rounding leaves entries of 1e-17 at contacts that are
/// exactly closed and at rest, and Lemke's method ends in false rays on such entries. The limit is chosen: above that
/// rounding, and far below the velocities of a scene.
pub const STILL: f64 = 1e-13;

fn clamp<S: Scalar>(value: &mut S) {
    if value.to_f64().abs() < STILL {
        *value = S::zero();
    }
}

/// For each column an earlier one of which it is the negative.
fn opposites<S: Scalar>(columns: &[&Covector<S>]) -> Vec<Option<usize>> {
    let negated = |a: &Covector<S>, b: &Covector<S>| {
        let mut pairs = a.entries().iter().zip(b.entries());
        a.entries().len() == b.entries().len()
            && !a.entries().is_empty()
            && pairs.all(|((i, x), (j, y))| i == j && *x == -y.clone())
    };
    let mut found: Vec<Option<usize>> = Vec::with_capacity(columns.len());
    for (j, column) in columns.iter().enumerate() {
        // Only a column that is computed itself is referred to: one look-up is always enough.
        let earlier = (0..j).find(|&k| found[k].is_none() && negated(columns[k], column));
        found.push(earlier);
    }
    found
}
