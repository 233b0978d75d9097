//! The signals that end the server: Ctrl-C, and the one by which services are stopped.

use tokio::runtime::Runtime;

use crate::error::ServeError;

/// Sees Ctrl-C and, on Unix, SIGTERM, from when it is made: neither ends the process by itself any more.
#[derive(Debug)]
pub struct Signals {
    runtime: Runtime,
    seen: Seen,
}

impl Signals {
    /// Begins to watch.
    ///
    /// # Errors
    /// [`ServeError`] where the system does not let a process see its signals.
    pub fn watch() -> Result<Self, ServeError> {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_all().build().map_err(ServeError::Threads)?;
        let seen = {
            let _inside = runtime.enter();
            Seen::new().map_err(ServeError::Signals)?
        };
        Ok(Self { runtime, seen })
    }

    /// Waits for the first of them.
    pub fn wait(&mut self) {
        self.runtime.block_on(self.seen.next());
    }
}

#[cfg(unix)]
#[derive(Debug)]
struct Seen {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Seen {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
#[derive(Debug)]
struct Seen;

#[cfg(not(unix))]
impl Seen {
    fn new() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        // An error would mean that it can never come; then the process is ended otherwise.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
