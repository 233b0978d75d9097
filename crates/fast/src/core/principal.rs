//! The methods that pivot on principal blocks: block pivoting, and Dantzig's, row by row.

use super::Core;
use super::auto::is_sparse;
use crate::block::{Opening, Rules};
use crate::dense::Kind;
use crate::failure::Failure;
use crate::meter::Meter;
use crate::place::Place;
use crate::problem::LcpRef;
use crate::range::Look;
use crate::tolerances::Q_NOISE;

/// From this size on, a matrix with fewer than one nonzero among [`STACK_PART`] entries is taken for
/// a stack: nearly all of its rows will stand between. Measured.
const STACK_FROM: usize = 30;
const STACK_PART: usize = 7;

impl Core {
    /// Block pivoting, and where its exchange circles, a method that ends.
    pub(super) fn block(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        meter: &mut Meter,
    ) -> Result<f64, Failure> {
        let rules = self.rules(lcp, seen);
        self.block.reserve(lcp.n(), rules.kind);
        self.restart(lcp);
        if self.started.is_empty() {
            self.guess(lcp, seen);
        }
        let rules = Rules {
            opening: self.opening(lcp, rules.kind),
            prove: self.prove,
            ..rules
        };
        if rules.opening == Opening::Hold {
            self.places.fill(Place::Between);
        }
        let Self {
            block,
            places,
            point,
            ..
        } = self;
        let result = block.solve(lcp, rules, places, point, meter);
        self.proved = result.is_ok() && block.proves(lcp, seen.largest, point);
        match result {
            // Exchanging single rows ends where exchanging all of them circles.
            Err(Failure::Pivots { .. }) if rules.kind == Kind::Symmetric => {
                self.single(lcp, seen, meter)
            }
            result => result,
        }
    }

    /// What is known before block pivoting begins.
    fn opening(&self, lcp: LcpRef<'_>, kind: Kind) -> Opening {
        if kind != Kind::Symmetric {
            return Opening::Given;
        }
        if !self.started.is_empty() {
            // A kept factor is one without a proof.
            return if self.prove {
                Opening::Given
            } else {
                Opening::Kept
            };
        }
        if !lcp.is_pure() {
            Opening::Given
        } else if self.is_pressed() || is_sparse(lcp, STACK_FROM, STACK_PART) {
            Opening::Hold
        } else {
            Opening::Sweeps
        }
    }

    /// Whether nine of ten rows or more would stand between: contacts under weight. Sweeps carry a
    /// weight from row to row and take long to settle there.
    fn is_pressed(&self) -> bool {
        let between = |place: &&Place| **place == Place::Between;
        self.places.iter().filter(between).count() * 10 >= self.places.len() * 9
    }

    /// The methods that end. Of redundant contacts Lemke's path is the shorter, measured. Of bodies whose masses are a million times apart
    /// rounding leads it in circles: all attempts on 2,000 contacts took 65,000 pivots in vain, and Dantzig's method 3,800. So a
    /// first attempt is short, and the others come last.
    fn single(&mut self, lcp: LcpRef<'_>, seen: Look, meter: &mut Meter) -> Result<f64, Failure> {
        if lcp.is_pure()
            && let Ok(backward_error) = self.lemke_first(lcp, seen, meter)
        {
            return Ok(backward_error);
        }
        let walked = self.dantzig(lcp, seen, meter);
        if walked.is_ok() || walked == Err(Failure::Time) || !lcp.is_pure() {
            return walked;
        }
        self.lemke(lcp, seen, false, meter).or(walked)
    }

    /// Cold: the rows that are wrong at their bounds stand between.
    fn guess(&mut self, lcp: LcpRef<'_>, seen: Look) {
        if !lcp.is_pure() {
            return;
        }
        // q_i = 0 up to rounding: two bodies that fall alike, and press on each other when one of
        // them is stopped.
        let largest = lcp.q.iter().fold(0.0f64, |most, q| most.max(q.abs()));
        // Only with a positive diagonal: in a semidefinite M a diagonal entry of 0 stands in a row
        // of zeros, which makes M_FF singular.
        let noise = if seen.diagonal.1 {
            Q_NOISE * largest
        } else {
            0.0
        };
        for (place, q) in self.places.iter_mut().zip(lcp.q) {
            // Without noise a q_i of 0 is right at the bound, as w_i = 0 there.
            if *q <= noise && (noise > 0.0 || *q < 0.0) {
                *place = Place::Between;
            }
        }
    }

    /// Dantzig's method, with E = 0 and then with the smallest E.
    pub(super) fn dantzig(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        meter: &mut Meter,
    ) -> Result<f64, Failure> {
        if !lcp.friction.is_empty() {
            return Err(Failure::Friction);
        }
        if !(seen.symmetric && seen.diagonal.0) {
            return Err(Failure::NotSemidefinite);
        }
        let rules = Rules {
            accept: self.accept,
            ..Rules::new(true)
        };
        self.block.reserve(lcp.n(), rules.kind);
        let mut last = Failure::Singular;
        // Without E first, as the solution is M's own. A semidefinite M may lead to a singular
        // A_CC, where Dantzig's method has no step; M + E does not.
        for regularised in [false, true] {
            if regularised {
                self.block.regularise(lcp);
            }
            self.restart(lcp);
            let Self {
                block,
                dantzig,
                places,
                point,
                ..
            } = self;
            let walked = dantzig.solve(lcp, block.shift(), places, point, meter);
            let finished = walked.and_then(|()| block.solve(lcp, rules, places, point, meter));
            match finished {
                Ok(backward_error) => return Ok(backward_error),
                Err(failure) => last = failure,
            }
        }
        Err(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sweeps, and E from the start, are for symmetric matrices that may be definite. Of others the places are taken as given.
    #[test]
    fn block_pivoting_opens_by_the_kind_of_the_matrix() {
        let lcp = LcpRef::new(&[2.0, 1.0, 1.0, 2.0], &[-1.0, 1.0]).unwrap();
        let mut core = Core::default();
        core.point.reset(lcp);
        core.places = vec![Place::Between, Place::Lower];
        assert_eq!(core.opening(lcp, Kind::Symmetric), Opening::Sweeps);
        assert_eq!(core.opening(lcp, Kind::General), Opening::Given);
        core.places = vec![Place::Between; 2];
        assert_eq!(core.opening(lcp, Kind::Symmetric), Opening::Hold);
        assert_eq!(core.opening(lcp, Kind::General), Opening::Given);
        core.started = core.places.clone();
        assert_eq!(core.opening(lcp, Kind::Symmetric), Opening::Kept);
        assert_eq!(core.opening(lcp, Kind::General), Opening::Given);
        core.prove = true;
        assert_eq!(core.opening(lcp, Kind::Symmetric), Opening::Given);
    }
}
