//! Systems whose M, k, n and D are constant: particles among planes, stacks, joints.

use etalon_rigid::{Covector, Dense, MassMatrix, Scalar};

use crate::arithmetic::Arithmetic;
use crate::error::StepError;
use crate::model::{BoundedFriction, ContactFrame, ContactInfo, FrictionDirection, Model};

/// A system with constant M, k, n and D, whose admissible positions are an intersection of
/// half-spaces n'q >= alpha_0. All of the theory of sections 3.1 to 3.3 holds for it, and all
/// trajectories from rational data are rational.
#[derive(Debug, Clone)]
pub struct HalfSpaces<S> {
    coordinates: Vec<String>,
    mass: MassMatrix<S>,
    force: Vec<S>,
    contacts: Vec<ContactInfo<S>>,
    half_spaces: Vec<HalfSpace<S>>,
    bounded: Vec<BoundedFriction<S>>,
    restitution: S,
}

/// n'q >= alpha_0, with friction along directions.
#[derive(Debug, Clone, PartialEq)]
pub struct HalfSpace<S> {
    /// n.
    pub normal: Covector<S>,
    /// alpha_0.
    pub offset: S,
    /// The d_j, each with its opposite.
    pub directions: Vec<FrictionDirection<S>>,
}

impl<S: Scalar> HalfSpaces<S> {
    /// A system of coordinates of those names with a constant, dense mass matrix and a constant
    /// force.
    ///
    /// # Errors
    /// [`StepError::Scene`] unless M is symmetric positive definite, [`StepError::Length`].
    pub fn new(coordinates: Vec<String>, mass: Dense<S>, force: Vec<S>) -> Result<Self, StepError> {
        let dofs = coordinates.len();
        for (what, length) in [("M", mass.rows()), ("k", force.len())] {
            if length != dofs {
                return Err(StepError::Length {
                    what,
                    length,
                    expected: dofs,
                });
            }
        }
        let mut block = MassMatrix::empty();
        if dofs > 0 {
            block.push("the system", mass)?;
        }
        Ok(Self {
            coordinates,
            mass: block,
            force,
            contacts: Vec::new(),
            half_spaces: Vec::new(),
            bounded: Vec::new(),
            restitution: S::zero(),
        })
    }

    /// The same system with a contact.
    pub fn contact(mut self, pair: impl Into<String>, mu: S, half_space: HalfSpace<S>) -> Self {
        self.contacts.push(ContactInfo {
            pair: pair.into(),
            mu,
        });
        self.half_spaces.push(half_space);
        self
    }

    /// The same system with friction that belongs to no contact.
    pub fn friction(mut self, friction: BoundedFriction<S>) -> Self {
        self.bounded.push(friction);
        self
    }

    /// The same system with one coefficient of restitution for all contacts.
    ///
    /// # Errors
    /// [`StepError::Setting`] unless 0 <= e <= 1.
    pub fn with_restitution(mut self, e: S) -> Result<Self, StepError> {
        if e.signum() < 0 || e > S::one() {
            return Err(StepError::Setting {
                setting: "the coefficient of restitution",
                value: e.to_string(),
                range: "from 0 to 1",
            });
        }
        self.restitution = e;
        Ok(self)
    }

    /// The half-spaces, in the order of the contacts.
    pub fn half_spaces(&self) -> &[HalfSpace<S>] {
        &self.half_spaces
    }

    fn half_space(&self, index: usize) -> Result<&HalfSpace<S>, StepError> {
        let what = "contact";
        let found = self.half_spaces.get(index);
        found.ok_or(StepError::Missing { what, index })
    }
}

impl<S: Scalar> Model<S> for HalfSpaces<S> {
    fn coordinates(&self) -> Vec<String> {
        self.coordinates.clone()
    }

    fn contacts(&self) -> &[ContactInfo<S>] {
        &self.contacts
    }

    constant_dynamics!();

    fn gap(&self, contact: usize, q: &[S], _: &dyn Arithmetic<S>) -> Result<S, StepError> {
        let half_space = self.half_space(contact)?;
        Ok(half_space.normal.times(q) - &half_space.offset)
    }

    fn gap_size(&self, contact: usize, q: &[S], _: &dyn Arithmetic<S>) -> Result<S, StepError> {
        let half_space = self.half_space(contact)?;
        Ok(super::sizes(half_space.normal.entries(), q) + half_space.offset.abs())
    }

    fn frame(
        &self,
        contact: usize,
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<ContactFrame<S>, StepError> {
        let half_space = self.half_space(contact)?;
        Ok(ContactFrame {
            gap: self.gap(contact, q, arithmetic)?,
            normal: half_space.normal.clone(),
            directions: half_space.directions.clone(),
        })
    }

    fn restitution(&self, _contact: usize) -> S {
        self.restitution.clone()
    }

    fn bounded_friction(&self) -> &[BoundedFriction<S>] {
        &self.bounded
    }
}
