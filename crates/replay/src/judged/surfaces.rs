//! Lines of implicit surfaces. Whether a step is near a solution is proved by `etalon verify`; here a line is asked what it has in common
//! with all others: that it can be read, is in its place, and names what it has.

use etalon_engines::motion::{Breaches, Rounding};
use etalon_golden::trajectory::{Header, Line, Quantity};
use rug::Rational;

use super::JudgedStep;
use super::claims::basis;
use super::line::{numbers, time};

/// The step size of a scene, and how many numbers its states have.
pub struct RecordedSurfaces {
    h: Rational,
    lengths: [usize; 2],
}

impl RecordedSurfaces {
    /// Of a scene whose run has that header.
    ///
    /// # Errors
    /// What is wrong with the start of the file's header.
    pub fn new(header: &Header, own: &Header, h: &Rational) -> Result<Self, String> {
        let surfaces = Self {
            h: h.clone(),
            lengths: [own.start.q.len(), own.start.v.len()],
        };
        surfaces.check_state("start.", &header.start.q, &header.start.v)?;
        Ok(surfaces)
    }

    /// h.
    pub fn h(&self) -> &Rational {
        &self.h
    }

    /// What of a line is wrong, whatever its step does.
    pub fn step(&self, rounding: &Rounding, line: &Line) -> Result<JudgedStep, String> {
        self.check_state("", &line.q, &line.v)?;
        basis("lcp", &line.lcp)?;
        let known = |name: &String| line.contacts.iter().any(|own| own.pair == *name);
        let mut named = line.gains.iter().flatten().enumerate();
        if let Some((i, name)) = named.find(|(_, name)| !known(name)) {
            return Err(format!(
                "the field \"gains[{i}]\" is {name:?}, and no entry of \"contacts\" has that \"pair\""
            ));
        }
        let mut found = Breaches::of(line.k);
        time(&self.h, rounding, line, &mut found);
        Ok(JudgedStep {
            breaches: found.into_list(),
            bounce_gain: None,
        })
    }

    fn check_state(&self, place: &str, q: &[Quantity], v: &[Quantity]) -> Result<(), String> {
        for ((name, own), length) in [("q", q), ("v", v)].into_iter().zip(self.lengths) {
            let field = format!("{place}{name}");
            if own.len() != length {
                return Err(format!(
                    "the field {field:?} has {} numbers, and a state of the scene {length}",
                    own.len()
                ));
            }
            numbers(&field, own)?;
        }
        Ok(())
    }
}
