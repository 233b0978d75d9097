//! The solver of a scenario.

use std::str::FromStr;
use std::time::Duration;

use etalon_conformance::process::{CommandLine, Limits, Process};
use etalon_exact::Budget;
use etalon_lcp::Solver;
use etalon_methods::Method;

use crate::similar::did_you_mean;

/// A method by its name, or a solver by its command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SolverChoice {
    /// Exact, by the method that suits what is run.
    Reference,
    /// An exact method.
    Exact(etalon_exact::ExactMethod),
    /// A method in binary64.
    Fast(etalon_fast::FastMethod),
    /// A command that speaks the protocol.
    Process(CommandLine),
}

impl FromStr for SolverChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "exact" => return Ok(Self::Reference),
            "fast" => return Ok(Self::Fast(etalon_fast::FastMethod::Auto)),
            _ => {}
        }
        match text.parse::<Method>() {
            Ok(Method::Exact(method)) => Ok(Self::Exact(method)),
            Ok(Method::Fast(method)) => Ok(Self::Fast(method)),
            Ok(Method::Cone) => Err(format!(
                "{text} is for problems with friction cones, which scenarios do not pose; use fast"
            )),
            Err(unknown) => match CommandLine::parse(text) {
                Ok(command) if can_be_found(command.program()) => Ok(Self::Process(command)),
                Ok(command) => {
                    let names = Method::all().map(Method::name);
                    let meant = did_you_mean(command.program(), names.chain(["exact", "fast"]));
                    Err(format!(
                        "{unknown}, and exact and fast; nor is it a program{meant}"
                    ))
                }
                Err(error) => Err(error.to_string()),
            },
        }
    }
}

/// Whether there is such a program, as far as can be told: a misspelt method is none.
fn can_be_found(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    program.contains(std::path::is_separator)
        || std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// A solver in a process of its own.
pub fn command_solver(command: &CommandLine, timeout: Duration) -> Box<dyn Solver> {
    let limits = Limits {
        timeout,
        ..Limits::default()
    };
    Box::new(Process::new(command.clone(), limits))
}

impl SolverChoice {
    /// Whether it computes in fractions; every other solver gets numbers rounded to binary64.
    pub fn is_exact(&self) -> bool {
        matches!(self, Self::Reference | Self::Exact(_))
    }

    /// The solver, where it takes the problem in binary64.
    pub fn rounded_solver(&self, timeout: Duration) -> Option<Box<dyn Solver>> {
        match self {
            Self::Reference | Self::Exact(_) => None,
            Self::Fast(method) => Some(method.solver()),
            Self::Process(command) => Some(command_solver(command, timeout)),
        }
    }

    /// The exact solver: the method itself, or what others are held against.
    pub fn exact_solver(&self, budget: &Budget) -> Box<dyn Solver> {
        let method = match self {
            Self::Exact(method) => *method,
            _ => etalon_exact::ExactMethod::Certified,
        };
        Method::Exact(method).solver(budget)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Reference => "exact",
            Self::Exact(method) => method.name(),
            Self::Fast(method) => method.name(),
            Self::Process(command) => command.text(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_methods_and_the_rest_are_commands() {
        assert_eq!("exact".parse(), Ok(SolverChoice::Reference));
        let certified = SolverChoice::Exact(etalon_exact::ExactMethod::Certified);
        assert_eq!("certified".parse(), Ok(certified));
        let fast = SolverChoice::Fast(etalon_fast::FastMethod::Auto);
        assert_eq!("fast".parse(), Ok(fast));
        let lemke = SolverChoice::Exact(etalon_exact::ExactMethod::Lemke);
        assert_eq!("exact-lemke".parse(), Ok(lemke));
        assert!(matches!(
            "./my_solver --x".parse(),
            Ok(SolverChoice::Process(_))
        ));
        assert!(
            "no-such-program-anywhere --x"
                .parse::<SolverChoice>()
                .is_err()
        );
        assert!("exact-lemkee".parse::<SolverChoice>().is_err());
        assert!("my 'solver".parse::<SolverChoice>().is_err());
    }
}
