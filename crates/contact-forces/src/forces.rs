//! Contact forces with the accelerations that they leave, and the conditions on them.

use etalon_certify::Truth;
use etalon_lcp::{Certificate, Claim, ClaimedAnswer, Number, Problem, Solver};
use etalon_rigid::{Covector, Scalar, dot};

use crate::error::ForceError;
use crate::formulation::{ContactMotion, Formulation, RowKind, StaticLaw};

/// The force at one contact, and the acceleration that is left.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactForce<S> {
    /// The contact's name.
    pub name: String,
    /// How it moves.
    pub motion: ContactMotion<S>,
    /// f_N, N.
    pub normal: S,
    /// The friction force in tangent coordinates, N.
    pub friction: Vec<S>,
    /// a_N, m/s^2.
    pub normal_acceleration: S,
    /// The tangential acceleration in tangent coordinates, m/s^2.
    pub tangential_acceleration: Vec<S>,
    /// mu^2.
    pub mu_squared: S,
}

/// Contact forces of a whole system.
#[derive(Debug, Clone, PartialEq)]
pub struct Forces<S> {
    /// One a contact, in the order of the system.
    pub contacts: Vec<ContactForce<S>>,
    /// Forces of the bilateral constraints.
    pub joints: Vec<S>,
    /// Of the drives that hold their speeds.
    pub drives: Vec<DriveForce<S>>,
    /// The generalised acceleration.
    pub acceleration: Vec<S>,
}

/// The force of a drive that holds its speed, and the acceleration that is left.
#[derive(Debug, Clone, PartialEq)]
pub struct DriveForce<S> {
    /// The drive's name.
    pub name: String,
    /// f, N or N m.
    pub force: S,
    /// The acceleration of its joint's travel, m/s^2 or rad/s^2.
    pub acceleration: S,
    /// The largest force.
    pub bound: S,
}

/// A condition on contact forces that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// f_N < 0.
    #[error("contact {0:?} pulls")]
    Pull(String),
    /// a_N < 0.
    #[error("the bodies at contact {0:?} interpenetrate")]
    Penetration(String),
    /// f_N a_N > 0.
    #[error("contact {0:?} opens under force")]
    OpensUnderForce(String),
    /// |f_F| > mu f_N.
    #[error("friction at contact {0:?} exceeds mu f_N")]
    Cone(String),
    /// a_F . f_F > 0: static friction does work.
    #[error("friction at contact {0:?} drives the motion")]
    Drives(String),
    /// Static friction that does not oppose the acceleration that it leaves: f_F other than
    /// -mu f_N a_F/|a_F|. Coulomb's law in space asks for it, Baraff's conditions do not.
    #[error("friction at contact {0:?} does not oppose the acceleration")]
    Aslant(String),
    /// A static contact that starts to slide with |f_F| < mu f_N.
    #[error("contact {0:?} slips below its friction limit")]
    Slack(String),
    /// f_F of a sliding contact other than -mu f_N v_F/|v_F|.
    #[error("friction at the sliding contact {0:?} does not oppose the velocity")]
    Direction(String),
    /// |f| > bound.
    #[error("{0:?} pushes harder than its bound")]
    DriveBound(String),
    /// A drive that loses its speed, though it could push harder against that.
    #[error("{0:?} gives way below its bound")]
    DriveSlack(String),
}

/// A solver's answer to a contact force problem.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ForceAnswer<S> {
    /// Forces.
    Forces(Forces<S>),
    /// There are none, and the certificate was checked.
    None(Certificate),
    /// The solver says that there are none and did not prove it, or gave up.
    Failed(String),
}

impl<S: Scalar> Formulation<S> {
    /// Asks a solver for the contact forces. What it answers is not checked here but for proofs
    /// that there are none: see [`Forces::violations`] and `etalon-certify`.
    ///
    /// # Errors
    /// [`ForceError::Problem`], [`ForceError::Length`].
    pub fn solve(&self, solver: &dyn Solver) -> Result<ForceAnswer<S>, ForceError> {
        let problem = self.problem("contact forces")?;
        let Claim {
            answer,
            certificate,
            message,
            ..
        } = solver.solve(&problem);
        Ok(match (answer, certificate) {
            (ClaimedAnswer::Solved { z }, _) => ForceAnswer::Forces(self.read(&z)?),
            (ClaimedAnswer::Unsolvable, Some(certificate)) => {
                match check_proof(&problem, &certificate) {
                    Ok(()) => ForceAnswer::None(certificate),
                    Err(why) => ForceAnswer::Failed(why),
                }
            }
            (ClaimedAnswer::Unsolvable, None) => ForceAnswer::Failed("no proof".to_owned()),
            (ClaimedAnswer::Failed, _) => ForceAnswer::Failed(message.unwrap_or_default()),
        })
    }

    fn read(&self, z: &[Number]) -> Result<Forces<S>, ForceError> {
        self.forces(&z.iter().map(S::from_number).collect::<Vec<_>>())
    }

    /// Forces and accelerations for values z of the problem's variables.
    ///
    /// # Errors
    /// [`ForceError::Length`].
    pub fn forces(&self, z: &[S]) -> Result<Forces<S>, ForceError> {
        let (length, n) = (z.len(), self.n());
        if length != n {
            return Err(ForceError::Length { length, n });
        }
        let acceleration = self.system().acceleration(self.columns().iter().zip(z));
        let contacts = (0..self.system().contacts.len())
            .map(|i| self.contact_force(i, z, &acceleration))
            .collect();
        let joints = self.rows().iter().zip(z);
        let joints = joints.filter(|(row, _)| matches!(row, RowKind::Joint(_)));
        let drive = |(row, f): (&RowKind, &S)| match *row {
            RowKind::Drive(i) => {
                let own = &self.system().drives[i];
                Some(DriveForce {
                    name: own.name.clone(),
                    force: f.clone(),
                    acceleration: own.constraint.acceleration(&acceleration),
                    bound: own.bound.clone(),
                })
            }
            _ => None,
        };
        let drives = self.rows().iter().zip(z).filter_map(drive).collect();
        Ok(Forces {
            contacts,
            joints: joints.map(|(_, f)| f.clone()).collect(),
            drives,
            acceleration,
        })
    }

    fn contact_force(&self, i: usize, z: &[S], acceleration: &[S]) -> ContactForce<S> {
        let contact = &self.system().contacts[i];
        let value = |row: usize| z[row].clone();
        let normal = self.row(RowKind::Normal(i)).map_or_else(S::zero, value);
        let mut friction = vec![S::zero(); contact.tangents.len()];
        let motion = self.motions()[i].clone();
        if let ContactMotion::Sliding(slip) = &motion {
            for (friction, slip) in friction.iter_mut().zip(slip) {
                *friction = -(normal.clone() * slip);
            }
        }
        for (row, f) in self.rows().iter().zip(z) {
            match *row {
                RowKind::Tangent { contact, axis } if contact == i => friction[axis] = f.clone(),
                RowKind::Direction { contact, index } if contact == i => {
                    let direction = &self.directions().vectors()[index];
                    for (friction, d) in friction.iter_mut().zip(direction) {
                        *friction += &(d.clone() * f);
                    }
                }
                _ => {}
            }
        }
        let tangential = contact.tangents.iter();
        ContactForce {
            name: contact.name.clone(),
            motion,
            normal,
            friction,
            normal_acceleration: contact.normal.acceleration(acceleration),
            tangential_acceleration: tangential.map(|t| t.acceleration(acceleration)).collect(),
            mu_squared: contact.mu_squared(),
        }
    }
}

impl<S: Scalar> Forces<S> {
    /// The normal forces.
    pub fn normal(&self) -> Vec<S> {
        self.contacts.iter().map(|c| c.normal.clone()).collect()
    }

    /// The normal accelerations.
    pub fn normal_acceleration(&self) -> Vec<S> {
        let accelerations = self.contacts.iter().map(|c| c.normal_acceleration.clone());
        accelerations.collect()
    }

    /// The generalised force of all contacts together, J'f, given the formulation's columns and
    /// variables.
    pub fn generalised(columns: &[Covector<S>], z: &[S], dofs: usize) -> Vec<S> {
        let mut force = vec![S::zero(); dofs];
        for (column, f) in columns.iter().zip(z) {
            column.add_to(f, &mut force);
        }
        force
    }

    /// Every condition of Baraff (1994) that does not hold: (2), (15) and (16) with the circular
    /// cone |f_F| <= mu f_N, and the direction of dynamic friction. In space these are
    /// necessary; they do not determine the motion.
    pub fn violations(&self) -> Vec<Violation> {
        let own = self.contacts.iter().flat_map(ContactForce::violations);
        own.chain(self.driven()).collect()
    }

    /// The conditions on drives that do not hold.
    fn driven(&self) -> impl Iterator<Item = Violation> {
        self.drives.iter().flat_map(DriveForce::violations)
    }

    /// Every condition of Coulomb's law that does not hold: those of [`violations`](Self::violations),
    /// and that friction opposes the acceleration that it leaves. In the plane this is no more.
    pub fn coulomb_violations(&self) -> Vec<Violation> {
        let contacts = self.contacts.iter();
        let own = contacts.flat_map(ContactForce::coulomb_violations);
        own.chain(self.driven()).collect()
    }

    /// Every condition of a law that does not hold. Pyramids that are inside the circle are judged by
    /// their complementarity problem and not here: of them this asks Baraff's conditions.
    pub fn violations_of(&self, law: StaticLaw) -> Vec<Violation> {
        let of = |contact: &ContactForce<S>| match law {
            StaticLaw::Coulomb => contact.coulomb_violations(),
            StaticLaw::Pyramid { around: true, .. } => contact.box_violations(),
            StaticLaw::Pyramid { around: false, .. } => contact.violations(),
        };
        let own = self.contacts.iter().flat_map(of);
        own.chain(self.driven()).collect()
    }

    /// The power that static friction would take if the contacts slid as they accelerate: the sum
    /// of a_F . f_F, never positive.
    pub fn friction_power(&self) -> S {
        let mut sum = S::zero();
        for contact in &self.contacts {
            sum += &dot(&contact.tangential_acceleration, &contact.friction);
        }
        sum
    }
}

impl<S: Scalar> DriveForce<S> {
    /// Every condition that does not hold: |f| <= bound, and an acceleration that is left is against a force at its bound.
    fn violations(&self) -> Vec<Violation> {
        // An acceleration is measured by the force that it would take of 1 kg, as at contacts.
        let scale = self.bound.clone() + S::one();
        let sign = |value: S| match value.is_negligible(&scale) {
            true => 0,
            false => value.signum(),
        };
        let slack = sign(self.bound.clone() - &self.force.abs());
        let moves = sign(self.acceleration.clone());
        let name = || self.name.clone();
        let beyond = (slack < 0).then(|| Violation::DriveBound(name()));
        // Above 0 the joint goes too fast, which only the largest force backwards does not prevent.
        let at_bound = slack <= 0 && sign(self.force.clone()) == -moves;
        let gives_way = (moves != 0 && !at_bound).then(|| Violation::DriveSlack(name()));
        beyond.into_iter().chain(gives_way).collect()
    }
}

impl<S: Scalar> ContactForce<S> {
    /// Every condition of Coulomb's law that does not hold at this contact.
    pub fn coulomb_violations(&self) -> Vec<Violation> {
        let mut found = self.violations();
        if let (ContactMotion::Static, [fx, fy], [ax, ay]) = (
            &self.motion,
            self.friction.as_slice(),
            self.tangential_acceleration.as_slice(),
        ) {
            // Two vectors are parallel where their cross product is 0; that they are opposed, `Drives`
            // asks.
            let (left, right) = (fx.clone() * ay, fy.clone() * ax);
            let scale = (fx.abs() + &fy.abs()) * &(ax.abs() + &ay.abs()) + S::one();
            if !(left - right).is_negligible(&scale) {
                found.push(Violation::Aslant(self.name.clone()));
            }
        }
        found
    }

    /// Every condition that does not hold at this contact where each tangent has its own bound mu f_N
    /// (a box in space): Baraff's, tangent by tangent.
    fn box_violations(&self) -> Vec<Violation> {
        let axes = self.friction.iter().zip(&self.tangential_acceleration);
        let alone = |(friction, acceleration): (&S, &S)| Self {
            friction: vec![friction.clone()],
            tangential_acceleration: vec![acceleration.clone()],
            ..self.clone()
        };
        if self.motion != ContactMotion::Static {
            return self.violations();
        }
        let mut found: Vec<Violation> = Vec::new();
        for violation in axes.flat_map(|axis| alone(axis).violations()) {
            if !found.contains(&violation) {
                found.push(violation);
            }
        }
        found
    }

    /// Every condition of Baraff's that does not hold at this contact.
    pub fn violations(&self) -> Vec<Violation> {
        // Masses are not known here: an acceleration is measured by the force that it would take of 1 kg, so that one scale
        // serves both. What is a product of two of them is measured by its square: beside large forces |f|^2 is rounded by
        // more than any part of |f|.
        let scale = self.normal.abs() + S::one();
        let sign_beside = |value: &S, scale: &S| {
            if value.is_negligible(scale) {
                0
            } else {
                value.signum()
            }
        };
        let sign = |value: &S| sign_beside(value, &scale);
        let sign_of_product = |value: &S| sign_beside(value, &scale.squared());
        let name = || self.name.clone();
        let mut found = Vec::new();
        let mut check = |broken: bool, violation: fn(String) -> Violation| {
            if broken {
                found.push(violation(name()));
            }
        };
        let (f, a) = (sign(&self.normal), sign(&self.normal_acceleration));
        let present = self.motion != ContactMotion::Separating;
        check(f < 0, Violation::Pull);
        check(present && a < 0, Violation::Penetration);
        // Signs in place of the product f_N a_N: two small numbers have a product below any tolerance.
        check(f > 0 && a > 0, Violation::OpensUnderForce);
        let slack = self.normal.squared() * &self.mu_squared - dot(&self.friction, &self.friction);
        let rubbing = self.motion.rubs();
        check(rubbing && sign_of_product(&slack) < 0, Violation::Cone);
        match &self.motion {
            ContactMotion::Static => {
                let slips = self.tangential_acceleration.iter().any(|a| sign(a) != 0);
                let power = dot(&self.tangential_acceleration, &self.friction);
                // Where nothing slips, what is left of the power is rounding.
                check(slips && sign_of_product(&power) > 0, Violation::Drives);
                // Condition (16): a_F (mu f_N - |f_F|) = 0.
                check(slips && sign_of_product(&slack) > 0, Violation::Slack);
            }
            ContactMotion::Sliding(slip) => {
                let mut pairs = self.friction.iter().zip(slip);
                let off = pairs.any(|(f, s)| sign(&(self.normal.clone() * s + f)) != 0);
                check(off, Violation::Direction);
            }
            _ => {}
        }
        found
    }
}

/// Checks a proof that a problem has no solution, in fractions.
///
/// # Errors
/// Why it does not hold.
pub fn check_proof(problem: &Problem, certificate: &Certificate) -> Result<(), String> {
    let checked = Truth::default().add_certificate(problem, certificate);
    checked.map_err(|error| format!("the proof does not hold: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(normal: f64, friction: f64, acceleration: f64) -> ContactForce<f64> {
        ContactForce {
            name: "c".to_owned(),
            motion: ContactMotion::Static,
            normal,
            friction: vec![friction],
            normal_acceleration: 0.0,
            tangential_acceleration: vec![acceleration],
            mu_squared: 0.3 * 0.3,
        }
    }

    #[test]
    fn friction_at_its_limit_is_within_it_whatever_the_size_of_forces() {
        // A body of 1 kg. mu f_N is rounded by 2^-53 of its size, so that the squares differ by some 2^-52 of theirs.
        for power in [0, 3, 6, 9, 12] {
            let normal = 7.7 * 10_f64.powi(power);
            for units in -4..=4 {
                let limit = 0.3 * normal * (1.0 + f64::from(units) * f64::EPSILON);
                assert_eq!(
                    contact(normal, -limit, normal).violations(),
                    [],
                    "{normal} {units}"
                );
            }
            // A part in a million is no rounding.
            let c = || "c".to_owned();
            let beyond = contact(normal, -0.3 * normal * (1.0 + 1e-6), normal);
            assert_eq!(beyond.violations(), [Violation::Cone(c())], "{normal}");
            let below = contact(normal, -0.3 * normal * (1.0 - 1e-6), normal);
            assert_eq!(below.violations(), [Violation::Slack(c())], "{normal}");
            let drives = contact(normal, 0.3 * normal, normal);
            assert_eq!(drives.violations(), [Violation::Drives(c())], "{normal}");
        }
    }
}
