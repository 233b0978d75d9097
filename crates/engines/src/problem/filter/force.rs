//! Forces within their sets.

use super::Filter;
use crate::problem::factor::gamma;
use crate::problem::law::project;
use crate::problem::view::RowSet;

/// A force within its set; of a boundary point the normal force is known up to an error.
pub(super) struct Force {
    pub own: Vec<f64>,
    pub error: Vec<f64>,
    /// Whether the force of the cone that begins at this row is on its boundary.
    pub on_boundary: Vec<bool>,
}

impl Filter<'_> {
    /// The forces moved into their sets: with certainty, whatever is rounded.
    pub(super) fn taken_inside(&self, given: &[f64]) -> Force {
        let n = given.len();
        let mut force = Force {
            own: given.to_vec(),
            error: vec![0.0; n],
            on_boundary: vec![false; n],
        };
        for group in self.view.groups() {
            let i = group.start;
            match self.view.rows[i] {
                RowSet::Equality => {}
                RowSet::Nonnegative => force.own[i] = given[i].max(0.0),
                RowSet::Box(bound) => force.own[i] = given[i].clamp(-bound, bound),
                RowSet::Normal | RowSet::Tangential(_) => self.cone_inside(group, &mut force),
            }
        }
        force
    }

    /// At least |J'(f - g)|_(M^-1) for forces f and what was moved of them into their sets, g; 0 where nothing was.
    ///
    /// What only rounding moved counts too: where large forces cancel, it may be more than all other errors.
    pub(super) fn stray(&self, given: &[f64]) -> f64 {
        let nv = self.view.nv();
        let inside = self.taken_inside(given).own;
        let (mut moved, mut size) = (vec![0.0; nv], vec![0.0; nv]);
        for (k, (inside, given)) in inside.iter().zip(given).enumerate() {
            let apart = inside - given;
            if apart == 0.0 {
                continue;
            }
            for (i, j) in self.view.j[k * nv..(k + 1) * nv].iter().enumerate() {
                moved[i] += j * apart;
                size[i] += (j * apart).abs();
            }
        }
        // Of each term: the difference, the product, and as many sums as there are rows. The rest is for the rounding of
        // the sizes and of this product.
        let error: Vec<_> = size
            .iter()
            .map(|own| own * gamma(given.len() + 4))
            .collect();
        self.factor.dual_norm(&moved, &error).1
    }

    fn cone_inside(&self, group: std::ops::Range<usize>, force: &mut Force) {
        let i = group.start;
        let normal = force.own[i].max(0.0);
        let length = self.length(group.clone(), &force.own);
        if normal == 0.0 || length.is_nan() {
            force.own[group].fill(0.0);
            return;
        }
        if length < normal * (1.0 - 1e-8) {
            // Inside, with room for the 16 roundings of the length.
            force.own[i] = normal;
            return;
        }
        if length > normal {
            let share = normal / length;
            force.own[group.start + 1..group.end]
                .iter_mut()
                .for_each(|own| *own *= share);
        }
        let length = self.length(group, &force.own);
        force.own[i] = length;
        force.error[i] = gamma(16) * length;
        force.on_boundary[i] = true;
    }

    /// |(f_k / mu_k)| over the tangential rows of a cone, up to 16 roundings.
    pub(super) fn length(&self, group: std::ops::Range<usize>, own: &[f64]) -> f64 {
        let squares = group.filter_map(|k| match self.view.rows[k] {
            RowSet::Tangential(mu) => Some((own[k] / mu).powi(2)),
            _ => None,
        });
        squares.sum::<f64>().sqrt()
    }

    /// The forces that the law gives at the engine's acceleration, as near as binary64 has them.
    pub(super) fn lawful(&self) -> Vec<f64> {
        let (x, r) = (&self.drift.own, self.view.r);
        let mut force = vec![0.0; x.len()];
        for group in self.view.groups() {
            let i = group.start;
            let own = -x[i] / r[i];
            match self.view.rows[i] {
                RowSet::Equality => force[i] = own,
                RowSet::Nonnegative => force[i] = own.max(0.0),
                RowSet::Box(bound) => force[i] = own.clamp(-bound, bound),
                RowSet::Normal | RowSet::Tangential(_) => {
                    let mu = self.view.mu(group.clone());
                    project(&x[group.clone()], &r[group.clone()], &mu, &mut force[group]);
                }
            }
        }
        force
    }
}
