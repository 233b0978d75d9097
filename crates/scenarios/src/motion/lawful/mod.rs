//! A recorded step beside the laws of its scene: masses, forces, rows of contacts and gaps for states that anybody recorded.
//!
//! What is here decides nothing: it is the data that a judge of motions needs. States are taken exactly as they stand, and
//! everything else is computed from them in fractions. Sines and roots are rounded to a grid: that of the run where it was
//! one, and one of [`FINE`] bits for runs in binary64.

mod surfaces;

use std::ops::Range;
use surfaces::OfRun;

use etalon_rigid::{Covector, MassMatrix, Scalar};
use etalon_time_stepping::corner::{
    Corners, Face, LEAST_ANGLE, Obstacle, SolidLaws, Solids, Touch, TouchedFace,
};
use etalon_time_stepping::{
    Activation, Arithmetic, Binary64, ContactFrame, Fractions, FrictionDirection, Grid, Kind,
    Model, STILL, Settings, State, StepError,
};
use rug::Rational;

use super::scene::{Builder, Scene, System};
use super::{MotionError, MotionInstance, formed, solids};
use crate::space::{CornerScene, ImplicitScene};

/// Bits after the point of sines and roots for runs in binary64: far below its 53.
const FINE: u32 = 192;

/// Roundings of the terms of a gap.
const ROUNDINGS: u32 = 16;

/// Entries of a row over velocities.
pub type ExactRow = Vec<(usize, Rational)>;

/// A state as recorded.
#[derive(Debug, Clone, Copy)]
pub struct RecordedState<'a> {
    /// q.
    pub q: &'a [Rational],
    /// v.
    pub v: &'a [Rational],
}

/// A contact of a line as recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedContact {
    /// Its name.
    pub name: String,
    /// The normal impulse.
    pub normal: Rational,
    /// The friction impulse; empty where the contact took no part.
    pub friction: Vec<Rational>,
    /// The torque about the normal, times the time, where it has one.
    pub torsion: Rational,
    /// Whether it is said to bounce.
    pub bounces: bool,
}

/// What the laws of a scene make of two states.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LawfulStep {
    /// The rows of M.
    pub mass: Vec<ExactRow>,
    /// h k.
    pub impulse: Vec<Rational>,
    /// The contacts, in the order of the scene.
    pub contacts: Vec<LawfulContact>,
    /// Contacts that are the faces of one corner.
    pub corners: Vec<Vec<usize>>,
    /// Friction that belongs to no contact: its name, and one of each two opposite directions.
    pub bounded: Vec<(String, ExactRow)>,
    /// The potential energy before and after, J.
    pub potential: [Rational; 2],
    /// The sum of the sizes of the terms of the potential, J.
    pub potential_size: Rational,
    /// The sum of the sizes of k, N.
    pub force_size: Rational,
    /// Which velocities no impulse changes; none where all of them may be changed.
    pub driven: Vec<bool>,
    /// The kinetic energy before and after, J, where M is not the same at both.
    pub kinetic: Option<[Rational; 2]>,
    /// The work of forces without a potential, J.
    pub work: Rational,
}

/// A contact of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LawfulContact {
    /// Its name.
    pub name: String,
    /// n.
    pub normal: ExactRow,
    /// The rows of the tangents that friction is recorded along.
    pub tangents: Vec<ExactRow>,
    /// The corners of the polygon of friction in space, in tangent coordinates.
    pub polygon: Vec<[Rational; 2]>,
    /// mu.
    pub mu: Rational,
    /// The least normal velocity after the step; `None` where the contact took no part.
    pub target: Option<Rational>,
    /// Whether that is minus the gap over h.
    pub stops_at_gap: bool,
    /// The sum of the sizes of the target's terms, m/s.
    pub target_size: Rational,
    /// The gap after the step.
    pub gap: Rational,
    /// The sum of the sizes of its terms, m.
    pub gap_size: Rational,
    /// Whether the step's own rule keeps that gap from closing by more than `slack`.
    pub keeps_apart: bool,
    /// How far.
    pub slack: Rational,
    /// The speed below which a run in these numbers takes the free velocity of a row for 0, m/s.
    pub still: Rational,
    /// How far entries of the rows may be off.
    pub uncertain: ExactRow,
    /// Of a pair with torsion: what its torque is divided by to be an impulse along the last of the tangents, m.
    pub torsion: Option<Rational>,
    /// What stands in a line in the place of the gap, where that is another number.
    pub told_gap: Option<Rational>,
    /// Whether nobody knows where its bodies touch, so that nothing is said of it.
    pub unknown: bool,
}

/// A scene in fractions, ready for states of a recorded run of it.
pub struct MotionLaws {
    system: System<Rational>,
    arithmetic: Box<dyn Arithmetic<Rational>>,
    settings: Settings<Rational>,
    /// What frames beside the recorded point are computed in: there roots need be no fractions.
    probe: Grid,
    /// How far a gap that a run calls closed may be from 0.
    slack: Rational,
    /// The speed below which it takes a free velocity for 0.
    still: Rational,
    /// h as the run has it, in its own numbers.
    own_h: Rational,
    coordinates: Vec<String>,
}

impl MotionInstance {
    /// The laws of the scene for runs in a kind of numbers.
    ///
    /// # Errors
    /// [`MotionError::Scene`]; [`MotionError::InSpace`] for bodies in space, whose laws are those of `etalon_spatial`.
    pub fn laws(&self, kind: Kind) -> Result<MotionLaws, MotionError> {
        if matches!(self.part.builder, Builder::Space(_)) {
            return Err(MotionError::InSpace);
        }
        let laws = MotionLaws::new(kind, |arithmetic| self.exactly(arithmetic));
        laws.map_err(|source| MotionError::Scene {
            scenario: self.scenario.to_owned(),
            source,
        })
    }
}

impl CornerScene {
    /// The laws of the scene for runs in a kind of numbers.
    ///
    /// # Errors
    /// [`MotionError::Scene`].
    pub fn laws(&self, kind: Kind) -> Result<MotionLaws, MotionError> {
        let laws = MotionLaws::new(kind, |arithmetic| solids::build(self, arithmetic));
        laws.map_err(|source| MotionError::Scene {
            scenario: self.name.clone(),
            source,
        })
    }
}

impl ImplicitScene {
    /// The laws of the scene for runs in a kind of numbers.
    ///
    /// # Errors
    /// [`MotionError::Scene`].
    pub fn laws(&self, kind: Kind) -> Result<MotionLaws, MotionError> {
        let laws = MotionLaws::new(kind, |arithmetic| formed::build(self, arithmetic));
        laws.map_err(|source| MotionError::Scene {
            scenario: self.name.clone(),
            source,
        })
    }
}

impl MotionLaws {
    fn new(
        kind: Kind,
        build: impl Fn(&dyn Arithmetic<Rational>) -> Result<Scene<Rational>, StepError>,
    ) -> Result<Self, StepError> {
        let bits = match kind {
            Kind::Grid(bits) => Some(bits),
            Kind::Rational => None,
            Kind::Binary64 => Some(FINE),
        };
        let arithmetic: Box<dyn Arithmetic<Rational>> = match bits {
            Some(bits) => Box::new(Grid::new(bits)?),
            None => Box::new(Fractions),
        };
        let slack = match kind {
            Kind::Rational => Rational::new(),
            Kind::Grid(_) => arithmetic.slack(),
            Kind::Binary64 => Rational::from_f64(Binary64.slack()).unwrap_or_default(),
        };
        let still = match kind {
            Kind::Binary64 => Rational::from_f64(STILL).unwrap_or_default(),
            _ => Rational::new(),
        };
        let built = build(&*arithmetic)?;
        let coordinates = match &built.system {
            System::StewartTrinkle(model) => model.coordinates(),
            System::EganTrinkle(corners) => corners.coordinates.clone(),
            System::Solids(solids) => solids.coordinates(),
            System::ChakrabortyBerard(system) => system.coordinates(),
        };
        let h = &built.settings.h;
        let own_h = match kind {
            // To the nearest, as the run rounds it; a fraction's own conversion cuts digits off.
            Kind::Binary64 => Rational::from_f64(f64::from_rational(h)).unwrap_or_default(),
            _ => h.clone(),
        };
        Ok(Self {
            own_h,
            system: built.system,
            arithmetic,
            settings: built.settings,
            slack,
            still,
            probe: Grid::new(bits.unwrap_or(FINE))?,
            coordinates,
        })
    }
}

impl MotionLaws {
    /// h.
    pub fn h(&self) -> &Rational {
        &self.settings.h
    }

    /// The names of the coordinates.
    pub fn coordinates(&self) -> &[String] {
        &self.coordinates
    }

    /// The names of the velocities.
    pub fn velocities(&self) -> Vec<String> {
        match &self.system {
            System::Solids(solids) => solids.velocities(),
            System::ChakrabortyBerard(system) => system.velocity_names(),
            _ => self.coordinates.clone(),
        }
    }

    /// The bodies that turn in space: their quaternions follow their spins.
    pub fn turns(&self) -> Vec<LawfulTurn> {
        match &self.system {
            System::Solids(solids) => solids
                .quaternions()
                .map(|(body, quaternion, spin)| LawfulTurn {
                    body: body.to_owned(),
                    quaternion,
                    spin,
                })
                .collect(),
            System::ChakrabortyBerard(system) => system
                .quaternions()
                .into_iter()
                .map(|(body, q, v)| LawfulTurn {
                    body: body.to_owned(),
                    quaternion: q..q + 4,
                    spin: v..v + 3,
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Whether a line has those contacts alone that take part, and not all of the scene.
    pub fn lists_what_takes_part(&self) -> bool {
        matches!(self.system, System::Solids(_))
    }

    /// Whether bodies keep out of obstacles with corners, by Egan and Trinkle's step.
    pub fn has_corners(&self) -> bool {
        matches!(self.system, System::EganTrinkle(_) | System::Solids(_))
    }

    /// Whether forces make velocities: a step begins at rest, and there is no kinetic energy.
    pub fn is_first_order(&self) -> bool {
        matches!(&self.system, System::Solids(solids) if solids.is_first_order())
    }

    /// Whether a contact of that name has restitution.
    pub fn can_bounce(&self, name: &str) -> bool {
        let model = match &self.system {
            System::StewartTrinkle(model) => model,
            System::ChakrabortyBerard(system) => return surfaces::can_bounce(system, name),
            _ => return false,
        };
        let mut named = model.contacts().iter().enumerate();
        named.any(|(i, own)| own.pair == name && model.restitution(i) > 0)
    }

    /// The names of the contacts, in order; none where lines list what takes part.
    pub fn contacts(&self) -> Vec<String> {
        match &self.system {
            System::StewartTrinkle(model) => model
                .contacts()
                .iter()
                .map(|own| own.pair.clone())
                .collect(),
            System::EganTrinkle(corners) => corners.faces().map(|own| own.name.clone()).collect(),
            System::ChakrabortyBerard(system) => {
                let pairs = system.pairs().iter();
                pairs.map(|own| system.pair_name(own)).collect()
            }
            System::Solids(_) => Vec::new(),
        }
    }

    /// Whether a line that lists what takes part may have a contact of that name.
    pub fn may_take_part(&self, name: &str) -> bool {
        matches!(&self.system, System::Solids(solids) if solids.touched(name).is_some())
    }

    /// Of a contact that is a face of an obstacle of a whole pair of bodies: which pair, and the number of the obstacle.
    pub fn whole_of(&self, name: &str) -> Option<(usize, usize)> {
        match &self.system {
            System::Solids(solids) => solids.whole_of(&solids.touched(name)?),
            _ => None,
        }
    }

    /// Whether a step iterates for its evaluation point, so that the iteration may not converge.
    pub fn iterates(&self) -> bool {
        let known = self.settings.scheme.halves_ahead();
        let by_point = matches!(self.system, System::StewartTrinkle(_)) && known.is_none();
        by_point || self.has_surfaces()
    }

    /// Whether bodies have implicit surfaces, with a proof of each step beside it.
    pub fn has_surfaces(&self) -> bool {
        matches!(self.system, System::ChakrabortyBerard(_))
    }

    /// A step from one recorded state to another, with its recorded contacts (as many as the scene has).
    /// `error` is how far a number of a state may be from the run's own.
    ///
    /// # Errors
    /// [`StepError`], also where lengths differ.
    pub fn step(
        &self,
        states: [RecordedState<'_>; 2],
        contacts: &[RecordedContact],
        error: &dyn Fn(&Rational) -> Rational,
    ) -> Result<LawfulStep, StepError> {
        let (n, m) = (self.coordinates.len(), self.velocities().len());
        let lengths = states
            .iter()
            .flat_map(|own| [("q", own.q.len(), n), ("v", own.v.len(), m)]);
        let counted = ("contacts", contacts.len(), self.contacts().len());
        let counted = Some(counted).filter(|_| !self.lists_what_takes_part());
        for (what, length, expected) in lengths.chain(counted) {
            if length != expected {
                return Err(StepError::Length {
                    what,
                    length,
                    expected,
                });
            }
        }
        match &self.system {
            System::StewartTrinkle(model) => self.of_model(&**model, states, contacts, error),
            System::EganTrinkle(corners) => Ok(self.of_corners(corners, states)),
            System::Solids(solids) => self.of_solids(solids, states, contacts, error),
            System::ChakrabortyBerard(system) => {
                let of_run = OfRun {
                    h: &self.settings.h,
                    own_h: &self.own_h,
                    slack: &self.slack,
                    still: &self.still,
                };
                Ok(surfaces::step(system, &of_run, states, contacts, error))
            }
        }
    }

    /// q + share v.
    fn ahead(before: RecordedState<'_>, share: &Rational) -> Vec<Rational> {
        let pairs = before.q.iter().zip(before.v);
        pairs.map(|(q, v)| q + Rational::from(v * share)).collect()
    }

    fn of_model(
        &self,
        model: &dyn Model<Rational>,
        [before, after]: [RecordedState<'_>; 2],
        recorded: &[RecordedContact],
        error: &dyn Fn(&Rational) -> Rational,
    ) -> Result<LawfulStep, StepError> {
        let (h, arithmetic) = (&self.settings.h, &*self.arithmetic);
        let middle = Self::ahead(before, &Rational::from(h / 2u32));
        let force = model.force(&middle, before.v, arithmetic)?;
        // The fixed point is known by the state that it ends in, to its own tolerance.
        let (point, tolerance) = match self.settings.scheme.halves_ahead() {
            Some(0) => (before.q.to_vec(), Rational::new()),
            Some(halves) => {
                let point = Self::ahead(before, &(Rational::from(h / 2u32) * halves));
                let point = point.into_iter().map(|q| arithmetic.round(q));
                (point.collect(), Rational::new())
            }
            None => (after.q.to_vec(), self.settings.tolerance.clone()),
        };
        let mass = model.mass(&point, arithmetic)?;
        let reach = point.iter().map(|q| (error(q) + &tolerance) * 2u32);
        let reach: Vec<_> = reach.collect();
        let potential = [
            model.potential(before.q, arithmetic)?,
            model.potential(after.q, arithmetic)?,
        ];
        let mut step = self.frame_of((&mass, &force), [before, after], potential);
        for (i, (info, own)) in model.contacts().iter().zip(recorded).enumerate() {
            let frame = model.frame(i, &point, arithmetic)?;
            let gap = model.gap(i, after.q, arithmetic)?;
            let mut contact = lawful(&info.pair, &frame.normal, &frame.directions, &info.mu);
            let all = self.settings.activation == Activation::All;
            let takes_part = all || !own.friction.is_empty() || own.normal > 0;
            // A contact without friction does not say whether it took part; one that is closed has.
            if takes_part || frame.directions.is_empty() && gap < -self.slack.clone() {
                let restitution = model.restitution(i);
                let sizes = model.gap_size(i, &point, arithmetic)?;
                let at = (&frame, &point[..], &sizes);
                self.settle_target(&mut contact, at, before, (&restitution, own));
                contact.uncertain = self.uncertain(model, i, (&point, &reach))?;
            } else {
                contact.keeps_apart = true;
            }
            // What its terms are rounded by, and what rounding of the state makes of it.
            contact.gap_size = model.gap_size(i, after.q, arithmetic)?;
            contact.gap_size += size(&contact.normal, after.q);
            contact.gap = gap;
            contact.slack = self.slack.clone();
            contact.still = self.still.clone();
            step.contacts.push(contact);
        }
        let bounded = model.bounded_friction().iter().filter_map(|own| {
            let row = own.directions.first()?.entries().to_vec();
            Some((own.name.clone(), row))
        });
        step.bounded = bounded.collect();
        Ok(step)
    }

    fn frame_of(
        &self,
        (mass, force): (&MassMatrix<Rational>, &[Rational]),
        [before, after]: [RecordedState<'_>; 2],
        potential: [Rational; 2],
    ) -> LawfulStep {
        let h = &self.settings.h;
        let work = |q: &[Rational]| {
            let terms = force.iter().zip(q);
            let terms = terms.map(|(k, q)| Rational::from(k * q).abs());
            terms.fold(Rational::new(), |sum, term| sum + term)
        };
        let sizes = force.iter().map(|k| k.clone().abs());
        LawfulStep {
            mass: mass_rows(mass),
            impulse: force.iter().map(|k| Rational::from(k * h)).collect(),
            potential,
            potential_size: work(before.q) + work(after.q),
            force_size: sizes.fold(Rational::new(), |sum, k| sum + k),
            ..LawfulStep::default()
        }
    }

    /// n'v' >= -gap/h, or -e n'v where the contact is recorded to bounce and could.
    fn settle_target(
        &self,
        contact: &mut LawfulContact,
        (frame, point, sizes): (&ContactFrame<Rational>, &[Rational], &Rational),
        before: RecordedState<'_>,
        (restitution, own): (&Rational, &RecordedContact),
    ) {
        let h = &self.settings.h;
        let approach = frame.normal.times(before.v);
        if own.bounces && *restitution > 0 && approach < 0 {
            contact.target = Some(-(approach * restitution));
            contact.target_size = size(&contact.normal, before.v) * restitution;
            return;
        }
        let back = before.q.iter().zip(point);
        let back: Vec<_> = back.map(|(q, p)| Rational::from(q - p)).collect();
        let gap = frame.gap.clone() + frame.normal.times(&back);
        contact.target = Some(-Rational::from(&gap / h));
        contact.stops_at_gap = true;
        let along = size(&contact.normal, before.q) + size(&contact.normal, point);
        contact.target_size = (along + sizes + gap.abs()) / h;
    }

    /// How far entries of a contact's rows may be off, for a point that each coordinate is known of to `reach`: the sum of the
    /// changes that moving each of them by so much makes. `reach` is twice what is meant, for the second order.
    fn uncertain(
        &self,
        model: &dyn Model<Rational>,
        index: usize,
        (point, reach): (&[Rational], &[Rational]),
    ) -> Result<ExactRow, StepError> {
        let n = point.len();
        let mut total = vec![Rational::new(); n];
        let own = rows(&model.frame(index, point, &self.probe)?);
        for k in (0..n).filter(|k| !reach[*k].is_zero()) {
            let mut moved = point.to_vec();
            moved[k] += &reach[k];
            let other = rows(&model.frame(index, &moved, &self.probe)?);
            let mut largest = vec![Rational::new(); n];
            for (one, other) in own.iter().zip(&other) {
                let change = one.plus(&Rational::from(-1), other);
                for (j, change) in change.entries() {
                    let change = change.clone().abs();
                    if change > largest[*j] {
                        largest[*j] = change;
                    }
                }
            }
            for (sum, own) in total.iter_mut().zip(largest) {
                *sum += own;
            }
        }
        // Entries on a grid jump by whole steps of it.
        let step = self.arithmetic.half_step() * 2u32;
        let entries = total.into_iter().enumerate();
        let entries = entries.filter(|(_, own)| !own.is_zero());
        Ok(entries.map(|(j, own)| (j, own + &step)).collect())
    }

    /// Contacts are those of the line, in its order, then the other faces of their obstacles, a face of each obstacle that the
    /// step ends at or inside of, and pairs of bodies that overlap then.
    fn of_solids(
        &self,
        solids: &Solids<Rational>,
        [before, after]: [RecordedState<'_>; 2],
        recorded: &[RecordedContact],
        error: &dyn Fn(&Rational) -> Rational,
    ) -> Result<LawfulStep, StepError> {
        let (h, arithmetic) = (&self.settings.h, &*self.arithmetic);
        let potential = [before.q, after.q].map(|q| solids.potential(q));
        let all = solids.laws((before.q, before.v), h, arithmetic)?;
        let mut step = self.frame_of((&all.mass, &all.force), [before, after], potential);
        step.driven = (0..before.v.len()).map(|k| all.mass.is_driven(k)).collect();
        let sizes = [before.q, after.q].map(|q| solids.potential_size(q));
        step.potential_size = sizes.into_iter().sum();
        let kinetic = |own: RecordedState<'_>| solids.energy(own.q, own.v, arithmetic);
        // In a first-order world that of M and the velocities is half of the drag.
        if !solids.is_first_order() {
            step.kinetic = Some([kinetic(before)?.kinetic, kinetic(after)?.kinetic]);
        }
        let known = self.known(before, error);
        let way: Vec<_> = after.v.iter().map(|v| Rational::from(v * h)).collect();
        let mut found = Obstacles::default();
        for own in recorded {
            found.take(solids, &all, &own.name)?;
        }
        // How far a gap may be off by the rounding of both states.
        let states = before.q.iter().chain(after.q).chain(after.v);
        let rounding = states.map(error).max().unwrap_or_default() * (all.reach.clone() + 1u32);
        found.complete(
            &all,
            &way,
            [&self.slack, &(rounding * ROUNDINGS + &self.slack)],
        );
        let touched: Vec<TouchedFace> = found.faces.iter().map(|own| own.0).collect();
        let gaps = solids.gaps(&touched, after.q, arithmetic)?;
        let given = (before, &all.reach);
        let contacts = found.faces.iter().zip(gaps);
        let contacts = contacts.map(|(own, gap)| self.of_face(own, gap, given, &known));
        step.contacts = contacts.collect();
        step.corners = found.corners.into_iter().map(|(_, own)| own).collect();
        let ended = State::new(after.q.to_vec(), after.v.to_vec());
        if let Some((first, second, depth)) = solids.overlap_after(&ended, h, arithmetic)? {
            step.contacts.push(LawfulContact {
                name: format!("{first}/{second}"),
                gap: -Rational::from_f64(depth).unwrap_or_default(),
                keeps_apart: true,
                ..LawfulContact::default()
            });
        }
        Ok(step)
    }

    /// How far a coordinate of the point of evaluation may be from the run's own: it is rounded once more where it is ahead, by what the
    /// velocities are off, too.
    fn known(&self, before: RecordedState<'_>, error: &dyn Fn(&Rational) -> Rational) -> Rational {
        let most = |own: &[Rational]| own.iter().map(error).max().unwrap_or_default();
        let time = self.settings.scheme.time_ahead(&self.settings.h);
        match time.filter(|time| *time > 0) {
            None => most(before.q),
            Some(time) => most(before.q) * 2u32 + most(before.v) * time,
        }
    }

    /// A face in the displacement since the start of the step, with its gap after it. `known`: how far a coordinate may be from
    /// the run's own.
    fn of_face(
        &self,
        (touched, face): &(TouchedFace, Face<Rational>),
        gap: Rational,
        (before, reach): (RecordedState<'_>, &Rational),
        known: &Rational,
    ) -> LawfulContact {
        let h = &self.settings.h;
        let mut contact = lawful(&face.name, &face.normal, &face.directions, &face.mu);
        let size = size(&contact.normal, before.v) + reach;
        contact.target = Some(Rational::from(&face.offset / h));
        contact.stops_at_gap = true;
        contact.target_size = (face.offset.clone().abs() + &size) / h;
        contact.gap_size = size;
        contact.gap = gap;
        contact.slack = self.slack.clone();
        contact.still = self.still.clone();
        // A normal turns by what an angle is off, and the arm of its torque by that times its length, and by what a place is off.
        let mut off = known * (Rational::from(reach * 2u32) + 2u32);
        if matches!(touched.touch, Touch::Edges(_)) {
            // The common normal of edges turns by what they turn over the sine between them.
            off *= LEAST_ANGLE;
            contact.gap_size *= LEAST_ANGLE;
            contact.target_size *= LEAST_ANGLE;
        }
        let entries = contact.normal.iter().map(|(j, _)| (*j, off.clone()));
        contact.uncertain = entries.collect();
        contact
    }

    fn of_corners(
        &self,
        corners: &Corners<Rational>,
        [before, after]: [RecordedState<'_>; 2],
    ) -> LawfulStep {
        let h = &self.settings.h;
        let potential = [corners.potential(before.q), corners.potential(after.q)];
        let dynamics = (&corners.mass, &corners.force[..]);
        let mut step = self.frame_of(dynamics, [before, after], potential);
        let (old, new) = (corners.gaps(before.q), corners.gaps(after.q));
        for ((face, old), new) in corners.faces().zip(old).zip(new) {
            let mut contact = lawful(&face.name, &face.normal, &face.directions, &face.mu);
            let offset = face.offset.clone().abs();
            contact.target = Some(-Rational::from(&old / h));
            contact.stops_at_gap = true;
            contact.target_size = (size(&contact.normal, before.q) + &offset + old.abs()) / h;
            contact.gap_size = size(&contact.normal, after.q) + offset;
            contact.gap = new;
            contact.slack = self.slack.clone();
            contact.still = self.still.clone();
            step.contacts.push(contact);
        }
        let mut next = 0;
        for obstacle in &corners.obstacles {
            let faces = obstacle.faces().len();
            if matches!(obstacle, Obstacle::Corner(_)) {
                step.corners.push((next..next + faces).collect());
            }
            next += faces;
        }
        step
    }
}

/// Which obstacle a face is of: a point, by its number among all, or a pair of bodies with the number of its obstacle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Obstructing {
    Point(usize),
    Whole(usize, usize),
}

/// The faces of obstacles that a step is asked about, and which of them are of one obstacle.
#[derive(Debug, Default)]
struct Obstacles {
    faces: Vec<(TouchedFace, Face<Rational>)>,
    corners: Vec<(Obstructing, Vec<usize>)>,
}

impl Obstacles {
    fn push(&mut self, of: Obstructing, face: (TouchedFace, Face<Rational>)) {
        let index = self.faces.len();
        self.faces.push(face);
        match self.corners.iter_mut().find(|(own, _)| *own == of) {
            Some((_, own)) => own.push(index),
            None => self.corners.push((of, vec![index])),
        }
    }

    /// Takes the face of that name, which a line has.
    fn take(
        &mut self,
        solids: &Solids<Rational>,
        all: &SolidLaws<Rational>,
        name: &str,
    ) -> Result<(), StepError> {
        let missing = || {
            StepError::Problem(format!(
                "there is no contact {name:?} in this step, or it is there twice"
            ))
        };
        let touched = solids.touched(name).ok_or_else(missing)?;
        if self.faces.iter().any(|(own, _)| *own == touched) {
            return Err(missing());
        }
        let same = |own: &TouchedFace| (own.pair, own.touch) == (touched.pair, touched.touch);
        let Some(number) = touched.whole else {
            let places = all.obstacles.iter().enumerate();
            let places = places.flat_map(|(k, own)| own.iter().map(move |face| (k, face)));
            let mut named = all.touched.iter().zip(places);
            let (_, (k, face)) = named.find(|(own, _)| same(own)).ok_or_else(missing)?;
            self.push(Obstructing::Point(k), (touched, face.clone()));
            return Ok(());
        };
        for (index, whole) in all.wholes.iter().enumerate() {
            let mut faces = whole.directions.iter().flat_map(|own| &own.faces);
            if let Some((_, face)) = faces.find(|(own, _)| same(own)) {
                let face = Face {
                    name: name.to_owned(),
                    ..face.clone()
                };
                self.push(Obstructing::Whole(index, number), (touched, face));
                return Ok(());
            }
        }
        let Some(index) = all
            .wholes
            .iter()
            .position(|own| own.pairs.contains(&touched.pair))
        else {
            return Err(missing());
        };
        // No direction of this state has it: the push has no row, and its momentum is what nothing accounts for.
        let face = Face::smooth(name, Covector::zero(), Rational::new());
        self.push(Obstructing::Whole(index, number), (touched, face));
        Ok(())
    }

    /// Adds the other faces of obstacles that take part, and one face of each other obstacle that a way ends inside, or up to `slack` at.
    /// `parted` is how far points may be behind a side that parts two bodies.
    fn complete(
        &mut self,
        all: &SolidLaws<Rational>,
        way: &[Rational],
        [slack, parted]: [&Rational; 2],
    ) {
        let mut touched = all.touched.iter();
        for (k, obstacle) in all.obstacles.iter().enumerate() {
            let of = Obstructing::Point(k);
            let touched: Vec<_> = touched.by_ref().take(obstacle.len()).collect();
            let mut named: Vec<_> = touched
                .into_iter()
                .copied()
                .zip(obstacle.iter().cloned())
                .collect();
            if self.corners.iter().any(|(own, _)| *own == of) {
                named.retain(|(own, _)| !self.faces.iter().any(|(face, _)| face == own));
            } else {
                // That of all its faces is that of the one which is open the most.
                let gap = |face: &Face<Rational>| face.normal.times(way) - &face.offset;
                let gaps = obstacle.iter().map(gap).enumerate();
                let most = gaps.max_by(|a, b| a.1.cmp(&b.1));
                let Some((most, _)) = most.filter(|(_, gap)| *gap <= *slack) else {
                    continue;
                };
                named = named.into_iter().skip(most).take(1).collect();
            }
            for face in named {
                self.push(of, face);
            }
        }
        for (index, whole) in all.wholes.iter().enumerate() {
            for (of, own) in self.corners.clone() {
                if !matches!(of, Obstructing::Whole(pair, _) if pair == index) {
                    continue;
                }
                let faces: Vec<TouchedFace> = own.iter().map(|k| self.faces[*k].0).collect();
                for (face, _) in whole.others(&faces, way) {
                    self.push(of, face.clone());
                }
            }
            // An obstacle of all pairs that the way ends inside, which the numbers of those that take part leave free.
            if let Some((face, _)) = whole.overlap(&all.obstacles, (way, parted)) {
                self.push(Obstructing::Whole(index, 0), face.clone());
            }
        }
    }
}

/// How a body in space turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LawfulTurn {
    /// Its name.
    pub body: String,
    /// Where its quaternion is among the coordinates.
    pub quaternion: Range<usize>,
    /// Where its angular velocity is among the velocities.
    pub spin: Range<usize>,
}

/// The rows of a frame that impulses are recorded along.
fn rows(frame: &ContactFrame<Rational>) -> Vec<Covector<Rational>> {
    let directions = frame.directions.iter().map(|own| own.row.clone());
    std::iter::once(frame.normal.clone())
        .chain(directions)
        .collect()
}

fn lawful(
    name: &str,
    normal: &Covector<Rational>,
    directions: &[FrictionDirection<Rational>],
    mu: &Rational,
) -> LawfulContact {
    let corner = |own: &FrictionDirection<Rational>| match &own.tangent[..] {
        [x, y] => Some([x.clone(), y.clone()]),
        _ => None,
    };
    LawfulContact {
        name: name.to_owned(),
        normal: normal.entries().to_vec(),
        tangents: axes(directions),
        polygon: directions.iter().filter_map(corner).collect(),
        mu: mu.clone(),
        ..LawfulContact::default()
    }
}

/// The rows of unit impulses along the tangent coordinates: friction sum of beta_j t_j acts as the sum of beta_j d_j, so the
/// d_j are linear in the t_j.
fn axes(directions: &[FrictionDirection<Rational>]) -> Vec<ExactRow> {
    let Some(first) = directions.first() else {
        return Vec::new();
    };
    let a = &first.tangent;
    if let [t] = &a[..] {
        let row = Covector::zero().plus(&t.clone().recip(), &first.row);
        return vec![row.entries().to_vec()];
    }
    let det = |a: &[Rational], b: &[Rational]| {
        Rational::from(&a[0] * &b[1]) - Rational::from(&a[1] * &b[0])
    };
    let mut others = directions.iter();
    let Some(other) = others.find(|own| !det(a, &own.tangent).is_zero()) else {
        return Vec::new();
    };
    let b = &other.tangent;
    let det = det(a, b);
    // e1 = (b2 a - a2 b)/det, e2 = (a1 b - b1 a)/det.
    let axis = |of_a: Rational, of_b: Rational| {
        let row = Covector::zero().plus(&(of_a / &det), &first.row);
        row.plus(&(of_b / &det), &other.row).entries().to_vec()
    };
    vec![
        axis(b[1].clone(), -a[1].clone()),
        axis(-b[0].clone(), a[0].clone()),
    ]
}

/// The sum of the sizes of a row's products with a vector.
fn size(row: &ExactRow, vector: &[Rational]) -> Rational {
    let terms = row.iter().map(|(j, own)| Rational::from(own * &vector[*j]));
    terms.fold(Rational::new(), |sum, term| sum + term.abs())
}

fn mass_rows(mass: &MassMatrix<Rational>) -> Vec<ExactRow> {
    let n = mass.dofs();
    let mut unit = vec![Rational::new(); n];
    let column = |j: usize| {
        unit[j] = Rational::one();
        let column = mass.times(&unit);
        unit[j] = Rational::new();
        if mass.is_driven(j) {
            // What no impulse changes stays as it is, in any unit.
            return vec![(j, Rational::one())];
        }
        let entries = column.into_iter().enumerate();
        entries.filter(|(_, own)| !own.is_zero()).collect()
    };
    // M is symmetric: columns are rows.
    (0..n).map(column).collect()
}
