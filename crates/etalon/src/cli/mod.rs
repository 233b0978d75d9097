//! The command line: one module a command, and what they share.

mod args;
mod check;
mod complaints;
mod console;
mod diff;
mod drafts;
mod generate;
mod golden;
mod intake;
mod jobs;
mod oracle;
mod recipe;
mod scenario;
mod scene_goldens;
mod schema;
mod solve;
mod summary;
mod table;
mod tally;
mod trajectories;
mod verify;

use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{Parser, Subcommand};

use console::Console;

/// The standard that solvers of linear complementarity problems are checked against.
///
/// w = Mz + q, z >= 0, w >= 0, z'w = 0. A solver's claim goes in, a verdict comes out, by exact
/// arithmetic and with proof.
#[derive(Parser)]
#[command(name = "etalon", version = version(), after_help = EXIT_STATUS)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Machine-readable output in place of tables
    #[arg(long, global = true, help_heading = "Output")]
    json: bool,

    /// Only results and errors: no progress, no summary, no warnings
    #[arg(long, short, global = true, help_heading = "Output")]
    quiet: bool,
}

const EXIT_STATUS: &str = "\
Exit status: 0 all accepted, 1 something was not accepted, 2 wrong usage or unreadable input.

Example: etalon gen murty --n 6 --count 3 | tee p.jsonl | etalon solve - > c.jsonl
         etalon check p.jsonl c.jsonl";

#[derive(Subcommand)]
enum Command {
    Verify(verify::Verify),
    Solve(solve::Solve),
    Check(check::Check),
    Diff(diff::Diff),
    #[command(name = "gen")]
    Generate(generate::Generate),
    Golden(golden::Golden),
    Scenario(scenario::ScenarioCommand),
    Schema(schema::Schema),
}

/// How a command ended; the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    /// All accepted.
    Accepted,
    /// Something was not accepted.
    NotAccepted,
    /// Wrong usage or unreadable input.
    Unreadable,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Accepted => Self::SUCCESS,
            Ending::NotAccepted => Self::from(1),
            Ending::Unreadable => Self::from(2),
        }
    }
}

/// What ends a command at once. Everything else is reported on the way.
#[derive(Debug, thiserror::Error)]
enum Fatal {
    #[error(transparent)]
    Read(#[from] etalon_golden::ReadError),
    #[error(transparent)]
    Input(#[from] etalon_lcp::record::stream::InputError),
    #[error("cannot write the output: {0}")]
    Output(std::io::Error),
    #[error("{0}")]
    Usage(String),
}

type Result<T> = std::result::Result<T, Fatal>;

/// Runs the command line.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let console = Console::new(cli.quiet, cli.json);
    let ending = match &cli.command {
        Command::Verify(command) => command.run(&console),
        Command::Solve(command) => command.run(&console),
        Command::Check(command) => command.run(&console),
        Command::Diff(command) => command.run(&console),
        Command::Generate(command) => command.run(&console),
        Command::Golden(command) => command.run(&console),
        Command::Scenario(command) => command.run(&console),
        Command::Schema(command) => command.run(&console),
    };
    let ending = ending.unwrap_or_else(|fatal| {
        console.error(fatal);
        Ending::Unreadable
    });
    ending.into()
}

/// The version, with that of the arithmetic below everything.
fn version() -> &'static str {
    use gmp_mpfr_sys::gmp;
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let own = env!("CARGO_PKG_VERSION");
        let (major, minor, patch) = (gmp::VERSION, gmp::VERSION_MINOR, gmp::VERSION_PATCHLEVEL);
        format!("{own} (GMP {major}.{minor}.{patch})")
    });
    &VERSION
}
