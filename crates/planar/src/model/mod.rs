//! The model: what a step does not change.

mod bodies;
mod build;
mod connections;
mod inside;
mod laws;
mod names;

pub use inside::Inside;

use crate::body::{Bodies, Solid};
use crate::contact::{Connection, Contact, Locator, Passes, find, overlap, overstretched};
use crate::error::{StepError, WorldError};
use crate::forces::Forces;
use crate::scene::{ForceLaw, WorldSpec};
use crate::settings::Settings;
use crate::state::State;
use crate::tolerances::Tolerances;

/// Solids, connectors, forces and settings. Commands change them; a step only reads them.
#[derive(Debug)]
pub(crate) struct Model {
    /// The scene that the model was made from, with what commands have changed of it. Its positions and velocities are
    /// those of the start.
    pub scene: WorldSpec,
    /// One for each body of the scene.
    pub solids: Vec<Solid>,
    pub connections: Vec<Connection>,
    pub forces: Forces,
    /// What does not collide.
    pub passes: Passes,
}

impl Model {
    /// Takes new settings.
    ///
    /// # Errors
    /// [`WorldError::Range`].
    pub fn set(&mut self, settings: Settings) -> Result<(), WorldError> {
        build::check_settings(&settings)?;
        self.scene.settings = settings;
        Ok(())
    }

    /// Takes other forces that are always on.
    ///
    /// # Errors
    /// [`WorldError`].
    pub fn set_forces(&mut self, forces: Vec<ForceLaw>) -> Result<(), WorldError> {
        self.forces.laws = laws::laws(&self.scene.bodies, &forces)?;
        self.scene.forces = forces;
        Ok(())
    }

    pub fn settings(&self) -> &Settings {
        &self.scene.settings
    }

    /// The bodies in a state.
    pub fn bodies<'a>(&'a self, state: &'a State) -> Bodies<'a> {
        Bodies {
            solids: &self.solids,
            motions: &state.motions,
        }
    }

    /// The thresholds that follow from the scale of the scene.
    pub fn tolerances(&self) -> Tolerances {
        Tolerances::of(self.settings())
    }

    /// The parts of the model that places of contacts depend on.
    pub fn locator(&self) -> Locator<'_> {
        Locator {
            connections: &self.connections,
            tolerances: self.tolerances(),
        }
    }

    /// Adds the contacts of a state to those that are known. `time` is noted as the time when they were found:
    /// integrators try states of other times than the state's own.
    pub fn find(&self, state: &State, contacts: &mut Vec<Contact>, time: f64) {
        find(
            contacts,
            self.bodies(state),
            &self.locator(),
            &self.passes,
            time,
        );
    }

    /// Whether all points are still on the paths that hold them, within the distance tolerance.
    ///
    /// # Errors
    /// [`StepError::Beside`] of the first that is not.
    pub fn stays_on_paths(&self, state: &State) -> Result<(), StepError> {
        let (bodies, limit) = (self.bodies(state), self.tolerances().distance);
        let beside = |own: &Connection| own.beside(bodies).filter(|way| *way > limit);
        let found = self
            .connections
            .iter()
            .find_map(|own| Some((own, beside(own)?)));
        let name = |body: usize| self.scene.bodies[body].name.clone();
        match found {
            Some((own, beside)) => Err(StepError::Beside {
                time: state.time,
                body: name(own.first),
                other: name(own.second),
                beside,
                limit,
            }),
            None => Ok(()),
        }
    }

    /// Refuses a start in which bodies overlap or ropes are too short. Contact is found where corners pass edges, so a body
    /// that starts inside another one would fall through. Bodies that are inside by the motion that led here may be.
    fn starts_apart(&self, state: &State, inside: &Inside) -> Result<(), WorldError> {
        let name = |body: usize| self.scene.bodies[body].name.clone();
        let (bodies, locator) = (self.bodies(state), self.locator());
        if let Some((first, second, depth)) = overlap(bodies, &locator, &self.passes, &inside.pairs)
        {
            return Err(WorldError::Overlap {
                first: name(first),
                second: name(second),
                depth,
            });
        }
        connections::starts_on_tracks(&self.connections, bodies, locator.tolerances, name)?;
        match overstretched(bodies, &locator) {
            Some((first, second, beyond)) => Err(WorldError::Overstretched {
                first: name(first),
                second: name(second),
                beyond,
            }),
            None => Ok(()),
        }
    }
}
