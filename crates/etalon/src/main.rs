//! The command `etalon`; see `etalon help`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
