//! `etalon scenario run`: one scene, and what comes of it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use etalon_evidence::picture::{Acting, at_rest};
use etalon_lcp::parse_rational;
use etalon_lcp::record::write_problem;
use etalon_scenarios::motion::tree::TreeScene;
use etalon_scenarios::space::{MotionMethod, MovingScene};
use etalon_scenarios::{
    MotionChoice, Question, ScenarioAnswer, ScenarioPart, WorldInstance, find, is_in_space,
    read_moving, read_moving_with, read_world, write_moving, write_scene,
};
use etalon_time_stepping::{Activation, Scheme};

use super::beside::Beside;
use super::circular;
use super::drive::{DriveOrder, Driven};
use super::files::lcp_files;
use super::given::Given;
use super::input::{SceneInput, read};
use super::order::{FrictionOrder, Ordered};
use super::solver::SolverChoice;
use super::{json, no_instance, picture, prose, usage};
use crate::args::{BudgetArgs, duration};
use crate::console::Console;
use crate::outputs::check_outputs;
use crate::{Ending, Fatal, Result};

/// Run a scenario, or a scene of your own: contact forces at rest, motions and worlds over time.
///
/// Where a scene at rest has no contact forces, the output has the proof of that and the impulse that helps. Of a motion
/// and of a world it has what happens when.
///
/// On a terminal a run is told in words. Of a scene at rest these are its forces. Of a motion they are its events with the
/// energy before and after, where energy went, how it ends, and the verdicts on its complementarity problems. A trajectory
/// goes to a pipe, to --out, and with --json to a terminal, as JSON lines.
///
/// A scene of your own is a file of the format etalon-scene/1 (`etalon schema scene`). --scene
/// prints that of a scenario to start from. With an exact solver all numbers are exact. With fast
/// or a command the scene is rounded to binary64, and the output has its answer beside the exact one. A
/// command speaks the protocol of `etalon solve`: problem lines in, claim lines out. Static friction
/// in space is Coulomb's, in the circular cone. Its forces are exact, or enclosed with proof. Fast and a
/// command get a pyramid of 4 sides in its place, and the answer says so. A trajectory
/// is exact, or with fast or a command in binary64 throughout. Worlds of the planar engine are blocks, pile,
/// tower, pendulums, bounce, or a file of the format etalon-world/1 that --scene prints. In a file joints can hold
/// points on curves (`path`), and bodies pass through single edges of others (`passes_edges`). Worlds run in
/// binary64, and --judge has every LCP of the run judged exactly.
#[derive(Args)]
#[command(after_help = "\
Example: etalon scenario run ladder --set mu_wall=0 --solver fast
         etalon scenario run mine.json --friction-pyramid 8
         etalon scenario run ladder --friction-order darwin2k
         etalon scenario run pyramid --svg pyramid.svg
         etalon scenario run rod --set h=0.01 --out rod.jsonl
         etalon scenario run painleve-inconsistent --as motion --steps 5
         etalon scenario run elastic-cradle --all --steps 3
         etalon scenario run mine.json --as motion --method moreau-jean --cone circular --h 1/200 --steps 100 --out mine.jsonl
         etalon scenario run blocks --set n=4 --judge --svg blocks.svg --out blocks.jsonl")]
pub struct Run {
    // First: what is read of the command line is taken out of it.
    #[command(flatten)]
    pub(super) given: Given,

    /// The scenario (`etalon scenario list` names them), or a .json file; - for standard input
    #[arg(add = clap_complete::ArgValueCandidates::new(crate::completions::scenario_names))]
    pub(super) name: String,

    /// The part of the scenario to run: a scene at rest, a scene in motion, or a world of the engine. Without it,
    /// the first of these that the scenario has
    #[arg(id = "as", long = "as", value_name = "PART", value_parser = part())]
    pub(super) part: Option<ScenarioPart>,

    /// Set a parameter, exactly: mass=1/3, g=9.81
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting, add = clap_complete::ArgValueCompleter::new(crate::completions::parameter_names))]
    pub(super) set: Vec<(String, String)>,

    /// The solver: exact, fast, a method by its name (exact-lemke, fast-dantzig, ...), or the
    /// command of a solver
    #[arg(long, value_name = "SOLVER", default_value = "exact")]
    pub(super) solver: SolverChoice,

    /// Longest time of a solver's command
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub(super) timeout: Duration,

    /// The number of steps of a trajectory, in place of the parameters' number
    #[arg(long, value_name = "K")]
    pub(super) steps: Option<u64>,

    /// The length of a step of a scene in motion, s, in place of the scene's
    #[arg(long, value_name = "SECONDS", value_parser = step_size)]
    pub(super) h: Option<String>,

    /// What a step of bodies in space makes of gaps and impacts: stewart-trinkle (gaps at its end, by complementarity) or
    /// moreau-jean (velocities at closed contacts). A file can have chakraborty-berard, too (implicit surfaces, each step
    /// proved), and egan-trinkle (points outside of corners, in the plane or in space, with all solutions of each step).
    /// By first-order, f = m v, bodies of a file move as long as they are pushed, each step proved
    #[arg(long, value_name = "METHOD")]
    pub(super) method: Option<MotionMethod>,

    /// The friction cone of bodies in space, in motion: pyramid:K (4, 8, 12, 16 or 24 sides inside the circle), or
    /// circular
    #[arg(long, value_name = "CONE")]
    pub(super) cone: Option<etalon_spatial::Cone>,

    /// The law of restitution of bodies in space, in motion, and of an impact at rest: newton (of speeds) or poisson (of
    /// impulses, in a compression and a decompression)
    #[arg(long, value_name = "LAW")]
    pub(super) impact: Option<etalon_spatial::ImpactLaw>,

    /// Where masses, contacts and joints of a scene in motion are taken: linear (at the start), midpoint (half a step ahead) or
    /// predicted (a step ahead). Named scenes may have fixed-point, too (at the end)
    #[arg(long, value_name = "SCHEME")]
    pub(super) scheme: Option<Scheme>,

    /// Which contacts take part in a step of a scene in motion: all, or when-violated. By the second those do that are closed or
    /// violated ahead, and then those that are violated at the end
    #[arg(long, value_name = "RULE")]
    pub(super) activation: Option<Activation>,

    /// All motions of a scene in motion, as a tree: where the problem of a step has several solutions, each velocity
    /// that they lead to is a motion. Every problem is enumerated exactly, with proof
    #[arg(long)]
    pub(super) all: bool,

    /// The most motions at the same time that --all follows
    #[arg(long, value_name = "COUNT", default_value_t = 256, requires = "all")]
    pub(super) motions: usize,

    /// Continue the trajectory in the file of --out
    #[arg(long, requires = "out")]
    pub(super) resume: bool,

    /// Static friction in the circular cone, in binary64, in place of the scenario's cone, with the
    /// proved exact forces near by
    #[arg(long)]
    pub(super) circular: bool,

    /// Static friction in space in a pyramid of K sides inside the circular cone (4, 8, 12, 16 or 24),
    /// in place of the cone. It gives an impact at rest friction
    #[arg(long, value_name = "K", conflicts_with_all = ["circular", "friction_order"])]
    friction_pyramid: Option<usize>,

    /// Static friction by index sets, exactly, in this order, with the other order beside it. Needs a
    /// scene at rest with static friction
    #[arg(long, value_name = "ORDER", conflicts_with_all = ["circular", "steps", "resume"])]
    pub(super) friction_order: Option<FrictionOrder>,

    /// Baraff's drive to zero, exactly, contact by contact in this order: scene, reversed, or contacts by name or number with
    /// commas between them. Its steps are told, beside those of other orders. Sliding contacts have their friction in it, and a
    /// drive that goes on for ever tells the impulse that is called for. Needs a scene at rest
    #[arg(long, value_name = "ORDER", conflicts_with_all = ["circular", "friction_order", "friction_pyramid", "steps", "resume"])]
    pub(super) drive_order: Option<DriveOrder>,

    /// Print nothing but the complementarity problem, as a record for other solvers: that of a scene
    /// at rest, or of step K of a trajectory (--steps K)
    #[arg(long, conflicts_with = "scene")]
    pub(super) problem: bool,

    /// Print nothing but the scene, as a file to change and run
    #[arg(long)]
    pub(super) scene: bool,

    /// Write the trajectory, or the complementarity problem of a scene at rest, into a file of JSON
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,

    /// Draw the bodies with the forces of their contacts. Of a scene at rest these are the exact ones. Of a trajectory they
    /// are those of its last moment, and the bodies are drawn at earlier ones, too. Bodies in space are drawn by their silhouettes,
    /// without forces
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,

    /// Write the steps of a scene in motion, or the pieces of a world's steps, as the log of an engine, for `etalon step
    /// check`. An impact by Poisson's law has a record for each of its phases
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(super) step_log: Option<PathBuf>,

    /// Draw the energies of a trajectory over time
    #[arg(long, value_name = "FILE")]
    pub(super) energy_svg: Option<PathBuf>,

    /// Judge every LCP of an engine's run, and count the verdicts; where the run is told on a terminal, this is so anyway
    #[arg(long)]
    pub(super) judge: bool,

    /// Write every LCP of an engine's run and its answer into PREFIX.problems.jsonl and
    /// PREFIX.claims.jsonl, for `etalon check`
    #[arg(long, value_name = "PREFIX")]
    pub(super) lcps: Option<PathBuf>,

    #[command(flatten)]
    pub(super) budget: BudgetArgs,
}

fn setting(text: &str) -> std::result::Result<(String, String), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or("write KEY=VALUE, such as mu=1/2")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

/// A step size, as it was written.
fn step_size(text: &str) -> std::result::Result<String, String> {
    parse_rational(text).map_err(|error| error.to_string())?;
    Ok(text.to_owned())
}

/// The words of parts.
fn part() -> impl TypedValueParser<Value = ScenarioPart> {
    let words = PossibleValuesParser::new(ScenarioPart::ALL.map(ScenarioPart::word));
    words.try_map(|word| ScenarioPart::of_word(&word).ok_or("there is no such part"))
}

impl Run {
    fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.set.iter().map(|(key, value)| (&**key, &**value))
    }

    /// The settings of a scene in motion: flags are parameters of its own.
    fn motion_settings(&self) -> Vec<(String, String)> {
        let flags = [
            ("h", self.h.clone()),
            ("method", self.method.map(|own| own.to_string())),
            ("cone", self.cone.map(|own| own.to_string())),
            ("impact", self.impact.map(|own| own.to_string())),
            ("scheme", self.scheme.map(|own| own.to_string())),
            ("activation", self.activation.map(|own| own.to_string())),
        ];
        let flags = flags
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)));
        self.set.iter().cloned().chain(flags).collect()
    }

    /// The scene in motion in that file, if it is one, with what flags say in place of the file.
    fn moving_of_file(&self) -> Result<Option<MovingScene>> {
        let path = Path::new(&self.name);
        if !self.name.ends_with(".json") || !path.is_file() {
            return Ok(None);
        }
        let text = read(&self.name).map_err(|error| usage(format!("{}: {error}", self.name)))?;
        if !is_in_space(&text) {
            let in_motion = "in motion contacts come from shapes; give its bodies a \"shape\" (docs/motion-in-space.md)";
            return match (self.part, read_moving(&text, None)) {
                (Some(ScenarioPart::Motion), Err(error)) => Err(usage(format!(
                    "{} is no scene in motion: {error}; {in_motion}",
                    self.name
                ))),
                (Some(ScenarioPart::Motion), Ok(_)) => Err(usage(format!(
                    "{} is a scene at rest: {in_motion}",
                    self.name
                ))),
                _ => Ok(None),
            };
        }
        if let Some((key, _)) = self.set.first() {
            return Err(usage(format!(
                "{} is a scene of its own: it has no parameter {key:?} to set",
                self.name
            )));
        }
        if let Some(part) = self.part.filter(|part| *part != ScenarioPart::Motion) {
            return Err(usage(format!(
                "{} is a scene in motion, not {part}: leave --as out",
                self.name
            )));
        }
        let choice = MotionChoice {
            method: self.method,
            cone: self.cone,
            impact: self.impact,
            scheme: self.scheme,
            activation: self.activation,
        };
        let scene = read_moving_with(&text, &choice);
        let scene = scene.map_err(|error| usage(format!("{}: {error}", self.name)))?;
        let h = self.h.as_deref().map(parse_rational).transpose();
        let h = h.map_err(usage)?;
        let scene = scene.with(h, self.cone, self.impact, self.steps);
        scene
            .map(Some)
            .map_err(|why| usage(format!("{}: {why}", self.name)))
    }

    /// The world in that file, if it is one.
    fn world_of_file(&self) -> Result<Option<WorldInstance>> {
        if !self.name.ends_with(".json") {
            return Ok(None);
        }
        // Other files, and files that are not there, are told about by those who read scenes.
        let text = std::fs::read_to_string(&self.name).unwrap_or_default();
        match read_world(&self.name, &text) {
            None => Ok(None),
            Some(_) if !self.set.is_empty() => Err(usage("a world of a file has no parameters")),
            Some(world) => world
                .map(Some)
                .map_err(|error| usage(format!("{}: {error}", self.name))),
        }
    }

    /// Looks at all files to write, before anything is computed.
    fn check_outputs(&self) -> Result<()> {
        let lcps = self.lcps.as_deref().map(lcp_files);
        let [problems, claims] = match &lcps {
            Some(files) => files.each_ref().map(|file| Some(&**file)),
            None => [None, None],
        };
        let outputs = [
            ("--out", self.out.as_deref()),
            ("--svg", self.svg.as_deref()),
            ("--energy-svg", self.energy_svg.as_deref()),
            ("--step-log", self.step_log.as_deref()),
            ("--lcps", problems),
            ("--lcps", claims),
        ];
        check_outputs(&outputs, &[Path::new(&self.name)])
    }

    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        self.check_outputs()?;
        let Ok(scenario) = find(&self.name) else {
            if let Some(scene) = self.moving_of_file()? {
                self.refuse_unheeded(ScenarioPart::Motion)?;
                if self.scene {
                    console.line(write_moving(&scene))?;
                    return Ok(Ending::Accepted);
                }
                if self.all {
                    return self.run_all(TreeScene::Moving(&scene), || scene.views(), console);
                }
                return self.run_moving(&scene, console);
            }
            return match self.world_of_file()? {
                Some(world) => self.run_engine(world, console),
                None => self.run_at_rest(console),
            };
        };
        match self.part.unwrap_or(scenario.first_part()) {
            ScenarioPart::Rest => self.run_at_rest(console),
            ScenarioPart::Motion => {
                let settings = self.motion_settings();
                let settings = settings.iter().map(|(key, value)| (&**key, &**value));
                let instance = scenario.motion_instance(settings).map_err(no_instance)?;
                self.refuse_unheeded(ScenarioPart::Motion)?;
                if let (true, Some(scene)) = (self.scene, instance.moving()) {
                    // All else that flags say of a scene is a parameter.
                    let scene = scene.with(None, None, None, self.steps).map_err(usage)?;
                    console.line(write_moving(&scene))?;
                    return Ok(Ending::Accepted);
                }
                if self.all {
                    let views = || instance.drawn_views().unwrap_or_default();
                    return self.run_all(TreeScene::Named(&instance), views, console);
                }
                self.run_motion(&instance, console)
            }
            ScenarioPart::World => {
                let world = scenario
                    .world_instance(self.settings())
                    .map_err(no_instance)?;
                self.run_engine(world, console)
            }
        }
    }

    /// Runs a scene at rest: a named one, or that of a file.
    fn run_at_rest(&self, console: &Console) -> Result<Ending> {
        let limit = self.budget.time_limit;
        let Some(mut input) = SceneInput::find_within(&self.name, &self.set, limit)? else {
            console.error(format_args!(
                "{}: stating its problem took longer than --time-limit {:?}",
                self.name,
                limit.unwrap_or_default()
            ));
            return Ok(Ending::NotAccepted);
        };
        for (flag, given) in [
            ("--friction-order", self.friction_order.is_some()),
            ("--drive-order", self.drive_order.is_some()),
        ] {
            if given && self.names_solver() {
                return Err(usage(format!(
                    "{flag} is a method of its own: leave --solver out"
                )));
            }
        }
        self.refuse_unheeded(ScenarioPart::Rest)?;
        if let Some(sides) = self.friction_pyramid {
            input = input.with_pyramid(sides)?;
        }
        if let Some(law) = self.impact {
            input = input.with_impact(law)?;
        }
        let ending = self.answered(&input, console)?;
        if let Some(path) = &self.out {
            let text = write_problem(&input.problem) + "\n";
            std::fs::write(path, text).map_err(Fatal::unwritten(path))?;
        }
        Ok(ending)
    }

    /// Prints the scene, its problem or its answer.
    fn answered(&self, input: &SceneInput, console: &Console) -> Result<Ending> {
        if self.problem || self.scene {
            console.line(if self.scene {
                write_scene(&input.file)
            } else {
                write_problem(&input.problem)
            })?;
            return Ok(Ending::Accepted);
        }
        if self.circular {
            return self.circular(input, console);
        }
        if let Some(order) = self.friction_order {
            return self.ordered(input, order, console);
        }
        if let Some(order) = &self.drive_order {
            return self.driven(input, order, console);
        }
        match self.solver.rounded_solver(self.timeout) {
            None => self.exact(input, console),
            Some(solver) => {
                let budget = self.budget.budget();
                let exact = self.solver.exact_solver(&budget);
                let beside = Beside::ask(input, &*solver, &*exact, &budget).map_err(usage)?;
                let name = self.solver.name();
                self.draw_at_rest(input, || picture::of_answer(beside.exact()))?;
                console.line(if console.json {
                    beside.json(input, name, json::answer(beside.exact()))
                } else {
                    let system = input.setup.system().map_err(usage)?;
                    let opening = prose::opening(input, &system);
                    format!("{opening}\n\n{}", beside.prose(name))
                })?;
                Ok(if beside.holds() {
                    Ending::Accepted
                } else {
                    Ending::NotAccepted
                })
            }
        }
    }

    fn ordered(
        &self,
        input: &SceneInput,
        order: FrictionOrder,
        console: &Console,
    ) -> Result<Ending> {
        let ordered = Ordered::ask(input, order)?;
        console.line(if console.json {
            ordered.json(input)
        } else {
            let system = input.setup.system().map_err(usage)?;
            let opening = prose::opening(input, &system);
            format!("{opening}\n\n{}", ordered.prose())
        })?;
        Ok(if ordered.is_solved() {
            Ending::Accepted
        } else {
            Ending::NotAccepted
        })
    }

    fn driven(&self, input: &SceneInput, order: &DriveOrder, console: &Console) -> Result<Ending> {
        let driven = Driven::ask(input, order, &self.budget.budget())?;
        console.line(if console.json {
            driven.json(input)
        } else {
            let system = input.setup.system().map_err(usage)?;
            let opening = prose::opening(input, &system);
            format!("{opening}\n\n{}", driven.prose())
        })?;
        Ok(if driven.is_solved() {
            Ending::Accepted
        } else {
            Ending::NotAccepted
        })
    }

    fn circular(&self, input: &SceneInput, console: &Console) -> Result<Ending> {
        if !matches!(input.setup.question, Question::Forces(_)) {
            return Err(usage(
                "--circular is of contact forces, but the scene asks for the impulses of an impact",
            ));
        }
        let budget = self.budget.budget();
        let seed = self.solver.rounded_solver(self.timeout);
        let seed = seed.unwrap_or_else(|| self.solver.exact_solver(&budget));
        let outcome = circular::ask(input, &*seed).map_err(usage)?;
        self.draw_at_rest(input, || picture::of_circular(&outcome))?;
        console.line(if console.json {
            circular::json(input, &outcome)
        } else {
            let system = input.setup.system().map_err(usage)?;
            let opening = prose::opening(input, &system);
            format!("{opening}\n\n{}", circular::prose(&outcome))
        })?;
        Ok(match outcome {
            Ok(_) => Ending::Accepted,
            Err(_) => Ending::NotAccepted,
        })
    }

    /// Writes the picture of a scene at rest where one is asked for.
    fn draw_at_rest(&self, input: &SceneInput, acting: impl FnOnce() -> Acting) -> Result<()> {
        let Some(path) = &self.svg else {
            return Ok(());
        };
        let svg = at_rest(&input.file.name, &input.sketch, &acting()).map_err(usage)?;
        std::fs::write(path, svg).map_err(Fatal::unwritten(path))
    }

    fn exact(&self, input: &SceneInput, console: &Console) -> Result<Ending> {
        let budget = self.budget.budget();
        let solver = self.solver.exact_solver(&budget);
        let answer = input.setup.answer(&*solver, &budget).map_err(usage)?;
        self.draw_at_rest(input, || picture::of_answer(&answer))?;
        console.line(if console.json {
            json::run(input, &answer)
        } else {
            prose::run(input, &answer).map_err(usage)?
        })?;
        Ok(match answer {
            ScenarioAnswer::Failed(why) => {
                console.error(format_args!("{}: {why}", self.solver.name()));
                Ending::NotAccepted
            }
            ScenarioAnswer::Coulomb(answer) => match answer.found {
                Ok(_) => Ending::Accepted,
                Err(_) => Ending::NotAccepted,
            },
            _ => Ending::Accepted,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_keys_and_values() {
        assert_eq!(setting("mu = 1/2"), Ok(("mu".to_owned(), "1/2".to_owned())));
        assert!(setting("mu").is_err());
    }
}
