//! Where the contacts of a line act, of bodies with implicit surfaces: for pictures.

use std::collections::HashMap;

use etalon_golden::trajectory::{Line, Quantity, to_f64s};
use etalon_time_stepping::StepError;
use etalon_time_stepping::implicit::{PairTouch, System};
use rug::Rational;

use super::formed::system;
use crate::space::ImplicitScene;

/// The bodies and pairs of a scene.
pub struct Touching {
    system: System,
    h: Rational,
}

impl Touching {
    /// Those of a scene.
    ///
    /// # Errors
    /// Why they make no system.
    pub fn of(scene: &ImplicitScene) -> Result<Self, StepError> {
        Ok(Self {
            system: system(scene)?,
            h: scene.h.clone(),
        })
    }

    /// Where each pair is closest at the end of the step that made a line from the state (q, v), by the pair's name. None
    /// for a state that is none.
    pub fn of_line(
        &self,
        (q, v): (&[Quantity], &[Quantity]),
        line: &Line,
    ) -> Option<HashMap<String, PairTouch>> {
        let exact = |values: &[Quantity]| -> Option<Vec<Rational>> {
            values.iter().map(Quantity::exact).collect()
        };
        let (q, v, after) = (exact(q)?, exact(v)?, to_f64s(&line.v));
        let counts = [self.system.coordinates().len(), self.system.velocities()];
        if [q.len(), v.len()] != counts || after.len() != v.len() {
            return None;
        }
        let touches = self.system.touches((&q, &v), &self.h, &after);
        let names = self
            .system
            .pairs()
            .iter()
            .map(|own| self.system.pair_name(own));
        Some(names.zip(touches).collect())
    }
}
