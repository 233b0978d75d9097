//! Starts for problems with friction.
//!
//! Their matrix is not symmetric, and Lemke's method takes many pivots from nothing. It takes a quarter of the time
//! from the places of the problem before, or from those of a problem with boxes, which is symmetric.

use etalon_fast::{Place, Start};

use super::LcpSolver;
use crate::observe::RowBound;
use crate::tolerances::{NEEDS_START, START_RIDGE};

impl LcpSolver {
    /// Forgets the places of the answers so far. Each step begins so: then a saved world, which has no places, goes on
    /// as this one does.
    pub fn forget(&mut self) {
        self.nearby.clear();
    }

    /// Keeps the places of the last answer.
    pub(super) fn remember(&mut self, bounds: &[RowBound]) {
        if !needs_start(bounds) {
            return;
        }
        let places = self.places.clone();
        match self.nearby.iter_mut().find(|old| old.len() == places.len()) {
            Some(old) => *old = places,
            None => self.nearby.push(places),
        }
    }

    /// The places of the last answer with as many rows; else those of the problem with boxes.
    pub(super) fn places_nearby(
        &mut self,
        a: &[f64],
        b: &[f64],
        bounds: &[RowBound],
    ) -> Option<Vec<Place>> {
        if !needs_start(bounds) {
            return None;
        }
        let last = self.nearby.iter().find(|old| old.len() == b.len());
        last.cloned().or_else(|| self.by_boxes(a, b, bounds))
    }

    /// The places of the problem with boxes: first all contacts stick, then those that need more friction than mu
    /// times their normal force are bounded by that. A ridge makes redundant contacts share their forces evenly.
    fn by_boxes(&mut self, a: &[f64], b: &[f64], bounds: &[RowBound]) -> Option<Vec<Place>> {
        let n = b.len();
        let largest = (0..n).map(|i| a[i * n + i]).fold(0.0, f64::max);
        let mut ridged = a.to_vec();
        for i in 0..n {
            ridged[i * n + i] += START_RIDGE * largest;
        }
        let mut boxes = bounds.to_vec();
        for bound in boxes.iter_mut().filter(|bound| bound.is_coulomb()) {
            // Sticking everywhere is the problem of joints: its friction says which contacts need more than
            // the cone has.
            *bound = RowBound::Free;
        }
        let stuck = self.attempt_from(Start::Cold, &ridged, b, &boxes).ok()?;
        for (row, bound) in bounds.iter().enumerate() {
            if let RowBound::Coulomb { normal, mu } = *bound {
                let most = mu * stuck.f[normal];
                if stuck.f[row].abs() > most {
                    boxes[row] = RowBound::Within(most);
                }
            }
        }
        self.attempt_from(Start::Cold, &ridged, b, &boxes).ok()?;
        Some(self.places.clone())
    }
}

fn needs_start(bounds: &[RowBound]) -> bool {
    bounds.len() >= NEEDS_START && bounds.iter().any(|bound| bound.is_coulomb())
}
