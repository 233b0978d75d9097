//! A socket that reads on for a while after its connection has ended.
//!
//! A socket that is closed on unread data sends a reset, and a reset takes with it what its client has not read yet
//! (RFC 9112, section 9.6): the reason why the connection ended. So writing ends first, and what still comes is read
//! and thrown away until the client closes, too.

use std::io::{ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf, copy, sink};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use crate::limits::LINGER_TIME;

/// A socket and the permit to be open, which it gives back when it is closed. Dropping it closes it within
/// [`LINGER_TIME`].
pub struct Lingering {
    /// None once it is dropped.
    stream: Option<TcpStream>,
    permit: Arc<OwnedSemaphorePermit>,
}

impl Lingering {
    pub fn new(stream: TcpStream, permit: Arc<OwnedSemaphorePermit>) -> Self {
        Self {
            stream: Some(stream),
            permit,
        }
    }

    fn poll<T>(
        &mut self,
        poll: impl FnOnce(Pin<&mut TcpStream>) -> Poll<Result<T>>,
    ) -> Poll<Result<T>> {
        match &mut self.stream {
            Some(stream) => poll(Pin::new(stream)),
            None => Poll::Ready(Err(ErrorKind::NotConnected.into())),
        }
    }
}

impl Drop for Lingering {
    fn drop(&mut self) {
        let (Some(mut stream), Ok(runtime)) = (self.stream.take(), Handle::try_current()) else {
            return;
        };
        let permit = self.permit.clone();
        runtime.spawn(async move {
            let read_on = async {
                stream.shutdown().await?;
                copy(&mut stream, &mut sink()).await
            };
            // What goes wrong with a socket is its client's business.
            let _ = timeout(LINGER_TIME, read_on).await;
            drop(permit);
        });
    }
}

impl AsyncRead for Lingering {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        self.poll(|stream| stream.poll_read(context, to))
    }
}

impl AsyncWrite for Lingering {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        self.poll(|stream| stream.poll_write(context, bytes))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        self.poll(|stream| stream.poll_flush(context))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        self.poll(|stream| stream.poll_shutdown(context))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        self.poll(|stream| stream.poll_write_vectored(context, parts))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream
            .as_ref()
            .is_some_and(AsyncWrite::is_write_vectored)
    }
}
