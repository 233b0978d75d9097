//! Which flags of `scenario run` stand on the command line.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

/// The flags that stand on the command line.
#[derive(Debug, Clone, Default)]
pub struct Given(Vec<&'static str>);

/// All flags of the command, as clap knows them, with what they are for.
pub(super) const FLAGS: [(&str, &str); 30] = [
    ("set", "for scenes with parameters"),
    ("solver", "for answers"),
    (
        "timeout",
        "for the command of a solver (--solver 'CMD'), the only one that is timed",
    ),
    (
        "steps",
        "for trajectories, of scenes in motion and of worlds of the engine",
    ),
    ("h", "for scenes in motion"),
    ("all", "for scenes in motion"),
    ("motions", "for all motions of a scene (--all)"),
    ("method", "for bodies in space, in motion"),
    ("cone", "for friction of bodies in space, in motion"),
    (
        "impact",
        "for restitution of bodies in space, in motion, and of impacts at rest",
    ),
    (
        "scheme",
        "for scenes in motion of files, and for named ones with a parameter of that name",
    ),
    (
        "activation",
        "for scenes in motion of files, and for named ones with a parameter of that name",
    ),
    ("resume", "for trajectories of scenes in motion"),
    ("circular", "for static friction of scenes at rest"),
    (
        "friction_order",
        "for static friction of scenes at rest, not of a trajectory",
    ),
    (
        "drive_order",
        "for contact forces of scenes at rest, not of a trajectory",
    ),
    (
        "friction_pyramid",
        "for static friction of scenes at rest, not of a trajectory",
    ),
    ("problem", "for scenes at rest and in motion"),
    (
        "scene",
        "for scenes at rest, bodies in space and worlds of the engine",
    ),
    ("out", "for trajectories and problems"),
    (
        "svg",
        "for what is run, not for what is printed or solved by index sets",
    ),
    ("energy_svg", "for trajectories"),
    ("step_log", "for scenes in motion and worlds"),
    ("judge", "for worlds of the engine"),
    ("lcps", "for worlds of the engine"),
    ("pivots", EXACT),
    ("bits", EXACT),
    ("time_limit", EXACT),
    (
        "as",
        "for named scenarios and scenes in motion, any other file says itself what it is",
    ),
    ("name", ""),
];

const EXACT: &str = "for exact methods";

impl Given {
    /// Whether this flag, as clap names it, is among them.
    pub(super) fn has(&self, flag: &str) -> bool {
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
