//! A run of block pivoting as a walk from state to state: the table of [`crate::block`], line by
//! line.

use super::guard::Guard;
use super::rules::{Opening, Rules};
use super::{Block, shift};
use crate::failure::Failure;
use crate::meter::Meter;
use crate::place::Place;
use crate::point::Point;
use crate::problem::LcpRef;
use crate::tolerances::{MAX_STEPS, limit};

/// Sweeps before the first round. A dozen get most of the signs right, and each costs as much as one
/// product with M. Measured ([`crate::tolerances`]): 8 or 32 change no answer of `fast-auto`, and its
/// pivots by -1 and -6 in a hundred.
const SWEEPS: u32 = 16;

/// Sweeps where the exchange does not settle, on from where the first ones ended. Chosen.
const MORE_SWEEPS: u32 = 4 * SWEEPS;

/// From this size an exchange that does not settle returns to sweeps, once. Below it Lemke's method
/// is the faster way out. Measured: from 50, or never, changes no answer, and the pivots by 3 in a
/// hundred.
const RETURN_FROM: usize = 150;

/// A backward error above this part of the last one no longer falls: a refining step that converges
/// does better than to halve it.
const STALLED: f64 = 0.5;

/// What a run does next.
#[derive(Debug)]
pub(super) enum State {
    /// Let sweeps propose the first places.
    Sweep,
    /// Solve w_F = 0 with the factor that the last problem left.
    Settle,
    /// Factor (M + E)_FF and solve w_F = 0.
    Factor,
    /// Move every wrong row.
    Exchange,
    /// Let more sweeps propose the places.
    Return,
    /// Take another E.
    Shift(Shift),
    /// Hold the point against the limit.
    Check,
    /// Take a proximal step, or one of refinement.
    Refine,
    /// Return this: the backward error, or why there is none.
    End(Result<f64, Failure>),
}

/// The next E.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shift {
    /// Which of [`shift::SHIFTS`].
    level: usize,
    centre: Centre,
}

/// The first centre with the next E.
#[derive(Debug, Clone, Copy)]
enum Centre {
    /// What sweeps left; where there were none, the last centre.
    Swept,
    /// z, the solution with a larger E.
    Point,
}

/// A run under way.
pub(super) struct Walk<'a> {
    block: &'a mut Block,
    lcp: LcpRef<'a>,
    rules: Rules,
    places: &'a mut [Place],
    point: &'a mut Point,
    meter: &'a mut Meter,
    guard: Guard,
    /// Sweeps that the run may still return to; 0: none.
    sweeps_left: u32,
    /// Proximal or refining steps so far.
    steps: u32,
    /// The backward error before the last of them.
    last_error: f64,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        block: &'a mut Block,
        lcp: LcpRef<'a>,
        rules: Rules,
        places: &'a mut [Place],
        point: &'a mut Point,
        meter: &'a mut Meter,
    ) -> Self {
        let sweeps = rules.opening.may_sweep();
        let guard = if sweeps {
            Guard::short(rules.patience)
        } else {
            Guard::new(rules.patience)
        };
        // Once only: each return brings a new guard, and the proof that a run ends counts them
        // (`crate::block`).
        let returns = sweeps && lcp.n() >= RETURN_FROM;
        Self {
            block,
            lcp,
            rules,
            places,
            point,
            meter,
            guard,
            sweeps_left: if returns { MORE_SWEEPS } else { 0 },
            steps: 0,
            last_error: f64::INFINITY,
        }
    }

    /// Walks from the first state to the end.
    pub(super) fn run(mut self) -> Result<f64, Failure> {
        let mut state = self.open();
        loop {
            state = match state {
                State::End(result) => return result,
                state => {
                    self.meter.until.check()?;
                    self.step(state)
                }
            }
        }
    }

    /// Does what the state says, and returns the next.
    pub(super) fn step(&mut self, state: State) -> State {
        match state {
            State::Sweep => self.sweep(),
            State::Settle => self.settle(),
            State::Factor => self.factor(),
            State::Exchange => self.exchange(),
            State::Return => self.sweep_again(),
            State::Shift(shift) => self.shift(shift),
            State::Check => self.check(),
            State::Refine => self.refine(),
            State::End(result) => State::End(result),
        }
    }

    /// The first state, with the first centre and E.
    pub(super) fn open(&mut self) -> State {
        let Self { block, lcp, .. } = self;
        block.swept.clear();
        block.centre.clear();
        if self.rules.opening == Opening::Near {
            block.centre.extend_from_slice(&self.point.z);
        } else {
            block.centre.resize(lcp.n(), 0.0);
        }
        match self.rules.opening {
            Opening::Sweeps => State::Sweep,
            Opening::Kept => State::Settle,
            Opening::Given => State::Factor,
            Opening::Near | Opening::Hold => {
                block.regularise(*lcp);
                State::Factor
            }
        }
    }

    fn sweep(&mut self) -> State {
        if !self.block.sweep(self.lcp, SWEEPS, self.places) {
            // More sweeps would leave the finite numbers too.
            self.sweeps_left = 0;
        }
        State::Factor
    }

    fn settle(&mut self) -> State {
        self.block.gather(self.places);
        let Self {
            lcp, rules, places, ..
        } = self;
        if self.block.settle(*lcp, *rules, places, self.point) {
            State::Exchange
        } else {
            State::Factor
        }
    }

    fn factor(&mut self) -> State {
        self.block.gather(self.places);
        let Self {
            lcp, rules, places, ..
        } = self;
        if self.block.factor(*lcp, *rules, places) {
            self.block.start(*lcp, *rules, places, self.point);
            self.point.evaluate(*lcp, rules.symmetric);
            return State::Exchange;
        }
        if rules.keep || !self.block.shift.is_empty() {
            return State::End(Err(Failure::Singular));
        }
        State::Shift(Shift {
            level: match rules.opening {
                Opening::Sweeps => shift::AFTER_SWEEPS,
                _ => shift::SMALLEST,
            },
            centre: Centre::Swept,
        })
    }

    fn exchange(&mut self) -> State {
        let reach = if self.rules.keep {
            self.point.reach()
        } else {
            0.0
        };
        let wrong = self
            .block
            .exchange(self.lcp, reach, self.places, self.point);
        if wrong == 0 {
            return State::Check;
        }
        self.meter.pivots += wrong as u64;
        if self.guard.allows(wrong) {
            State::Factor
        } else if self.sweeps_left > 0 {
            State::Return
        } else {
            self.out_of_pivots()
        }
    }

    fn sweep_again(&mut self) -> State {
        let count = std::mem::take(&mut self.sweeps_left);
        if !self.block.sweep(self.lcp, count, self.places) {
            return self.out_of_pivots();
        }
        State::Shift(Shift {
            level: if self.block.shift.is_empty() {
                shift::AFTER_SWEEPS
            } else {
                shift::LARGEST
            },
            centre: Centre::Swept,
        })
    }

    fn shift(&mut self, shift: Shift) -> State {
        self.block.shift_to(self.lcp, shift.level);
        match shift.centre {
            Centre::Swept => self.block.centre_on_sweeps(),
            Centre::Point => self.block.centre.copy_from_slice(&self.point.z),
        }
        self.guard = Guard::short(self.rules.patience);
        State::Factor
    }

    fn check(&mut self) -> State {
        let backward_error = self.point.backward_error(self.lcp, self.places);
        if backward_error <= limit(self.lcp.n()) {
            return State::End(Ok(backward_error));
        }
        // A solution with a larger E is only the centre of the next smaller one: its proximal steps
        // converge more slowly.
        if !self.block.shift.is_empty() && self.block.level < shift::SMALLEST {
            return State::Shift(Shift {
                level: self.block.level + 1,
                centre: Centre::Point,
            });
        }
        // Perhaps 0, or a bound, is meant somewhere.
        // Snapping costs products with M, so it waits until refinement no longer helps.
        let stalled = backward_error > STALLED * self.last_error || backward_error.is_infinite();
        if stalled && let Some(snapped) = self.snap() {
            return State::End(Ok(snapped));
        }
        self.last_error = backward_error;
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return State::End(if backward_error <= self.rules.accept {
                Ok(backward_error)
            } else {
                Err(Failure::Inaccurate { backward_error })
            });
        }
        State::Refine
    }

    fn refine(&mut self) -> State {
        self.block.refine(self.lcp, self.places, self.point);
        self.point.evaluate(self.lcp, self.rules.symmetric);
        State::Exchange
    }

    fn snap(&mut self) -> Option<f64> {
        let Self {
            lcp, rules, places, ..
        } = self;
        self.block.snap(*lcp, *rules, places, self.point)
    }

    fn out_of_pivots(&self) -> State {
        State::End(Err(Failure::Pivots {
            pivots: self.meter.pivots,
        }))
    }
}
