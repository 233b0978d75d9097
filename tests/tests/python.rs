//! The Python package, built from the tree and tested by its own tests (`crates/python/tests`).
//!
//! It needs `python3` with maturin, numpy and pytest; what of these is missing stands in the name
//! of the test, which is then ignored. The build shares the workspace's target folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let missing = missing();
    let name = match &missing {
        None => "python_package".to_owned(),
        Some(what) => format!("python_package (not run: {what})"),
    };
    let trial = Trial::test(name, run).with_ignored_flag(missing.is_some());
    libtest_mimic::run(&arguments, vec![trial]).exit();
}

/// What this machine lacks.
fn missing() -> Option<&'static str> {
    let has = |code: &str| {
        let output = Command::new("python3").args(["-c", code]).output();
        output.is_ok_and(|output| output.status.success())
    };
    [
        (
            "import sys; sys.exit(sys.version_info < (3, 10))",
            "no python3 of 3.10 or later",
        ),
        ("import maturin", "python3 has no maturin"),
        ("import numpy", "python3 has no numpy"),
        ("import pytest", "python3 has no pytest"),
    ]
    .into_iter()
    .find_map(|(code, what)| (!has(code)).then_some(what))
}

fn run() -> Result<(), Failed> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/python");
    let folder = tempfile::tempdir()?;
    let wheels = folder.path().join("wheels");
    let site = folder.path().join("site");
    succeed(
        Command::new("python3")
            .args([
                "-m",
                "maturin",
                "build",
                "--locked",
                "--interpreter",
                "python3",
            ])
            .arg("--manifest-path")
            .arg(package.join("Cargo.toml"))
            .arg("--out")
            .arg(&wheels),
    )?;
    succeed(
        Command::new("python3")
            .args(["-m", "zipfile", "-e"])
            .arg(only_file(&wheels)?)
            .arg(&site),
    )?;
    succeed(
        Command::new("python3")
            .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
            .arg(package.join("tests"))
            .env("PYTHONPATH", &site),
    )
}

fn only_file(folder: &Path) -> Result<PathBuf, Failed> {
    let first = std::fs::read_dir(folder)?.next();
    Ok(first.ok_or("maturin wrote no wheel")??.path())
}

fn succeed(command: &mut Command) -> Result<(), Failed> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    Err(format!("{command:?}: {}\n{out}\n{error}", output.status).into())
}
