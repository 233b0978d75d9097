//! The record of a step.

use etalon_lcp::Basis;
use etalon_rigid::Scalar;

use crate::formulation::{Formulation, StepLcp};

/// Position, velocity, and which contacts pressed.
#[derive(Debug, Clone, PartialEq)]
pub struct State<S> {
    /// q.
    pub q: Vec<S>,
    /// v.
    pub v: Vec<S>,
    /// The contacts with a positive normal impulse in the step that led here, ascending.
    pub pressing: Vec<usize>,
}

impl<S: Scalar> State<S> {
    /// A state that nothing led to.
    pub fn new(q: Vec<S>, v: Vec<S>) -> Self {
        Self {
            q,
            v,
            pressing: Vec::new(),
        }
    }
}

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub struct Step<S> {
    /// The state before.
    pub before: State<S>,
    /// The state after, rounded as the arithmetic says.
    pub after: State<S>,
    /// v^(l+1) as the problem's solution gives it, not rounded.
    pub velocity: Vec<S>,
    /// Where M, n and D were evaluated.
    pub point: Vec<S>,
    /// The data of the (last) problem.
    pub formulation: Formulation<S>,
    /// The problem.
    pub lcp: StepLcp<S>,
    /// Its solution.
    pub z: Vec<S>,
    /// The complementary basis of the solution.
    pub basis: Basis,
    /// Pivots of the last problem, where the solver counts them.
    pub pivots: Option<u64>,
    /// The impulses of each contact, those that took no part included.
    pub contacts: Vec<ContactImpulse<S>>,
    /// How the iteration went.
    pub convergence: Convergence<S>,
    /// Where the energy went.
    pub dissipation: Dissipation<S>,
    /// T and V after the step, J.
    pub energy: Energy<S>,
}

/// The impulses of one contact in a step.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactImpulse<S> {
    /// Its number in the model.
    pub index: usize,
    /// Whether it was in the problem.
    pub took_part: bool,
    /// f(q^(l+1)) after rounding, m.
    pub gap: S,
    /// c_n, N s.
    pub normal: S,
    /// The friction impulse in tangent coordinates, N s.
    pub friction: Vec<S>,
    /// lambda: about the sliding speed where the contact slides, m/s.
    pub lambda: S,
}

/// How an iteration for the evaluation point went.
#[derive(Debug, Clone, PartialEq)]
pub struct Convergence<S> {
    /// Linear problems solved in the step, over all attempts and activations.
    pub problems: usize,
    /// Iterations of the last attempt; 1 where there is nothing to iterate.
    pub iterations: usize,
    /// How often the step of the iteration was halved.
    pub dampings: usize,
    /// The last difference between the position assumed and the one that came out.
    pub change: S,
    /// Whether that is within the tolerance. If not, the step is the best that there is, and its
    /// problem is solved, but not at its own position.
    pub converged: bool,
}

/// Where the energy of a step went (section 3.3, with the terms that (24) drops), J. With
/// U = T - k'q the identity U^(l+1) = U^l - friction - numerical - position holds exactly for
/// constant M and k.
#[derive(Debug, Clone, PartialEq)]
pub struct Dissipation<S> {
    /// lambda mu c_n of each contact that took part.
    pub friction: Vec<S>,
    /// h lambda of each bounded friction.
    pub bounded: Vec<S>,
    /// (v^(l+1) - v^l)'M (v^(l+1) - v^l)/2: the loss of impacts, and of the scheme in free flight.
    pub numerical: S,
    /// c_n (n'q^l - alpha_0)/h of each contact that took part: the loss of stopping at the gap. Of a
    /// contact that bounces c_n e n'v^l: what restitution gives back, negative.
    pub position: Vec<S>,
    /// The energy that rounding of the state took: U before it less U after it.
    pub rounding: S,
}

impl<S: Scalar> Dissipation<S> {
    /// All friction.
    pub fn friction_total(&self) -> S {
        sum(self.friction.iter().chain(&self.bounded))
    }

    /// All of `position`.
    pub fn position_total(&self) -> S {
        sum(&self.position)
    }

    /// Everything but rounding.
    pub fn total(&self) -> S {
        self.friction_total() + &self.position_total() + &self.numerical
    }
}

/// Kinetic and potential energy, J.
#[derive(Debug, Clone, PartialEq)]
pub struct Energy<S> {
    /// v'M v/2.
    pub kinetic: S,
    /// V(q).
    pub potential: S,
}

impl<S: Scalar> Energy<S> {
    /// Their sum.
    pub fn total(&self) -> S {
        self.kinetic.clone() + &self.potential
    }
}

pub(crate) fn sum<'a, S: Scalar>(values: impl IntoIterator<Item = &'a S>) -> S {
    values.into_iter().fold(S::zero(), |sum, value| sum + value)
}
