//! The strategy: proximal steps that shrink, each checked in block error once its modes are settled.

use super::check::Check;
use super::data::ConeProblem;
use super::groups::Map;
use super::newton::Newton;
use super::rest::Rest;
use super::scaled::Scaled;
use crate::failure::Failure;
use crate::meter::Until;

/// The largest block error of an answer.
pub(super) const LIMIT: f64 = 1e-12;

/// A block error that no further step is taken for.
/// The check adds 64 u = 7e-15 for rounding to every error. Within some four times that, a smaller value
/// says little of the point.
const AIM: f64 = 3e-14;

/// The least proximal term, in parts of a contact's own resistance. Redundant contacts are regular by it.
const LEAST: f64 = 1e-9;

/// The last proximal term. Contacts far from a body's centre resist its turns so much more than its motion that [`LEAST`] of
/// the one is much of the other, and the point no longer moves. Above the rounding n u of pivots for n = 1000. Measured on
/// 2,000 bodies at rest, height and radius of gyration within 10 (100) times of the contacts' distances: 1e-9 leaves 3 (72)
/// unsolved, 1e-11 none (43), 1e-13 none (20).
const FINEST: f64 = 1e-13;

/// From this proximal term on the point is looked at.
const LOOK: f64 = 1e-3;

/// Newton steps of a proximal step.
const INNER: u32 = 30;

/// The part of the problem's size that they aim at: it need not be smaller than what the proximal term moves.
const INNER_AIM: f64 = 1e-10;
const INEXACT: f64 = 1e-3;

/// Steps of a polish, and how many of them may be in vain.
const POLISH: u32 = 40;
const PATIENCE: u32 = 3;

/// Distances from a change of modes, relative to the largest |x|, at which both are tried.
const NEAR: [f64; 5] = [1e-10, 1e-8, 1e-6, 1e-4, 1e-3];

/// Those that are tried before the proximal term falls further, and the block error from which they are.
const NEAREST: [f64; 2] = [1e-10, 1e-8];
const SETTLED: f64 = 1e-7;

/// Forces this much larger than q asks for are running away: no modes are settled there.
const FAR: f64 = 1e6;

/// Forces this much larger than q asks for may grow without end where there is no solution, which lowers the block error
/// like one over them. Newton's method, which is quadratic at a solution, falls below AIM there, so no more is accepted.
const GROWN: f64 = 1e3;

/// Above this block error modes are not settled.
const HOPELESS: f64 = 1e-2;

/// A way through the proximal terms.
struct Plan {
    map: Map,
    /// The first proximal term, in parts of a contact's own resistance.
    first: f64,
    /// What it is multiplied by after each success.
    shrink: f64,
    /// Proximal steps.
    outer: u32,
    /// How many of them may fail.
    failures: u32,
    /// Whether a proximal step that failed is gone on from.
    keeps: bool,
}

/// One after the other until there is an answer. The first solves nearly all problems.
const PLANS: [Plan; 8] = [
    Plan {
        map: Map::AlartCurnier,
        first: 1.0,
        shrink: 0.1,
        outer: 20,
        failures: 3,
        keeps: false,
    },
    Plan {
        map: Map::DeSaxce,
        first: 1.0,
        shrink: 0.1,
        outer: 20,
        failures: 3,
        keeps: false,
    },
    Plan {
        map: Map::AlartCurnier,
        first: 0.1,
        shrink: 0.03,
        outer: 20,
        failures: 6,
        keeps: true,
    },
    Plan {
        map: Map::AlartCurnier,
        first: 1.0,
        shrink: 0.3,
        outer: 40,
        failures: 8,
        keeps: true,
    },
    Plan {
        map: Map::DeSaxce,
        first: 0.01,
        shrink: 0.1,
        outer: 20,
        failures: 6,
        keeps: true,
    },
    Plan {
        map: Map::AlartCurnier,
        first: 1e-3,
        shrink: 0.1,
        outer: 20,
        failures: 6,
        keeps: true,
    },
    Plan {
        map: Map::AlartCurnier,
        first: 10.0,
        shrink: 0.5,
        outer: 60,
        failures: 10,
        keeps: false,
    },
    Plan {
        map: Map::DeSaxce,
        first: 10.0,
        shrink: 0.5,
        outer: 60,
        failures: 10,
        keeps: false,
    },
];

/// A problem being solved.
pub(super) struct Run<'a> {
    problem: &'a ConeProblem,
    check: Check<'a>,
    rest: Rest,
    newton: Newton<'a>,
    best: Vec<f64>,
    /// Its scaled point.
    nearest: Vec<f64>,
    error: f64,
    /// The error of the last point that was looked at, nothing in it put to 0.
    own: f64,
    z: Vec<f64>,
    until: Until,
}

impl<'a> Run<'a> {
    pub fn new(problem: &'a ConeProblem, until: Until) -> Self {
        let n = problem.n();
        Self {
            problem,
            check: Check::new(problem),
            rest: Rest::new(problem),
            newton: Newton::new(Scaled::new(problem)),
            best: vec![0.0; n],
            nearest: vec![0.0; n],
            error: f64::INFINITY,
            own: f64::INFINITY,
            z: vec![0.0; n],
            until,
        }
    }

    /// The best point found, with its block error.
    pub fn solve(mut self, start: Option<&[f64]>) -> Result<(Vec<f64>, f64, u64), Failure> {
        if let Some(start) = start {
            self.begin(start);
        }
        for plan in &PLANS {
            if self.is_answered() {
                break;
            }
            self.until.check()?;
            self.newton.x.fill(0.0);
            // Zeros have an error too, which is said where no step succeeds.
            self.look();
            self.proximal(plan);
            // The nearest first: it changes the modes of the fewest rows.
            let ways = NEAR.iter().flat_map(|near| [(*near, false), (*near, true)]);
            self.cross_over(ways);
            self.refine();
        }
        if self.is_answered() {
            return Ok((self.best, self.error, self.newton.factors));
        }
        Err(Failure::Inaccurate {
            backward_error: self.error,
        })
    }

    /// Whether the best point is good enough.
    fn is_answered(&self) -> bool {
        let has_grown = largest(&self.nearest) > GROWN * self.newton.scaled.size;
        self.error <= if has_grown { AIM } else { LIMIT }
    }

    fn begin(&mut self, start: &[f64]) {
        let d = &self.newton.scaled.d;
        for ((x, z), d) in self.newton.x.iter_mut().zip(start).zip(d) {
            *x = z / d;
        }
        self.polish(LEAST);
    }

    fn proximal(&mut self, plan: &Plan) {
        self.newton.map = plan.map;
        let mut delta = plan.first;
        let mut failures = 0;
        for _ in 0..plan.outer {
            if self.until.check().is_err() {
                return;
            }
            let before = self.newton.x.clone();
            self.newton.centre.clone_from(&before);
            self.newton.set_shift(delta);
            let aim = INNER_AIM.max(INEXACT * delta) * self.newton.size();
            if !self.newton.solve(aim, INNER) {
                if !plan.keeps || !self.newton.x.iter().all(|x| x.is_finite()) {
                    self.newton.x = before;
                }
                // Less than 30 left more generated problems unsolved (`docs/fast-cone.md`).
                delta *= 30.0;
                failures += 1;
                if failures > plan.failures {
                    return;
                }
                continue;
            }
            if delta <= LOOK {
                let kept = self.newton.x.clone();
                let is_better = self.polish(LEAST);
                let runs_away = self.newton.size() > FAR * self.newton.scaled.size;
                if self.error > AIM && self.error <= SETTLED && !runs_away {
                    self.cross_over(NEAREST.iter().map(|near| (*near, true)));
                }
                if self.error <= AIM {
                    return;
                }
                if !is_better {
                    self.newton.x = kept;
                }
                // The term falls no further, and the point no longer gains by it.
                if delta <= LEAST && !is_better {
                    return;
                }
            }
            delta = (plan.shrink * delta).max(LEAST);
        }
    }

    /// From the best point on, steps with fixed modes: where two modes meet, Newton's method on the natural map may
    /// change between them without end.
    fn cross_over(&mut self, ways: impl Iterator<Item = (f64, bool)>) {
        let (last, start) = (self.newton.x.clone(), self.nearest.clone());
        for (near, near_slides) in ways {
            // Far from a solution the modes are those of no solution, and to hold them leads
            // nowhere.
            if self.error <= LIMIT || self.error > HOPELESS {
                break;
            }
            self.newton.x.clone_from(&start);
            self.newton.fix(near, near_slides);
            self.polish(LEAST);
        }
        self.newton.is_fixed = false;
        self.newton.x = last;
    }

    /// From the best point on, steps with the last proximal term. Where there is no solution, forces grow like one over the
    /// term, and a term that small would let any block error pass: forces that more than double are given up.
    fn refine(&mut self) {
        if self.error <= LIMIT || self.error > HOPELESS {
            return;
        }
        let (best, nearest, error) = (self.best.clone(), self.nearest.clone(), self.error);
        self.newton.x.clone_from(&nearest);
        self.polish(FINEST);
        if largest(&self.nearest) > 2.0 * largest(&nearest) {
            (self.best, self.nearest, self.error) = (best, nearest, error);
        }
    }

    /// Newton steps with a small proximal term, as long as the block error falls. Whether it fell.
    ///
    /// Beside a body that slides slowly one at rest has a small error, which says nothing of the way to the slip. So with the
    /// last proximal term, where the point converges even then, steps go on while the error of the point itself falls, too.
    /// Of 2,000 slow slips (`tests/it/rest/slow`) 82 were left unsolved without that, and 12 with it.
    fn polish(&mut self, shift: f64) -> bool {
        self.newton.set_shift(shift);
        let first = self.look();
        let (mut last, mut patience) = (first, PATIENCE);
        let mut last_own = self.own;
        for _ in 0..POLISH {
            // Where a step was in vain, the slips may be too slow for rho. Before that, slow slips are rounding.
            let lengthens = patience < PATIENCE;
            if last <= AIM || !self.newton.full_step(lengthens) {
                break;
            }
            let now = self.look();
            // Written so that NaN counts as vain.
            let crawls = shift < LEAST && self.own < 0.9 * last_own;
            let is_better = now < 0.9 * last || crawls;
            if !is_better {
                patience -= 1;
                if patience == 0 {
                    break;
                }
            }
            (last, last_own) = (now, self.own);
        }
        last < first
    }

    /// Measures the point moved into its bounds and cones, and with 0 for what is rounding there: the least error.
    fn look(&mut self) -> f64 {
        self.newton.centre.clone_from(&self.newton.x);
        self.newton.evaluate(false);
        let mut z = std::mem::take(&mut self.z);
        self.newton.unscaled(&self.newton.inside, &mut z);
        let error = self.check.block_error(&z);
        self.own = error;
        if error < self.error {
            self.error = error;
            self.best.clone_from(&z);
            self.nearest.clone_from(&self.newton.x);
        }
        let least = self.look_at_rest(&z, error);
        self.z = z;
        least
    }

    /// Measures candidates that are at rest beside z with its error: the least error. A good one is taken before z even where z is
    /// good, too: velocities that are rounding say less than 0 does.
    fn look_at_rest(&mut self, z: &[f64], error: f64) -> f64 {
        if !self.rest.weigh(self.problem, z) {
            return error;
        }
        let (mut least, mut last) = (error, 0);
        for limit in Rest::limits(error.max(AIM)) {
            let count = self.rest.propose(self.problem, z, limit);
            if count == last {
                continue;
            }
            last = count;
            let candidate = &self.rest.candidate;
            let error = self.check.block_error(candidate);
            least = least.min(error);
            if error < self.error || error <= AIM {
                self.error = error;
                self.best.clone_from(candidate);
                let scaled = candidate.iter().zip(z).zip(&self.newton.x);
                for (own, ((at_rest, z), x)) in self.nearest.iter_mut().zip(scaled) {
                    *own = if at_rest == z { *x } else { 0.0 };
                }
            }
            if error <= AIM {
                break;
            }
        }
        least
    }
}

/// The largest |x|.
fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}
