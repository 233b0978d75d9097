//! Models from scenes, with the state at the start.

use std::collections::HashSet;

use crate::body::{Motion, Solid};
use crate::contact::ConnectionLaw;
use crate::error::WorldError;
use crate::forces::Forces;
use crate::range::{check, finite, limit, positive};
use crate::scene::WorldSpec;
use crate::settings::Settings;
use crate::state::State;

use super::names::{find, names};
use super::{Model, bodies, connections, laws};

impl Model {
    /// The model of a scene, and the state that it starts in.
    ///
    /// # Errors
    /// [`WorldError`].
    pub fn of(scene: WorldSpec) -> Result<(Self, State), WorldError> {
        check_settings(&scene.settings)?;
        finite("the time", &[scene.time])?;
        limit("bodies", scene.bodies.len())?;
        limit("connectors", scene.connectors.len())?;
        let names = names(&scene.bodies)?;
        let bodies = scene.bodies.iter().map(bodies::body);
        let bodies = bodies.collect::<Result<Vec<_>, _>>()?;
        let (solids, motions): (Vec<Solid>, Vec<Motion>) = bodies.into_iter().unzip();
        let laws = laws::laws(&scene.bodies, &scene.forces)?;
        let connections = scene.connectors.iter();
        let connections =
            connections.map(|connector| connections::connection(connector, &names, &solids));
        let connections = connections.collect::<Result<Vec<_>, _>>()?;
        let mut passes = HashSet::new();
        for (i, spec) in scene.bodies.iter().enumerate() {
            for name in &spec.passes {
                let j = find(&names, name)?;
                passes.insert((i.min(j), i.max(j)));
            }
        }
        for connection in &connections {
            if let ConnectionLaw::Joint { .. } = connection.law {
                let (i, j) = (connection.first, connection.second);
                passes.insert((i.min(j), i.max(j)));
            }
        }
        let state = State::new(motions, scene.time, scene.settings.seed);
        let model = Self {
            solids,
            connections,
            forces: Forces::of(laws),
            passes,
            scene,
        };
        model.starts_apart(&state)?;
        Ok((model, state))
    }
}

pub(super) fn check_settings(settings: &Settings) -> Result<(), WorldError> {
    positive("the time step", settings.time_step)?;
    positive("the distance tolerance", settings.distance_tolerance)?;
    positive("the velocity tolerance", settings.velocity_tolerance)?;
    let accuracy = settings.accuracy;
    let holds = accuracy > 0.0 && accuracy <= 1.0;
    check(holds, "the accuracy", accuracy, "over 0 and up to 1")?;
    Ok(())
}
