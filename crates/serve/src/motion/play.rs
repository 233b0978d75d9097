//! The thread of a connection's motions in space: one at a time, the latest that was asked for.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use etalon_exact::{Budget, ExactMethod, Stop};
use etalon_fast::ConeSolver;
use etalon_golden::trajectory::{Line, Quantity, Trajectory};
use etalon_lcp::{Number, Solver};
use etalon_replay::trajectories::Replay;
use etalon_scenarios::motion::{Arithmetics, MotionError, MotionRun, Touching};
use etalon_scenarios::space::MovingScene;
use etalon_spatial::{Cone, Surfaces};
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use super::cast::cast;
use super::frame::{Contacts, Places, frame, start};
use super::source::Source;
use crate::golden::Library;
use crate::limits::{MOTION_FRAMES, MOTION_WORK};
use crate::protocol::{AskMotion, Complaint, ComplaintCode, Message, MotionFrame, MotionShown};

/// A question with the way to end its motion.
struct Job {
    ask: AskMotion,
    stop: Stop,
}

/// The motions of a connection. The thread begins with the first of them, and ends with this at the next pivot or step.
pub struct Motions {
    library: Arc<Library>,
    permit: Arc<OwnedSemaphorePermit>,
    out: mpsc::Sender<Message>,
    jobs: Option<Sender<Job>>,
    stop: Stop,
}

impl Motions {
    /// For a connection, with what its page is told.
    pub fn new(
        library: Arc<Library>,
        permit: Arc<OwnedSemaphorePermit>,
    ) -> (Self, mpsc::Receiver<Message>) {
        let (out, told) = mpsc::channel(MOTION_FRAMES);
        let own = Self {
            library,
            permit,
            out,
            jobs: None,
            stop: Stop::new(),
        };
        (own, told)
    }

    /// Ends the present motion.
    pub fn stop(&mut self) {
        self.stop.stop();
    }

    /// Begins a motion in place of the present one.
    ///
    /// # Errors
    /// Where the system has no thread to give.
    pub fn ask(&mut self, ask: AskMotion) -> std::io::Result<()> {
        self.stop();
        self.stop = Stop::new();
        let job = Job {
            ask,
            stop: self.stop.clone(),
        };
        let jobs = match self.jobs.take() {
            Some(jobs) => jobs,
            None => self.spawn()?,
        };
        // The thread ends before its jobs do where the connection has ended: then nobody waits for this one.
        let _ = jobs.send(job);
        self.jobs = Some(jobs);
        Ok(())
    }

    fn spawn(&self) -> std::io::Result<Sender<Job>> {
        let (jobs, waiting) = channel();
        let (library, out) = (self.library.clone(), self.out.clone());
        // A motion that still ends counts as the connection's world.
        let permit = self.permit.clone();
        let thread = std::thread::Builder::new().name("motion".to_owned());
        thread.spawn(move || {
            work(&waiting, &library, &out);
            drop(permit);
        })?;
        Ok(jobs)
    }
}

impl Drop for Motions {
    fn drop(&mut self) {
        self.stop();
    }
}

fn work(jobs: &Receiver<Job>, library: &Library, out: &mpsc::Sender<Message>) {
    while let Ok(Job { ask, stop }) = jobs.recv() {
        if stop.is_stopped() {
            continue;
        }
        let show = Show {
            id: ask.id,
            stop,
            out,
        };
        let outcome = Source::of(&ask, library).and_then(|source| show.play(source));
        if let Err(complaint) = outcome {
            show.tell(Message::Error(complaint));
        }
    }
}

/// A motion on its way to a page.
struct Show<'a> {
    id: u64,
    stop: Stop,
    out: &'a mpsc::Sender<Message>,
}

impl Show<'_> {
    /// Tells the page, and waits until it takes it; says whether the motion goes on.
    fn tell(&self, message: Message) -> bool {
        !self.stop.is_stopped() && self.out.blocking_send(message).is_ok()
    }

    fn end(&self, reason: Option<String>) {
        self.tell(Message::MotionEnd {
            id: self.id,
            reason,
        });
    }

    fn play(&self, mut source: Source) -> Result<(), Complaint> {
        let recorded = source.recorded.take();
        let solver = self.solver(&source.scene);
        let run = begin(&source, &*solver).map_err(|error| {
            let remedy = "change what the message names";
            Complaint::new(ComplaintCode::BadScene, None, error.to_string(), remedy)
        })?;
        match recorded {
            Some(stored) => self.play_again(&source, &stored),
            None => self.play_run(&source, run),
        }
    }

    fn solver(&self, scene: &MovingScene) -> Box<dyn Solver> {
        let budget = Budget {
            work: MOTION_WORK,
            stop: self.stop.clone(),
            ..Budget::default()
        };
        // Problems of implicit surfaces are linear, whatever the cone is.
        match scene {
            MovingScene::Space(own) if own.settings.cone == Cone::Circular => Box::new(ConeSolver),
            _ => ExactMethod::Lemke.solver(&budget),
        }
    }

    fn play_run(&self, source: &Source, mut run: Box<dyn MotionRun + '_>) -> Result<(), Complaint> {
        let header = run.header();
        let moving = Places::of(&source.scene);
        let start = start(&header, moving).map_err(none)?;
        let solver = header.solver.unwrap_or_default();
        let steps = run.steps();
        if !self.tell(shown(self.id, source, steps, start, &solver, None)) {
            return Ok(());
        }
        let acting = Acting::of(&source.scene)?;
        let mut before = (header.start.q.clone(), header.start.v.clone());
        while run.k() < run.steps() {
            let (line, broken) = match run.advance_examined() {
                Ok(step) => step,
                Err(error) => {
                    self.end(Some(error.to_string()));
                    return Ok(());
                }
            };
            let broken = broken.iter().map(ToString::to_string).collect();
            let contacts = acting.contacts(&before, &line).map_err(none)?;
            let frame = Box::new(frame(&line, moving, &contacts, broken).map_err(none)?);
            before = (line.q, line.v);
            if !self.tell(Message::MotionFrame { id: self.id, frame }) {
                return Ok(());
            }
        }
        self.end(None);
        Ok(())
    }

    /// The steps of a trajectory, each taken again from the line before it, where it can be.
    fn play_again(&self, source: &Source, stored: &Trajectory) -> Result<(), Complaint> {
        let moving = Places::of(&source.scene);
        let start = start(&stored.header, moving).map_err(none)?;
        let solver = stored.header.solver.clone().unwrap_or_default();
        let replay = Replay::new(stored);
        let unjudged = replay.as_ref().err().map(ToString::to_string);
        let mut cast = shown(
            self.id,
            source,
            stored.steps.len() as u64,
            start,
            &solver,
            unjudged,
        );
        if let Message::Motion(own) = &mut cast {
            own.recorded = true;
        }
        if !self.tell(cast) {
            return Ok(());
        }
        let acting = Acting::of(&source.scene)?;
        let mut before = (stored.header.start.q.clone(), stored.header.start.v.clone());
        for (k, line) in (1..).zip(&stored.steps) {
            let broken = replay
                .as_ref()
                .map_or_else(|_| Vec::new(), |own| own.step(k));
            let contacts = acting.contacts(&before, line);
            let drawn = contacts.and_then(|contacts| frame(line, moving, &contacts, broken));
            before = (line.q.clone(), line.v.clone());
            let Ok(drawn) = drawn else {
                let field = drawn.err().unwrap_or_default();
                self.end(Some(format!("step {k} has no {field:?} that can be drawn")));
                return Ok(());
            };
            let frame = Box::new(drawn);
            if !self.tell(Message::MotionFrame { id: self.id, frame }) {
                return Ok(());
            }
        }
        self.end(None);
        Ok(())
    }
}

fn begin<'a>(
    source: &Source,
    solver: &'a dyn Solver,
) -> Result<Box<dyn MotionRun + 'a>, MotionError> {
    match &source.instance {
        Some(instance) => instance.trajectory(Arithmetics::Exact, solver, None),
        None => source.scene.run(Arithmetics::Exact, solver, None),
    }
}

/// What lines leave to be known of where contacts are.
enum Acting<'a> {
    Rows(&'a Surfaces),
    Closest(Box<Touching>),
}

/// Coordinates and velocities.
type Numbers = (Vec<Quantity>, Vec<Quantity>);

impl<'a> Acting<'a> {
    fn of(scene: &'a MovingScene) -> Result<Self, Complaint> {
        let touching = match scene {
            MovingScene::Space(own) => return Ok(Self::Rows(&own.surfaces)),
            MovingScene::Corners(own) => Touching::of_corners(own),
            MovingScene::Implicit(own) => Touching::of(own),
        };
        let touching = touching.map_err(|error| {
            let remedy = "change what the message names";
            Complaint::new(ComplaintCode::BadScene, None, error.to_string(), remedy)
        })?;
        Ok(Self::Closest(Box::new(touching)))
    }

    /// Those of a line from the state before it; `Err` with the field that is none.
    fn contacts(&self, before: &Numbers, line: &Line) -> Result<Contacts<'a>, &'static str> {
        match self {
            Self::Rows(surfaces) => Ok(Contacts::Rows(surfaces)),
            Self::Closest(own) => {
                let touches = own.of_line((&before.0, &before.1), line);
                touches.map(Contacts::Closest).ok_or("v")
            }
        }
    }
}

fn none(field: &'static str) -> Complaint {
    let message = format!("the start has no {field:?} that can be drawn");
    let remedy = "look at the numbers of that field; binary64 must hold them";
    Complaint::new(ComplaintCode::BadScene, Some(field), message, remedy)
}

fn shown(
    id: u64,
    source: &Source,
    steps: u64,
    start: MotionFrame,
    solver: &str,
    unjudged: Option<String>,
) -> Message {
    let scene = &source.scene;
    let (method, cone) = scene.method();
    let about = source.instance.as_ref().map(|own| own.part.description);
    Message::Motion(Box::new(MotionShown {
        id,
        name: source.name.clone(),
        description: about
            .map(str::to_owned)
            .or_else(|| scene.notes().cloned())
            .unwrap_or_default(),
        h: Number::from(scene.h().clone()).to_f64(),
        steps,
        method: method.to_string(),
        cone: cone.to_string(),
        solver: solver.to_owned(),
        recorded: false,
        unjudged,
        bodies: cast(scene),
        start,
    }))
}
