//! Which flags of `scenario run` say something about what is run; any other that is given is an error.

use etalon_scenarios::{ScenarioPart, find};

use super::given::FLAGS;
use super::run::Run;
use super::solver::SolverChoice;
use super::usage;
use crate::Result;

/// Of the work that exact methods may do.
const BUDGET: [&str; 3] = ["pivots", "bits", "time_limit"];

/// Of a scene at rest that is answered.
const AT_REST: [&str; 6] = [
    "solver",
    "circular",
    "friction_pyramid",
    "impact",
    "out",
    "svg",
];

/// Of a scene in motion that is run.
const IN_MOTION: [&str; 8] = [
    "solver",
    "steps",
    "h",
    "resume",
    "out",
    "svg",
    "energy_svg",
    "step_log",
];

impl Run {
    /// Refuses what says nothing about a scene taken as that part: a flag that is not heeded would leave
    /// its user in error.
    pub(super) fn refuse_unheeded(&self, part: ScenarioPart) -> Result<()> {
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
            None if part == ScenarioPart::Rest && first == "--steps" => {
                "; `etalon scenario list` names scenes in motion, and a file whose bodies have a \"shape\" is one".to_owned()
            }
            None => String::new(),
        };
        Err(usage(format!(
            "{} {what}, which does not heed {flags}: leave {which} out ({first} is {is_for}{remedy})",
            self.name
        )))
    }

    /// Whether its bodies move in space: those of a file in motion do.
    fn is_in_space(&self) -> bool {
        self.has_parameter("cone")
    }

    /// Whether its scene in motion has a parameter of that name; a file has fields in their place.
    fn has_parameter(&self, name: &str) -> bool {
        let Ok(scenario) = find(&self.name) else {
            return true;
        };
        scenario
            .in_motion
            .is_some_and(|own| own.parameters.iter().any(|own| own.name == name))
    }

    /// Whether a file holds its scene in motion, or could.
    fn is_of_a_file(&self) -> bool {
        let Ok(scenario) = find(&self.name) else {
            return true;
        };
        let instance = scenario.motion_instance([]);
        instance.is_ok_and(|own| own.moving().is_some())
    }

    /// Another part of the scenario, of which the flag would say something.
    fn another_part(&self, part: ScenarioPart, flag: &str) -> Option<ScenarioPart> {
        let scenario = find(&self.name).ok()?;
        let mut others = scenario.parts().map(|about| about.part);
        others.find(|other| *other != part && self.heeded(*other).0.contains(&flag))
    }

    /// The flags that are heeded, and what is run in words.
    fn heeded(&self, part: ScenarioPart) -> (Vec<&'static str>, &'static str) {
        let by_command = matches!(self.solver, SolverChoice::Process(_));
        let rounded = !self.solver.is_exact();
        let timed = by_command.then_some("timeout");
        let (flags, what) = self.own_flags(part);
        let answered = flags.contains(&"solver") && part != ScenarioPart::World;
        // Beside a rounded answer at rest stands an exact one; a start for the circular cone has none,
        // and in motion a command answers alone.
        let exact = match part {
            ScenarioPart::Rest => !(self.circular && rounded),
            ScenarioPart::Motion => !by_command,
            ScenarioPart::World => false,
        };
        let mut heeded = vec!["name", "set"];
        heeded.extend(flags);
        heeded.extend((find(&self.name).is_ok() || part == ScenarioPart::Motion).then_some("as"));
        if part == ScenarioPart::Motion && self.is_in_space() {
            heeded.extend(["method", "cone", "impact"]);
        }
        if part == ScenarioPart::Motion {
            let rules = ["scheme", "activation"];
            heeded.extend(rules.into_iter().filter(|rule| self.has_parameter(rule)));
        }
        if answered {
            heeded.extend(timed);
        }
        if (answered && exact) || (flags.contains(&"all") && part == ScenarioPart::Motion) {
            heeded.extend(BUDGET);
        }
        (heeded, what)
    }

    /// The flags of the part itself, and what is run in words.
    fn own_flags(&self, part: ScenarioPart) -> (&'static [&'static str], &'static str) {
        match part {
            ScenarioPart::Rest if self.scene => (
                &["scene", "friction_pyramid", "impact", "out"],
                "is printed as a scene",
            ),
            ScenarioPart::Rest if self.problem => (
                &["problem", "friction_pyramid", "impact", "out"],
                "is printed as a problem",
            ),
            ScenarioPart::Rest if self.friction_order.is_some() => (
                &["friction_order", "out"],
                "is a scene at rest, solved by index sets",
            ),
            ScenarioPart::Rest if self.drive_order.is_some() => (
                &["drive_order", "pivots", "bits", "time_limit", "out"],
                "is a scene at rest, solved by Baraff's drive",
            ),
            ScenarioPart::Rest => (&AT_REST, "is a scene at rest"),
            ScenarioPart::Motion if self.scene && self.is_of_a_file() => {
                (&["scene", "steps", "h"], "is printed as a scene in motion")
            }
            ScenarioPart::Motion if self.problem => (
                &["problem", "solver", "steps", "h"],
                "is a scene in motion, of which one problem is printed",
            ),
            ScenarioPart::Motion if self.all => (
                &["all", "motions", "steps", "h", "svg", "energy_svg"],
                "is a scene in motion, of which all motions are wanted",
            ),
            ScenarioPart::Motion => (&IN_MOTION, "is a scene in motion"),
            ScenarioPart::World if self.scene => (&["scene"], "is printed as a world"),
            ScenarioPart::World => (
                &[
                    "solver",
                    "steps",
                    "out",
                    "svg",
                    "energy_svg",
                    "judge",
                    "lcps",
                    "step_log",
                ],
                "is a world of the engine",
            ),
        }
    }

    /// Whether the user says who answers.
    pub(super) fn names_solver(&self) -> bool {
        self.given.has("solver")
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command};

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
