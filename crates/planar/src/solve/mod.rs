//! Answers to contact and impulse problems, in binary64.

mod start;

use etalon_fast::{Failure, FrictionRow, LcpRef, Method, Place, Solution, Start, Workspace};

use crate::observe::RowBound;
use crate::tolerances::{
    ACCEPTED, HIGH_RIDGE, LARGE, LARGE_ROUGH, REFINEMENTS, RIDGE, RIDGE_DUST, SMALL, UNSEEN,
};

/// Solves LCPs of a run, keeping memory from one to the next.
#[derive(Debug)]
pub(crate) struct LcpSolver {
    workspace: Workspace,
    ridged: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    friction: Vec<FrictionRow>,
    /// Of the last answer.
    places: Vec<Place>,
    /// Of answers with friction, since the last `forget`.
    nearby: Vec<Vec<Place>>,
}

/// An answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Answer {
    pub f: Vec<f64>,
    /// Whether each row is clamped (force, no acceleration).
    pub clamped: Vec<bool>,
    pub pivots: u64,
    /// What was added to the diagonal at most, 0 where nothing was.
    pub ridge: f64,
    /// Whether no force is far beyond those that single contacts would need. Bodies that are held
    /// from all sides get others where their gaps ask for more room than there is.
    pub moderate: bool,
}

impl Default for LcpSolver {
    fn default() -> Self {
        let mut workspace = Workspace::default();
        workspace.accept(ACCEPTED);
        Self {
            workspace,
            ridged: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            friction: Vec::new(),
            places: Vec::new(),
            nearby: Vec::new(),
        }
    }
}

impl LcpSolver {
    /// f with a = A f + b within its bounds: a >= 0 where f is at the lower one, a <= 0 at the upper
    /// one, a = 0 between.
    ///
    /// Where A is singular and the forces are not unique, those found are moderate: a problem that
    /// cannot be solved as it stands, or only by huge forces, is solved with a ridge of 1e-11 on
    /// its diagonal, and again with the ridge about the forces found.
    pub fn solve(&mut self, a: &[f64], b: &[f64], bounds: &[RowBound]) -> Result<Answer, Failure> {
        if let ([a], [b], [RowBound::Free | RowBound::AtLeast(0.0)]) = (a, b, bounds) {
            let acts = bounds[0].is_joint() || *b < 0.0;
            let f = if acts && *a > 0.0 { -b / a } else { 0.0 };
            return Ok(Answer {
                f: vec![f],
                clamped: vec![acts],
                pivots: u64::from(acts),
                ridge: 0.0,
                moderate: true,
            });
        }
        let n = b.len();
        let diagonal = (0..n).map(|i| a[i * n + i]);
        let scale = diagonal.clone().fold(0.0, f64::max);
        let single = diagonal
            .zip(b)
            .map(|(a, b)| if a > 0.0 { b.abs() / a } else { 0.0 });
        let rough = bounds
            .iter()
            .any(|bound| matches!(bound, RowBound::Coulomb { .. }));
        let large = if rough { LARGE_ROUGH } else { LARGE };
        let single = single.fold(0.0, f64::max);
        let measured = |answer: Answer| Answer {
            moderate: answer.largest() <= large * single,
            ..answer
        };
        let plain = self.attempt(a, b, bounds).map(measured);
        if plain.as_ref().is_ok_and(|answer| answer.moderate) {
            return plain;
        }
        let mut ridged = std::mem::take(&mut self.ridged);
        let mut found = plain;
        let of_own = |part: f64| (0..n).map(|i| part * a[i * n + i]).collect();
        let ridges: [Vec<f64>; 3] = [of_own(RIDGE), of_own(HIGH_RIDGE), vec![RIDGE * scale; n]];
        for ridge in ridges {
            ridged.clear();
            ridged.extend_from_slice(a);
            for i in 0..n {
                ridged[i * n + i] += ridge[i];
            }
            let Ok(answer) = self.attempt(&ridged, b, bounds) else {
                continue;
            };
            let (answer, settled) = self.refined((a, &ridged), b, bounds, &ridge, answer);
            let mut answer = measured(Answer {
                ridge: ridge.iter().copied().fold(0.0, f64::max),
                ..answer
            });
            self.mend_small(&mut answer, a, b, bounds);
            // Coulomb's law may keep it from settling: then the ridge is seen, and it is no answer.
            if settled || !rough {
                found = Ok(answer);
                break;
            }
        }
        self.ridged = ridged;
        found
    }

    /// The proximal point method: with the ridge about the forces found, not about 0, what the ridge does to the
    /// accelerations shrinks by another factor of it. It ends when no row sees the ridge any more, also a row whose
    /// own forces are small beside those of others; whether it has come to that.
    fn refined(
        &mut self,
        (a, ridged): (&[f64], &[f64]),
        b: &[f64],
        bounds: &[RowBound],
        ridge: &[f64],
        mut found: Answer,
    ) -> (Answer, bool) {
        for _ in 0..REFINEMENTS {
            let shifted: Vec<f64> = (0..b.len()).map(|i| b[i] - ridge[i] * found.f[i]).collect();
            let Ok(better) = self.attempt(ridged, &shifted, bounds) else {
                break;
            };
            let settled = (0..b.len()).all(|i| {
                let row = a[i * b.len()..].iter().zip(&better.f);
                let size = b[i].abs() + row.map(|(a, f)| (a * f).abs()).sum::<f64>();
                ridge[i] * (better.f[i] - found.f[i]).abs() <= UNSEEN * size
            });
            found = better;
            if settled {
                return (found, true);
            }
        }
        (found, false)
    }

    /// The ridge is about the large forces: beside them it leaves small ones where there are none, and rows that have
    /// nothing else in them are wrong by much of it. They are a problem of their own.
    fn mend_small(&mut self, answer: &mut Answer, a: &[f64], b: &[f64], bounds: &[RowBound]) {
        let (n, largest) = (b.len(), answer.largest());
        for f in answer
            .f
            .iter_mut()
            .filter(|f| f.abs() < RIDGE_DUST * largest)
        {
            *f = 0.0;
        }
        let is_small = |i: &usize| answer.f[*i].abs() < SMALL * largest;
        let (small, large): (Vec<usize>, Vec<usize>) = (0..n).partition(is_small);
        let row = |&i: &usize| small.iter().map(move |&j| a[i * n + j]);
        let own: Vec<f64> = small.iter().flat_map(row).collect();
        let f = &answer.f;
        let given = |&i: &usize| large.iter().fold(b[i], |sum, &j| sum + a[i * n + j] * f[j]);
        let given: Vec<f64> = small.iter().map(given).collect();
        let bound = |&i: &usize| match bounds[i] {
            RowBound::Coulomb { normal, mu } => match small.iter().position(|&j| j == normal) {
                Some(normal) => RowBound::Coulomb { normal, mu },
                None => RowBound::Within(mu * f[normal]),
            },
            other => other,
        };
        let within: Vec<RowBound> = small.iter().map(bound).collect();
        let Ok(found) = self.attempt_from(Start::Cold, &own, &given, &within) else {
            return;
        };
        for (k, &i) in small.iter().enumerate() {
            answer.f[i] = found.f[k];
            answer.clamped[i] = found.clamped[k];
        }
    }

    fn attempt(&mut self, a: &[f64], b: &[f64], bounds: &[RowBound]) -> Result<Answer, Failure> {
        let places = self.places_nearby(a, b, bounds);
        let start = match &places {
            Some(places) => Start::Places(places),
            None => Start::Cold,
        };
        let answer = self.attempt_from(start, a, b, bounds)?;
        self.remember(bounds);
        Ok(answer)
    }

    fn attempt_from(
        &mut self,
        start: Start<'_>,
        a: &[f64],
        b: &[f64],
        bounds: &[RowBound],
    ) -> Result<Answer, Failure> {
        let mut lcp = LcpRef::new(a, b).map_err(|_| Failure::NotFinite)?;
        self.lower.clear();
        self.upper.clear();
        self.friction.clear();
        if bounds.iter().any(|bound| *bound != RowBound::AtLeast(0.0)) {
            for (row, bound) in bounds.iter().enumerate() {
                let (lower, upper) = match *bound {
                    RowBound::AtLeast(least) => (least, f64::INFINITY),
                    RowBound::Free => (f64::NEG_INFINITY, f64::INFINITY),
                    RowBound::Within(most) => (-most, most),
                    RowBound::Coulomb { normal, mu } => {
                        self.friction.push(FrictionRow { row, normal, mu });
                        (0.0, f64::INFINITY)
                    }
                };
                self.lower.push(lower);
                self.upper.push(upper);
            }
            let bounded = lcp.with_bounds(&self.lower, &self.upper);
            lcp = bounded
                .and_then(|lcp| lcp.with_friction(&self.friction))
                .map_err(|_| Failure::NotFinite)?;
        }
        // Among forces of all sizes one method may stop short of the accuracy that another one reaches.
        let first = self.workspace.solve(lcp, Method::Auto, start);
        match first {
            Ok(solution) => {
                self.places.clear();
                self.places.extend_from_slice(solution.places);
                return Ok(Answer::of(&solution));
            }
            // The other method takes no friction rows.
            Err(error) if !self.friction.is_empty() => return Err(error),
            Err(_) => {}
        }
        let second = self.workspace.solve(lcp, Method::Dantzig, Start::Cold);
        second.map(|solution| Answer::of(&solution))
    }
}

impl Answer {
    /// The largest force.
    pub fn largest(&self) -> f64 {
        self.f.iter().fold(0.0, |most, f| most.max(f.abs()))
    }

    fn of(solution: &Solution<'_>) -> Self {
        let between = |place: &Place| *place == Place::Between;
        Self {
            f: solution.z.to_vec(),
            clamped: solution.places.iter().map(between).collect(),
            pivots: solution.pivots,
            ridge: 0.0,
            moderate: true,
        }
    }
}

#[cfg(test)]
mod tests;
