//! Models from scenes, with the state at the start.

use std::collections::HashSet;

use crate::body::{Motion, Solid};
use crate::contact::{ConnectionLaw, Passes};
use crate::error::WorldError;
use crate::forces::Forces;
use crate::range::{check, finite, limit, positive};
use crate::scene::{BodySpec, WorldSpec};
use crate::settings::Settings;
use crate::state::State;
use crate::tolerances::Tolerances;

use super::names::{Names, find, names};
use super::{Inside, Model, bodies, connections, laws};

impl Model {
    /// The model of a scene, the state that it starts in, and who is inside whom by then.
    ///
    /// # Errors
    /// [`WorldError`].
    pub fn of(scene: WorldSpec) -> Result<(Self, State, Inside), WorldError> {
        check_settings(&scene.settings)?;
        finite("the time", &[scene.time])?;
        limit("bodies", scene.bodies.len())?;
        limit("connectors", scene.connectors.len())?;
        let names = names(&scene.bodies)?;
        let bodies = scene.bodies.iter().map(bodies::body);
        let bodies = bodies.collect::<Result<Vec<_>, _>>()?;
        let (solids, motions): (Vec<Solid>, Vec<Motion>) = bodies.into_iter().unzip();
        let laws = laws::laws(&scene.bodies, &scene.forces)?;
        let tolerances = Tolerances::of(&scene.settings);
        let connections = scene
            .connectors
            .iter()
            .map(|connector| connections::connections(connector, &names, &solids, tolerances));
        let connections = connections.collect::<Result<Vec<_>, _>>()?.concat();
        let mut passes = passes(&scene.bodies, &names)?;
        for connection in &connections {
            if let ConnectionLaw::Joint { .. } | ConnectionLaw::Along { .. } = connection.law {
                passes.add_pair(connection.first, connection.second);
            }
        }
        let came_in = came_in(&scene.bodies, &names, &passes)?;
        let state = State::new(motions, scene.time, scene.settings.seed);
        let model = Self {
            solids,
            connections,
            forces: Forces::of(laws),
            passes,
            scene,
        };
        let inside = model.inside(&state.motions, &came_in);
        model.starts_apart(&state, &inside)?;
        Ok((model, state, inside))
    }
}

/// The pairs of bodies of which a scene says that one is inside of the other one, the lower index first.
fn came_in(
    bodies: &[BodySpec],
    names: &Names<'_>,
    passes: &Passes,
) -> Result<HashSet<(usize, usize)>, WorldError> {
    let by_edges = passes.pairs_by_edges();
    let mut pairs = HashSet::new();
    for (own, spec) in bodies.iter().enumerate() {
        for name in &spec.inside {
            let other = find(names, name)?;
            let pair = (own.min(other), own.max(other));
            if !by_edges.contains(&pair) {
                return Err(WorldError::NoWayIn {
                    body: spec.name.clone(),
                    other: name.clone(),
                });
            }
            pairs.insert(pair);
        }
    }
    Ok(pairs)
}

/// What the bodies of a scene pass through: whole bodies, and single edges of others.
fn passes(bodies: &[BodySpec], names: &Names<'_>) -> Result<Passes, WorldError> {
    let mut passes = Passes::default();
    for (own, spec) in bodies.iter().enumerate() {
        check_passed(spec)?;
        for name in &spec.passes {
            passes.add_pair(own, find(names, name)?);
        }
        for through in &spec.passes_edges {
            let other = find(names, &through.body)?;
            let edges = bodies[other].path.edges.len();
            for &edge in &through.edges {
                if edge >= edges {
                    return Err(WorldError::NoEdge {
                        body: spec.name.clone(),
                        other: through.body.clone(),
                        edge,
                        edges,
                    });
                }
                passes.add_edge(other, edge, own);
            }
        }
    }
    Ok(passes)
}

/// A body is not to pass through itself, and through everything else once: what is said otherwise was meant otherwise.
fn check_passed(spec: &BodySpec) -> Result<(), WorldError> {
    let passed = spec.passes.iter().map(|name| ("passes", name));
    let edges = spec.passes_edges.iter();
    let edges = edges.map(|through| ("passes_edges", &through.body));
    let twice = |field, what| {
        let body = spec.name.clone();
        Err(WorldError::PassesTwice { body, field, what })
    };
    let mut seen = HashSet::new();
    for (field, name) in passed.chain(edges) {
        if *name == spec.name {
            let body = spec.name.clone();
            return Err(WorldError::PassesItself { body, field });
        }
        if !seen.insert((field, name)) {
            return twice(field, format!("{name:?}"));
        }
    }
    for through in &spec.passes_edges {
        let mut seen = HashSet::new();
        if let Some(edge) = through.edges.iter().find(|edge| !seen.insert(**edge)) {
            return twice("passes_edges", format!("edge {edge} of {:?}", through.body));
        }
    }
    Ok(())
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
