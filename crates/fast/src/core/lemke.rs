//! Lemke's attempts, and what is made of their answers.

use super::Core;
use crate::block::Rules;
use crate::dense::Kind;
use crate::failure::Failure;
use crate::lemke::{ATTEMPTS, Attempt, SHORT};
use crate::place::Place;
use crate::point::{Point, limit};
use crate::problem::LcpRef;
use crate::range::Look;

/// Each z_k begins a path to a solution of a game; another one where rounding spoils it.
const GAME_ATTEMPTS: usize = 8;

impl Core {
    pub(super) fn lemke(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        pivots: &mut u64,
    ) -> Result<f64, Failure> {
        let pure = lcp.is_pure();
        if !pure {
            self.reduced.build(lcp);
        }
        let mut rules = self.rules(lcp, seen);
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
            let rules = Rules {
                keep: rules.kind == Kind::General,
                ..rules
            };
            let result = block.solve(lcp, rules, places, point, pivots);
            block.shift.clear();
            if let Ok(backward_error) = result {
                return Ok(backward_error);
            }
        }
        if !self.started.is_empty() {
            if let Ok(backward_error) = self.attempt(lcp, rules, seen, ATTEMPTS[0], pivots) {
                return Ok(backward_error);
            }
            // What was known beforehand has had its chance.
            self.started.clear();
        }
        if pure && self.lemke.is_game(lcp.m, lcp.q) {
            for k in 0..lcp.n().min(GAME_ATTEMPTS) {
                let attempt = Attempt {
                    dropped: Some(k),
                    ..ATTEMPTS[0]
                };
                if let Ok(backward_error) = self.attempt(lcp, rules, seen, attempt, pivots) {
                    return Ok(backward_error);
                }
            }
        }
        let mut last = Failure::Ray;
        let mut unfinished = [false; ATTEMPTS.len()];
        for (attempt, unfinished) in ATTEMPTS.into_iter().zip(&mut unfinished) {
            let short = Attempt {
                pivots: SHORT,
                ..attempt
            };
            match self.attempt(lcp, rules, seen, short, pivots) {
                Ok(backward_error) => return Ok(backward_error),
                Err(failure) => last = failure,
            }
            *unfinished = matches!(last, Failure::Pivots { .. });
        }
        for (attempt, _) in ATTEMPTS
            .into_iter()
            .zip(unfinished)
            .filter(|(_, long)| *long)
        {
            match self.attempt(lcp, rules, seen, attempt, pivots) {
                Ok(backward_error) => return Ok(backward_error),
                Err(failure) => last = failure,
            }
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
            basis,
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
            if rules.kind == Kind::General {
                // The basis as it is, first: it is not singular, and serves a warm start.
                basis.clear();
                basis.extend_from_slice(places);
                let keep = Rules {
                    keep: true,
                    near: false,
                    ..rules
                };
                let result = block.solve(lcp, keep, places, point, pivots);
                block.shift.clear();
                if let Ok(backward_error) = result {
                    return Ok(backward_error);
                }
                places.copy_from_slice(&*basis);
                for (i, place) in places.iter().enumerate() {
                    let basic = *place == Place::Between;
                    point.z[i] = if basic { lemke.z(i).max(0.0) } else { 0.0 };
                }
            }
        } else {
            if !started.is_empty() {
                reduced.basis(lcp, started, warm);
            }
            lemke.solve(&reduced.m, &reduced.q, warm, attempt, pivots)?;
            reduced.places(lcp, |k| lemke.is_basic(k), places);
        }
        let result = block.solve(lcp, rules, places, point, pivots);
        // The next attempt starts with E = 0 again.
        block.shift.clear();
        result
    }
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
