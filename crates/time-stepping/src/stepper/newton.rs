//! Newton's method on the implicit step.

use etalon_rigid::{Dense, MassMatrix, Scalar, dot};

use super::Stepper;
use crate::error::StepError;
use crate::formulation::Formulation;
use crate::step::State;

impl<S: Scalar> Stepper<'_, S> {
    /// The problem of a Newton step on M (v' - v) = n(q') c_n + D beta + h k. Let C be the sum of
    /// curvatures weighed by the impulses of the last iteration. n(q') c_n is about n(p) c_n +
    /// C (q^l + h v' - p), so M - h C takes the place of M. `None` where a curvature is not
    /// known or M - h C is not positive definite.
    pub(super) fn newton(
        &self,
        plain: &Formulation<S>,
        state: &State<S>,
        point: &[S],
        normals: &[S],
    ) -> Result<Option<Formulation<S>>, StepError> {
        let dofs = plain.mass.dofs();
        let mut curvature = vec![vec![S::zero(); dofs]; dofs];
        for (contact, c_n) in plain.contacts.iter().zip(normals) {
            if c_n.is_zero() {
                continue;
            }
            let Some(own) = self.model.curvature(contact.index, point) else {
                return Ok(None);
            };
            for (sum, row) in curvature.iter_mut().zip(own) {
                for (sum, value) in sum.iter_mut().zip(row) {
                    *sum += &(value * c_n);
                }
            }
        }
        let mut unit = vec![S::zero(); dofs];
        let mut columns = Vec::with_capacity(dofs);
        for j in 0..dofs {
            unit[j] = S::one();
            columns.push(plain.mass.times(&unit));
            unit[j] = S::zero();
        }
        let h = &self.settings.h;
        let entry = |i: usize, j: usize| {
            self.arithmetic
                .round(columns[j][i].clone() - h.clone() * &curvature[i][j])
        };
        let mut mass = MassMatrix::empty();
        if mass
            .push("M - h C", Dense::from_fn(dofs, dofs, entry))
            .is_err()
        {
            return Ok(None);
        }
        // (M - h C) v' = M v + h k + C (q - p) + n c_n: the impulse is that beyond (M - h C) v.
        let back: Vec<S> = (0..dofs).map(|i| state.q[i].clone() - &point[i]).collect();
        let without = mass.times(&state.v);
        let momentum = plain.mass.times(&state.v);
        let impulse = (0..dofs).map(|i| {
            let bend = dot(&curvature[i], &back);
            plain.impulse[i].clone() + &bend + &momentum[i] - &without[i]
        });
        Ok(Some(Formulation {
            mass,
            impulse: impulse.collect(),
            ..plain.clone()
        }))
    }
}
