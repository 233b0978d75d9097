//! Worlds of the planar engine by name, with their parameters.

use etalon_lcp::Number;
use etalon_planar::named::{self, NamedWorld};
use etalon_planar::{CollisionHandling, ForceLaw, FrictionModel, Scene, World};
use etalon_scenarios::{Parameter, Range, ScenarioError, Values};
use rug::Rational;
use serde_json::Value;

/// A named world.
pub struct EngineScene {
    pub name: &'static str,
    pub description: &'static str,
    pub source: &'static str,
    pub parameters: &'static [Parameter],
    build: fn(usize) -> Scene,
}

const SOURCE: &str = "After the simulations of myPhysicsLab (E. Neumann)";

const fn number(
    name: &'static str,
    default: &'static str,
    unit: &'static str,
    meaning: &'static str,
) -> Parameter {
    Parameter {
        name,
        default,
        unit,
        meaning,
        range: Range::Nonnegative,
    }
}

const fn positive(
    name: &'static str,
    default: &'static str,
    unit: &'static str,
    meaning: &'static str,
) -> Parameter {
    Parameter {
        name,
        default,
        unit,
        meaning,
        range: Range::Positive,
    }
}

const HANDLINGS: &[&str] = &[
    "simultaneous",
    "hybrid",
    "serial-separate",
    "serial-grouped",
    "serial-separate-lastpass",
    "serial-grouped-lastpass",
];

const FRICTION: &[&str] = &["coulomb", "box", "none"];

/// The parameters of all worlds, but for gravity, elasticity and the number of bodies.
macro_rules! parameters {
    ($world:expr, $n:literal, $g:literal, $elasticity:literal) => {
        &[
            Parameter {
                name: "n",
                default: $n,
                unit: "",
                meaning: "the number of bodies that move",
                range: Range::Count($world.least as u32, $world.most as u32),
            },
            number("g", $g, "m/s^2", "gravity, downwards"),
            number("elasticity", $elasticity, "", "of all bodies, up to 1"),
            number("mu", "0", "", "the coefficient of friction of all bodies"),
            Parameter {
                name: "friction",
                default: "coulomb",
                unit: "",
                meaning: "how contacts rub",
                range: Range::Choice(FRICTION),
            },
            number(
                "damping",
                "0",
                "kg/s",
                "of every motion; of turning a tenth",
            ),
            positive("h", "1/40", "s", "the time step"),
            positive("duration", "10", "s", "how long the trajectory is"),
            Parameter {
                name: "handling",
                default: "serial-grouped-lastpass",
                unit: "",
                meaning: "how collisions that happen together are handled",
                range: Range::Choice(HANDLINGS),
            },
            Parameter {
                name: "seed",
                default: "0",
                unit: "",
                meaning: "of the order of serial collisions",
                range: Range::Count(0, u32::MAX),
            },
        ]
    };
}

const fn world(world: NamedWorld, parameters: &'static [Parameter]) -> EngineScene {
    EngineScene {
        name: world.name,
        description: world.description,
        source: SOURCE,
        parameters,
        build: world.scene,
    }
}

const SCENES: &[EngineScene] = &[
    world(named::BLOCKS, parameters!(named::BLOCKS, "6", "3", "4/5")),
    world(named::PILE, parameters!(named::PILE, "10", "981/100", "0")),
    world(named::TOWER, parameters!(named::TOWER, "5", "981/100", "0")),
    world(
        named::PENDULUMS,
        parameters!(named::PENDULUMS, "5", "981/100", "1"),
    ),
    world(named::BOUNCE, parameters!(named::BOUNCE, "4", "3", "4/5")),
];

/// All named worlds.
pub fn scenes() -> &'static [EngineScene] {
    SCENES
}

/// The named world, if there is one.
pub fn find(name: &str) -> Option<&'static EngineScene> {
    SCENES.iter().find(|scene| scene.name == name)
}

/// A world with what is said of it in a trajectory's header.
pub struct EngineRun {
    pub name: String,
    pub scene: Scene,
    /// Names and values of parameters, as text.
    pub parameters: serde_json::Map<String, Value>,
    pub steps: u64,
}

impl EngineScene {
    /// The world for the values given as text, defaults elsewhere.
    pub fn run<'a>(
        &self,
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<EngineRun, ScenarioError> {
        let values = Values::read(self.name, self.parameters, settings)?;
        let get = |name: &str| Number::from(values.get(name)).to_f64();
        let mut scene = (self.build)(values.count("n"));
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
        let text = |parameter: &Parameter| {
            let text = match parameter.range {
                Range::Choice(_) => values.word(parameter).to_owned(),
                _ => values.get(parameter.name).to_string(),
            };
            (parameter.name.to_owned(), Value::String(text))
        };
        let steps: Rational = values.get("duration") / values.get("h");
        Ok(EngineRun {
            name: self.name.to_owned(),
            scene,
            parameters: self.parameters.iter().map(text).collect(),
            steps: steps.ceil().numer().to_u64().unwrap_or(u64::MAX),
        })
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

/// A world of a file, if the text is one; `Some(Err)` says what is wrong with it.
pub fn read(name: &str, text: &str) -> Option<Result<EngineRun, String>> {
    let Ok(Value::Object(mut fields)) = serde_json::from_str::<Value>(text) else {
        return None;
    };
    if fields.remove("format") != Some(Scene::FORMAT.into()) {
        return None;
    }
    let scene = serde_json::from_value::<Scene>(Value::Object(fields));
    Some(
        scene
            .map_err(|error| error.to_string())
            .map(|scene| EngineRun {
                name: name.to_owned(),
                steps: (10.0 / scene.settings.time_step).ceil() as u64,
                scene,
                parameters: serde_json::Map::new(),
            }),
    )
}

/// A world as a file.
pub fn write(world: &World) -> String {
    let mut value = serde_json::to_value(world.scene()).unwrap_or_default();
    value["format"] = Scene::FORMAT.into();
    value.to_string()
}
