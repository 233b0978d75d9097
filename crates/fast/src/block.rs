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
//! With so small an E contacts that can share a load may take turns in it without end, so a larger
//! one, 1e-3 or 0.1, goes first, and its solution is the next centre.
//!
//! Cold problems without bounds start from a few sweeps of [`crate::sweep`], and go back to them
//! for more where the exchange does not settle.

use crate::dense::{Kind, System};
use crate::failure::Failure;
use crate::kept::Kept;
use crate::place::Place;
use crate::point::{Point, UNIT, limit};
use crate::problem::LcpRef;
use crate::proof;
use crate::sweep::{Sweeps, sweep};

/// E relative to the diagonal of M, in turn.
const SHIFTS: [f64; 3] = [0.1, 1e-3, 1e-10];

/// The one that goes first; a larger one where the exchange does not settle with this.
const FIRST_SHIFT: usize = 1;

/// Sweeps before the first round.
const SWEEPS: u32 = 16;

/// From this size an exchange that does not settle goes back to more sweeps, once; below it
/// Lemke's method is the faster way out.
const RETURN_FROM: usize = 150;

/// Proximal or refining steps without an exchange.
const MAX_STEPS: u32 = 30;

/// What a step with a kept factor has to make of the residual, or a new factor is cheaper.
const FAST: f64 = 1e-4;

/// Terms of the series that makes up for a lowered diagonal.
const MAX_TERMS: u32 = 12;

/// Rounds in which the number of wrong rows need not fall.
const PATIENCE: u32 = 10;

/// The same with E or after sweeps, where more sweeps or a larger E help sooner.
const REDUNDANT_PATIENCE: u32 = 5;

/// Working memory.
#[derive(Debug, Default)]
pub(crate) struct Block {
    system: System,
    set: Vec<usize>,
    step: Vec<f64>,
    /// The diagonal E; empty: none.
    pub(crate) shift: Vec<f64>,
    centre: Vec<f64>,
    /// Which of [`SHIFTS`] E is.
    level: usize,
    /// What sweeps left: the centre where E is not 0, and w there.
    swept: Vec<f64>,
    swept_w: Vec<f64>,
    saved: Vec<f64>,
    /// The part of its diagonal that the factored block lacks, for a proof; 0: none.
    lowered: f64,
    term: Vec<f64>,
    kept: Kept,
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
    /// Whether to start from sweeps, which takes a pure LCP with symmetric M and a positive
    /// diagonal.
    pub(crate) sweeps: bool,
    /// Whether nearly all of the given places will stay, with redundant rows among them: a stack.
    pub(crate) hold: bool,
    /// For a basis that is nearly right: a singular one is a failure, and values within rounding
    /// of their bounds stay basic. In degenerate problems 0 is meant, and the places without such
    /// rows are often singular.
    pub(crate) keep: bool,
    /// Whether to factor so that the signs may be proved from it ([`crate::proof`]): a pure LCP
    /// with symmetric M.
    pub(crate) prove: bool,
    /// Whether the factor that the last problem left may do for the given places.
    pub(crate) reuse: bool,
    /// The backward error that will do where refinement ends above the limit.
    pub(crate) accept: f64,
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
            sweeps: false,
            hold: false,
            keep: false,
            prove: false,
            reuse: false,
            accept: 0.0,
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
            &mut self.swept,
            &mut self.swept_w,
            &mut self.saved,
            &mut self.term,
        ] {
            vector.clear();
            vector.reserve(n);
        }
        self.set.clear();
        self.set.reserve(n);
        self.kept.reserve(n);
    }

    /// Takes E = 1e-10 of the diagonal from here on.
    pub(crate) fn regularise(&mut self, lcp: LcpRef<'_>) {
        self.shift_to(lcp, SHIFTS.len() - 1);
    }

    fn shift_to(&mut self, lcp: LcpRef<'_>, level: usize) {
        let n = lcp.n();
        let largest = (0..n).fold(0.0f64, |most, i| most.max(lcp.m[i * n + i].abs()));
        self.level = level;
        self.shift.clear();
        self.shift.extend((0..n).map(|i| {
            let own = lcp.m[i * n + i].abs();
            let unit = if largest > 0.0 { largest } else { 1.0 };
            SHIFTS[level] * if own > 0.0 { own } else { unit }
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
        let patience = if rules.sweeps {
            rules.patience.min(REDUNDANT_PATIENCE)
        } else {
            rules.patience
        };
        let mut guard = Guard::new(patience);
        self.centre.clear();
        self.swept.clear();
        if rules.near {
            self.centre.extend_from_slice(&point.z);
            self.regularise(lcp);
        } else {
            self.centre.resize(lcp.n(), 0.0);
        }
        let mut sweeps = if rules.sweeps { SWEEPS } else { 0 };
        let mut returns = u32::from(rules.sweeps && lcp.n() >= RETURN_FROM);
        // Places from elsewhere are nearly right, and a large E would only lead away from them.
        let mut first_shift = SHIFTS.len() - 1;
        if rules.hold {
            self.regularise(lcp);
        } else if rules.sweeps {
            first_shift = FIRST_SHIFT;
            if !self.sweep(lcp, sweeps, places) {
                returns = 0;
            }
        }
        let mut steps = 0;
        let mut last = f64::INFINITY;
        let mut reuse = rules.reuse && self.shift.is_empty();
        loop {
            self.set.clear();
            let between = |&i: &usize| places[i] == Place::Between;
            self.set.extend((0..lcp.n()).filter(between));
            let mut settled = std::mem::take(&mut reuse) && self.settle(lcp, rules, places, point);
            if !settled && !self.factor(lcp, rules, places) {
                if rules.keep || !self.shift.is_empty() {
                    return Err(Failure::Singular);
                }
                self.shift_first(lcp, first_shift);
                guard = Guard::new(rules.patience.min(REDUNDANT_PATIENCE));
                continue;
            }
            if !settled {
                self.start(lcp, rules, places, point);
            }
            loop {
                if !std::mem::take(&mut settled) {
                    point.evaluate(lcp, rules.symmetric);
                }
                let reach = if rules.keep { point.reach() } else { 0.0 };
                let wrong = self.exchange(lcp, reach, places, point);
                if wrong > 0 {
                    *pivots += wrong as u64;
                    if !guard.allows(wrong) {
                        if returns == 0 {
                            return Err(Failure::Pivots { pivots: *pivots });
                        }
                        returns -= 1;
                        sweeps *= 4;
                        if !self.sweep(lcp, sweeps, places) {
                            return Err(Failure::Pivots { pivots: *pivots });
                        }
                        let first = if self.shift.is_empty() {
                            FIRST_SHIFT
                        } else {
                            0
                        };
                        self.shift_first(lcp, first);
                        guard = Guard::new(rules.patience.min(REDUNDANT_PATIENCE));
                    }
                    break;
                }
                let backward_error = point.backward_error(lcp, places);
                if backward_error <= limit(lcp.n()) {
                    return Ok(backward_error);
                }
                if !self.shift.is_empty() && self.level + 1 < SHIFTS.len() {
                    self.shift_to(lcp, self.level + 1);
                    self.centre.copy_from_slice(&point.z);
                    guard = Guard::new(rules.patience.min(REDUNDANT_PATIENCE));
                    break;
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
                    return if backward_error <= rules.accept {
                        Ok(backward_error)
                    } else {
                        Err(Failure::Inaccurate { backward_error })
                    };
                }
                self.refine(lcp, places, point);
            }
        }
    }

    /// Solves with the factor that the last problem left; whether that converged at once. w and s
    /// are then those of z.
    fn settle(
        &mut self,
        lcp: LcpRef<'_>,
        rules: Rules,
        places: &[Place],
        point: &mut Point,
    ) -> bool {
        let n = lcp.n();
        let diagonal = self.set.iter().map(|&i| lcp.m[i * n + i]);
        if !self.kept.take(&self.set, diagonal) {
            return false;
        }
        self.lowered = 0.0;
        self.start(lcp, rules, places, point);
        let mut before = 1.0;
        loop {
            point.evaluate(lcp, rules.symmetric);
            let part = |&i: &usize| point.w[i].abs() / point.s[i];
            // NaN, of 0 / 0 or worse, does not count as small.
            let worst = self.set.iter().map(part).fold(0.0, f64::max);
            let nan = self.set.iter().any(|i| part(i).is_nan());
            if !nan && worst <= 0.25 * limit(n) {
                return true;
            }
            if nan || worst > FAST * before {
                self.kept.fails();
                return false;
            }
            before = worst;
            self.refine(lcp, places, point);
        }
    }

    /// Takes the first E, with the centre that sweeps left.
    fn shift_first(&mut self, lcp: LcpRef<'_>, level: usize) {
        self.shift_to(lcp, level);
        if self.swept.len() == self.centre.len() {
            self.centre.copy_from_slice(&self.swept);
        }
    }

    /// Sweeps on from where the last sweeps ended, and takes the places from there; `false`, and
    /// nothing changed, where the values leave the range of binary64.
    fn sweep(&mut self, lcp: LcpRef<'_>, count: u32, places: &mut [Place]) -> bool {
        let n = lcp.n();
        if self.swept.len() != n {
            self.swept.clear();
            self.swept.resize(n, 0.0);
            self.swept_w.clear();
            self.swept_w.extend_from_slice(lcp.q);
        }
        let finite = sweep(Sweeps {
            lcp,
            count,
            z: &mut self.swept,
            w: &mut self.swept_w,
        });
        if !finite {
            self.swept.clear();
            return false;
        }
        for (place, z) in places.iter_mut().zip(&self.swept) {
            *place = if *z > 0.0 {
                Place::Between
            } else {
                Place::Lower
            };
        }
        true
    }

    /// The backward error with values near a bound moved onto it, or with noise moved onto 0, where
    /// that passes the self-check; otherwise the point stays.
    fn snap(
        &mut self,
        lcp: LcpRef<'_>,
        rules: Rules,
        places: &[Place],
        point: &mut Point,
    ) -> Option<f64> {
        self.saved.clear();
        self.saved.extend_from_slice(&point.z);
        for snap in [Point::snap, Point::snap_to_zero] {
            if !snap(point, lcp, places) {
                continue;
            }
            point.evaluate(lcp, rules.symmetric);
            let backward_error = point.backward_error(lcp, places);
            if backward_error <= limit(lcp.n()) {
                return Some(backward_error);
            }
            point.z.copy_from_slice(&self.saved);
            point.evaluate(lcp, rules.symmetric);
        }
        None
    }

    fn factor(&mut self, lcp: LcpRef<'_>, rules: Rules, places: &[Place]) -> bool {
        let Self {
            system,
            set,
            shift,
            lowered,
            kept,
            ..
        } = self;
        *lowered = 0.0;
        kept.clear();
        if rules.prove && shift.is_empty() && lower(system, lcp, set, lowered) {
            return true;
        }
        let factored = system.factor(rules.kind, lcp, set, shift, places);
        if factored && shift.is_empty() && rules.kind == Kind::Symmetric {
            let n = lcp.n();
            kept.hold(set, set.iter().map(|&i| lcp.m[i * n + i]));
        }
        factored
    }

    /// Whether the signs of the solution at which [`Self::solve`] has just ended are proved, by
    /// the factor that found it.
    pub(crate) fn proves(&mut self, lcp: LcpRef<'_>, largest: f64, point: &Point) -> bool {
        self.lowered > 0.0 && proof::holds(lcp, &self.set, self.lowered, largest, point)
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

    /// The same of a solution from elsewhere.
    pub(crate) fn proves_places(
        &mut self,
        lcp: LcpRef<'_>,
        largest: f64,
        places: &[Place],
        point: &Point,
    ) -> bool {
        let between = |&i: &usize| places[i] == Place::Between;
        self.set.extend((0..lcp.n()).filter(between));
        self.kept.clear();
        lower(&mut self.system, lcp, &self.set, &mut self.lowered)
            && self.proves(lcp, largest, point)
    }

    /// One proximal step from z, or of refinement where E = 0.
    fn refine(&mut self, lcp: LcpRef<'_>, places: &[Place], point: &mut Point) {
        self.centre.copy_from_slice(&point.z);
        self.step.clear();
        self.step.extend(self.set.iter().map(|&i| point.w[i]));
        self.take_step(lcp, places, point);
    }

    fn take_step(&mut self, lcp: LcpRef<'_>, places: &[Place], point: &mut Point) {
        self.solve_system(lcp);
        for (&i, step) in self.set.iter().zip(&self.step) {
            point.z[i] -= step;
        }
        if !lcp.friction.is_empty() {
            point.put(lcp, places);
        }
    }

    /// The step of the block from its factor. Where that is of B = A - p D, the part p of the
    /// diagonal D lacking, A^-1 = (1 - p B^-1 D + (p B^-1 D)^2 - ...) B^-1: a few terms, as p is
    /// small beside the least eigenvalue.
    fn solve_system(&mut self, lcp: LcpRef<'_>) {
        let Self {
            system,
            set,
            step,
            lowered,
            term,
            kept,
            ..
        } = self;
        if kept.is_used() {
            kept.scale(step);
            system.solve(step);
            kept.scale(step);
            return;
        }
        system.solve(step);
        if *lowered == 0.0 {
            return;
        }
        term.clear();
        term.extend_from_slice(step);
        let n = lcp.n();
        for _ in 0..MAX_TERMS {
            for (term, &i) in term.iter_mut().zip(&*set) {
                *term *= -*lowered * lcp.m[i * n + i];
            }
            system.solve(term);
            let (mut last, mut size) = (0.0f64, 0.0f64);
            for (step, term) in step.iter_mut().zip(&*term) {
                *step += term;
                last = last.max(term.abs());
                size = size.max(step.abs());
            }
            // What is left is less than that, or else the refinement to come has to do.
            if last <= UNIT * size || last.is_nan() {
                break;
            }
        }
    }

    /// Moves every wrong row to where it should stand; how many there were. Values outside their
    /// bounds by no more than `reach` are not wrong.
    fn exchange(&self, lcp: LcpRef<'_>, reach: f64, places: &mut [Place], point: &Point) -> usize {
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
                Place::Between if z < lower - reach => Place::Lower,
                Place::Between if z > upper + reach => Place::Upper,
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

/// Factors the block of a set with the first part of its diagonal lacking that leaves it definite.
fn lower(system: &mut System, lcp: LcpRef<'_>, set: &[usize], lowered: &mut f64) -> bool {
    let works = |part: &f64| system.factor_lowered(lcp, set, *part);
    let part = proof::PARTS.into_iter().find(works);
    *lowered = part.unwrap_or(0.0);
    part.is_some()
}
