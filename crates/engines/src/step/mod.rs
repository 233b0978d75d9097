//! One step of an engine as data: the record `etalon-step/1`.

mod bodies;
mod contacts;
mod fields;
mod generalised;
mod read;
mod sets;
mod sparse;
mod words;
mod write;

use etalon_lcp::Number;

pub use etalon_lcp::record::STEP_FORMAT;

pub use bodies::{Bodies, Body, Joint};
pub use contacts::{Contact, KnownImpulse};
pub use generalised::{EngineAnswer, Generalised};
pub use read::read_step;
pub use sets::Set;
pub use sparse::Sparse;
pub use words::{ContactModel, FrictionLaw, Precision, Quantity, When};
pub use write::write_step;

/// The most bodies, contacts, joints and generalised rows of a record. Each judgement has limits of its own.
pub const MAX_PARTS: usize = 100_000;

/// A step of an engine, as it was logged.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineStep {
    /// The name, unique in its log.
    pub name: String,
    /// The name of the step of the line before, where this one begins as that one ended.
    pub follows: Option<String>,
    /// Where the data come from, and their licence.
    pub source: Option<String>,
    /// The program that made the step.
    pub engine: Engine,
    /// The precision of states and impulses.
    pub precision: Precision,
    /// A relative error that the data are known to have beside their rounding.
    pub declared_error: Option<Number>,
    /// The length of the step in seconds, positive.
    pub h: Number,
    /// Into how many parts the engine divides it.
    pub substeps: u32,
    /// The moment of points and frames.
    pub when: Option<When>,
    /// The law of friction that the engine declares.
    pub law: Option<FrictionLaw>,
    /// The model of contact that it declares.
    pub model: Option<ContactModel>,
    /// Why its problem must not be judged, where the logger knows: the fourth stage of RK4, a flex metric.
    pub not_judged: Option<String>,
    /// What starts the step again, as JSON.
    pub replay: Option<String>,
    /// The data.
    pub form: Form,
}

/// The program that made a step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Engine {
    /// Its name.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// Its settings, as JSON.
    pub settings: Option<String>,
}

impl Engine {
    /// Name and version, as tables show them.
    pub fn label(&self) -> String {
        let name = self.name.as_deref().unwrap_or("unnamed engine");
        match &self.version {
            Some(version) => format!("{name} {version}"),
            None => name.to_owned(),
        }
    }
}

/// The two forms of a step.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// Rigid bodies, contacts and joints.
    Bodies(Box<Bodies>),
    /// Mass matrix, Jacobian and the sets of the constraint forces.
    Generalised(Box<Generalised>),
}
