//! Named scenes of the literature, with parameters, as complementarity problems.
//!
//! A [`Scenario`] is a name with parameters, each with a default, a unit and a meaning; with
//! values it is an [`Instance`]: a mechanical system in exact fractions, the problem of its
//! contact forces or impulses as an `etalon-problem/1` record, and the answer.
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
//! Scenes of one's own are files, [`read_scene`]; every scenario can be written as one,
//! [`write_scene`]. Scenes in motion are in [`motion`]: trajectories line by line, exact or in
//! binary64.
//!
//! All scenes at rest are exact: angles are Pythagorean, given by tangents of half-angles. Values may be
//! fractions of any size; counts are bounded, as each parameter says.

mod answer;
mod approach;
mod build;
mod friction;
mod instance;
pub mod json;
mod mechanisms;
pub mod motion;
mod piles;
mod registry;
mod rounded;
mod scene_file;
mod statics;

pub use answer::{Answer, CoulombAnswer, Impact, Inconsistent, Uniqueness};
pub use approach::Stopped;
pub use instance::{Instance, Mechanics, Question, Setup};
pub use registry::{Parameter, Range, Scenario, ScenarioError, Values};
pub use rounded::{Rounded, RoundedAnswer};
pub use scene_file::{
    FORMAT as SCENE_FORMAT, MAX_BYTES as MAX_SCENE_BYTES, MAX_PARTS, SCHEMA as SCENE_SCHEMA,
    SceneFile, SceneFileError, read_scene, write_scene,
};

/// All scenarios.
pub fn scenarios() -> &'static [Scenario] {
    const ALL: &[Scenario] = &[
        statics::STACK,
        statics::BEAM,
        statics::BOX_ON_CORNERS,
        statics::GRID,
        statics::GROOVE,
        statics::OUTSIDE_RANGE,
        piles::PYRAMID,
        piles::ARCH,
        piles::CHAIN,
        friction::LADDER,
        friction::PAINLEVE_INCONSISTENT,
        friction::PAINLEVE_INDETERMINATE,
        friction::DARWIN_RAY,
        friction::DARWIN_BLOCK,
        mechanisms::ARM,
        mechanisms::CRADLE,
    ];
    ALL
}

/// The scenario of that name.
///
/// # Errors
/// [`ScenarioError::Unknown`].
pub fn find(name: &str) -> Result<&'static Scenario, ScenarioError> {
    let found = scenarios().iter().find(|scenario| scenario.name == name);
    found.ok_or_else(|| ScenarioError::Unknown {
        name: name.to_owned(),
    })
}
