//! Block principal pivoting (Kostreva 1978; Judice and Pires 1994), with proximal steps for
//! semidefinite matrices.
//!
//! Given the rows F whose z stands between its bounds, solve w_F = 0 and exchange *all* rows that
//! come out wrong. For a P-matrix the places with no wrong row are the solution. The exchange of
//! all may cycle; [`Guard`] gives it ten rounds to lower the number of wrong rows, then gives up
//! to a method that ends.
//!
//! A semidefinite M with redundant contacts has singular M_FF. Then M + E is solved in its place,
//! E = 1e-10 of the diagonal, followed by proximal steps (Rockafellar 1976): with the last z as
//! centre c, solve LCP(q - E c, M + E). Each has one solution, the places hardly move, the factor
//! serves again, and the limit solves LCP(q, M). With E = 0 the same step is iterative refinement.

use crate::dense::{Kind, System};
use crate::failure::Failure;
use crate::place::Place;
use crate::point::{Point, limit};
use crate::problem::LcpRef;

/// E relative to the diagonal of M.
const SHIFT: f64 = 1e-10;

/// Proximal or refining steps without an exchange.
const MAX_STEPS: u32 = 30;

/// Rounds in which the number of wrong rows need not fall.
const PATIENCE: u32 = 10;

/// The same with E: contacts that can share a load take turns in it without end.
const REDUNDANT_PATIENCE: u32 = 3;

/// Working memory.
#[derive(Debug, Default)]
pub(crate) struct Block {
    system: System,
    set: Vec<usize>,
    step: Vec<f64>,
    /// The diagonal E; empty: none.
    pub(crate) shift: Vec<f64>,
    centre: Vec<f64>,
    saved: Vec<f64>,
}

/// What block pivoting may do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) kind: Kind,
    /// M = M', to the bit.
    pub(crate) symmetric: bool,
    /// Rounds in which the number of wrong rows need not fall.
    pub(crate) patience: u32,
    /// Whether z as it stands is nearly the solution: the first centre, with E from the start.
    pub(crate) near: bool,
}

impl Rules {
    /// For a matrix that is symmetric, or not.
    pub(crate) fn new(symmetric: bool) -> Self {
        Self {
            kind: if symmetric {
                Kind::Symmetric
            } else {
                Kind::General
            },
            symmetric,
            patience: PATIENCE,
            near: false,
        }
    }
}

/// Ends the exchange of all wrong rows when their number stays.
struct Guard {
    fewest: usize,
    patience: u32,
    left: u32,
}

impl Guard {
    fn new(patience: u32) -> Self {
        Self {
            fewest: usize::MAX,
            patience,
            left: patience,
        }
    }

    fn allows(&mut self, wrong: usize) -> bool {
        if wrong < self.fewest {
            self.fewest = wrong;
            self.left = self.patience;
            return true;
        }
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }
}

impl Block {
    /// Room for n rows.
    pub(crate) fn reserve(&mut self, n: usize, kind: Kind) {
        self.system.reserve(n, kind);
        for vector in [
            &mut self.step,
            &mut self.shift,
            &mut self.centre,
            &mut self.saved,
        ] {
            vector.clear();
            vector.reserve(n);
        }
        self.set.clear();
        self.set.reserve(n);
    }

    /// Takes E = 1e-10 of the diagonal from here on.
    pub(crate) fn regularise(&mut self, lcp: LcpRef<'_>) {
        let n = lcp.n();
        let largest = (0..n).fold(0.0f64, |most, i| most.max(lcp.m[i * n + i].abs()));
        self.shift.clear();
        self.shift.extend((0..n).map(|i| {
            let own = lcp.m[i * n + i].abs();
            SHIFT * if own > 0.0 { own } else { largest }
        }));
    }

    /// Pivots from `places` to a solution in `point`; the number of exchanged rows is added to
    /// `pivots`. `reserve` comes first.
    pub(crate) fn solve(
        &mut self,
        lcp: LcpRef<'_>,
        rules: Rules,
        places: &mut [Place],
        point: &mut Point,
        pivots: &mut u64,
    ) -> Result<f64, Failure> {
        let mut guard = Guard::new(rules.patience);
        self.centre.clear();
        if rules.near {
            self.centre.extend_from_slice(&point.z);
            self.regularise(lcp);
        } else {
            self.centre.resize(lcp.n(), 0.0);
        }
        let mut steps = 0;
        let mut last = f64::INFINITY;
        loop {
            self.set.clear();
            let between = |&i: &usize| places[i] == Place::Between;
            self.set.extend((0..lcp.n()).filter(between));
            if !self.factor(lcp, rules, places) {
                if !self.shift.is_empty() {
                    return Err(Failure::Singular);
                }
                self.regularise(lcp);
                guard = Guard::new(rules.patience.min(REDUNDANT_PATIENCE));
                continue;
            }
            self.start(lcp, rules, places, point);
            loop {
                point.evaluate(lcp, rules.symmetric);
                let wrong = self.exchange(lcp, places, point);
                if wrong > 0 {
                    *pivots += wrong as u64;
                    if !guard.allows(wrong) {
                        return Err(Failure::Pivots { pivots: *pivots });
                    }
                    break;
                }
                let backward_error = point.backward_error(lcp, places);
                if backward_error <= limit(lcp.n()) {
                    return Ok(backward_error);
                }
                // Refinement that has stopped to help: perhaps 0 is meant somewhere.
                if (backward_error > 0.5 * last || backward_error.is_infinite())
                    && let Some(snapped) = self.snap(lcp, rules, places, point)
                {
                    return Ok(snapped);
                }
                last = backward_error;
                steps += 1;
                if steps > MAX_STEPS {
                    return Err(Failure::Inaccurate { backward_error });
                }
                self.refine(lcp, places, point);
            }
        }
    }

    /// The backward error with values near a bound moved onto it, where that passes the
    /// self-check; otherwise the point stays.
    fn snap(
        &mut self,
        lcp: LcpRef<'_>,
        rules: Rules,
        places: &[Place],
        point: &mut Point,
    ) -> Option<f64> {
        self.saved.clear();
        self.saved.extend_from_slice(&point.z);
        if !point.snap(lcp, places) {
            return None;
        }
        point.evaluate(lcp, rules.symmetric);
        let backward_error = point.backward_error(lcp, places);
        if backward_error <= limit(lcp.n()) {
            return Some(backward_error);
        }
        point.z.copy_from_slice(&self.saved);
        point.evaluate(lcp, rules.symmetric);
        None
    }

    fn factor(&mut self, lcp: LcpRef<'_>, rules: Rules, places: &[Place]) -> bool {
        let Self {
            system, set, shift, ..
        } = self;
        system.factor(rules.kind, lcp, set, shift, places)
    }

    /// z_F = c_F - (M + E)_FF^-1 w_F at z_F = c_F.
    fn start(&mut self, lcp: LcpRef<'_>, rules: Rules, places: &[Place], point: &mut Point) {
        self.step.clear();
        point.z.copy_from_slice(&self.centre);
        point.put(lcp, places);
        if self.set.iter().all(|&i| point.z[i] == 0.0) && point.z.iter().all(|z| *z == 0.0) {
            self.step.extend(self.set.iter().map(|&i| lcp.q[i]));
        } else {
            point.evaluate(lcp, rules.symmetric);
            self.step.extend(self.set.iter().map(|&i| point.w[i]));
        }
        self.take_step(lcp, places, point);
    }

    /// One proximal step from z, or of refinement where E = 0.
    fn refine(&mut self, lcp: LcpRef<'_>, places: &[Place], point: &mut Point) {
        self.centre.copy_from_slice(&point.z);
        self.step.clear();
        self.step.extend(self.set.iter().map(|&i| point.w[i]));
        self.take_step(lcp, places, point);
    }

    fn take_step(&mut self, lcp: LcpRef<'_>, places: &[Place], point: &mut Point) {
        self.system.solve(&mut self.step);
        for (&i, step) in self.set.iter().zip(&self.step) {
            point.z[i] -= step;
        }
        if !lcp.friction.is_empty() {
            point.put(lcp, places);
        }
    }

    /// Moves every wrong row to where it should stand; how many there were.
    fn exchange(&self, lcp: LcpRef<'_>, places: &mut [Place], point: &Point) -> usize {
        // Half of what the self-check allows: a row let pass here passes there.
        let slack = 0.5 * (limit(lcp.n()) - point.margin());
        let pure = lcp.is_pure();
        let mut wrong = 0;
        for (i, place) in places.iter_mut().enumerate() {
            let z = point.z[i];
            let shift = self.shift.get(i).map_or(0.0, |e| e * (z - self.centre[i]));
            let w = point.w[i] + shift;
            let (lower, upper) = if pure {
                (0.0, f64::INFINITY)
            } else {
                point.bounds(lcp, i)
            };
            let next = match *place {
                Place::Between if z < lower => Place::Lower,
                Place::Between if z > upper => Place::Upper,
                Place::Lower if w < -slack * point.s[i] && lower < upper => Place::Between,
                Place::Upper if w > slack * point.s[i] && lower < upper => Place::Between,
                same => same,
            };
            wrong += usize::from(next != *place);
            *place = next;
        }
        wrong
    }
}
