//! The linear system of F: factored anew, taken over from the last problem, and solved.

use super::{Block, Rules};
use crate::dense::Kind;
use crate::place::Place;
use crate::point::Point;
use crate::problem::LcpRef;
use crate::proof;
use crate::tolerances::{UNIT, limit};

/// What a step with a kept factor has to make of the residual, or a new factor is taken. A step
/// costs one product with M and one solution, n k + k^2, and a factor k^3 / 6. From a residual of 1
/// four steps of this size reach the limit of 1e-14 to 1e-13. Chosen for that, not derived.
const FAST: f64 = 1e-4;

/// The part of the limit that a row may take where a kept factor solves: as for the rows at bounds
/// in [`Block::exchange`], with as much to spare for the rounding of the check.
const SETTLED: f64 = 0.25;

/// Terms of the series that makes up for a lowered diagonal. The part p lacks and the least
/// eigenvalue of the scaled block is above p, so the terms fall at least like (p / (lambda - p))^t;
/// a series that is not done after twelve is left to refinement.
const MAX_TERMS: u32 = 12;

impl Block {
    /// Solves with the factor that the last problem left, and returns whether that converged. w and
    /// s are then those of z.
    pub(super) fn settle(
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
        // A residual relative to s_i = (|M||z| + |q|)_i is at most 1, but for rounding.
        let mut before = 1.0;
        loop {
            point.evaluate(lcp, rules.symmetric);
            let part = |&i: &usize| point.w[i].abs() / point.s[i];
            // NaN, of 0 / 0 or worse, does not count as small.
            let worst = self.set.iter().map(part).fold(0.0, f64::max);
            let nan = self.set.iter().any(|i| part(i).is_nan());
            if !nan && worst <= SETTLED * limit(n) {
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

    /// Factors (M + E)_FF; `false` where it is singular, or not definite where it should be.
    pub(super) fn factor(&mut self, lcp: LcpRef<'_>, rules: Rules, places: &[Place]) -> bool {
        self.kept.clear();
        self.lowered = 0.0;
        if rules.prove && self.shift.is_empty() && self.factor_lowered(lcp) {
            return true;
        }
        let Self {
            system,
            set,
            shift,
            kept,
            ..
        } = self;
        let factored = system.factor(rules.kind, lcp, set, shift, places);
        if factored && shift.is_empty() && rules.kind == Kind::Symmetric {
            let n = lcp.n();
            kept.hold(set, set.iter().map(|&i| lcp.m[i * n + i]));
        }
        factored
    }

    /// Factors M_FF without the first part of its diagonal that leaves it definite, for a proof.
    pub(super) fn factor_lowered(&mut self, lcp: LcpRef<'_>) -> bool {
        let Self { system, set, .. } = self;
        let works = |part: &f64| system.factor_lowered(lcp, set, *part);
        let part = proof::PARTS.into_iter().find(works);
        self.lowered = part.unwrap_or(0.0);
        part.is_some()
    }

    /// z_F = c_F - (M + E)_FF^-1 w_F at z_F = c_F.
    pub(super) fn start(
        &mut self,
        lcp: LcpRef<'_>,
        rules: Rules,
        places: &[Place],
        point: &mut Point,
    ) {
        self.step.clear();
        point.z.copy_from_slice(&self.centre);
        point.put(lcp, places);
        if point.z.iter().all(|z| *z == 0.0) {
            self.step.extend(self.set.iter().map(|&i| lcp.q[i]));
        } else {
            point.evaluate(lcp, rules.symmetric);
            self.step.extend(self.set.iter().map(|&i| point.w[i]));
        }
        self.take_step(lcp, places, point);
    }

    /// One proximal step from z, or of refinement where E = 0.
    pub(super) fn refine(&mut self, lcp: LcpRef<'_>, places: &[Place], point: &mut Point) {
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

    /// The step from the factor there is: a kept one with its scales, or the block's own.
    fn solve_system(&mut self, lcp: LcpRef<'_>) {
        let Self {
            system, step, kept, ..
        } = self;
        if kept.is_used() {
            kept.scale(step);
            system.solve(step);
            kept.scale(step);
            return;
        }
        system.solve(step);
        if self.lowered != 0.0 {
            self.add_series(lcp);
        }
    }

    /// The step of A from that of B = A - p D, the part p of the diagonal D lacking:
    /// A^-1 = (1 - p B^-1 D + (p B^-1 D)^2 - ...) B^-1. A few terms do, as p is small beside the
    /// least eigenvalue.
    fn add_series(&mut self, lcp: LcpRef<'_>) {
        let Self {
            system,
            set,
            step,
            lowered,
            term,
            ..
        } = self;
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
            // What is left is less than rounding, or else the refinement to come has to do.
            if last <= UNIT * size || last.is_nan() {
                break;
            }
        }
    }
}
