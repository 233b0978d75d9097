//! Errors: scenes that are refused, steps that do not end, commands that cannot be carried out.

use crate::geometry::{CurveError, PathError};

/// Why a scene makes no world.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// An outline that is not a path of closed loops.
    #[error("the path of body {body:?}: {error}")]
    Path {
        /// Its name.
        body: String,
        /// What is wrong.
        error: PathError,
    },
    /// Two bodies of one name.
    #[error("two bodies are called {name:?}")]
    Twice {
        /// The name.
        name: String,
    },
    /// A body that is not there.
    #[error("there is no body {name:?}")]
    Unknown {
        /// The name.
        name: String,
    },
    /// An edge that is not there.
    #[error(
        "{body:?} passes through edge {edge} of {other:?} (`passes_edges`), which has {edges} edges, counted from 0"
    )]
    NoEdge {
        /// The body that passes.
        body: String,
        /// The body whose edge it would be.
        other: String,
        /// The position of the edge.
        edge: usize,
        /// How many edges there are.
        edges: usize,
    },
    /// A body that is to pass through itself.
    #[error(
        "body {body:?}: `{field}` names the body itself; name another body, or leave the entry out"
    )]
    PassesItself {
        /// The body.
        body: String,
        /// The field.
        field: &'static str,
    },
    /// What a body passes through, said twice.
    #[error("body {body:?}: `{field}` names {what} twice; leave one entry out")]
    PassesTwice {
        /// The body that passes.
        body: String,
        /// The field.
        field: &'static str,
        /// What is named twice.
        what: String,
    },
    /// A body that is said to be inside of another one, where no edge lets it in.
    #[error(
        "body {body:?}: `inside` names {other:?}, and neither passes an edge of the other one (`passes_edges`); leave the entry out"
    )]
    NoWayIn {
        /// The body.
        body: String,
        /// The body that it is said to be inside of.
        other: String,
    },
    /// A number outside of its range.
    #[error("{what} is {value}, but must be {range}")]
    Range {
        /// Which number.
        what: String,
        /// Its value.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// Bodies that overlap: no force would part them.
    #[error("{first:?} and {second:?} overlap by {depth:.3e} m")]
    Overlap {
        /// The one.
        first: String,
        /// The other.
        second: String,
        /// How deep one is in the other, m.
        depth: f64,
    },
    /// A rope whose ends are farther apart than it is long, or a point past the end of its path.
    #[error(
        "the rope between {first:?} and {second:?} is {beyond:.3e} m too short, or the point is so far past the end of its path"
    )]
    Overstretched {
        /// The one end's body.
        first: String,
        /// The other's.
        second: String,
        /// How far its ends are apart beyond its length, m.
        beyond: f64,
    },
    /// A curve that no point can be held on.
    #[error("the curve of {other:?} that holds {body:?}: {error}")]
    Curve {
        /// The body whose point it holds.
        body: String,
        /// The body that it moves with.
        other: String,
        /// What is wrong.
        error: CurveError,
    },
    /// A point that is not on the curve that is to hold it.
    #[error(
        "the point of {body:?} starts {beside:.3e} m from the curve of {other:?} that is to hold it; \
         set the body so that it lies on the curve, to {limit} m"
    )]
    Beside {
        /// The body of the point.
        body: String,
        /// The body that the curve moves with.
        other: String,
        /// How far it is from the curve, m.
        beside: f64,
        /// How far it may be, m.
        limit: f64,
    },
    /// A connector that can hold nothing: between a body and itself, or between fixed bodies.
    #[error("a connector from {body:?} to {other:?} holds nothing: one of two bodies has to move")]
    HoldsNothing {
        /// The one end's body.
        body: String,
        /// The other's.
        other: String,
    },
    /// More bodies, connectors or forces than a world takes.
    #[error("{count} {what}; at most {limit} are taken")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
}

/// Why a world could not be stepped. The world is in the state before the event that failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// A collision comes back however often it is handled: bodies that overlap from the start, or
    /// a scene whose tolerances are too small for its speeds.
    #[error("at {time} s a collision was not resolved after {tries} tries")]
    Stuck {
        /// s.
        time: f64,
        /// How often.
        tries: u32,
    },
    /// Collisions handled one by one never came to an end.
    #[error("at {time} s {rounds} rounds of serial collisions did not separate the bodies")]
    Endless {
        /// s.
        time: f64,
        /// How many.
        rounds: u32,
    },
    /// The solver found no contact forces, or no impulses.
    #[error("at {time} s no {what} of {rows} rows were found: {why}")]
    Unsolved {
        /// s.
        time: f64,
        /// `contact forces` or `impulses`.
        what: &'static str,
        /// The size of the problem.
        rows: usize,
        /// What the solver says.
        why: String,
    },
    /// A point left the curve that holds it: the step is too long for its speed and the curve.
    #[error(
        "at {time} s the point of {body:?} is {beside:.3e} m beside its path on {other:?}, over the distance tolerance of {limit} m: take a shorter time_step, or an extra_acceleration that brings it back"
    )]
    Beside {
        /// s.
        time: f64,
        /// The body whose point it is.
        body: String,
        /// The body of the path.
        other: String,
        /// m.
        beside: f64,
        /// m.
        limit: f64,
    },
    /// The state is no longer finite.
    #[error("at {time} s the state left the range of binary64")]
    NotFinite {
        /// s.
        time: f64,
    },
}

/// Why a command could not be carried out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// A body that is not there, or that is fixed.
    #[error("there is no moving body {body}")]
    NoBody {
        /// Its index.
        body: usize,
    },
    /// A number outside of its range.
    #[error("{what} is {value}, but must be {range}")]
    Range {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
}
