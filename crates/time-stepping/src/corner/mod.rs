//! Egan and Trinkle's non-convex corners: a body is outside as soon as one of two gaps is open.
//!
//! Stewart and Trinkle's step keeps *both* half-spaces of a corner that points out of an obstacle,
//! and so blocks a particle that passes beside it. Egan and Trinkle ask for max(psi_1, psi_2) >= 0
//! at each corner, with c = max(psi_1 - psi_2, 0) as one more unknown of its own:
//!
//! > 0 <= c  complementary to  c - psi_1 + psi_2 >= 0,
//! > 0 <= p_1, p_2  complementary to  c + psi_2 >= 0,
//!
//! where psi_i = psi_i^free + sum of B_ij p_j over the faces of *all* obstacles at the end of the
//! step, B = h n'M^-1 n. A wall is a half-space as before: 0 <= p complementary to psi >= 0.
//!
//! A corner of k faces has k - 1 such unknowns. With m_k = psi_k and m_i = max(psi_i, m_(i+1)) = m_(i+1) + c_i, the condition is
//! m_1 >= 0, and
//!
//! > 0 <= c_i  complementary to  m_(i+1) + c_i - psi_i >= 0,
//! > 0 <= p_1, ..., p_k  complementary to  m_1 >= 0.
//!
//! **This problem is not unique** once both free gaps of a corner are negative. At a single
//! corner all p >= 0 with max(psi_1, psi_2) = 0 solve it, a path of two segments. Lemke's
//! method takes the end that its pivots lead to, so a particle that lands on top of the obstacle may
//! be pushed out of its side. The least impulse picks the wrong face there, too. Every step
//! therefore lists *all* solutions ([`Solutions`]) and chooses one by a rule: a corner
//! pushes along the face by which the motion enters it ([`Entry`]), in the order in which corners
//! are entered. That depends on the old state, which the problem does not contain.
//!
//! A face may have friction, stated as in Stewart and Trinkle's step with an impulse D beta along
//! it: the gaps are then those with all impulses, and after the unknowns above come for each such
//! face
//!
//! > 0 <= beta  complementary to  D'v^(l+1) + lambda e >= 0,
//! > 0 <= lambda  complementary to  mu p - e'beta >= 0.

mod any_face;
mod exact;
mod examine;
mod findings;
mod problem;
mod rule;
mod solids;
mod solutions;
mod solvers;
mod told;

use etalon_exact::Budget;
use etalon_rigid::{Covector, MassMatrix, Scalar};

use crate::error::StepError;
use crate::formulation::StepLcp;
use crate::model::FrictionDirection;
use crate::settings::check_step_length;
use problem::Situation;

pub use rule::solver_name;
pub use solids::{
    ApartDirection, LEAST_ANGLE, NoSolid, Solid, SolidDissipation, SolidFace, SolidLaws, SolidPair,
    SolidStep, SolidTouch, SolidWhole, Solids, Touch, TouchedFace, unit_vector,
};
pub use solutions::{Piece, SolutionFamily, Solutions};

/// A body among obstacles, M and k constant.
#[derive(Debug, Clone, PartialEq)]
pub struct Corners<S> {
    /// M.
    pub mass: MassMatrix<S>,
    /// k, N.
    pub force: Vec<S>,
    /// The names of the coordinates.
    pub coordinates: Vec<String>,
    /// What is in the way.
    pub obstacles: Vec<Obstacle<S>>,
}

/// A region that a body must stay outside of.
#[derive(Debug, Clone, PartialEq)]
pub enum Obstacle<S> {
    /// A half-space: psi >= 0.
    Wall(Face<S>),
    /// The intersection of two half-spaces or more: max(psi_1, psi_2, ...) >= 0.
    Corner(Vec<Face<S>>),
}

impl<S> Obstacle<S> {
    /// Its faces.
    pub fn faces(&self) -> &[Face<S>] {
        match self {
            Self::Wall(face) => std::slice::from_ref(face),
            Self::Corner(faces) => faces,
        }
    }
}

/// A face: psi(q) = normal'q - offset.
#[derive(Debug, Clone, PartialEq)]
pub struct Face<S> {
    /// The name.
    pub name: String,
    /// n.
    pub normal: Covector<S>,
    /// The offset.
    pub offset: S,
    /// The coefficient of friction mu.
    pub mu: S,
    /// The directions of the friction cone, with each its opposite; none without friction.
    pub directions: Vec<FrictionDirection<S>>,
    /// How far below 0 its gap may be, m, where a body only grazes it: what rounding of states and turning leave.
    pub slack: S,
}

impl<S: Scalar> Face<S> {
    /// A face without friction.
    pub fn smooth(name: impl Into<String>, normal: Covector<S>, offset: S) -> Self {
        Self {
            name: name.into(),
            normal,
            offset,
            mu: S::zero(),
            directions: Vec::new(),
            slack: S::zero(),
        }
    }

    /// The same face for a body that grazes it down to a gap of -slack.
    pub fn grazed(self, slack: S) -> Self {
        Self { slack, ..self }
    }

    /// The same face with friction.
    pub fn rough(mut self, mu: S, directions: Vec<FrictionDirection<S>>) -> Self {
        (self.mu, self.directions) = (mu, directions);
        self
    }

    /// (n, D): what the normal impulse and the weights of friction push along.
    fn columns(&self) -> impl Iterator<Item = &Covector<S>> {
        std::iter::once(&self.normal).chain(self.rows())
    }

    /// D.
    fn rows(&self) -> impl Iterator<Item = &Covector<S>> {
        self.directions.iter().map(|direction| &direction.row)
    }

    /// The largest speed against a direction of friction, 0 where there is none: lambda.
    fn sliding(&self, v: &[S]) -> S {
        let speeds = self.rows().map(|row| -row.times(v));
        speeds.fold(
            S::zero(),
            |largest, v| if v > largest { v } else { largest },
        )
    }
}

/// The impulses on the body at one face, N s.
#[derive(Debug, Clone, PartialEq)]
pub struct FaceImpulse<S> {
    /// p.
    pub normal: S,
    /// beta: the weight of each direction of friction.
    pub weights: Vec<S>,
}

impl<S: Scalar> FaceImpulse<S> {
    /// None on that face.
    fn none(face: &Face<S>) -> Self {
        Self {
            normal: S::zero(),
            weights: vec![S::zero(); face.directions.len()],
        }
    }

    /// (p, beta), in the order of the face's columns.
    fn pushes(&self) -> impl Iterator<Item = &S> {
        std::iter::once(&self.normal).chain(&self.weights)
    }

    /// Friction in tangent coordinates, N s; empty without friction.
    pub fn friction(&self, face: &Face<S>) -> Vec<S> {
        let parts = face.directions.iter().zip(&self.weights);
        let axes = face.directions.first().map_or(0, |d| d.tangent.len());
        let along = |axis: usize| {
            let parts = parts
                .clone()
                .map(|(d, beta)| d.tangent[axis].clone() * beta);
            parts.fold(S::zero(), |sum, part| sum + part)
        };
        (0..axes).map(along).collect()
    }
}

/// The face by which a motion enters a corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// It stays outside.
    Outside,
    /// By that face of the corner; the first one when it hits the very edge.
    Face(usize),
}

/// A step.
#[derive(Debug, Clone, PartialEq)]
pub struct CornerStep<S> {
    /// q^(l+1).
    pub q: Vec<S>,
    /// v^(l+1).
    pub v: Vec<S>,
    /// psi of the free motion for every face, m.
    pub free: Vec<S>,
    /// The problem; for each obstacle in turn the unknowns (c_1, ..., p_1, p_2, ...) of a corner or p of a wall,
    /// then (beta, lambda) of each face with friction.
    pub lcp: StepLcp<S>,
    /// The solution that the rule chooses.
    pub z: Vec<S>,
    /// The impulses of every face: z without the c and the lambda.
    pub impulses: Vec<FaceImpulse<S>>,
    /// How the motion enters each obstacle; walls are not entered.
    pub entries: Vec<Entry>,
    /// All solutions.
    pub solutions: Solutions<S>,
    /// (v^(l+1) - v^l)'M (v^(l+1) - v^l)/2, J.
    pub numerical: S,
    /// p_i (psi_i^l - psi_i^(l+1))/h of each face, J: psi_i^(l+1) is zero where the impulse stops at
    /// the face itself, and negative where it stops at the edge.
    pub position: Vec<S>,
    /// lambda_i mu_i p_i of each face, J.
    pub friction: Vec<S>,
    /// What bodies that are driven give to the others, J.
    pub work: S,
}

impl<S: Scalar> Corners<S> {
    /// All faces in order.
    pub fn faces(&self) -> impl Iterator<Item = &Face<S>> {
        self.obstacles.iter().flat_map(Obstacle::faces)
    }

    /// psi_i(q) for every face, m.
    pub fn gaps(&self, q: &[S]) -> Vec<S> {
        let gap = |face: &Face<S>| face.normal.times(q) - &face.offset;
        self.faces().map(gap).collect()
    }

    /// -k'q, J.
    pub fn potential(&self, q: &[S]) -> S {
        -etalon_rigid::dot(&self.force, q)
    }

    /// One step of size h.
    ///
    /// # Errors
    /// [`StepError::Length`]; [`StepError::Setting`] unless h > 0, and where none of the first 1024 choices of edges works and there are
    /// more. [`StepError::Unsolvable`] where no impulses along the entered faces move the
    /// body out: the normal of a face has no inertia to push against, or walls and corners leave no room.
    pub fn step(&self, q: &[S], v: &[S], h: &S) -> Result<CornerStep<S>, StepError> {
        self.step_within(&Budget::default(), (q, v), h)
    }

    /// The same with at most that budget for each problem.
    ///
    /// # Errors
    /// Those of [`Corners::step`], and [`StepError::GaveUp`] where the budget runs out.
    pub fn step_within(
        &self,
        budget: &Budget,
        (q, v): (&[S], &[S]),
        h: &S,
    ) -> Result<CornerStep<S>, StepError> {
        self.check(q, v, h)?;
        let situation = self.situation(q, v, h);
        let at_corners = |error| told::at_corners(&situation, error);
        let (impulses, entries) = exact::choose(&situation, budget).map_err(at_corners)?;
        let solutions = exact::solutions(&situation, budget).map_err(at_corners)?;
        let (velocity, q) = self.moved((q, v), h, &impulses);
        let difference = sum(&velocity, v, &-S::one());
        let gaps = self.gaps(&q);
        let lcp = situation.problem();
        let sliding: Vec<S> = self.faces().map(|face| face.sliding(&velocity)).collect();
        Ok(CornerStep {
            friction: self.friction_losses(&impulses, &velocity),
            // The motion determines c and lambda, so the rule chooses impulses only.
            z: situation.unknowns(&impulses, &gaps, &sliding),
            work: self.work(&impulses, &velocity),
            solutions,
            numerical: self.mass.kinetic_energy(&difference),
            position: position_losses(&impulses, &situation.old, &gaps, h),
            free: situation.free,
            q,
            v: velocity,
            lcp,
            impulses,
            entries,
        })
    }

    /// The coordinates after a step with the impulses of the rule, whose other solutions are not listed.
    fn motion(
        &self,
        budget: &Budget,
        (q, v): (&[S], &[S]),
        h: &S,
    ) -> Result<(Vec<S>, Vec<FaceImpulse<S>>), StepError> {
        self.check(q, v, h)?;
        let situation = self.situation(q, v, h);
        let chosen = exact::choose(&situation, budget);
        let (impulses, _) = chosen.map_err(|error| told::at_corners(&situation, error))?;
        Ok((self.moved((q, v), h, &impulses).1, impulses))
    }

    /// The velocities and coordinates after a step with those impulses.
    fn moved(&self, (q, v): (&[S], &[S]), h: &S, impulses: &[FaceImpulse<S>]) -> (Vec<S>, Vec<S>) {
        let mut push: Vec<S> = self.force.iter().map(|k| k.clone() * h).collect();
        self.add_to(impulses, &mut push);
        let velocity = sum(v, &self.mass.inverse_times(&push), &S::one());
        let moved = sum(q, &velocity, h);
        (velocity, moved)
    }

    /// The data of a step of size h from (q, v).
    fn situation(&self, q: &[S], v: &[S], h: &S) -> Situation<'_, S> {
        let change = self.mass.inverse_times(&self.force);
        let velocity = sum(v, &change, h);
        let answers = self.faces().flat_map(Face::columns);
        let answers = answers.map(|column| self.mass.inverse_times_row(column));
        let answers: Vec<Covector<S>> = answers.collect();
        let answer = |row: &Covector<S>| answers.iter().map(|a| row.dot(a)).collect::<Vec<S>>();
        let gap = |face: &Face<S>| answer(&face.normal).into_iter().map(|b| b * h).collect();
        let directions = || self.faces().flat_map(Face::rows);
        Situation {
            obstacles: &self.obstacles,
            old: self.gaps(q),
            free: self.gaps(&sum(q, &velocity, h)),
            coupling: self.faces().map(gap).collect(),
            rates: directions().map(|row| row.times(&velocity)).collect(),
            rubbing: directions().map(answer).collect(),
        }
    }

    /// lambda mu p of each face.
    fn friction_losses(&self, impulses: &[FaceImpulse<S>], v: &[S]) -> Vec<S> {
        let faces = self.faces().zip(impulses);
        let losses = faces.map(|(face, own)| own.normal.clone() * &face.mu * face.sliding(v));
        losses.collect()
    }

    /// What the impulses of faces take from velocities that are driven, and so give to the others.
    fn work(&self, impulses: &[FaceImpulse<S>], v: &[S]) -> S {
        let mut push = vec![S::zero(); v.len()];
        self.add_to(impulses, &mut push);
        let all = push.iter().zip(v).enumerate();
        let driven = all.filter(|(k, _)| self.mass.is_driven(*k));
        driven.fold(S::zero(), |sum, (_, (push, v))| sum - push.clone() * v)
    }

    /// Adds the generalised impulse of all faces.
    fn add_to(&self, impulses: &[FaceImpulse<S>], push: &mut [S]) {
        for (face, own) in self.faces().zip(impulses) {
            for (column, p) in face.columns().zip(own.pushes()) {
                column.add_to(p, push);
            }
        }
    }

    fn check(&self, q: &[S], v: &[S], h: &S) -> Result<(), StepError> {
        let expected = self.mass.dofs();
        for (what, length) in [("q", q.len()), ("v", v.len()), ("k", self.force.len())] {
            if length != expected {
                return Err(StepError::Length {
                    what,
                    length,
                    expected,
                });
            }
        }
        check_step_length(h)
    }
}

/// The energy that the normal impulse of each face takes: -p n'v^(l+1), by the gaps.
fn position_losses<S: Scalar>(impulses: &[FaceImpulse<S>], old: &[S], new: &[S], h: &S) -> Vec<S> {
    // psi is affine in q, so that (psi^l - psi^(l+1)) / h is -n'v^(l+1).
    let closing = old.iter().zip(new).map(|(old, new)| old.clone() - new);
    let parts = impulses.iter().zip(closing);
    parts
        .map(|(own, closing)| closing * &own.normal / h)
        .collect()
}

/// a + factor b.
fn sum<S: Scalar>(a: &[S], b: &[S], factor: &S) -> Vec<S> {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| a.clone() + b.clone() * factor).collect()
}
