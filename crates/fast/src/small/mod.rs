//! Problems of at most 37 rows: a dictionary with rows of fixed size, and the whole walk compiled as
//! one loop. At this size calls, copies and checks of length cost more than the arithmetic.
//!
//! The dictionary is that of [`crate::lemke`]: basic = b + T nonbasic, from w = q + M z. Symmetric
//! problems are walked by principal pivots, in the manner of the criss-cross method (den Hertog,
//! Roos and Terlaky 1993). All others, and those that do not settle so, are walked by Lemke's
//! method. The result is a proposal: its point is refined with the inverse that the dictionary
//! holds, and checked like every other.

mod dictionary;
mod lemke;
mod principal;

use pulp::Simd;

use crate::place::Place;
use crate::point::Point;
use crate::problem::LcpRef;
use crate::range::Look;
use crate::simd::{Kernel, dispatch};
use crate::tolerances::{Q_NOISE, limit};

/// Columns beside those of z: the covering vector, q, and what breaks ties.
const EXTRA: usize = 3;

/// Refining steps with the inverse. Each leaves at most some 37^2 u times the condition of the basis
/// of the error, so three do where any number does.
const STEPS: u32 = 3;

/// A dictionary of rows of W numbers.
#[derive(Debug)]
pub(crate) struct Small<const W: usize> {
    rows: Vec<[f64; W]>,
    /// w_i is i, z_i is W + i, z0 is 2 W.
    basic: [usize; W],
    nonbasic: [usize; W],
    /// Position of a variable among the basic or the nonbasic.
    place: Vec<usize>,
    n: usize,
    pivots: u32,
}

impl<const W: usize> Default for Small<W> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            basic: [0; W],
            nonbasic: [0; W],
            place: Vec::new(),
            n: 0,
            pivots: 0,
        }
    }
}

/// What a walk ended at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Proposal {
    pub(crate) pivots: u32,
    pub(crate) backward_error: f64,
    pub(crate) by_lemke: bool,
}

impl<const W: usize> Small<W> {
    /// Whether it holds n rows.
    pub(crate) fn holds(n: usize) -> bool {
        n + EXTRA <= W
    }

    /// Solves a pure LCP from the basis `start` (empty: w). `principal` says that M is symmetric with
    /// no negative diagonal entry. `None` leaves the problem to another method.
    pub(crate) fn solve(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        principal: bool,
        start: &[Place],
        places: &mut [Place],
        point: &mut Point,
    ) -> Option<Proposal> {
        let mut by_lemke = !principal;
        let mut start = start;
        loop {
            let found = dispatch(Walk {
                small: self,
                lcp,
                start,
                by_lemke,
                noise: -Q_NOISE * seen.largest_q,
            });
            if found && let Some(backward_error) = self.check(lcp, seen.symmetric, places, point) {
                return Some(Proposal {
                    pivots: self.pivots,
                    backward_error,
                    by_lemke,
                });
            }
            if by_lemke && start.is_empty() {
                return None;
            }
            // Lemke's method anew, from nothing.
            by_lemke = true;
            start = &[];
        }
    }

    /// The point of the basis, refined, and its backward error where that passes.
    fn check(
        &self,
        lcp: LcpRef<'_>,
        symmetric: bool,
        places: &mut [Place],
        point: &mut Point,
    ) -> Option<f64> {
        let n = self.n;
        let each = places[..n].iter_mut().zip(&mut point.z[..n]);
        for (i, (place, z)) in each.enumerate() {
            let r = self.place[W + i];
            let basic = self.basic[r] == W + i && r < n;
            *place = if basic { Place::Between } else { Place::Lower };
            *z = if basic {
                // `max` makes 0 of NaN too. Whether the point is a solution, the self-check decides.
                self.rows[r][n + 1].max(0.0)
            } else {
                0.0
            };
        }
        for step in 0..=STEPS {
            point.evaluate(lcp, symmetric);
            let backward_error = point.backward_error(lcp, places);
            if backward_error <= limit(n) {
                return Some(backward_error);
            }
            if step == STEPS {
                break;
            }
            for r in 0..n {
                let variable = self.basic[r];
                if !(W..2 * W).contains(&variable) {
                    continue;
                }
                // z_r moves with the nonbasic w by its row of the inverse.
                let mut change = 0.0;
                for (c, &other) in self.nonbasic[..n].iter().enumerate() {
                    if other < W {
                        change += self.rows[r][c] * point.w[other];
                    }
                }
                let z = &mut point.z[variable - W];
                *z = (*z - change).max(0.0);
            }
        }
        None
    }
}

struct Walk<'a, const W: usize> {
    small: &'a mut Small<W>,
    lcp: LcpRef<'a>,
    start: &'a [Place],
    by_lemke: bool,
    /// The b of a row counts as negative below this.
    noise: f64,
}

impl<const W: usize> Kernel for Walk<'_, W> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> bool {
        let Self {
            small,
            lcp,
            start,
            by_lemke,
            noise,
        } = self;
        small.fill(simd, lcp);
        small.advance_to(simd, lcp, start, !by_lemke);
        if by_lemke {
            small.lemke(simd)
        } else {
            small.principal(simd, lcp, noise)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row 1 is z_3 times `raise` less z_2 less 1, and its diagonal entry 0. A `raise` that is noise beside the other entry is no
    /// pivot: the walk ends without one. A sound one is exchanged.
    #[test]
    fn an_entry_that_is_noise_in_its_row_is_no_pivot() {
        for (raise, is_pivot) in [(1e-14, false), (1.0, true)] {
            let m = [0.0, -1.0, raise, -1.0, 2.0, 0.0, raise, 0.0, 2.0];
            let lcp = LcpRef::new(&m, &[-1.0, 1.0, 1.0]).unwrap();
            let mut small = Small::<16>::default();
            let found = dispatch(Walk {
                small: &mut small,
                lcp,
                start: &[],
                by_lemke: false,
                noise: 0.0,
            });
            assert_eq!(small.pivots > 0, is_pivot, "raise {raise}");
            assert!(is_pivot || !found);
        }
    }
}
