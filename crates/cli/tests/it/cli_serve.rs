//! `etalon serve` as a process: how it is told to end, and ends.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::ETALON;
use rustix::process::{Pid, Signal, kill_process};

/// More than the server gives its pages, much less than anybody waits.
const PROMPT: Duration = Duration::from_secs(20);

/// Ends with the test, whatever becomes of it.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    /// The server, and where it listens.
    fn start() -> (Self, String) {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden");
        let child = Command::new(ETALON)
            .args(["serve", "--port", "0", "--quiet", "--golden", folder])
            .stdout(Stdio::piped())
            .spawn();
        let mut running = Self(child.unwrap());
        let mut line = String::new();
        let output = running.0.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://");
        (running, address.trim_end_matches('/').to_owned())
    }

    /// The exit status after a signal, which must come soon.
    fn ends_by(&mut self, signal: Signal) -> Option<i32> {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
        let begun = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status.code();
            }
            assert!(begun.elapsed() < PROMPT, "it goes on after {signal:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A page with a world that runs: an open WebSocket, of which no message has to be understood.
fn page(address: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PROMPT)).unwrap();
    write!(
        stream,
        "GET /socket HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    .unwrap();
    let mut head = [0; 12];
    stream.read_exact(&mut head).unwrap();
    assert_eq!(&head[9..], b"101");
    let open = br#"{"type":"open","world":"pile","bodies":6}"#;
    // A text under the mask 0, which leaves it as it is.
    let mut frame = vec![0x81, 0x80 | open.len() as u8, 0, 0, 0, 0];
    frame.extend_from_slice(open);
    stream.write_all(&frame).unwrap();
    stream
}

/// Everything until the server closes; none where it breaks off.
fn rest(mut stream: TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[test]
fn signals_end_it_though_pages_are_open_and_pages_are_told() {
    for signal in [Signal::INT, Signal::TERM] {
        let (mut server, address) = Running::start();
        // One page reads, one has stopped to, one request has only begun.
        let (reader, _silent) = (page(&address), page(&address));
        let mut half = TcpStream::connect(&address).unwrap();
        half.write_all(b"GET / HTTP/1.1\r\nHo").unwrap();
        let reading = std::thread::spawn(|| rest(reader));
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(server.ends_by(signal), Some(0), "{signal:?}");
        let heard = reading
            .join()
            .unwrap()
            .expect("a connection that is closed");
        assert!(heard.contains(r#""reason":"stopping""#), "{signal:?}");
    }
}

#[test]
fn signals_end_it_though_nobody_is_there() {
    for signal in [Signal::INT, Signal::TERM] {
        let (mut server, _) = Running::start();
        assert_eq!(server.ends_by(signal), Some(0), "{signal:?}");
    }
}
