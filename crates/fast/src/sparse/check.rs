//! The self-check of a sparse problem, as [`crate::point`] has it of a dense one.

use super::{SparseLcp, SparseSolution};
use crate::failure::Failure;
use crate::place::Place;
use crate::point::Point;
use crate::problem::LcpRef;
use crate::range::is_tame;
use crate::tiny::keeps_products;
use crate::tolerances::{SECOND_ORDER, UNIT, limit};

/// What the limit counts for the widest row: at least so many entries. Residuals of rows with few
/// entries are those of the factor, which has more.
const LEAST_WIDTH: usize = 64;

impl SparseLcp {
    /// q and the bounds, for functions that do not read M.
    pub(super) fn view(&self) -> LcpRef<'_> {
        LcpRef {
            m: &[],
            q: &self.q,
            lower: &self.lower,
            upper: &[],
            friction: &[],
        }
    }

    /// w and s from z.
    pub(super) fn evaluate(&self, point: &mut Point) {
        for i in 0..self.n() {
            let q = self.q[i];
            let (mut w, mut s) = (q, q.abs());
            for (j, value) in self.row(i) {
                let product = value * point.z[j];
                w += product;
                s += product.abs();
            }
            point.w[i] = w;
            point.s[i] = s;
        }
    }

    /// Every w_i is within (r + 4) u s_i of the true one, r the most nonzeros in a row.
    pub(super) fn margin(&self) -> f64 {
        (self.widest + 4) as f64 * UNIT
    }

    /// The largest backward error of an answer.
    pub(super) fn limit(&self) -> f64 {
        limit(self.widest.max(LEAST_WIDTH))
    }

    /// A bound on the backward error of an evaluated point.
    pub(super) fn backward_error(&self, point: &Point, places: &[Place]) -> f64 {
        let plain = point.backward_error(self.view(), places);
        if point.z.iter().all(|z| is_tame(*z)) {
            // The point's own margin counts columns touched by `Point::evaluate`, none here: it has
            // to be added.
            (plain + self.margin()) * SECOND_ORDER
        } else {
            f64::INFINITY
        }
    }

    /// An answer, if the point is one.
    pub(super) fn checked(
        &self,
        mut point: Point,
        mut places: Vec<Place>,
        pivots: u64,
    ) -> Result<SparseSolution, Failure> {
        self.evaluate(&mut point);
        self.settle_zeros(&point, &mut places);
        let backward_error = self.backward_error(&point, &places);
        let row = |i: usize| self.row(i).map(|(j, value)| (value, point.z[j]));
        let is_safe = (0..self.n()).all(|i| keeps_products(row(i), point.s[i]));
        if !is_safe || backward_error > self.limit() {
            return Err(Failure::Inaccurate { backward_error });
        }
        Ok(SparseSolution {
            z: point.z,
            w: point.w,
            places,
            pivots,
            backward_error,
        })
    }

    /// A row of zeros is right at any place, and with tiny numbers in it only at its bound.
    pub(super) fn settle_zeros(&self, point: &Point, places: &mut [Place]) {
        for (i, place) in places.iter_mut().enumerate() {
            if *place == Place::Between && point.z[i] == 0.0 && point.w[i] > 0.0 && !self.is_free(i)
            {
                *place = Place::Lower;
            }
        }
    }
}
