//! A mechanical system in generalised coordinates, with its constraints as rows.

use crate::covector::Covector;
use crate::dense::Dense;
use crate::error::SceneError;
use crate::mass::MassMatrix;
use crate::scalar::Scalar;

/// One scalar constraint: an acceleration a = J acc + drift and a velocity J v + rate.
#[derive(Debug, Clone, PartialEq)]
pub struct Constraint<S> {
    /// J, the row of the Jacobian.
    pub row: Covector<S>,
    /// What the acceleration is when the generalised acceleration is zero: dJ/dt v with its
    /// centripetal and rotating-normal terms.
    pub drift: S,
    /// What the velocity is when the generalised velocity is zero: the share of bodies with
    /// prescribed motion.
    pub rate: S,
}

impl<S: Scalar> Constraint<S> {
    /// A constraint of a mechanism without prescribed motion.
    pub fn new(row: Covector<S>, drift: S) -> Self {
        let rate = S::zero();
        Self { row, drift, rate }
    }

    /// J v + rate.
    pub fn velocity(&self, velocity: &[S]) -> S {
        self.row.times(velocity) + &self.rate
    }

    /// The constraint on the quantity with the other sign.
    pub(crate) fn negated(&self) -> Self {
        let none = Covector::zero();
        Self {
            row: none.plus(&-S::one(), &self.row),
            drift: -self.drift.clone(),
            rate: -self.rate.clone(),
        }
    }

    /// What rounding of J v + rate is relative to: 1 + |J||v| + |rate|.
    pub(crate) fn speeds(&self, velocity: &[S]) -> S {
        let mut sum = S::one() + self.rate.abs();
        for (k, value) in self.row.entries() {
            if let Some(velocity) = velocity.get(*k) {
                sum += &(value.clone() * velocity).abs();
            }
        }
        sum
    }

    /// J acc + drift.
    pub fn acceleration(&self, acceleration: &[S]) -> S {
        self.row.times(acceleration) + &self.drift
    }

    /// The constraint with every number rounded to binary64.
    pub fn rounded(&self) -> Constraint<f64> {
        let entries = self.row.entries().iter();
        Constraint {
            row: Covector::new(entries.map(|(k, value)| (*k, value.to_f64()))),
            drift: self.drift.to_f64(),
            rate: self.rate.to_f64(),
        }
    }
}

/// The rows of one contact.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactRows<S> {
    /// The contact's name.
    pub name: String,
    /// Along the normal, positive when separating.
    pub normal: Constraint<S>,
    /// Along each tangent: one in the plane, two in space.
    pub tangents: Vec<Constraint<S>>,
    /// The coefficient of friction.
    pub mu: S,
    /// mu v/|v| in tangent coordinates, where it was given.
    pub slip: Option<Vec<S>>,
}

/// The row of a bilateral constraint.
#[derive(Debug, Clone, PartialEq)]
pub struct JointRow<S> {
    /// The joint's name; with the axis where it has several rows.
    pub name: String,
    /// The constraint, whose acceleration stays zero.
    pub constraint: Constraint<S>,
}

/// The row of a drive that holds its speed: a force of no more than its bound, which a bounded row of the problem finds.
#[derive(Debug, Clone, PartialEq)]
pub struct JointDriveRow<S> {
    /// The drive's name.
    pub name: String,
    /// The travel of its joint, beyond what it is at its speed: the velocity of the row is 0.
    pub constraint: Constraint<S>,
    /// The largest force or torque, N or N m, above 0.
    pub bound: S,
}

/// M acc + V = T + J'f: the system in generalised coordinates, and what is to be constrained.
#[derive(Debug, Clone, PartialEq)]
pub struct System<S> {
    /// M, symmetric positive definite.
    pub mass: MassMatrix<S>,
    /// T: applied generalised forces, weight included.
    pub applied: Vec<S>,
    /// V: gyroscopic, Coriolis and centrifugal terms.
    pub bias: Vec<S>,
    /// v.
    pub velocity: Vec<S>,
    /// Contacts, in the order of the scene.
    pub contacts: Vec<ContactRows<S>>,
    /// Bilateral constraints, in the order of the scene.
    pub joints: Vec<JointRow<S>>,
    /// Drives of joints that hold their speeds, in the order of the scene. Those away from it are part of T.
    pub drives: Vec<JointDriveRow<S>>,
}

/// Anything with a mechanical system that depends on its velocity.
pub trait Model<S: Scalar>: Sized {
    /// The system in the present state.
    ///
    /// # Errors
    /// [`SceneError`] for data that make no system.
    fn system(&self) -> Result<System<S>, SceneError>;

    /// The same model with other generalised velocities.
    ///
    /// # Errors
    /// [`SceneError::Length`].
    fn with_velocity(&self, velocity: &[S]) -> Result<Self, SceneError>;
}

impl<S: Scalar> System<S> {
    /// The number of generalised coordinates.
    pub fn dofs(&self) -> usize {
        self.mass.dofs()
    }

    /// M^-1 (T - V): the acceleration without contact and joint forces.
    pub fn free_acceleration(&self) -> Vec<S> {
        let force = self.applied.iter().zip(&self.bias);
        let force: Vec<S> = force.map(|(t, v)| t.clone() - v).collect();
        self.mass.inverse_times(&force)
    }

    /// The acceleration under forces f along generalised directions: M^-1 (T - V + sum of f_k
    /// column_k).
    pub fn acceleration<'a>(
        &self,
        forces: impl IntoIterator<Item = (&'a Covector<S>, &'a S)>,
    ) -> Vec<S> {
        let force = self.applied.iter().zip(&self.bias);
        let mut force: Vec<S> = force.map(|(t, v)| t.clone() - v).collect();
        for (column, f) in forces {
            column.add_to(f, &mut force);
        }
        self.mass.inverse_times(&force)
    }

    /// The velocity after impulses p along generalised directions: v + M^-1 sum of p_k column_k.
    pub fn velocity_after<'a>(
        &self,
        impulses: impl IntoIterator<Item = (&'a Covector<S>, &'a S)>,
    ) -> Vec<S> {
        let mut impulse = vec![S::zero(); self.dofs()];
        for (column, p) in impulses {
            column.add_to(p, &mut impulse);
        }
        let change = self.mass.inverse_times(&impulse);
        let sum = self.velocity.iter().zip(change);
        sum.map(|(v, change)| change + v).collect()
    }

    /// R M^-1 C': how the velocity or acceleration of each row answers to each column (the
    /// Delassus matrix when rows and columns are the same).
    pub fn coupling(&self, rows: &[Covector<S>], columns: &[Covector<S>]) -> Dense<S> {
        let answers: Vec<_> = columns
            .iter()
            .map(|column| self.mass.inverse_times_row(column))
            .collect();
        let mut coupling =
            Dense::from_fn(rows.len(), columns.len(), |i, j| rows[i].dot(&answers[j]));
        if !S::EXACT && rows == columns {
            // Rounding must not make it unsymmetric.
            for i in 0..rows.len() {
                for j in 0..i {
                    coupling[(i, j)] = coupling[(j, i)].clone();
                }
            }
        }
        coupling
    }

    /// The system with every number rounded to nearest binary64: what a float solver is given of
    /// an exact scene.
    ///
    /// # Errors
    /// [`SceneError::MassMatrix`] where rounding leaves a mass matrix that is not positive
    /// definite.
    pub fn rounded(&self) -> Result<System<f64>, SceneError> {
        let round = |values: &[S]| values.iter().map(Scalar::to_f64).collect::<Vec<f64>>();
        let contact = |contact: &ContactRows<S>| ContactRows {
            name: contact.name.clone(),
            normal: contact.normal.rounded(),
            tangents: contact.tangents.iter().map(Constraint::rounded).collect(),
            mu: contact.mu.to_f64(),
            slip: contact.slip.as_deref().map(round),
        };
        let joint = |joint: &JointRow<S>| JointRow {
            name: joint.name.clone(),
            constraint: joint.constraint.rounded(),
        };
        let drive = |drive: &JointDriveRow<S>| JointDriveRow {
            name: drive.name.clone(),
            constraint: drive.constraint.rounded(),
            bound: drive.bound.to_f64(),
        };
        Ok(System {
            mass: self.mass.rounded()?,
            applied: round(&self.applied),
            bias: round(&self.bias),
            velocity: round(&self.velocity),
            contacts: self.contacts.iter().map(contact).collect(),
            joints: self.joints.iter().map(joint).collect(),
            drives: self.drives.iter().map(drive).collect(),
        })
    }

    /// Kinetic energy, J.
    pub fn kinetic_energy(&self) -> S {
        self.mass.kinetic_energy(&self.velocity)
    }

    /// Checks that the velocities keep every joint together: J v + rate = 0 on each row, exactly or
    /// as near as rounding allows. A joint holds at all times, so velocities that tear it apart are
    /// no state of the mechanism.
    ///
    /// # Errors
    /// [`SceneError::JointVelocity`] with the first joint that is violated, and its rate.
    pub fn check_joints(&self) -> Result<(), SceneError> {
        for joint in &self.joints {
            let rate = joint.constraint.velocity(&self.velocity);
            if !rate.is_negligible(&joint.constraint.speeds(&self.velocity)) {
                return Err(SceneError::JointVelocity {
                    joint: joint.name.clone(),
                    rate: rate.to_string(),
                });
            }
        }
        Ok(())
    }

    /// Checks that all rows and vectors fit the mass matrix: for systems that no scene made.
    ///
    /// # Errors
    /// [`SceneError::Length`], [`SceneError::Friction`], and [`SceneError::Tangents`] unless all
    /// contacts have one tangent or all have two.
    pub fn check(&self) -> Result<(), SceneError> {
        let dofs = self.dofs();
        let vectors = [
            ("the applied force", self.applied.len()),
            ("the bias force", self.bias.len()),
            ("the velocity", self.velocity.len()),
        ];
        if let Some((what, length)) = vectors.into_iter().find(|(_, length)| *length != dofs) {
            return Err(SceneError::Length { what, length, dofs });
        }
        let tangents = self.contacts.first().map_or(1, |c| c.tangents.len());
        for contact in &self.contacts {
            let slip = contact.slip.as_ref().map_or(tangents, Vec::len);
            if !(1..=2).contains(&tangents) || [contact.tangents.len(), slip] != [tangents; 2] {
                return Err(SceneError::Tangents {
                    contact: contact.name.clone(),
                });
            }
            if !contact.mu.is_finite() {
                return Err(SceneError::NotFinite {
                    owner: format!("contact {:?}", contact.name),
                    quantity: "coefficient of friction",
                });
            }
            if contact.mu.signum() < 0 {
                return Err(SceneError::Friction {
                    contact: contact.name.clone(),
                    mu: contact.mu.to_string(),
                });
            }
        }
        let normals = self.contacts.iter().map(|contact| &contact.normal);
        let tangents = self.contacts.iter().flat_map(|contact| &contact.tangents);
        let joints = self.joints.iter().map(|joint| &joint.constraint);
        let drives = self.drives.iter().map(|drive| &drive.constraint);
        let all = normals.chain(tangents).chain(joints).chain(drives);
        let width = all.map(|c| c.row.width());
        match width.max().filter(|&width| width > dofs) {
            Some(length) => Err(SceneError::Length {
                what: "a row of the Jacobian",
                length,
                dofs,
            }),
            None => Ok(()),
        }
    }
}

impl<S: Scalar> ContactRows<S> {
    /// The sliding velocity in tangent coordinates, m/s.
    pub fn tangential_velocity(&self, velocity: &[S]) -> Vec<S> {
        let speed = |tangent: &Constraint<S>| tangent.velocity(velocity);
        self.tangents.iter().map(speed).collect()
    }

    /// mu v/|v| in tangent coordinates; `None` for a contact that does not slide. Dynamic
    /// friction is minus f_N times this.
    ///
    /// # Errors
    /// [`SceneError::IrrationalSpeed`] in exact arithmetic when |v| is no fraction and no slip
    /// vector is given; [`SceneError::Slip`] when the one given points elsewhere.
    pub fn slip(&self, velocity: &[S]) -> Result<Option<Vec<S>>, SceneError> {
        let v = self.tangential_velocity(velocity);
        if v.iter().all(S::is_zero) {
            return Ok(None);
        }
        if let Some(slip) = &self.slip {
            return if is_nonnegative_multiple(slip, &v) {
                Ok(Some(slip.clone()))
            } else {
                Err(SceneError::Slip {
                    contact: self.name.clone(),
                })
            };
        }
        let squared = crate::scalar::dot(&v, &v);
        let speed = squared.sqrt().ok_or_else(|| SceneError::IrrationalSpeed {
            contact: self.name.clone(),
        })?;
        if speed.is_zero() {
            // Squares too small for binary64: it does not slide.
            return Ok(None);
        }
        let scaled = v.iter().map(|v| self.mu.clone() * v / &speed);
        Ok(Some(scaled.collect()))
    }

    /// mu^2: that of the slip vector where one is given.
    pub fn mu_squared(&self) -> S {
        match &self.slip {
            Some(slip) => crate::scalar::dot(slip, slip),
            None => self.mu.squared(),
        }
    }
}

/// Whether a = k v with k >= 0, for v other than zero.
fn is_nonnegative_multiple<S: Scalar>(a: &[S], v: &[S]) -> bool {
    let parallel = |i: usize, j: usize| {
        let (left, right) = (a[i].clone() * &v[j], a[j].clone() * &v[i]);
        (left.clone() - &right).is_negligible(&(left.abs() + right.abs()))
    };
    let n = a.len();
    n == v.len()
        && (0..n).all(|i| (0..i).all(|j| parallel(i, j)))
        && crate::scalar::dot(a, v).signum() >= 0
}
