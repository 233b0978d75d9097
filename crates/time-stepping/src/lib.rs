#![doc = include_str!("manual.md")]

mod arithmetic;
mod bilateral;
pub mod corner;
mod error;
mod formulation;
pub mod implicit;
mod model;
pub mod models;
mod oracle;
mod rounding;
mod settings;
mod solve;
mod step;
mod stepper;

pub use arithmetic::{Arithmetic, Binary64, Fractions, Grid, Kind};
pub use bilateral::{Bilateral, BilateralRow, Dependence};
pub use error::StepError;
pub use formulation::{Formulation, Layout, STILL, StepContact, StepLcp};
pub use model::{
    BoundedFriction, ContactFrame, ContactInfo, FrictionBound, FrictionDirection, Model,
};
pub use oracle::{Oracle, Term, Violation, check_termination};
pub use rounding::rounding_bound;
pub use settings::{Activation, Scheme, Settings};
pub use solve::{FirstOf, StepAnswer, ask, solve};
pub use step::{ContactImpulse, Convergence, Dissipation, Energy, State, Step};
pub use stepper::{Stepper, dissipated};
