//! Why there is no server.

use std::net::SocketAddr;

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The port is taken, or not allowed.
    #[error("cannot listen on {address}: {source}; another port may be free (--port 0 takes any)")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
    /// No thread could be started.
    #[error("cannot start the server's threads: {0}")]
    Threads(std::io::Error),
    /// Signals cannot be seen.
    #[error("cannot see the signals that end the server: {0}")]
    Signals(std::io::Error),
}
