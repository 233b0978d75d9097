//! A run that is told: what happened at the contacts, where the energy went, and what is said of the
//! complementarity problems.

use std::collections::BTreeMap;

use etalon_evidence::measure::figures::four_digits as digits;
use etalon_golden::trajectory::{Energy, Header, Line, Quantity};

use super::show::{count, list};
use crate::Result;
use crate::console::Console;

/// Events that are told one by one; more are counted.
const TOLD: usize = 24;

/// What is remembered of a run.
#[derive(Default)]
pub(super) struct Story {
    opening: String,
    start: Option<Energy>,
    /// Whether each contact presses: the pair, and the place among the contacts of the pair.
    presses: BTreeMap<(String, usize), bool>,
    /// The largest impulse so far, N s.
    largest: f64,
    events: Vec<String>,
    untold: usize,
    /// Energy by what took it, J.
    took: BTreeMap<String, f64>,
    last: Option<Line>,
    problems: u64,
    unconverged: u64,
    collisions: u64,
}

fn value(quantity: &Quantity) -> f64 {
    quantity.finite().unwrap_or_default()
}

impl Story {
    pub(super) fn new(header: &Header) -> Self {
        let steps = header.steps.map_or("steps".to_owned(), |steps| {
            count(steps as usize, "step", "steps")
        });
        let arithmetic = match header.arithmetic.as_deref() {
            Some("rational") => ", exact",
            Some("binary64") => ", in binary64",
            _ => "",
        };
        let solver = header.solver.as_ref().map_or(String::new(), |solver| {
            format!("; each complementarity problem by {solver}")
        });
        Self {
            opening: format!(
                "{}: {steps} of {} s{arithmetic}{solver}.",
                header.scenario,
                digits(value(&header.h))
            ),
            start: header.start.energy.clone(),
            ..Self::default()
        }
    }

    /// Takes up a step.
    pub(super) fn add(&mut self, line: &Line) {
        let mut happened = Vec::new();
        let mut of_pair: BTreeMap<&str, usize> = BTreeMap::new();
        let mut now: BTreeMap<(String, usize), f64> = BTreeMap::new();
        // Joints hold all the time.
        for contact in line
            .contacts
            .iter()
            .filter(|contact| contact.joint != Some(true))
        {
            let place = of_pair.entry(&contact.pair).or_default();
            now.insert((contact.pair.clone(), *place), value(&contact.normal));
            *place += 1;
        }
        let impulses = line.contacts.iter().map(|contact| value(&contact.normal));
        self.largest = impulses.fold(self.largest, f64::max);
        // Below 1e-9 of the largest impulse there is rounding only: of a binary64 step, some 1e-16 of it a
        // contact and a pivot.
        let presses = |impulse: f64, largest: f64| impulse > 1e-9 * largest;
        for (contact, before) in &mut self.presses {
            if *before
                && !now
                    .get(contact)
                    .is_some_and(|impulse| presses(*impulse, self.largest))
            {
                *before = false;
                happened.push(format!("{} lets go", contact.0));
            }
        }
        for (contact, impulse) in now {
            if presses(impulse, self.largest)
                && self.presses.insert(contact.clone(), true) != Some(true)
            {
                let impulse = digits(impulse);
                happened.push(format!(
                    "{} touches, with an impulse of {impulse} N s",
                    contact.0
                ));
            }
        }
        for pair in line.bounces.iter().flatten() {
            happened.push(format!("{pair} bounces"));
        }
        if let Some(collisions) = line.collisions.filter(|now| *now > self.collisions) {
            let new = (collisions - self.collisions) as usize;
            happened.push(count(new, "collision", "collisions"));
            self.collisions = collisions;
        }
        if line.converged == Some(false) {
            happened.push("the step did not converge".to_owned());
        }
        if !happened.is_empty() {
            if self.events.len() < TOLD {
                let time = digits(value(&line.t));
                self.events
                    .push(format!("  t = {time:>8} s  {}", happened.join("; ")));
            } else {
                self.untold += 1;
            }
        }
        for (what, energy) in line.dissipation.iter().flatten() {
            *self.took.entry(what.clone()).or_default() += value(energy);
        }
        self.problems += line.problems.unwrap_or(u64::from(line.lcp.n > 0));
        self.unconverged += u64::from(line.converged == Some(false));
        self.last = Some(line.clone());
    }

    /// Tells the story of the steps so far to a person on a terminal; others have the lines.
    pub(super) fn tell(&self, console: &Console) -> Result<()> {
        if !console.tells() {
            return Ok(());
        }
        console.line(self.text())
    }

    fn text(&self) -> String {
        let mut parts = vec![self.opening.clone()];
        let mut events = self.events.clone();
        if events.is_empty() {
            events.push("  nothing touches, and nothing lets go".to_owned());
        }
        if self.untold > 0 {
            events.push(format!(
                "  ... and events in {} more",
                count(self.untold, "step", "steps")
            ));
        }
        parts.push(format!("What happens:\n{}", events.join("\n")));
        if let Some(line) = &self.last {
            parts.push(self.energies(line));
            let unconverged = match self.unconverged {
                0 => String::new(),
                some => format!(
                    "; {} did not converge",
                    count(some as usize, "step", "steps")
                ),
            };
            let problems = count(
                self.problems as usize,
                "complementarity problem",
                "complementarity problems",
            );
            parts.push(format!("{problems} solved{unconverged}."));
        }
        parts.join("\n\n")
    }

    fn energies(&self, line: &Line) -> String {
        let total = |energy: &Energy| value(&energy.kinetic) + value(&energy.potential);
        let kinds = |energy: &Energy| {
            format!(
                "{} J ({} kinetic, {} potential)",
                digits(total(energy)),
                digits(value(&energy.kinetic)),
                digits(value(&energy.potential))
            )
        };
        let from = self.start.as_ref().map_or(String::new(), |start| {
            format!("{} at the start, ", kinds(start))
        });
        let took: Vec<_> = self
            .took
            .iter()
            .filter(|(_, energy)| **energy != 0.0)
            .map(|(what, energy)| format!("{what} {} J", digits(*energy)))
            .collect();
        let took = if took.is_empty() {
            String::new()
        } else {
            format!(" Taken by: {}.", list(&took))
        };
        format!(
            "Energy: {from}{} at t = {} s.{took}",
            kinds(&line.energy),
            digits(value(&line.t))
        )
    }
}
