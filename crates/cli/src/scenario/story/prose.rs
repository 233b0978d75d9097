//! The sentences and tables of a story.

use etalon_evidence::measure::figures::{four_digits, four_digits_up};
use etalon_golden::trajectory::{Energy, Quantity};
use etalon_lcp::{VerdictKind, parse_rational};
use etalon_planar::Verdicts;
use etalon_scenarios::find;

use super::{Story, total};
use crate::colours::{bad, verdict};
use crate::console::table;
use crate::scenario::show::{count, list, number};

/// So many events are told: those that fit on a screen with what else is said.
const EVENTS: usize = 16;

/// So many contacts and coordinates are told.
const ROWS: usize = 12;

impl Story {
    /// The whole story; `verdicts` are those on its problems.
    pub fn told(&self, verdicts: &Verdicts) -> String {
        let mut parts = vec![self.opening()];
        parts.extend(self.events_told());
        parts.push(self.energies());
        parts.extend(self.end());
        parts.push(judged(verdicts));
        parts.join("\n\n")
    }

    /// What it is a run of, and how it was made.
    fn opening(&self) -> String {
        let header = &self.header;
        let mut text = self.scene();
        let steps = self.last.as_ref().map_or(0, |line| line.k);
        text += &format!(
            "\n{} of {} s, to t = {} s",
            count(steps as usize, "step", "steps"),
            quantity(&header.h),
            self.last
                .as_ref()
                .map_or("0".to_owned(), |line| quantity(&line.t))
        );
        if let Some(formulation) = &header.formulation {
            text += &format!("; formulation {formulation}");
        }
        match (header.arithmetic.as_deref(), header.grid_bits) {
            (Some("grid"), Some(bits)) => {
                text += &format!(", states on a grid of 2^-{bits}, each step exact");
            }
            (Some("rational"), _) => text += ", exact",
            (Some(arithmetic), _) => text += &format!(", in {arithmetic}"),
            (None, _) => {}
        }
        if let Some(solver) = &header.solver {
            text += &format!(", solved by {solver}");
        }
        text + "."
    }

    /// The name, with what it shows and the values of its parameters.
    fn scene(&self) -> String {
        let header = &self.header;
        let name = &header.scenario;
        let about = find(name).ok().and_then(|scenario| {
            let mut parts = scenario.parts();
            parts.find(|about| about.part == self.part)
        });
        let Some(about) = about else {
            return format!("{name}.");
        };
        let values = about.parameters.iter().filter_map(|parameter| {
            let text = header.parameters.get(parameter.recorded)?;
            let value = parse_rational(text).map_or(text.clone(), |value| number(&value));
            let text = format!("{} = {value} {}", parameter.name, parameter.unit);
            Some(text.trim_end().to_owned())
        });
        let values = list(&values.collect::<Vec<_>>());
        format!("{name}: {}.\n{values}.", about.description)
    }

    /// The events, in order of time: where there are many, those with the largest change of energy.
    fn events_told(&self) -> Option<String> {
        let mut told: Vec<_> = self.events.iter().collect();
        told.sort_by(|a, b| b.size().total_cmp(&a.size()).then(a.k.cmp(&b.k)));
        told.truncate(EVENTS);
        told.sort_by_key(|event| event.k);
        let header = ["step", "t, s", "E before, J", "E after, J", "what happens"];
        let rows = told.iter().map(|event| {
            let [before, after] = event.energy.map(four_digits);
            let what = event.what.join("; ");
            vec![
                event.k.to_string(),
                four_digits(event.t),
                before,
                after,
                what,
            ]
        });
        let shown = table(&header, 0..4, rows);
        match (self.events.len(), told.len()) {
            (0, _) => None,
            (all, some) if all > some => Some(format!(
                "{shown}\nThese are the {some} of {all} steps with events in which the energy changes most."
            )),
            _ => Some(shown),
        }
    }

    fn energies(&self) -> String {
        let parts = |energy: &Energy| {
            let [kinetic, potential] = [&energy.kinetic, &energy.potential].map(quantity);
            let all = four_digits(total(energy));
            format!("{all} J (kinetic {kinetic} J, potential {potential} J)")
        };
        let start = self.header.start.energy.as_ref();
        let start = start.map_or("unknown".to_owned(), parts);
        let end = self.last.as_ref().map(|line| parts(&line.energy));
        let mut text = format!("Energy at the start: {start}");
        if let Some(end) = end {
            text += &format!("; at the end: {end}");
        }
        text += ".";
        let spent = self.spent.iter().filter(|(_, spent)| **spent != 0.0);
        let spent: Vec<_> = spent
            .map(|(cause, spent)| format!("{cause} {} J", four_digits(*spent)))
            .collect();
        if !spent.is_empty() {
            text += &format!("\nLost in all: {}.", list(&spent));
        }
        if self.given != 0.0 {
            text += &format!("\nGiven from outside: {} J.", four_digits(self.given));
        }
        if self.gained > 0 {
            text += &format!(
                "\nA gap that is not concave gained energy in {}.",
                count(self.gained as usize, "step", "steps")
            );
        }
        text
    }

    /// The coordinates at the start and at the end, and the contacts that press at the end.
    fn end(&self) -> Vec<String> {
        let Some(last) = &self.last else {
            return Vec::new();
        };
        // A quaternion has four coordinates and three velocities: then there are no pairs.
        let moves = last.v.len() == last.q.len();
        let names = self.header.coordinates.iter().enumerate();
        let rows = names.take(ROWS).map(|(i, name)| {
            let cell = |values: &[Quantity]| values.get(i).map_or(String::new(), quantity);
            let start = cell(&self.header.start.q);
            let mut row = vec![name.clone(), start, cell(&last.q)];
            row.extend(moves.then(|| cell(&last.v)));
            row
        });
        let header = ["coordinate", "at the start", "at the end", "velocity then"];
        let columns = 3 + usize::from(moves);
        let mut parts = vec![table(&header[..columns], 1..columns, rows)];
        if let Some(more) = more(self.header.coordinates.len()) {
            parts[0] += &more;
        }
        let h = self.header.h.to_f64();
        let presses = last.contacts.iter();
        let presses: Vec<_> = presses
            .filter(|contact| contact.normal.to_f64() != 0.0)
            .collect();
        let rows = presses.iter().take(ROWS).map(|contact| {
            let force = contact.normal.to_f64() / h;
            let friction = contact.friction.iter().map(|f| four_digits(f.to_f64() / h));
            let friction = friction.collect::<Vec<_>>().join(", ");
            vec![
                contact.pair.clone(),
                quantity(&contact.gap),
                four_digits(force),
                friction,
            ]
        });
        let header = ["contact at the end", "gap, m", "f_N, N", "f_F, N"];
        let mut pressing = table(&header, 1..4, rows);
        pressing += &more(presses.len()).unwrap_or_default();
        if !presses.is_empty() {
            parts.push(pressing);
        }
        parts
    }
}

/// The verdicts on the problems of a run, in one sentence.
pub fn judged(verdicts: &Verdicts) -> String {
    if verdicts.judged == 0 {
        return "No contact asked for forces, so there was no LCP to judge.".to_owned();
    }
    let wrong = match verdicts.wrong {
        0 => "0 wrong".to_owned(),
        wrong => bad(format!("{wrong} wrong")),
    };
    format!(
        "{} judged: {} {}, {} {}, {wrong}; largest error {}",
        count(verdicts.judged as usize, "LCP", "LCPs"),
        verdicts.exact,
        verdict(VerdictKind::Exact),
        verdicts.accepted,
        verdict(VerdictKind::Accepted),
        four_digits_up(verdicts.worst_error)
    )
}

fn quantity(value: &Quantity) -> String {
    four_digits(value.to_f64())
}

fn more(all: usize) -> Option<String> {
    let more = all.checked_sub(ROWS).filter(|more| *more > 0)?;
    Some(format!("\nand {more} more"))
}
