//! From a mechanical system to the complementarity problem of its contact forces.
//!
//! a = A f + b (Baraff 1994, equation 1), row by row by the state of motion of each contact:
//!
//! | contact | rows | conditions |
//! |---|---|---|
//! | separating (v_N > 0) | none | no force |
//! | frictionless | a_N | f_N, a_N >= 0, f_N a_N = 0 (2) |
//! | sliding (v_F other than 0) | a_N | the same; f_F = -mu f_N v_F/\|v_F\| is part of column f_N (section 6) |
//! | static, friction as rows | a_N, a_F | \|f_F\| <= mu f_N, a_F f_F <= 0, a_F (mu f_N - \|f_F\|) = 0 (15, 16) |
//! | static, polyhedral cone | a_N, k directions, lambda | f_F = sum of beta_j d_j; D'a_F + e lambda >= 0 with beta; mu f_N - e'beta >= 0 with lambda |
//! | joint | a | a = 0, f free (section 4.5) |
//! | limit of a joint that stands at it | a | as a contact without friction |
//! | drive of a joint at its speed | a | \|f\| <= bound, a <= 0 where f = bound, a >= 0 where f = -bound, else a = 0 |
//!
//! Coulomb's law in space, the circular cone, has the rows of the fourth line and conditions that are
//! not complementary: [`Formulation::coulomb`].

mod record;

use etalon_rigid::{Constraint, Covector, Dense, Directions, Scalar, System};

use crate::error::ForceError;

/// How static friction is stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FrictionModel {
    /// No friction: coefficients are not read.
    None,
    /// A row for each tangent, bounded by mu f_N: Coulomb's law in the plane; in space the box of
    /// ODE and Bullet, a pyramid of 4 sides around the circle.
    #[default]
    Rows,
    /// A polyhedral cone of k directions (2 in the plane, whatever k is): in space a pyramid of k
    /// sides inside the circle.
    Polyhedral(usize),
    /// Coulomb's law: in the plane the same as [`Rows`](Self::Rows); in space |f_F| <= mu f_N with
    /// friction opposed to the acceleration that is left. The rows, A and b are those of
    /// [`Rows`](Self::Rows), but no complementarity problem states it: see
    /// [`Formulation::coulomb`].
    Circular,
}

/// The law of static friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StaticLaw {
    /// Coulomb's: the circular cone, which in the plane is two sides. Also where nothing is static.
    Coulomb,
    /// A pyramid in place of the circular cone, in space.
    Pyramid {
        /// How many sides it has.
        sides: usize,
        /// Whether the circle is inside it: the box of a bound for each tangent. Otherwise the
        /// corners are on the circle.
        around: bool,
    },
}

impl std::fmt::Display for StaticLaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Coulomb => write!(f, "Coulomb's law"),
            Self::Pyramid { sides, around } => {
                let place = if *around { "around" } else { "inside" };
                write!(f, "a pyramid of {sides} sides {place} the circle")
            }
        }
    }
}

/// How a contact moves.
#[derive(Debug, Clone, PartialEq)]
pub enum ContactMotion<S> {
    /// The bodies part: there is no force.
    Separating,
    /// No friction, or none that is asked for.
    Frictionless,
    /// The tangential velocity is zero.
    Static,
    /// It slides; mu v_F/|v_F| in tangent coordinates.
    Sliding(Vec<S>),
}

impl<S> ContactMotion<S> {
    /// Whether the contact has friction, static or of sliding.
    pub fn rubs(&self) -> bool {
        matches!(self, Self::Static | Self::Sliding(_))
    }
}

/// The meaning of a row of the problem; contacts and joints by their index in the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowKind {
    /// Normal force and acceleration of a contact.
    Normal(usize),
    /// Friction force and acceleration along a tangent.
    Tangent {
        /// The contact.
        contact: usize,
        /// Which tangent.
        axis: usize,
    },
    /// Friction force and acceleration along a direction of the cone.
    Direction {
        /// The contact.
        contact: usize,
        /// Which direction.
        index: usize,
    },
    /// The multiplier lambda of a contact's cone.
    Cone(usize),
    /// A bilateral constraint.
    Joint(usize),
    /// A drive that holds the speed of its joint.
    Drive(usize),
}

/// The contact force problem of a system: f and a = A f + b, with what each row means.
#[derive(Debug, Clone, PartialEq)]
pub struct Formulation<S> {
    system: System<S>,
    motions: Vec<ContactMotion<S>>,
    directions: Directions<S>,
    rows: Vec<RowKind>,
    columns: Vec<Covector<S>>,
    a: Dense<S>,
    b: Vec<S>,
    model: FrictionModel,
}

impl<S: Scalar> Formulation<S> {
    /// States the problem. Rows come in the order normal forces, tangents, joints; for a
    /// polyhedral cone directions (contact by contact), normal forces, lambdas, joints, as
    /// Stewart and Trinkle have it. Drives come last.
    ///
    /// # Errors
    /// [`ForceError::Approaching`] when an impulse must come first; [`ForceError::Scene`] when
    /// velocities violate a joint, or the direction of sliding or of the cone has no exact
    /// coordinates.
    pub fn new(system: System<S>, model: FrictionModel) -> Result<Self, ForceError> {
        system.check()?;
        system.check_joints()?;
        let motions = motions(&system, model)?;
        let tangents = system.contacts.iter().map(|c| c.tangents.len()).max();
        let directions = match model {
            FrictionModel::Polyhedral(k) if tangents == Some(2) => Directions::spatial(k)?,
            _ => Directions::planar(),
        };
        let mut formulation = Self {
            rows: Vec::new(),
            columns: Vec::new(),
            a: Dense::zeros(0, 0),
            b: Vec::new(),
            system,
            motions,
            directions,
            model,
        };
        formulation.rows = formulation.list_rows();
        formulation.assemble();
        Ok(formulation)
    }

    fn list_rows(&self) -> Vec<RowKind> {
        let contacts =
            || (0..self.motions.len()).filter(|&i| self.motions[i] != ContactMotion::Separating);
        let is_static = |i: &usize| self.motions[*i] == ContactMotion::Static;
        let normals = contacts().map(RowKind::Normal);
        let joints = (0..self.system.joints.len()).map(RowKind::Joint);
        let drives = (0..self.system.drives.len()).map(RowKind::Drive);
        let joints = joints.chain(drives);
        if matches!(self.model, FrictionModel::Polyhedral(_)) {
            let k = self.directions.vectors().len();
            let direction =
                |contact| (0..k).map(move |index| RowKind::Direction { contact, index });
            let cones = contacts().filter(is_static).map(RowKind::Cone);
            let betas = contacts().filter(is_static).flat_map(direction);
            return betas.chain(normals).chain(cones).chain(joints).collect();
        }
        let tangent = |contact: usize| {
            let axes = 0..self.system.contacts[contact].tangents.len();
            axes.map(move |axis| RowKind::Tangent { contact, axis })
        };
        let tangents = contacts().filter(is_static).flat_map(tangent);
        normals.chain(tangents).chain(joints).collect()
    }

    /// A and b; the rows of lambda hold mu f_N - e'beta instead of an acceleration.
    fn assemble(&mut self) {
        let measured: Vec<_> = self.rows.iter().map(|row| self.constraint(*row)).collect();
        let rows: Vec<_> = measured.iter().map(|c| c.row.clone()).collect();
        self.columns = self
            .rows
            .iter()
            .zip(&rows)
            .map(|(kind, row)| self.column(*kind, row))
            .collect();
        let free = self.system.free_acceleration();
        self.b = measured.iter().map(|c| c.acceleration(&free)).collect();
        self.a = self.system.coupling(&rows, &self.columns);
        for (i, row) in self.rows.iter().enumerate() {
            let RowKind::Cone(contact) = *row else {
                continue;
            };
            for (j, column) in self.rows.iter().enumerate() {
                match *column {
                    RowKind::Direction { contact: other, .. } if other == contact => {
                        self.a[(j, i)] = S::one();
                        self.a[(i, j)] = -S::one();
                    }
                    RowKind::Normal(other) if other == contact => {
                        self.a[(i, j)] = self.system.contacts[contact].mu.clone();
                    }
                    _ => {}
                }
            }
        }
    }

    /// The quantity that the row measures; none for lambda.
    fn constraint(&self, row: RowKind) -> Constraint<S> {
        let contact = |i: usize| &self.system.contacts[i];
        match row {
            RowKind::Normal(i) => contact(i).normal.clone(),
            RowKind::Tangent { contact: i, axis } => contact(i).tangents[axis].clone(),
            RowKind::Direction { contact: i, index } => {
                let direction = &self.directions.vectors()[index];
                combined(&contact(i).tangents, direction)
            }
            RowKind::Cone(_) => Constraint::new(Covector::zero(), S::zero()),
            RowKind::Joint(i) => self.system.joints[i].constraint.clone(),
            RowKind::Drive(i) => self.system.drives[i].constraint.clone(),
        }
    }

    /// The generalised force of a unit of the row's variable.
    fn column(&self, kind: RowKind, row: &Covector<S>) -> Covector<S> {
        let RowKind::Normal(i) = kind else {
            return row.clone();
        };
        let ContactMotion::Sliding(slip) = &self.motions[i] else {
            return row.clone();
        };
        // Friction of sliding follows f_N, so it is in the column and not in the row: A loses its
        // symmetry and with it the guarantee of forces (Baraff 1994, section 6).
        let friction = combined(&self.system.contacts[i].tangents, slip).row;
        row.plus(&-S::one(), &friction)
    }

    /// The number of rows n.
    pub fn n(&self) -> usize {
        self.rows.len()
    }

    /// The system.
    pub fn system(&self) -> &System<S> {
        &self.system
    }

    /// How static friction is stated.
    pub fn model(&self) -> FrictionModel {
        self.model
    }

    /// The law of static friction that the formulation states. Where no contact is static, or all
    /// are of the plane, every model with friction states Coulomb's.
    pub fn law(&self) -> StaticLaw {
        if !self.is_static_in_space() {
            return StaticLaw::Coulomb;
        }
        match self.model {
            FrictionModel::None | FrictionModel::Circular => StaticLaw::Coulomb,
            FrictionModel::Rows => StaticLaw::Pyramid {
                sides: 4,
                around: true,
            },
            FrictionModel::Polyhedral(sides) => StaticLaw::Pyramid {
                sides,
                around: false,
            },
        }
    }

    /// Whether the circular cone matters: Coulomb's law is asked for, and a contact with two tangents
    /// is static. Then the formulation has no complementarity problem.
    pub fn is_circular(&self) -> bool {
        self.model == FrictionModel::Circular && self.is_static_in_space()
    }

    fn is_static_in_space(&self) -> bool {
        let contacts = self.system.contacts.iter().zip(&self.motions);
        contacts
            .into_iter()
            .any(|(contact, motion)| *motion == ContactMotion::Static && contact.tangents.len() > 1)
    }

    /// How each contact moves.
    pub fn motions(&self) -> &[ContactMotion<S>] {
        &self.motions
    }

    /// Whether any contact has friction. Where none has, A = J M^-1 J' with M positive definite is
    /// symmetric positive semidefinite, and all answers have the same accelerations (CPS theorem 3.1.7).
    pub fn rubs(&self) -> bool {
        self.motions.iter().any(ContactMotion::rubs)
    }

    /// Whether a drive holds the speed of its joint. Its row has two bounds, which neither Baraff's drive to zero nor index sets
    /// have.
    pub fn holds(&self) -> bool {
        !self.system.drives.is_empty()
    }

    /// # Errors
    /// [`ForceError::Holds`] where a drive holds its speed.
    pub(crate) fn without_drives(&self) -> Result<(), ForceError> {
        match self.system.drives.first() {
            Some(own) => Err(ForceError::Holds {
                drive: own.name.clone(),
            }),
            None => Ok(()),
        }
    }

    /// Whether friction acts along one line a contact at most, so that Baraff's conditions are just those
    /// of the complementarity problem. In space a pyramid stands for the cone, and they are not.
    pub fn is_planar(&self) -> bool {
        let contacts = &self.system.contacts;
        let is_static = |motion: &ContactMotion<S>| matches!(motion, ContactMotion::Static);
        contacts.iter().all(|contact| contact.tangents.len() == 1)
            || !self.motions.iter().any(is_static)
            || contacts.iter().all(|contact| contact.mu.is_zero())
    }

    /// The rows of the bilateral constraints, whose variables are free.
    pub fn joint_rows(&self) -> Vec<usize> {
        let rows = self.rows.iter().enumerate();
        let joints = rows.filter(|(_, row)| matches!(row, RowKind::Joint(_)));
        joints.map(|(i, _)| i).collect()
    }

    /// The directions of the polyhedral cone.
    pub fn directions(&self) -> &Directions<S> {
        &self.directions
    }

    /// The meaning of each row.
    pub fn rows(&self) -> &[RowKind] {
        &self.rows
    }

    /// The generalised force of one unit of each variable.
    pub fn columns(&self) -> &[Covector<S>] {
        &self.columns
    }

    /// A, n by n: m/s^2 per N.
    pub fn a(&self) -> &Dense<S> {
        &self.a
    }

    /// b, n values: the accelerations without contact forces, m/s^2.
    pub fn b(&self) -> &[S] {
        &self.b
    }

    /// The row of that meaning.
    pub fn row(&self, kind: RowKind) -> Option<usize> {
        self.rows.iter().position(|row| *row == kind)
    }
}

/// The constraint along a combination of tangents.
pub(crate) fn combined<S: Scalar>(tangents: &[Constraint<S>], weights: &[S]) -> Constraint<S> {
    let mut sum = Constraint::new(Covector::zero(), S::zero());
    for (tangent, weight) in tangents.iter().zip(weights) {
        sum.row = sum.row.plus(weight, &tangent.row);
        sum.drift += &(tangent.drift.clone() * weight);
        sum.rate += &(tangent.rate.clone() * weight);
    }
    sum
}

fn motions<S: Scalar>(
    system: &System<S>,
    model: FrictionModel,
) -> Result<Vec<ContactMotion<S>>, ForceError> {
    let motion = |contact: &etalon_rigid::ContactRows<S>| {
        let normal = contact.normal.velocity(&system.velocity);
        // Accelerations decide only where the normal velocity is 0: v_N > 0 opens the gap, v_N < 0 takes an
        // impulse (Baraff 1994).
        if !normal.is_negligible(&S::one()) {
            // A gap that opens stays open for a while whatever the accelerations are.
            if normal.signum() > 0 {
                return Ok(ContactMotion::Separating);
            }
            return Err(ForceError::Approaching {
                contact: contact.name.clone(),
                velocity: normal.to_string(),
            });
        }
        if model == FrictionModel::None || contact.mu_squared().is_zero() {
            return Ok(ContactMotion::Frictionless);
        }
        let tangential = contact.tangential_velocity(&system.velocity);
        // In binary64 a velocity that is rounding has no direction to slide in.
        if tangential.iter().all(|v| v.is_negligible(&S::one())) {
            return Ok(ContactMotion::Static);
        }
        Ok(contact
            .slip(&system.velocity)?
            .map_or(ContactMotion::Static, ContactMotion::Sliding))
    };
    system.contacts.iter().map(motion).collect()
}
