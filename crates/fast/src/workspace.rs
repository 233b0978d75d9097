//! One entrance for all methods: looks at the data, starts, solves, checks.

use crate::block::{Block, Rules};
use crate::dantzig::{Dantzig, nearest_bound};
use crate::dense::Kind;
use crate::failure::Failure;
use crate::lemke::{ATTEMPTS, Attempt, Lemke};
use crate::method::Method;
use crate::place::{Place, Start};
use crate::point::{Point, limit};
use crate::problem::LcpRef;
use crate::range::{Look, look};
use crate::reduce::Reduced;
use crate::scale::Scaled;
use crate::sparse::{SparseLcp, solve_sparse};

/// From this size a dense matrix of mostly zeros goes to the sparse method.
const SPARSE_FROM: usize = 64;

/// Memory that solvers reuse: once it has the size of the problem, pivoting takes none from the
/// allocator. What does: bounds and friction rows on Lemke's way to a pure problem, data beyond
/// 2^+-300, and the sparse method, which takes dense matrices of at least 64 rows of which three
/// quarters are 0.
#[derive(Debug, Default)]
pub struct Workspace {
    core: Core,
    scaled: Scaled,
    scaled_z: Vec<f64>,
    scaled_w: Vec<f64>,
}

#[derive(Debug, Default)]
struct Core {
    point: Point,
    places: Vec<Place>,
    started: Vec<Place>,
    block: Block,
    dantzig: Dantzig,
    lemke: Lemke,
    reduced: Reduced,
    /// Equilibrated, for Lemke's second attempts.
    scaled: Scaled,
    warm: Vec<bool>,
}

/// A solution that passed the self-check.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solution<'a> {
    /// z, n values.
    pub z: &'a [f64],
    /// w = Mz + q, rounded, n values.
    pub w: &'a [f64],
    /// Where each z_i stands.
    pub places: &'a [Place],
    /// Pivots, or rows exchanged.
    pub pivots: u64,
    /// A bound on the componentwise backward error, rounding included: at most (4 n + 16) 2^-53.
    pub backward_error: f64,
    /// The method that found it.
    pub method: Method,
}

struct Found {
    pivots: u64,
    backward_error: f64,
    method: Method,
}

impl Workspace {
    /// An empty workspace.
    pub fn new() -> Self {
        Self::default()
    }

    /// Solves a problem, from nothing or from what a nearby problem left.
    ///
    /// # Errors
    /// [`Failure`]. None of its cases says that there is no solution.
    pub fn solve(
        &mut self,
        lcp: LcpRef<'_>,
        method: Method,
        start: Start<'_>,
    ) -> Result<Solution<'_>, Failure> {
        let seen = look(lcp)?;
        if seen.tame {
            let found = self.core.solve(lcp, seen, method, start);
            // Results out of range need the scaled problem after all.
            if !matches!(found, Err(Failure::Overflow)) {
                return found.map(|found| self.core.solution(found));
            }
        }
        self.solve_scaled(lcp, seen, method, start)
    }

    fn solve_scaled(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        method: Method,
        start: Start<'_>,
    ) -> Result<Solution<'_>, Failure> {
        if !self.scaled.build(lcp, seen.symmetric) {
            return Err(Failure::Overflow);
        }
        let scaled = self.scaled.lcp.view();
        let looked = look(scaled).map_err(|_| Failure::Overflow)?;
        if !looked.tame {
            return Err(Failure::Overflow);
        }
        let moved;
        let start = match start {
            Start::Point(z) => {
                moved = self.scaled.scale_point(z);
                Start::Point(&moved)
            }
            other => other,
        };
        let found = self.core.solve(scaled, looked, method, start)?;
        let core = &self.core;
        self.scaled
            .unscale(&core.point.z, &mut self.scaled_z)
            .ok_or(Failure::Overflow)?;
        self.scaled.unscale_w(&core.point.w, &mut self.scaled_w);
        Ok(Solution {
            z: &self.scaled_z,
            w: &self.scaled_w,
            ..core.solution(found)
        })
    }
}

impl Core {
    fn solution(&self, found: Found) -> Solution<'_> {
        Solution {
            z: &self.point.z,
            w: &self.point.w,
            places: &self.places,
            pivots: found.pivots,
            backward_error: found.backward_error,
            method: found.method,
        }
    }

    fn solve(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        method: Method,
        start: Start<'_>,
    ) -> Result<Found, Failure> {
        self.point.reset(lcp);
        self.start(lcp, start);
        let mut pivots = 0;
        let result = match method {
            Method::Block => self.block(lcp, seen, &mut pivots),
            Method::Dantzig => self.dantzig(lcp, seen, &mut pivots),
            Method::Lemke => self.lemke(lcp, seen, &mut pivots),
            Method::Auto => return self.auto(lcp, seen, pivots),
        };
        result.map(|backward_error| Found {
            pivots,
            backward_error,
            method,
        })
    }

    /// The method that fits, then those that might do.
    fn auto(&mut self, lcp: LcpRef<'_>, seen: Look, mut pivots: u64) -> Result<Found, Failure> {
        let semidefinite = seen.symmetric && seen.diagonal.0 && lcp.friction.is_empty();
        let order: &[Method] = if semidefinite {
            &[Method::Block, Method::Lemke]
        } else if seen.diagonal.1 || !lcp.friction.is_empty() {
            &[Method::Block, Method::Lemke]
        } else {
            &[Method::Lemke, Method::Block]
        };
        if semidefinite && self.started.is_empty() && is_sparse(lcp) {
            if let Some(found) = self.sparse(lcp) {
                return Ok(found);
            }
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

    /// Where the rows stand at first.
    fn start(&mut self, lcp: LcpRef<'_>, start: Start<'_>) {
        let n = lcp.n();
        self.places.clear();
        self.places.extend((0..n).map(|i| nearest_bound(lcp, i)));
        match start {
            Start::Places(given) if given.len() == n => {
                for (i, place) in given.iter().enumerate() {
                    self.take_place(lcp, i, *place);
                }
            }
            Start::Basis(basis) if basis.n() >= n => {
                for i in 0..n {
                    if basis.z_is_basic(i) {
                        self.take_place(lcp, i, Place::Between);
                    }
                }
            }
            Start::Point(z) if z.len() == n => {
                for (i, &z) in z.iter().enumerate() {
                    let (lower, upper) = lcp.bounds(i);
                    let place = if z <= lower {
                        Place::Lower
                    } else if z >= upper {
                        Place::Upper
                    } else {
                        Place::Between
                    };
                    self.take_place(lcp, i, place);
                }
            }
            _ => {}
        }
        self.started.clear();
        if !matches!(start, Start::Cold) {
            self.started.extend_from_slice(&self.places);
        }
    }

    /// A place, where row i has it.
    fn take_place(&mut self, lcp: LcpRef<'_>, i: usize, place: Place) {
        let (lower, upper) = lcp.bounds(i);
        let friction = lcp.friction.iter().any(|f| f.row == i);
        let has = match place {
            Place::Between => true,
            Place::Lower => friction || lower.is_finite(),
            Place::Upper => friction || upper.is_finite(),
        };
        if has {
            self.places[i] = place;
        }
    }

    /// Back to the start, for the next method.
    fn restart(&mut self, lcp: LcpRef<'_>) {
        for i in 0..lcp.n() {
            let cold = nearest_bound(lcp, i);
            self.places[i] = self.started.get(i).copied().unwrap_or(cold);
        }
    }

    fn rules(lcp: LcpRef<'_>, seen: Look) -> Rules {
        let mut rules = Rules::new(seen.symmetric);
        if !(seen.diagonal.0 && lcp.friction.is_empty()) {
            rules.kind = Kind::General;
        }
        rules
    }

    fn block(&mut self, lcp: LcpRef<'_>, seen: Look, pivots: &mut u64) -> Result<f64, Failure> {
        let rules = Self::rules(lcp, seen);
        self.block.reserve(lcp.n(), rules.kind);
        self.restart(lcp);
        if self.started.is_empty() {
            self.guess(lcp, seen);
        }
        let Self {
            block,
            places,
            point,
            ..
        } = self;
        let result = block.solve(lcp, rules, places, point, pivots);
        let semidefinite = rules.kind == Kind::Symmetric;
        match result {
            // Exchanging single rows ends where exchanging all of them circles.
            Err(Failure::Pivots { .. }) if semidefinite => self.dantzig(lcp, seen, pivots),
            result => result,
        }
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
        let rules = Rules::new(true);
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

    fn lemke(&mut self, lcp: LcpRef<'_>, seen: Look, pivots: &mut u64) -> Result<f64, Failure> {
        let pure = lcp.is_pure();
        if !pure {
            self.reduced.build(lcp);
        }
        let mut rules = Self::rules(lcp, seen);
        rules.patience = 3;
        self.block.reserve(lcp.n(), rules.kind);
        if !self.started.is_empty() {
            // The places may be the answer's already.
            self.restart(lcp);
            let Self {
                block,
                places,
                point,
                ..
            } = self;
            if let Ok(backward_error) = block.solve(lcp, rules, places, point, pivots) {
                return Ok(backward_error);
            }
        }
        let mut last = Failure::Ray;
        for attempt in ATTEMPTS {
            match self.attempt(lcp, rules, seen, attempt, pivots) {
                Ok(backward_error) => return Ok(backward_error),
                Err(failure) => last = failure,
            }
            // What was known beforehand has had its chance.
            self.started.clear();
        }
        Err(last)
    }

    fn attempt(
        &mut self,
        lcp: LcpRef<'_>,
        mut rules: Rules,
        seen: Look,
        attempt: Attempt,
        pivots: &mut u64,
    ) -> Result<f64, Failure> {
        let Self {
            lemke,
            reduced,
            places,
            point,
            block,
            started,
            warm,
            scaled,
            ..
        } = self;
        warm.clear();
        if lcp.is_pure() {
            warm.extend(started.iter().map(|place| *place == Place::Between));
            if attempt.scaled && scaled.build(lcp, seen.symmetric) {
                let lcp = scaled.lcp.view();
                lemke.solve(lcp.m, lcp.q, warm, attempt, pivots)?;
            } else {
                lemke.solve(lcp.m, lcp.q, warm, attempt, pivots)?;
            }
            for (i, place) in places.iter_mut().enumerate() {
                let basic = lemke.is_basic(i);
                *place = if basic { Place::Between } else { Place::Lower };
                // A basic variable of 0, or below it by rounding, is 0.
                point.z[i] = lemke.z(i).max(0.0);
            }
            if !attempt.scaled {
                if let Some(backward_error) = passes(lcp, seen, places, point) {
                    return Ok(backward_error);
                }
                rules.near = true;
            }
        } else {
            if !started.is_empty() {
                reduced.basis(lcp, started, warm);
            }
            lemke.solve(&reduced.m, &reduced.q, warm, attempt, pivots)?;
            reduced.places(lcp, |k| lemke.is_basic(k), places);
        }
        block.solve(lcp, rules, places, point, pivots)
    }
}

/// Whether a sample of the rows of a pure problem is mostly zeros, and the problem of a size where
/// that pays.
fn is_sparse(lcp: LcpRef<'_>) -> bool {
    let n = lcp.n();
    if n < SPARSE_FROM || !lcp.is_pure() {
        return false;
    }
    let sample = (0..n).step_by(n / 16);
    let nonzeros = |i: usize| lcp.row(i).iter().filter(|value| **value != 0.0).count();
    let (rows, found) = sample.fold((0, 0), |(rows, sum), i| (rows + 1, sum + nonzeros(i)));
    found * 4 < rows * n
}

/// The backward error of the point as it is, or snapped, where that passes the self-check.
fn passes(lcp: LcpRef<'_>, seen: Look, places: &[Place], point: &mut Point) -> Option<f64> {
    for snapped in [false, true] {
        if snapped && !point.snap(lcp, places) {
            return None;
        }
        point.evaluate(lcp, seen.symmetric);
        let backward_error = point.backward_error(lcp, places);
        if backward_error <= limit(lcp.n()) {
            return Some(backward_error);
        }
    }
    None
}
