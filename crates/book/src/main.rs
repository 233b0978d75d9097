//! Builds the book.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The book of Etalon, from the folder docs of the repository.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Writes the pages; open index.html in a browser. They need no network.
    Build {
        /// The folder to write to, which is emptied first.
        #[arg(long, value_name = "FOLDER", default_value_os_t = destination())]
        dest: PathBuf,
    },
}

/// `target/book`, whatever folder the command is run in.
fn destination() -> PathBuf {
    root().join("target/book")
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap_or(root)
}

fn main() -> ExitCode {
    let Command::Build { dest } = Arguments::parse().command;
    match etalon_book::build(&root().join("docs"), &dest) {
        Ok(()) => {
            println!("{}", dest.join("index.html").display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
