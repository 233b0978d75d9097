//! A record in memory as the slices of a [`StepView`].

use etalon_lcp::Number;

use super::view::{RowSet, StepView};
use crate::step::{EngineAnswer, Generalised, Set};

/// A generalised record in memory as slices, where all its numbers are binary64.
pub(super) struct Arrays {
    m: Vec<f64>,
    force: Vec<f64>,
    j: Vec<f64>,
    r: Vec<f64>,
    target: Vec<f64>,
    rows: Vec<RowSet>,
    motion: Vec<f64>,
    constraint_force: Option<Vec<f64>>,
}

impl Arrays {
    pub fn of(own: &Generalised, answer: &EngineAnswer) -> Option<Self> {
        let vector = |own: &[Number]| {
            own.iter()
                .map(Number::as_binary64)
                .collect::<Option<Vec<_>>>()
        };
        let mut rows = Vec::with_capacity(own.nefc());
        for set in &own.sets {
            match set {
                Set::Equality(_) => rows.push(RowSet::Equality),
                Set::Box(_, bound) => rows.push(RowSet::Box(bound.as_binary64()?)),
                Set::Nonnegative(_) => rows.push(RowSet::Nonnegative),
                // Left to exact arithmetic.
                Set::Disc(..) | Set::Turning(..) | Set::Pyramid(..) => return None,
                Set::Cone(_, mu) => {
                    rows.push(RowSet::Normal);
                    for mu in mu {
                        rows.push(RowSet::Tangential(mu.as_binary64()?));
                    }
                }
            }
        }
        let constraint_force = match &answer.force {
            Some(force) => Some(vector(force)?),
            None => None,
        };
        Some(Self {
            m: own.m.to_dense()?,
            force: vector(&own.force)?,
            j: own.j.to_dense()?,
            r: vector(own.r.as_ref()?)?
                .into_iter()
                .map(|r| (r > 0.0).then_some(r))
                .collect::<Option<_>>()?,
            target: vector(own.target.as_ref()?)?,
            rows,
            motion: vector(answer.motion.as_ref()?)?,
            constraint_force,
        })
    }

    pub fn view(&self, h: f64) -> StepView<'_> {
        StepView {
            h,
            m: &self.m,
            force: &self.force,
            j: &self.j,
            r: &self.r,
            target: &self.target,
            rows: &self.rows,
            motion: &self.motion,
            constraint_force: self.constraint_force.as_deref(),
        }
    }
}
