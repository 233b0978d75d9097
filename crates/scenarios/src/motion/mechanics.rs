//! A step in generalised coordinates: masses, velocities and impulses, for who judges whole engines.

use etalon_lcp::Number;
use etalon_rigid::{Covector, MassMatrix, Scalar};
use etalon_spatial::{Posed, SpaceStep};
use etalon_time_stepping::corner::{CornerStep, Corners, Face, FaceImpulse, Obstacle};
use etalon_time_stepping::{BoundedFriction, Formulation, FrictionBound, Step, StepContact};
use rug::Rational;

/// Entries of a row over generalised velocities.
pub type SparseRow = Vec<(usize, Number)>;

/// M (after - before) = impulse + sum of J'λ.
#[derive(Debug, Clone, PartialEq)]
pub struct StepMechanics {
    /// The rows of M.
    pub mass: Vec<SparseRow>,
    /// The length of the step, s.
    pub h: Number,
    /// The velocity before the step.
    pub before: Vec<Number>,
    /// The velocity after it, as the solution of its problem gives it.
    pub after: Vec<Number>,
    /// The impulse of applied forces.
    pub impulse: Vec<Number>,
    /// The contacts that took part, and limits of joints.
    pub contacts: Vec<ContactMechanics>,
    /// Equations of joints, each with its impulse.
    pub joints: Vec<ForceRow>,
    /// Friction of joints and drives: impulses that a largest one bounds.
    pub bounded: Vec<BoundedRow>,
}

/// A row with its impulse, and the velocity that it is to have after the step where that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct ForceRow {
    /// What a unit impulse does.
    pub row: SparseRow,
    /// N s or N m s.
    pub impulse: Number,
    /// What stands in for the acceleration: (velocity after - velocity before) / h.
    pub target: Option<Number>,
}

/// A row whose impulse is bounded.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundedRow {
    /// The row, with the speed that it strives for.
    pub force: ForceRow,
    /// The largest force, N or N m.
    pub bound: Number,
}

/// A contact with its impulses.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactMechanics {
    /// The normal.
    pub normal: ForceRow,
    /// Friction, and what resists spinning and rolling.
    pub friction: Vec<FrictionMechanics>,
}

/// Impulses that the normal impulse bounds.
#[derive(Debug, Clone, PartialEq)]
pub enum FrictionMechanics {
    /// One row with both signs: the plane.
    Line(SparseRow, Number, Number),
    /// Rows in a circle or an ellipse, with a coefficient and an impulse each.
    Round(Vec<(SparseRow, Number, Number)>),
    /// Directions with their weights, whose sum is at most mu times the normal impulse.
    Pyramid {
        /// A direction and its weight.
        weights: Vec<(SparseRow, Number)>,
        /// The coefficient.
        mu: Number,
    },
}

impl StepMechanics {
    /// The mechanics of a step; `None` where friction of a joint has more directions than one and its opposite, or a number is not finite.
    pub(super) fn of_step<S: Scalar>(step: &Step<S>) -> Option<Self> {
        let own = &step.formulation;
        let mut all = Self::unconstrained(own, &step.velocity)?;
        let contacts = own.contacts.iter().enumerate();
        let contacts = contacts.map(|(c, _)| of_contact(own, &step.z, c, None));
        all.contacts = contacts.collect::<Option<_>>()?;
        all.joints = joints(own, &own.joint_impulses(&step.z))?;
        for (k, friction) in own.bounded.iter().enumerate() {
            all.add_bounded(own, &step.z, (k, friction), None)?;
        }
        Some(all)
    }

    /// The mechanics of a step in space: of an impact by Poisson's law that of its compression, then that of its decompression.
    pub(crate) fn of_space(step: &SpaceStep) -> Option<Vec<Self>> {
        let first = step.compression.as_deref();
        let first = first.map(|own| {
            let given = (&own.z[..], &own.joint_impulses[..]);
            Self::of_phase(&own.posed, &own.velocity, given)
        });
        let z = step.posed.whole(&step.z);
        let given = (&z[..], &step.joint_impulses[..]);
        let last = Self::of_phase(&step.posed, &step.velocity, given);
        first.into_iter().chain([last]).collect()
    }

    /// A phase, from the impulses of its rows and of its joints. In the circular cone its directions are its two tangents.
    fn of_phase(
        posed: &Posed,
        velocity: &[Rational],
        (z, joint_impulses): (&[Rational], &[Rational]),
    ) -> Option<Self> {
        let own = &posed.formulation;
        let mut all = Self::unconstrained(own, velocity)?;
        let contacts = own.contacts.iter().enumerate();
        let across = |c: usize| posed.contacts.get(c).map(|own| &own.across);
        let contacts = contacts.map(|(c, _)| of_contact(own, z, c, across(c)));
        all.contacts = contacts.collect::<Option<_>>()?;
        // Of a normal impulse that may not be less than e times that of the compression the law is no speed.
        let least = posed.least.iter().map(Option::is_some);
        for (contact, _) in all.contacts.iter_mut().zip(least).filter(|(_, own)| *own) {
            contact.normal.target = None;
        }
        all.joints = joints(own, joint_impulses)?;
        let first = own.bounded.len() - posed.driven.len();
        for (k, friction) in own.bounded.iter().enumerate() {
            let drive = k.checked_sub(first).map(|k| &posed.driven[k].drive.bound);
            all.add_bounded(own, z, (k, friction), drive)?;
        }
        Some(all)
    }

    /// The mechanics of a step at corners. What presses at a corner that points out of an obstacle is no half-space's doing, and has no target.
    /// `None` where an obstacle moves, as it has no mass.
    pub(super) fn of_corners<S: Scalar>(
        corners: &Corners<S>,
        (q, before): (&[S], &[S]),
        h: &S,
        step: &CornerStep<S>,
    ) -> Option<Self> {
        if (0..before.len()).any(|k| corners.mass.is_driven(k)) {
            return None;
        }
        let impulse: Vec<S> = corners.force.iter().map(|own| own.clone() * h).collect();
        let gaps = corners.gaps(q);
        let mut faces = gaps.iter().zip(&step.impulses);
        let mut contacts = Vec::new();
        for obstacle in &corners.obstacles {
            let is_wall = matches!(obstacle, Obstacle::Wall(_));
            for face in obstacle.faces() {
                let (gap, impulse) = faces.next()?;
                let rate = is_wall.then(|| -gap.clone() / h);
                contacts.push(of_face(face, impulse, (before, h), rate)?);
            }
        }
        Some(Self {
            mass: mass(&corners.mass)?,
            h: h.to_number()?,
            before: numbers(before)?,
            after: numbers(&step.v)?,
            impulse: numbers(&impulse)?,
            contacts,
            joints: Vec::new(),
            bounded: Vec::new(),
        })
    }

    fn unconstrained<S: Scalar>(own: &Formulation<S>, velocity: &[S]) -> Option<Self> {
        Some(Self {
            mass: mass(&own.mass)?,
            h: own.h.to_number()?,
            before: numbers(&own.velocity)?,
            after: numbers(velocity)?,
            impulse: numbers(&own.impulse)?,
            contacts: Vec::new(),
            joints: Vec::new(),
            bounded: Vec::new(),
        })
    }

    /// Adds friction of no contact, or what resists turning at one. `drive`: the largest force of a drive in the circular cone, whose row has no unit of its own.
    fn add_bounded<S: Scalar>(
        &mut self,
        own: &Formulation<S>,
        z: &[S],
        (k, friction): (usize, &BoundedFriction<S>),
        drive: Option<&Rational>,
    ) -> Option<()> {
        let weights = &z[own.layout().weights(own.contacts.len() + k)];
        let rows = &friction.directions;
        if let FrictionBound::Normal { contact, mu } = &friction.bound {
            let turning = if rows.len() <= 2 && !are_opposite(rows) {
                round(rows.iter().zip(weights).map(|(row, own)| (row, mu, own)))?
            } else {
                pyramid(rows.iter().zip(weights), mu)?
            };
            self.contacts.get_mut(*contact)?.friction.push(turning);
            return Some(());
        }
        let (impulse, bound) = match (weights, drive) {
            ([one], Some(bound)) => (one.clone(), S::from_rational(bound)),
            ([along, against], _) if are_opposite(rows) => (along.clone() - against, S::integer(1)),
            _ => return None,
        };
        let after = Some(friction.target(0));
        self.bounded.push(BoundedRow {
            force: force_row(&rows[0], &impulse, (&own.velocity, &own.h), after)?,
            bound: bound.to_number()?,
        });
        Some(())
    }
}

/// Whether each friction of no contact acts along one line: in a direction and its opposite.
pub(super) fn is_along_lines<S: Scalar>(frictions: &[BoundedFriction<S>]) -> bool {
    let along = |own: &BoundedFriction<S>| {
        own.bound != FrictionBound::Step || are_opposite(&own.directions)
    };
    frictions.iter().all(along)
}

/// A contact of a step. `across`: the coefficient along the second tangent, in space.
fn of_contact<S: Scalar>(
    own: &Formulation<S>,
    z: &[S],
    c: usize,
    across: Option<&Rational>,
) -> Option<ContactMechanics> {
    let (contact, layout): (&StepContact<S>, _) = (&own.contacts[c], own.layout());
    let directions = &contact.frame.directions;
    let rows: Vec<&Covector<S>> = directions.iter().map(|own| &own.row).collect();
    let weights = &z[layout.weights(c)];
    let friction = match (&rows[..], across) {
        ([], _) => None,
        ([one, other], _) if opposite(one, other) => {
            let impulse = weights[0].clone() - &weights[1];
            Some(FrictionMechanics::Line(
                row(one)?,
                contact.mu.to_number()?,
                impulse.to_number()?,
            ))
        }
        ([one, other], Some(across)) => {
            let across = S::from_rational(across);
            let axes = [
                (*one, &contact.mu, &weights[0]),
                (*other, &across, &weights[1]),
            ];
            Some(round(axes.into_iter())?)
        }
        _ => Some(pyramid(rows.iter().copied().zip(weights), &contact.mu)?),
    };
    let normal = &z[layout.normal(c)];
    let after = Some(-contact.offset(&own.h));
    Some(ContactMechanics {
        normal: force_row(
            &contact.frame.normal,
            normal,
            (&own.velocity, &own.h),
            after,
        )?,
        friction: friction.into_iter().collect(),
    })
}

/// A face of an obstacle. `rate`: the normal velocity that closes its gap.
fn of_face<S: Scalar>(
    face: &Face<S>,
    own: &FaceImpulse<S>,
    (before, h): (&[S], &S),
    rate: Option<S>,
) -> Option<ContactMechanics> {
    let rows = face.directions.iter().map(|own| &own.row);
    let friction = match face.directions.is_empty() {
        true => None,
        false => Some(pyramid(rows.zip(&own.weights), &face.mu)?),
    };
    Some(ContactMechanics {
        normal: force_row(&face.normal, &own.normal, (before, h), rate)?,
        friction: friction.into_iter().collect(),
    })
}

/// The equations of joints: their rows have the velocity after the step that closes what has opened. Rows that others imply bear
/// nothing.
fn joints<S: Scalar>(own: &Formulation<S>, impulses: &[S]) -> Option<Vec<ForceRow>> {
    let implied = |k: usize| own.bilateral.dependent().iter().any(|own| own.row == k);
    let rows = own.bilateral.rows().iter().zip(impulses).enumerate();
    let rows = rows.filter(|(k, _)| !implied(*k));
    let joint = |(_, (joint, impulse)): (_, (&etalon_time_stepping::BilateralRow<S>, &S))| {
        let after = Some(-joint.offset.clone());
        force_row(&joint.row, impulse, (&own.velocity, &own.h), after)
    };
    rows.map(joint).collect()
}

/// A row with its impulse, and what changes its velocity to that after the step.
fn force_row<S: Scalar>(
    own: &Covector<S>,
    impulse: &S,
    (before, h): (&[S], &S),
    after: Option<S>,
) -> Option<ForceRow> {
    let target = match after {
        Some(after) => Some(((after - &own.times(before)) / h).to_number()?),
        None => None,
    };
    Some(ForceRow {
        row: row(own)?,
        impulse: impulse.to_number()?,
        target,
    })
}

fn round<'a, S: Scalar>(
    rows: impl Iterator<Item = (&'a Covector<S>, &'a S, &'a S)>,
) -> Option<FrictionMechanics> {
    let one = |(own, mu, impulse): (&Covector<S>, &S, &S)| {
        Some((row(own)?, mu.to_number()?, impulse.to_number()?))
    };
    Some(FrictionMechanics::Round(
        rows.map(one).collect::<Option<_>>()?,
    ))
}

fn pyramid<'a, S: Scalar>(
    rows: impl Iterator<Item = (&'a Covector<S>, &'a S)>,
    mu: &S,
) -> Option<FrictionMechanics> {
    let one = |(own, weight): (&Covector<S>, &S)| Some((row(own)?, weight.to_number()?));
    Some(FrictionMechanics::Pyramid {
        weights: rows.map(one).collect::<Option<_>>()?,
        mu: mu.to_number()?,
    })
}

fn are_opposite<S: Scalar>(rows: &[Covector<S>]) -> bool {
    matches!(rows, [one, other] if opposite(one, other))
}

fn opposite<S: Scalar>(one: &Covector<S>, other: &Covector<S>) -> bool {
    one.plus(&S::integer(1), other)
        .entries()
        .iter()
        .all(|(_, own)| own.is_zero())
}

fn numbers<S: Scalar>(own: &[S]) -> Option<Vec<Number>> {
    own.iter().map(Scalar::to_number).collect()
}

fn row<S: Scalar>(own: &Covector<S>) -> Option<SparseRow> {
    let entries = own.entries().iter();
    entries
        .map(|(j, own)| Some((*j, own.to_number()?)))
        .collect()
}

/// M, a column of the unit matrix at a time; M is symmetric.
fn mass<S: Scalar>(own: &MassMatrix<S>) -> Option<Vec<SparseRow>> {
    let n = own.dofs();
    let column = |j: usize| {
        let mut unit = vec![S::zero(); n];
        unit[j] = S::integer(1);
        let column = own.times(&unit);
        let entries = column.iter().enumerate().filter(|(_, own)| !own.is_zero());
        entries
            .map(|(i, own)| Some((i, own.to_number()?)))
            .collect()
    };
    (0..n).map(column).collect()
}
