#![doc = include_str!("manual.md")]

mod attitude;
mod binary;
mod contact;
mod error;
mod flight;
mod geometry;
mod grid;
mod joint;
mod oracle;
mod separation;
mod settings;
mod shape;
mod state;
mod step;
mod surface;
mod world;

pub use attitude::Quaternion;
pub use contact::{Contact, ContactProposal};
pub use error::SpatialError;
pub use flight::Flight;
pub use joint::{
    Drive, DriveRow, Equation, Fixture, Joint, JointFreedom, JointGradient, Placed, StopRow, Travel,
};
pub use oracle::{DerivedGap, Examined, LawAmount, SpaceOracle, SpacePrecision};
pub use settings::{Cone, ImpactLaw, MAX_STEPS, Settings, SpaceMethod};
pub use shape::{MAX_VERTICES, Reach, Shape};
pub use state::{Motion, SpaceState};
pub use step::{
    BounceGain, Compression, Energy, Ledger, Posed, SpaceCompressionRecord, SpaceContactRecord,
    SpaceImpulse, SpaceLimitRecord, SpaceStep, SpaceStepRecord, SpaceStepper, Turning,
};
pub use surface::{Grain, Surface, Surfaces};
pub use world::{Body, BodyPiece, SpaceWorld};
