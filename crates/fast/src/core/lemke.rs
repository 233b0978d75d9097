//! Lemke's attempts, and what is made of their answers.
//!
//! The attempts are tried stage by stage until one gives an answer that passes the self-check:
//!
//! | stage | what is tried | where it fails |
//! |---|---|---|
//! | `Places` | block pivoting from the known places | `Warm` |
//! | `Warm` | Lemke's path from the known basis | the start is forgotten: a first stage without one |
//! | `Brief` | the first of [`ATTEMPTS`] with [`BRIEF`] pivots a row | `Interior` |
//! | `Interior` | block pivoting from the places of the [interior-point method](crate::interior) | `Short(0)` |
//! | `Game(k)` | the path of Lemke and Howson that begins with z_k | `Game(k + 1)`, after the last `Short(0)` |
//! | `Short(k)` | [`ATTEMPTS`]`[k]` with few pivots | `Short(k + 1)`, after the last `Long` |
//! | `Long(k)` | [`ATTEMPTS`]`[k]` with many pivots, if few were too few | the next `Long`, after the last `End` |
//! | `End` | nothing | the last failure is the answer |
//!
//! The first stage is `Places` with a known start. Without one it is `Game(0)` for a game of two
//! players. For other pure problems from [`INTERIOR_FROM`] rows on, where the method may be chosen, it is `Brief`, and for the
//! rest `Short(0)`.

use super::Core;
use crate::block::{Opening, Rules};
use crate::dense::Kind;
use crate::failure::Failure;
use crate::interior::DenseSystem;
use crate::lemke::{ATTEMPTS, Attempt, BRIEF, SHORT};
use crate::meter::Meter;
use crate::place::Place;
use crate::problem::LcpRef;
use crate::range::Look;
use crate::tolerances::limit;

/// Each z_k begins a path to a solution of a game, and another one is taken where rounding spoils
/// it. So many are tried: a game that defeats eight paths will hardly yield to a ninth.
const GAME_ATTEMPTS: usize = 8;

/// Rounds in which the number of wrong rows need not fall when block pivoting starts from a basis
/// of Lemke's path: it is nearly right, or else the next attempt is the better way. Measured.
const PATIENCE: u32 = 3;

/// From so many rows on the interior-point method may be tried. Below, eight pivots a row cost less than its steps: a
/// pivot takes 2 n^2 operations and a step 2 n^3 / 3.
const INTERIOR_FROM: usize = 100;

/// Where the sparse method takes over from a start that leads nowhere, a path from it has one pivot for so many rows. n / 4 pivots of
/// 2 n^2 operations are n^3 / 2, less than one step of the interior-point method.
const ROWS_A_PIVOT: u64 = 4;

/// What is tried next; the table is that of [`self`].
#[derive(Debug, Clone, Copy)]
enum Stage {
    Places,
    Warm,
    Brief,
    Interior,
    Game(usize),
    Short(usize),
    Long(usize),
    End,
}

/// The attempts at one problem.
struct Attempts<'a> {
    core: &'a mut Core,
    lcp: LcpRef<'a>,
    seen: Look,
    rules: Rules,
    meter: &'a mut Meter,
    /// Whether another method may be tried between the attempts.
    may_choose: bool,
    /// Of the last short or long attempt.
    failure: Failure,
    /// Which short attempts ended for want of pivots.
    unfinished: [bool; ATTEMPTS.len()],
}

impl Core {
    /// Lemke's method, by as many attempts as it takes. With `may_choose` the interior-point method follows a first attempt that
    /// takes long.
    pub(super) fn lemke(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        may_choose: bool,
        meter: &mut Meter,
    ) -> Result<f64, Failure> {
        self.attempts(lcp, seen, may_choose, meter).run()
    }

    /// The known places, and a path of one pivot for every [`ROWS_A_PIVOT`] rows from their basis. Places without one, as an interior
    /// point has them where several contacts could bear, are no start for a path.
    pub(super) fn lemke_from_start(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        meter: &mut Meter,
    ) -> Result<f64, Failure> {
        let mut attempts = self.attempts(lcp, seen, false, meter);
        match attempts.known_places() {
            Err(failure) if failure != Failure::Singular => attempts.attempt(Attempt {
                per_row: 0,
                pivots: lcp.n() as u64 / ROWS_A_PIVOT,
                ..ATTEMPTS[0]
            }),
            known => known,
        }
    }

    /// The first of the [`ATTEMPTS`], with few pivots.
    pub(super) fn lemke_first(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        meter: &mut Meter,
    ) -> Result<f64, Failure> {
        let mut attempts = self.attempts(lcp, seen, false, meter);
        attempts.attempt(Attempt {
            pivots: SHORT,
            ..ATTEMPTS[0]
        })
    }

    fn attempts<'a>(
        &'a mut self,
        lcp: LcpRef<'a>,
        seen: Look,
        may_choose: bool,
        meter: &'a mut Meter,
    ) -> Attempts<'a> {
        if !lcp.is_pure() {
            self.reduced.build(lcp);
        }
        let rules = Rules {
            patience: PATIENCE,
            ..self.rules(lcp, seen)
        };
        self.block.reserve(lcp.n(), rules.kind);
        Attempts {
            core: self,
            lcp,
            seen,
            rules,
            meter,
            may_choose,
            failure: Failure::Ray,
            unfinished: [false; ATTEMPTS.len()],
        }
    }
}

impl Attempts<'_> {
    fn run(mut self) -> Result<f64, Failure> {
        let mut stage = if self.core.started.is_empty() {
            self.first_cold()
        } else {
            Stage::Places
        };
        loop {
            let tried = match stage {
                Stage::Places => self.known_places(),
                Stage::Warm => self.attempt(ATTEMPTS[0]),
                Stage::Brief => self.attempt(Attempt {
                    per_row: BRIEF,
                    pivots: SHORT,
                    ..ATTEMPTS[0]
                }),
                Stage::Interior => self.interior(),
                Stage::Game(k) => self.attempt(Attempt {
                    dropped: Some(k),
                    ..ATTEMPTS[0]
                }),
                Stage::Short(k) => self.attempt(Attempt {
                    pivots: SHORT,
                    ..ATTEMPTS[k]
                }),
                Stage::Long(k) => self.attempt(ATTEMPTS[k]),
                Stage::End => return Err(self.failure),
            };
            match tried {
                Ok(backward_error) => return Ok(backward_error),
                Err(Failure::Time) => return Err(Failure::Time),
                Err(failure) => stage = self.after(stage, failure),
            }
        }
    }

    /// The stage that follows a failure.
    fn after(&mut self, stage: Stage, failure: Failure) -> Stage {
        match stage {
            Stage::Places => Stage::Warm,
            Stage::Warm => {
                self.core.forget_start();
                self.first_cold()
            }
            Stage::Brief => Stage::Interior,
            Stage::Interior => Stage::Short(0),
            Stage::Game(k) if k + 1 < self.lcp.n().min(GAME_ATTEMPTS) => Stage::Game(k + 1),
            Stage::Game(_) => Stage::Short(0),
            Stage::Short(k) => {
                self.failure = failure;
                self.unfinished[k] = matches!(failure, Failure::Pivots { .. });
                if k + 1 < ATTEMPTS.len() {
                    Stage::Short(k + 1)
                } else {
                    self.next_long(0)
                }
            }
            Stage::Long(k) => {
                self.failure = failure;
                self.next_long(k + 1)
            }
            Stage::End => Stage::End,
        }
    }

    /// The first stage without a known start.
    fn first_cold(&mut self) -> Stage {
        if self.lcp.is_pure() && self.core.lemke.is_game(self.lcp.m, self.lcp.q) {
            Stage::Game(0)
        } else if self.may_choose && self.lcp.is_pure() && self.lcp.n() >= INTERIOR_FROM {
            Stage::Brief
        } else {
            Stage::Short(0)
        }
    }

    /// The first unfinished attempt from number `from` on.
    fn next_long(&self, from: usize) -> Stage {
        let unfinished = (from..ATTEMPTS.len()).find(|&k| self.unfinished[k]);
        unfinished.map_or(Stage::End, Stage::Long)
    }

    /// The known places may be the answer's already. Those of an interior point are no basis where contacts share a load: proximal steps from
    /// its z settle them.
    fn known_places(&mut self) -> Result<f64, Failure> {
        self.core.restart(self.lcp);
        let kept = self.finish(Rules {
            keep: self.rules.kind == Kind::General,
            ..self.rules
        });
        let is_interior = kept == Err(Failure::Singular) && !self.core.starts_at_basis();
        if !is_interior || self.core.known.is_empty() {
            return kept;
        }
        self.core.restart(self.lcp);
        self.core.point.z.copy_from_slice(&self.core.known);
        self.finish(Rules {
            opening: Opening::Near,
            ..self.rules
        })
    }

    /// The places and z of the interior-point method, where it comes near to a solution, and what block pivoting makes of them.
    fn interior(&mut self) -> Result<f64, Failure> {
        let Core {
            interior,
            scaled,
            places,
            point,
            ..
        } = &mut *self.core;
        if !scaled.build(self.lcp, self.seen.symmetric) {
            return Err(Failure::Singular);
        }
        let mut system = DenseSystem::new(scaled.lcp.view());
        if !interior.solve(&mut system, self.meter.until)? {
            return Err(Failure::Singular);
        }
        for (place, own) in places.iter_mut().zip(interior.places()) {
            *place = own;
        }
        scaled
            .unscale(&interior.z, &mut point.z)
            .ok_or(Failure::Overflow)?;
        self.finish(Rules {
            opening: Opening::Near,
            ..self.rules
        })
    }

    /// One path, and the solution that its basis leads to.
    fn attempt(&mut self, attempt: Attempt) -> Result<f64, Failure> {
        if self.lcp.is_pure() {
            self.attempt_pure(attempt)
        } else {
            self.attempt_reduced(attempt)
        }
    }

    fn attempt_pure(&mut self, attempt: Attempt) -> Result<f64, Failure> {
        self.walk_pure(attempt)?;
        self.take_basis();
        let mut rules = self.rules;
        // In other units the z of the path is no point of this problem: only its basis counts then.
        if !attempt.scaled {
            if let Some(backward_error) = self.passes() {
                return Ok(backward_error);
            }
            rules.opening = Opening::Near;
        }
        if rules.kind == Kind::General {
            // The basis as it is, first: it is not singular, and serves a warm start.
            let kept = self.finish(Rules {
                keep: true,
                opening: Opening::Given,
                ..rules
            });
            if kept.is_ok() {
                return kept;
            }
            self.take_basis();
        }
        self.finish(rules)
    }

    /// Lemke's path of a pure problem, in its own units or equilibrated.
    fn walk_pure(&mut self, attempt: Attempt) -> Result<(), Failure> {
        let Core {
            lemke,
            scaled,
            started,
            warm,
            ..
        } = &mut *self.core;
        warm.clear();
        warm.extend(started.iter().map(|place| *place == Place::Between));
        let lcp = if attempt.scaled && scaled.build(self.lcp, self.seen.symmetric) {
            scaled.lcp.view()
        } else {
            self.lcp
        };
        lemke.solve(lcp.m, lcp.q, warm, attempt, self.meter)
    }

    /// The places and z of the basis that a pure path ended at.
    fn take_basis(&mut self) {
        let Core {
            lemke,
            places,
            point,
            ..
        } = &mut *self.core;
        for (i, (place, z)) in places.iter_mut().zip(&mut point.z).enumerate() {
            let basic = lemke.is_basic(i);
            *place = if basic { Place::Between } else { Place::Lower };
            // A basic variable of 0, or below it by rounding, is 0.
            *z = lemke.z(i).max(0.0);
        }
    }

    /// Of a problem with bounds or friction only the places are taken from the path.
    fn attempt_reduced(&mut self, attempt: Attempt) -> Result<f64, Failure> {
        let Core {
            lemke,
            reduced,
            places,
            started,
            warm,
            ..
        } = &mut *self.core;
        warm.clear();
        if !started.is_empty() {
            reduced.basis(self.lcp, started, warm);
        }
        lemke.solve(&reduced.m, &reduced.q, warm, attempt, self.meter)?;
        reduced.places(self.lcp, |k| lemke.is_basic(k), places);
        self.finish(self.rules)
    }

    /// Block pivoting from the places and z there are.
    fn finish(&mut self, rules: Rules) -> Result<f64, Failure> {
        let Core {
            block,
            places,
            point,
            ..
        } = &mut *self.core;
        let result = block.solve(self.lcp, rules, places, point, self.meter);
        // The next attempt starts with E = 0 again.
        block.unshift();
        result
    }

    /// The backward error of the point as it is, or snapped, where that passes the self-check.
    fn passes(&mut self) -> Option<f64> {
        let Core { places, point, .. } = &mut *self.core;
        for snapped in [false, true] {
            if snapped && !point.snap(self.lcp, places) {
                return None;
            }
            point.evaluate(self.lcp, self.seen.symmetric);
            let backward_error = point.backward_error(self.lcp, places);
            if backward_error <= limit(self.lcp.n()) {
                return Some(backward_error);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::range::look;

    /// The stages after `stage` when everything fails for want of pivots, as the table says, by their names.
    fn stages(n: usize, mut stage: Stage) -> Vec<String> {
        let m: Vec<f64> = (0..n * n)
            .map(|k| f64::from(u8::from(k / n == k % n)))
            .collect();
        let q = vec![-1.0; n];
        let lcp = LcpRef::new(&m, &q).unwrap();
        let (mut core, mut meter) = (Core::default(), Meter::default());
        let mut attempts = Attempts {
            core: &mut core,
            lcp,
            seen: look(lcp).unwrap(),
            rules: Rules::new(false),
            meter: &mut meter,
            may_choose: false,
            failure: Failure::Ray,
            unfinished: [false; ATTEMPTS.len()],
        };
        let mut names = Vec::new();
        while !matches!(stage, Stage::End) {
            stage = attempts.after(stage, Failure::Pivots { pivots: 1 });
            names.push(format!("{stage:?}"));
        }
        names
    }

    #[test]
    fn stages_follow_each_other_as_the_table_says() {
        let of = |name: &str, from: usize, to: usize| {
            (from..to)
                .map(|k| format!("{name}({k})"))
                .collect::<Vec<_>>()
        };
        let end = vec!["End".to_owned()];
        let all = ATTEMPTS.len();
        let attempts = [of("Short", 0, all), of("Long", 0, all), end].concat();
        // A game has a path for each of its rows, up to eight.
        for (n, paths) in [(1, 1), (3, 3), (8, 8), (20, 8)] {
            let games = [of("Game", 1, paths), attempts.clone()].concat();
            assert_eq!(stages(n, Stage::Game(0)), games, "{n} rows");
        }
        assert_eq!(stages(4, Stage::Short(0)), attempts[1..]);
        // No game of two players: an identity.
        assert_eq!(stages(4, Stage::Warm), attempts);
        assert_eq!(stages(4, Stage::Places)[0], "Warm");
        assert_eq!(stages(4, Stage::Places)[1..], attempts);
    }
}
