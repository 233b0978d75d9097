//! Where the contacts of a line act, of bodies with implicit surfaces and at corners: for pictures.

use std::collections::HashMap;

use etalon_golden::trajectory::{Line, Quantity, to_f64s};
use etalon_time_stepping::corner::{SolidTouch, Solids};
use etalon_time_stepping::implicit::{PairTouch, System};
use etalon_time_stepping::{Binary64, StepError};
use rug::Rational;

use super::formed::system;
use super::{scene, solids};
use crate::space::{CornerScene, ImplicitScene};

/// The bodies and pairs of a scene.
pub struct Touching(Pairs);

enum Pairs {
    Implicit { system: System, h: Rational },
    Corners(Box<Solids<f64>>),
}

impl Touching {
    /// Those of a scene of implicit surfaces.
    ///
    /// # Errors
    /// Why they make no system.
    pub fn of(scene: &ImplicitScene) -> Result<Self, StepError> {
        Ok(Self(Pairs::Implicit {
            system: system(scene)?,
            h: scene.h.clone(),
        }))
    }

    /// Those of a scene of corners.
    ///
    /// # Errors
    /// Why they make no system.
    pub fn of_corners(own: &CornerScene) -> Result<Self, StepError> {
        match solids::build(own, &Binary64)?.system {
            scene::System::Solids(solids) => Ok(Self(Pairs::Corners(solids))),
            _ => Err(StepError::Problem("there are no corners".to_owned())),
        }
    }

    /// Where the contacts of a line act, by their names, after a step from the state (q, v): of implicit surfaces where each pair is
    /// closest at the end of the step, of corners where their faces are at its start. None for a state that is none.
    pub fn of_line(
        &self,
        before: (&[Quantity], &[Quantity]),
        line: &Line,
    ) -> Option<HashMap<String, PairTouch>> {
        match &self.0 {
            Pairs::Implicit { system, h } => closest(system, h, before, line),
            Pairs::Corners(solids) => faces(solids, before.0, line),
        }
    }
}

fn closest(
    system: &System,
    h: &Rational,
    (q, v): (&[Quantity], &[Quantity]),
    line: &Line,
) -> Option<HashMap<String, PairTouch>> {
    let exact = |values: &[Quantity]| -> Option<Vec<Rational>> {
        values.iter().map(Quantity::exact).collect()
    };
    let (q, v, after) = (exact(q)?, exact(v)?, to_f64s(&line.v));
    let counts = [system.coordinates().len(), system.velocities()];
    if [q.len(), v.len()] != counts || after.len() != v.len() {
        return None;
    }
    let touches = system.touches((&q, &v), h, &after);
    let names = system.pairs().iter().map(|own| system.pair_name(own));
    Some(names.zip(touches).collect())
}

fn faces(solids: &Solids<f64>, q: &[Quantity], line: &Line) -> Option<HashMap<String, PairTouch>> {
    let q = to_f64s(q);
    if q.len() != solids.coordinates().len() {
        return None;
    }
    let touch = |name: &String| {
        let touched = solids.touched(name)?;
        let SolidTouch {
            at,
            normal,
            tangents,
        } = solids.touch(&touched, &q, &Binary64).ok()??;
        let own = PairTouch {
            at,
            normal,
            tangents,
        };
        Some((name.clone(), own))
    };
    line.contacts.iter().map(|own| touch(&own.pair)).collect()
}
