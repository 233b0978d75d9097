//! First-order worlds: forces make velocities, f = m v (Baraff 1994, section 5; also called quasi-static).
//!
//! The mass m is that per time, kg/s, and the inertia J per time, kg m^2/s. Of the forces F of a step, with joints and contacts,
//!
//! > m v = F + G'f,  times h:  (h m) v = h F + G'(h f).
//!
//! The right equation is a step of length h of bodies with the masses h m, from rest, with impulses h f. So a world of first order is
//! a world of these masses, whose steps begin at rest, and the problem of a step, its laws and their proofs are those of other steps.
//! Weights stay m g: gravity is g/h. A body that nothing holds sinks at the speed of g, m/s.
//!
//! There is no kinetic energy. What the potential V loses goes into the drag of the medium, h (v'm v + w'J w), and into friction:
//!
//! > V - V' + work = drag + friction + position + joints + limits + drives + rounding,
//!
//! since h F'v = h v'm v - h f'G v, and V falls by h F'v exactly, as forces are constant. Drag and friction are never negative.

use std::borrow::Cow;

use etalon_rigid::Dense;
use rug::Rational;

use super::SpaceWorld;
use crate::error::SpatialError;
use crate::settings::{ImpactLaw, Settings, SpaceMethod};
use crate::state::SpaceState;

impl SpaceWorld {
    /// The world with f = m v in place of f = m a, for steps of length h by [`SpaceMethod::FirstOrder`]: masses and inertias are per
    /// time, kg/s and kg m^2/s.
    ///
    /// # Errors
    /// [`SpatialError::FirstOrder`] where bodies have a velocity, or pairs restitution: there is no momentum that would keep the one,
    /// or make the other. [`SpatialError::Step`] for h that is not positive.
    pub fn in_first_order(mut self, h: &Rational) -> Result<Self, SpatialError> {
        if *h <= 0 {
            return Err(etalon_time_stepping::StepError::of_step_length(h).into());
        }
        let moves =
            |body: &&super::Body| !(body.velocity.is_zero() && body.angular_velocity.is_zero());
        if let Some(body) = self.bodies.iter().find(moves) {
            return Err(SpatialError::FirstOrder(format!(
                "the velocity of body {:?} follows from forces: leave \"velocity\" and \"angular_velocity\" out, or give a \"force\" or \"torque\"",
                body.name
            )));
        }
        let mut surfaces = self.surfaces.pairs.iter().map(|(.., own)| own);
        let default = &self.surfaces.default;
        if default.restitution != 0 || surfaces.any(|own| own.restitution != 0) {
            return Err(SpatialError::FirstOrder(
                "nothing bounces: leave \"restitution\" out".to_owned(),
            ));
        }
        let per_step = Rational::from(h.recip_ref());
        for (body, inverse) in self.bodies.iter_mut().zip(&mut self.inverse) {
            body.mass *= h;
            body.inertia = scaled(&body.inertia, h);
            *inverse = scaled(inverse, &per_step);
        }
        self.gravity = self.gravity.times(&per_step);
        self.first_order = Some(h.clone());
        Ok(self)
    }

    /// Whether forces make velocities, and there is no kinetic energy.
    pub fn is_first_order(&self) -> bool {
        self.first_order.is_some()
    }

    /// The state that a step begins with: at rest where forces make velocities.
    pub(crate) fn before<'a>(&self, state: &'a SpaceState) -> Cow<'a, SpaceState> {
        match self.is_first_order() {
            true => Cow::Owned(state.at_rest()),
            false => Cow::Borrowed(state),
        }
    }

    /// That the settings of steps are those of the world.
    pub(crate) fn check_order(&self, settings: &Settings) -> Result<(), SpatialError> {
        let is_wanted = settings.method == SpaceMethod::FirstOrder;
        let why = match &self.first_order {
            None if is_wanted => "its world is made by SpaceWorld::in_first_order",
            Some(_) if !is_wanted => "its world has no other method",
            Some(h) if *h != settings.h => "its world is made for steps of another length",
            Some(_) if settings.impact != ImpactLaw::Newton => {
                "nothing bounces: leave the law of impacts out"
            }
            _ => return Ok(()),
        };
        Err(SpatialError::FirstOrder(why.to_owned()))
    }
}

fn scaled(own: &Dense<Rational>, factor: &Rational) -> Dense<Rational> {
    Dense::from_fn(own.rows(), own.columns(), |i, j| {
        Rational::from(&own[(i, j)] * factor)
    })
}
