//! Equations of motion in other coordinates.

use crate::covector::Covector;
use crate::dense::Dense;
use crate::error::SceneError;
use crate::mass::MassMatrix;
use crate::scalar::Scalar;
use crate::system::{Constraint, ContactRows, JointRow, System};

/// Generalised velocities u that others follow from: v = G u, dv/dt = G du/dt + g.
pub(crate) struct Coordinates<S> {
    /// G, row by row.
    pub rows: Vec<Covector<S>>,
    /// g.
    pub drift: Vec<S>,
    /// The number of columns of G.
    pub dofs: usize,
}

/// A system whose mass matrix, of blocks along its diagonal, need not be invertible.
pub(crate) struct Parts<S> {
    pub mass: Vec<Dense<S>>,
    pub applied: Vec<S>,
    pub bias: Vec<S>,
    pub contacts: Vec<ContactRows<S>>,
    pub joints: Vec<JointRow<S>>,
}

impl<S: Scalar> Coordinates<S> {
    /// G'f.
    fn force(&self, force: &[S]) -> Vec<S> {
        let mut sum = vec![S::zero(); self.dofs];
        for (row, f) in self.rows.iter().zip(force) {
            row.add_to(f, &mut sum);
        }
        sum
    }

    /// J G, and J g more drift.
    fn constraint(&self, own: &Constraint<S>) -> Constraint<S> {
        let mut row = Vec::new();
        let mut drift = own.drift.clone();
        for (k, value) in own.row.entries() {
            let entries = self.rows[*k].entries().iter();
            row.extend(entries.map(|(dof, entry)| (*dof, entry.clone() * value)));
            drift += &(self.drift[*k].clone() * value);
        }
        Constraint {
            row: Covector::new(row),
            drift,
            rate: own.rate.clone(),
        }
    }

    /// The share of one block in G'MG: entries (i, j, value) with i <= j.
    fn add_mass(&self, start: usize, block: &Dense<S>, sum: &mut Dense<S>) {
        let rows = &self.rows[start..start + block.rows()];
        let mut columns: Vec<(usize, Vec<S>)> = Vec::new();
        for (r, row) in rows.iter().enumerate() {
            for (dof, value) in row.entries() {
                let found = columns.iter_mut().find(|(own, _)| own == dof);
                match found {
                    Some((_, column)) => column[r] = value.clone(),
                    None => {
                        let mut column = vec![S::zero(); rows.len()];
                        column[r] = value.clone();
                        columns.push((*dof, column));
                    }
                }
            }
        }
        columns.sort_by_key(|(dof, _)| *dof);
        for (at, (j, column)) in columns.iter().enumerate() {
            let momentum = block.times(column);
            for (i, other) in &columns[..=at] {
                let share = crate::scalar::dot(other, &momentum);
                sum[(*i, *j)] += &share;
                if i != j {
                    sum[(*j, *i)] += &share;
                }
            }
        }
    }
}

impl<S: Scalar> Parts<S> {
    /// The same in the coordinates u.
    pub fn in_coordinates(&self, own: &Coordinates<S>) -> Self {
        let mut mass = Dense::zeros(own.dofs, own.dofs);
        let mut bias = self.bias.clone();
        let mut start = 0;
        for block in &self.mass {
            own.add_mass(start, block, &mut mass);
            let moved = block.times(&own.drift[start..start + block.rows()]);
            for (bias, moved) in bias[start..].iter_mut().zip(&moved) {
                *bias += moved;
            }
            start += block.rows();
        }
        let contact = |contact: &ContactRows<S>| ContactRows {
            normal: own.constraint(&contact.normal),
            tangents: contact.tangents.iter().map(|t| own.constraint(t)).collect(),
            ..contact.clone()
        };
        let joint = |joint: &JointRow<S>| JointRow {
            name: joint.name.clone(),
            constraint: own.constraint(&joint.constraint),
        };
        Self {
            mass: vec![mass],
            applied: own.force(&self.applied),
            bias: own.force(&bias),
            contacts: self.contacts.iter().map(contact).collect(),
            joints: self.joints.iter().map(joint).collect(),
        }
    }

    /// The first coordinate that moves no mass when all after it stand still: where the leading minors end to be positive.
    pub fn first_without_mass(&self) -> Option<usize> {
        let [mass] = self.mass.as_slice() else {
            return None;
        };
        if mass.has_positive_pivots() {
            return None;
        }
        let leading = |n: usize| (0..n).collect::<Vec<_>>();
        let fits = |n: &usize| mass.block(&leading(*n), &leading(*n)).has_positive_pivots();
        (1..=mass.rows()).find(|n| !fits(n)).map(|n| n - 1)
    }

    /// The system at velocities u.
    pub fn system(self, name: &str, velocity: Vec<S>) -> Result<System<S>, SceneError> {
        let mut mass = MassMatrix::empty();
        for block in self.mass {
            mass.push(name, block)?;
        }
        Ok(System {
            mass,
            applied: self.applied,
            bias: self.bias,
            velocity,
            contacts: self.contacts,
            joints: self.joints,
            drives: Vec::new(),
        })
    }
}
