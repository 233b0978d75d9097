//! A run in words: what happened when, where the energy went, how it ended, and the verdicts on its problems.

mod prose;

use std::collections::{BTreeMap, BTreeSet};

use etalon_golden::trajectory::{Energy, Header, Line, Quantity};
use etalon_scenarios::ScenarioPart;

use super::show::{count, list};

/// So many names are told in an event.
const NAMES: usize = 3;

pub use prose::judged;

/// What is told of a run, step by step.
pub struct Story {
    header: Header,
    part: ScenarioPart,
    events: Vec<Event>,
    /// The pairs that pressed each other in the last step.
    pressing: BTreeSet<String>,
    /// What pairs do, where lines say it.
    modes: BTreeMap<String, String>,
    /// Where energy went, J.
    spent: BTreeMap<String, f64>,
    /// What pushes, torques and obstacles gave, J.
    given: f64,
    /// Steps in which a gap that is not concave gained energy.
    gained: u64,
    collisions: u64,
    jams: u64,
    energy: f64,
    last: Option<Line>,
}

/// What happened in a step, with the energies before and after it, J.
struct Event {
    k: u64,
    t: f64,
    what: Vec<String>,
    energy: [f64; 2],
}

impl Event {
    /// How much energy it took or gave.
    fn size(&self) -> f64 {
        (self.energy[0] - self.energy[1]).abs()
    }
}

impl Story {
    /// Nothing has happened yet.
    pub fn new(header: Header, part: ScenarioPart) -> Self {
        Self {
            energy: header.start.energy.as_ref().map_or(f64::NAN, total),
            header,
            part,
            events: Vec::new(),
            pressing: BTreeSet::new(),
            modes: BTreeMap::new(),
            spent: BTreeMap::new(),
            given: 0.0,
            gained: 0,
            collisions: 0,
            jams: 0,
            last: None,
        }
    }

    /// The next step.
    pub fn add(&mut self, line: &Line) {
        let mut what = self.contacts(line);
        for bounce in line.bounces.iter().flatten() {
            what.push(format!("{bounce} bounces"));
        }
        for struck in line.contacts.iter().filter(|own| own.phases.is_some()) {
            what.push(format!("{} is struck", struck.pair));
        }
        let collisions = line.collisions.unwrap_or(0);
        if collisions > self.collisions {
            let new = (collisions - self.collisions) as usize;
            what.push(count(new, "collision", "collisions"));
        }
        let jams = line.jams.unwrap_or(0);
        if jams > self.jams {
            what.push("collisions that come to no end".to_owned());
        }
        if line.converged == Some(false) {
            what.push("the step does not converge".to_owned());
        }
        let after = total(&line.energy);
        if !what.is_empty() {
            self.events.push(Event {
                k: line.k,
                t: line.t.to_f64(),
                what,
                energy: [self.energy, after],
            });
        }
        for (cause, spent) in line.dissipation.iter().flatten() {
            *self.spent.entry(cause.clone()).or_default() += spent.to_f64();
        }
        self.given += line.work.as_ref().map_or(0.0, Quantity::to_f64);
        self.gained += u64::from(line.gains.as_ref().is_some_and(|gains| !gains.is_empty()));
        (self.collisions, self.jams, self.energy) = (collisions, jams, after);
        self.last = Some(line.clone());
    }

    /// What begins and ends at contacts; a joint is always there.
    fn contacts(&mut self, line: &Line) -> Vec<String> {
        let contacts = || line.contacts.iter().filter(|c| c.joint != Some(true));
        let pressing = contacts().filter(|contact| contact.normal.to_f64() > 0.0);
        let pressing: BTreeSet<_> = pressing.map(|contact| contact.pair.clone()).collect();
        let mut what = Vec::new();
        for (pairs, verb) in [
            (pressing.difference(&self.pressing), ["touches", "touch"]),
            (self.pressing.difference(&pressing), ["parts", "part"]),
        ] {
            let pairs: Vec<_> = pairs.cloned().collect();
            if !pairs.is_empty() {
                let verb = verb[usize::from(pairs.len() > 1)];
                what.push(format!("{} {verb}", some(&pairs)));
            }
        }
        for contact in contacts() {
            let Some(mode) = &contact.mode else {
                continue;
            };
            if self.modes.get(&contact.pair) != Some(mode) {
                what.push(format!("{}: {mode}", contact.pair));
                self.modes.insert(contact.pair.clone(), mode.clone());
            }
        }
        self.pressing = pressing;
        what
    }
}

fn total(energy: &Energy) -> f64 {
    energy.kinetic.to_f64() + energy.potential.to_f64()
}

/// Some of many names.
fn some(names: &[String]) -> String {
    match names.len().checked_sub(NAMES + 1) {
        None => list(names),
        Some(more) => format!("{} and {} more", names[..NAMES].join(", "), more + 1),
    }
}
