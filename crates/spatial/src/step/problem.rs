//! The problem of a step.

use etalon_lcp::{Bound, Cone as ProblemCone, Disc, Law, Matrix, Mu, Number, Problem};
use etalon_rigid::{Covector, Dense, Directions, MassMatrix, Vector3, dot};
use etalon_time_stepping::{
    Bilateral, BilateralRow, ContactFrame, Formulation, FrictionDirection, StepContact, StepError,
};
use rug::Rational;

use super::SpaceImpulse;
use crate::contact::Contact;
use crate::error::SpatialError;
use crate::grid::{INERTIA_BITS, exponent, largest, rounded};
use crate::joint::{DriveRow, JointGradient, Placed, StopRow};
use crate::settings::{Settings, SpaceMethod};
use crate::state::SpaceState;
use crate::world::SpaceWorld;

/// What takes part in a step, with its problem.
#[derive(Debug, Clone)]
pub struct Posed {
    /// The contacts that take part.
    pub contacts: Vec<Contact>,
    /// The equations of all joints, in the order of the rows.
    pub joints: Vec<Vec<Placed>>,
    /// The limits of joints that take part, in the order of the rows after those of contacts.
    pub stops: Vec<StopRow>,
    /// The drives.
    pub driven: Vec<DriveRow>,
    /// Friction against spinning and rolling, in the order of the rows before those of drives.
    pub turning: Vec<Turning>,
    /// W of each body, on its grid: zero of those that are fixed.
    pub inverses: Vec<Dense<Rational>>,
    /// Mass, velocities, rows. In the circular cone the directions of a contact are its two tangents.
    pub formulation: Formulation<Rational>,
    /// Whether friction is in the circular cone.
    pub(super) circular: bool,
}

/// Friction against turning at a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turning {
    /// The number of the contact.
    pub contact: usize,
    /// Across the normal, and not about it.
    pub is_rolling: bool,
}

pub(super) fn pose(
    world: &SpaceWorld,
    settings: &Settings,
    directions: Option<&Directions<Rational>>,
    state: &SpaceState,
    near: Vec<Contact>,
) -> Result<Posed, SpatialError> {
    let mut posed = without_contacts(world, settings, directions, state)?;
    let free = posed.formulation.free_velocity();
    let beside = posed.beside(world, settings, (state, &free), &near)?;
    for contact in near.into_iter().chain(beside) {
        let (approach, reached) = posed.meets(world, (state, &free), &contact);
        if let Some(rebound) = rebound(settings.method, &contact, &approach, &reached) {
            posed.take(world, state, directions, (contact, rebound));
        }
    }
    posed.add_stops(world, settings, state, &free);
    posed.add_turning(world, directions);
    posed.add_drives(world);
    Ok(posed)
}

/// A contact as it is recorded.
pub(super) struct Told {
    pub contact: Contact,
    /// Whether it is said to bounce.
    pub bounces: bool,
    /// Whether it has an impulse.
    pub pushes: bool,
}

/// The same with contacts as they are recorded, and limits that are. Left out are contacts that the method would leave out, and
/// that push nothing; the flags say which are kept.
pub(super) fn pose_recorded(
    world: &SpaceWorld,
    settings: &Settings,
    directions: Option<&Directions<Rational>>,
    state: &SpaceState,
    (contacts, stops): (Vec<Told>, Vec<StopRow>),
) -> Result<(Posed, Vec<bool>), SpatialError> {
    let mut posed = without_contacts(world, settings, directions, state)?;
    let free = posed.formulation.free_velocity();
    let mut kept = Vec::with_capacity(contacts.len());
    for told in contacts {
        let contact = told.contact;
        let (approach, reached) = posed.meets(world, (state, &free), &contact);
        let back = Rational::from(&contact.restitution * &approach);
        let (stays, rebound) = match settings.method {
            SpaceMethod::MoreauJean => (
                told.pushes || rebound(settings.method, &contact, &approach, &reached).is_some(),
                Some(back.min(Rational::new())),
            ),
            SpaceMethod::StewartTrinkle => (true, told.bounces.then_some(back)),
        };
        kept.push(stays);
        if stays {
            posed.take(world, state, directions, (contact, rebound));
        }
    }
    for stop in stops {
        posed.add_stop(world, settings.method, stop);
    }
    posed.add_turning(world, directions);
    posed.add_drives(world);
    Ok((posed, kept))
}

fn without_contacts(
    world: &SpaceWorld,
    settings: &Settings,
    directions: Option<&Directions<Rational>>,
    state: &SpaceState,
) -> Result<Posed, SpatialError> {
    let inverses: Vec<Dense<Rational>> = (0..world.bodies.len())
        .map(|i| on_its_grid(&world.inverse_in_world(i, &state.bodies[i].attitude)))
        .collect();
    let mut formulation = unconstrained(world, settings, state, &inverses)?;
    let joints = world.placed(state);
    formulation.bilateral = bilateral(world, settings, &joints, &formulation.mass)?;
    Ok(Posed {
        contacts: Vec::new(),
        joints,
        stops: Vec::new(),
        driven: world.driven(state),
        turning: Vec::new(),
        inverses,
        formulation,
        circular: directions.is_none(),
    })
}

/// What stands in the place of the gap of a contact, if anything does; `None` where it takes no part.
fn rebound(
    method: SpaceMethod,
    contact: &Contact,
    approach: &Rational,
    reached: &Rational,
) -> Option<Option<Rational>> {
    let e = &contact.restitution;
    let back = Rational::from(e * approach);
    match method {
        SpaceMethod::MoreauJean if contact.gap > 0 && *reached >= 0 => None,
        // A contact that parts before the step has nothing to give back.
        SpaceMethod::MoreauJean => Some(Some(back.min(Rational::new()))),
        SpaceMethod::StewartTrinkle => {
            let bounces = *e > 0 && *approach < 0 && *reached < 0;
            Some(bounces.then_some(back))
        }
    }
}

/// Each entry on a grid of the size of the largest.
fn on_its_grid(inverse: &Dense<Rational>) -> Dense<Rational> {
    let exponent = exponent(&largest(inverse)) - INERTIA_BITS;
    Dense::from_fn(3, 3, |i, j| rounded(&inverse[(i, j)], exponent))
}

/// Masses, velocities and applied impulses.
fn unconstrained(
    world: &SpaceWorld,
    settings: &Settings,
    state: &SpaceState,
    inverses: &[Dense<Rational>],
) -> Result<Formulation<Rational>, SpatialError> {
    let mut mass = MassMatrix::empty();
    let (mut velocity, mut impulse) = (Vec::new(), Vec::new());
    for i in world.moving() {
        let (body, own) = (&world.bodies[i], &state.bodies[i]);
        let inertia = inverses[i].inverse().ok_or_else(|| {
            // So thin that its smallest moment is lost beside the largest.
            etalon_rigid::SceneError::Inertia {
                body: body.name.clone(),
            }
        })?;
        let block = Dense::from_fn(6, 6, |r, c| match (r.checked_sub(3), c.checked_sub(3)) {
            (Some(r), Some(c)) => inertia[(r, c)].clone(),
            (None, None) if r == c => body.mass.clone(),
            _ => Rational::new(),
        });
        mass.push(&body.name, block)?;
        velocity.extend_from_slice(own.velocity.coordinates());
        velocity.extend(inverses[i].times(own.momentum.coordinates()));
        impulse.extend_from_slice(world.force(i).times(&settings.h).coordinates());
        impulse.extend_from_slice(body.torque.times(&settings.h).coordinates());
    }
    Ok(Formulation {
        mass,
        h: settings.h.clone(),
        velocity,
        impulse,
        contacts: Vec::new(),
        bounded: Vec::new(),
        bilateral: Bilateral::none(),
    })
}

fn bilateral(
    world: &SpaceWorld,
    settings: &Settings,
    joints: &[Vec<Placed>],
    mass: &MassMatrix<Rational>,
) -> Result<Bilateral<Rational>, SpatialError> {
    let mut owners = Vec::new();
    let mut rows = Vec::new();
    for (joint, placed) in world.joints.iter().zip(joints) {
        for own in placed.iter().map(Placed::row) {
            let JointGradient { first, second, gap } = own;
            owners.push(&joint.name);
            rows.push(BilateralRow {
                row: covector(world, [(joint.first, first), (joint.second, second)]),
                offset: gap / &settings.h,
            });
        }
    }
    Bilateral::new(mass, rows).map_err(|dependent| SpatialError::RedundantJoint {
        joint: owners
            .get(dependent.0)
            .map_or_else(String::new, |name| (*name).clone()),
    })
}

/// Forces and torques on two bodies as a row; fixed bodies have none.
pub(super) fn covector(
    world: &SpaceWorld,
    ends: [(usize, [Vector3<Rational>; 2]); 2],
) -> Covector<Rational> {
    let mut entries = Vec::with_capacity(12);
    for (body, [force, torque]) in &ends {
        if let Some(at) = world.dof(*body) {
            let all = force.coordinates().iter().chain(torque.coordinates());
            entries.extend(all.enumerate().map(|(k, value)| (at + k, value.clone())));
        }
    }
    Covector::new(entries)
}

/// The rate at which the bodies part along a direction at the contact's point.
fn row(
    world: &SpaceWorld,
    state: &SpaceState,
    contact: &Contact,
    along: &Vector3<Rational>,
) -> Covector<Rational> {
    let torque = |body: usize| (&contact.point - &state.bodies[body].position).cross(along);
    let (first, second) = (torque(contact.first), torque(contact.second));
    covector(
        world,
        [
            (contact.first, [along.clone(), first]),
            (contact.second, [-along, -&second]),
        ],
    )
}

fn frame_directions(
    contact: &Contact,
    directions: Option<&Directions<Rational>>,
    tangents: &[Covector<Rational>; 2],
) -> Vec<FrictionDirection<Rational>> {
    if contact.mu == 0 {
        return Vec::new();
    }
    let tangential = |own: &[Rational]| {
        let first = Covector::zero().plus(&own[0], &tangents[0]);
        FrictionDirection {
            tangent: own.to_vec(),
            row: first.plus(&own[1], &tangents[1]),
        }
    };
    match directions {
        Some(directions) if contact.has_grain() => {
            let scaled = |own: &Vec<Rational>| {
                let [x, y] = [&own[0], &own[1]];
                tangential(&[
                    Rational::from(x * &contact.mu),
                    Rational::from(y * &contact.across),
                ])
            };
            directions.vectors().iter().map(scaled).collect()
        }
        Some(directions) => directions
            .vectors()
            .iter()
            .map(|own| tangential(own))
            .collect(),
        None => [[1, 0], [0, 1]]
            .map(|own| tangential(&own.map(Rational::from)))
            .to_vec(),
    }
}

impl Posed {
    /// How fast a contact opens before the step, and the gap that the motion without contacts would end at.
    fn meets(
        &self,
        world: &SpaceWorld,
        (state, free): (&SpaceState, &[Rational]),
        contact: &Contact,
    ) -> (Rational, Rational) {
        let normal = row(world, state, contact, &contact.normal);
        let approach = normal.times(&self.formulation.velocity);
        let reached = contact.gap.clone() + normal.times(free) * &self.formulation.h;
        (approach, reached)
    }

    /// A contact takes part.
    fn take(
        &mut self,
        world: &SpaceWorld,
        state: &SpaceState,
        directions: Option<&Directions<Rational>>,
        (contact, rebound): (Contact, Option<Rational>),
    ) {
        let along = |axis: &Vector3<Rational>| row(world, state, &contact, axis);
        let tangents = contact.tangents.each_ref().map(along);
        self.formulation.contacts.push(StepContact {
            index: self.contacts.len(),
            // Of a pyramid with a grain the coefficients are in the directions.
            mu: match contact.has_grain() && directions.is_some() {
                true => Rational::from(1),
                false => contact.mu.clone(),
            },
            frame: ContactFrame {
                gap: contact.gap.clone(),
                normal: along(&contact.normal),
                directions: frame_directions(&contact, directions, &tangents),
            },
            old_gap: contact.gap.clone(),
            rebound,
        });
        self.contacts.push(contact);
    }

    /// The problem as a record.
    ///
    /// # Errors
    /// [`SpatialError::Step`].
    pub fn problem(&self, name: &str) -> Result<Problem, SpatialError> {
        if self.circular {
            return Ok(self.cone_problem(name)?);
        }
        Ok(self.formulation.schur().problem(name)?)
    }

    /// w = W r + q with friction in circles: rows of tangents, then of normals, as [`Formulation::columns`] has them.
    fn cone_problem(&self, name: &str) -> Result<Problem, StepError> {
        let own = &self.formulation;
        let layout = own.layout();
        let columns = own.columns();
        let free = own.free_velocity();
        let responses: Vec<_> = columns.iter().map(|column| own.response(column)).collect();
        let number = |value: Rational| Number::from(value);
        let rows = columns.iter().map(|row| {
            let entries = responses.iter().map(|response| number(row.dot(response)));
            entries.collect::<Vec<_>>()
        });
        let matrix = Matrix::from_rows(rows.collect());
        let matrix = matrix.map_err(|error| StepError::Problem(error.to_string()))?;
        let mut q: Vec<Rational> = columns.iter().map(|column| column.times(&free)).collect();
        let mut scale: Vec<Rational> = columns.iter().map(|column| size(column, &free)).collect();
        for (k, driven) in self.driven.iter().enumerate() {
            for row in layout.weights(self.first_drive() + k) {
                scale[row] += Rational::from(driven.drive.speed.abs_ref());
                q[row] -= &driven.drive.speed;
            }
        }
        for (i, contact) in own.contacts.iter().enumerate() {
            let offset = contact.offset(&own.h);
            scale[layout.normal(i)] += Rational::from(offset.abs_ref());
            q[layout.normal(i)] += offset;
        }
        let disc = |owner: usize, mu: &Rational| {
            let rows: Vec<usize> = layout.weights(owner).collect();
            let mu = Mu::One(number(mu.clone()));
            (!rows.is_empty()).then_some(Disc { rows, mu })
        };
        let cone = |(i, contact): (usize, &StepContact<Rational>)| {
            let turning = self.owners_of_turning(i);
            let turning = turning.filter_map(|(owner, mu)| disc(owner, mu));
            let mut friction = disc(i, &contact.mu);
            if let (Some(own), Some(disc)) = (self.contacts.get(i), &mut friction)
                && own.has_grain()
            {
                let both = [&own.mu, &own.across];
                disc.mu = Mu::Each(both.map(|mu| number(mu.clone())).to_vec());
            }
            let discs: Vec<Disc> = friction.into_iter().chain(turning).collect();
            (!discs.is_empty()).then(|| ProblemCone {
                normal: layout.normal(i),
                discs,
                law: Law::Coulomb,
            })
        };
        let cones = own.contacts.iter().enumerate().filter_map(cone).collect();
        let problem = Problem::new(name, matrix, q.into_iter().map(number).collect())?;
        let problem = self.with_bounds_of_drives(problem)?.with_cones(cones)?;
        Ok(problem.with_scale(scale.into_iter().map(number).collect())?)
    }

    /// The impulse of a drive is at most h times its largest force.
    fn with_bounds_of_drives(&self, problem: Problem) -> Result<Problem, StepError> {
        if self.driven.is_empty() {
            return Ok(problem);
        }
        let layout = self.formulation.layout();
        let mut lower = vec![Bound::Finite(Number::from(0)); problem.n()];
        let mut upper = vec![Bound::Infinity; problem.n()];
        for (k, own) in self.driven.iter().enumerate() {
            let most = Rational::from(&own.drive.bound * &self.formulation.h);
            for row in layout.weights(self.first_drive() + k) {
                lower[row] = Bound::Finite(Number::from(-most.clone()));
                upper[row] = Bound::Finite(Number::from(most.clone()));
            }
        }
        Ok(problem.with_bounds(Some(lower), Some(upper))?)
    }

    fn add_torques(&self, contact: usize, z: &[Rational], own: &mut SpaceImpulse) {
        let layout = self.formulation.layout();
        for (owner, _) in self.owners_of_turning(contact) {
            let turning = &self.turning[owner - self.formulation.contacts.len()];
            let weights = &z[layout.weights(owner)];
            match (turning.is_rolling, weights) {
                (false, [one]) => own.torsion = one.clone(),
                (false, [forward, back]) => own.torsion = Rational::from(forward - back),
                (true, [one, other]) => own.rolling = [one.clone(), other.clone()],
                (true, _) => {
                    let Ok(all) = Directions::<Rational>::pythagorean(weights.len()) else {
                        continue;
                    };
                    let along = |k: usize| {
                        let each = all.vectors().iter().map(|own| own[k].clone());
                        dot(&each.collect::<Vec<_>>(), weights)
                    };
                    own.rolling = [along(0), along(1)];
                }
                (false, _) => {}
            }
        }
    }

    /// The impulses of the contacts for an answer.
    pub fn impulses(&self, z: &[Rational]) -> Vec<SpaceImpulse> {
        let layout = self.formulation.layout();
        let one = |(i, contact): (usize, &StepContact<Rational>)| {
            let weights = &z[layout.weights(i)];
            let along = |k: usize| {
                let tangents = contact
                    .frame
                    .directions
                    .iter()
                    .map(|own| own.tangent[k].clone());
                dot(&tangents.collect::<Vec<_>>(), weights)
            };
            let mut own = SpaceImpulse {
                normal: z[layout.normal(i)].clone(),
                friction: [along(0), along(1)],
                torsion: Rational::new(),
                rolling: [Rational::new(), Rational::new()],
            };
            self.add_torques(i, z, &mut own);
            own
        };
        let own = self.formulation.contacts.iter().take(self.contacts.len());
        own.enumerate().map(one).collect()
    }
}

/// The sum of the sizes of the terms of a row times a velocity.
fn size(row: &Covector<Rational>, velocity: &[Rational]) -> Rational {
    let terms = row.entries().iter().map(|(k, value)| {
        let product = Rational::from(value * &velocity[*k]);
        product.abs()
    });
    terms.fold(Rational::new(), |sum, term| sum + term)
}
