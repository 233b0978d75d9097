//! The complementarity problem of a step among corners.

use std::ops::Range;

use etalon_rigid::{Scalar, dot};

use super::{Face, FaceImpulse, Obstacle};
use crate::formulation::StepLcp;

/// What a step is about: gaps before it, gaps of the motion without impulses, and how impulses
/// change them. Faces are numbered through, obstacle by obstacle; pushes are the normal and the
/// directions of friction of each face in turn.
pub(super) struct Situation<'a, S> {
    pub obstacles: &'a [Obstacle<S>],
    /// psi^l.
    pub old: Vec<S>,
    /// psi^free.
    pub free: Vec<S>,
    /// B = h n'M^-1 (n, D): how the gaps answer to pushes.
    pub coupling: Vec<Vec<S>>,
    /// D'v of the motion without impulses, for the directions of all faces.
    pub rates: Vec<S>,
    /// D'M^-1 (n, D): how these answer.
    pub rubbing: Vec<Vec<S>>,
}

/// The faces of each obstacle.
pub(super) fn faces<S>(obstacles: &[Obstacle<S>]) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    obstacles.iter().map(move |obstacle| {
        let start = end;
        end += obstacle.faces().len();
        start..end
    })
}

/// Which unknowns are those of a face.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// p.
    pub normal: usize,
    /// beta.
    pub weights: Range<usize>,
}

impl Place {
    /// lambda comes after the weights; a face without friction has none.
    pub fn lambda(&self) -> Option<usize> {
        (!self.weights.is_empty()).then_some(self.weights.end)
    }

    /// p and beta: one for each push of the face.
    pub fn pushes(&self) -> impl Iterator<Item = usize> + use<> {
        std::iter::once(self.normal).chain(self.weights.clone())
    }

    /// Whether the unknown is one of the face's own.
    pub fn has(&self, unknown: usize) -> bool {
        self.normal == unknown || self.weights.contains(&unknown) || self.lambda() == Some(unknown)
    }
}

/// Where the unknowns of all faces stand: a corner's impulses come after its c, one fewer than it has faces, and friction after
/// all of these.
pub(super) fn places<S>(obstacles: &[Obstacle<S>]) -> Vec<Place> {
    let mut places = Vec::new();
    let mut next = 0;
    for obstacle in obstacles {
        next += obstacle.faces().len() - 1;
        for _ in obstacle.faces() {
            places.push(Place {
                normal: next,
                weights: 0..0,
            });
            next += 1;
        }
    }
    for (place, face) in places
        .iter_mut()
        .zip(obstacles.iter().flat_map(Obstacle::faces))
    {
        let count = face.directions.len();
        place.weights = next..next + count;
        next += count + usize::from(count > 0);
    }
    places
}

/// The number of unknowns.
pub(super) fn unknowns(places: &[Place]) -> usize {
    let last = |place: &Place| place.lambda().unwrap_or(place.normal) + 1;
    places.iter().map(last).max().unwrap_or(0)
}

impl<S: Scalar> Situation<'_, S> {
    /// All faces in order.
    pub fn faces(&self) -> impl Iterator<Item = &Face<S>> {
        self.obstacles.iter().flat_map(Obstacle::faces)
    }

    /// psi at the end of the step with those impulses.
    pub fn gaps(&self, impulses: &[FaceImpulse<S>]) -> Vec<S> {
        let pushes: Vec<S> = impulses
            .iter()
            .flat_map(FaceImpulse::pushes)
            .cloned()
            .collect();
        let rows = self.coupling.iter().zip(&self.free);
        rows.map(|(row, free)| dot(row, &pushes) + free).collect()
    }

    /// All unknowns, from the impulses, the gaps and the speeds of sliding at the end of the step:
    /// c_i = max(psi_i - m_(i+1), 0), and lambda the speed.
    pub fn unknowns(&self, impulses: &[FaceImpulse<S>], gaps: &[S], sliding: &[S]) -> Vec<S> {
        let places = places(self.obstacles);
        let mut z = vec![S::zero(); unknowns(&places)];
        for faces in faces(self.obstacles) {
            let [own @ .., last] = &gaps[faces.clone()] else {
                continue;
            };
            let first = places[faces.start].normal - own.len();
            let mut largest = last.clone();
            for (i, gap) in own.iter().enumerate().rev() {
                let wider = gap.clone() - &largest;
                if wider.signum() > 0 {
                    z[first + i] = wider;
                    largest = gap.clone();
                }
            }
        }
        for ((place, own), speed) in places.iter().zip(impulses).zip(sliding) {
            for (unknown, p) in place.pushes().zip(own.pushes()) {
                z[unknown] = p.clone();
            }
            if let Some(lambda) = place.lambda() {
                z[lambda] = speed.clone();
            }
        }
        z
    }

    /// The whole problem.
    pub fn problem(&self) -> StepLcp<S> {
        let places = places(self.obstacles);
        let n = unknowns(&places);
        let mut lcp = StepLcp {
            matrix: Vec::with_capacity(n),
            q: Vec::with_capacity(n),
        };
        // Of one corner, the last first: each needs the ones after it.
        let mut rows = Vec::new();
        for (obstacle, faces) in self.obstacles.iter().zip(faces(self.obstacles)) {
            let (last, more) = (faces.end - 1, obstacle.faces().len() - 1);
            let c = places[faces.start].normal - more;
            // All impulses of a corner are complementary to one gap, m_1 = psi_k + the sum of all c; that of a wall to its only
            // psi.
            let mut gap = spread(&self.coupling[last], &places);
            for i in (0..more).rev() {
                let own = spread(&self.coupling[faces.start + i], &places);
                let pairs = gap.iter().zip(&own);
                let mut wider: Vec<S> = pairs.map(|(gap, own)| gap.clone() - own).collect();
                wider[c + i] = S::one();
                gap[c + i] = S::one();
                rows.push((wider, self.free[last].clone() - &self.free[faces.start + i]));
            }
            for (row, q) in rows.drain(..).rev() {
                lcp.matrix.push(row);
                lcp.q.push(q);
            }
            for _ in faces {
                lcp.matrix.push(gap.clone());
                lcp.q.push(self.free[last].clone());
            }
        }
        self.add_friction(&places, &mut lcp);
        lcp
    }

    /// The rows of beta and lambda of each face with friction.
    fn add_friction(&self, places: &[Place], lcp: &mut StepLcp<S>) {
        let mut directions = self.rubbing.iter().zip(&self.rates);
        for (place, face) in places.iter().zip(self.faces()) {
            let Some(lambda) = place.lambda() else {
                continue;
            };
            for (rubbing, rate) in directions.by_ref().take(place.weights.len()) {
                let mut row = spread(rubbing, places);
                row[lambda] = S::one();
                lcp.matrix.push(row);
                lcp.q.push(rate.clone());
            }
            let mut row = vec![S::zero(); unknowns(places)];
            row[place.weights.clone()].fill(-S::one());
            row[place.normal] = face.mu.clone();
            lcp.matrix.push(row);
            lcp.q.push(S::zero());
        }
    }
}

/// A row over the pushes as one over all unknowns.
fn spread<S: Scalar>(answers: &[S], places: &[Place]) -> Vec<S> {
    let mut row = vec![S::zero(); unknowns(places)];
    let unknowns = places.iter().flat_map(Place::pushes);
    for (unknown, answer) in unknowns.zip(answers) {
        row[unknown] = answer.clone();
    }
    row
}
