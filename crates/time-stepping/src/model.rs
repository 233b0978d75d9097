//! The data of a mechanical system for a time step: M, k, the gaps, their normals and directions.

use std::borrow::Cow;

use etalon_rigid::{Covector, MassMatrix, Scalar};

use crate::arithmetic::Arithmetic;
use crate::error::StepError;

/// A mechanical system in generalised coordinates q with dq/dt = v, whose admissible positions
/// are those with f_i(q) >= 0 for all contacts i (Stewart and Trinkle 1996, equation 3).
pub trait Model<S: Scalar>: Send + Sync {
    /// The names of the generalised coordinates, in order.
    fn coordinates(&self) -> Vec<String>;

    /// The contacts that may close, in order.
    fn contacts(&self) -> &[ContactInfo<S>];

    /// M(q), kg and kg m^2.
    ///
    /// # Errors
    /// [`StepError`].
    fn mass(
        &self,
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<Cow<'_, MassMatrix<S>>, StepError>;

    /// k(q, v): applied and inertial generalised forces, N and N m.
    ///
    /// # Errors
    /// [`StepError`].
    fn force(&self, q: &[S], v: &[S], arithmetic: &dyn Arithmetic<S>) -> Result<Vec<S>, StepError>;

    /// The potential V(q) of the forces, J.
    ///
    /// # Errors
    /// [`StepError`].
    fn potential(&self, q: &[S], arithmetic: &dyn Arithmetic<S>) -> Result<S, StepError>;

    /// f_i(q), m.
    ///
    /// # Errors
    /// [`StepError`].
    fn gap(&self, contact: usize, q: &[S], arithmetic: &dyn Arithmetic<S>) -> Result<S, StepError>;

    /// The sum of the sizes of the terms that f_i(q) adds up, m: lengths of bodies and places of fixed surfaces as well as
    /// coordinates. Whoever computes the gap in precision u is within some u of it, however small the gap is itself.
    ///
    /// # Errors
    /// [`StepError`].
    fn gap_size(
        &self,
        contact: usize,
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<S, StepError>;

    /// Gap, normal and directions of contact i at q.
    ///
    /// # Errors
    /// [`StepError`].
    fn frame(
        &self,
        contact: usize,
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<ContactFrame<S>, StepError>;

    /// The second derivative of f_i at q, row by row, where the model knows it: it lets the
    /// implicit scheme take Newton steps.
    fn curvature(&self, _contact: usize, _q: &[S]) -> Option<Vec<Vec<S>>> {
        None
    }

    /// The coefficient of restitution e of contact i: where it closes, its bodies part with at least
    /// e times the speed of their approach (Newton's law). The paper has none: 0.
    fn restitution(&self, _contact: usize) -> S {
        S::zero()
    }

    /// Friction that belongs to no contact: joints, gear boxes (section 3.5).
    fn bounded_friction(&self) -> &[BoundedFriction<S>] {
        &[]
    }

    /// The number of generalised coordinates.
    fn dofs(&self) -> usize {
        self.coordinates().len()
    }
}

/// A pair of bodies that may touch.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactInfo<S> {
    /// The name of the pair, unique.
    pub pair: String,
    /// The coefficient of friction mu.
    pub mu: S,
}

/// A contact at one position.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactFrame<S> {
    /// f(q), m.
    pub gap: S,
    /// n = df/dq: the rate of the gap, and the generalised force of a unit normal force.
    pub normal: Covector<S>,
    /// The directions d_j of the friction cone; with each its opposite (equation 13).
    pub directions: Vec<FrictionDirection<S>>,
}

/// A direction of a friction cone.
#[derive(Debug, Clone, PartialEq)]
pub struct FrictionDirection<S> {
    /// In tangent coordinates: one number in the plane, two in space.
    pub tangent: Vec<S>,
    /// d_j, in generalised coordinates.
    pub row: Covector<S>,
}

/// Friction whose force is any in the convex hull of generalised forces d_j, such as that of a
/// joint: D beta with beta >= 0, e'beta <= h (equations 30-32). In place of h the normal impulse of a contact may be the bound, as
/// of friction against spinning and rolling; and the speed that it strives for need not be 0, as that of a drive.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundedFriction<S> {
    /// The name, unique among contacts and these.
    pub name: String,
    /// The d_j, N or N m: the largest forces in their directions. Where a contact bounds them, those of one unit.
    pub directions: Vec<Covector<S>>,
    /// The rate along each direction at which it does nothing; as many as directions, or none, which are 0.
    pub targets: Vec<S>,
    /// What e'beta is at most.
    pub bound: FrictionBound<S>,
}

/// What bounds the weights of friction.
#[derive(Debug, Clone, PartialEq)]
pub enum FrictionBound<S> {
    /// h, so that the d_j are the largest forces.
    Step,
    /// mu times the normal impulse of a contact.
    Normal {
        /// Its place among the contacts that take part.
        contact: usize,
        /// The coefficient, 1 or m.
        mu: S,
    },
}

impl<S: Scalar> BoundedFriction<S> {
    /// Friction whose largest forces are given, at rest where nothing else acts.
    pub fn of_forces(name: String, directions: Vec<Covector<S>>) -> Self {
        Self {
            name,
            directions,
            targets: Vec::new(),
            bound: FrictionBound::Step,
        }
    }

    /// What is subtracted from the rate along direction k.
    pub fn target(&self, k: usize) -> S {
        self.targets.get(k).cloned().unwrap_or_else(S::zero)
    }
}
