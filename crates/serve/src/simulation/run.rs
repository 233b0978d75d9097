//! The thread of a world.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};

use super::stage::Stage;
use crate::contact;
use crate::limits::{ANSWERS, COMMANDS};
use crate::protocol::{Command, Complaint, ComplaintCode, Message};

/// Time between frames.
const TICK: Duration = Duration::from_micros(16_667);
/// The time that a tick may take before the next one begins.
const WORK: Duration = Duration::from_millis(14);
/// A world that is late by more does not try to catch up, s.
const LATE: f64 = 0.1;
/// Over how long the pace is measured, s.
const MEASURED: f64 = 0.5;

/// Text of the latest frame, if there is one.
pub type Latest = Option<Arc<str>>;

/// The ends of a world's channels, for its connection.
pub struct Spawned {
    /// Commands to the world; it ends when this is dropped.
    pub commands: SyncSender<Command>,
    /// Its answers; closed when it has ended.
    pub answers: mpsc::Receiver<Message>,
    /// Its latest frame.
    pub frames: watch::Receiver<Latest>,
}

/// A world's own side of the channels.
pub struct Simulation {
    commands: Receiver<Command>,
    answers: mpsc::Sender<Message>,
    frames: watch::Sender<Latest>,
    stage: Option<Stage>,
    running: bool,
    clock: Clock,
}

/// How time goes on.
struct Clock {
    next: Instant,
    last: Instant,
    /// Seconds of the world that are due.
    due: f64,
    /// Seconds passed, and seconds of the world.
    measured: [f64; 2],
    pace: Option<f64>,
}

impl Simulation {
    /// Starts the thread of a world, which holds the permit until it ends.
    pub fn spawn(permit: Arc<OwnedSemaphorePermit>) -> std::io::Result<Spawned> {
        let (to_world, commands) = sync_channel(COMMANDS);
        let (answers, from_world) = mpsc::channel(ANSWERS);
        let (frames, latest) = watch::channel(None);
        let simulation = Self {
            commands,
            answers,
            frames,
            stage: None,
            running: false,
            clock: Clock::new(),
        };
        let builder = std::thread::Builder::new().name("world".to_owned());
        builder.spawn(move || {
            simulation.run();
            drop(permit);
        })?;
        Ok(Spawned {
            commands: to_world,
            answers: from_world,
            frames: latest,
        })
    }

    fn run(mut self) {
        loop {
            let first = match self.wait() {
                Ok(command) => Some(command),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let mut touched = first.is_some();
            if let Some(command) = first {
                self.hear(command);
            }
            while let Ok(command) = self.commands.try_recv() {
                touched = true;
                self.hear(command);
            }
            if self.running && Instant::now() >= self.clock.next {
                self.advance();
                self.publish();
            } else if touched && !self.running {
                self.publish();
            }
        }
    }

    /// Waits for a command, while the world moves until the next tick.
    fn wait(&self) -> Result<Command, RecvTimeoutError> {
        if !self.running {
            return self
                .commands
                .recv()
                .map_err(|_| RecvTimeoutError::Disconnected);
        }
        let left = self.clock.next.saturating_duration_since(Instant::now());
        self.commands.recv_timeout(left)
    }

    fn hear(&mut self, command: Command) {
        match self.carry_out(command) {
            Ok(None) => {}
            Ok(Some(fresh)) => {
                if let Some(stage) = &self.stage {
                    let scene = Message::Scene(Box::new(stage.scene(fresh)));
                    self.answer(scene);
                }
            }
            Err(complaint) => self.answer(Message::Error(complaint)),
        }
    }

    /// A full queue means that the page does not read; it will ask again.
    fn answer(&self, message: Message) {
        let _ = self.answers.try_send(message);
    }

    /// Carries out a command; says whether the scene is to be shown, and whether as a fresh one.
    fn carry_out(&mut self, command: Command) -> Result<Option<bool>, Complaint> {
        match command {
            Command::Open(open) => {
                let stage = Stage::open(&open)?;
                self.put(stage)?;
                self.go(open.running);
                return Ok(Some(true));
            }
            Command::Load(load) => {
                let stage = Stage::load(load.scene, load.start)?;
                self.put(stage)?;
                self.go(load.running);
                return Ok(Some(true));
            }
            Command::Contact(ask) => {
                let shown = contact::answer(&ask)?;
                self.answer(Message::Contact(Box::new(shown)));
                return Ok(None);
            }
            _ => {}
        }
        let stage = self.stage.as_mut().ok_or_else(no_world)?;
        match command {
            // Motions in space have a thread of their own, and never come here.
            Command::Open(_) | Command::Load(_) | Command::Contact(_) | Command::Motion(_) => {}
            Command::Reset => {
                stage.reset()?;
                return Ok(Some(true));
            }
            Command::Set(controls) => {
                stage.set(&controls)?;
                return Ok(Some(false));
            }
            Command::Run(run) => self.go(run.running),
            Command::Step => {
                self.running = false;
                self.step();
            }
            Command::Pull(pull) => stage.pull(&pull)?,
            Command::Drag(drag) => stage.drag(drag.to)?,
            Command::Release => stage.release(),
            Command::Thrust(thrusters) => stage.thrust(&thrusters.firing)?,
        }
        Ok(None)
    }

    /// Puts another world in place of the present one; the solver stays.
    fn put(&mut self, mut stage: Stage) -> Result<(), Complaint> {
        if let Some(old) = &self.stage {
            stage.choose(old.chosen())?;
        }
        self.stage = Some(stage);
        Ok(())
    }

    fn go(&mut self, running: bool) {
        if running && !self.running {
            self.clock = Clock::new();
        }
        self.running = running;
    }

    /// As many steps as are due.
    fn advance(&mut self) {
        let begun = self
            .clock
            .begin(self.stage.as_ref().map_or(1.0, Stage::speed));
        while self.running {
            let h = self.stage.as_ref().map_or(f64::INFINITY, Stage::time_step);
            if self.clock.due < h || begun.elapsed() > WORK {
                break;
            }
            self.clock.due -= h;
            let before = self.stage.as_ref().map_or(0.0, Stage::time);
            self.step();
            let after = self.stage.as_ref().map_or(0.0, Stage::time);
            self.clock.measured[1] += after - before;
        }
    }

    fn step(&mut self) {
        let Some(stage) = &mut self.stage else { return };
        if let Err(error) = stage.step() {
            self.running = false;
            self.answer(Message::Stopped {
                message: error.to_string(),
                remedy: "reset the world, or let it start with bodies that do not overlap, a smaller time step or larger tolerances".to_owned(),
            });
        }
    }

    fn publish(&mut self) {
        let pace = self.clock.pace.filter(|_| self.running);
        let Some(stage) = &mut self.stage else { return };
        let frame = Message::Frame(Box::new(stage.frame(self.running, pace)));
        self.frames.send_replace(Some(frame.text().into()));
    }
}

fn no_world() -> Complaint {
    let remedy = "send open or load first";
    Complaint::new(ComplaintCode::NoWorld, None, "no world is open", remedy)
}

impl Clock {
    fn new() -> Self {
        let now = Instant::now();
        Self {
            next: now,
            last: now,
            due: 0.0,
            measured: [0.0; 2],
            pace: None,
        }
    }

    /// Begins a tick.
    fn begin(&mut self, speed: f64) -> Instant {
        let now = Instant::now();
        let passed = now.saturating_duration_since(self.last).as_secs_f64();
        self.last = now;
        self.next = (self.next + TICK).max(now);
        self.due = (self.due + passed * speed).min(LATE * speed.max(1.0));
        self.measured[0] += passed;
        if self.measured[0] >= MEASURED {
            self.pace = Some(self.measured[1] / self.measured[0]);
            self.measured = [0.0; 2];
        }
        now
    }
}
