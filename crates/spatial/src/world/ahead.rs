//! Bodies where a step takes masses, contacts and joints: at its start, or ahead of it by free flight.

use std::borrow::Cow;

use rug::Rational;

use super::SpaceWorld;
use crate::error::SpatialError;
use crate::flight::fly;
use crate::grid::kept;
use crate::settings::Settings;
use crate::state::SpaceState;

impl SpaceWorld {
    /// The state by whose places a step takes masses, contacts and joints. Velocities and momenta are those before the step; bodies have gone on with
    /// them for [`Settings::time_ahead`], on the grid. They turn by free flight, so that the energy of turning stays what it is.
    ///
    /// # Errors
    /// [`SpatialError::Spin`] and [`SpatialError::Inertia`] for a body that turns too far.
    pub fn evaluated<'a>(
        &self,
        before: &'a SpaceState,
        settings: &Settings,
    ) -> Result<Cow<'a, SpaceState>, SpatialError> {
        let time = settings.time_ahead();
        if time == 0 {
            return Ok(Cow::Borrowed(before));
        }
        let mut at = before.clone();
        for body in self.moving() {
            let own = &mut at.bodies[body];
            let inverse = self.inverse_inertia(body);
            let flight = fly(&own.attitude, &own.momentum, inverse, &time);
            own.attitude = flight
                .map_err(|angle| self.turns_too_far(body, angle))?
                .attitude;
            own.position = kept(&(&own.position + &own.velocity.times(&time)));
        }
        self.carry(&mut at);
        Ok(Cow::Owned(at))
    }

    /// Why a body does not fly by that angle in a step, rad.
    pub(crate) fn turns_too_far(&self, body: usize, angle: f64) -> SpatialError {
        let body = self.bodies[body].name.clone();
        match angle.is_finite() {
            true => SpatialError::Spin {
                body,
                angle: format!("{angle:.1e}"),
            },
            false => SpatialError::Inertia {
                body,
                why: "its angular momentum or velocity is beyond the range of binary64; take units in which the body is of the order of 1".to_owned(),
            },
        }
    }
}

/// What a velocity moves from the point of evaluation on, over h: that at the end of a step, less the share of the one before it by which the point is ahead.
pub(crate) fn onwards(settings: &Settings, end: &[Rational], before: &[Rational]) -> Vec<Rational> {
    let share = settings.time_ahead() / &settings.h;
    let pairs = end.iter().zip(before);
    pairs
        .map(|(end, before)| end - Rational::from(&share * before))
        .collect()
}
