//! Scenes at rest and in motion as one list.

use super::engine;
use etalon_scenarios::motion::motions;
use etalon_scenarios::{Parameter, scenarios};

/// A scenario as it is listed.
pub struct Listed {
    pub name: &'static str,
    pub description: &'static str,
    pub source: &'static str,
    pub parameters: Vec<&'static Parameter>,
    /// Whether it has a trajectory.
    pub moves: bool,
}

/// All scenarios; one that is known both at rest and in motion has the parameters of both.
pub fn all() -> Vec<Listed> {
    let mut all: Vec<Listed> = scenarios()
        .iter()
        .map(|scenario| Listed {
            name: scenario.name,
            description: scenario.description,
            source: scenario.source,
            parameters: scenario.parameters.iter().collect(),
            moves: false,
        })
        .collect();
    for motion in motions() {
        let Some(known) = all.iter_mut().find(|listed| listed.name == motion.name) else {
            all.push(Listed {
                name: motion.name,
                description: motion.description,
                source: motion.source,
                parameters: motion.parameters.iter().collect(),
                moves: true,
            });
            continue;
        };
        known.moves = true;
        for parameter in motion.parameters {
            if known
                .parameters
                .iter()
                .all(|own| own.name != parameter.name)
            {
                known.parameters.push(parameter);
            }
        }
    }
    all.extend(engine::scenes().iter().map(|scene| Listed {
        name: scene.name,
        description: scene.description,
        source: scene.source,
        parameters: scene.parameters.iter().collect(),
        moves: true,
    }));
    all
}
