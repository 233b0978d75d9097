//! Real solvers through their adapters: each one that is installed answers real problems, and what it says is
//! judged. Those that are missing are listed as ignored, with the command that installs them.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// The workspace: adapters, and goldens.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Problems with a solution and without, positive definite and with friction, some thirty, with what every
/// solver of its kind gets right.
const SUITES: [&str; 2] = ["golden/problems/statics", "golden/problems/stewart-trinkle"];

/// The same of friction cones: both laws, mixed problems, ellipses, discs of one row, contacts without friction.
const CONES: [&str; 5] = [
    "golden/problems/cone/contactbench",
    "golden/problems/cone/edge",
    "golden/problems/cone/generated/cone.jsonl",
    "golden/problems/cone/generated/cone-convex.jsonl",
    "golden/problems/cone/mujoco",
];

fn main() {
    let arguments = Arguments::from_args();
    let trials = adapters().into_iter().map(|adapter| {
        let text = |key: &str| adapter[key].as_str().unwrap_or_default().to_owned();
        let (name, install) = (text("name"), text("install"));
        let cones = text("can").contains("cones");
        let here = is_here(&text("version"), &text("build"));
        let label = if here {
            name.clone()
        } else {
            format!("{name} (missing: {install})")
        };
        Trial::test(label, move || answers(&name, cones)).with_ignored_flag(!here)
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn adapters() -> Vec<Value> {
    let list = std::fs::read_to_string(Path::new(ROOT).join("adapters/adapters.json")).unwrap();
    serde_json::from_str(&list).unwrap()
}

/// Whether the solver's version is known, and there is a compiler where one is needed.
fn is_here(version: &str, build: &str) -> bool {
    let version = version.replace("{python}", "python3");
    let compiler = build.is_empty() || runs("g++ --version");
    compiler && runs(&version)
}

/// Whether a command ends well and says something. It is split as the scoreboard splits it, without a shell: one
/// would make nothing of the package manager's `${Version}`.
fn runs(command: &str) -> bool {
    let Ok(command) = etalon_conformance::process::CommandLine::parse(command) else {
        return false;
    };
    let mut process = Command::new(command.program());
    let ran = process
        .args(command.arguments())
        .stderr(Stdio::null())
        .output();
    ran.is_ok_and(|ran| ran.status.success() && !ran.stdout.is_empty())
}

/// The adapter talks: whatever it was asked it answers, in time, in the right length, in numbers. And the solver
/// solves.
fn answers(name: &str, cones: bool) -> Result<(), Failed> {
    let bin = tempfile::tempdir()?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_etalon"));
    command.current_dir(ROOT).args(["scoreboard", "--json"]);
    // Long: a solver that compiles itself when it is first asked may do so on a busy machine.
    command.args(["--only", name, "--show", "0", "--timeout", "60s", "--bin"]);
    command.arg(bin.path());
    match cones {
        true => command.arg("--cones").args(CONES),
        false => command.args(SUITES),
    };
    let ran = command.output()?;
    let errors = String::from_utf8_lossy(&ran.stderr).into_owned();
    if !ran.status.success() {
        return Err(errors.into());
    }
    let page: Value = serde_json::from_slice(&ran.stdout)?;
    let board = &page["solvers"][0];
    if board["name"] != name {
        return Err(format!("not on the page: {page}; {errors}").into());
    }
    let total = &board["total"];
    let count = |column: &str| total["counts"][column].as_u64().unwrap_or(u64::MAX);
    let silent = count("crashed") + count("hung");
    let sent = total["sent"].as_u64().unwrap_or_default();
    // A solver may be wrong, which is what the scoreboard is for; the adapter may not. One that mixes up rows of
    // contacts is right only where nothing slides.
    let least = if cones { sent / 3 } else { 1 };
    if silent > 0 || sent < 5 || count("solved") < least {
        return Err(format!("{total}").into());
    }
    Ok(())
}
