//! Trajectories: a header, a line a step, and the part that remains when a run is stopped.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_evidence::picture::FilmStrip;
use etalon_exact::ExactMethod as Exact;
use etalon_fast::ConeSolver;
use etalon_golden::trajectory::{line_text, to_f64s};
use etalon_lcp::Solver;
use etalon_lcp::record::write_problem;
use etalon_scenarios::motion::{Arithmetics, MotionInstance, MotionRun};
use etalon_scenarios::space::MovingScene;
use etalon_scenarios::view::View;
use etalon_spatial::Cone;
use etalon_time_stepping::FirstOf;
use serde::Serialize;

use super::files::write_pictures;
use super::resumed::resumed;
use super::run::Run;
use super::seen::Seen;
use super::solver::{SolverChoice, command_solver};
use super::step_log::StepLog;
use super::usage;
use crate::console::Console;
use crate::{Ending, Fatal, Result};

/// Whether Ctrl-C has asked the run to end.
static STOP: AtomicBool = AtomicBool::new(false);

/// Makes the first Ctrl-C end the run after a whole step, and the second at once.
fn watch_for_the_end() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        let watching = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        });
        // Without a handler Ctrl-C ends the run at once; whole lines are on the disk all the same.
        drop(watching);
    });
}

/// Where the lines go.
enum Sink<'a> {
    File(File),
    Console(&'a Console),
    /// The run is told in words.
    Nowhere,
}

impl Sink<'_> {
    /// One line, whole or not at all for readers, before the next step begins.
    fn line(&mut self, line: &impl Serialize) -> Result<()> {
        match self {
            Self::File(file) => {
                let text = line_text(line) + "\n";
                file.write_all(text.as_bytes()).map_err(Fatal::Output)
            }
            Self::Console(console) => console.line(line_text(line)),
            Self::Nowhere => Ok(()),
        }
    }

    fn is_closed(&self) -> bool {
        matches!(self, Self::Console(console) if console.is_closed())
    }
}

impl Run {
    /// Runs a scene in motion.
    pub(super) fn run_motion(
        &self,
        instance: &MotionInstance,
        console: &Console,
    ) -> Result<Ending> {
        let space = instance.space();
        let circular = space.is_some_and(|scene| scene.settings.cone == Cone::Circular);
        let (arithmetics, solver) = self.in_motion(circular);
        let trajectory = instance.trajectory(arithmetics, &*solver, self.steps);
        let mut trajectory = trajectory.map_err(usage)?;
        let views = || instance.drawn_views().map_err(usage);
        self.run_trajectory(&mut *trajectory, views, console)
    }

    /// Runs a scene in motion of a file.
    pub(super) fn run_moving(&self, scene: &MovingScene, console: &Console) -> Result<Ending> {
        let circular = match scene {
            MovingScene::Space(scene) => scene.settings.cone == Cone::Circular,
            // Its solver gets linear complementarity problems, whatever the cone is.
            MovingScene::Implicit(_) | MovingScene::Corners(_) => false,
        };
        let (arithmetics, solver) = self.in_motion(circular);
        let trajectory = scene.run(arithmetics, &*solver, self.steps);
        let mut trajectory = trajectory.map_err(usage)?;
        self.run_trajectory(&mut *trajectory, || Ok(scene.views()), console)
    }

    fn run_trajectory(
        &self,
        trajectory: &mut dyn MotionRun,
        views: impl FnOnce() -> Result<Vec<View>>,
        console: &Console,
    ) -> Result<Ending> {
        trajectory.limit(&self.budget.budget());
        if self.problem {
            return self.step_problem(trajectory, console);
        }
        if let (Some(_), Some(why)) = (&self.step_log, trajectory.unlogged()) {
            return Err(usage(format!(
                "{}: a step log takes steps that are linear in the motion, and {why}: leave --step-log out",
                self.name
            )));
        }
        let mut seen = Seen::new(trajectory, self.tells(console));
        if self.svg.is_some() {
            seen.strip = Some(strip(views()?, trajectory)?);
        }
        let log = self.step_log.as_deref();
        seen.log = log
            .map(|path| StepLog::create(path, &self.name))
            .transpose()?;
        let mut sink = self.sink(trajectory, &mut seen, console)?;
        watch_for_the_end();
        let left = trajectory.steps().saturating_sub(trajectory.k());
        let bar = console.bar(usize::try_from(left).ok());
        while trajectory.k() < trajectory.steps() && !sink.is_closed() {
            if STOP.load(Ordering::SeqCst) {
                bar.finish_and_clear();
                seen.tell(console)?;
                console.warning(format_args!(
                    "stopped after step {} of {}; the trajectory is whole up to there{}",
                    trajectory.k(),
                    trajectory.steps(),
                    self.out.as_ref().map_or("", |_| ", and --resume goes on")
                ));
                return Ok(Ending::NotAccepted);
            }
            let line = match seen.step(trajectory) {
                Ok(line) => line,
                Err(error) => {
                    bar.finish_and_clear();
                    seen.tell(console)?;
                    console.error(error);
                    return Ok(Ending::NotAccepted);
                }
            };
            seen.log_last()?;
            sink.line(&line)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        self.motion_pictures(&seen)?;
        seen.log.take().map_or(Ok(()), StepLog::finish)?;
        seen.tell(console)
    }

    fn motion_pictures(&self, seen: &Seen) -> Result<()> {
        // Both are drawn before one is written.
        let drawn = seen.strip.as_ref().map(FilmStrip::svg).transpose();
        let plotted = self.energy_svg.as_ref().map(|_| seen.energies.svg());
        write_pictures([
            (&self.svg, drawn.map_err(usage)?),
            (&self.energy_svg, plotted.transpose().map_err(usage)?),
        ])
    }

    /// Whether the run is told in words: on a terminal, unless JSON is asked for, or a file and silence.
    pub(super) fn tells(&self, console: &Console) -> bool {
        console.is_read() && !(self.out.is_some() && console.quiet)
    }

    /// Prints the problem of the last step asked for, that of the first one where none is.
    fn step_problem(&self, trajectory: &mut dyn MotionRun, console: &Console) -> Result<Ending> {
        let last = self.steps.unwrap_or(1);
        while trajectory.k() + 1 < last {
            trajectory.advance().map_err(usage)?;
        }
        console.line(write_problem(&trajectory.problem().map_err(usage)?))?;
        Ok(Ending::Accepted)
    }

    /// Opens the output and writes the header, before anything is computed; or finds the place to
    /// go on from.
    fn sink<'a>(
        &self,
        trajectory: &mut dyn MotionRun,
        seen: &mut Seen,
        console: &'a Console,
    ) -> Result<Sink<'a>> {
        let header = trajectory.header();
        let Some(path) = &self.out else {
            let mut sink = match &seen.told {
                Some(_) => Sink::Nowhere,
                None => Sink::Console(console),
            };
            sink.line(&header)?;
            return Ok(sink);
        };
        let unwritable = |source: io::Error| {
            Fatal::Usage(format!(
                "{}: cannot write the trajectory: {source}",
                path.display()
            ))
        };
        if self.resume && path.exists() {
            return resumed(path, &header, trajectory, seen).map(Sink::File);
        }
        let file = File::create(path).map_err(unwritable)?;
        let mut sink = Sink::File(file);
        sink.line(&header)?;
        Ok(sink)
    }
}

/// The picture of a scene in motion at its start, from the first of its views, which is that from the side.
fn strip(views: Vec<View>, trajectory: &dyn MotionRun) -> Result<FilmStrip> {
    let header = trajectory.header();
    let name = &header.scenario;
    let view = views.into_iter().next();
    let view = view.ok_or_else(|| usage(format!("{name} has no view to draw (--svg)")))?;
    let start = to_f64s(&header.start.q);
    Ok(FilmStrip::new(view, name, &start, trajectory.steps()))
}

impl Run {
    /// The arithmetic of a trajectory, and who answers in it.
    fn in_motion(&self, circular: bool) -> (Arithmetics, Box<dyn Solver>) {
        let budget = self.budget.budget();
        match &self.solver {
            // The circular cone has no complementarity problem to pivot on.
            SolverChoice::Reference if circular => (Arithmetics::Exact, Box::new(ConeSolver)),
            // Its pivots fix z also where it is not unique, so that trajectories are the same
            // everywhere.
            SolverChoice::Reference => (Arithmetics::Exact, Exact::Lemke.solver(&budget)),
            SolverChoice::Exact(method) => (Arithmetics::Exact, method.solver(&budget)),
            SolverChoice::Fast(method) => {
                let solvers: Vec<Box<dyn Solver + Send + Sync>> =
                    vec![method.solver(), Exact::Lemke.solver(&budget)];
                let solver = FirstOf::new(method.name(), solvers);
                (Arithmetics::Binary64, Box::new(solver))
            }
            SolverChoice::Process(command) => {
                let solver = command_solver(command, self.timeout);
                (Arithmetics::Binary64, solver)
            }
        }
    }
}
