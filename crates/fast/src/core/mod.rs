//! The methods on one problem whose exponents are tame.

mod auto;
mod lemke;
mod principal;
mod start;

use crate::block::{Block, Rules};
use crate::dantzig::Dantzig;
use crate::dense::Kind;
use crate::failure::Failure;
use crate::interior::Interior;
use crate::lemke::Lemke;
use crate::meter::{Meter, Until};
use crate::method::FastMethod;
use crate::place::{Place, Start};
use crate::point::Point;
use crate::problem::LcpRef;
use crate::range::Look;
use crate::reduce::Reduced;
use crate::scale::Scaled;
use crate::small::Small;
use crate::solution::Solution;
use crate::tiny::keeps_products;
use crate::tolerances::limit;

/// The working memory of all methods, and the answer of the last.
#[derive(Debug, Default)]
pub(crate) struct Core {
    pub(crate) point: Point,
    places: Vec<Place>,
    /// The places of the known start; empty: a cold start.
    started: Vec<Place>,
    /// z of the known start of a pure problem; empty: only places are known.
    known: Vec<f64>,
    block: Block,
    interior: Interior,
    dantzig: Dantzig,
    lemke: Lemke,
    /// Dictionaries for up to 13, 29 and 37 rows.
    small: Small<16>,
    medium: Small<32>,
    wide: Small<40>,
    /// The problem without bounds and friction rows, for Lemke's method.
    reduced: Reduced,
    /// The problem equilibrated, for Lemke's second attempts.
    scaled: Scaled,
    /// The basis that Lemke's path starts from; empty: w.
    warm: Vec<bool>,
    /// Whether to prove the signs.
    prove: bool,
    /// Whether they are proved.
    proved: bool,
    /// The backward error that will do.
    pub(crate) accept: f64,
    /// When a run has to end.
    pub(crate) until: Until,
}

/// What is known of an answer beside its vectors, which are those of the [`Core`].
pub(crate) struct Found {
    pivots: u64,
    backward_error: f64,
    method: FastMethod,
}

impl Core {
    /// The answer, with the vectors it stands in.
    pub(crate) fn solution(&self, found: Found) -> Solution<'_> {
        Solution {
            z: &self.point.z,
            w: &self.point.w,
            places: &self.places,
            pivots: found.pivots,
            backward_error: found.backward_error,
            method: found.method,
            proved: self.proved,
        }
    }

    /// Solves tame data; with `prove`, tries to prove the signs too.
    pub(crate) fn solve(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        method: FastMethod,
        start: Start<'_>,
        prove: bool,
    ) -> Result<Found, Failure> {
        // The proof bounds the least eigenvalue of M_FF by a Cholesky factor, and shows z >= 0 and
        // w >= 0: so symmetric, and pure.
        self.prove = prove && seen.symmetric && seen.diagonal.0 && lcp.is_pure();
        self.proved = false;
        self.point.reset(lcp);
        self.start(lcp, start);
        let mut meter = Meter::new(self.until);
        let result = match method {
            FastMethod::Block => self.block(lcp, seen, &mut meter),
            FastMethod::Dantzig => self.dantzig(lcp, seen, &mut meter),
            FastMethod::Lemke => {
                if let Some(found) = self.small(lcp, seen, false) {
                    return Ok(found);
                }
                self.lemke(lcp, seen, false, &mut meter)
            }
            FastMethod::Auto => {
                let principal = seen.symmetric && seen.diagonal.0;
                return match self.small(lcp, seen, principal) {
                    Some(found) => Ok(found),
                    None => self.auto(lcp, seen, meter),
                };
            }
        };
        result.map(|backward_error| Found {
            pivots: meter.pivots,
            backward_error,
            method,
        })
    }

    /// An answer to a nearby problem, as one to this, whose data may be tiny.
    pub(crate) fn checked_on(
        &mut self,
        lcp: LcpRef<'_>,
        symmetric: bool,
        found: Found,
    ) -> Result<Found, Failure> {
        let point = &mut self.point;
        point.evaluate(lcp, symmetric);
        // A row of zeros is right at any place, and with tiny numbers in it only at its bound. (Bounds of friction rows move with others.)
        for (i, place) in self.places.iter_mut().enumerate() {
            let (lower, upper) = lcp.bounds(i);
            if *place != Place::Between || !lcp.friction.is_empty() {
                continue;
            }
            if point.z[i] == lower && point.w[i] > 0.0 {
                *place = Place::Lower;
            } else if point.z[i] == upper && point.w[i] < 0.0 {
                *place = Place::Upper;
            }
        }
        let row = |i: usize| lcp.row(i).iter().copied().zip(point.z.iter().copied());
        let is_safe = (0..lcp.n()).all(|i| keeps_products(row(i), point.s[i]));
        let backward_error = point.backward_error(lcp, &self.places);
        if !is_safe || backward_error.is_infinite() {
            return Err(Failure::Overflow);
        }
        if backward_error > limit(lcp.n()).max(self.accept) {
            return Err(Failure::Inaccurate { backward_error });
        }
        Ok(Found {
            backward_error,
            ..found
        })
    }

    /// Small pure problems, by principal pivots or by Lemke's method.
    fn small(&mut self, lcp: LcpRef<'_>, seen: Look, principal: bool) -> Option<Found> {
        if !lcp.is_pure() || !Small::<40>::holds(lcp.n()) {
            return None;
        }
        let Self {
            small,
            medium,
            wide,
            places,
            point,
            started,
            ..
        } = self;
        let proposal = if Small::<16>::holds(lcp.n()) {
            small.solve(lcp, seen, principal, started, places, point)
        } else if Small::<32>::holds(lcp.n()) {
            medium.solve(lcp, seen, principal, started, places, point)
        } else {
            wide.solve(lcp, seen, principal, started, places, point)
        }?;
        if self.prove {
            self.block.reserve(lcp.n(), Kind::Symmetric);
            self.proved = self
                .block
                .proves_places(lcp, seen.largest, &self.places, &self.point);
        }
        Some(Found {
            pivots: proposal.pivots.into(),
            backward_error: proposal.backward_error,
            method: if proposal.by_lemke {
                FastMethod::Lemke
            } else {
                FastMethod::Block
            },
        })
    }

    /// The rules of block pivoting that follow from the problem alone.
    fn rules(&self, lcp: LcpRef<'_>, seen: Look) -> Rules {
        let mut rules = Rules {
            accept: self.accept,
            ..Rules::new(seen.symmetric)
        };
        // No definite matrix has a negative diagonal entry. A friction row at its bound moves with
        // its normal, which leaves a block without symmetry.
        if !(seen.diagonal.0 && lcp.friction.is_empty()) {
            rules.kind = Kind::General;
        }
        rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::FrictionRow;
    use crate::range::look;

    /// A Cholesky factor is for a block that is symmetric and may be definite. The block of a normal row whose friction
    /// slides is M_nn + mu M_nf beside M_fn + mu M_ff: not symmetric. A negative diagonal entry is in no definite block.
    #[test]
    fn only_blocks_that_may_be_definite_are_factored_as_such() {
        let friction = [FrictionRow {
            row: 1,
            normal: 0,
            mu: 0.5,
        }];
        let is_symmetric = |m: &[f64; 4], friction: &[FrictionRow]| {
            let lcp = LcpRef::new(m, &[-1.0, 1.0]).unwrap();
            let lcp = lcp.with_friction(friction).unwrap();
            let rules = Core::default().rules(lcp, look(lcp).unwrap());
            matches!(rules.kind, Kind::Symmetric)
        };
        assert!(is_symmetric(&[2.0, 1.0, 1.0, 2.0], &[]));
        assert!(!is_symmetric(&[2.0, 1.0, 1.0, 2.0], &friction));
        assert!(!is_symmetric(&[2.0, 1.0, 0.0, 2.0], &[]));
        assert!(!is_symmetric(&[2.0, 1.0, 1.0, -2.0], &[]));
        assert!(!is_symmetric(&[2.0, 1.0, 1.0, -2.0], &friction));
    }
}
