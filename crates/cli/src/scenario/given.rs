//! Which flags of `scenario run` say something about what is run; any other that is given is an error.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use etalon_scenarios::{Part, find};

use super::run::Run;
use super::solver::SolverChoice;
use super::usage;
use crate::Result;

/// The flags that stand on the command line.
#[derive(Debug, Clone, Default)]
pub struct Given(Vec<&'static str>);

/// All flags of the command, as clap knows them, with what they are for.
const FLAGS: [(&str, &str); 20] = [
    ("set", "for scenes with parameters"),
    ("solver", "for answers"),
    (
        "timeout",
        "for the command of a solver (--solver 'CMD'), and nobody else is timed",
    ),
    (
        "steps",
        "for trajectories, of scenes in motion and of worlds of the engine",
    ),
    ("resume", "for trajectories of scenes in motion"),
    ("circular", "for static friction of scenes at rest"),
    (
        "friction_order",
        "for static friction of scenes at rest, not of a trajectory",
    ),
    (
        "friction_pyramid",
        "for static friction of scenes at rest, not of a trajectory",
    ),
    ("problem", "for scenes at rest and in motion"),
    ("scene", "for scenes at rest and worlds of the engine"),
    ("out", "for trajectories and problems"),
    ("svg", "for worlds of the engine"),
    ("energy_svg", "for trajectories"),
    ("judge", "for worlds of the engine"),
    ("lcps", "for worlds of the engine"),
    ("pivots", EXACT),
    ("bits", EXACT),
    ("time_limit", EXACT),
    ("as", "for named scenarios, a file says itself what it is"),
    ("name", ""),
];

const EXACT: &str = "for exact methods";

/// Of the work that exact methods may do.
const BUDGET: [&str; 3] = ["pivots", "bits", "time_limit"];

impl Given {
    fn has(&self, flag: &str) -> bool {
        self.0.contains(&flag)
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let given = |flag: &&str| {
            let known = matches.try_contains_id(flag).unwrap_or(false);
            known && matches.value_source(flag) == Some(ValueSource::CommandLine)
        };
        let flags = FLAGS.into_iter().map(|(flag, _)| flag);
        Ok(Self(flags.filter(given).collect()))
    }

    fn update_from_arg_matches(
        &mut self,
        matches: &ArgMatches,
    ) -> std::result::Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// No flags of its own: it looks at those of others.
impl Args for Given {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl Run {
    /// Refuses what says nothing about a scene taken as that part: a flag that is not heeded would leave
    /// its user in error.
    pub(super) fn refuse_unheeded(&self, part: Part) -> Result<()> {
        let (heeded, what) = self.heeded(part);
        let unheeded = FLAGS
            .iter()
            .filter(|(flag, _)| self.given.has(flag) && !heeded.contains(flag));
        let unheeded: Vec<_> = unheeded.collect();
        let Some((_, is_for)) = unheeded.first() else {
            return Ok(());
        };
        let flags: Vec<_> = unheeded
            .iter()
            .map(|(flag, _)| format!("--{}", flag.replace('_', "-")))
            .collect();
        let flags = flags.join(", ");
        let which = if unheeded.len() == 1 { "it" } else { "them" };
        let first = flags.split(',').next().unwrap_or_default();
        let remedy = match self.another_part(part, unheeded[0].0) {
            Some(other) => format!(
                "; {} is {other}, too, with --as {}",
                self.name,
                other.word()
            ),
            None if part == Part::Rest && first == "--steps" => {
                "; `etalon scenario list` names scenes in motion".to_owned()
            }
            None => String::new(),
        };
        Err(usage(format!(
            "{} {what}, which does not heed {flags}: leave {which} out ({first} is {is_for}{remedy})",
            self.name
        )))
    }

    /// Another part of the scenario, of which the flag would say something.
    fn another_part(&self, part: Part, flag: &str) -> Option<Part> {
        let scenario = find(&self.name).ok()?;
        let mut others = scenario.parts().map(|about| about.part);
        others.find(|other| *other != part && self.heeded(*other).0.contains(&flag))
    }

    /// The flags that are heeded, and what is run in words.
    fn heeded(&self, part: Part) -> (Vec<&'static str>, &'static str) {
        let by_command = matches!(self.solver, SolverChoice::Process(_));
        let rounded = !matches!(
            self.solver,
            SolverChoice::Reference | SolverChoice::Exact(_)
        );
        let timed = by_command.then_some("timeout");
        let (flags, what): (&[&'static str], _) = match part {
            Part::Rest if self.scene => (
                &["scene", "friction_pyramid", "out"],
                "is printed as a scene",
            ),
            Part::Rest if self.problem => (
                &["problem", "friction_pyramid", "out"],
                "is printed as a problem",
            ),
            Part::Rest if self.friction_order.is_some() => (
                &["friction_order", "out"],
                "is a scene at rest, solved by index sets",
            ),
            Part::Rest => (
                &["solver", "circular", "friction_pyramid", "out"],
                "is a scene at rest",
            ),
            Part::Motion if self.problem => (
                &["problem", "solver", "steps"],
                "is a scene in motion, of which one problem is printed",
            ),
            Part::Motion => (
                &["solver", "steps", "resume", "out", "energy_svg"],
                "is a scene in motion",
            ),
            Part::World if self.scene => (&["scene"], "is printed as a world"),
            Part::World => (
                &[
                    "solver",
                    "steps",
                    "out",
                    "svg",
                    "energy_svg",
                    "judge",
                    "lcps",
                ],
                "is a world of the engine",
            ),
        };
        let answered = flags.contains(&"solver") && part != Part::World;
        // Beside a rounded answer at rest stands an exact one; a start for the circular cone has none,
        // and in motion a command answers alone.
        let exact = match part {
            Part::Rest => !(self.circular && rounded),
            Part::Motion => !by_command,
            Part::World => false,
        };
        let mut heeded = vec!["name", "set"];
        heeded.extend(flags);
        heeded.extend(find(&self.name).is_ok().then_some("as"));
        if answered {
            heeded.extend(timed);
        }
        if answered && exact {
            heeded.extend(BUDGET);
        }
        (heeded, what)
    }

    /// Whether the user says who answers.
    pub(super) fn names_solver(&self) -> bool {
        self.given.has("solver")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flag that is not in the list would never be refused.
    #[test]
    fn all_flags_of_the_command_are_known() {
        let command = Run::augment_args(Command::new("run"));
        let own = command.get_arguments().map(|flag| flag.get_id().as_str());
        let mut own: Vec<_> = own.collect();
        let mut known: Vec<_> = FLAGS.iter().map(|(flag, _)| *flag).collect();
        own.sort_unstable();
        known.sort_unstable();
        assert_eq!(own, known);
    }
}
