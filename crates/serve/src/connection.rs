//! A page's connection: commands go to its world, the world's answers and latest frame to it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::TrySendError;
use std::time::Instant;

use axum::extract::ws::{CloseFrame, Message as Packet, WebSocket, close_code};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{interval, timeout};
use tungstenite::error::ProtocolError;

use crate::golden::Library;
use crate::limits::{BEAT, IDLE_TIME, MESSAGE_BYTES, SEND_TIME};
use crate::motion::Motions;
use crate::protocol::{Command, Complaint, ComplaintCode, ConnectionEnd, Message};
use crate::rate::{Pace, Rate};
use crate::simulation::{Simulation, Spawned};

/// Serves a connection until it ends, or the server does.
pub async fn serve(
    mut socket: WebSocket,
    worlds: Arc<Semaphore>,
    library: Arc<Library>,
    stop: watch::Receiver<bool>,
) {
    let permit = worlds.try_acquire_owned().ok().map(Arc::new);
    let spawned = permit.and_then(|permit| {
        let world = Simulation::spawn(permit.clone()).ok()?;
        Some((world, Motions::new(library, permit)))
    });
    let Some((world, (motions, steps))) = spawned else {
        let full = "as many worlds run as this server takes; close a page, or try again later";
        part(&mut socket, ConnectionEnd::Full, full).await;
        return;
    };
    let mut connection = Connection {
        socket,
        world,
        motions,
        steps,
        rate: Rate::new(Instant::now()),
        heard: Instant::now(),
        stop,
    };
    if let Some((parting, message)) = connection.run().await {
        part(&mut connection.socket, parting, message).await;
    }
}

struct Connection {
    socket: WebSocket,
    world: Spawned,
    motions: Motions,
    /// What the page is told of a motion in space.
    steps: mpsc::Receiver<Message>,
    rate: Rate,
    /// When the page last gave a sign of life.
    heard: Instant,
    stop: watch::Receiver<bool>,
}

/// The reason for the end of a connection, for the page if it is still connected.
type Ended = Option<(ConnectionEnd, &'static str)>;

impl Connection {
    async fn run(&mut self) -> Ended {
        if let ControlFlow::Break(ended) = self.say(&Message::hello()).await {
            return ended;
        }
        let mut beat = interval(BEAT);
        loop {
            let flow = tokio::select! {
                () = stopped(&mut self.stop) => {
                    ControlFlow::Break(Some((ConnectionEnd::Stopping, "the server was stopped")))
                }
                packet = self.socket.recv() => self.hear(packet).await,
                answer = self.world.answers.recv() => match answer {
                    Some(message) => self.say(&message).await,
                    None => ControlFlow::Break(Some((ConnectionEnd::Defect, "the world ended by a defect of the server"))),
                },
                Some(message) = self.steps.recv() => self.say(&message).await,
                Ok(()) = self.world.frames.changed() => self.show().await,
                _ = beat.tick() => self.beat().await,
            };
            if let ControlFlow::Break(ended) = flow {
                return ended;
            }
        }
    }

    /// Sends the latest frame, after all answers that were given before it: a frame of a world that
    /// the page does not know yet would be lost to it.
    async fn show(&mut self) -> ControlFlow<Ended> {
        let latest = self.world.frames.borrow_and_update().clone();
        while let Ok(answer) = self.world.answers.try_recv() {
            self.say(&answer).await?;
        }
        match latest {
            Some(frame) => self.send(Packet::Text((&*frame).into())).await,
            None => ControlFlow::Continue(()),
        }
    }

    async fn hear(&mut self, packet: Option<Result<Packet, axum::Error>>) -> ControlFlow<Ended> {
        let packet = match packet {
            Some(Ok(packet)) => packet,
            Some(Err(error)) => return ControlFlow::Break(broken(&error)),
            None => return ControlFlow::Break(None),
        };
        self.heard = Instant::now();
        let bytes = match &packet {
            Packet::Text(text) => text.len(),
            Packet::Binary(bytes) | Packet::Ping(bytes) | Packet::Pong(bytes) => bytes.len(),
            Packet::Close(_) => return ControlFlow::Break(None),
        };
        if bytes > MESSAGE_BYTES {
            return ControlFlow::Break(OVERSIZE);
        }
        match self.rate.take(bytes, Instant::now()) {
            Pace::Heard => {}
            Pace::Told => return self.say(&Message::Error(too_fast())).await,
            Pace::Dropped => return ControlFlow::Continue(()),
            Pace::Ended => {
                let flood = "messages kept coming far faster than they are heard";
                return ControlFlow::Break(Some((ConnectionEnd::Flood, flood)));
            }
        }
        match packet {
            Packet::Text(text) => match Command::read(text.as_str()) {
                Ok(command) => self.pass_on(command).await,
                Err(complaint) => self.say(&Message::Error(complaint)).await,
            },
            Packet::Binary(_) => {
                let remedy = "send messages as text";
                let binary = Complaint::new(
                    ComplaintCode::NotJson,
                    None,
                    "the message is binary",
                    remedy,
                );
                self.say(&Message::Error(binary)).await
            }
            _ => ControlFlow::Continue(()),
        }
    }

    async fn pass_on(&mut self, command: Command) -> ControlFlow<Ended> {
        if let Command::Motion(ask) = command {
            return match self.motions.ask(*ask) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(Some((
                    ConnectionEnd::Full,
                    "the system has no thread for a motion; try again later",
                ))),
            };
        }
        match self.world.commands.try_send(command) {
            Ok(()) => ControlFlow::Continue(()),
            Err(TrySendError::Full(_)) => self.say(&Message::Error(too_fast())).await,
            Err(TrySendError::Disconnected(_)) => ControlFlow::Break(Some((
                ConnectionEnd::Defect,
                "the world ended by a defect of the server",
            ))),
        }
    }

    /// A sign of life, and a look whether there is one of the page.
    async fn beat(&mut self) -> ControlFlow<Ended> {
        if self.heard.elapsed() > IDLE_TIME {
            let silent = "nothing was heard of the page for a long time";
            return ControlFlow::Break(Some((ConnectionEnd::Silent, silent)));
        }
        self.send(Packet::Ping(Default::default())).await?;
        self.say(&Message::Alive).await
    }

    async fn say(&mut self, message: &Message) -> ControlFlow<Ended> {
        self.send(Packet::Text(message.text().into())).await
    }

    /// Sends, and gives up a page that does not read at all.
    async fn send(&mut self, packet: Packet) -> ControlFlow<Ended> {
        tokio::select! {
            sent = timeout(SEND_TIME, self.socket.send(packet)) => match sent {
                Ok(Ok(())) => ControlFlow::Continue(()),
                _ => ControlFlow::Break(None),
            },
            () = stopped(&mut self.stop) => {
                ControlFlow::Break(Some((ConnectionEnd::Stopping, "the server was stopped")))
            }
        }
    }
}

/// Waits until the server is to stop.
pub async fn stopped(stop: &mut watch::Receiver<bool>) {
    // An error means that the server itself is gone.
    let _ = stop.wait_for(|stopping| *stopping).await;
}

fn too_fast() -> Complaint {
    let message = "messages come faster than they are heard; some were dropped";
    let remedy = format!(
        "send at most {} a second",
        crate::limits::MESSAGES_PER_SECOND
    );
    Complaint::new(ComplaintCode::TooFast, None, message, remedy)
}

const OVERSIZE: Ended = Some((
    ConnectionEnd::Oversize,
    "a message was larger than the server takes",
));

/// An error of the socket: what was read breaks the WebSocket protocol (RFC 6455) or a limit of this
/// server. The page gets the reason if it is still connected.
fn broken(error: &axum::Error) -> Ended {
    let source = std::error::Error::source(error);
    match source.and_then(|source| source.downcast_ref())? {
        tungstenite::Error::Capacity(_) => OVERSIZE,
        // The page has left without a word, or says something after its last one.
        tungstenite::Error::Protocol(
            ProtocolError::ResetWithoutClosingHandshake
            | ProtocolError::ReceivedAfterClosing
            | ProtocolError::SendAfterClosing,
        ) => None,
        tungstenite::Error::Protocol(ProtocolError::ControlFrameTooBig) => Some((
            ConnectionEnd::Protocol,
            "a ping, pong or close frame of more than 125 bytes breaks RFC 6455, section 5.5",
        )),
        tungstenite::Error::Protocol(_) => Some((
            ConnectionEnd::Protocol,
            "what was sent is no frame of RFC 6455 that a client may send there",
        )),
        tungstenite::Error::Utf8(_) => Some((
            ConnectionEnd::NotText,
            "a text message is not UTF-8 (RFC 6455, section 8.1)",
        )),
        _ => None,
    }
}

/// Says why the connection ends, and ends it.
async fn part(socket: &mut WebSocket, reason: ConnectionEnd, message: &str) {
    let code = match reason {
        ConnectionEnd::Full => close_code::AGAIN,
        ConnectionEnd::Stopping => close_code::AWAY,
        ConnectionEnd::Oversize => close_code::SIZE,
        ConnectionEnd::Protocol => close_code::PROTOCOL,
        ConnectionEnd::NotText => close_code::INVALID,
        ConnectionEnd::Flood | ConnectionEnd::Silent => close_code::POLICY,
        ConnectionEnd::Defect => close_code::ERROR,
    };
    let message = match reason {
        ConnectionEnd::Oversize => format!("{message}: at most {MESSAGE_BYTES} bytes"),
        _ => message.to_owned(),
    };
    let bye = Message::Bye {
        reason,
        message: message.clone(),
    };
    let goodbye = async {
        let _ = socket.send(Packet::Text(bye.text().into())).await;
        let frame = CloseFrame {
            code,
            reason: message.into(),
        };
        let _ = socket.send(Packet::Close(Some(frame))).await;
        // What is on its way is read until the page closes, too: a socket closed on unread data
        // would take the goodbye with it.
        while let Some(Ok(_)) = socket.recv().await {}
    };
    let _ = timeout(std::time::Duration::from_secs(1), goodbye).await;
}
