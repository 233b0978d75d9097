//! `etalon init`: a solver under test to begin with, and the command that judges it.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::console::Console;
use super::solver_args::quote;
use super::{Ending, Fatal, Result};

/// Write a working solver under test with its glue, and print the command that judges it.
///
/// The solver is projected Gauss-Seidel on problems with bounds; put your own in its place. Files that exist are not overwritten.
#[derive(Args)]
#[command(after_help = "\
Example: etalon init my-solver --lang python
         etalon diff --no-steps --solver 'python3 my-solver/solver.py'")]
pub struct Init {
    /// The folder; it is made where it is not there
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,

    /// The language of the solver
    #[arg(long, value_enum)]
    lang: Language,
}

#[derive(Clone, Copy, ValueEnum)]
enum Language {
    /// Needs cargo; the glue uses serde_json
    Rust,
    /// Needs a compiler for C++17
    Cpp,
    /// Needs Python 3.9 or newer, and no packages
    Python,
    /// Needs Julia and its package JSON
    Julia,
}

/// What is written for a language, and how it is run. `DIR` in a command is the folder.
struct Template {
    files: &'static [(&'static str, &'static str)],
    build: Option<&'static str>,
    solver: &'static str,
}

impl Language {
    fn template(self) -> Template {
        match self {
            Self::Rust => Template {
                files: &[
                    (
                        "Cargo.toml",
                        include_str!("../templates/rust/Cargo.toml.in"),
                    ),
                    ("src/main.rs", include_str!("../templates/rust/src/main.rs")),
                    (
                        "src/protocol.rs",
                        include_str!("../templates/rust/src/protocol.rs"),
                    ),
                ],
                build: Some("cargo build --release --manifest-path DIR/Cargo.toml"),
                solver: "DIR/target/release/solver-under-test",
            },
            Self::Cpp => Template {
                files: &[
                    ("solver.cpp", include_str!("../templates/cpp/solver.cpp")),
                    (
                        "lcp_server.hpp",
                        include_str!("../templates/cpp/lcp_server.hpp"),
                    ),
                ],
                build: Some("c++ -O2 -std=c++17 DIR/solver.cpp -o DIR/solver"),
                solver: "DIR/solver",
            },
            Self::Python => Template {
                files: &[
                    ("solver.py", include_str!("../templates/python/solver.py")),
                    (
                        "protocol.py",
                        include_str!("../templates/python/protocol.py"),
                    ),
                ],
                build: None,
                solver: "python3 DIR/solver.py",
            },
            Self::Julia => Template {
                files: &[
                    ("solver.jl", include_str!("../templates/julia/solver.jl")),
                    (
                        "protocol.jl",
                        include_str!("../templates/julia/protocol.jl"),
                    ),
                ],
                build: Some("julia -e 'import Pkg; Pkg.add(\"JSON\")'"),
                solver: "julia DIR/solver.jl",
            },
        }
    }
}

impl Init {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        let template = self.lang.template();
        let commands = commands(&template, &self.folder);
        let readme = readme(&commands);
        let files = template.files.iter().copied();
        let files: Vec<_> = files.chain([("README.md", readme.as_str())]).collect();
        // All are looked at before the first is written, so that a refusal leaves the folder as it was.
        for (name, _) in &files {
            let file = self.folder.join(name);
            if fs::symlink_metadata(&file).is_ok() {
                return Err(Fatal::Usage(format!(
                    "{} is there already; name another folder: etalon init DIR",
                    file.display()
                )));
            }
        }
        for (name, text) in files {
            let file = self.folder.join(name);
            let no = |error| Fatal::Usage(format!("{}: {error}", file.display()));
            write(&file, text).map_err(no)?;
            console.note(format_args!("wrote {}", file.display()));
        }
        for command in commands {
            console.line(&command)?;
        }
        Ok(Ending::Accepted)
    }
}

fn write(file: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut new = OpenOptions::new().write(true).create_new(true).open(file)?;
    new.write_all(text.as_bytes())
}

/// The commands that build the solver, where it is built, and that judge it.
fn commands(template: &Template, folder: &Path) -> Vec<String> {
    let folder = folder.to_string_lossy();
    // A program without a folder in its name would be looked for on the path.
    let place = |command: &str, folder: &str| command.replace("DIR", folder);
    let build = template.build.map(|build| place(build, &quote(&folder)));
    let solver = quote(&place(template.solver, &quote(&folder)));
    let judge = format!("etalon diff --no-steps --solver {solver}");
    build.into_iter().chain([judge]).collect()
}

fn readme(commands: &[String]) -> String {
    format!(
        "# A solver under test\n\nPut your own solver into `solve`. These commands, where `etalon init` was run, judge it:\n\n```sh\n{}\n```\n\n\
        Failures are counted by kind, and the smallest of each kind are shown, with the command that repeats the worst. `etalon shrink` takes the same \
        `--solver` and makes a problem that it gets wrong as small as possible; `etalon fuzz` searches for such problems.\n",
        commands.join("\n")
    )
}
