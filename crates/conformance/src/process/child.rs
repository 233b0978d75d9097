//! One running process, with threads at its three streams.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{self, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use etalon_lcp::record::stream::is_cbor;

use super::warden::Warden;
use super::{CommandLine, Limits, strays};
use crate::failure::FailureKind;

/// How much of standard error is kept, in bytes.
const KEPT: usize = 64 << 10;

/// How long a process that has closed its output may take to end, and its last words to arrive.
const GRACE: Duration = Duration::from_secs(2);

/// The outcome of a question.
pub enum Heard {
    /// A line.
    Line(String),
    /// A line over the limit; its start.
    TooLong(String),
    /// A record in CBOR, which has no line.
    Cbor,
    /// Nothing in time.
    Nothing,
    /// The end of the output; what stood before it without a line break.
    End(String),
}

/// A running process, the leader of its group; dropping it ends the group, and on Linux whatever
/// has left it.
pub struct Child {
    process: process::Child,
    /// The variable in the environment of all that descends from it.
    mark: String,
    /// Ends it when this program is ended without a chance to.
    warden: Warden,
    questions: Sender<String>,
    answers: Receiver<Heard>,
    complaints: Arc<Mutex<VecDeque<u8>>>,
    /// Disconnected when standard error has been read to its end.
    complaining: Receiver<()>,
    /// The pipe to the process, to see what it has not read of the last question.
    #[cfg(unix)]
    pipe: Option<std::os::fd::OwnedFd>,
    question_bytes: u64,
}

impl Child {
    /// Starts it; an error is in words.
    pub fn start(command: &CommandLine, limits: &Limits) -> Result<Self, String> {
        let mark = strays::mark();
        let mut builder = builder(command, &mark);
        let program = command.program();
        // Held until it is listed: after `end_all` nothing is started any more.
        let mut listed = live();
        let mut warden = Warden::start(&mark);
        let started = builder.spawn();
        let mut process = started.map_err(|error| format!("cannot start {program:?}: {error}"))?;
        warden.watch_group(process.id());
        listed.insert(mark.clone(), process.id());
        drop(listed);
        limit_memory(&process, limits);
        let line_bytes = limits.line_bytes;
        #[cfg(unix)]
        let pipe = process.stdin.as_ref().and_then(|input| {
            let fd = std::os::fd::AsFd::as_fd(input);
            fd.try_clone_to_owned().ok()
        });
        let (questions, asked) = channel::<String>();
        // A process that writes without being asked is held up, not stored.
        let (answer, answers) = sync_channel(1);
        let complaints = Arc::new(Mutex::new(VecDeque::new()));
        let (silent, complaining) = channel::<()>();
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
            thread::spawn(move || {
                keep(errors, &complaints);
                drop(silent);
            });
        }
        Ok(Self {
            process,
            mark,
            warden,
            questions,
            answers,
            complaints,
            complaining,
            #[cfg(unix)]
            pipe,
            question_bytes: 0,
        })
    }

    /// Sends a question and waits for the answer.
    pub fn ask(&mut self, question: String, deadline: Instant) -> Heard {
        self.question_bytes = question.len() as u64 + 1;
        // Where the reader has gone, the end of the output shows it.
        let _ = self.questions.send(question);
        self.hear(deadline)
    }

    /// Waits for the next line.
    pub fn hear(&mut self, deadline: Instant) -> Heard {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.answers.recv_timeout(left) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End(String::new()),
        }
    }

    /// How the process has ended, waiting a little for it and for its last words.
    pub fn ending(&mut self) -> (FailureKind, String) {
        let end = Instant::now() + GRACE;
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => {
                    // Nothing is ever sent: this waits until all that it had written is read.
                    let left = end.saturating_duration_since(Instant::now());
                    let _ = self.complaining.recv_timeout(left);
                    let kind = if status.code().is_some() {
                        FailureKind::Exited
                    } else {
                        FailureKind::Crashed
                    };
                    return (kind, format!("the solver ended ({status})"));
                }
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(5)),
                _ => {
                    let closed = "the solver closed its output".to_owned();
                    return (FailureKind::Closed, closed);
                }
            }
        }
    }

    /// Whether the process itself has ended.
    pub fn has_ended(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(Some(_)))
    }

    /// Whether nothing of the last question has been read: what stands in the pipe is all of it, or
    /// the pipe is full of it.
    #[cfg(unix)]
    pub fn has_not_read(&self) -> bool {
        /// What a pipe holds on Linux, unless its size was changed.
        const PIPE: u64 = 64 << 10;
        let waiting = self.pipe.as_ref();
        let waiting = waiting.and_then(|pipe| rustix::io::ioctl_fionread(pipe).ok());
        waiting.is_some_and(|bytes| bytes >= self.question_bytes.min(PIPE))
    }

    /// Not to be seen here.
    #[cfg(not(unix))]
    pub fn has_not_read(&self) -> bool {
        false
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
        // From here on no other thread ends this group, whose number is free once it is waited for.
        live().remove(&self.mark);
        end_group(self.process.id());
        let _ = self.process.kill();
        self.warden.group_has_ended();
        let _ = self.process.wait();
        strays::end(&self.mark);
    }
}

/// The marks of the processes that run, and the numbers of their groups.
static LIVE: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());

fn live() -> MutexGuard<'static, BTreeMap<String, u32>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends every running solver and its descendants before the program exits. A thread that would start
/// another solver, for example after its own has been ended, waits for the exit.
pub fn end_all() {
    let listed = live();
    for (mark, group) in &*listed {
        end_group(*group);
        strays::end(mark);
    }
    std::mem::forget(listed);
}

#[cfg(unix)]
fn end_group(number: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(number).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: u32) {}

/// Bounds what the process, and whatever it starts from now on, may write to. Between its start and
/// here it may have started something already; that has no time to fill a memory.
#[cfg(target_os = "linux")]
fn limit_memory(process: &process::Child, limits: &Limits) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let pid = i32::try_from(process.id()).ok().and_then(Pid::from_raw);
    if let (Some(pid), Some(bytes)) = (pid, limits.memory_bytes) {
        let limit = Rlimit {
            current: Some(bytes),
            maximum: Some(bytes),
        };
        // A process that has ended already needs no limit.
        let _ = prlimit(Some(pid), Resource::Data, limit);
    }
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_: &process::Child, _: &Limits) {}

/// Hands lines on until the output ends, a line is over the limit, or CBOR comes in its place, of which no line break
/// is to be waited for.
fn listen(output: impl Read, line_bytes: usize, answer: &SyncSender<Heard>) {
    let mut output = BufReader::new(output);
    loop {
        if output.fill_buf().is_ok_and(is_cbor) {
            let _ = answer.send(Heard::Cbor);
            return;
        }
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

/// A process in a group of its own, with all its streams piped, that can be known by its mark.
fn builder(command: &CommandLine, mark: &str) -> process::Command {
    let mut builder = process::Command::new(command.program());
    builder
        .env(mark, "")
        .args(command.arguments())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut builder, 0);
    builder
}
