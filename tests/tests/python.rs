//! The Python package, put together from the tree and tested by its own tests (`crates/python/tests`).
//!
//! It needs `python3`, or the Python that the variable PYTHON names, with numpy and pytest; what of these is missing stands in the name of the test, which is then
//! ignored. Tests of an engine that is not installed are skipped, and pytest says so. The module is built with the features
//! of the whole workspace, so it shares what is compiled for the other tests; `.ci/python` and `.ci/wheel` build and
//! install the package as users do.

use std::os::unix::fs::symlink;
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

fn python() -> Command {
    let own = std::env::var_os("PYTHON").filter(|own| Path::new(own).is_file());
    Command::new(own.unwrap_or_else(|| "python3".into()))
}

/// Whether Python runs this code to its end.
fn has(code: &str) -> bool {
    let output = python().args(["-c", code]).output();
    output.is_ok_and(|output| output.status.success())
}

/// What this machine lacks.
fn missing() -> Option<&'static str> {
    [
        (
            "import sys; sys.exit(sys.version_info < (3, 10))",
            "no python3 of 3.10 or later",
        ),
        ("import numpy", "python3 has no numpy"),
        ("import pytest", "python3 has no pytest"),
    ]
    .into_iter()
    .find_map(|(code, what)| (!has(code)).then_some(what))
}

fn run() -> Result<(), Failed> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/python");
    let package = package.canonicalize()?;
    let site = tempfile::tempdir()?;
    put_together(&package, site.path(), &module()?)?;
    // Where pytest-xdist is installed, each core has a process of its own.
    let processes = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let beside = match has("import xdist") {
        true => vec![format!("--numprocesses={processes}")],
        false => Vec::new(),
    };
    succeed(
        python()
            .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
            .args(beside)
            .arg(package.join("tests"))
            .env("PYTHONPATH", site.path())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .envs(command()?.map(|path| ("ETALON", path))),
    )
}

/// The command etalon, where it is built beside this test: the adapters of its own engines start it.
fn command() -> Result<Option<PathBuf>, Failed> {
    let path = target()?.join(format!("etalon{}", std::env::consts::EXE_SUFFIX));
    Ok(path.is_file().then_some(path))
}

/// The folder in the target folder that has what is built for the profile of this test.
fn target() -> Result<PathBuf, Failed> {
    let test = std::env::current_exe()?;
    let folder = test.ancestors().nth(2);
    Ok(folder.ok_or("the test is in no target folder")?.to_owned())
}

/// Builds the module; its file in the target folder of this test.
fn module() -> Result<PathBuf, Failed> {
    let folder = target()?;
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    succeed(
        Command::new(cargo)
            .args(["build", "--locked", "--workspace", "--lib", "--tests"])
            .args(["--profile", profile])
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")),
    )?;
    Ok(folder.join("lib_etalon.so"))
}

/// Lays the package out as pip does: the files in Python, the module, and the entry of the pytest plugin.
fn put_together(package: &Path, site: &Path, module: &Path) -> Result<(), Failed> {
    let own = site.join("etalon");
    std::fs::create_dir(&own)?;
    for entry in std::fs::read_dir(package.join("python/etalon"))? {
        let entry = entry?;
        symlink(entry.path(), own.join(entry.file_name()))?;
    }
    symlink(module, own.join("_etalon.abi3.so"))?;
    let version = env!("CARGO_PKG_VERSION");
    let about = site.join(format!("etalon-{version}.dist-info"));
    std::fs::create_dir(&about)?;
    let metadata = format!("Metadata-Version: 2.1\nName: etalon\nVersion: {version}\n");
    std::fs::write(about.join("METADATA"), metadata)?;
    let plugin = "[pytest11]\netalon = etalon._pytest_plugin\n";
    Ok(std::fs::write(about.join("entry_points.txt"), plugin)?)
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
