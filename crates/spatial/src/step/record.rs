//! Steps as somebody else recorded them: states, contacts and impulses, without a problem or a solver.

use etalon_lcp::Basis;
use etalon_rigid::{Directions, Vector3};
use rug::Rational;

use super::problem::{self, Given, Posed, Told};
use super::{Compression, Energy, Ledger, SpaceImpulse, SpaceStep};
use crate::contact::{Contact, frame, frame_along};
use crate::error::SpatialError;
use crate::flight::Flight;
use crate::grid::to_f64s;
use crate::joint::StopRow;
use crate::settings::{Cone, Settings};
use crate::state::SpaceState;
use crate::world::SpaceWorld;

/// What is recorded of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceStepRecord {
    /// The state before.
    pub before: SpaceState,
    /// The state after.
    pub after: SpaceState,
    /// The contacts that took part.
    pub contacts: Vec<SpaceContactRecord>,
    /// One a row of the joints, N s or N m s.
    pub joint_impulses: Vec<Rational>,
    /// The limits of joints that took part.
    pub limits: Vec<SpaceLimitRecord>,
    /// One a drive, in the order of the joints, N s or N m s.
    pub drive_impulses: Vec<Rational>,
    /// Of an impact by Poisson's law. All other impulses of the record are then those of the decompression.
    pub compression: Option<SpaceCompressionRecord>,
}

/// What is recorded of the compression of an impact by Poisson's law.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceCompressionRecord {
    /// At its end: velocities and angular momenta. Places are those before the step.
    pub state: SpaceState,
    /// One a row of the joints, N s or N m s.
    pub joint_impulses: Vec<Rational>,
}

/// A limit of a joint in a recorded step.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceLimitRecord {
    /// The number of the joint.
    pub joint: usize,
    /// Whether it is the upper one.
    pub upper: bool,
    /// N s or N m s.
    pub impulse: Rational,
    /// That of the compression, if it takes part in one.
    pub compression: Option<Rational>,
}

/// A contact of a recorded step.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceContactRecord {
    /// `first/second`, with a number where a pair has several.
    pub name: String,
    /// The gap where contacts are taken: before the step, or ahead of that, m.
    pub gap: Rational,
    /// Where it acts, m.
    pub point: Vector3<Rational>,
    /// Its unit normal, from the second body to the first.
    pub normal: Vector3<Rational>,
    /// Its impulses.
    pub impulse: SpaceImpulse,
    /// Whether it is said to bounce, by Newton's law.
    pub bounces: bool,
    /// Those of the compression, if it takes part in one.
    pub compression: Option<SpaceImpulse>,
}

impl SpaceWorld {
    /// The contact of that name with its bodies, surfaces and tangents. Where geometry proposes one of that name, place and
    /// normal, it is that one.
    fn recorded(
        &self,
        own: &SpaceContactRecord,
        (before, near): (&SpaceState, &[Contact]),
    ) -> Result<Contact, SpatialError> {
        let same = |other: &&Contact| {
            other.name == own.name && other.point == own.point && other.normal == own.normal
        };
        if let Some(known) = near.iter().find(same) {
            let mut known = known.clone();
            known.gap.clone_from(&own.gap);
            return Ok(known);
        }
        let unknown = |why: &str| SpatialError::Recorded {
            contact: own.name.clone(),
            why: why.to_owned(),
        };
        let named = |(i, j): &(usize, usize)| {
            let [upper, lower] = [*j, *i].map(|body| &self.bodies()[body].name);
            let rest = own.name.strip_prefix(&format!("{upper}/{lower}"));
            let counted = |rest: &str| {
                let number = rest.strip_prefix(' ');
                rest.is_empty() || number.is_some_and(|own| own.parse::<u32>().is_ok())
            };
            rest.is_some_and(counted)
        };
        let (second, first) = self.pairs().find(named).ok_or_else(|| {
            unknown("it names no two bodies of the scene that may touch; names are \"later/earlier\" in the order of the bodies, with a space and a number where a pair has several")
        })?;
        let axes = match self.grain(before, (second, first)) {
            None => frame(to_f64s(&own.normal)),
            Some(along) => frame_along(&own.normal, &along),
        };
        let why = "its normal is zero, or along the grain of its surface";
        let [_, one, other] = axes.ok_or_else(|| unknown(why))?;
        let surface = self.surface((second, first));
        Ok(Contact {
            name: own.name.clone(),
            first,
            second,
            point: own.point.clone(),
            normal: own.normal.clone(),
            tangents: [one, other],
            gap: own.gap.clone(),
            mu: surface.mu.clone(),
            across: surface.across().clone(),
            restitution: surface.restitution.clone(),
            torsion: surface.torsion.clone(),
            rolling: surface.rolling.clone(),
        })
    }
}

impl SpaceStep {
    /// A recorded step as the oracle examines it, with [`with_precision`](crate::SpaceOracle::with_precision). Its velocity is
    /// that after the step, and nobody has judged its answer.
    ///
    /// # Errors
    /// [`SpatialError`] for contacts that the scene does not have, and states out of range.
    pub fn of_record(
        world: &SpaceWorld,
        settings: &Settings,
        mut own: SpaceStepRecord,
    ) -> Result<Self, SpatialError> {
        world.check_order(settings)?;
        own.before = world.before(&own.before).into_owned();
        let at = world.evaluated(&own.before, settings)?.into_owned();
        let directions = match settings.cone {
            Cone::Circular => None,
            Cone::Pyramid(sides) => Some(Directions::pythagorean(sides)?),
        };
        let given = Given {
            world,
            settings,
            directions: directions.as_ref(),
            state: &at,
        };
        let near = proposed(world, &at, &settings.h)?;
        let known = own.contacts.iter();
        let known = known.map(|told| world.recorded(told, (&at, &near)));
        let known = known.collect::<Result<Vec<_>, SpatialError>>()?;
        let stops = limits(world, &at, &own.limits);
        let (mut posed, kept) = last(given, &own, &known, &stops)?;
        let compression = match &own.compression {
            None => None,
            Some(first) => Some(compression(given, first, (&known, &own.contacts), &stops)?),
        };
        if let Some(first) = &compression {
            posed.follow(first);
        }
        let all = own.contacts.into_iter().zip(kept);
        let impulses = all.filter(|(_, kept)| *kept).map(|(own, _)| own.impulse);
        let impulses: Vec<SpaceImpulse> = impulses.collect();
        let velocity = velocity(world, &posed, &own.after);
        let stop_impulses = stops.iter().map(|(_, told)| told.impulse.clone());
        let stop_impulses: Vec<Rational> = stop_impulses.collect();
        let mut step = Self {
            z: z(&posed, &impulses, (&stop_impulses, &own.drive_impulses)),
            energy: Energy::of(world, &own.after),
            ledger: Ledger::default(),
            basis: Basis::new(Vec::new()),
            pivots: None,
            problems: 1 + u64::from(compression.is_some()),
            judgement: None,
            velocity,
            impulses,
            joint_impulses: own.joint_impulses,
            stop_impulses,
            drive_impulses: own.drive_impulses,
            flights: flights(world, &own.after),
            before: own.before,
            after: own.after,
            at,
            compression: compression.map(Box::new),
            posed,
        };
        step.ledger = Ledger::of(world, &step);
        Ok(step)
    }
}

/// Proposals are asked for their frames alone. Where geometry has none, the frames are those of the record.
fn proposed(
    world: &SpaceWorld,
    at: &SpaceState,
    h: &Rational,
) -> Result<Vec<Contact>, SpatialError> {
    match world.contacts(at, h) {
        Err(SpatialError::Unfound { .. }) => Ok(Vec::new()),
        near => near,
    }
}

/// (v, W L) of all bodies that move, with the W of the step.
fn velocity(world: &SpaceWorld, posed: &Posed, after: &SpaceState) -> Vec<Rational> {
    let mut velocity = Vec::new();
    for body in world.moving() {
        let own = &after.bodies[body];
        velocity.extend_from_slice(own.velocity.coordinates());
        velocity.extend(posed.inverses[body].times(own.momentum.coordinates()));
    }
    velocity
}

/// The limits that are recorded, in the order of those of the scene, with what is recorded. One that is more than a quarter turn away
/// is left out unless it pushes.
fn limits<'a>(
    world: &SpaceWorld,
    at: &SpaceState,
    recorded: &'a [SpaceLimitRecord],
) -> Vec<(StopRow, &'a SpaceLimitRecord)> {
    let near = world.stops(at);
    let own = world.stops_within(at, true).into_iter();
    let told = own.filter_map(|stop| {
        let same = |own: &&SpaceLimitRecord| own.joint == stop.joint && own.upper == stop.upper;
        let told = recorded.iter().find(same)?;
        let pushes = told.impulse != 0 || told.compression.as_ref().is_some_and(|own| *own != 0);
        (pushes || near.contains(&stop)).then_some((stop, told))
    });
    told.collect()
}

/// What took part in a recorded step, or its decompression, and which of the contacts are kept.
fn last(
    given: Given<'_>,
    own: &SpaceStepRecord,
    known: &[Contact],
    stops: &[(StopRow, &SpaceLimitRecord)],
) -> Result<(Posed, Vec<bool>), SpatialError> {
    let strikes = own.compression.is_some();
    let told = known.iter().zip(&own.contacts).map(|(contact, told)| Told {
        contact: contact.clone(),
        bounces: told.bounces,
        pushes: told.impulse.is_some(),
        is_struck: strikes && told.compression.is_some(),
    });
    let rows = stops.iter();
    let rows = rows.map(|(stop, told)| (stop.clone(), strikes && told.compression.is_some()));
    problem::pose_recorded(given, (told.collect(), rows.collect()))
}

/// Rotations as the record has them.
fn flights(world: &SpaceWorld, after: &SpaceState) -> Vec<Option<Flight>> {
    let all = after.bodies.iter().zip(world.bodies());
    let flights = all.map(|(motion, body)| {
        (!body.fixed).then(|| Flight {
            rate: Vector3::zero(),
            exact: motion.attitude.clone(),
            attitude: motion.attitude.clone(),
        })
    });
    flights.collect()
}

/// The compression that is recorded.
fn compression(
    given: Given<'_>,
    own: &SpaceCompressionRecord,
    (known, told): (&[Contact], &[SpaceContactRecord]),
    stops: &[(StopRow, &SpaceLimitRecord)],
) -> Result<Compression, SpatialError> {
    let mut posed = problem::without_contacts(given)?.struck(given)?;
    let mut impulses = Vec::new();
    for (contact, told) in known.iter().zip(told) {
        if let Some(impulse) = &told.compression {
            posed.take(given, (contact.clone(), Some(Rational::new())));
            impulses.push(impulse.clone());
        }
    }
    let mut stop_impulses = Vec::new();
    for (stop, told) in stops {
        if let Some(impulse) = &told.compression {
            posed.add_stop(given, stop.clone(), true);
            stop_impulses.push(impulse.clone());
        }
    }
    posed.add_turning(given);
    Ok(Compression {
        z: z(&posed, &impulses, (&stop_impulses, &[])),
        basis: Basis::new(Vec::new()),
        pivots: None,
        judgement: None,
        velocity: velocity(given.world, &posed, &own.state),
        state: own.state.clone(),
        impulses,
        joint_impulses: own.joint_impulses.clone(),
        stop_impulses,
        posed,
    })
}

/// Unknowns that make these impulses: friction as a sum of two directions, whatever the signs of their weights.
fn z(
    posed: &Posed,
    impulses: &[SpaceImpulse],
    (stops, drives): (&[Rational], &[Rational]),
) -> Vec<Rational> {
    let own = &posed.formulation;
    let layout = own.layout();
    let mut z = vec![Rational::new(); layout.n()];
    for (i, (contact, impulse)) in own.contacts.iter().zip(impulses).enumerate() {
        z[layout.normal(i)].clone_from(&impulse.normal);
        let first = layout.weights(i).start;
        let tangents = contact.frame.directions.iter().map(|own| &own.tangent[..]);
        for (k, weight) in weights(&tangents.collect::<Vec<_>>(), &impulse.friction) {
            z[first + k] = weight;
        }
        for (owner, of_rolling) in posed.turning_at(i) {
            let own = layout.weights(owner);
            let parts = match of_rolling {
                false => vec![(0, impulse.torsion.clone())],
                true => rolling(own.len(), &impulse.rolling),
            };
            for (k, weight) in parts {
                z[own.start + k] = weight;
            }
        }
    }
    for (k, impulse) in stops.iter().enumerate() {
        z[layout.normal(posed.contacts.len() + k)].clone_from(impulse);
    }
    for (k, (driven, impulse)) in posed.driven.iter().zip(drives).enumerate() {
        let own = layout.weights(posed.first_drive() + k);
        // The unit of a pyramid's weights is the largest force: that of none has no weights.
        match own.len() {
            1 => z[own.start].clone_from(impulse),
            _ if driven.drive.bound == 0 => {}
            _ => z[own.start] = Rational::from(impulse / &driven.drive.bound),
        }
    }
    posed.beyond(z)
}

/// Weights of friction against rolling: of two rows in the circular cone, else of the directions of a pyramid.
fn rolling(rows: usize, own: &[Rational; 2]) -> Vec<(usize, Rational)> {
    let both = || own.iter().cloned().enumerate().collect();
    match Directions::<Rational>::pythagorean(rows) {
        Ok(all) if rows > 2 => {
            let vectors: Vec<&[Rational]> = all.vectors().iter().map(|own| &own[..]).collect();
            weights(&vectors, own)
        }
        _ => both(),
    }
}

fn weights(directions: &[&[Rational]], f: &[Rational; 2]) -> Vec<(usize, Rational)> {
    let Some(a) = directions.first() else {
        return Vec::new();
    };
    let det = |a: &[Rational], b: &[Rational]| {
        Rational::from(&a[0] * &b[1]) - Rational::from(&a[1] * &b[0])
    };
    let mut others = directions.iter().enumerate();
    let Some((k, b)) = others.find(|(_, own)| det(a, own) != 0) else {
        return Vec::new();
    };
    let whole = det(a, b);
    vec![(0, det(f, b) / &whole), (k, det(a, f) / whole)]
}
