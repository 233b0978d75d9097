//! The solver of contact and impulse problems, in binary64.

mod start;

use etalon_fast::{Failure, FastMethod, FrictionRow, LcpRef, Place, Solution, Start, Workspace};

use crate::observe::RowBound;
use crate::tolerances::{
    ACCEPTED, HIGH_RIDGE, LARGE, LARGE_ROUGH, REFINEMENTS, RIDGE, RIDGE_DUST, SMALL, UNSEEN,
};

/// Solves the LCPs of a run, and keeps the memory that it needs from one to the next.
#[derive(Debug)]
pub(crate) struct LcpSolver {
    workspace: Workspace,
    ridged: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    friction: Vec<FrictionRow>,
    /// The places of the rows in the last answer: at a bound, or between.
    places: Vec<Place>,
    /// The places of answers with friction since [`LcpSolver::forget`], one for each number of rows.
    nearby: Vec<Vec<Place>>,
}

/// The answer to a problem.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Answer {
    pub f: Vec<f64>,
    /// Whether each row is clamped (force, no acceleration).
    pub clamped: Vec<bool>,
    pub pivots: u64,
    /// The most that was added to an entry of the diagonal, 0 where nothing was.
    pub ridge: f64,
    /// Whether no force is far beyond those that single contacts would need. Where gaps ask for more room than there is
    /// between bodies that are held from all sides, the forces are far beyond.
    pub moderate: bool,
    /// The answer of a solver under test, which acts in place of `f`.
    pub given: Option<Vec<f64>>,
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
    /// Finds f with a = A f + b within its bounds: a >= 0 where f is at its lower bound, a <= 0 at its upper bound,
    /// and a = 0 between.
    ///
    /// Where A is singular the forces are not unique. Those that are found are moderate: a problem that cannot be
    /// solved as it stands, or only by huge forces, is solved with a ridge on its diagonal ([`RIDGE`]), and again with
    /// the ridge about the forces found.
    pub fn solve(&mut self, a: &[f64], b: &[f64], bounds: &[RowBound]) -> Result<Answer, Failure> {
        if let ([a], [b], [RowBound::Free | RowBound::AtLeast(0.0)]) = (a, b, bounds) {
            return Ok(Answer::of_one_row(*a, *b, bounds[0].is_joint()));
        }
        let moderate = moderate_force(a, b, bounds);
        let plain = self.attempt(a, b, bounds);
        let plain = plain.map(|answer| answer.measured(moderate));
        if plain.as_ref().is_ok_and(|answer| answer.moderate) {
            return plain;
        }
        let n = b.len();
        let diagonal = (0..n).map(|i| a[i * n + i]);
        let largest = diagonal.clone().fold(0.0, f64::max);
        let of_own = |part: f64| diagonal.clone().map(|own| part * own).collect();
        // A part of each row's own entry leaves the units of the rows alone. Rows whose own entry
        // is next to 0 get nothing by it: the last ridge is for them.
        let ridges: [Vec<f64>; 3] = [of_own(RIDGE), of_own(HIGH_RIDGE), vec![RIDGE * largest; n]];
        for ridge in ridges {
            if let Some(answer) = self.ridged(a, b, bounds, &ridge, moderate) {
                return Ok(answer);
            }
        }
        plain
    }

    /// The answer by a ridge; none where the solver finds none, or where the ridge stays visible in problems with Coulomb's
    /// law: that can keep the refinements from settling.
    fn ridged(
        &mut self,
        a: &[f64],
        b: &[f64],
        bounds: &[RowBound],
        ridge: &[f64],
        moderate: f64,
    ) -> Option<Answer> {
        let mut ridged = std::mem::take(&mut self.ridged);
        ridged.clear();
        ridged.extend_from_slice(a);
        for (i, own) in ridge.iter().enumerate() {
            ridged[i * b.len() + i] += own;
        }
        let first = self.attempt(&ridged, b, bounds);
        let refined = first.map(|answer| self.refined((a, &ridged), b, bounds, ridge, answer));
        self.ridged = ridged;
        let (answer, settled) = refined.ok()?;
        let mut answer = answer.measured(moderate);
        answer.ridge = ridge.iter().copied().fold(0.0, f64::max);
        self.mend_small(&mut answer, a, b, bounds);
        let rough = bounds.iter().any(|bound| bound.is_coulomb());
        (settled || !rough).then_some(answer)
    }

    /// The proximal point method. With the ridge about the forces found, instead of about 0, what the ridge does to the
    /// accelerations shrinks by another factor of it. The method has settled when no row sees the ridge any more, also no
    /// row whose own forces are small beside those of others. Returns the last answer, and whether it has settled.
    fn refined(
        &mut self,
        (a, ridged): (&[f64], &[f64]),
        b: &[f64],
        bounds: &[RowBound],
        ridge: &[f64],
        mut found: Answer,
    ) -> (Answer, bool) {
        for _ in 0..REFINEMENTS {
            // (A + R) f + b - R f_0 = A f + b + R (f - f_0): R acts on what changes only, and on
            // nothing at the limit.
            let shifted: Vec<f64> = (0..b.len()).map(|i| b[i] - ridge[i] * found.f[i]).collect();
            let Ok(better) = self.attempt(ridged, &shifted, bounds) else {
                break;
            };
            let settled = (0..b.len()).all(|i| {
                // Measured beside A and not beside A + R, as the judge will.
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

    /// Finds small forces anew, with the large ones given. The refinements measure the ridge beside the large forces,
    /// and leave some of it in small ones: rows that have nothing else in them would be wrong by a large part.
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
        // Cold, and not remembered: the places that are kept are those of whole problems.
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
        // Where forces are of very different sizes, one method can miss the accuracy that another one reaches.
        let first = self.workspace.solve(lcp, FastMethod::Auto, start);
        match first {
            Ok(solution) => {
                self.places.clear();
                self.places.extend_from_slice(solution.places);
                return Ok(Answer::of(&solution));
            }
            // The second method has no rows of friction.
            Err(error) if !self.friction.is_empty() => return Err(error),
            Err(_) => {}
        }
        let second = self.workspace.solve(lcp, FastMethod::Dantzig, Start::Cold);
        second.map(|solution| Answer::of(&solution))
    }
}

impl Answer {
    /// The forces that act.
    pub fn acting(self) -> Vec<f64> {
        self.given.unwrap_or(self.f)
    }

    /// The largest force.
    pub fn largest(&self) -> f64 {
        self.f.iter().fold(0.0, |most, f| most.max(f.abs()))
    }

    /// The same, moderate if no force is above the limit.
    fn measured(self, limit: f64) -> Self {
        Self {
            moderate: self.largest() <= limit,
            ..self
        }
    }

    /// The answer of a single contact or joint.
    fn of_one_row(a: f64, b: f64, joint: bool) -> Self {
        // The LCP of one row: f = -b / a where b < 0, else 0; of an equation always.
        let acts = joint || b < 0.0;
        // a = 0 between bodies that cannot move: no force changes anything.
        let f = if acts && a > 0.0 { -b / a } else { 0.0 };
        Self {
            f: vec![f],
            clamped: vec![acts],
            pivots: u64::from(acts),
            ridge: 0.0,
            moderate: true,
            given: None,
        }
    }

    fn of(solution: &Solution<'_>) -> Self {
        let between = |place: &Place| *place == Place::Between;
        Self {
            f: solution.z.to_vec(),
            clamped: solution.places.iter().map(between).collect(),
            pivots: solution.pivots,
            ridge: 0.0,
            moderate: true,
            given: None,
        }
    }
}

/// The largest force that is moderate: that of the contact which needs most by itself, times [`LARGE`] or [`LARGE_ROUGH`].
fn moderate_force(a: &[f64], b: &[f64], bounds: &[RowBound]) -> f64 {
    let n = b.len();
    let single = (0..n).map(|i| {
        let own = a[i * n + i];
        if own > 0.0 { b[i].abs() / own } else { 0.0 }
    });
    let rough = bounds.iter().any(|bound| bound.is_coulomb());
    let large = if rough { LARGE_ROUGH } else { LARGE };
    large * single.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests;
