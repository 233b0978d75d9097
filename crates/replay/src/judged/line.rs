//! A line of a trajectory as a step of a motion.

use std::array;

use etalon_engines::motion::{
    BodyTurn, Breaches, Coordinate, MotionContact, MotionFriction, MotionLaw, MotionStep,
    OwnEnergy, RecordedEnergy, Rounding, TurnRule, Update,
};
use etalon_golden::trajectory::{Contact, Header, Line, Quantity};
use etalon_lcp::short_text;
use etalon_scenarios::motion::{
    LawfulContact, LawfulStep, LawfulTurn, MotionLaws, RecordedContact, RecordedState,
};
use rug::Rational;

/// The state before a step.
#[derive(Clone)]
pub struct Before {
    q: Vec<Rational>,
    v: Vec<Rational>,
}

impl Before {
    /// The same place at rest, from which each step of a first-order world is.
    fn at_rest(&self) -> Self {
        Self {
            q: self.q.clone(),
            v: vec![Rational::new(); self.v.len()],
        }
    }

    pub fn of_line(line: &Line) -> Result<Self, String> {
        Ok(Self {
            q: numbers("q", &line.q)?,
            v: numbers("v", &line.v)?,
        })
    }

    pub fn of_header(header: &Header) -> Result<Self, String> {
        Ok(Self {
            q: numbers("start.q", &header.start.q)?,
            v: numbers("start.v", &header.start.v)?,
        })
    }
}

pub fn number(field: &str, own: &Quantity) -> Result<Rational, String> {
    own.exact().ok_or_else(|| {
        format!("the field {field:?} is no number (missing, null, or beyond binary64), so the step cannot be judged")
    })
}

pub fn numbers(field: &str, own: &[Quantity]) -> Result<Vec<Rational>, String> {
    let each = own.iter().enumerate();
    each.map(|(i, own)| number(&format!("{field}[{i}]"), own))
        .collect()
}

/// The step that led to a line.
pub fn step_of(
    laws: &MotionLaws,
    rounding: &Rounding,
    before: &Before,
    line: &Line,
) -> Result<Option<MotionStep>, String> {
    let after = Before::of_line(line)?;
    let before = &match laws.is_first_order() {
        true => before.at_rest(),
        false => before.clone(),
    };
    let names = laws.velocities();
    for own in [&after, before] {
        check_lengths(own, [laws.coordinates(), &names])?;
    }
    let recorded = contacts(laws, line)?;
    let states = [before, &after].map(|own| RecordedState {
        q: &own.q,
        v: &own.v,
    });
    let error = |own: &Rational| rounding.of_state(own);
    let lawful = laws.step(states, &recorded, &error);
    let lawful = lawful.map_err(|error| error.to_string())?;
    let pushes = |own: &&RecordedContact| own.normal != 0;
    let mut pairs = lawful.contacts.iter().zip(&recorded);
    if pairs.any(|(own, told)| own.unknown && pushes(&told)) {
        return Ok(None);
    }
    let contacts = lawful.contacts.iter().enumerate();
    let contacts = contacts.map(|(i, own)| contact_of(own, recorded.get(i), line.contacts.get(i)));
    let turns = laws.turns();
    let followed = |q: &[Rational]| followed(&turns, q);
    let own = own_energy(&lawful, laws.has_surfaces(), [before, &after]);
    let mut energy = recorded_energy(line);
    if laws.is_first_order() {
        without_drag(&mut energy, &own.kinetic[1]);
    }
    let bounded = lawful.bounded.iter().cloned();
    let bounded = bounded.map(|(name, row)| MotionFriction { name, row });
    Ok(Some(MotionStep {
        joints: Vec::new(),
        k: line.k,
        h: laws.h().clone(),
        h_error: Rational::new(),
        times: None,
        turns: turns.iter().map(|own| turn(own, before, &after)).collect(),
        coordinates: coordinates(&names, &turns, &lawful),
        update: Update::SemiImplicit,
        contacts: contacts.collect(),
        corners: lawful.corners.clone(),
        bounded: bounded.collect(),
        energy: Some(energy),
        own_energy: Some(own),
        impulse: lawful.impulse,
        mass: lawful.mass,
        q: [followed(&before.q), followed(&after.q)],
        v: [before.v.clone(), after.v],
    }))
}

/// As many numbers as the scene has coordinates and velocities.
fn check_lengths(own: &Before, [q, v]: [&[String]; 2]) -> Result<(), String> {
    let of_v = if q.len() == v.len() {
        "coordinates"
    } else {
        "velocities"
    };
    for (field, own, names, what) in [("q", &own.q, q, "coordinates"), ("v", &own.v, v, of_v)] {
        if own.len() != names.len() {
            return Err(format!(
                "the field {field:?} has {} numbers, and the scene {} {what}: {}",
                own.len(),
                names.len(),
                names.join(", ")
            ));
        }
    }
    Ok(())
}

/// t = k h.
pub fn time(h: &Rational, rounding: &Rounding, line: &Line, found: &mut Breaches) {
    let Some(t) = line.t.exact() else { return };
    let own = Rational::from(h * line.k);
    let off = Rational::from(&t - &own);
    // A clock that adds h up has a rounding a step.
    let tolerance = Rational::from(&rounding.relative * &own) * (line.k + 2);
    if off.clone().abs() > tolerance {
        let words = format!(
            "t is {} s, and k h is {} s",
            short_text(&t),
            short_text(&own)
        );
        let at = (MotionLaw::Data, "time".to_owned());
        found.report(at, off, ("s", tolerance), words);
    }
}

/// The coordinates that add up the velocities, in the order of these; 0 for the spin of a body in space.
fn followed(turns: &[LawfulTurn], q: &[Rational]) -> Vec<Rational> {
    let mut own = Vec::with_capacity(q.len());
    let mut next = 0;
    for turn in turns {
        own.extend_from_slice(&q[next..turn.quaternion.start]);
        own.extend(turn.spin.clone().map(|_| Rational::new()));
        next = turn.quaternion.end;
    }
    own.extend_from_slice(&q[next..]);
    own
}

/// How a body in space turns in a step.
fn turn(own: &LawfulTurn, before: &Before, after: &Before) -> BodyTurn {
    let both = [before, after];
    let number = |own: &[Rational], k: usize| own.get(k).cloned().unwrap_or_default();
    BodyTurn {
        owner: format!("body {}", own.body),
        orientation: both
            .map(|state| array::from_fn(|k| number(&state.q, own.quaternion.start + k))),
        spin: both.map(|state| array::from_fn(|k| number(&state.v, own.spin.start + k))),
        rule: TurnRule::Linear,
    }
}

fn contacts(laws: &MotionLaws, line: &Line) -> Result<Vec<RecordedContact>, String> {
    let mut names = laws.contacts();
    if laws.lists_what_takes_part() {
        for (i, own) in line.contacts.iter().enumerate() {
            let pair = &own.pair;
            let others = &line.contacts[..i];
            if !laws.may_take_part(pair) || others.iter().any(|other| other.pair == *pair) {
                return Err(format!(
                    "the field \"contacts[{i}].pair\" is {pair:?}, which is no face of an obstacle of the scene, or is there twice; a name is that of a point and a side of the other body, or of two edges"
                ));
            }
        }
        names = line.contacts.iter().map(|own| own.pair.clone()).collect();
        check_wholes(laws, &names)?;
    }
    if line.contacts.len() != names.len() {
        return Err(format!(
            "the field \"contacts\" has {} entries, and the scene {} contacts: {}",
            line.contacts.len(),
            names.len(),
            names.join(", ")
        ));
    }
    let bounces = line.bounces.as_deref().unwrap_or_default();
    let one = |(i, (contact, name)): (usize, (&Contact, &String))| {
        let field = |own: &str| format!("contacts[{i}].{own}");
        if contact.pair != *name {
            let (field, pair) = (field("pair"), &contact.pair);
            return Err(format!(
                "the field {field:?} is {pair:?}, and the scene's contact there is {name:?}"
            ));
        }
        Ok(RecordedContact {
            name: name.clone(),
            normal: number(&field("normal"), &contact.normal)?,
            friction: numbers(&field("friction"), &contact.friction)?,
            torsion: match &contact.torsion {
                Some(own) => number(&field("torsion"), own)?,
                None => Rational::new(),
            },
            bounces: bounces.contains(name),
        })
    };
    line.contacts
        .iter()
        .zip(&names)
        .enumerate()
        .map(one)
        .collect()
}

/// The obstacles of a whole pair of bodies are numbered from 1 in each step, and no number is left out.
fn check_wholes(laws: &MotionLaws, names: &[String]) -> Result<(), String> {
    let wholes: Vec<_> = names.iter().map(|own| laws.whole_of(own)).collect();
    for (i, (name, own)) in names.iter().zip(&wholes).enumerate() {
        let Some((pair, number @ 2..)) = *own else {
            continue;
        };
        let below = number - 1;
        if !wholes.contains(&Some((pair, below))) {
            return Err(format!(
                "the field \"contacts[{i}].pair\" is {name:?}, and no contact of its bodies has \"whole {below}\": obstacles of a whole pair are numbered from 1, and no number is left out"
            ));
        }
    }
    Ok(())
}

/// A contact of the scene with what is recorded of it: nothing of one that the line does not list.
fn contact_of(
    own: &LawfulContact,
    recorded: Option<&RecordedContact>,
    line: Option<&Contact>,
) -> MotionContact {
    let mut rubbed = recorded.map_or(Vec::new(), |own| own.friction.clone());
    let along = own.tangents.len() - usize::from(own.torsion.is_some());
    rubbed.resize(along, Rational::new());
    if let Some(e) = &own.torsion {
        let torque = recorded.map_or(Rational::new(), |own| own.torsion.clone());
        rubbed.push(torque / e);
    }
    MotionContact {
        turning: Vec::new(),
        limit: None,
        name: own.name.clone(),
        normal: own.normal.clone(),
        tangents: own.tangents.clone(),
        mu: own.mu.clone(),
        polygon: own.polygon.clone(),
        pressed: recorded.map_or(Rational::new(), |own| own.normal.clone()),
        rubbed,
        target: own.target.clone(),
        stops_at_gap: own.stops_at_gap,
        target_size: own.target_size.clone(),
        reach: None,
        first_gap: None,
        normal_off: None,
        gap: line.and_then(|own| own.gap.exact()),
        own_gap: (!own.unknown).then(|| own.told_gap.as_ref().unwrap_or(&own.gap).clone()),
        keeps_apart: own.keeps_apart,
        gap_size: own.gap_size.clone(),
        slop: own.slack.clone(),
        still: own.still.clone(),
        uncertain: own.uncertain.clone(),
    }
}

/// Names of coordinates end with what they are: `ball x`, `rod theta`, `rx`.
fn coordinates(names: &[String], spins: &[LawfulTurn], lawful: &LawfulStep) -> Vec<Coordinate> {
    let mut found: Vec<Coordinate> = Vec::with_capacity(names.len());
    let mut kinds: Vec<(&str, bool)> = Vec::new();
    for (k, name) in names.iter().enumerate() {
        let (body, axis) = name.rsplit_once(' ').unwrap_or(("", name));
        let turns = matches!(axis, "theta" | "angle" | "rx" | "ry" | "rz");
        let known = kinds.iter().position(|own| *own == (body, turns));
        let block = known.unwrap_or(kinds.len());
        if known.is_none() {
            kinds.push((body, turns));
        }
        let owner = match body {
            "" => format!("coordinate {axis}"),
            body => format!("body {body}"),
        };
        found.push(Coordinate {
            owner,
            turns,
            block,
            unfollowed: spins.iter().any(|own| own.spin.contains(&k)),
            wraps: false,
            driven: lawful.driven.get(k).is_some_and(|own| *own),
        });
    }
    // What the mass matrix couples has its noise in common.
    for (i, row) in lawful.mass.iter().enumerate() {
        for (j, _) in row {
            let (a, b) = (found[i].block, found[*j].block);
            let same = found.iter_mut().filter(|own| own.block == b);
            same.for_each(|own| own.block = a);
        }
    }
    found
}

fn recorded_energy(line: &Line) -> RecordedEnergy {
    let parts = line.dissipation.iter().flatten();
    let parts = parts.filter_map(|(name, part)| Some((name.clone(), part.exact()?)));
    RecordedEnergy {
        at_start: [None, None],
        kinetic: line.energy.kinetic.exact(),
        potential: line.energy.potential.exact(),
        dissipated: line.dissipated.exact(),
        work: line
            .work
            .as_ref()
            .map(|own| own.exact().unwrap_or_default()),
        parts: parts.collect(),
    }
}

/// A first-order world has no kinetic energy. 0 is a number of any precision, so nothing is tolerated.
pub fn no_kinetic(told: &Quantity, name: &str, found: &mut Breaches) {
    let Some(own) = told.exact().filter(|own| *own != 0) else {
        return;
    };
    let words = format!(
        "{} J are recorded, and in a first-order world there is none",
        short_text(&own)
    );
    let at = (MotionLaw::EnergyIdentity, name.to_owned());
    found.report(at, own, ("J", Rational::new()), words);
}

/// The energies of the step from rest that a step of a first-order world is times h, by the kinetic energy T that it would have: there
/// the drag v'M v' is T, which is recorded as lost, and the numerical part, as much again.
fn without_drag(recorded: &mut RecordedEnergy, kinetic: &Rational) {
    // That there is none, `no_kinetic` asks.
    recorded.kinetic = None;
    recorded.dissipated = recorded.dissipated.take().map(|own| own - kinetic);
    for (name, part) in &mut recorded.parts {
        if name == "drag" {
            "numerical".clone_into(name);
            *part -= kinetic;
        }
    }
}

fn own_energy(lawful: &LawfulStep, has_surfaces: bool, [before, after]: [&Before; 2]) -> OwnEnergy {
    let kinetic = |v: &[Rational]| {
        let mut twice = Rational::new();
        for (row, own) in lawful.mass.iter().zip(v) {
            for (j, mass) in row {
                twice += Rational::from(mass * &v[*j]) * own;
            }
        }
        twice / 2u32
    };
    let steady = || [kinetic(&before.v), kinetic(&after.v)];
    OwnEnergy {
        kinetic: lawful.kinetic.clone().unwrap_or_else(steady),
        potential: lawful.potential.clone(),
        size: lawful.potential_size.clone(),
        slope: lawful.force_size.clone(),
        work: lawful.work.clone(),
        // Of implicit surfaces the inertia has a part, too, and friction and position are those of the solution.
        by_parts: !has_surfaces,
    }
}
