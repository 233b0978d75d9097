//! The command `etalon`: one module a command, and what they share; see `etalon help`.

mod again;
mod args;
mod bounce_gain;
mod check;
mod colours;
mod complaints;
mod completions;
mod console;
mod diff;
mod drafts;
mod engine;
mod finding;
mod flight_gain;
mod fuzz;
mod generate;
mod golden;
mod goldens;
#[cfg(feature = "import")]
mod import;
mod init;
mod intake;
mod interrupt;
mod jobs;
mod man;
mod manifest;
mod outputs;
mod recipe;
mod replay;
mod report;
mod scenario;
mod scene_goldens;
mod schema;
mod scoreboard;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod shrink;
mod similar;
mod solve;
mod solver_args;
mod step;
mod step_goldens;
mod study;
mod summary;
mod system;
mod tally;
mod trajectories;
mod trajectory;
mod verified;
mod verify;
mod written;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use etalon::version;

use console::Console;

/// The standard that solvers of linear complementarity problems are checked against.
///
/// Such a problem is w = Mz + q, z >= 0, w >= 0, z'w = 0. etalon takes a solver's claim and gives a verdict, in exact
/// arithmetic and with proof.
#[derive(Parser)]
#[command(
    name = "etalon",
    version = version::short(),
    long_version = version::long(),
    after_help = EXAMPLE
)]
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
Exit status: 0 all accepted, 1 something was not accepted, 2 wrong usage or unreadable input.";

const EXAMPLE: &str = "\
Flags are all there is to set: no configuration file is read, and of the environment only NO_COLOR,
CLICOLOR and CLICOLOR_FORCE, which say whether terminals get colours.

Example: etalon gen murty --n 6 --count 3 | tee p.jsonl | etalon solve - > c.jsonl
         etalon check p.jsonl c.jsonl";

#[derive(Subcommand)]
enum Command {
    Verify(verify::Verify),
    Solve(solve::Solve),
    Check(check::Check),
    Diff(diff::Diff),
    Fuzz(fuzz::FuzzCommand),
    Shrink(shrink::ShrinkCommand),
    Scoreboard(scoreboard::ScoreboardCommand),
    Engine(engine::EngineCommand),
    #[command(name = "gen")]
    Generate(generate::Generate),
    #[cfg(feature = "import")]
    Import(import::Import),
    Init(init::Init),
    Golden(golden::Golden),
    Scenario(scenario::ScenarioCommand),
    Replay(replay::Replay),
    Report(report::ReportCommand),
    Schema(schema::Schema),
    Show(show::Show),
    Step(step::StepCommand),
    Trajectory(trajectory::TrajectoryCommand),
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    Study(study::Study),
    Completions(completions::Completions),
    Man(man::Man),
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

/// The errors that end a command at once. All others are reported on the way.
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

impl Fatal {
    /// A file or folder that cannot be written.
    fn unwritten(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        move |error| Self::Usage(format!("{}: cannot write: {error}", path.display()))
    }
}

/// Small problems are read and judged in many small pieces of memory, which glibc's allocator hands out more slowly.
#[cfg(all(feature = "mimalloc", target_os = "linux", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Result<T> = std::result::Result<T, Fatal>;

fn main() -> ExitCode {
    // Asked by a shell what a word may become (the variable COMPLETE), it says so and ends.
    clap_complete::CompleteEnv::with_factory(command_line).complete();
    let cli = match Cli::from_arg_matches(&command_line().get_matches()) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    let console = Console::new(cli.quiet, cli.json);
    let ending = match &cli.command {
        Command::Verify(command) => command.run(&console),
        Command::Solve(command) => command.run(&console),
        Command::Check(command) => command.run(&console),
        Command::Diff(command) => command.run(&console),
        Command::Fuzz(command) => command.run(&console),
        Command::Shrink(command) => command.run(&console),
        Command::Scoreboard(command) => command.run(&console),
        Command::Engine(command) => command.run(&console),
        Command::Generate(command) => command.run(&console),
        #[cfg(feature = "import")]
        Command::Import(command) => command.run(&console),
        Command::Init(command) => command.run(&console),
        Command::Golden(command) => command.run(&console),
        Command::Scenario(command) => command.run(&console),
        Command::Replay(command) => command.run(&console),
        Command::Report(command) => command.run(&console),
        Command::Schema(command) => command.run(&console),
        Command::Show(command) => command.run(&console),
        Command::Step(command) => command.run(&console),
        Command::Trajectory(command) => command.run(&console),
        #[cfg(feature = "serve")]
        Command::Serve(command) => command.run(&console),
        Command::Study(command) => command.run(&console),
        Command::Completions(command) => command.run(&console),
        Command::Man(command) => command.run(&console),
    };
    let ending = ending.unwrap_or_else(|fatal| {
        console.error(fatal);
        Ending::Unreadable
    });
    ending.into()
}

/// The command line as help, completions and manual pages show it: every command says how it ends.
fn command_line() -> clap::Command {
    with_exit_status(Cli::command())
}

fn with_exit_status(command: clap::Command) -> clap::Command {
    let own = command.get_after_help().map(|text| format!("{text}\n\n"));
    let help = own.unwrap_or_default() + EXIT_STATUS;
    command.after_help(help).mut_subcommands(with_exit_status)
}
