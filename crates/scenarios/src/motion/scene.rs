//! What a scene in motion is built of.

use etalon_rigid::Scalar;
use etalon_time_stepping::corner::{Corners, Solids};
use etalon_time_stepping::implicit;
use etalon_time_stepping::{
    Activation, Arithmetic, Kind, Model, Scheme, Settings, State, StepError,
};
use rug::Rational;

use crate::parameter::{Parameter, Values, any};
use crate::space::{CornerScene, ImplicitScene, SpaceScene};

/// Bits of the grid of scenes with sines and roots: all states are binary64 numbers, too.
pub const GRID: Kind = Kind::Grid(40);

/// A scene with its start.
pub struct Scene<S> {
    pub system: System<S>,
    pub start: State<S>,
    pub settings: Settings<S>,
    pub steps: u64,
}

/// What moves.
pub enum System<S> {
    StewartTrinkle(Box<dyn Model<S>>),
    EganTrinkle(Box<Corners<S>>),
    /// The same of bodies that turn.
    Solids(Box<Solids<S>>),
    ChakrabortyBerard(Box<implicit::System>),
}

type Build<S> = fn(&Values, &dyn Arithmetic<S>) -> Result<Scene<S>, StepError>;

/// How scenes are built.
#[derive(Debug, Clone, Copy)]
pub enum Builder {
    /// In each arithmetic.
    System {
        /// Which exact arithmetic the values need.
        kind: fn(&Values) -> Kind,
        exact: Build<Rational>,
        binary64: Build<f64>,
    },
    /// Bodies in space, always on their grid.
    Space(fn(&Values) -> SpaceScene),
    /// Bodies with implicit surfaces in space, on the grid where they are exact.
    Implicit(fn(&Values) -> ImplicitScene),
    /// Bodies that keep their points out of convex bodies, on the grid where they are exact.
    Corners(fn(&Values) -> CornerScene),
}

pub fn rational(_: &Values) -> Kind {
    Kind::Rational
}

pub fn grid(_: &Values) -> Kind {
    GRID
}

/// The value of a parameter.
pub fn value<S: Scalar>(values: &Values, name: &str) -> S {
    S::from_rational(&values.get(name))
}

/// The value of a parameter as arithmetic keeps it: lengths on the grid, so that a closed gap is
/// closed exactly.
pub fn kept<S: Scalar>(values: &Values, name: &str, arithmetic: &dyn Arithmetic<S>) -> S {
    arithmetic.round(value(values, name))
}

/// How many whole steps a duration has.
pub fn steps_of_duration(values: &Values) -> u64 {
    let steps = values.get("duration") / values.get("h");
    let (_, whole) = steps.fract_floor(rug::Integer::new());
    whole.to_u64().unwrap_or(u64::MAX)
}

pub const fn h(default: &'static str) -> Parameter {
    any("h", default, "s", "step size").positive()
}

pub const fn duration(default: &'static str) -> Parameter {
    any("duration", default, "s", "how long").nonnegative()
}

pub const fn steps(default: &'static str) -> Parameter {
    any("steps", default, "", "how many steps").count(0, 10_000_000)
}

pub(crate) use crate::parameter::g;

pub const fn mu(default: &'static str) -> Parameter {
    any("mu", default, "", "coefficient of friction").nonnegative()
}

pub const SCHEMES: &[&str] = &["fixed-point", "predicted", "linear", "midpoint"];

pub const SCHEME: Parameter = any(
    "scheme",
    "fixed-point",
    "",
    "where M, n and D are taken: at the end of the step by iteration, at q + h v, at q, or at q + h v/2",
)
.choice(SCHEMES);

/// The scheme by its position in [`SCHEMES`].
pub fn scheme(values: &Values) -> Scheme {
    values.word(&SCHEME).parse().unwrap_or_default()
}

/// The scheme of scenes that did not let it be said at first, and whose steps have one problem each.
pub const SCHEME_AHEAD: Parameter = any(
    "scheme",
    "linear",
    "",
    "where masses, gaps and rows are taken: at q, at q + h v/2, or at q + h v",
)
.choice(&["linear", "midpoint", "predicted"])
.later();

/// The scheme that [`SCHEME_AHEAD`] says.
pub fn scheme_ahead(values: &Values) -> Scheme {
    values.word(&SCHEME_AHEAD).parse().unwrap_or(Scheme::Linear)
}

const ACTIVATIONS: &[&str] = &["when-violated", "all"];

/// Which contacts take part, of scenes that did not let it be said at first.
pub const fn activation(default: &'static str) -> Parameter {
    any(
        "activation",
        default,
        "",
        "which contacts take part in a step: those that pressed or are violated ahead, and then those violated at its end; or all",
    )
    .choice(ACTIVATIONS)
    .later()
}

/// The rule that [`activation`] says.
pub fn activated(values: &Values) -> Activation {
    values.word(&activation("all")).parse().unwrap_or_default()
}
