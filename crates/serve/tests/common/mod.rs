//! A server for a test, and a page without a browser.

// Each test program uses its own part.
#![allow(dead_code)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::line_text;
use etalon_scenarios::motion::Arithmetics;
use etalon_serve::{Library, Server, ServerSettings};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Message, WebSocket};

/// Nothing here takes so long; a test that waits longer has failed.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A server on a port of its own that has the goldens of the repository.
pub fn start() -> Server {
    start_with(ServerSettings::default())
}

pub fn start_with(settings: ServerSettings) -> Server {
    Server::start(ServerSettings {
        address: ([127, 0, 0, 1], 0).into(),
        ..settings
    })
    .unwrap()
}

pub fn goldens() -> Library {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden");
    let (library, left_out) = Library::read(&folder).unwrap();
    assert!(left_out.is_empty(), "{left_out:?}");
    library
}

/// What `etalon scenario run box-slide` writes.
pub fn slide(steps: u64) -> String {
    let scenario = etalon_scenarios::find("box-slide").unwrap();
    let instance = scenario.motion_instance([]).unwrap();
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let run = instance.trajectory(Arithmetics::Exact, &*solver, Some(steps));
    let mut run = run.unwrap();
    let mut text = line_text(&run.header()) + "\n";
    while run.k() < run.steps() {
        text += &(line_text(&run.advance().unwrap()) + "\n");
    }
    text
}

/// The same with another velocity in one line: it does not come again, nor does the line after it.
pub fn tampered_slide(steps: u64, at: usize) -> String {
    let text = slide(steps);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut line: Value = serde_json::from_str(&lines[at]).unwrap();
    line["v"][0] = json!(1.5);
    lines[at] = line.to_string();
    lines.join("\n") + "\n"
}

/// A whole answer: status, head and body.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

/// Sends a request as it stands, and reads the answer to its end.
pub fn send(server: &Server, request: &str) -> Answer {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    Answer {
        status: head
            .get(9..12)
            .and_then(|status| status.parse().ok())
            .unwrap_or(0),
        head: head.to_lowercase(),
        body: body.to_owned(),
    }
}

/// Asks for a path as a browser on this machine does.
pub fn get(server: &Server, path: &str) -> Answer {
    let host = server.address();
    send(
        server,
        &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
    )
}

/// How long a page waits where the server takes nothing more.
const STUCK: Duration = Duration::from_secs(2);

/// A page: it speaks the protocol, and draws nothing.
pub struct Page {
    pub socket: WebSocket<TcpStream>,
}

impl Page {
    pub fn connect(server: &Server) -> Self {
        let stream = TcpStream::connect(server.address()).unwrap();
        Self::over(server, stream)
    }

    pub fn over(server: &Server, stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // A server that no longer listens to a flood must not hold the flooder up.
        stream.set_write_timeout(Some(STUCK)).unwrap();
        let url = format!("ws://{}/socket", server.address());
        let request = url.into_client_request().unwrap();
        let (socket, _) = tokio_tungstenite::tungstenite::client(request, stream).unwrap();
        Self { socket }
    }

    /// A page that has opened a world.
    pub fn with_world(server: &Server, world: &str, bodies: usize) -> Self {
        let mut page = Self::connect(server);
        assert_eq!(page.next("hello")["protocol"], "etalon-serve/1");
        page.tell(json!({"type": "open", "world": world, "bodies": bodies}));
        page.next("scene");
        page
    }

    pub fn tell(&mut self, message: Value) {
        self.say(&message.to_string());
    }

    pub fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// The next message, of any type; none when the connection has ended.
    pub fn hear(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next message of a type.
    pub fn next(&mut self, kind: &str) -> Value {
        self.first(kind, |_| true)
    }

    /// The next frame that is as wanted.
    pub fn frame(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        self.first("frame", wanted)
    }

    /// The first message of a type that is as wanted. A server that keeps sending others never lets a read time out, so
    /// patience is counted here, too.
    fn first(&mut self, kind: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let message = self
                .hear()
                .unwrap_or_else(|| unreachable!("no {kind}: the connection ended"));
            if message["type"] == kind && wanted(&message) {
                return message;
            }
        }
        unreachable!("no such {kind} within {PATIENCE:?}");
    }

    /// The first frame at or after a time.
    pub fn at(&mut self, time: f64) -> Value {
        self.frame(|frame| frame["time"].as_f64().unwrap() >= time)
    }
}
