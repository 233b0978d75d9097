//! One running process, with threads at its three streams.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{self, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Command;

/// How much of standard error is kept, in bytes.
const KEPT: usize = 64 << 10;

/// How long a process that has closed its output may take to end, and its last words to arrive.
const GRACE: Duration = Duration::from_millis(500);

/// What came of a question.
pub enum Heard {
    /// A line.
    Line(String),
    /// A line over the limit; its start.
    TooLong(String),
    /// Nothing in time.
    Nothing,
    /// The end of the output; what stood before it without a line break.
    End(String),
}

/// A running process, the leader of its group; dropping it ends the group.
pub struct Child {
    process: process::Child,
    questions: Sender<String>,
    answers: Receiver<Heard>,
    complaints: Arc<Mutex<VecDeque<u8>>>,
}

impl Child {
    /// Starts it; an error is in words.
    pub fn start(command: &Command, line_bytes: usize) -> Result<Self, String> {
        let mut builder = process::Command::new(command.program());
        builder
            .args(command.arguments())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut builder, 0);
        let program = command.program();
        let started = builder.spawn();
        let mut process = started.map_err(|error| format!("cannot start {program:?}: {error}"))?;
        let (questions, asked) = channel::<String>();
        // A process that writes without being asked is held up, not stored.
        let (answer, answers) = sync_channel(1);
        let complaints = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(mut input) = process.stdin.take() {
            thread::spawn(move || {
                for mut question in asked {
                    question.push('\n');
                    if input.write_all(question.as_bytes()).is_err() || input.flush().is_err() {
                        return;
                    }
                }
            });
        }
        if let Some(output) = process.stdout.take() {
            thread::spawn(move || listen(output, line_bytes, &answer));
        }
        if let Some(errors) = process.stderr.take() {
            let complaints = Arc::clone(&complaints);
            thread::spawn(move || keep(errors, &complaints));
        }
        Ok(Self {
            process,
            questions,
            answers,
            complaints,
        })
    }

    /// Sends a question and waits for the answer.
    pub fn ask(&mut self, question: String, deadline: Instant) -> Heard {
        // Where nobody reads any more, the end of the output says so.
        let _ = self.questions.send(question);
        let left = deadline.saturating_duration_since(Instant::now());
        match self.answers.recv_timeout(left) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End(String::new()),
        }
    }

    /// How the process has ended, waiting a little for it.
    pub fn status(&mut self) -> String {
        let end = Instant::now() + GRACE;
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return format!("the solver ended ({status})"),
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(5)),
                _ => return "the solver closed its output".to_owned(),
            }
        }
    }

    /// The end of what it has written to standard error.
    pub fn complaints(&self) -> String {
        let kept = self.complaints.lock();
        let kept = kept.unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The last line of standard error, as the end of a sentence.
    pub fn last_words(&self) -> String {
        let complaints = self.complaints();
        let last = complaints
            .lines()
            .rev()
            .find(|line| !line.trim().is_empty());
        last.map_or_else(String::new, |line| {
            format!("; its last words: {}", super::quote(line.trim()))
        })
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.process.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Hands lines on until the output ends or a line is over the limit.
fn listen(output: impl Read, line_bytes: usize, answer: &SyncSender<Heard>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let limit = line_bytes as u64 + 1;
        let read = output.by_ref().take(limit).read_until(b'\n', &mut line);
        let broken = line.pop_if(|last| *last == b'\n').is_some();
        let too_long = line.len() > line_bytes;
        let line = String::from_utf8_lossy(&line).into_owned();
        let (heard, last) = match read {
            _ if too_long => (Heard::TooLong(line), true),
            Ok(_) if broken => (Heard::Line(line), false),
            _ => (Heard::End(line), true),
        };
        if answer.send(heard).is_err() || last {
            return;
        }
    }
}

/// Keeps the last of what is written.
fn keep(mut errors: impl Read, complaints: &Mutex<VecDeque<u8>>) {
    let mut part = [0; 4096];
    while let Ok(read @ 1..) = errors.read(&mut part) {
        let mut kept = complaints.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&part[..read]);
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
    }
}
