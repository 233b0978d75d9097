//! Scenarios that are worlds of the planar engine, and worlds of one's own in files.

use std::collections::BTreeMap;

use etalon_lcp::Number;
use etalon_planar::{CollisionHandling, ForceLaw, FrictionModel, World, WorldSpec, named};
use rug::Rational;
use serde_json::Value;

use crate::parameter::{Parameter, ParameterRange, Values, any, g};

/// The JSON Schema (draft 2020-12) of worlds in files.
pub const SCHEMA: &str = include_str!("schema/world.schema.json");

/// A scene of the planar engine, for each choice of values.
#[derive(Debug, Clone, Copy)]
pub struct EngineWorld {
    /// Its purpose, in one sentence.
    pub description: &'static str,
    /// What to look at, and the mathematics of it, in some sentences.
    pub look: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The parameters.
    pub parameters: &'static [Parameter],
    build: fn(usize) -> WorldSpec,
}

/// A world with what is said of it in a trajectory's header.
#[derive(Debug, Clone)]
pub struct WorldInstance {
    /// The scenario's name, or the file's.
    pub name: String,
    /// The bodies and how they are stepped.
    pub scene: WorldSpec,
    /// Names and values of parameters, as text; none for a file.
    pub parameters: BTreeMap<String, String>,
    /// The number of steps that the parameters ask for; 10 s for a file.
    pub steps: u64,
    /// Whether it is that of a file: a trajectory's header then has the whole world.
    pub of_file: bool,
}

const SOURCE: &str = "After the simulations of myPhysicsLab (E. Neumann)";

const HANDLINGS: &[&str] = &[
    "simultaneous",
    "hybrid",
    "serial-separate",
    "serial-grouped",
    "serial-separate-lastpass",
    "serial-grouped-lastpass",
];

const FRICTION: &[&str] = &["coulomb", "box", "none"];

/// The number of bodies is the parameter of this name.
const BODIES: &str = "n";

/// A world whose number of bodies is by default $n, and at most $most.
macro_rules! world {
    ($build:expr, $description:literal, look $look:expr, $n:literal, up to $most:literal, g $g:literal, elasticity $elasticity:literal) => {
        EngineWorld {
            description: $description,
            look: $look,
            source: SOURCE,
            parameters: &[
                any(BODIES, $n, "", "the number of bodies that move").count(1, $most),
                g($g).nonnegative(),
                any("elasticity", $elasticity, "", "of all bodies, up to 1").nonnegative(),
                any("mu", "0", "", "the coefficient of friction of all bodies").nonnegative(),
                any("friction", "coulomb", "", "how contacts rub").choice(FRICTION),
                any(
                    "damping",
                    "0",
                    "kg/s",
                    "of every motion; of turning a tenth",
                )
                .nonnegative(),
                any("h", "1/40", "s", "the time step").positive(),
                any("duration", "10", "s", "how long the trajectory is").positive(),
                any(
                    "handling",
                    "serial-grouped-lastpass",
                    "",
                    "how collisions that happen together are handled",
                )
                .choice(HANDLINGS),
                any("seed", "0", "", "of the order of serial collisions").count(0, u32::MAX),
            ],
            build: $build,
        }
    };
}

pub const BLOCKS: EngineWorld = world!(
    named::blocks,
    "One to six slippery blocks between walls, as they start in the contact simulation of myPhysicsLab",
    look "Watch which rows are red: they are in C, the contacts that press. Where a block comes to rest or parts, a row changes \
     between C and NC. Contact forces f and accelerations of the gaps a = A f + b are a linear complementarity problem: \
     a \u{2265} 0, f \u{2265} 0, and of each pair one is zero. Without friction A is symmetric and positive \
     semidefinite, so the accelerations are unique, whichever solver finds them.",
    "6", up to 6, g "3", elasticity "4/5"
);

pub const PILE: EngineWorld = world!(
    named::pile,
    "Blocks piled up as a pyramid on the floor, at rest",
    look "Each upper block stands on four corners where two would do. So A is singular, and many forces hold the pile; all of \
     them give the same accelerations, none. Those of least norm are drawn. Choose projected Gauss-Seidel with one sweep: \
     the floor is asked before the upper blocks press on the lower ones, and the pile comes down.",
    "10", up to 100, g "981/100", elasticity "0"
);

pub const TOWER: EngineWorld = world!(
    named::stack,
    "A tower of blocks, each narrower than the one below, at rest",
    look "The floor carries the whole tower, each block what stands above it: with n blocks of 1 kg the lowest forces sum to n g. \
     Forces are unique here, since no contact can be done without. One sweep of projected Gauss-Seidel leaves each contact with \
     little more than one block; every further sweep hands weight down by a storey. So tall towers sink.",
    "5", up to 30, g "981/100", elasticity "0"
);

pub const PENDULUMS: EngineWorld = world!(
    named::cradle,
    "Newton's cradle of balls on rigid pendulums with joints; the first is lifted",
    look "Joints are rows with a = 0 and f of any sign: f is no longer bounded, the matrix is the same. The impulse of the first \
     ball is handed on through the others, one collision after the other. Handled all at once, the impact has another \
     outcome: choose simultaneous under Collisions.",
    "5", up to 20, g "981/100", elasticity "1"
);

pub const BOUNCE: EngineWorld = world!(
    named::bounce,
    "Balls that fall on the floor",
    look "Each ball has an elasticity e of its own: it leaves the floor with e times the velocity at which it came. The impulse p \
     answers an LCP of one row: A p + (1 + e) v \u{2265} 0, where v < 0 is the velocity of approach. Kinetic energy falls by 1 - e\u{b2} in each \
     collision; the plot shows the steps.",
    "4", up to 20, g "3", elasticity "4/5"
);

impl EngineWorld {
    /// The least and the largest number of bodies that move.
    pub fn bodies(&self) -> (usize, usize) {
        let own = self.parameters.iter().find(|p| p.name == BODIES);
        match own.map(|own| own.range) {
            Some(ParameterRange::Count(least, most)) => (least as usize, most as usize),
            _ => (0, 0),
        }
    }

    /// The world as it starts with so many bodies that move, and its own settings.
    pub fn scene(&self, bodies: usize) -> WorldSpec {
        (self.build)(bodies)
    }

    pub(crate) fn instance(&self, name: &str, values: &Values) -> WorldInstance {
        let get = |name: &str| Number::from(values.get(name)).to_f64();
        let mut scene = self.scene(values.count(BODIES));
        for body in &mut scene.bodies {
            body.elasticity = get("elasticity");
            body.friction = get("mu");
        }
        scene.forces = vec![ForceLaw::Gravity { g: get("g") }];
        if get("damping") > 0.0 {
            let damping = get("damping");
            scene.forces.push(ForceLaw::Damping {
                damping,
                rotate_ratio: 0.1,
            });
        }
        scene.settings.time_step = get("h");
        scene.settings.collision_handling = handling(values.count("handling"));
        scene.settings.friction = friction(values.count("friction"));
        scene.settings.seed = u32::try_from(values.count("seed")).unwrap_or_default();
        let steps: Rational = values.get("duration") / values.get("h");
        WorldInstance {
            name: name.to_owned(),
            scene,
            parameters: values.texts(self.parameters),
            steps: steps.ceil().numer().to_u64().unwrap_or(u64::MAX),
            of_file: false,
        }
    }
}

fn friction(position: usize) -> FrictionModel {
    match position {
        0 => FrictionModel::Coulomb,
        1 => FrictionModel::Box,
        _ => FrictionModel::None,
    }
}

fn handling(position: usize) -> CollisionHandling {
    match position {
        0 => CollisionHandling::Simultaneous,
        1 => CollisionHandling::Hybrid,
        2 => CollisionHandling::SerialSeparate,
        3 => CollisionHandling::SerialGrouped,
        4 => CollisionHandling::SerialSeparateLastpass,
        _ => CollisionHandling::SerialGroupedLastpass,
    }
}

/// A world of a file, `etalon-world/1`, under the file's name; `None` for a text of another format.
pub fn read_world(name: &str, text: &str) -> Option<Result<WorldInstance, serde_json::Error>> {
    let Ok(Value::Object(mut fields)) = serde_json::from_str::<Value>(text) else {
        return None;
    };
    if fields.remove("format") != Some(WorldSpec::FORMAT.into()) {
        return None;
    }
    let scene = serde_json::from_value::<WorldSpec>(Value::Object(fields));
    Some(scene.map(|scene| WorldInstance {
        name: name.to_owned(),
        // 10 s, as the duration of named worlds.
        steps: (10.0 / scene.settings.time_step).ceil() as u64,
        scene,
        parameters: BTreeMap::new(),
        of_file: true,
    }))
}

/// A world as a file.
pub fn write_world(world: &World) -> String {
    world_value(world).to_string()
}

/// A world as a record, `etalon-world/1`.
pub(crate) fn world_value(world: &World) -> Value {
    let mut value = serde_json::to_value(world.scene()).unwrap_or_default();
    value["format"] = WorldSpec::FORMAT.into();
    value
}
