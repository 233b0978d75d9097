//! The states of pairs in a step, and the smooth square system of equations of each choice of states.

use super::number::{Number, dot};
use super::problem::{PairUnknowns, PairValues, StepProblem};
use super::separation::separation;

/// The state of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// No impulse, and a gap.
    Separated,
    /// It presses, without friction.
    Smooth,
    /// It presses and does not slide; friction is strictly within the cone.
    Stick,
    /// It presses and slides; friction is on the cone.
    Slide,
}

impl Mode {
    /// The name in trajectories.
    pub fn name(self) -> &'static str {
        match self {
            Self::Separated => "separated",
            Self::Smooth => "smooth",
            Self::Stick => "stick",
            Self::Slide => "slide",
        }
    }
}

/// The values that must be positive for a solution of a branch to be one of the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// The gap of a separated pair.
    Gap,
    /// The multiplier l, so that the normals are opposed.
    Opposed,
    /// p_n.
    Normal,
    /// mu^2 p_n^2 - p_t'p_t - (p_r/e)^2 of a pair that sticks.
    Cone,
    /// sigma of a pair that slides.
    Sliding,
    /// How fast a pair that bounces approached.
    Approach,
    /// n'(w + e w^l) of a pair that bounces and does not press.
    Rebound,
}

impl Condition {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gap => "the gap",
            Self::Opposed => "the multiplier of the normals",
            Self::Normal => "the normal impulse",
            Self::Cone => "the distance to the friction cone",
            Self::Sliding => "the sliding speed",
            Self::Approach => "the speed of approach",
            Self::Rebound => "the speed beyond that of the bounce",
        }
    }
}

/// The equations of a branch: unknowns v, and for each pair a_1, a_2, s, l; p_n where it presses;
/// p_t where it has friction; sigma where it slides (there v_t + sigma p_t = 0). Superquadrics that are apart and do not bounce have no
/// unknowns: a plane is between them.
#[derive(Debug, Clone)]
pub struct Branch<'a> {
    /// The step.
    pub problem: &'a StepProblem<'a>,
    /// The state of each pair.
    pub modes: Vec<Mode>,
}

/// Unknowns by their meaning.
pub struct Unpacked<N> {
    /// v.
    pub v: Vec<N>,
    /// Of the pairs.
    pub pairs: Vec<PairUnknowns<N>>,
    /// sigma of each pair that slides.
    pub sigma: Vec<Option<N>>,
}

impl Branch<'_> {
    /// The unknowns in order, for known meanings; sigma in place where a pair slides.
    pub fn pack<N: Number>(&self, v: &[N], pairs: &[PairUnknowns<N>], sigma: &[N]) -> Vec<N> {
        let mut all = v.to_vec();
        let zero = &v[0];
        for (i, (mode, pair)) in self.modes.iter().zip(pairs).enumerate() {
            let points = self.points(i, *mode);
            all.extend(pair.geometry.iter().take(points).cloned());
            if *mode == Mode::Separated {
                continue;
            }
            let tangents = self.frictions(i, *mode);
            let nothing = (zero.integer(0), Vec::new());
            let (p_n, p_t) = pair.impulse.clone().unwrap_or(nothing);
            all.push(p_n);
            all.extend((0..tangents).map(|j| p_t.get(j).cloned().unwrap_or(zero.integer(0))));
            if *mode == Mode::Slide {
                all.push(sigma[i].clone());
            }
        }
        all
    }

    fn frictions(&self, pair: usize, mode: Mode) -> usize {
        match mode {
            Mode::Stick | Mode::Slide => self.problem.frictions(pair),
            Mode::Separated | Mode::Smooth => 0,
        }
    }

    /// The number of unknowns of closest points.
    fn points(&self, pair: usize, mode: Mode) -> usize {
        let apart = mode == Mode::Separated && !self.problem.bounces[pair];
        match apart && !self.problem.has_smooth_points(pair) {
            true => 0,
            false => self.problem.geometry_len(pair),
        }
    }

    /// The gap of a pair that is apart: a distance where it has no unknowns of closest points.
    pub(super) fn gap<N: Number>(&self, v: &[N], pair: usize, values: &PairValues<N>) -> N {
        match self.problem.has_smooth_points(pair) {
            true => values.gap.clone(),
            // What no plane is between is not apart.
            false => separation(self.problem, pair, v).unwrap_or(v[0].integer(-1)),
        }
    }

    /// The unknowns by their meaning.
    pub fn unpack<N: Number>(&self, all: &[N]) -> Unpacked<N> {
        let mut rest = all.iter().cloned();
        let mut take = |count: usize| -> Vec<N> { rest.by_ref().take(count).collect() };
        let v = take(self.problem.v.len());
        let mut pairs = Vec::with_capacity(self.modes.len());
        let mut sigma = Vec::with_capacity(self.modes.len());
        for (i, mode) in self.modes.iter().enumerate() {
            let geometry = take(self.points(i, *mode));
            let impulse = match mode {
                Mode::Separated => None,
                _ => take(1)
                    .pop()
                    .map(|p_n| (p_n, take(self.frictions(i, *mode)))),
            };
            sigma.push(match mode {
                Mode::Slide => take(1).pop(),
                _ => None,
            });
            pairs.push(PairUnknowns {
                pair: i,
                geometry,
                impulse,
            });
        }
        Unpacked { v, pairs, sigma }
    }

    /// The left sides of the equations.
    pub fn equations<N: Number>(&self, all: &[N]) -> Vec<N> {
        let unknowns = self.unpack(all);
        let values = self.problem.values(&unknowns.v, &unknowns.pairs);
        let mut equations = values.momentum;
        for (i, pair) in values.pairs.into_iter().enumerate() {
            let complement = pair.complement().clone();
            let PairValues {
                geometry, sliding, ..
            } = pair;
            equations.extend(geometry);
            if self.modes[i] == Mode::Separated {
                continue;
            }
            equations.push(complement);
            match (&unknowns.sigma[i], &unknowns.pairs[i].impulse) {
                (Some(sigma), Some((p_n, p_t))) => {
                    let [_, rates] = self.problem.rates(i, &sliding);
                    let along = rates.into_iter().zip(p_t);
                    equations.extend(along.map(|(v, p)| v + sigma.clone() * p.clone()));
                    // In a sliding pair the force is on the cone, and v_t + sigma p_t = 0 is mu p_n v_t +
                    // sigma p_t = 0 with sigma in units of mu p_n.
                    equations.push(-self.cone(i, p_n, p_t));
                }
                _ => equations.extend(sliding),
            }
        }
        equations
    }

    /// mu^2 p_n^2 - p_t'p_t - (p_r/e)^2.
    fn cone<N: Number>(&self, pair: usize, p_n: &N, p_t: &[N]) -> N {
        let p_t = self.problem.shares(pair, p_t);
        let mu = p_n.lift(self.problem.coefficient(pair));
        // In squares, so that it is smooth where the friction is 0, too.
        let bound = mu * p_n.clone();
        bound.clone() * bound - dot(p_n, &p_t, &p_t)
    }

    /// The values that must be positive, each with its pair.
    pub fn conditions<N: Number>(&self, all: &[N]) -> Vec<(usize, Condition, N)> {
        let unknowns = self.unpack(all);
        let values = self.problem.values(&unknowns.v, &unknowns.pairs);
        let mut found = Vec::new();
        for (i, pair) in values.pairs.into_iter().enumerate() {
            if let Some(multiplier) = &pair.multiplier {
                found.push((i, Condition::Opposed, multiplier.clone()));
            }
            if let Some(bounce) = &pair.bounce {
                found.push((i, Condition::Approach, -bounce.approach.clone()));
            }
            let Some((p_n, p_t)) = &unknowns.pairs[i].impulse else {
                found.push(match &pair.bounce {
                    Some(bounce) => (i, Condition::Rebound, bounce.rebound.clone()),
                    None => (i, Condition::Gap, self.gap(&unknowns.v, i, &pair)),
                });
                continue;
            };
            found.push((i, Condition::Normal, p_n.clone()));
            match (self.modes[i], &unknowns.sigma[i]) {
                (Mode::Stick, _) => found.push((i, Condition::Cone, self.cone(i, p_n, p_t))),
                (_, Some(sigma)) => found.push((i, Condition::Sliding, sigma.clone())),
                _ => {}
            }
        }
        found
    }
}
