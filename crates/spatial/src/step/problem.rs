//! The problem of a step.

use etalon_lcp::{Bound, Cone as ProblemCone, Disc, Law, Matrix, Mu, Number, Problem};
use etalon_rigid::{Covector, Dense, Directions, MassMatrix, Vector3, dot};
use etalon_time_stepping::{
    Bilateral, BilateralRow, ContactFrame, Formulation, FrictionDirection, StepContact, StepError,
};
use rug::Rational;

use super::{Compression, SpaceImpulse};
use crate::contact::Contact;
use crate::error::SpatialError;
use crate::grid::{INERTIA_BITS, exponent, largest, rounded};
use crate::joint::{DriveRow, JointGradient, Placed, StopRow};
use crate::settings::{ImpactLaw, Settings, SpaceMethod};
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
    /// (v, omega) of all bodies that move, without contacts, as joints hold it at the end of the step.
    pub free: Vec<Rational>,
    /// In a decompression the least normal impulse of each contact, e times that of its compression, none where it took no part in
    /// that; else empty.
    pub least: Vec<Option<Rational>>,
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

/// What a step is posed from.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub world: &'a SpaceWorld,
    pub settings: &'a Settings,
    /// Of a pyramid.
    pub directions: Option<&'a Directions<Rational>>,
    /// That of the point of evaluation.
    pub state: &'a SpaceState,
}

/// A contact within reach.
pub(super) struct Met {
    /// Its row.
    pub normal: Covector<Rational>,
    pub contact: Contact,
    /// How fast it opens before the step.
    pub approach: Rational,
    /// Its gap at the start of the step, to first order about where it is taken.
    pub gap: Rational,
    /// The gap that the motion without contacts would end at.
    pub reached: Rational,
}

impl Met {
    /// Whether it bounces by Newton's law.
    pub fn bounces(&self, settings: &Settings) -> bool {
        matches!(rebound(settings, self, false), Some(Some(_)))
    }

    /// Whether it is closed, or closes in the step by the velocity without contacts.
    pub fn closes(&self) -> bool {
        self.gap <= 0 || self.reached < 0
    }

    /// Whether contacts make an impact that has two phases.
    pub fn strike(settings: &Settings, all: &[Self]) -> bool {
        let strikes = |own: &Self| own.contact.restitution > 0 && own.approach < 0 && own.closes();
        settings.impact == ImpactLaw::Poisson && all.iter().any(strikes)
    }
}

/// The problem of a step, with the compression before it where there is one, which `compress` solves.
pub(super) fn pose(
    given: Given<'_>,
    near: Vec<Contact>,
    compress: impl FnOnce(Posed) -> Result<Compression, SpatialError>,
) -> Result<(Posed, Option<Compression>), SpatialError> {
    let (mut posed, met) = meeting(given, near)?;
    let compression = match Met::strike(given.settings, &met) {
        true => Some(compress(posed.compressing(given, &met)?)?),
        false => None,
    };
    posed.take_part(given, met.iter(), compression.is_some());
    if let Some(own) = &compression {
        posed.follow(own);
    }
    Ok((posed, compression))
}

/// What is within reach, beside a problem that has no contacts yet.
pub(super) fn meeting(
    given: Given<'_>,
    near: Vec<Contact>,
) -> Result<(Posed, Vec<Met>), SpatialError> {
    let posed = without_contacts(given)?;
    let beside = posed.beside(given, &near)?;
    let all = near.into_iter().chain(beside);
    let met = all.map(|own| posed.meets(given, own)).collect();
    Ok((posed, met))
}

/// A contact as it is recorded.
pub(super) struct Told {
    pub contact: Contact,
    /// Whether it is said to bounce.
    pub bounces: bool,
    /// Whether it has an impulse.
    pub pushes: bool,
    /// Whether it is said to take part in a compression.
    pub is_struck: bool,
}

/// The same with contacts as they are recorded, and limits that are, each with whether it takes part in a compression. Left out are
/// contacts that the method would leave out, and that push nothing; the flags say which are kept.
pub(super) fn pose_recorded(
    given: Given<'_>,
    (contacts, stops): (Vec<Told>, Vec<(StopRow, bool)>),
) -> Result<(Posed, Vec<bool>), SpatialError> {
    let mut posed = without_contacts(given)?;
    let mut kept = Vec::with_capacity(contacts.len());
    let settings = given.settings;
    for told in contacts {
        let met = posed.meets(given, told.contact);
        let back = Rational::from(&met.contact.restitution * &met.approach);
        let by_law = rebound(settings, &met, told.is_struck);
        let (stays, rebound) = match (settings.impact, settings.method) {
            (ImpactLaw::Poisson, SpaceMethod::MoreauJean) => (
                told.pushes || told.is_struck || by_law.is_some(),
                Some(Rational::new()),
            ),
            (ImpactLaw::Poisson, SpaceMethod::StewartTrinkle | SpaceMethod::FirstOrder) => {
                (true, told.is_struck.then(Rational::new))
            }
            (ImpactLaw::Newton, SpaceMethod::MoreauJean) => (
                told.pushes || by_law.is_some(),
                Some(back.min(Rational::new())),
            ),
            (ImpactLaw::Newton, SpaceMethod::StewartTrinkle | SpaceMethod::FirstOrder) => {
                (true, told.bounces.then_some(back))
            }
        };
        kept.push(stays);
        if stays {
            posed.take(given, (met.contact, rebound));
        }
    }
    for (stop, is_struck) in stops {
        posed.add_stop(given, stop, is_struck);
    }
    posed.add_turning(given);
    posed.add_drives(given.world);
    Ok((posed, kept))
}

pub(super) fn without_contacts(given: Given<'_>) -> Result<Posed, SpatialError> {
    let Given { world, state, .. } = given;
    let inverses: Vec<Dense<Rational>> = (0..world.bodies.len())
        .map(|i| on_its_grid(&world.inverse_in_world(i, &state.bodies[i].attitude)))
        .collect();
    let mut formulation = unconstrained(given, &inverses)?;
    let joints = world.placed(state);
    let ahead = Ahead::of(given.settings, &formulation.velocity);
    formulation.bilateral = bilateral(world, Some(ahead), &joints, &formulation.mass)?;
    Ok(Posed {
        contacts: Vec::new(),
        joints,
        stops: Vec::new(),
        driven: world.driven(state),
        turning: Vec::new(),
        inverses,
        free: formulation.free_velocity(),
        formulation,
        least: Vec::new(),
        circular: given.directions.is_none(),
    })
}

/// What stands in the place of the gap of a contact, if anything does; `None` where it takes no part.
fn rebound(settings: &Settings, own: &Met, strikes: bool) -> Option<Option<Rational>> {
    let e = &own.contact.restitution;
    // By Poisson's law nothing is asked of the speed of approach.
    let back = match settings.impact {
        ImpactLaw::Newton => Rational::from(e * &own.approach),
        ImpactLaw::Poisson => Rational::new(),
    };
    match settings.method {
        SpaceMethod::MoreauJean if !own.closes() => None,
        // A contact that parts before the step has nothing to give back.
        SpaceMethod::MoreauJean => Some(Some(back.min(Rational::new()))),
        SpaceMethod::StewartTrinkle | SpaceMethod::FirstOrder => {
            let bounces = match settings.impact {
                ImpactLaw::Newton => *e > 0 && own.approach < 0 && own.reached < 0,
                ImpactLaw::Poisson => strikes && own.closes(),
            };
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
    given: Given<'_>,
    inverses: &[Dense<Rational>],
) -> Result<Formulation<Rational>, SpatialError> {
    let Given {
        world,
        settings,
        state,
        ..
    } = given;
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

/// Steps from the start, to first order about a point of evaluation that is ahead of it.
#[derive(Clone, Copy)]
pub(super) struct Ahead<'a> {
    settings: &'a Settings,
    /// Before the step.
    velocity: &'a [Rational],
}

impl<'a> Ahead<'a> {
    pub fn of(settings: &'a Settings, velocity: &'a [Rational]) -> Self {
        Self { settings, velocity }
    }

    /// A gap at the start of the step, of the one at the point of evaluation.
    pub fn gap(&self, row: &Covector<Rational>, there: &Rational) -> Rational {
        let time = self.settings.time_ahead();
        match time == 0 {
            true => there.clone(),
            false => there - row.times(self.velocity) * time,
        }
    }
}

/// The equations of joints: what has opened closes within a step, or stays where no time passes.
pub(super) fn bilateral(
    world: &SpaceWorld,
    ahead: Option<Ahead<'_>>,
    joints: &[Vec<Placed>],
    mass: &MassMatrix<Rational>,
) -> Result<Bilateral<Rational>, SpatialError> {
    let mut owners = Vec::new();
    let mut rows = Vec::new();
    for (joint, placed) in world.joints.iter().zip(joints) {
        for own in placed.iter().map(Placed::row) {
            let JointGradient { first, second, gap } = own;
            owners.push(&joint.name);
            let row = covector(world, [(joint.first, first), (joint.second, second)]);
            let offset = ahead.map(|own| own.gap(&row, &gap) / &own.settings.h);
            rows.push(BilateralRow {
                row,
                offset: offset.unwrap_or_default(),
            });
        }
    }
    let held = Bilateral::new(mass, rows, &nearness(joints));
    for own in held.dependent() {
        let apart = ahead.map(|ahead| Rational::from(&own.missed * &ahead.settings.h).abs());
        let apart = apart.unwrap_or_default();
        if apart > most_apart() {
            return Err(SpatialError::RedundantJoint {
                joint: owners[own.row].clone(),
                apart: format!("{:.3e}", apart.to_f64()),
            });
        }
    }
    Ok(held)
}

/// The sine up to which a row of a joint depends on others. Where bodies go in a closed loop, rows that depend do so as long as all
/// joints are closed: what they have opened by, of arms of 1 m, turns them by some of that. Below it is the rounding of arms, above it
/// what is no small angle. Chosen.
pub fn nearness(joints: &[Vec<Placed>]) -> Rational {
    let opened = joints.iter().flatten().map(|own| own.row().gap.abs());
    let widest = opened.max().unwrap_or_default();
    let near = Rational::from((1, 1 << 30)) + widest * 16u32;
    near.min(Rational::from((1, 64)))
}

/// How far what a redundant row of a joint closes may be from what the rows that hold it close, m or 1: what joints of a closed loop
/// have opened by is of the order of h^2, and this of the order of its square. Chosen.
pub fn most_apart() -> Rational {
    Rational::from((1, 1024))
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
    // About the centre of mass, which is that of the body that carries a piece.
    let centre = |body: usize| &state.bodies[world.carrier(body)].position;
    let torque = |body: usize| (&contact.point - centre(body)).cross(along);
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
    /// Contacts take part, those that the method leaves out excepted, with limits, drives and friction against turning.
    pub(super) fn take_part<'a>(
        &mut self,
        given: Given<'_>,
        met: impl Iterator<Item = &'a Met>,
        strikes: bool,
    ) {
        for own in met {
            if let Some(rebound) = rebound(given.settings, own, strikes) {
                self.take(given, (own.contact.clone(), rebound));
            }
        }
        self.add_stops(given, strikes);
        self.add_turning(given);
        self.add_drives(given.world);
    }

    /// How fast a contact opens before the step, and the gap that the motion without contacts would end at.
    fn meets(&self, given: Given<'_>, contact: Contact) -> Met {
        let normal = row(given.world, given.state, &contact, &contact.normal);
        let gap = Ahead::of(given.settings, &self.formulation.velocity).gap(&normal, &contact.gap);
        Met {
            approach: normal.times(&self.formulation.velocity),
            reached: normal.times(&self.free) * &self.formulation.h + &gap,
            gap,
            contact,
            normal,
        }
    }

    /// A contact takes part.
    pub(super) fn take(
        &mut self,
        given: Given<'_>,
        (contact, rebound): (Contact, Option<Rational>),
    ) {
        let Given {
            world,
            directions,
            state,
            ..
        } = given;
        let along = |axis: &Vector3<Rational>| row(world, state, &contact, axis);
        let tangents = contact.tangents.each_ref().map(along);
        let normal = along(&contact.normal);
        let gap = Ahead::of(given.settings, &self.formulation.velocity).gap(&normal, &contact.gap);
        self.formulation.contacts.push(StepContact {
            index: self.contacts.len(),
            // Of a pyramid with a grain the coefficients are in the directions.
            mu: match contact.has_grain() && directions.is_some() {
                true => Rational::from(1),
                false => contact.mu.clone(),
            },
            frame: ContactFrame {
                gap: gap.clone(),
                normal,
                directions: frame_directions(&contact, directions, &tangents),
            },
            old_gap: gap,
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
        let mut lcp = self.formulation.schur();
        self.push_least(&mut lcp);
        Ok(lcp.problem(name)?)
    }

    /// w = W r + q with friction in circles: rows of tangents, then of normals, as [`Formulation::columns`] has them. After a
    /// compression rows that bound friction follow ([`super::impact`]).
    fn cone_problem(&self, name: &str) -> Result<Problem, StepError> {
        let own = &self.formulation;
        let layout = own.layout();
        let columns = own.columns();
        let responses: Vec<_> = columns.iter().map(|column| own.response(column)).collect();
        let rows = columns.iter().map(|row| {
            let entries = responses.iter().map(|response| row.dot(response));
            entries.collect::<Vec<_>>()
        });
        let mut rows: Vec<Vec<Rational>> = rows.collect();
        let (mut q, mut scale) = self.offsets(&columns);
        let normals = self.add_cone_normals(&mut rows, (&mut q, &mut scale));
        let numbers = |own: Vec<Rational>| own.into_iter().map(Number::from).collect::<Vec<_>>();
        let matrix = Matrix::from_rows(rows.into_iter().map(numbers).collect());
        let matrix = matrix.map_err(|error| StepError::Problem(error.to_string()))?;
        let cones = (0..own.contacts.len()).filter_map(|i| {
            let discs = self.discs(i);
            let is_own = normals[i] != layout.normal(i);
            (is_own || !discs.is_empty()).then(|| ProblemCone {
                normal: normals[i],
                discs,
                law: Law::Coulomb,
            })
        });
        let cones = cones.collect();
        let problem = Problem::new(name, matrix, numbers(q))?;
        let problem = self.with_bounds(problem)?.with_cones(cones)?;
        Ok(problem.with_scale(numbers(scale))?)
    }

    /// q, and the sizes of what each entry is the sum of.
    fn offsets(&self, columns: &[&Covector<Rational>]) -> (Vec<Rational>, Vec<Rational>) {
        let own = &self.formulation;
        let layout = own.layout();
        let free = own.free_velocity();
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
        (q, scale)
    }

    /// What rubs at a contact or limit: along its tangents, and against turning.
    fn discs(&self, i: usize) -> Vec<Disc> {
        let layout = self.formulation.layout();
        let number = |value: &Rational| Number::from(value.clone());
        let disc = |owner: usize, mu: &Rational| {
            let rows: Vec<usize> = layout.weights(owner).collect();
            let mu = Mu::One(number(mu));
            (!rows.is_empty()).then_some(Disc { rows, mu })
        };
        let turning = self.owners_of_turning(i);
        let turning = turning.filter_map(|(owner, mu)| disc(owner, mu));
        let mut friction = disc(i, &self.formulation.contacts[i].mu);
        if let (Some(own), Some(disc)) = (self.contacts.get(i), &mut friction)
            && own.has_grain()
        {
            let both = [&own.mu, &own.across];
            disc.mu = Mu::Each(both.map(number).to_vec());
        }
        friction.into_iter().chain(turning).collect()
    }

    /// The impulse of a drive is at most h times its largest force, and that of a contact after a compression has a least one.
    fn with_bounds(&self, problem: Problem) -> Result<Problem, StepError> {
        if self.driven.is_empty() && self.least.is_empty() {
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
        self.bound_least(&mut lower);
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

    /// The impulses of the contacts, for those of all rows.
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
