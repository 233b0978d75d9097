//! The messages between page and server: JSON objects with a field `type`, one a message.
//!
//! The page sends a [`Command`], the server a [`Message`]. Numbers are binary64; lengths are in
//! metres, times in seconds, forces in newtons, angles in radians.

mod command;
mod contact;
mod message;
mod motion;

pub use command::{
    Command, Controls, Drag, Firing, Load, Open, Pull, Running, SolverName, ThrustDirection,
    Thrusters,
};
pub use contact::{AnswerShown, AskContact, ContactLaw, ContactShown};
pub use message::{
    Complaint, ComplaintCode, ConnectionEnd, Frame, Hand, Judged, KindShown, Limits, Message,
    Placed, SceneShown, ShownLcp, SubjectShown, ThrusterPlace, UniqueMotion, WorldKind,
};
pub use motion::{
    AskMotion, BodyShown, ContactDrawn, FAULTS, JointDrift, MotionFrame, MotionShown, PieceShown,
    ShapeShown, SpaceKind,
};

/// The version of the messages.
pub const PROTOCOL: &str = "etalon-serve/1";
