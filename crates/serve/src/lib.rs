//! The interactive page of Etalon, and the server behind it.
//!
//! One page in the browser shows a world of the planar engine that can be touched: bodies are
//! pulled by a spring or driven by thrusters, contact forces are drawn, and every linear
//! complementarity problem of the run is judged exactly. It also plays golden trajectories.
//!
//! ```no_run
//! use etalon_serve::{Server, Settings};
//!
//! let server = Server::start(Settings::default())?;
//! println!("{}", server.url());
//! // ... until it is enough:
//! server.stop();
//! # Ok::<(), etalon_serve::ServeError>(())
//! ```
//!
//! **One world a connection.** Each connection has a world of its own on a thread of its own, which
//! goes on however slowly its page reads: pages get the latest frame, older ones are dropped. The
//! server keeps nothing once a connection has ended; a page that reconnects brings its world along.
//!
//! | to | see |
//! |---|---|
//! | start and stop | [`Server`], [`Settings`], [`Signals`] |
//! | speak to it without the page | [`protocol`], [`SCHEMA`] |
//! | know what it refuses | [`limits`], [`Hosts`] |
//!
//! **Promised:** nothing that a page sends makes the server panic, read or write a file, or hold
//! more memory than [`limits`] say; requests that name a foreign host or origin are refused.
//! **Not promised:** encryption, or accounts. Whoever can reach the port can play.

mod assets;
mod connection;
mod error;
mod golden;
mod guard;
mod headers;
pub mod limits;
pub mod protocol;
mod rate;
mod server;
mod signals;
mod simulation;

pub use error::ServeError;
pub use golden::{GoldenError, Library};
pub use guard::Hosts;
pub use server::{Server, Settings};
pub use signals::Signals;

/// The JSON Schema (draft 2020-12) of all messages.
pub const SCHEMA: &str = include_str!("../schema/serve.schema.json");
