//! The methods on one problem whose exponents are tame.

mod lemke;
mod start;

use crate::block::{Block, Rules};
use crate::dantzig::Dantzig;
use crate::dense::Kind;
use crate::failure::Failure;
use crate::lemke::Lemke;
use crate::method::Method;
use crate::place::{Place, Start};
use crate::point::{Point, limit};
use crate::problem::LcpRef;
use crate::range::Look;
use crate::reduce::Reduced;
use crate::scale::Scaled;
use crate::small::Small;
use crate::sparse::{SparseLcp, solve_sparse};

use crate::workspace::Solution;

/// From this size a matrix with fewer than one nonzero among so many entries goes to the sparse
/// method.
const SPARSE_FROM: usize = 200;
const SPARSE_PART: usize = 60;

/// From this size a matrix with fewer than one nonzero among so many is taken for a stack.
const STACK_FROM: usize = 30;
const STACK_PART: usize = 7;

#[derive(Debug, Default)]
pub(crate) struct Core {
    pub(crate) point: Point,
    places: Vec<Place>,
    started: Vec<Place>,
    block: Block,
    dantzig: Dantzig,
    lemke: Lemke,
    small: Small<16>,
    medium: Small<32>,
    wide: Small<40>,
    reduced: Reduced,
    /// Equilibrated, for Lemke's second attempts.
    scaled: Scaled,
    warm: Vec<bool>,
    /// Of Lemke's method, while others try to mend it.
    basis: Vec<Place>,
    /// Whether to prove the signs, and whether they are.
    prove: bool,
    proved: bool,
    /// The backward error that will do.
    pub(crate) accept: f64,
}

pub(crate) struct Found {
    pivots: u64,
    backward_error: f64,
    method: Method,
}

impl Core {
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

    /// Solves tame data; `prove`: and tries to prove the signs.
    pub(crate) fn solve(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        method: Method,
        start: Start<'_>,
        prove: bool,
    ) -> Result<Found, Failure> {
        self.prove = prove && seen.symmetric && seen.diagonal.0 && lcp.is_pure();
        self.proved = false;
        self.point.reset(lcp);
        self.start(lcp, start);
        let mut pivots = 0;
        let result = match method {
            Method::Block => self.block(lcp, seen, &mut pivots),
            Method::Dantzig => self.dantzig(lcp, seen, &mut pivots),
            Method::Lemke => {
                if let Some(found) = self.small(lcp, seen, false) {
                    return Ok(found);
                }
                self.lemke(lcp, seen, &mut pivots)
            }
            Method::Auto => {
                let principal = seen.symmetric && seen.diagonal.0;
                return match self.small(lcp, seen, principal) {
                    Some(found) => Ok(found),
                    None => self.auto(lcp, seen, pivots),
                };
            }
        };
        result.map(|backward_error| Found {
            pivots,
            backward_error,
            method,
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
                Method::Lemke
            } else {
                Method::Block
            },
        })
    }

    /// The method that fits, then those that might do.
    fn auto(&mut self, lcp: LcpRef<'_>, seen: Look, mut pivots: u64) -> Result<Found, Failure> {
        let semidefinite = seen.symmetric && seen.diagonal.0 && lcp.friction.is_empty();
        let order: &[Method] = if semidefinite || seen.diagonal.1 || !lcp.friction.is_empty() {
            &[Method::Block, Method::Lemke]
        } else {
            &[Method::Lemke, Method::Block]
        };
        if semidefinite
            && self.started.is_empty()
            && is_sparse(lcp, SPARSE_FROM, SPARSE_PART)
            && let Some(found) = self.sparse(lcp)
        {
            return Ok(found);
        }
        let mut first = None;
        for &method in order {
            let result = match method {
                Method::Block => self.block(lcp, seen, &mut pivots),
                _ => self.lemke(lcp, seen, &mut pivots),
            };
            match result {
                Ok(backward_error) => {
                    return Ok(Found {
                        pivots,
                        backward_error,
                        method,
                    });
                }
                Err(failure) => first = first.or(Some(failure)),
            }
        }
        if !self.started.is_empty() {
            // What was known beforehand led nowhere.
            self.started.clear();
            return self.auto(lcp, seen, pivots);
        }
        Err(first.unwrap_or(Failure::Singular))
    }

    /// The sparse method, where a dense matrix is mostly zeros.
    fn sparse(&mut self, lcp: LcpRef<'_>) -> Option<Found> {
        let n = lcp.n();
        let nonzero = |(k, value): (usize, &f64)| (*value != 0.0).then_some((k / n, k % n, *value));
        let entries: Vec<_> = lcp.m.iter().enumerate().filter_map(nonzero).collect();
        let sparse = SparseLcp::new(&entries, lcp.q).ok()?;
        let solution = solve_sparse(&sparse, Start::Cold).ok()?;
        self.point.z.copy_from_slice(&solution.z);
        self.point.w.copy_from_slice(&solution.w);
        self.places.copy_from_slice(&solution.places);
        (solution.backward_error <= limit(n)).then_some(Found {
            pivots: solution.pivots,
            backward_error: solution.backward_error,
            method: Method::Block,
        })
    }

    fn rules(&self, lcp: LcpRef<'_>, seen: Look) -> Rules {
        let mut rules = Rules {
            accept: self.accept,
            ..Rules::new(seen.symmetric)
        };
        if !(seen.diagonal.0 && lcp.friction.is_empty()) {
            rules.kind = Kind::General;
        }
        rules
    }

    fn block(&mut self, lcp: LcpRef<'_>, seen: Look, pivots: &mut u64) -> Result<f64, Failure> {
        let mut rules = self.rules(lcp, seen);
        self.block.reserve(lcp.n(), rules.kind);
        self.restart(lcp);
        rules.prove = self.prove;
        rules.reuse = !self.prove && !self.started.is_empty() && rules.kind == Kind::Symmetric;
        rules.sweeps = self.started.is_empty() && rules.kind == Kind::Symmetric && lcp.is_pure();
        if self.started.is_empty() {
            self.guess(lcp, seen);
        }
        if rules.sweeps && (self.is_pressed() || is_sparse(lcp, STACK_FROM, STACK_PART)) {
            self.places.fill(Place::Between);
            rules.hold = true;
        }
        let Self {
            block,
            places,
            point,
            ..
        } = self;
        let result = block.solve(lcp, rules, places, point, pivots);
        let semidefinite = rules.kind == Kind::Symmetric;
        self.proved = result.is_ok() && block.proves(lcp, seen.largest, point);
        match result {
            // Exchanging single rows ends where exchanging all of them circles.
            Err(Failure::Pivots { .. }) if semidefinite => self.single(lcp, seen, pivots),
            result => result,
        }
    }

    /// Whether nearly all rows would stand between: contacts under weight, which sweeps, carrying
    /// it from row to row, take long to settle.
    fn is_pressed(&self) -> bool {
        let between = |place: &&Place| **place == Place::Between;
        self.places.iter().filter(between).count() * 10 >= self.places.len() * 9
    }

    /// The methods that end: measured on redundant contacts, Lemke's path is the shorter.
    fn single(&mut self, lcp: LcpRef<'_>, seen: Look, pivots: &mut u64) -> Result<f64, Failure> {
        if lcp.is_pure()
            && let Ok(backward_error) = self.lemke(lcp, seen, pivots)
        {
            return Ok(backward_error);
        }
        self.dantzig(lcp, seen, pivots)
    }

    /// Cold: the rows that are wrong where they stand stand between.
    fn guess(&mut self, lcp: LcpRef<'_>, seen: Look) {
        if lcp.is_pure() {
            // q_i = 0 up to rounding: two bodies that fall alike, and press on each other when
            // one of them is stopped.
            let largest = lcp.q.iter().fold(0.0f64, |most, q| most.max(q.abs()));
            let noise = if seen.diagonal.1 {
                1e-13 * largest
            } else {
                0.0
            };
            for (place, q) in self.places.iter_mut().zip(lcp.q) {
                if *q <= noise && (noise > 0.0 || *q < 0.0) {
                    *place = Place::Between;
                }
            }
        }
    }

    fn dantzig(&mut self, lcp: LcpRef<'_>, seen: Look, pivots: &mut u64) -> Result<f64, Failure> {
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
            let walked = dantzig.solve(lcp, &block.shift, places, point, pivots);
            let finished = walked.and_then(|()| block.solve(lcp, rules, places, point, pivots));
            match finished {
                Ok(backward_error) => return Ok(backward_error),
                Err(failure) => last = failure,
            }
        }
        Err(last)
    }
}

/// Whether a pure problem has `from` rows, and a sample of them no more than one nonzero among
/// `part`.
fn is_sparse(lcp: LcpRef<'_>, from: usize, part: usize) -> bool {
    let n = lcp.n();
    if n < from.max(16) || !lcp.is_pure() {
        return false;
    }
    let sample = (0..n).step_by(n / 16);
    let nonzeros = |i: usize| lcp.row(i).iter().filter(|value| **value != 0.0).count();
    let (rows, found) = sample.fold((0, 0), |(rows, sum), i| (rows + 1, sum + nonzeros(i)));
    found * part < rows * n
}
