//! What a run of a scene in motion leaves beside its lines: energies, and what people are told.

use etalon_evidence::picture::{Energies, FilmStrip};
use etalon_golden::trajectory::{Contact, Energy, Line, to_f64s};
use etalon_judge::Judge;
use etalon_lcp::{Claim, ClaimedAnswer, VerdictKind, round_up_f64};
use etalon_planar::Verdicts;
use etalon_scenarios::ScenarioPart;
use etalon_scenarios::motion::{MotionError, MotionRun, StepRecord};

use super::step_log::StepLog;
use super::story::Story;
use crate::bounce_gain::BounceGains;
use crate::console::Console;
use crate::flight_gain::FlightGain;
use crate::{Ending, Result};

/// What is seen of a run.
pub struct Seen {
    pub energies: Energies,
    /// The bodies, where a picture is asked for.
    pub strip: Option<FilmStrip>,
    /// The time step, s.
    h: f64,
    /// Where people are told of it.
    pub told: Option<Story>,
    /// The log of the steps, where one is asked for, and the last step.
    pub log: Option<StepLog>,
    last: Option<StepRecord>,
    verdicts: Verdicts,
    gains: FlightGain,
    bounces: BounceGains,
    unconverged: u64,
}

impl Seen {
    /// Nothing is seen yet; with `tell` people are told in the end.
    pub fn new(trajectory: &dyn MotionRun, tell: bool) -> Self {
        let header = trajectory.header();
        let start = header.start.energy.clone().unwrap_or_default();
        Self {
            energies: Energies::from(energies_at(0.0, &start)),
            strip: None,
            h: header.h.to_f64(),
            told: tell.then(|| Story::new(header, ScenarioPart::Motion)),
            log: None,
            last: None,
            verdicts: Verdicts::default(),
            gains: FlightGain::default(),
            bounces: BounceGains::default(),
            unconverged: 0,
        }
    }

    /// A step that an earlier run has taken.
    pub fn earlier(&mut self, line: &Line) {
        self.energies.push(energies_of(line));
        if let Some(strip) = &mut self.strip {
            // The mean force of the step, from its impulse.
            let force = |contact: &Contact| contact.normal.to_f64() / self.h;
            let forces: Vec<f64> = line.contacts.iter().map(force).collect();
            strip.add(&to_f64s(&line.q), line.t.to_f64(), &forces);
        }
        if let Some(story) = &mut self.told {
            story.add(line);
        }
    }

    /// Takes a step; where people are told of it, its (last) problem is judged.
    pub fn step(
        &mut self,
        trajectory: &mut dyn MotionRun,
    ) -> std::result::Result<Line, MotionError> {
        let line = if self.told.is_some() || self.log.is_some() {
            let (line, record) = trajectory.advance_recorded()?;
            if self.told.is_some() {
                self.judge(&record);
            }
            self.last = Some(record);
            line
        } else {
            trajectory.advance()?
        };
        self.unconverged += u64::from(line.converged == Some(false));
        self.gains.add(&line);
        if let Some(gain) = trajectory.bounce_gain() {
            self.bounces.add("", line.k, gain.clone());
        }
        self.earlier(&line);
        Ok(line)
    }

    /// Adds the last step to the log.
    pub fn log_last(&mut self) -> Result<()> {
        match (&mut self.log, self.last.take()) {
            (Some(log), Some(record)) => log.add(&record),
            _ => Ok(()),
        }
    }

    fn judge(&mut self, record: &StepRecord) {
        if record.problem.n() == 0 {
            return;
        }
        let name = record.problem.name().to_owned();
        let z = record.z.clone();
        let claim = Claim::new(name, ClaimedAnswer::Solved { z });
        let judgement = Judge::default().verdict(&record.problem, &claim);
        let (verdict, counts) = (&judgement.verdict, &mut self.verdicts);
        counts.judged += 1;
        counts.exact += u64::from(verdict.kind == VerdictKind::Exact);
        counts.accepted += u64::from(verdict.kind == VerdictKind::Accepted);
        counts.wrong += u64::from(!judgement.accepted);
        if let Some(error) = verdict.figure() {
            counts.worst_error = counts.worst_error.max(round_up_f64(error));
        }
    }

    /// Tells what is to be told at the end; whether all verdicts are right.
    pub fn tell(&self, console: &Console) -> Result<Ending> {
        if let Some(story) = &self.told {
            console.line(story.told(&self.verdicts))?;
        }
        if let Some(gains) = self.gains.to_text() {
            console.note(gains);
        }
        if let Some(bounces) = self.bounces.to_text() {
            console.note(bounces);
        }
        if self.unconverged > 0 {
            console.warning(format_args!(
                "{} steps did not converge; their lines say so",
                self.unconverged
            ));
        }
        Ok(match self.verdicts.wrong {
            0 => Ending::Accepted,
            _ => Ending::NotAccepted,
        })
    }
}

/// Time, kinetic and potential energy of a line.
fn energies_of(line: &Line) -> [f64; 3] {
    energies_at(line.t.finite().unwrap_or_default(), &line.energy)
}

fn energies_at(time: f64, energy: &Energy) -> [f64; 3] {
    let parts = [&energy.kinetic, &energy.potential];
    let [kinetic, potential] = parts.map(|part| part.finite().unwrap_or_default());
    [time, kinetic, potential]
}
