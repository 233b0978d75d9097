//! Trajectories: a header, a line a step, and the part that remains when a run is stopped.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_evidence::heading::changed;
use etalon_evidence::picture::FilmStrip;
use etalon_exact::ExactMethod as Exact;
use etalon_fast::ConeSolver;
use etalon_golden::trajectory::{Header, Line, line_text, to_f64s};
use etalon_lcp::Solver;
use etalon_lcp::record::write_problem;
use etalon_scenarios::motion::{Arithmetics, LENGTH, MotionInstance, MotionRun};
use etalon_scenarios::space::MovingScene;
use etalon_scenarios::view::View;
use etalon_spatial::Cone;
use etalon_time_stepping::FirstOf;
use serde::Serialize;
use serde_json::{Map, Value};

use super::files::write_pictures;
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

/// A file cut after its last whole line, with the trajectory gone on to there, and the steps that it holds
/// seen.
///
/// The last of them is taken again from the line before it: another version of this program, another build
/// of the same solver, or an edited line would go on with what is not its own.
fn resumed(
    path: &Path,
    header: &Header,
    trajectory: &mut dyn MotionRun,
    seen: &mut Seen,
) -> Result<File> {
    let name = path.display();
    let wrong = |why: &str| Fatal::Usage(format!("{name}: cannot go on: {why}"));
    let open = OpenOptions::new().read(true).write(true).open(path);
    let mut file = open.map_err(|source| wrong(&source.to_string()))?;
    let mut reader = BufReader::new(&file);
    let (mut whole, mut text) = (0_u64, String::new());
    let (mut before, mut last): (Option<Line>, Option<Line>) = (None, None);
    loop {
        text.clear();
        let length = reader.read_line(&mut text);
        let length = length.map_err(|error| wrong(&error.to_string()))?;
        if length == 0 || !text.ends_with('\n') {
            break;
        }
        if whole == 0 {
            let Ok(found) = serde_json::from_str::<Value>(&text) else {
                break;
            };
            let own = serde_json::to_value(header).unwrap_or_default();
            let differences = differences(&found, &own);
            if !differences.is_empty() {
                let differences = differences.join("; ");
                return Err(wrong(&format!(
                    "its header is that of another run: {differences}"
                )));
            }
        } else {
            let line: Line = match serde_json::from_str(&text) {
                Ok(line) => line,
                // What is whole JSON was not cut off: nothing after it is thrown away.
                Err(error) if error.is_data() => {
                    return Err(wrong(&format!("{text:.40}... is no step: {error}")));
                }
                Err(_) => break,
            };
            seen.earlier(&line);
            before = last.replace(line);
        }
        whole += length as u64;
    }
    if whole == 0 {
        return Err(wrong("it has no header"));
    }
    if let Some(line) = last
        && !comes_again(&line, before.as_ref(), trajectory)?
    {
        return Err(wrong(&format!(
            "taken again from the line before it, its last step (k = {}) comes out otherwise: it is of another version of the program or of the solver, or was changed",
            line.k
        )));
    }
    file.set_len(whole).map_err(Fatal::Output)?;
    file.seek(SeekFrom::End(0)).map_err(Fatal::Output)?;
    Ok(file)
}

/// Whether a step, taken again from the line before it, comes out as its line has it.
fn comes_again(line: &Line, before: Option<&Line>, trajectory: &mut dyn MotionRun) -> Result<bool> {
    if let Some(before) = before {
        trajectory.resume(before).map_err(usage)?;
    }
    let again = trajectory.advance().map_err(usage)?;
    // The line was read from its text, and so is the step.
    let own = serde_json::from_str::<Line>(&line_text(&again)).ok();
    Ok(own.as_ref() == Some(line))
}

/// The differences between two headers, each in a phrase; a run may get longer.
fn differences(found: &Value, own: &Value) -> Vec<String> {
    let (Some(found), Some(own)) = (found.as_object(), own.as_object()) else {
        return vec!["it is no object".to_owned()];
    };
    let names: BTreeSet<_> = found.keys().chain(own.keys()).collect();
    let mut differences = Vec::new();
    for name in names {
        match (found.get(name), own.get(name)) {
            (then, now) if then == now || name == "steps" => {}
            (Some(Value::Object(then)), Some(Value::Object(now))) if name == "parameters" => {
                let stay = |parameters: &Map<String, Value>| {
                    let mut parameters = parameters.clone();
                    parameters.retain(|name, _| !LENGTH.contains(&name.as_str()));
                    parameters
                };
                differences.extend(changed(&stay(then), &stay(now)));
            }
            (Some(then), Some(now)) if !then.is_object() && !then.is_array() => {
                differences.push(format!("{name} was {then} and is {now}"));
            }
            _ => differences.push(format!("{name} is another")),
        }
    }
    differences
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
