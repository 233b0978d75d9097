//! Coulomb's law in space, with proof.
//!
//! At a contact that does not slide yet, with f_N, a_N >= 0 and f_N a_N = 0 as ever,
//!
//! > |f_F| <= mu f_N, and where a_F is not zero f_F = -mu f_N a_F/|a_F|.
//!
//! No linear complementarity problem states that, and forces are irrational in general: where a box starts
//! to slide on a slope, the direction of sliding has the root of a fraction in it. A binary64 answer
//! ([`Formulation::circular_cone`](crate::Formulation::circular_cone)) proposes the state of each contact:
//! open, sticking or slipping. The rest is exact:
//!
//! * Where all contacts stick or open, or the directions of slip are fractions, the equations are
//!   linear. Their solution is checked against every condition: the forces are *exact*.
//! * Otherwise the equations are quadratic. The theorem of Newton and Kantorovich proves in
//!   fractions that they have a solution in a small box about the given forces. Interval arithmetic shows
//!   that every condition holds all over the box: the forces are *enclosed*.
//!
//! All other forces are [`Unproved`]. It does not say that there are no forces.

mod enclose;
mod exact;
mod faces;
mod simple;
mod unique;

use etalon_exact::{Budget, ExactMethod};
use etalon_lcp::Solver;
use etalon_rigid::Scalar;
use rug::Rational;

use crate::circular::Circular;
use crate::error::ForceError;
use crate::forces::{ForceAnswer, Forces};
use crate::formulation::{Formulation, FrictionModel, RowKind};
use faces::{Face, Faces};

pub use unique::OtherForces;

/// Contact forces that satisfy Coulomb's law: exactly, or with forces that do near by.
#[derive(Debug, Clone, PartialEq)]
pub struct Coulomb {
    /// The values of the problem's variables.
    pub f: Vec<Rational>,
    /// The same as forces and accelerations, contact by contact.
    pub forces: Forces<Rational>,
    /// How far the exact forces are; none where `f` are exact themselves.
    pub enclosure: Option<EnclosureRadii>,
}

/// How far exact forces are from those given, entry by entry, at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnclosureRadii {
    /// Of a force, N.
    pub force: Rational,
    /// Of an acceleration of a contact or a generalised one, m/s^2 or rad/s^2.
    pub acceleration: Rational,
}

/// No forces were proved to satisfy Coulomb's law. It does not say that there are none.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Unproved {
    /// No binary64 forces were found, so that there is nothing to prove.
    #[error("{0}")]
    NotFound(String),
    /// The scene has more rows than proofs are tried for, and the box has no forces that will do.
    #[error("the scene has {rows} rows, but proofs are tried up to {limit}")]
    TooLarge {
        /// Rows.
        rows: usize,
        /// The limit.
        limit: usize,
    },
    /// Binary64 forces were found, but nothing is proved of them.
    #[error(
        "binary64 forces of backward error {:.1e} were found, but no exact ones near by were proved",
        .0.error.rounded_up()
    )]
    Close(Box<Circular>),
}

/// Pivots of a search for forces to start from, and bits of its numbers. Lemke's path takes some multiple
/// of the rows, and binary64 rows have some 53 bits each. Beyond the limits there are no forces to start from,
/// which proves nothing about the scene. Without limits the search for a proof that a pyramid has no
/// forces takes hours at 60 rows.
const START_PIVOTS: u64 = 2_000;
const START_BITS: u64 = 10_000;

/// The solver that searches for forces to start from.
fn starter() -> Box<dyn Solver + Send + Sync> {
    let budget = Budget {
        pivots: START_PIVOTS,
        bits: START_BITS,
        ..Budget::default()
    };
    ExactMethod::Lemke.solver(&budget)
}

/// Rows up to which forces are proved: eliminations in fractions take the cube of that.
const ROWS: usize = 120;

impl Formulation<Rational> {
    /// Looks for contact forces that satisfy Coulomb's law, in the plane or in space, and proves them.
    /// Those of pyramids are looked for to start from.
    ///
    /// # Errors
    /// [`ForceError::NotRows`] for a polyhedral formulation, [`ForceError::Scene`] where rounding to
    /// binary64 leaves no system.
    pub fn coulomb(&self) -> Result<Result<Coulomb, Unproved>, ForceError> {
        if matches!(self.model(), FrictionModel::Polyhedral(_)) {
            return Err(ForceError::NotRows);
        }
        if self.holds() {
            return self.coulomb_held();
        }
        // Where nothing slips, the box has Coulomb's forces, too.
        let boxed = Self::new(self.system().clone(), FrictionModel::Rows)?;
        let start = match boxed.solve(&*starter())? {
            ForceAnswer::Forces(forces) => {
                let f = boxed.values(&forces);
                if let Some(found) = self.exact(&f)? {
                    return Ok(Ok(found));
                }
                Some(f)
            }
            _ => None,
        };
        let (rows, limit) = (self.n(), ROWS);
        if rows > limit {
            return Ok(Err(Unproved::TooLarge { rows, limit }));
        }
        let rounded = Formulation::new(self.system().rounded()?, FrictionModel::Rows)?;
        let found = match rounded.circular_cone(&*starter())? {
            Err(_) if start.is_some() => {
                let start = start.iter().flatten().map(Scalar::to_f64).collect();
                rounded.circular_cone_from(start)?
            }
            found => found,
        };
        let found = match found {
            Ok(found) => found,
            Err(failure) => return Ok(Err(Unproved::NotFound(failure.to_string()))),
        };
        Ok(match self.prove_coulomb(&found.f)? {
            Some(proved) => Ok(proved),
            None => Err(Unproved::Close(Box::new(found))),
        })
    }

    /// The same where drives hold their speeds: a state of each that is proved with the forces.
    fn coulomb_held(&self) -> Result<Result<Coulomb, Unproved>, ForceError> {
        let mut failure =
            Unproved::NotFound("no states of the drives agree with their forces".to_owned());
        let none = Rational::new();
        let found = self.search(|states| {
            let own = match self.with_states(states)?.coulomb()? {
                Ok(own) => own,
                Err(own) => {
                    failure = own;
                    return Ok(Err(None));
                }
            };
            let f = self.with_drives(&own.f, states);
            let radii = own.enclosure.as_ref();
            let margins = radii.map_or([&none; 2], |own| [&own.force, &own.acceleration]);
            Ok(match self.changed(&f, states, margins)? {
                None => Ok((f, own)),
                change => Err(change),
            })
        })?;
        match found {
            Some(((f, own), _)) => Ok(Ok(Coulomb {
                forces: self.forces(&f)?,
                f,
                ..own
            })),
            None => Ok(Err(failure)),
        }
    }

    /// Proves that forces near these satisfy Coulomb's law; `None` where that does not succeed, which
    /// says nothing, or where there are more rows than proofs are tried for. The forces given may be
    /// anything.
    ///
    /// # Errors
    /// [`ForceError::NotRows`] for a polyhedral formulation, [`ForceError::Holds`] where a drive holds its speed,
    /// [`ForceError::Length`].
    pub fn prove_coulomb(&self, near: &[f64]) -> Result<Option<Coulomb>, ForceError> {
        self.without_drives()?;
        if matches!(self.model(), FrictionModel::Polyhedral(_)) {
            return Err(ForceError::NotRows);
        }
        let (length, n) = (near.len(), self.n());
        if length != n {
            return Err(ForceError::Length { length, n });
        }
        if n > ROWS {
            return Ok(None);
        }
        let near: Vec<Rational> = near
            .iter()
            .map(|f| Rational::from_f64(*f).unwrap_or_default())
            .collect();
        // Exact forces first: they need no enclosure.
        for faces in Faces::guess(self, &near) {
            if let Some(found) = exact::recover(self, &faces, &near)? {
                return Ok(Some(found));
            }
            if let Some(found) = enclose::enclose(self, &faces, &near)? {
                return Ok(Some(found));
            }
            // At rest with friction at its limit: redundant contacts may share it otherwise.
            if faces.with(Face::Slip).next().is_some() {
                continue;
            }
            // Chosen: the shares only say where exact forces are looked for.
            for share in [0.01, 0.1] {
                if let Some(near) = exact::eased(&faces, &near, share)
                    && let Some(found) = exact::recover(self, &faces, &near)?
                {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// The forces, if they satisfy Coulomb's law exactly, joints included.
    fn exact(&self, f: &[Rational]) -> Result<Option<Coulomb>, ForceError> {
        let forces = self.forces(f)?;
        let tears = |row: &RowKind| match *row {
            RowKind::Joint(i) => {
                let constraint = &self.system().joints[i].constraint;
                constraint.acceleration(&forces.acceleration) != 0
            }
            _ => false,
        };
        if self.rows().iter().any(tears) || !forces.coulomb_violations().is_empty() {
            return Ok(None);
        }
        Ok(Some(Coulomb {
            f: f.to_vec(),
            forces,
            enclosure: None,
        }))
    }

    /// The values of the variables of a formulation of rows.
    fn values(&self, forces: &Forces<Rational>) -> Vec<Rational> {
        let value = |row: &RowKind| match *row {
            RowKind::Normal(i) => forces.contacts.get(i).map(|c| c.normal.clone()),
            RowKind::Tangent { contact, axis } => {
                forces.contacts.get(contact)?.friction.get(axis).cloned()
            }
            RowKind::Joint(i) => forces.joints.get(i).cloned(),
            _ => None,
        };
        let values = self.rows().iter().map(|row| value(row).unwrap_or_default());
        values.collect()
    }
}

#[cfg(test)]
mod tests;
