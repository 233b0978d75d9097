//! Starting and stopping.

use std::future::pending;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::thread::JoinHandle;

use axum::extract::{Path, State, WebSocketUpgrade};
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, middleware};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde_json::json;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

use crate::connection::stopped;
use crate::error::ServeError;
use crate::golden::Library;
use crate::guard::{Hosts, guard};
use crate::limits::{CONNECTIONS, HEAD_TIME, READ_BYTES, SEND_BYTES, SOCKETS, STOP_TIME};
use crate::lingering::Lingering;
use crate::{assets, connection, headers};

/// How the server is to be.
#[derive(Debug)]
pub struct ServerSettings {
    /// Where to listen; port 0 takes any that is free.
    pub address: SocketAddr,
    /// Further names of this machine that requests may use, with or without a port.
    pub hosts: Vec<String>,
    /// The trajectories that the page may play.
    pub library: Library,
    /// Worlds at the same time.
    pub worlds: usize,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            address: SocketAddr::from(([127, 0, 0, 1], 7878)),
            hosts: Vec::new(),
            library: Library::default(),
            worlds: CONNECTIONS,
        }
    }
}

/// A server that runs until it is stopped or dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts to listen, on threads of its own.
    ///
    /// # Errors
    /// [`ServeError`] where the port is taken or there are no threads.
    pub fn start(settings: ServerSettings) -> Result<Self, ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("serve")
            .enable_all()
            .build()
            .map_err(ServeError::Threads)?;
        let listen = |source| ServeError::Listen {
            address: settings.address,
            source,
        };
        let listener = runtime
            .block_on(async { listen_on(settings.address) })
            .map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let (stop, stopping) = watch::channel(false);
        let router = router(address, settings, stopping.clone());
        let thread = std::thread::Builder::new().name("server".to_owned());
        let thread = thread.spawn(move || run(&runtime, listener, router, stopping));
        Ok(Self {
            address,
            stop,
            thread: Some(thread.map_err(ServeError::Threads)?),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address to open in a browser on this machine.
    pub fn url(&self) -> String {
        let port = self.address.port();
        match self.address {
            address if !address.ip().is_unspecified() => format!("http://{address}/"),
            _ => format!("http://localhost:{port}/"),
        }
    }

    /// Tells all pages that it ends, and ends.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take() {
            // It ends by itself; a panic of it has been reported on its standard error.
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

/// A listener whose sockets hold few frames: what a slow reader gets is to be recent.
fn listen_on(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // As the standard library does where a port in its last minutes would not be given otherwise.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BYTES)?;
    socket.bind(address)?;
    socket.listen(1024)
}

#[derive(Debug, Clone)]
struct Shared {
    library: Arc<Library>,
    worlds: Arc<Semaphore>,
    stopping: watch::Receiver<bool>,
}

fn router(
    address: SocketAddr,
    settings: ServerSettings,
    stopping: watch::Receiver<bool>,
) -> Router {
    let hosts = Hosts::new(address, &settings.hosts);
    let shared = Shared {
        library: Arc::new(settings.library),
        worlds: Arc::new(Semaphore::new(settings.worlds)),
        stopping,
    };
    Router::new()
        .route("/socket", get(socket))
        .route("/golden", get(golden_list))
        .route("/golden/{name}", get(golden))
        .fallback(get(|uri: Uri| async move { assets::file(uri.path()) }))
        .with_state(shared)
        .layer(middleware::from_fn_with_state(hosts, guard))
        .layer(middleware::map_response(headers::secure))
}

async fn socket(upgrade: WebSocketUpgrade, State(shared): State<Shared>) -> Response {
    upgrade
        .max_message_size(READ_BYTES)
        .max_frame_size(READ_BYTES)
        .write_buffer_size(0)
        .on_upgrade(|socket| {
            connection::serve(socket, shared.worlds, shared.library, shared.stopping)
        })
}

const JSON: [(header::HeaderName, &str); 1] = [(header::CONTENT_TYPE, "application/json")];

async fn golden_list(State(shared): State<Shared>) -> Response {
    (JSON, shared.library.list().to_owned()).into_response()
}

/// A film; names are looked up among those that were read at the start, and are no paths.
async fn golden(Path(name): Path<String>, State(shared): State<Shared>) -> Response {
    let film = tokio::task::spawn_blocking(move || shared.library.film(&name)).await;
    match film {
        Ok(Some(Ok(film))) => (JSON, film.to_string()).into_response(),
        Ok(Some(Err(error))) => {
            let text = json!({"message": error.to_string()}).to_string();
            (StatusCode::UNPROCESSABLE_ENTITY, JSON, text).into_response()
        }
        Ok(None) => (
            StatusCode::NOT_FOUND,
            JSON,
            r#"{"message":"there is no trajectory of that name"}"#,
        )
            .into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn run(runtime: &Runtime, listener: TcpListener, router: Router, mut stop: watch::Receiver<bool>) {
    runtime.block_on(async {
        let sockets = Arc::new(Semaphore::new(SOCKETS));
        loop {
            let accepted = tokio::select! {
                accepted = accept(&listener, &sockets) => accepted,
                () = stopped(&mut stop) => break,
            };
            if let Some((stream, permit)) = accepted {
                // Frames are small and soon stale.
                let _ = stream.set_nodelay(true);
                let socket = Lingering::new(stream, Arc::new(permit));
                tokio::spawn(answer(socket, router.clone(), stop.clone()));
            }
        }
        drop(listener);
        // Pages are told why, on tasks of their own.
        let _ = timeout(STOP_TIME, ended(&sockets)).await;
    });
}

/// Answers the requests of a socket.
async fn answer(socket: Lingering, router: Router, mut stop: watch::Receiver<bool>) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(64 * 1024)
        .serve_connection(TokioIo::new(socket), TowerToHyperService::new(router))
        .with_upgrades();
    let mut connection = pin!(connection);
    // What goes wrong with a socket is its client's business.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = stopped(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// Waits until no socket is open.
async fn ended(sockets: &Semaphore) {
    let _ = sockets.acquire_many(SOCKETS as u32).await;
}

/// The next socket; none where the system has none to give, for a while.
async fn accept(
    listener: &TcpListener,
    sockets: &Arc<Semaphore>,
) -> Option<(TcpStream, OwnedSemaphorePermit)> {
    let Ok(permit) = sockets.clone().acquire_owned().await else {
        return pending().await;
    };
    match listener.accept().await {
        Ok((stream, _)) => Some((stream, permit)),
        Err(_) => {
            sleep(std::time::Duration::from_millis(50)).await;
            None
        }
    }
}
