//! The interactive page of Etalon, and the server behind it.
//!
//! The page shows a world of the planar engine in a browser. A spring pulls bodies and thrusters
//! drive them. The page draws contact forces, and every linear
//! complementarity problem of the run is judged exactly. It also plays golden trajectories, and motions of bodies in space,
//! each step of which is held against the laws.
//!
//! ```no_run
//! use etalon_serve::{Server, ServerSettings};
//!
//! let server = Server::start(ServerSettings::default())?;
//! println!("{}", server.url());
//! // ... until it is enough:
//! server.stop();
//! # Ok::<(), etalon_serve::ServeError>(())
//! ```
//!
//! **One world a connection.** Each connection has a world of its own on a thread of its own. A slow
//! reader does not stop it: pages get the latest frame, and older ones are dropped. The
//! server keeps nothing after a connection has ended; a page that reconnects sends its world.
//!
//! | to | see |
//! |---|---|
//! | start and stop | [`Server`], [`ServerSettings`], [`Signals`] |
//! | use it without the page | [`protocol`], [`SCHEMA`] |
//! | know the limits | [`limits`], [`Hosts`] |
//!
//! **Promised:** nothing that a page sends makes the server panic, read or write a file, or hold
//! more memory than [`limits`] say; requests that name a foreign host or origin are refused.
//! **Not promised:** encryption and accounts. Every program that can reach the port can use the server.

mod assets;
mod connection;
mod contact;
mod error;
mod golden;
mod guard;
mod headers;
pub mod limits;
mod lingering;
mod motion;
pub mod protocol;
mod rate;
mod server;
mod signals;
mod simulation;
mod subjects;

pub use error::ServeError;
pub use golden::{GoldenError, Library};
pub use guard::Hosts;
pub use server::{Server, ServerSettings};
pub use signals::Signals;

/// The JSON Schema (draft 2020-12) of all messages.
pub const SCHEMA: &str = include_str!("../schema/serve.schema.json");
