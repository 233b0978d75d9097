//! Named scenes of the literature, with parameters, as complementarity problems.
//!
//! A [`Scenario`] is a name with up to three parts: a scene at rest, a scene in motion, a world of
//! the planar engine. [`scenarios`] is the one registry of all; every door (the command line,
//! Python, the page, recipes of goldens, the documentation) lists and runs what is in it.
//!
//! Each part has parameters, each with a default, a unit and a meaning. With values a scene at rest
//! is an [`Instance`]: a mechanical system in exact fractions, the problem of its contact forces or
//! impulses as an `etalon-problem/1` record, and the answer.
//!
//! ```
//! use etalon_scenarios::find;
//!
//! let stack = find("stack")?.instance([("blocks", "2"), ("mass_ratio", "100"), ("mass_step", "0")])?;
//! let problem = stack.problem()?;
//! assert_eq!(problem.n(), 2);
//! assert_eq!(problem.name(), "stack/blocks=2/mass_step=0/mass_ratio=100");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Your own scenes are files ([`read_scene`]); every scenario can be written as one
//! ([`write_scene`]). A scene in motion is a [`motion::MotionInstance`]: a trajectory line by line,
//! exact or in binary64. A world is a [`WorldInstance`], a scene of `etalon_planar` in binary64.
//!
//! All scenes at rest are exact: angles are Pythagorean, given by tangents of half-angles. Values may be
//! fractions of any size; counts are bounded, as each parameter says.

mod all;
mod answer;
mod approach;
mod build;
mod friction;
mod instance;
pub mod json;
mod mechanisms;
pub mod motion;
mod parameter;
mod part;
mod piles;
mod registry;
mod rounded;
mod scene_file;
pub mod space;
mod statics;
mod strike;
mod trees;
pub mod view;
mod world_lines;
mod worlds;

pub use all::{find, scenarios, views};
pub use answer::{CoulombAnswer, Impact, Inconsistent, ScenarioAnswer, Uniqueness};
pub use approach::Stopped;
pub use instance::{AtRest, Instance, Mechanics, Question, Setup};
pub use parameter::{Parameter, ParameterRange, ScenarioError, Values};
pub use part::ScenarioPart;
pub use registry::{PartDescription, Scenario};
pub use rounded::{Rounded, RoundedAnswer};
pub use scene_file::{
    FORMAT as SCENE_FORMAT, MAX_BYTES as MAX_SCENE_BYTES, MAX_PARTS, MotionChoice,
    SCHEMA as SCENE_SCHEMA, SceneFile, SceneFileError, is_in_space, read_moving, read_moving_with,
    read_scene, read_space, write_moving, write_scene, write_space,
};
pub use strike::{Rubbed, Squeezed, Strike};
pub use world_lines::{WORLD_FORMULATION, WorldRun};
pub use worlds::{EngineWorld, SCHEMA as WORLD_SCHEMA, WorldInstance, read_world, write_world};
